//! Matches that are being played, their numbers, and how they are counted when they are over.

use super::Ticket;
use super::outcome::Outcome;
use super::programs::Place;
use super::tables::TableId;
use crate::api::{MatchKind, MatchState, MatchView};
use crate::ids::{AccountId, BotId, ChallengeId, MatchId, RoundId, VersionId};
use crate::limits;
use crate::store::{Changes, MatchRow, SeatRow, now};
use palestra_core::Message;
use palestra_league::event::Finished;
use palestra_league::retries::RetryCounter;
use palestra_league::tournament::Job;
use palestra_runner::Played;
use palestra_server::SpectatorDelay;
use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

/// The setting that says which numbers of matches are taken.
pub(super) const NUMBERS: &str = "numbers";

pub(super) struct Running {
    pub(super) game: String,
    pub(super) kind: MatchKind,
    pub(super) seats: Vec<Participant>,
    pub(super) started: i64,
    /// The round it belongs to, and what the league wants played.
    pub(super) round: Option<(RoundId, Job)>,
    /// What it was played for outside of the event itself.
    pub(super) apart: Option<Apart>,
    /// How late those who do not play it see it.
    pub(super) delay: Option<SpectatorDelay>,
    /// Where it is played.
    pub(super) place: Place,
}

/// What a match is played for that is no part of the event itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Apart {
    /// People at a table play it by hand.
    Table(TableId),
    /// A challenge, and its number there.
    Challenge(ChallengeId, u32),
}

/// Who plays on a seat.
#[derive(Clone)]
pub(super) struct Participant {
    /// Nobody for the server's own bot.
    pub(super) player: Option<AccountId>,
    pub(super) bot: Option<BotId>,
    pub(super) name: String,
    pub(super) source: Source,
}

/// Where the moves of a participant come from.
#[derive(Clone)]
pub(super) enum Source {
    Client(Ticket),
    /// With its number among the versions of the bot.
    Version(VersionId, u32),
    BuiltIn(String),
    /// By hand, in a browser.
    Person,
}

impl Source {
    /// The program that was handed in, if it is one.
    pub(super) fn version(&self) -> Option<VersionId> {
        if let Source::Version(version, _) = self { Some(*version) } else { None }
    }
}

impl Participant {
    pub(super) fn built_in(name: &str) -> Participant {
        Participant {
            player: None,
            bot: None,
            name: name.to_owned(),
            source: Source::BuiltIn(name.to_owned()),
        }
    }

    pub(super) fn is_built_in(&self) -> bool {
        matches!(self.source, Source::BuiltIn(_))
    }

    pub(super) fn is_person(&self) -> bool {
        matches!(self.source, Source::Person)
    }

    pub(super) fn version(&self) -> Option<u32> {
        if let Source::Version(_, number) = self.source { Some(number) } else { None }
    }

    /// Its seat in a match that has not brought anything yet.
    pub(super) fn row(&self) -> SeatRow {
        SeatRow {
            player: self.player,
            bot: self.bot,
            version: self.version(),
            built_in: self.is_built_in(),
            person: self.is_person(),
            name: self.name.clone(),
            place: 0,
            points: None,
            elo: None,
            fault: None,
            reason: None,
        }
    }
}

impl Running {
    pub(super) fn challenge(&self) -> Option<(ChallengeId, u32)> {
        match self.apart {
            Some(Apart::Challenge(challenge, number)) => Some((challenge, number)),
            _ => None,
        }
    }

    pub(super) fn is_of_built_ins(&self) -> bool {
        self.seats.iter().all(Participant::is_built_in)
    }

    fn has_programs(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat.source, Source::Version(..)))
    }

    /// Whether bots ran out of time that they have not had.
    pub(super) fn is_tainted(&self, played: &Played) -> bool {
        self.has_programs() && palestra_runner::host_at_fault(&played.faults)
    }
}

