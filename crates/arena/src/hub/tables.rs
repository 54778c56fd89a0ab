//! Tables at which people play by hand: who sits where, who is invited, and when their next match can begin. Nothing of
//! it is stored: a table is gone with the arena, and what was played at it stays.

use super::Refused;
use crate::api::play::{Chair, Invitation, TableSeat, TableStatus, TableView};
use crate::ids::{AccountId, MatchId};
use crate::limits;
use crate::store::new_secret;
use crate::trouble::Trouble;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// A table's number, for this process only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct TableId(u64);

/// Somebody who wants to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Guest {
    /// Whoever is signed in.
    pub account: Option<AccountId>,
    /// What others call them.
    pub name: String,
    /// Where they come from.
    pub address: IpAddr,
}

#[derive(Default)]
pub(super) struct Tables {
    tables: BTreeMap<TableId, Table>,
    last: u64,
}

pub(super) struct Table {
    pub(super) game: String,
    /// By its place among the maps that can be played by hand; any otherwise.
    pub(super) map: Option<(u32, String)>,
    pub(super) seats: Vec<Seat>,
    /// When it is forgotten, if nobody does anything before.
    until: i64,
    /// What is being played.
    playing: Option<MatchId>,
    /// What was played last.
    latest: Option<MatchId>,
    /// Why that could not be played.
    trouble: Option<String>,
}

pub(super) enum Seat {
    House(String),
    Person {
        /// Whoever has it sits here, or may sit down here.
        token: String,
        guest: Option<Guest>,
        /// Whether the next match may begin.
        ready: bool,
    },
}

impl Table {
    fn waits(&self) -> bool {
        self.playing.is_none()
            && self.seats.iter().any(|seat| matches!(seat, Seat::Person { ready: true, .. }))
    }

    fn guests(&self) -> impl Iterator<Item = &Guest> {
        self.seats.iter().filter_map(|seat| match seat {
            Seat::Person { guest, .. } => guest.as_ref(),
            Seat::House(_) => None,
        })
    }

    fn is_complete(&self) -> bool {
        self.playing.is_none()
            && !self.seats.iter().any(|seat| matches!(seat, Seat::Person { ready: false, .. }))
    }

    fn position(&self, token: &str) -> Option<usize> {
        self.seats.iter().position(|seat| matches!(seat, Seat::Person { token: own, .. } if own == token))
    }

    fn view(&self, index: usize) -> TableView {
        let Seat::Person { guest, ready, .. } = &self.seats[index] else {
            unreachable!("tokens are people's");
        };
        let seat = |seat: &Seat| match seat {
            Seat::House(name) => TableSeat { name: Some(name.clone()), house: true, ready: true },
            Seat::Person { guest, ready, .. } => TableSeat {
                name: guest.as_ref().map(|guest| guest.name.clone()),
                house: false,
                ready: *ready,
            },
        };
        let invitation = |(index, seat): (usize, &Seat)| match seat {
            Seat::Person { token, guest: None, .. } => {
                Some(Invitation { seat: index as u8 + 1, token: token.clone() })
            }
            _ => None,
        };
        let invitations = self.seats.iter().enumerate().filter_map(invitation);
        TableView {
            game: self.game.clone(),
            map: self.map.as_ref().map(|(_, name)| name.clone()),
            seat: index as u8 + 1,
            status: match (guest, ready, self.playing) {
                (None, ..) => TableStatus::Invited,
                (Some(_), _, Some(_)) => TableStatus::Playing,
                (Some(_), true, None) => TableStatus::Waiting,
                (Some(_), false, None) => TableStatus::Over,
            },
            seats: self.seats.iter().map(seat).collect(),
            // Whoever is invited invites nobody.
            invitations: if guest.is_some() { invitations.collect() } else { Vec::new() },
            expires: self.until,
            latest: self.latest,
            trouble: self.trouble.clone(),
            key: None,
            token: None,
        }
    }
}

