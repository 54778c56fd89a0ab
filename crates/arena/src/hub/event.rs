//! Everything that changes in an event, without input or output: the parts together, and what concerns several of them.

use super::Refused;
use super::challenges::Challenges;
use super::clients::Clients;
use super::matches::{Apart, Gains, Matches, Participant, Running, Source};
use super::outcome::{Effect, Outcome};
use super::programs::{Place, Programs};
use super::roster::Roster;
use super::round_page::ABSENT;
use super::rounds::Rounds;
use super::stalls::Stalls;
use super::start::{Ended, StartMatch};
use super::tables::Tables;
use crate::api::{Control, EventState, MatchKind, MatchState, SettledVersion, spelling};
use crate::ids::{AccountId, BotId, MatchId, RoundId};
use crate::limits;
use crate::plan::{EventPlan, GamePlan};
use crate::play::workers::NobodyPlays;
use crate::play::{self, MatchStart};
use crate::seeds::Seeds;
use crate::store::{StoredMatch, Word as _, now};
use crate::trouble::Trouble;
use crate::workshop::Smoke;
use palestra_core::message::Common;
use palestra_core::{Message, Rng, TimeControl};
use palestra_league::event::{Event as LeagueEvent, Finished, LoggedFault};
use palestra_league::match_runner::MatchSetup;
use palestra_league::tournament::Job;
use palestra_runner::Played;
use palestra_server::SpectatorDelay;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

/// The setting under which the state of the event is remembered.
pub(super) const STATE: &str = "state";

pub(super) struct Event {
    pub(super) plan: Arc<EventPlan>,
    pub(super) state: EventState,
    pub(super) roster: Roster,
    pub(super) clients: Clients,
    pub(super) matches: Matches,
    pub(super) rounds: Rounds,
    pub(super) programs: Programs,
    pub(super) tables: Tables,
    pub(super) challenges: Challenges,
    pub(super) stalls: Stalls,
    pub(super) rng: Rng,
    /// Whether a challenge goes before the ladder, where there is room for one match.
    pub(super) challenge_first: bool,
    /// When the last match of a game's ladder began.
    pub(super) last_ladder: HashMap<String, Instant>,
    /// Versions that were settled lately, with their players, the latest first.
    pub(super) settled: VecDeque<(AccountId, SettledVersion)>,
    seeds: Seeds,
    setups: HashMap<String, MatchSetup>,
    /// With more maps, for people.
    hand_setups: HashMap<String, MatchSetup>,
}

pub(super) struct Proposal {
    pub(super) game: String,
    pub(super) kind: MatchKind,
    pub(super) seats: Vec<Participant>,
    pub(super) round: Option<(RoundId, Job)>,
    pub(super) apart: Option<Apart>,
}

/// How everybody came to their places.
fn reasons(played: &Played) -> Vec<Message> {
    played.outcome.placings.iter().map(|placing| placing.reason.clone()).collect()
}

impl Event {
    pub(super) fn new(
        plan: Arc<EventPlan>,
        state: EventState,
        seeds: Seeds,
        matches: Matches,
        programs: Programs,
    ) -> Event {
        let setup = |game: &GamePlan| MatchSetup {
            seed: seeds.of_maps(&game.tournament.game),
            ..MatchSetup::of(&game.tournament, game.game)
        };
        let hand_setup = |game: &GamePlan| MatchSetup { maps: game.hand_maps(), ..setup(game) };
        let id = |game: &GamePlan| game.tournament.game.clone();
        Event {
            hand_setups: plan.games.iter().map(|game| (id(game), hand_setup(game))).collect(),
            setups: plan.games.iter().map(|game| (id(game), setup(game))).collect(),
            roster: Roster::new(plan.games.iter().map(id)),
            clients: Clients::default(),
            rounds: Rounds::default(),
            tables: Tables::default(),
            challenges: Challenges::default(),
            stalls: Stalls::default(),
            rng: Rng::new(seeds.of_choices(matches.next_number())),
            challenge_first: true,
            last_ladder: HashMap::new(),
            settled: VecDeque::new(),
            plan,
            state,
            matches,
            programs,
            seeds,
        }
    }

    /// Whether clients can join for a game.
    pub(super) fn takes_clients(&self, game: &str) -> Result<(), Refused> {
        if self.state == EventState::Closed {
            return Err(Refused(Trouble::EventOver {}));
        }
        match self.plan.game(game) {
            None => Err(Refused(Trouble::NoGame { game: game.to_owned() })),
            Some(plan) if !plan.free_play => {
                Err(Refused(Trouble::NoClients { game: plan.game.info().title.to_owned() }))
            }
            Some(_) => Ok(()),
        }
    }