pub(super) struct Matches {
    pub(super) running: BTreeMap<MatchId, Running>,
    pub(super) latest: VecDeque<MatchView>,
    next: i64,
    /// The first number that has not been reserved in the store.
    unreserved: i64,
    next_counted: i64,
    /// Unscored matches since old replays were last deleted.
    pub(super) unscored: i64,
    told_of_stalls: Option<Instant>,
    /// Whose matches outside rounds were left out because this machine was at fault.
    retries: RetryCounter<BotId>,
}

/// What a match has brought, by seat.
#[derive(Default)]
pub(super) struct Gains {
    pub(super) elo: Option<Vec<(f64, f64)>>,
    pub(super) points: Option<Vec<f64>>,
    /// How everybody came to their places; empty if nobody played.
    pub(super) reasons: Vec<Message>,
}

impl Matches {
    /// From the first number that was never reserved, and the number and place in the order of counting of the last match.
    pub(super) fn new(unreserved: i64, last: MatchId, last_counted: i64) -> Matches {
        let next = unreserved.max(last.0 + 1);
        Matches {
            running: BTreeMap::new(),
            latest: VecDeque::new(),
            next,
            unreserved: next,
            next_counted: last_counted + 1,
            unscored: 0,
            told_of_stalls: None,
            retries: RetryCounter::default(),
        }
    }

    pub(super) fn next_number(&self) -> MatchId {
        MatchId(self.next)
    }

    /// The number of a new match. Numbers are reserved in the store in blocks, so that none is ever used twice.
    pub(super) fn new_number(&mut self, changes: &mut Changes) -> MatchId {
        if self.next >= self.unreserved {
            self.unreserved = self.next + limits::NUMBER_BLOCK;
            changes.settings.push((NUMBERS, self.unreserved.to_string()));
        }
        self.next += 1;
        MatchId(self.next - 1)
    }

    /// Whether a tainted match outside rounds does not count. There are more where it came from, but not for ever.
    pub(super) fn leave_out(
        &mut self,
        running: &Running,
        played: &Played,
        now: Instant,
        out: &mut Outcome,
    ) -> bool {
        self.tell_of_stalls(now, &mut out.changes);
        let late = played.faults.iter().filter(|report| report.is_the_machines());
        self.retries.leave_out(late.filter_map(|report| running.seats[report.seat.index()].bot))
    }

    pub(super) fn forget_excuses(&mut self, running: &Running) {
        self.retries.forget(running.seats.iter().filter_map(|seat| seat.bot));
    }

    /// A ladder that does not move would be a riddle to organisers; one line now and then is enough.
    fn tell_of_stalls(&mut self, now: Instant, changes: &mut Changes) {
        if self.told_of_stalls.is_none_or(|told| now.duration_since(told) >= limits::TELL_AGAIN) {
            self.told_of_stalls = Some(now);
            let text = "this machine is too busy: bots run out of time without having had it, and such matches do not count";
            changes.log.push((None, text.to_owned()));
        }
    }

