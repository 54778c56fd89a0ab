//! The whole event at one moment, for those who look on.

use super::desk::Desk;
use super::matches::{By, Running};
use super::{Picture, WantedRounds};
use crate::api::{
    LateView, LiveView, MatchKind, MatchState, MatchView, RoundDetail, RoundList, RoundView, SeatView,
};
use crate::ids::{MatchId, PlayerId, RoundId};
use crate::limits;
use crate::store::now;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl Desk {
    pub(super) fn picture(&mut self) -> Picture {
        self.count_points();
        let online: HashSet<(PlayerId, String)> = self.tickets.keys().cloned().collect();
        let mut standings = HashMap::new();
        for plan in &self.plan.games {
            let game = &plan.cup.game;
            let connected = |player: PlayerId| online.contains(&(player, game.clone()));
            standings.insert(game.clone(), Arc::new(self.roster.standings(game, connected)));
        }
        let mut running: HashMap<String, u32> = HashMap::new();
        for going_on in self.running.values() {
            *running.entry(going_on.game.clone()).or_default() += 1;
        }
        metrics::gauge!("palestra_clients").set(self.clients.len() as f64);
        metrics::gauge!("palestra_matches_running").set(self.running.len() as f64);
        Picture {
            state: self.state,
            live: LiveView {
                now: now(),
                state: self.state,
                matches: self.shown(),
                running: self.running.len() as u32,
                latest: self.latest.iter().filter(|view| view.kind != MatchKind::Smoke).cloned().collect(),
                rounds: self.shown_rounds(),
                announcement: self.announcement,
                online: self.clients.len() as u32,
            },
            standings,
            running,
            online,
        }
    }

    /// Those that go on or are to come, and the latest of the others.
    fn shown_rounds(&self) -> Vec<RoundView> {
        let settled = self.rounds.keys().rev().filter(|id| !self.open_rounds.contains(id));
        let mut shown: Vec<RoundId> =
            settled.take(limits::SHOWN_ROUNDS).chain(&self.open_rounds).copied().collect();
        shown.sort_unstable();
        shown.iter().map(|id| self.round_view(*id)).collect()
    }

    fn round_view(&self, id: RoundId) -> RoundView {
        let round = &self.rounds[&id];
        round.view(self.plan.rounds.get(round.row.planned))
    }

    /// The page of a round.
    pub(super) fn round_detail(&mut self, id: RoundId) -> Option<Arc<RoundDetail>> {
        let round = self.rounds.get_mut(&id)?;
        Some(round.detail(self.plan.rounds.get(round.row.planned)))
    }

    /// A page of the list of all rounds.
    pub(super) fn round_list(&self, wanted: &WantedRounds) -> RoundList {
        let fits = |game: &String| wanted.game.as_ref().is_none_or(|wanted| wanted == game);
        let before = self.rounds.range(..wanted.before).rev().filter(|(_, round)| fits(&round.row.game));
        // One more tells whether there are older ones.
        let mut ids: Vec<RoundId> = before.take(wanted.limit + 1).map(|(id, _)| *id).collect();
        let more = ids.len() > wanted.limit;
        ids.truncate(wanted.limit);
        RoundList {
            older: ids.last().filter(|_| more).copied(),
            rounds: ids.into_iter().map(|id| self.round_view(id)).collect(),
        }
    }

    /// Scored matches first, then those of the best rated, of every game in turn.
    fn shown(&self) -> Vec<MatchView> {
        let strength = |running: &Running| {
            let rated = running.seats.iter().filter_map(|taken| self.roster.bots.get(&taken.bot?));
            rated.map(|entry| entry.row.elo).fold(0.0, f64::max)
        };
        let order = |running: &Running| match running.kind {
            MatchKind::Scored => 0,
            MatchKind::Practice => 2,
            _ => 1,
        };
        let mut matches: Vec<(&MatchId, &Running)> = self.running.iter().collect();
        matches.sort_by(|(_, a), (_, b)| order(a).cmp(&order(b)).then(strength(b).total_cmp(&strength(a))));
        // The best of every game before the second best of any.
        let mut seen: HashMap<&str, usize> = HashMap::new();
        let mut ranked: Vec<(usize, (&MatchId, &Running))> = Vec::with_capacity(matches.len());
        for (number, running) in matches {
            let before = seen.entry(&running.game).or_default();
            ranked.push((*before, (number, running)));
            *before += 1;
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut matches: Vec<(&MatchId, &Running)> = ranked.into_iter().map(|(_, shown)| shown).collect();
        matches.truncate(limits::SHOWN_RUNNING);
        matches.into_iter().map(|(number, running)| self.running_view(*number, running)).collect()
    }

    pub(super) fn running_view(&self, number: MatchId, running: &Running) -> MatchView {
        let seats = running.seats.iter().map(|taken| SeatView {
            player: taken.player,
            bot: taken.bot,
            version: if let By::Version(_, version) = taken.by { Some(version) } else { None },
            name: taken.name.clone(),
            place: None,
            points: None,
            elo: None,
            fault: None,
            fault_text: None,
        });
        MatchView {
            id: number,
            game: running.game.clone(),
            kind: running.kind,
            round: running.round.as_ref().map(|(round, _)| *round),
            state: MatchState::Running,
            started: running.started,
            ended: None,
            counted: None,
            turns: self.library.turns(&number.to_string()).unwrap_or(0),
            seats: seats.collect(),
            watchable: false,
            late: running.delay.map(|delay| LateView { seconds: delay.seconds(), rounds: delay.rounds() }),
            replay: false,
            why: None,
        }
    }
}