    pub(super) fn control(
        &mut self,
        who: Option<AccountId>,
        control: Control,
        out: &mut Outcome,
    ) -> Result<(), Refused> {
        let (state, text) = match (self.state, control) {
            (EventState::Closed, Control::Start | Control::Resume) => {
                (EventState::Open, "opened the event again")
            }
            (EventState::Closed, _) => return Err(Refused(Trouble::EventOver {})),
            (_, Control::Pause) => (EventState::Paused, "paused the event"),
            (_, Control::Start | Control::Resume) => (EventState::Open, "let the event go on"),
            (_, Control::Close) => (EventState::Closed, "closed the event"),
        };
        self.state = state;
        out.changes.settings.push((STATE, state.word().to_owned()));
        out.changes.log.push((who, text.to_owned()));
        if state == EventState::Closed {
            self.clients.dismiss_idle("the event is over", out);
            self.tables.clear(None);
            self.challenges.cancel_all(&Trouble::EventOver {}, out);
        }
        Ok(())
    }

    /// Begins a match, as soon as what led to it is stored.
    pub(super) fn begin(&mut self, proposal: Proposal, out: &mut Outcome) -> MatchId {
        let Proposal { game, kind, seats, round, apart } = proposal;
        let number = self.matches.new_number(&mut out.changes);
        let plan = self.plan.game(&game).expect("matches are of the event's games");
        let (map, seed) = match (&round, apart) {
            (Some((round, job)), _) => {
                let before = self.rounds.played(*round, job.number);
                (Some(job.map), self.seeds.of_round_match(*round, job.seed, before))
            }
            (None, Some(Apart::Table(table))) => {
                let map = self.tables.get(table).and_then(|table| table.map.as_ref()).map(|(map, _)| *map);
                (map, self.seeds.of_match(number))
            }
            (None, Some(Apart::Challenge(challenge, number))) => {
                let unit = number / seats.len().max(1) as u32;
                (None, self.seeds.of_challenge(challenge, unit))
            }
            (None, None) => (None, self.seeds.of_match(number)),
        };
        let by_hand = kind == MatchKind::Hand;
        // While people play, each sees what its own seat sees, and nobody else sees anything.
        let until_end = |delay| if by_hand { SpectatorDelay::UntilEnd } else { delay };
        let delay = delay_of(&self.plan, plan, &seats).map(until_end);
        let mut start = StartMatch {
            number,
            game: plan.game,
            setup: if by_hand { &self.hand_setups } else { &self.setups }[&game].clone(),
            map,
            seed,
            time: if by_hand { TimeControl::PerAnswer(self.plan.hand_time) } else { plan.time() },
            seats: Vec::with_capacity(seats.len()),
            // People look at the ladder and at scored rounds; free matches go as fast as their clients.
            pace: plan.pace.filter(|_| matches!(kind, MatchKind::Ladder | MatchKind::Scored)),
            delay,
            gives_way: kind == MatchKind::Challenge,
            orders: Vec::new(),
            people: Vec::new(),
            place: Place::Here,
        };
        let place = self.programs.place(&seats);
        start.place = place;
        self.roster.begin_match(&seats);
        let names: Vec<String> = seats.iter().map(|seat| seat.name.clone()).collect();
        for (seat, participant) in (1..).zip(&seats) {
            let mut channel = None;
            let connect = || {
                play::client_channel(MatchStart {
                    number,
                    game: game.clone(),
                    seat,
                    names: names.clone(),
                    kind,
                })
            };
            match participant.source {
                Source::BuiltIn(_) => {}
                Source::Version(..) if place == Place::Workers => {}
                Source::Version(version, _) => self.programs.begin(version, &mut out.changes),
                Source::Client(ticket) => {
                    let (match_end, session_end) = connect();
                    let orders = self.clients.begin(ticket, number);
                    start.orders.extend(orders.map(|orders| (orders, session_end)));
                    channel = Some(match_end);
                }
                Source::Person => {
                    let (match_end, session_end) = connect();
                    start.people.push(session_end);
                    channel = Some(match_end);
                }
            }
            start.seats.push((participant.clone(), channel));
        }
        self.matches
            .running
            .insert(number, Running { game, kind, seats, started: now(), round, apart, delay, place });
        out.effects.push(Effect::Start(Box::new(start)));
        number
    }