impl Tables {
    /// Opens a table for somebody; says the token of their seat.
    pub(super) fn open(
        &mut self,
        (game, map): (String, Option<(u32, String)>),
        chairs: &[Chair],
        guest: Guest,
        now: i64,
    ) -> Result<(TableId, String), Refused> {
        self.forget_old(now);
        self.check_room(&guest)?;
        let own = new_secret(limits::KEY_LETTERS);
        let seat = |chair: &Chair| match chair {
            Chair::House(name) => Seat::House(name.clone()),
            Chair::Me => Seat::Person { token: own.clone(), guest: Some(guest.clone()), ready: true },
            Chair::Invited => {
                Seat::Person { token: new_secret(limits::KEY_LETTERS), guest: None, ready: false }
            }
        };
        self.last += 1;
        let id = TableId(self.last);
        let seats = chairs.iter().map(seat).collect();
        let until = now + limits::TABLE_KEPT.as_millis() as i64;
        let table = Table { game, map, seats, until, playing: None, latest: None, trouble: None };
        self.tables.insert(id, table);
        Ok((id, own))
    }

    /// Whether somebody may sit down at one more table. Tables that nobody waits at or plays at are in nobody's way.
    fn check_room(&self, guest: &Guest) -> Result<(), Refused> {
        let busy = || self.tables.values().filter(|table| table.playing.is_some() || table.waits());
        let with = |fits: &dyn Fn(&Guest) -> bool| busy().filter(|table| table.guests().any(fits)).count();
        let (count, limit) = match guest.account {
            Some(account) => (with(&|other| other.account == Some(account)), limits::TABLES_OF_PLAYER),
            None => {
                let near = |other: &Guest| other.account.is_none() && other.address == guest.address;
                (with(&near), limits::TABLES_OF_ADDRESS)
            }
        };
        let refused = |trouble: Trouble| Err(Refused(trouble));
        if count >= limit {
            return refused(match guest.account {
                Some(_) => Trouble::EnoughTables { limit: limit as u64 },
                None => Trouble::ManyGuests {},
            });
        }
        let guests = with(&|other| other.account.is_none());
        if busy().count() >= limits::TABLES || (guest.account.is_none() && guests >= limits::TABLES_OF_GUESTS)
        {
            return refused(Trouble::TablesTaken {});
        }
        Ok(())
    }

    /// Somebody accepts an invitation; says the token of their seat: that of the invitation opens nothing any more.
    pub(super) fn accept(
        &mut self,
        invitation: &str,
        guest: Guest,
        now: i64,
    ) -> Result<(TableId, String), Refused> {
        self.forget_old(now);
        let (id, index) = self.find(invitation)?;
        self.check_room(&guest)?;
        let table = self.tables.get_mut(&id).expect("it was just found");
        let Seat::Person { token, guest: taken @ None, ready } = &mut table.seats[index] else {
            return Err(Refused(Trouble::SitsAlready {}));
        };
        (*token, *taken, *ready) = (new_secret(limits::KEY_LETTERS), Some(guest), true);
        let token = token.clone();
        table.until = now + limits::TABLE_KEPT.as_millis() as i64;
        Ok((id, token))
    }

    /// Somebody wants to play once more.
    pub(super) fn again(&mut self, token: &str, now: i64) -> Result<TableId, Refused> {
        self.forget_old(now);
        let (id, index) = self.find(token)?;
        let table = self.tables.get_mut(&id).expect("it was just found");
        if table.playing.is_some() {
            return Err(Refused(Trouble::MatchNotOver {}));
        }
        let Seat::Person { guest: Some(_), ready, .. } = &mut table.seats[index] else {
            return Err(Refused(Trouble::AcceptFirst {}));
        };
        *ready = true;
        table.until = now + limits::TABLE_KEPT.as_millis() as i64;
        Ok(id)
    }

    /// Somebody does not want to play any more, or declines: nobody waits any longer at this table.
    pub(super) fn leave(&mut self, token: &str) {
        if let Ok((id, _)) = self.find(token)
            && self.tables[&id].playing.is_none()
        {
            self.tables.remove(&id);
        }
    }

