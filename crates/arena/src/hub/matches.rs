//! Matches from their beginning to the ratings they move.

use super::desk::{Desk, Effect};
use super::lobby::both;
use super::stages::ABSENT;
use super::{Order, Refused, Ticket};
use crate::api::{MatchKind, MatchState, MatchView, RoundState, SeatView};
use crate::ids::{BotId, MatchId, PlayerId, RoundId, VersionId};
use crate::limits;
use crate::plan::{EventPlan, GamePlan};
use crate::play::hall::Hall;
use crate::play::{self, Beginning, Chair, Fixture, Line, Report, SessionLine};
use crate::store::{MatchRow, SeatRow, StoreError, now};
use crate::workshop::{Smoke, Workshop};
use palestra_core::{AnyGame, Entrant, Match, Plan, Rng, TimeControl};
use palestra_league::event::{Event, Finished, LoggedFault};
use palestra_league::referee::Ground;
use palestra_league::tournament::Job;
use palestra_runner::{Played, host_at_fault};
use palestra_server::{Delay, Library};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

/// What protocols call the server's own bot, whichever built-in player it is.
const PRACTICE_BOT: &str = "bot";

/// A match that is being played.
pub(super) struct Running {
    pub(super) game: String,
    pub(super) kind: MatchKind,
    pub(super) seats: Vec<Taken>,
    pub(super) started: i64,
    /// The round it belongs to, and what the league wants played.
    pub(super) round: Option<(RoundId, Job)>,
    /// How late those who do not play it see it.
    pub(super) delay: Option<Delay>,
}

/// Who sits on a seat.
#[derive(Clone)]
pub(super) struct Taken {
    pub(super) player: Option<PlayerId>,
    pub(super) bot: Option<BotId>,
    pub(super) name: String,
    pub(super) by: By,
}

/// What plays for somebody.
#[derive(Clone)]
pub(super) enum By {
    Client(Ticket),
    /// A version by its number in the store, and among the bot's.
    Version(VersionId, u32),
    BuiltIn(String),
}

/// Everything that a match needs to begin, in a task of its own.
pub(super) struct Begin {
    number: MatchId,
    game: &'static dyn AnyGame,
    ground: Ground,
    map: Option<u32>,
    seed: u64,
    time: TimeControl,
    chairs: Vec<Sitting>,
    pace: Option<Duration>,
    delay: Option<Delay>,
    orders: Vec<(mpsc::Sender<Order>, SessionLine)>,
}

enum Sitting {
    Client { name: String, label: String, line: Line },
    Version { name: String, label: String, version: VersionId },
    BuiltIn { name: String, label: String },
}

/// A match that is over.
pub(super) struct Ended {
    number: MatchId,
    report: Report,
    /// When it ended: the clients' rest begins then, however long it takes to be stored.
    at: Instant,
    /// Its replay, ready to be stored.
    packed: Option<Vec<u8>>,
}

/// What is to be played.
pub(super) struct Pick {
    pub(super) game: String,
    pub(super) kind: MatchKind,
    pub(super) seats: Vec<Taken>,
    pub(super) round: Option<(RoundId, Job)>,
}