    pub(super) fn end(&mut self, ended: Ended, now: Instant, out: &mut Outcome) {
        let Ended { number, report, at, replay } = ended;
        let Some(running) = self.matches.running.remove(&number) else {
            return;
        };
        out.effects.push(Effect::CloseLive(number));
        self.roster.end_match(&running.seats, matches!(report, Ok(Ok(_))));
        if running.place == Place::Here {
            for version in running.seats.iter().filter_map(|seat| seat.source.version()) {
                self.programs.end(version, &mut out.changes);
            }
        }
        self.clients.end(&running, at, self.plan.rest);
        match running.apart {
            Some(Apart::Table(table)) => {
                let why = report.as_ref().ok().and_then(|report| report.as_ref().err().cloned());
                self.tables.end(table, why, crate::store::now());
            }
            Some(Apart::Challenge(challenge, _)) => self.challenges.release(challenge),
            None => {}
        }
        match report {
            Ok(Ok(played)) => self.count(number, running, &played, replay, now, out),
            Ok(Err(why)) => self.could_not_play(number, &running, why, out),
            Err(NobodyPlays) => self.put_back(running, now),
        }
    }

    /// No worker can play a match: it waits for a place here. What nobody asked for is not played.
    fn put_back(&mut self, running: Running, now: Instant) {
        self.programs.keep_home(&running.seats);
        if let Some((round, job)) = running.round
            && let Some(play) = self.rounds.play_mut(round)
        {
            play.put_back(job, now);
        }
    }

    fn count(
        &mut self,
        number: MatchId,
        running: Running,
        played: &Played,
        replay: Option<Vec<u8>>,
        at: Instant,
        out: &mut Outcome,
    ) {
        let millis = (now() - running.started).max(0) as u64;
        metrics::counter!("palestra_matches_total", "game" => running.game.clone(), "kind" => spelling(running.kind))
            .increment(1);
        let (league_number, players, map) = match &running.round {
            Some((_, job)) => (job.number, job.players.clone(), job.map),
            None => (0, Vec::new(), 0),
        };
        let mut finished = Finished::new(league_number, players, map, millis, played);
        if running.is_tainted(played) {
            metrics::counter!("palestra_tainted_matches_total").increment(1);
            self.stalls.note(now());
            match &running.round {
                None if self.matches.leave_out(&running, played, at, out) => return,
                None => {}
                Some((round, job)) => match self.rounds.retry(*round, job, finished, out) {
                    Some(again) => finished = again,
                    None => return,
                },
            }
            finished.tainted = true;
        }
        self.matches.forget_excuses(&running);
        let reasons = reasons(played);
        self.settle(number, running, &finished, reasons, replay, out);
    }

    fn settle(
        &mut self,
        number: MatchId,
        running: Running,
        finished: &Finished,
        reasons: Vec<Message>,
        replay: Option<Vec<u8>>,
        out: &mut Outcome,
    ) {
        let bots: Vec<BotId> = running.seats.iter().filter_map(|seat| seat.bot).collect();
        let rated = running.kind.is_rated() || self.rates_challenge(&running);
        let rates = finished.turns > 0 && rated && bots.len() == running.seats.len();
        let elo = rates.then(|| {
            self.roster.rate(&running.game, &bots, &finished.places, self.plan.elo, &mut out.changes)
        });
        let round = running.round.as_ref().map(|(round, _)| *round);
        let points = round.and_then(|round| self.rounds.finish(round, finished, number, out));
        if let Some((challenge, match_number)) = running.challenge() {
            self.challenges.count_match(challenge, match_number, out);
        }
        let gains = Gains { elo, points, reasons };
        self.matches.count(number, running, finished, gains, replay, &mut out.changes);
    }

    /// A scored match that some did not come to: they lose it. Nobody came: it is not played.
    pub(super) fn forfeit(&mut self, proposal: Proposal, absent: &[bool], out: &mut Outcome) {
        let (round, job) = proposal.round.clone().expect("only scored matches are waited for");
        let here = absent.iter().filter(|absent| !**absent).count() as u32;
        if here == 0 {
            self.rounds.fail(round, &job, "nobody came".to_owned(), out);
            return;
        }
        let fault = |seat: usize| LoggedFault {
            seat: seat as u8,
            turn: 0,
            kind: ABSENT.to_owned(),
            what: Common::Absent {}.into(),
        };
        let finished = Finished {
            number: job.number,
            players: job.players,
            map: job.map,
            seed: job.seed,
            places: absent.iter().map(|absent| if *absent { here + 1 } else { 1 }).collect(),
            scores: absent.iter().map(|absent| (u64::from(!absent), u64::from(here))).collect(),
            turns: 0,
            millis: 0,
            spent: vec![(0, None); absent.len()],
            memory: Vec::new(),
            faults: (0..absent.len()).filter(|seat| absent[*seat]).map(fault).collect(),
            replay: None,
            tainted: false,
            worker: None,
        };
        let number = self.matches.new_number(&mut out.changes);
        let Proposal { game, kind, seats, round, apart } = proposal;
        let running =
            Running { game, kind, seats, started: now(), round, apart, delay: None, place: Place::Here };
        self.settle(number, running, &finished, Vec::new(), None, out);
    }

