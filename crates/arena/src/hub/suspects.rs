//! Programs at work, and those among them that may have killed the arena; see `workshop/quarantine.rs`.

use super::desk::Desk;
use crate::ids::{BotId, VersionId};
use palestra_league::rating::matchmaking::Candidate;

impl Desk {
    /// A version begins a match, which is stored before it does.
    pub(super) fn work_begins(&mut self, version: VersionId) {
        let matches = self.at_work.entry(version).or_default();
        *matches += 1;
        if *matches == 1 {
            self.changes.at_work.push(version);
        }
    }

    /// A version has come through a match, and so has the arena.
    pub(super) fn work_ends(&mut self, version: VersionId) {
        self.suspects.remove(&version);
        if let Some(matches) = self.at_work.get_mut(&version) {
            *matches -= 1;
            if *matches == 0 {
                self.at_work.remove(&version);
                self.changes.rested.push(version);
            }
        }
    }

    /// Whether no match of programs may begin: suspects are being tried, or play one match at a time.
    pub(super) fn programs_wait(&self) -> bool {
        self.workshop.in_quarantine() || (!self.at_work.is_empty() && self.has_suspects())
    }

    /// Whether a version that can play is a suspect.
    fn has_suspects(&self) -> bool {
        let games = self.plan.games.iter().map(|game| &game.cup.game);
        !self.suspects.is_empty()
            && games
                .flat_map(|game| self.roster.candidates(game).0)
                .any(|candidate| self.is_suspect(candidate.bot))
    }

    /// Those of whom a match may be made: one suspect at most, so that it is known by the death of the arena; more only
    /// where there would be no match otherwise.
    pub(super) fn keep_suspects_apart(&self, candidates: Vec<Candidate>, seats: usize) -> Vec<Candidate> {
        let (mut suspects, others): (Vec<Candidate>, Vec<Candidate>) =
            candidates.into_iter().partition(|candidate| self.is_suspect(candidate.bot));
        if others.len() + 1 >= seats {
            suspects.truncate(1);
        }
        [suspects, others].concat()
    }

    fn is_suspect(&self, bot: usize) -> bool {
        let active = self.roster.bots.get(&BotId(bot as i64)).and_then(|entry| entry.row.active);
        active.is_some_and(|version| self.suspects.contains(&version))
    }
}