impl Desk {
    /// Begins a match, as soon as what led to it is stored; says its number.
    pub(super) fn begin(&mut self, pick: Pick) -> MatchId {
        let number = self.new_number();
        let plan = self.plan.game(&pick.game).expect("matches are of the event's games");
        let (map, seed) = match &pick.round {
            Some((round, job)) => {
                let play = self.rounds.get(round).and_then(|round| round.play.as_ref());
                let before = play.and_then(|play| play.matches.get(&job.number).copied());
                (Some(job.map), self.seeds.of_round_match(*round, job.seed, before))
            }
            None => (None, self.seeds.of_match(number)),
        };
        // People look at the ladder and at scored rounds; free matches go as fast as their clients.
        let pace = plan.pace.filter(|_| pick.kind == MatchKind::Ladder || pick.round.is_some());
        let delay = delay_of(&self.plan, plan, &pick.seats);
        let names: Vec<String> = pick.seats.iter().map(|taken| taken.name.clone()).collect();
        let mut begin = Begin {
            number,
            game: plan.game,
            ground: self.grounds[&pick.game].clone(),
            map,
            seed,
            time: plan.time(),
            chairs: Vec::with_capacity(pick.seats.len()),
            pace,
            delay,
            orders: Vec::new(),
        };
        for (index, taken) in pick.seats.iter().enumerate() {
            let name = taken.name.clone();
            // Nobody but the server's own bot has no number.
            let label = taken.player.map_or_else(|| PRACTICE_BOT.to_owned(), |id| id.to_string());
            if let Some(entry) = taken.bot.and_then(|bot| self.roster.bots.get_mut(&bot)) {
                entry.in_play += 1;
            }
            begin.chairs.push(match &taken.by {
                By::BuiltIn(name) => Sitting::BuiltIn { name: name.clone(), label },
                By::Version(version, _) => {
                    self.work_begins(*version);
                    Sitting::Version { name, label, version: *version }
                }
                By::Client(ticket) => {
                    let (line, session) = play::line(Beginning {
                        number,
                        game: pick.game.clone(),
                        seat: index as u8 + 1,
                        names: names.clone(),
                        scored: pick.kind == MatchKind::Scored,
                    });
                    let client = self.clients.get_mut(ticket).expect("it was just chosen");
                    (client.free, client.playing) = (None, Some(number));
                    begin.orders.push((client.orders.clone(), session));
                    Sitting::Client { name, label, line }
                }
            });
        }
        let running = Running {
            game: pick.game,
            kind: pick.kind,
            seats: pick.seats,
            started: now(),
            round: pick.round,
            delay,
        };
        self.running.insert(number, running);
        self.effects.push(Effect::Begin(Box::new(begin)));
        self.dirty = true;
        number
    }

    pub(super) fn spawn(&self, mut begin: Begin) {
        for (orders, session) in begin.orders.drain(..) {
            // A session that is gone drops its end of the line, and the match hears of it.
            let _ = orders.try_send(Order::Play(session));
        }
        let (hall, library, workshop) =
            (Arc::clone(&self.hall), Arc::clone(&self.library), self.workshop.clone());
        let reports = self.reports.clone();
        tokio::spawn(async move {
            let number = begin.number;
            let report = play_begun(begin, library, workshop, &hall).await;
            let at = Instant::now();
            let (report, packed) = pack(report).await;
            // The hub ends last.
            let _ = reports.send(Ended { number, report, at, packed });
        });
    }

    pub(super) fn match_over(&mut self, ended: Ended) {
        let Ended { number, report, at, packed } = ended;
        let Some(running) = self.running.remove(&number) else {
            return;
        };
        self.dirty = true;
        self.effects.push(Effect::CloseLive(number));
        for taken in &running.seats {
            if let Some(entry) = taken.bot.and_then(|bot| self.roster.bots.get_mut(&bot)) {
                entry.in_play = entry.in_play.saturating_sub(1);
                if report.is_ok() && matches!(taken.by, By::Version(..)) {
                    entry.strikes = 0;
                }
            }
            if let By::Version(version, _) = taken.by {
                self.work_ends(version);
            }
        }
        self.let_rest(&running, at);
        match report {
            Ok(played) => self.played(number, running, &played, packed),
            Err(why) => self.not_played(number, running, why),
        }
    }

    /// Clients are free again, and rest after a match between real opponents, even if they connect anew.
    fn let_rest(&mut self, running: &Running, ended: Instant) {
        for taken in &running.seats {
            if let By::Client(ticket) = taken.by
                && let Some(client) = self.clients.get_mut(&ticket)
            {
                client.playing = None;
            }
        }
        let players: Vec<PlayerId> = running.seats.iter().filter_map(|taken| taken.player).collect();
        if running.kind == MatchKind::Practice || players.len() < 2 {
            return;
        }
        let at = self.opened.elapsed().as_millis() as i64;
        for (index, a) in players.iter().enumerate() {
            for b in &players[index + 1..] {
                self.met.insert(both(*a, *b), at);
            }
        }
        let resting = self.rests_until.entry(running.game.clone()).or_default();
        resting.retain(|_, until| *until > ended);
        for taken in &running.seats {
            if let (By::Client(_), Some(player)) = (&taken.by, taken.player) {
                resting.insert(player, ended + self.plan.rest);
            }
        }
    }

