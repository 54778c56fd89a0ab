//! Versions that are at work, and those among them that may have killed the arena; see `workshop/quarantine.rs`.

use super::roster::Roster;
use crate::ids::{BotId, VersionId};
use crate::store::Changes;
use palestra_league::rating::matchmaking::Candidate;
use std::collections::{BTreeSet, HashMap};

#[derive(Default)]
pub(super) struct Programs {
    /// In how many matches each plays.
    at_work: HashMap<VersionId, u32>,
    /// At work at several deaths of the arena in a row, and not come through a match since.
    pub(super) suspects: BTreeSet<VersionId>,
}

impl Programs {
    pub(super) fn new(suspects: Vec<VersionId>) -> Programs {
        Programs { suspects: suspects.into_iter().collect(), ..Programs::default() }
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
