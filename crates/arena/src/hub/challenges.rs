//! Challenges: a few matches that a player lets a version of its own play against one opponent, when there is room for
//! them. Each is in the store from the beginning and knows which of its matches have been played, so that it goes on
//! after a stop.

use super::event::{Event, Proposal};
use super::matches::{Apart, Participant, Running, Source};
use super::outcome::{Effect, Outcome};
use super::schedule::Capacity;
use crate::api::challenges::ChallengeTurn;
use crate::api::{MatchKind, RoundState};
use crate::ids::{AccountId, ChallengeId, MatchId};
use crate::limits;
use crate::model::ChallengeState;
use crate::plan::ChallengeRule;
use crate::store::{ChallengeRow, now};
use crate::trouble::Trouble;
use palestra_core::Message;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Default)]
pub(super) struct Challenges {
    open: BTreeMap<ChallengeId, Challenge>,
    last: i64,
    /// When a match of a player began last, in the order of all.
    served: HashMap<AccountId, u64>,
    begun: u64,
}

/// One that is not over.
pub(super) struct Challenge {
    pub(super) row: ChallengeRow,
    /// The version, and what plays against it.
    pub(super) sides: [Source; 2],
    /// Which of its matches have been played.
    played: BTreeSet<u32>,
    running: Option<MatchId>,
    /// Whether that match was broken off, to make room.
    broken_off: bool,
    failures: u32,
}

impl Challenge {
    pub(super) fn new(row: ChallengeRow, sides: [Source; 2], played: Vec<u32>) -> Challenge {
        let played = played.into_iter().collect();
        Challenge { row, sides, played, running: None, broken_off: false, failures: 0 }
    }

    fn next(&self) -> Option<u32> {
        (0..self.row.matches).find(|number| self.running.is_none() && !self.played.contains(number))
    }
}

impl Challenges {
    /// No number is given twice: this was the last one.
    pub(super) fn start_after(&mut self, last: ChallengeId) {
        self.last = last.0;
    }

    pub(super) fn new_number(&mut self) -> ChallengeId {
        self.last += 1;
        ChallengeId(self.last)
    }

    /// How many are open: of this player, and altogether.
    pub(super) fn count(&self, player: AccountId) -> (usize, usize) {
        let own = self.open.values().filter(|challenge| challenge.row.player == player).count();
        (own, self.open.len())
    }

    /// One that is new, or was open when the arena stopped.
    pub(super) fn add(&mut self, challenge: Challenge, out: &mut Outcome) {
        let id = challenge.row.id;
        self.open.insert(id, challenge);
        self.close_if_played(id, out);
    }

    pub(super) fn cancel(&mut self, id: ChallengeId, why: Option<Trouble>, out: &mut Outcome) -> bool {
        let Some(challenge) = self.open.remove(&id) else { return false };
        let state = ChallengeState::Cancelled;
        let why = why.map(|why| Message::of(&why));
        out.changes.challenges.push(ChallengeRow { state, ended: Some(now()), why, ..challenge.row });
        true
    }

    pub(super) fn cancel_all(&mut self, why: &Trouble, out: &mut Outcome) {
        for id in self.open.keys().copied().collect::<Vec<_>>() {
            self.cancel(id, Some(why.clone()), out);
        }
    }

    /// Nobody plays for, or against, somebody who is shut out.
    pub(super) fn cancel_of(&mut self, player: AccountId, why: &Trouble, out: &mut Outcome) {
        let of = |challenge: &&Challenge| challenge.row.player == player;
        let ids: Vec<ChallengeId> = self.open.values().filter(of).map(|challenge| challenge.row.id).collect();
        for id in ids {
            self.cancel(id, Some(why.clone()), out);
        }
    }

    fn running(&self) -> usize {
        self.open.values().filter(|challenge| challenge.running.is_some()).count()
    }

    /// Those with something to play: players take turns, and of one player the oldest comes first.
    fn queue(&self) -> Vec<ChallengeId> {
        let mut queue: Vec<&Challenge> =
            self.open.values().filter(|challenge| challenge.next().is_some()).collect();
        let served = |challenge: &Challenge| self.served.get(&challenge.row.player).copied().unwrap_or(0);
        queue.sort_by_key(|challenge| (served(challenge), challenge.row.id));
        queue.iter().map(|challenge| challenge.row.id).collect()
    }

    /// How the open ones stand.
    pub(super) fn turns(&self) -> HashMap<ChallengeId, ChallengeTurn> {
        let queue = self.queue();
        let turn = |(id, challenge): (&ChallengeId, &Challenge)| {
            let ahead = queue.iter().position(|other| other == id).map(|place| place as u32);
            (*id, ChallengeTurn { ahead, running: challenge.running })
        };
        self.open.iter().map(turn).collect()
    }