    fn played(&mut self, number: MatchId, running: Running, played: &Played, replay: Option<Vec<u8>>) {
        let millis = (now() - running.started).max(0) as u64;
        let local = running.seats.iter().any(|taken| matches!(taken.by, By::Version(..)));
        let tainted = local && host_at_fault(&played.faults);
        metrics::counter!("palestra_matches_total", "game" => running.game.clone(), "kind" => crate::store::word(running.kind))
            .increment(1);
        let (league_number, players, map) = match &running.round {
            Some((_, job)) => (job.number, job.players.clone(), job.map),
            None => (0, Vec::new(), 0),
        };
        let mut finished = Finished::new(league_number, players, map, millis, played);
        if tainted {
            metrics::counter!("palestra_tainted_matches_total").increment(1);
            match &running.round {
                // There are more matches where this one came from, but not for ever.
                None => {
                    self.tell_of_stalls();
                    let late = played.faults.iter().filter(|report| report.is_the_machines());
                    let stalled = late.filter_map(|report| running.seats[report.seat.index()].bot);
                    if self.excuses.leave_out(stalled) {
                        return;
                    }
                }
                Some((round, job)) => {
                    let play = self.rounds.get_mut(round).and_then(|round| round.play.as_mut());
                    if let Some(play) = play
                        && job.tainted < play.retries()
                    {
                        let events = play.taint(job, finished);
                        self.log_round(*round, events);
                        return;
                    }
                }
            }
            finished.tainted = true;
        }
        self.excuses.forget(running.seats.iter().filter_map(|taken| taken.bot));
        self.settle(number, running, finished, replay);
    }

    /// A ladder that does not move would be a riddle to organisers; one line now and then is enough.
    fn tell_of_stalls(&mut self) {
        if self.told_of_stalls.is_none_or(|told| told.elapsed() >= limits::TELL_AGAIN) {
            self.told_of_stalls = Some(Instant::now());
            let text = "this machine is too busy: bots run out of time without having had it, and such matches do not count";
            self.changes.log.push((None, text.to_owned()));
        }
    }

    /// Counts a match that is over, or was lost by who did not come.
    fn settle(&mut self, number: MatchId, running: Running, finished: Finished, replay: Option<Vec<u8>>) {
        let rates = finished.turns > 0
            && matches!(running.kind, MatchKind::Free | MatchKind::Ladder | MatchKind::Scored)
            && running.seats.iter().all(|taken| taken.bot.is_some());
        let bots: Vec<BotId> = running.seats.iter().filter_map(|taken| taken.bot).collect();
        let elo = rates.then(|| self.roster.rate(&running.game, &bots, &finished.places, self.plan.elo));
        if rates {
            let rows = bots.iter().map(|bot| self.roster.bots[bot].row.clone());
            self.changes.bots.extend(rows);
        }
        let mut points = None;
        let round = running.round.as_ref().map(|(round, job)| (*round, job.number));
        if let Some((id, _)) = round
            && let Some(play) = self.rounds.get_mut(&id).and_then(|round| round.play.as_mut())
        {
            points = Some(play.award(&finished));
            let events = play.finish(finished.clone(), number);
            self.log_round(id, events);
            self.uncounted.insert(id);
        }
        let seat = |(index, taken): (usize, &Taken)| SeatRow {
            player: taken.player,
            bot: taken.bot,
            version: if let By::Version(_, version) = taken.by { Some(version) } else { None },
            name: taken.name.clone(),
            place: finished.places[index],
            points: points.as_ref().map(|points| points[index]),
            elo: elo.as_ref().map(|elo| elo[index]),
            fault: finished
                .faults
                .iter()
                .find(|fault| usize::from(fault.seat) == index)
                .map(|fault| (fault.kind.clone(), fault.text.clone())),
        };
        let row = MatchRow {
            id: number,
            counted: self.next_counted,
            game: running.game,
            kind: running.kind,
            round,
            state: MatchState::Finished,
            started: running.started,
            ended: now(),
            turns: finished.turns,
            seed: finished.seed,
            seats: running.seats.iter().enumerate().map(seat).collect(),
            replay,
            why: None,
        };
        self.next_counted += 1;
        self.unscored += i64::from(row.kind != MatchKind::Scored);
        self.latest.push_front(finished_view(&row));
        self.latest.truncate(limits::SHOWN_LATEST);
        self.changes.matches.push(row);
    }

