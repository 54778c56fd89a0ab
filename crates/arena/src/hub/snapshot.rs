//! The whole event at one moment, for spectators.

use super::Snapshot;
use super::event::Event;
use super::matches::Running;
use crate::api::{LateView, LiveView, MatchKind, MatchState, MatchView, SeatView};
use crate::ids::{AccountId, MatchId};
use crate::limits;
use crate::store::now;
use std::collections::HashMap;
use std::sync::Arc;

impl Event {
    /// `turns` is how many turns of a match everybody may see.
    pub(super) fn snapshot(&self, announcement: Option<i64>, turns: impl Fn(MatchId) -> u32) -> Snapshot {
        let online = self.clients.online();
        let mut standings = HashMap::new();
        for plan in &self.plan.games {
            let game = &plan.tournament.game;
            let connected = |player: AccountId| online.contains(&(player, game.clone()));
            standings.insert(game.clone(), Arc::new(self.roster.standings(game, connected)));
        }
        let mut by_game: HashMap<String, u32> = HashMap::new();
        for running in self.matches.running.values().filter(|running| !running.kind.is_apart()) {
            *by_game.entry(running.game.clone()).or_default() += 1;
        }
        let (clients, running) = (self.clients.count(), by_game.values().sum());
        metrics::gauge!("palestra_clients").set(clients as f64);
        metrics::gauge!("palestra_matches_running").set(self.matches.running.len() as f64);
        let latest = self.matches.latest.iter();
        Snapshot {
            state: self.state,
            live: LiveView {
                now: now(),
                state: self.state,
                matches: self.shown(turns),
                running,
                latest: latest.cloned().collect(),
                rounds: self.rounds.views(&self.plan),
                announcement,
                online: clients as u32,
                settled: Vec::new(),
            },
            settled: self.settled.iter().cloned().collect(),
            standings,
            running: by_game,
            online,
            stalled: self.stalls.lately(now()),
        }
    }

    /// Scored matches first, then those of the best rated, of every game in turn.
    fn shown(&self, turns: impl Fn(MatchId) -> u32) -> Vec<MatchView> {
        let strength = |running: &Running| {
            let rated = running.seats.iter().filter_map(|seat| self.roster.bots.get(&seat.bot?));
            rated.map(|entry| entry.row.elo).fold(0.0, f64::max)
        };
        let order = |running: &Running| match running.kind {
            MatchKind::Scored => 0,
            MatchKind::Practice => 2,
            _ => 1,
        };
        let part = self.matches.running.iter().filter(|(_, running)| !running.kind.is_apart());
        let mut matches: Vec<(&MatchId, &Running)> = part.collect();
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
        let shown = ranked.into_iter().take(limits::SHOWN_RUNNING);
        shown.map(|(_, (number, running))| running_view(*number, running, turns(*number))).collect()
    }
}

pub(super) fn running_view(number: MatchId, running: &Running, turns: u32) -> MatchView {
    let seats = running.seats.iter().map(|seat| SeatView { place: None, ..seat.row().into() });
    MatchView {
        id: number,
        game: running.game.clone(),
        kind: running.kind,
        round: running.round.as_ref().map(|(round, _)| *round),
        challenge: running.challenge().map(|(challenge, _)| challenge),
        state: MatchState::Running,
        started: running.started,
        ended: None,
        counted: None,
        turns,
        seats: seats.collect(),
        watchable: false,
        late: running.delay.map(|delay| LateView { seconds: delay.seconds(), rounds: delay.rounds() }),
        replay: false,
        why: None,
        worker: None,
    }
}