    fn begin(&mut self, id: ChallengeId, number: MatchId) {
        if let Some(challenge) = self.open.get_mut(&id) {
            (challenge.running, challenge.broken_off) = (Some(number), false);
            self.begun += 1;
            self.served.insert(challenge.row.player, self.begun);
        }
        let open: BTreeSet<AccountId> = self.open.values().map(|challenge| challenge.row.player).collect();
        self.served.retain(|player, _| open.contains(player));
    }

    /// A match does not go on; whether it counts is told apart from that.
    pub(super) fn release(&mut self, id: ChallengeId) {
        if let Some(challenge) = self.open.get_mut(&id) {
            challenge.running = None;
        }
    }

    /// A match was played, and is stored.
    pub(super) fn count_match(&mut self, id: ChallengeId, number: u32, out: &mut Outcome) {
        if let Some(challenge) = self.open.get_mut(&id) {
            challenge.played.insert(number);
            challenge.failures = 0;
            self.close_if_played(id, out);
        }
    }

    fn close_if_played(&mut self, id: ChallengeId, out: &mut Outcome) {
        let whole = |challenge: &&Challenge| challenge.played.len() >= challenge.row.matches as usize;
        if self.open.get(&id).filter(whole).is_some()
            && let Some(challenge) = self.open.remove(&id)
        {
            let row = ChallengeRow { state: ChallengeState::Over, ended: Some(now()), ..challenge.row };
            out.changes.challenges.push(row);
        }
    }

    /// A match could not be played. One that was broken off is played again; what never begins is given up.
    pub(super) fn fail(&mut self, id: ChallengeId, why: String, out: &mut Outcome) {
        let Some(challenge) = self.open.get_mut(&id) else { return };
        if std::mem::take(&mut challenge.broken_off) {
            return;
        }
        challenge.failures += 1;
        if challenge.failures >= limits::STRIKES {
            self.cancel(id, Some(Trouble::ChallengeFailed { why }), out);
        }
    }
}

impl Event {
    /// Begins a match of the challenge whose turn it is, if nothing that counts has a use for its place.
    pub(super) fn begin_challenge_match(&mut self, capacity: Capacity, out: &mut Outcome) -> bool {
        let games = || self.plan.games.iter().map(|plan| plan.tournament.game.as_str());
        let most = (capacity.places / 2).max(1);
        if games().any(|game| self.rounds.reserve(game))
            || self.challenges.running() >= most
            || self.room(capacity, out) == 0
        {
            return false;
        }
        let Some(id) = self.challenges.queue().into_iter().next() else { return false };
        let challenge = &self.challenges.open[&id];
        let Some(number) = challenge.next() else { return false };
        let row = &challenge.row;
        let Some(plan) = self.plan.game(&row.game) else {
            let why = Trouble::NoGame { game: row.game.clone() };
            self.challenges.cancel(id, Some(why), out);
            return false;
        };
        // As in a duel: on the same map with the same seed, in every seat once.
        let seats = u32::from(plan.seats.iter().min().copied().unwrap_or(2));
        let own = number % seats;
        let seat = |seat: u32| -> Participant {
            let (bot, side) = if seat == own { (row.bot, 0) } else { (row.opponent, 1) };
            self.roster.participant(bot, challenge.sides[side].clone())
        };
        let proposal = Proposal {
            game: row.game.clone(),
            kind: MatchKind::Challenge,
            seats: (0..seats).map(seat).collect(),
            round: None,
            apart: Some(Apart::Challenge(id, number)),
        };
        let began = self.begin(proposal, out);
        self.challenges.begin(id, began);
        true
    }

    /// Lets matches of challenges make room as soon as a scored match waits for it.
    pub(super) fn give_way(&mut self, capacity: Capacity, out: &mut Outcome) {
        if self.challenges.running() == 0 || self.room(capacity, out) > 0 {
            return;
        }
        let waits = self.rounds.open().into_iter().any(|id| {
            self.rounds.row(id).state == RoundState::Running
                && self.rounds.play_mut(id).is_some_and(|play| !play.waiting.is_empty())
        });
        if waits {
            for challenge in self.challenges.open.values_mut() {
                challenge.broken_off = challenge.running.is_some();
            }
            out.effects.push(Effect::GiveWay);
        }
    }

    /// Whether a match of a challenge moves ratings.
    pub(super) fn rates_challenge(&self, running: &Running) -> bool {
        let bots: BTreeSet<_> = running.seats.iter().filter_map(|seat| seat.bot).collect();
        running.kind == MatchKind::Challenge
            && self.plan.challenges == ChallengeRule::Rated
            && bots.len() == running.seats.len()
    }