    /// A scored match that some did not come to: they lose it. Nobody came: it is not played.
    pub(super) fn forfeit(&mut self, pick: Pick, absent: &[bool]) {
        let (round, job) = pick.round.clone().expect("only scored matches are waited for");
        let here = absent.iter().filter(|absent| !**absent).count() as u32;
        if here == 0 {
            let why = "nobody came".to_owned();
            self.round_failed(round, &job, why);
            return;
        }
        let place = |absent: bool| if absent { here + 1 } else { 1 };
        let fault = |seat: usize| LoggedFault {
            seat: seat as u8,
            turn: 0,
            kind: ABSENT.to_owned(),
            text: "was not there when the match was due".to_owned(),
        };
        let finished = Finished {
            number: job.number,
            players: job.players.clone(),
            map: job.map,
            seed: job.seed,
            places: absent.iter().map(|absent| place(*absent)).collect(),
            scores: absent.iter().map(|absent| (u64::from(!absent), u64::from(here))).collect(),
            turns: 0,
            millis: 0,
            spent: vec![(0, None); absent.len()],
            memory: Vec::new(),
            faults: (0..absent.len()).filter(|seat| absent[*seat]).map(fault).collect(),
            replay: None,
            tainted: false,
        };
        let number = self.new_number();
        let running = Running {
            game: pick.game,
            kind: pick.kind,
            seats: pick.seats,
            started: now(),
            round: pick.round,
            delay: None,
        };
        self.settle(number, running, finished, None);
    }

    fn not_played(&mut self, number: MatchId, running: Running, why: String) {
        tracing::warn!(%number, why, "a match could not be played");
        metrics::counter!("palestra_failed_matches_total").increment(1);
        if let Some((round, job)) = &running.round {
            self.changes
                .log
                .push((None, format!("match {number} of round {round} could not be played: {why}")));
            self.round_failed(*round, job, why);
            return;
        }
        // Who cannot be started would be chosen again and again.
        for taken in &running.seats {
            if let (Some(bot), By::Version(..)) = (taken.bot, &taken.by) {
                let entry = self.roster.bots.get_mut(&bot).expect("it just played");
                entry.strikes += 1;
                if entry.strikes >= limits::STRIKES {
                    entry.broken = true;
                    let name = taken.name.clone();
                    self.changes.log.push((None, format!("{name}'s bot sits out: {why}")));
                }
            }
        }
    }

    /// Keeps the first match of what was handed in, for its author.
    pub(super) fn keep_smoke(&mut self, smoke: Smoke) {
        let number = self.new_number();
        let version = &smoke.version;
        let own = Taken {
            player: Some(version.player),
            bot: Some(version.bot),
            name: version.name.clone(),
            by: By::Version(version.id, version.number),
        };
        let others = smoke.opponents.iter().map(|name| Taken {
            player: None,
            bot: None,
            name: name.clone(),
            by: By::BuiltIn(name.clone()),
        });
        let running = Running {
            game: version.game.clone(),
            kind: MatchKind::Smoke,
            seats: std::iter::once(own).chain(others).collect(),
            started: smoke.started,
            round: None,
            delay: None,
        };
        let millis = (now() - smoke.started).max(0) as u64;
        let finished = Finished::new(0, Vec::new(), 0, millis, &smoke.played);
        self.settle(number, running, finished, smoke.played.replay.to_bytes().ok());
        self.effects.push(Effect::Smoked(smoke.number, number));
    }