    /// No match begins any more for this player, or for anybody.
    pub(super) fn clear(&mut self, player: Option<AccountId>) {
        let concerned = |table: &Table| {
            player.is_none_or(|player| table.guests().any(|guest| guest.account == Some(player)))
        };
        self.tables.retain(|_, table| table.playing.is_some() || !concerned(table));
    }

    pub(super) fn look(&self, token: &str) -> Result<TableView, Refused> {
        let (id, index) = self.find(token)?;
        Ok(self.tables[&id].view(index))
    }

    /// The table, if everybody is there and wants to play.
    pub(super) fn complete(&self, id: TableId) -> Option<&Table> {
        self.tables.get(&id).filter(|table| table.is_complete())
    }

    pub(super) fn begin(&mut self, id: TableId, number: MatchId) {
        if let Some(table) = self.tables.get_mut(&id) {
            (table.playing, table.latest, table.trouble) = (Some(number), Some(number), None);
        }
    }

    /// A match is over, or could not be played: whoever wants another one says so.
    pub(super) fn end(&mut self, id: TableId, trouble: Option<String>, now: i64) {
        if let Some(table) = self.tables.get_mut(&id) {
            (table.playing, table.trouble) = (None, trouble);
            table.until = now + limits::TABLE_KEPT.as_millis() as i64;
            for seat in &mut table.seats {
                if let Seat::Person { ready, .. } = seat {
                    *ready = false;
                }
            }
        }
    }

    pub(super) fn get(&self, id: TableId) -> Option<&Table> {
        self.tables.get(&id)
    }

    fn find(&self, token: &str) -> Result<(TableId, usize), Refused> {
        let found = self.tables.iter().find_map(|(id, table)| Some((*id, table.position(token)?)));
        found.ok_or(Refused(Trouble::TableGone {}))
    }