    /// Somebody is shut out: what they wanted to know, and whatever waits for their bots, is called off.
    pub(super) fn cancel_challenges_with(&mut self, player: AccountId, out: &mut Outcome) {
        let why = Trouble::ShutOut {};
        self.challenges.cancel_of(player, &why, out);
        let with = |challenge: &&Challenge| {
            self.roster.bots.get(&challenge.row.opponent).is_some_and(|entry| entry.row.player == player)
        };
        let ids: Vec<ChallengeId> =
            self.challenges.open.values().filter(with).map(|challenge| challenge.row.id).collect();
        for id in ids {
            self.challenges.cancel(id, Some(why.clone()), out);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ids::{BotId, VersionId};

    pub(in crate::hub) fn challenge(id: i64, player: i64, matches: u32) -> Challenge {
        let row = ChallengeRow {
            id: ChallengeId(id),
            player: AccountId(player),
            game: "rps".to_owned(),
            bot: BotId(player),
            version: VersionId(player),
            opponent: BotId(3 - player),
            opponent_version: Some(VersionId(3 - player)),
            matches,
            at: 1,
            state: ChallengeState::Open,
            ended: None,
            why: None,
        };
        let sides = [player, 3 - player].map(|version| Source::Version(VersionId(version), 1));
        Challenge::new(row, sides, Vec::new())
    }

    #[test]
    fn players_take_turns_and_everybody_is_told_where_they_stand() {
        let (mut challenges, mut out) = (Challenges::default(), Outcome::default());
        for (id, player) in [(1, 1), (2, 1), (3, 2)] {
            challenges.add(challenge(id, player, 2), &mut out);
        }
        let ahead = |challenges: &Challenges, id: i64| challenges.turns()[&ChallengeId(id)].ahead;
        assert_eq!([1, 2, 3].map(|id| ahead(&challenges, id)), [Some(0), Some(1), Some(2)]);
        challenges.begin(ChallengeId(1), MatchId(7));
        assert_eq!([1, 2, 3].map(|id| ahead(&challenges, id)), [None, Some(1), Some(0)]);
        assert_eq!(challenges.turns()[&ChallengeId(1)].running, Some(MatchId(7)));
        challenges.release(ChallengeId(1));
        challenges.count_match(ChallengeId(1), 0, &mut out);
        assert_eq!(challenges.queue(), [3, 1, 2].map(ChallengeId));
        assert!(out.changes.challenges.is_empty());
        challenges.count_match(ChallengeId(1), 1, &mut out);
        assert_eq!(out.changes.challenges[0].state, ChallengeState::Over);
        assert_eq!(challenges.count(AccountId(1)), (1, 2));
    }

    #[test]
    fn what_never_begins_is_given_up_and_what_made_room_is_not() {
        let (mut challenges, mut out) = (Challenges::default(), Outcome::default());
        challenges.add(challenge(1, 1, 2), &mut out);
        for _ in 0..10 {
            challenges.begin(ChallengeId(1), MatchId(7));
            challenges.open.get_mut(&ChallengeId(1)).unwrap().broken_off = true;
            challenges.release(ChallengeId(1));
            challenges.fail(ChallengeId(1), "interrupted".to_owned(), &mut out);
        }
        assert_eq!(challenges.queue(), [ChallengeId(1)]);
        for _ in 0..limits::STRIKES {
            challenges.begin(ChallengeId(1), MatchId(8));
            challenges.release(ChallengeId(1));
            challenges.fail(ChallengeId(1), "it does not start".to_owned(), &mut out);
        }
        let row = &out.changes.challenges[0];
        let why = Message::of(&Trouble::ChallengeFailed { why: "it does not start".to_owned() });
        assert_eq!((row.state, row.why.as_ref()), (ChallengeState::Cancelled, Some(&why)));
    }

    #[test]
    fn after_a_stop_only_what_is_missing_is_played() {
        let (mut challenges, mut out) = (Challenges::default(), Outcome::default());
        let Challenge { row, sides, .. } = challenge(1, 1, 3);
        challenges.add(Challenge::new(row.clone(), sides.clone(), vec![0, 2]), &mut out);
        assert_eq!(challenges.open[&ChallengeId(1)].next(), Some(1));
        // The last match was stored, and the arena died before anything else.
        challenges.add(Challenge::new(row, sides, vec![0, 1, 2]), &mut out);
        assert_eq!(out.changes.challenges[0].state, ChallengeState::Over);
    }
}