    /// Takes a match out of the count, or has it played again; everything that came of it is worked out anew.
    pub(super) async fn correct(
        &mut self,
        who: Option<PlayerId>,
        number: MatchId,
        why: &str,
        rerun: bool,
    ) -> Result<Result<(), Refused>, StoreError> {
        let refused = |why: &str| Ok(Err(Refused(why.to_owned())));
        if self.running.contains_key(&number) {
            return refused("the match is still being played; wait for its end");
        }
        let Some((state, kind, game, round)) = self.store.match_state(number).await? else {
            return Ok(Err(Refused(format!("there is no match {number}"))));
        };
        if state == MatchState::Void && !rerun {
            return refused("the match does not count already");
        }
        if rerun && kind != MatchKind::Scored {
            return refused("only matches of scored rounds are played again; void this one instead");
        }
        if let Some((id, league_number)) = round {
            self.take_out(id).await?;
            let Some(round) = self.rounds.get_mut(&id) else {
                return refused("its round is not there any more");
            };
            let Some(play) = round.play.as_mut() else {
                return refused("its round has not begun");
            };
            if play.matches.get(&league_number) != Some(&number) {
                return refused("it was played again since; correct the later match");
            }
            let correction = match rerun {
                true => Event::Rerun { number: league_number },
                false => Event::Voided { number: league_number, why: why.to_owned() },
            };
            let events = match play.correct(correction) {
                Ok(events) => events,
                Err(why) => return Ok(Err(Refused(why))),
            };
            if rerun && matches!(round.row.state, RoundState::Over | RoundState::Cancelled) {
                (round.row.state, round.row.ended) = (RoundState::Running, None);
                self.keep_round(id);
            }
            self.log_round(id, events);
            self.uncounted.insert(id);
        }
        let verb = if rerun { "had played again" } else { "voided" };
        self.changes.log.push((who, format!("{verb} match {number}: {why}")));
        let why = if rerun { format!("played again: {why}") } else { why.to_owned() };
        self.changes.voided.push((number, why));
        self.latest.retain(|view| view.id != number);
        self.flush().await?;
        if matches!(kind, MatchKind::Free | MatchKind::Ladder | MatchKind::Scored) {
            self.rate_anew(&game).await?;
        }
        Ok(Ok(()))
    }

    /// Works out all ratings of a game from its matches.
    async fn rate_anew(&mut self, game: &str) -> Result<(), StoreError> {
        let start = self.plan.elo.start;
        for entry in self.roster.bots.values_mut().filter(|entry| entry.row.game == game) {
            let row = &mut entry.row;
            (row.elo, row.played, row.won, row.drawn, row.lost) = (start, 0, 0, 0, 0);
        }
        self.roster.forget(game);
        for rated in self.store.rated_matches(game).await? {
            let known = |(bot, _, _): &(BotId, u32, Option<f64>)| self.roster.bots.contains_key(bot);
            if rated.seats.len() < 2 || !rated.seats.iter().all(known) {
                continue;
            }
            let bots: Vec<BotId> = rated.seats.iter().map(|(bot, ..)| *bot).collect();
            let places: Vec<u32> = rated.seats.iter().map(|(_, place, _)| *place).collect();
            let elo = self.roster.rate(game, &bots, &places, self.plan.elo);
            for (seat, ((_, _, stored), new)) in rated.seats.iter().zip(&elo).enumerate() {
                if *stored != Some(new.0) {
                    self.changes.ratings.push((rated.id, seat as u8 + 1, *new));
                }
            }
        }
        let rows =
            self.roster.bots.values().filter(|entry| entry.row.game == game).map(|entry| entry.row.clone());
        self.changes.bots.extend(rows);
        Ok(())
    }

    pub(super) fn log_round(&mut self, round: RoundId, events: super::rounds::Events) {
        self.changes.round_events.extend(events.into_iter().map(|(id, event)| (round, id, event)));
    }

    fn round_failed(&mut self, round: RoundId, job: &Job, why: String) {
        if let Some(play) = self.rounds.get_mut(&round).and_then(|round| round.play.as_mut()) {
            let events = play.fail(job, why);
            self.log_round(round, events);
        }
    }
}

/// How late a match is shown to those who do not play it: not at all, unless it hides something from a player that could
/// look at the site meanwhile. Programs in a strict sandbox reach nothing.
fn delay_of(plan: &EventPlan, game: &GamePlan, seats: &[Taken]) -> Option<Delay> {
    let looks = |taken: &Taken| match taken.by {
        By::Client(_) => true,
        By::Version(..) => plan.programs_reach_the_site(),
        By::BuiltIn(_) => false,
    };
    plan.live_delay.of(game.game.info()).filter(|_| seats.iter().any(looks))
}