    fn forget_old(&mut self, now: i64) {
        self.tables.retain(|_, table| table.playing.is_some() || table.until > now);
        // Those that only remember what was played make room, the oldest first.
        let idle: Vec<TableId> = self
            .tables
            .iter()
            .filter(|(_, table)| table.playing.is_none() && !table.waits())
            .map(|(id, _)| *id)
            .collect();
        for id in idle.iter().take(idle.len().saturating_sub(limits::TABLES)) {
            self.tables.remove(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: i64 = limits::TABLE_KEPT.as_millis() as i64;

    fn guest(account: Option<i64>, address: u8) -> Guest {
        let name = account.map_or_else(|| "guest".to_owned(), |id| format!("p{id}"));
        Guest { account: account.map(AccountId), name, address: IpAddr::from([10, 0, 0, address]) }
    }

    fn open(
        tables: &mut Tables,
        chairs: &[Chair],
        who: Guest,
        now: i64,
    ) -> Result<(TableId, String), Refused> {
        tables.open(("rps".to_owned(), None), chairs, who, now)
    }

    #[test]
    fn an_invitation_is_good_once_and_only_for_a_while() {
        let mut tables = Tables::default();
        let (id, own) = open(&mut tables, &[Chair::Invited, Chair::Me], guest(Some(1), 1), 0).unwrap();
        assert!(tables.complete(id).is_none());
        let view = tables.look(&own).unwrap();
        assert_eq!((view.status, view.seat), (TableStatus::Waiting, 2));
        let invitation = view.invitations[0].token.clone();
        let invited = tables.look(&invitation).unwrap();
        assert_eq!((invited.status, invited.seat, invited.invitations.len()), (TableStatus::Invited, 1, 0));
        let (_, other) = tables.accept(&invitation, guest(None, 2), 1).unwrap();
        assert!(tables.complete(id).is_some());
        for secret in [&invitation, &String::new()] {
            let refused = tables.accept(secret, guest(None, 3), 2).unwrap_err();
            assert!(refused.to_string().contains("accepted already"), "{refused}");
            assert!(tables.look(secret).is_err());
        }
        assert!(tables.look(&other).unwrap().invitations.is_empty());

        let (_, own) = open(&mut tables, &[Chair::Me, Chair::Invited], guest(Some(1), 1), 10).unwrap();
        let invitation = tables.look(&own).unwrap().invitations[0].token.clone();
        assert!(tables.accept(&invitation, guest(None, 2), 10 + LONG).is_err(), "it is over");
    }

    #[test]
    fn the_next_match_begins_when_everybody_wants_it() {
        let mut tables = Tables::default();
        let (id, one) = open(&mut tables, &[Chair::Me, Chair::Invited], guest(Some(1), 1), 0).unwrap();
        let invitation = tables.look(&one).unwrap().invitations[0].token.clone();
        let (_, other) = tables.accept(&invitation, guest(Some(2), 1), 0).unwrap();
        tables.begin(id, MatchId(7));
        assert_eq!(tables.look(&one).unwrap().status, TableStatus::Playing);
        assert!(tables.again(&one, 1).is_err(), "it is not over");
        tables.leave(&one);
        tables.end(id, None, 1);
        assert_eq!(tables.look(&other).unwrap().status, TableStatus::Over);
        tables.again(&one, 2).unwrap();
        assert!(tables.complete(id).is_none());
        let seats = tables.look(&other).unwrap().seats;
        assert_eq!(seats.iter().map(|seat| seat.ready).collect::<Vec<_>>(), [true, false]);
        tables.again(&other, 3).unwrap();
        assert!(tables.complete(id).is_some());
        tables.leave(&other);
        assert!(tables.look(&one).is_err(), "nobody waits for somebody who has left");
    }

    #[test]
    fn nobody_takes_all_tables() {
        let mut tables = Tables::default();
        let alone = [Chair::Me, Chair::House("bot".to_owned())];
        for _ in 0..limits::TABLES_OF_PLAYER {
            open(&mut tables, &alone, guest(Some(1), 1), 0).unwrap();
        }
        assert!(open(&mut tables, &alone, guest(Some(1), 9), 0).is_err());
        open(&mut tables, &alone, guest(Some(2), 1), 0).unwrap();
        let mut guests = 0;
        for address in 0..=255 {
            let before = guests;
            while open(&mut tables, &alone, guest(None, address), 0).is_ok() {
                guests += 1;
            }
            assert!(guests - before <= limits::TABLES_OF_ADDRESS);
        }
        assert_eq!(guests, limits::TABLES_OF_GUESTS);
        assert!(open(&mut tables, &alone, guest(Some(3), 1), 0).is_ok(), "there is room for players");
    }

    #[test]
    fn an_invitation_does_not_lead_past_the_limits() {
        let mut tables = Tables::default();
        for _ in 0..limits::TABLES_OF_PLAYER {
            open(&mut tables, &[Chair::Me, Chair::House("bot".to_owned())], guest(Some(1), 1), 0).unwrap();
        }
        let (_, own) = open(&mut tables, &[Chair::Me, Chair::Invited], guest(Some(2), 2), 0).unwrap();
        let invitation = tables.look(&own).unwrap().invitations[0].token.clone();
        assert!(tables.accept(&invitation, guest(Some(1), 1), 0).is_err());
        tables.accept(&invitation, guest(Some(3), 3), 0).unwrap();
    }

    #[test]
    fn who_is_shut_out_waits_nowhere() {
        let mut tables = Tables::default();
        let (_, own) = open(&mut tables, &[Chair::Me, Chair::Invited], guest(Some(1), 1), 0).unwrap();
        let (_, other) = open(&mut tables, &[Chair::Me, Chair::Invited], guest(Some(2), 1), 0).unwrap();
        tables.clear(Some(AccountId(1)));
        assert!(tables.look(&own).is_err() && tables.look(&other).is_ok());
        tables.clear(None);
        assert!(tables.look(&other).is_err());
    }
}