    /// Counts a match that is over, or was lost by who did not come.
    pub(super) fn count(
        &mut self,
        number: MatchId,
        running: Running,
        finished: &Finished,
        gains: Gains,
        replay: Option<Vec<u8>>,
        changes: &mut Changes,
    ) {
        let seat = |(index, seat): (usize, &Participant)| SeatRow {
            place: finished.places[index],
            points: gains.points.as_ref().map(|points| points[index]),
            elo: gains.elo.as_ref().map(|elo| elo[index]),
            fault: finished
                .faults
                .iter()
                .find(|fault| usize::from(fault.seat) == index)
                .map(|fault| (fault.kind.clone(), fault.what.clone())),
            reason: gains.reasons.get(index).cloned(),
            ..seat.row()
        };
        let row = MatchRow {
            id: number,
            counted: self.next_counted,
            round: running.round.as_ref().map(|(round, job)| (*round, job.number)),
            challenge: running.challenge(),
            game: running.game,
            kind: running.kind,
            state: MatchState::Finished,
            started: running.started,
            ended: now(),
            turns: finished.turns,
            seed: finished.seed,
            seats: running.seats.iter().enumerate().map(seat).collect(),
            replay: replay.is_some(),
            why: None,
            worker: finished.worker.clone(),
        };
        self.next_counted += 1;
        self.unscored += i64::from(row.kind != MatchKind::Scored);
        let mut view = MatchView::from(row.clone());
        // What there is to tell of a fault is for its author alone.
        for seat in &mut view.seats {
            (seat.fault_message, seat.reason) = (None, None);
        }
        if !view.kind.is_apart() {
            self.latest.push_front(view);
            self.latest.truncate(limits::SHOWN_LATEST);
        }
        changes.replays.extend(replay.map(|replay| (number, replay)));
        changes.matches.push(row);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use palestra_league::event::LoggedFault;

    pub(in crate::hub) fn finished(places: &[u32]) -> Finished {
        Finished {
            number: 1,
            players: Vec::new(),
            map: 0,
            seed: 5,
            places: places.to_vec(),
            scores: places.iter().map(|place| (u64::from(*place == 1), 1)).collect(),
            turns: 10,
            millis: 1,
            spent: vec![(0, None); places.len()],
            memory: Vec::new(),
            faults: Vec::new(),
            replay: None,
            tainted: false,
            worker: None,
        }
    }

    fn running(kind: MatchKind) -> Running {
        let seats = ["anna", "bela"].map(Participant::built_in).to_vec();
        Running {
            game: "rps".to_owned(),
            kind,
            seats,
            started: 1,
            round: None,
            apart: None,
            delay: None,
            place: Place::Here,
        }
    }

    #[test]
    fn no_number_is_given_twice_whenever_the_arena_stops() {
        let (mut changes, mut given) = (Changes::default(), Vec::new());
        let (mut reserved, mut last) = (1, MatchId(0));
        for restart in 0..3 {
            let mut matches = Matches::new(reserved, last, 0);
            for _ in 0..limits::NUMBER_BLOCK + 10 {
                given.push(matches.new_number(&mut changes));
            }
            // What is stored of it, and only the first of these matches was ever stored.
            reserved = changes.settings.last().unwrap().1.parse().unwrap();
            last = MatchId(restart + 1);
        }
        assert!(given.is_sorted_by(|one, next| one < next), "{given:?}");
    }

    #[test]
    fn matches_are_counted_in_order_and_faults_are_told_without_their_sentences() {
        let (mut matches, mut changes) = (Matches::new(1, MatchId(0), 41), Changes::default());
        let mut lost = finished(&[1, 2]);
        let fault = ("out_of_time".to_owned(), Message::Sentence("bela was late".to_owned()));
        lost.faults = vec![LoggedFault { seat: 1, turn: 3, kind: fault.0.clone(), what: fault.1.clone() }];
        matches.count(MatchId(7), running(MatchKind::Scored), &lost, Gains::default(), None, &mut changes);
        let reasons = ["captured", "lost"].map(|why| Message::Sentence(why.to_owned())).to_vec();
        let gains = Gains { elo: Some(vec![(1516.0, 16.0), (1484.0, -16.0)]), points: None, reasons };
        matches.count(
            MatchId(5),
            running(MatchKind::Free),
            &finished(&[1, 1]),
            gains,
            Some(vec![1]),
            &mut changes,
        );
        let counted: Vec<(i64, i64)> = changes.matches.iter().map(|row| (row.id.0, row.counted)).collect();
        assert_eq!((counted, matches.unscored), (vec![(7, 42), (5, 43)], 1));
        assert_eq!(changes.matches[0].seats[1].fault, Some(fault));
        assert_eq!(changes.matches[0].seats[1].reason, None);
        assert_eq!(changes.matches[1].seats[1].reason, Some(Message::Sentence("lost".to_owned())));
        assert!(matches.latest.iter().flat_map(|view| &view.seats).all(|seat| seat.reason.is_none()));
        assert_eq!(changes.replays, [(MatchId(5), vec![1])]);
        let shown: Vec<_> = matches.latest.iter().map(|view| (view.id.0, view.replay)).collect();
        assert_eq!(shown, [(5, true), (7, false)]);
        let seat = &matches.latest[1].seats[1];
        assert_eq!((seat.fault.as_deref(), &seat.fault_message), (Some("out_of_time"), &None));
    }
}