/// Plays a match, in a task of its own. Whatever computes for a while is done beside the threads that talk.
async fn play_begun(begin: Begin, library: Arc<Library>, workshop: Workshop, hall: &Hall) -> Report {
    let Begin { number, game, ground, map, seed, time, pace, delay, .. } = begin;
    let mut chairs = Vec::with_capacity(begin.chairs.len());
    for sitting in begin.chairs {
        chairs.push(match sitting {
            Sitting::BuiltIn { name, label } => Chair::BuiltIn { name, label },
            Sitting::Client { name, label, line } => Chair::Client { name, label, line },
            Sitting::Version { name, label, version } => {
                Chair::Program { name, label, launch: workshop.launch(version).await? }
            }
        });
    }
    let prepared = spawn_blocking(move || {
        let plan = settle_plan(game, &ground, map, chairs.len() as u8, seed)?;
        let start = empty_recording(game, &plan, &chairs, time)?;
        // A match goes on without anybody who looks.
        let reporter = library.open_live(&number.to_string(), game, start, delay).ok();
        Ok::<_, String>(Fixture { game, plan, time, chairs, reporter, pace })
    });
    let fixture = prepared.await.map_err(|_| "the game could not be set up".to_owned())??;
    match fixture.chairs.iter().all(Chair::is_remote) {
        true => play::remote::play(fixture).await,
        false => hall.play(fixture).await.unwrap_or_else(|_| Err("the arena is shutting down".to_owned())),
    }
}

/// A report with its replay as it is stored.
async fn pack(report: Report) -> (Report, Option<Vec<u8>>) {
    let Ok(played) = report else {
        return (report, None);
    };
    let packing = spawn_blocking(move || {
        let packed = played.replay.to_bytes();
        (played, packed)
    });
    match packing.await {
        Ok((played, Ok(packed))) => (Ok(played), Some(packed)),
        Ok((played, Err(error))) => {
            tracing::warn!(%error, "a match has no replay");
            (Ok(played), None)
        }
        Err(_) => (Err("its replay could not be packed".to_owned()), None),
    }
}

/// A match as lists show it, as far as nothing in it is for somebody alone.
fn finished_view(row: &MatchRow) -> MatchView {
    let seat = |seat: &SeatRow| SeatView {
        player: seat.player,
        bot: seat.bot,
        version: seat.version,
        name: seat.name.clone(),
        place: Some(seat.place),
        points: seat.points,
        elo: seat.elo,
        fault: seat.fault.as_ref().map(|(kind, _)| kind.clone()),
        fault_text: None,
    };
    MatchView {
        id: row.id,
        game: row.game.clone(),
        kind: row.kind,
        round: row.round.map(|(round, _)| round),
        state: row.state,
        started: row.started,
        ended: Some(row.ended),
        counted: Some(row.counted),
        turns: row.turns,
        seats: row.seats.iter().map(seat).collect(),
        watchable: false,
        late: None,
        replay: row.replay.is_some(),
        why: row.why.clone(),
    }
}

/// A map for so many players: the one that is wanted, or any of those that fit.
fn settle_plan(
    game: &dyn AnyGame,
    ground: &Ground,
    map: Option<u32>,
    seats: u8,
    seed: u64,
) -> Result<Plan, String> {
    let mut maps: Vec<u32> = match map {
        Some(map) => vec![map],
        None => (0..ground.maps.len() as u32).collect(),
    };
    Rng::stream(seed, "map", 0).shuffle(&mut maps);
    let mut refused = String::new();
    for map in maps {
        match ground.plan(game, map, seats, seed) {
            Ok(plan) => return Ok(plan),
            Err(error) => refused = error.to_string(),
        }
    }
    Err(refused)
}

/// What those who look on see before the first turn.
fn empty_recording(
    game: &'static dyn AnyGame,
    plan: &Plan,
    chairs: &[Chair],
    time: TimeControl,
) -> Result<palestra_core::Replay, String> {
    let entrants: Vec<Entrant> = chairs.iter().map(Chair::entrant).collect();
    let game = Match::new(game, plan.clone(), &entrants, time).map_err(|error| error.to_string())?;
    Ok(game.recorded().clone())
}

#[cfg(test)]
mod tests;
