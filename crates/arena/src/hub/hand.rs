//! What people at tables can do, and the matches that come of it.

use super::Refused;
use super::event::{Event, Proposal};
use super::matches::{Apart, Participant, Source};
use super::outcome::Outcome;
use super::tables::{Guest, Seat, TableId};
use crate::api::play::{Chair, OpenTable, TableView};
use crate::api::{EventState, MatchKind};
use crate::limits;
use crate::plan::GamePlan;
use crate::store::now;
use crate::trouble::Trouble;

/// What somebody does at a table.
pub(crate) enum TableCommand {
    Open {
        table: OpenTable,
        guest: Guest,
    },
    Accept {
        invitation: String,
        guest: Guest,
    },
    /// Plays once more.
    Again {
        token: String,
    },
    Leave {
        token: String,
    },
    Look {
        token: String,
    },
}

impl Event {
    pub(super) fn take_table_command(
        &mut self,
        command: TableCommand,
        out: &mut Outcome,
    ) -> Result<Option<TableView>, Refused> {
        let (id, token) = match command {
            TableCommand::Look { token } => return self.tables.look(&token).map(Some),
            TableCommand::Leave { token } => {
                self.tables.leave(&token);
                return Ok(None);
            }
            TableCommand::Open { table, guest } => {
                self.takes_people()?;
                let plan = self.plan.game(&table.game);
                let plan = plan.ok_or_else(|| Refused(Trouble::NoGame { game: table.game.clone() }))?;
                let map = check(plan, &table)?;
                self.tables.open((table.game, map), &table.seats, guest, now())?
            }
            TableCommand::Accept { invitation, guest } => {
                self.takes_people()?;
                self.tables.accept(&invitation, guest, now())?
            }
            TableCommand::Again { token } => {
                self.takes_people()?;
                (self.tables.again(&token, now())?, token)
            }
        };
        self.begin_at_table(id, out);
        let view = self.tables.look(&token)?;
        Ok(Some(TableView { token: Some(token), ..view }))
    }

    fn takes_people(&self) -> Result<(), Refused> {
        let refused = |trouble: Trouble| Err(Refused(trouble));
        match self.state {
            EventState::Closed => refused(Trouble::EventOver {}),
            EventState::Paused => refused(Trouble::EventPaused {}),
            EventState::Open if self.matches.running.len() >= limits::MATCHES => {
                refused(Trouble::TooManyMatches {})
            }
            EventState::Open => Ok(()),
        }
    }

    /// Begins a match at a table as soon as everybody is there.
    fn begin_at_table(&mut self, id: TableId, out: &mut Outcome) {
        let Some(table) = self.tables.complete(id) else { return };
        let participant = |seat: &Seat| match seat {
            Seat::Person { guest: Some(guest), .. } => Participant {
                player: guest.account,
                bot: None,
                name: guest.name.clone(),
                source: Source::Person,
            },
            Seat::Person { guest: None, .. } => unreachable!("everybody is there"),
            Seat::House(name) => Participant::built_in(name),
        };
        let proposal = Proposal {
            game: table.game.clone(),
            kind: MatchKind::Hand,
            seats: table.seats.iter().map(participant).collect(),
            round: None,
            apart: Some(Apart::Table(id)),
        };
        let number = self.begin(proposal, out);
        self.tables.begin(id, number);
    }
}

/// Whether this can be played; the map with its place among all, if one is wanted.
fn check(plan: &GamePlan, table: &OpenTable) -> Result<Option<(u32, String)>, Refused> {
    let (info, seats) = (plan.game.info(), &table.seats);
    if !(usize::from(info.min_seats)..=usize::from(info.max_seats)).contains(&seats.len()) {
        return Err(Refused(Trouble::WrongSeats {
            game: info.title.to_owned(),
            least: info.min_seats.into(),
            most: info.max_seats.into(),
            seats: seats.len() as u32,
        }));
    }
    if seats.iter().filter(|chair| **chair == Chair::Me).count() != 1 {
        return Err(Refused(Trouble::OneSeatForYourself {}));
    }
    let opponents = plan.hand_opponents();
    let unknown = seats.iter().find_map(|chair| match chair {
        Chair::House(name) if !opponents.contains(name) => Some(name),
        _ => None,
    });
    if let Some(name) = unknown {
        return Err(Refused(Trouble::NoOpponent { name: name.clone(), known: opponents.join(", ") }));
    }
    let Some(wanted) = &table.map else { return Ok(None) };
    let found = plan.hand_maps().iter().position(|map| map.name() == *wanted);
    let found = found.ok_or_else(|| Refused(Trouble::NoMap { map: wanted.clone() }))?;
    Ok(Some((found as u32, wanted.clone())))
}
