//! Versions that are at work, on this machine or at workers', and those that may have killed the arena; see
//! `workshop/quarantine.rs`. What a worker plays cannot have done that.

use super::matches::{Participant, Source};
use super::roster::Roster;
use super::schedule::Capacity;
use crate::ids::{BotId, VersionId};
use crate::limits;
use crate::store::Changes;
use palestra_league::rating::matchmaking::Candidate;
use std::collections::{BTreeSet, HashMap};

/// Where a match is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// On this machine.
    Here,
    /// By a worker.
    Workers,
}

#[derive(Default)]
pub(super) struct Programs {
    /// What there was room for when it was last looked, less what has begun since.
    room: Capacity,
    /// Versions that no worker could play, lately.
    homebound: BTreeSet<VersionId>,
    /// In how many matches each plays on this machine.
    at_work: HashMap<VersionId, u32>,
    /// At work at several deaths of the arena in a row, and not come through a match since.
    pub(super) suspects: BTreeSet<VersionId>,
}

impl Programs {
    pub(super) fn new(suspects: Vec<VersionId>) -> Programs {
        Programs { suspects: suspects.into_iter().collect(), ..Programs::default() }
    }

    pub(super) fn set_room(&mut self, room: Capacity) {
        self.room = room;
    }

    /// Where a match of these is to be played. Connected clients, people and built-in players alone stay where they are;
    /// programs have this machine's own places first.
    pub(super) fn place(&mut self, seats: &[Participant]) -> Place {
        let versions = || seats.iter().filter_map(|seat| seat.source.version());
        let stays = |seat: &Participant| matches!(seat.source, Source::Client(_) | Source::Person);
        if !self.room.workers || versions().next().is_none() || seats.iter().any(stays) {
            return Place::Here;
        }
        let homebound = versions().any(|version| self.homebound.contains(&version));
        if self.room.here > 0 || (homebound && self.room.places_here > 0) {
            self.room.here = self.room.here.saturating_sub(1);
            return Place::Here;
        }
        Place::Workers
    }

    /// No worker that is there can play a match of these: the next one is played here, if there is a place.
    pub(super) fn keep_home(&mut self, seats: &[Participant]) {
        if self.homebound.len() < limits::HOMEBOUND {
            self.homebound.extend(seats.iter().filter_map(|seat| seat.source.version()));
        }
    }

    /// Other workers have come.
    pub(super) fn forget_homebound(&mut self) {
        self.homebound.clear();
    }

    /// Stored before the match begins.
    pub(super) fn begin(&mut self, version: VersionId, changes: &mut Changes) {
        let matches = self.at_work.entry(version).or_default();
        *matches += 1;
        if *matches == 1 {
            changes.at_work.push(version);
        }
    }

    /// The version has come through a match, and so has the arena.
    pub(super) fn end(&mut self, version: VersionId, changes: &mut Changes) {
        self.suspects.remove(&version);
        if let Some(matches) = self.at_work.get_mut(&version) {
            *matches -= 1;
            if *matches == 0 {
                self.at_work.remove(&version);
                changes.rested.push(version);
            }
        }
    }

    /// Whether a match of programs has to wait: as long as there are suspects that can play, one is played at a time.
    pub(super) fn wait<'a>(&self, roster: &Roster, mut games: impl Iterator<Item = &'a str>) -> bool {
        !self.at_work.is_empty()
            && !self.suspects.is_empty()
            && games.any(|game| {
                roster.candidates(game).0.iter().any(|candidate| self.is_suspect(roster, candidate))
            })
    }

    /// Those of whom a match may be made: one suspect at most, so that it is known by the death of the arena; more only
    /// where there would be no match otherwise.
    pub(super) fn keep_apart(
        &self,
        roster: &Roster,
        candidates: Vec<Candidate>,
        seats: usize,
    ) -> Vec<Candidate> {
        let (mut suspects, others): (Vec<Candidate>, Vec<Candidate>) =
            candidates.into_iter().partition(|candidate| self.is_suspect(roster, candidate));
        if others.len() + 1 >= seats {
            suspects.truncate(1);
        }
        [suspects, others].concat()
    }

    fn is_suspect(&self, roster: &Roster, candidate: &Candidate) -> bool {
        let active = roster.bots.get(&BotId(candidate.bot as i64)).and_then(|entry| entry.row.active);
        active.is_some_and(|version| self.suspects.contains(&version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::roster::tests::roster;

    #[test]
    fn a_version_is_at_work_from_its_first_match_to_its_last() {
        let (mut programs, mut changes) = (Programs::default(), Changes::default());
        let version = VersionId(7);
        programs.begin(version, &mut changes);
        programs.begin(version, &mut changes);
        programs.end(version, &mut changes);
        assert_eq!((&changes.at_work[..], &changes.rested[..]), (&[version][..], &[][..]));
        programs.end(version, &mut changes);
        assert_eq!(changes.rested, [version]);
    }

    #[test]
    fn programs_wait_while_a_suspect_could_play_and_something_plays() {
        let roster = roster(3);
        let (mut programs, mut changes) = (Programs::new(vec![VersionId(2)]), Changes::default());
        let wait = |programs: &Programs| programs.wait(&roster, ["rps"].into_iter());
        assert!(!wait(&programs), "the first match may begin");
        programs.begin(VersionId(1), &mut changes);
        assert!(wait(&programs));
        programs.end(VersionId(1), &mut changes);
        programs.begin(VersionId(2), &mut changes);
        programs.end(VersionId(2), &mut changes);
        programs.begin(VersionId(1), &mut changes);
        assert!(!wait(&programs), "it has come through a match");
    }

    #[test]
    fn programs_play_here_while_there_is_room_and_then_at_workers() {
        let seats: Vec<Participant> =
            [Source::Version(VersionId(1), 1), Source::BuiltIn("random".to_owned())]
                .into_iter()
                .map(|source| Participant { source, ..Participant::built_in("one") })
                .collect();
        let built_ins = [Participant::built_in("random"), Participant::built_in("greedy")];
        let mut programs = Programs::default();
        assert_eq!(programs.place(&seats), Place::Here, "there is no queue");
        let room =
            Capacity { programs: 9, here: 1, places: 9, places_here: 1, workers: true, quarantine: false };
        programs.set_room(room);
        assert_eq!(programs.place(&built_ins), Place::Here);
        assert_eq!([(); 2].map(|()| programs.place(&seats)), [Place::Here, Place::Workers]);
        programs.keep_home(&seats);
        assert_eq!(programs.place(&seats), Place::Here, "no worker could play it");
        programs.set_room(Capacity { here: 0, places_here: 0, ..room });
        assert_eq!(
            programs.place(&seats),
            Place::Workers,
            "nor can this machine: it waits for a worker that can"
        );
    }

    #[test]
    fn two_suspects_meet_only_where_there_would_be_no_match_otherwise() {
        let roster = roster(4);
        let programs = Programs::new(vec![VersionId(1), VersionId(2)]);
        let kept = |seats: usize| {
            let kept = programs.keep_apart(&roster, roster.candidates("rps").0, seats);
            kept.iter().map(|candidate| candidate.bot).collect::<Vec<_>>()
        };
        assert_eq!(kept(2), [1, 3, 4]);
        assert_eq!(kept(4), [1, 2, 3, 4]);
    }
}