    fn could_not_play(&mut self, number: MatchId, running: &Running, why: String, out: &mut Outcome) {
        tracing::warn!(%number, why, "a match could not be played");
        metrics::counter!("palestra_failed_matches_total").increment(1);
        if let Some((challenge, _)) = running.challenge() {
            return self.challenges.fail(challenge, why, out);
        }
        match &running.round {
            Some((round, job)) => {
                let text = format!("match {number} of round {round} could not be played: {why}");
                out.changes.log.push((None, text));
                self.rounds.fail(*round, job, why, out);
            }
            None => self.roster.strike(&running.seats, &why, &mut out.changes),
        }
    }

    /// Keeps the first match of what was handed in, for its author.
    pub(super) fn keep_smoke(&mut self, smoke: Smoke, out: &mut Outcome) {
        let number = self.matches.new_number(&mut out.changes);
        let version = &smoke.version;
        let own = Participant {
            player: Some(version.player),
            bot: Some(version.bot),
            name: version.name.clone(),
            source: Source::Version(version.id, version.number),
        };
        let others = smoke.opponents.iter().map(|name| Participant::built_in(name));
        let running = Running {
            game: version.game.clone(),
            kind: MatchKind::Smoke,
            seats: std::iter::once(own).chain(others).collect(),
            started: smoke.started,
            round: None,
            apart: None,
            delay: None,
            place: Place::Here,
        };
        let millis = (now() - smoke.started).max(0) as u64;
        let finished = Finished::new(0, Vec::new(), 0, millis, &smoke.played);
        let reasons = reasons(&smoke.played);
        self.settle(number, running, &finished, reasons, smoke.played.replay.to_bytes().ok(), out);
        out.answer(smoke.number, number);
    }

    /// Remembers what became of a version, for the feed of its author.
    pub(super) fn tell_settled(&mut self, player: AccountId, version: SettledVersion) {
        self.settled.push_front((player, version));
        self.settled.truncate(limits::SHOWN_SETTLED);
    }

    /// Whether a match can be corrected: taken out of the count, or played again.
    pub(super) fn can_correct(
        &self,
        number: MatchId,
        found: Option<&StoredMatch>,
        rerun: bool,
    ) -> Result<(), Refused> {
        let refused = |trouble: Trouble| Err(Refused(trouble));
        if self.matches.running.contains_key(&number) {
            return refused(Trouble::MatchGoesOn {});
        }
        match found {
            None => refused(Trouble::NoMatch { id: number.0 }),
            Some(found) if found.state == MatchState::Void && !rerun => refused(Trouble::VoidAlready {}),
            Some(found) if rerun && found.kind != MatchKind::Scored => refused(Trouble::NotPlayedAgain {}),
            Some(_) => Ok(()),
        }
    }

    pub(super) fn correct(
        &mut self,
        who: Option<AccountId>,
        found: &StoredMatch,
        why: &str,
        rerun: bool,
        out: &mut Outcome,
    ) -> Result<(), Refused> {
        let id = found.id;
        if let Some((round, number)) = found.round {
            let correction = match rerun {
                true => LeagueEvent::Rerun { number },
                false => LeagueEvent::Voided { number, why: why.to_owned() },
            };
            self.rounds.correct(round, id, correction, out)?;
        }
        let verb = if rerun { "had played again" } else { "voided" };
        out.changes.log.push((who, format!("{verb} match {id}: {why}")));
        let why = if rerun { format!("played again: {why}") } else { why.to_owned() };
        out.changes.voided.push((id, why));
        self.matches.latest.retain(|view| view.id != id);
        Ok(())
    }

    /// Counts what rounds have brought since they were last counted.
    pub(super) fn count_points(&mut self) {
        for (bot, points) in self.rounds.count() {
            self.roster.add_points(bot, points);
        }
    }

    /// Keeps only what lists show of a round, if it is over.
    pub(super) fn put_away(&mut self, round: RoundId) {
        self.count_points();
        self.rounds.put_away(round, &self.plan.rounds);
    }

    pub(super) fn seed_of(&self, round: RoundId) -> u64 {
        self.seeds.of_round(round)
    }
}

/// How late a match is shown to those who do not play it: not at all, unless it hides something from a player that could
/// look at the site meanwhile. Programs in a strict sandbox reach nothing.
fn delay_of(plan: &EventPlan, game: &GamePlan, seats: &[Participant]) -> Option<SpectatorDelay> {
    let looks = |seat: &Participant| match seat.source {
        Source::Client(_) | Source::Person => true,
        Source::Version(..) => plan.programs_reach_the_site(),
        Source::BuiltIn(_) => false,
    };
    plan.live_delay.of(game.game.info()).filter(|_| seats.iter().any(looks))
}

#[cfg(test)]
mod tests;
