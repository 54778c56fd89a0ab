//! One scored round: a tournament of the league, whose log is kept in the event's store. Going on after a stop, voiding a
//! match and playing it for the first time are one and the same.

use super::round_page::points_of;
use crate::api::{PodiumLine, RoundDetail, RoundState, RoundView};
use crate::ids::{BotId, MatchId};
use crate::limits;
use crate::plan::{GamePlan, RoundPlan, Start};
use crate::store::RoundRow;
use palestra_league::event::{Event, Finished, Identity, StageRound};
use palestra_league::log::MemoryLog;
use palestra_league::pairing::{BotNumber, Points};
use palestra_league::plan::{StagePlan, TournamentPlan};
use palestra_league::tournament::{Job, Tournament};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub(super) struct Round {
    pub(super) row: RoundRow,
    /// Once it has begun, unless it is put away.
    pub(super) play: Option<Play>,
    away: Option<Away>,
}

/// What is left in memory of a round that is long over: an event may have thousands of them. The store has the rest.
struct Away {
    view: RoundView,
    counted: Vec<Points>,
}

/// A round that has begun.
pub(super) struct Play {
    pub(super) tournament: Tournament,
    pub(super) log: MemoryLog,
    next_event: i64,
    /// Matches that can be played, and since when they wait.
    pub(super) waiting: Vec<(Job, Instant)>,
    /// Matches being played, by their numbers here: their numbers in the event.
    pub(super) in_flight: HashMap<u32, MatchId>,
    /// Matches that were played: the latest of each number.
    pub(super) matches: HashMap<u32, MatchId>,
    /// The points that the standings of the event have from this round, by number here.
    counted: Vec<Points>,
    /// Places and numbers here of the best, of a round that is over.
    podium: Vec<(u32, usize)>,
    shown: Option<Shown>,
}

/// The page of a round, and the moment that it shows: most rounds of an event do not change any more.
struct Shown {
    moment: Moment,
    at: Instant,
    /// How long it took to make.
    took: Duration,
    detail: Arc<RoundDetail>,
}

/// What tells two moments of a round apart: its state, how long its log is, and how much waits and is being played.
type Moment = (RoundState, i64, usize, usize);

/// Somebody who takes part.
pub(super) struct Entrant {
    pub(super) bot: BotId,
    pub(super) name: String,
    pub(super) elo: f64,
}

/// Events for the log of a round, with their numbers there.
pub(super) type Events = Vec<(i64, Event)>;

impl Play {
    /// Begins a round between these.
    pub(super) fn begin(
        plan: &RoundPlan,
        game: &GamePlan,
        field: &[Entrant],
        seed: u64,
    ) -> Result<(Play, Events), String> {
        let opened = TournamentPlan {
            name: plan.name.clone(),
            seed,
            stages: plan.stages.clone(),
            ..game.tournament.clone()
        };
        let names: Vec<&str> = field.iter().map(|entrant| entrant.name.as_str()).collect();
        Tournament::check(&opened, &names).map_err(|error| error.to_string())?;
        let program = format!("palestra {}", env!("CARGO_PKG_VERSION"));
        let mut events = vec![Event::Opened { program, plan: Box::new(opened) }];
        events.extend(field.iter().enumerate().map(|(number, entrant)| Event::BotAdded {
            bot: BotNumber(number as u32),
            name: entrant.name.clone(),
            identity: Identity { source: format!("bot {}", entrant.bot), fingerprint: None },
            from: StageRound { stage: 0, round: 1 },
            rating: Some(entrant.elo),
        }));
        let events: Events = (1..).zip(events).collect();
        let (play, drawn) = Play::reopen(events.clone(), HashMap::new())?;
        Ok((play, events.into_iter().chain(drawn).collect()))
    }

    /// Goes on with a round from its log; says what has to be added to it.
    pub(super) fn reopen(events: Events, matches: HashMap<u32, MatchId>) -> Result<(Play, Events), String> {
        let next_event = events.last().map_or(1, |(id, _)| id + 1);
        let mut log = MemoryLog::new(events);
        let mut drawn = Vec::new();
        let tournament = Tournament::open(&mut log, &mut drawn).map_err(|error| error.to_string())?;
        let counted = vec![Points::ZERO; tournament.bots().len()];
        let mut play = Play {
            tournament,
            log,
            next_event,
            waiting: Vec::new(),
            in_flight: HashMap::new(),
            matches,
            counted,
            podium: Vec::new(),
            shown: None,
        };
        let added = play.write(drawn);
        Ok((play, added))
    }

    fn write(&mut self, events: Vec<Event>) -> Events {
        let events: Events = (self.next_event..).zip(events).collect();
        self.next_event += events.len() as i64;
        for (id, event) in &events {
            self.log.append(*id, event.clone());
        }
        events
    }

    /// Lets matches that can be played wait for their players.
    pub(super) fn advance(&mut self, now: Instant) -> Result<Events, String> {
        let mut drawn = Vec::new();
        let room = limits::ROUND_WAITING.saturating_sub(self.waiting.len());
        let jobs =
            self.tournament.next(&mut self.log, &mut drawn, room).map_err(|error| error.to_string())?;
        // After a correction the league hands out again what is still being played.
        let new = jobs.into_iter().filter(|job| {
            !self.in_flight.contains_key(&job.number)
                && !self.waiting.iter().any(|(waiting, _)| waiting.number == job.number)
        });
        let new: Vec<(Job, Instant)> = new.map(|job| (job, now)).collect();
        self.waiting.extend(new);
        Ok(self.write(drawn))
    }

    /// A match was played, or lost by who did not come.
    pub(super) fn finish(&mut self, finished: Finished, number: MatchId) -> Events {
        self.in_flight.remove(&finished.number);
        self.matches.insert(finished.number, number);
        self.tournament.finish(&finished);
        self.write(vec![Event::Finished(finished)])
    }

    /// A match was played, and the host was at fault: it waits again.
    pub(super) fn taint(&mut self, job: &Job, finished: Finished) -> Events {
        self.in_flight.remove(&job.number);
        self.tournament.taint(job);
        self.write(vec![Event::Tainted(finished)])
    }

    /// A match was not played, and nobody is to blame: it waits again.
    pub(super) fn put_back(&mut self, job: Job, now: Instant) {
        self.in_flight.remove(&job.number);
        self.waiting.push((job, now));
    }

    /// A match could not be played.
    pub(super) fn fail(&mut self, job: &Job, why: String) -> Events {
        self.in_flight.remove(&job.number);
        self.tournament.fail(job, why.clone());
        self.write(vec![Event::Failed { number: job.number, players: job.players.clone(), why }])
    }

    /// The organiser's word about a match: everything is worked out anew.
    pub(super) fn correct(&mut self, correction: Event) -> Result<Events, String> {
        let number = correction.number();
        let mut events = self.write(vec![correction]);
        let mut drawn = Vec::new();
        self.tournament = Tournament::open(&mut self.log, &mut drawn).map_err(|error| error.to_string())?;
        // What waits is handed out again, as far as it is still to be played.
        self.waiting.clear();
        self.in_flight.retain(|playing, _| Some(*playing) != number);
        events.extend(self.write(drawn));
        Ok(events)
    }

    pub(super) fn over(&self) -> bool {
        self.tournament.over() && self.in_flight.is_empty() && self.waiting.is_empty()
    }

    /// How often a match is played again because the host was at fault.
    pub(super) fn retries(&self) -> u32 {
        self.tournament.plan().retries
    }

    /// How many points everybody has more than the last time, by number here.
    pub(super) fn count(&mut self) -> Vec<Points> {
        let points = self.tournament.points();
        let before = std::mem::replace(&mut self.counted, points);
        self.counted.iter().zip(before).map(|(now, before)| *now - before).collect()
    }

    /// What a match brings, by seat; nothing if it only decides who goes on.
    pub(super) fn award(&self, finished: &Finished) -> Option<Vec<f64>> {
        self.tournament.award(finished)
    }

    /// The round is over as it stands: works out who the best are, which every list of rounds names.
    pub(super) fn name_best(&mut self) {
        let standings = self.tournament.standings().into_iter();
        let best = standings.take_while(|line| line.place <= limits::PODIUM_PLACES);
        self.podium = best.take(limits::PODIUM_LINES).map(|line| (line.place, line.bot)).collect();
    }

    fn progress(&self) -> (u32, u32) {
        let progress = self.tournament.progress();
        let done = progress.finished + progress.failed + progress.voided;
        (done as u32, progress.planned.max(done) as u32)
    }
}

impl Round {
    pub(super) fn new(row: RoundRow, play: Option<Play>) -> Round {
        let mut round = Round { row, play, away: None };
        round.name_best();
        round
    }

    /// Works out who the best are, if it is over.
    pub(super) fn name_best(&mut self) {
        if let (RoundState::Over, Some(play)) = (self.row.state, &mut self.play) {
            play.name_best();
        }
    }

    /// Keeps only what lists show, if it is over. Its points have been counted.
    pub(super) fn put_away(&mut self, plan: Option<&RoundPlan>) {
        let over = self.row.state == RoundState::Over;
        if let Some(play) = self.play.take_if(|play| over && play.in_flight.is_empty()) {
            let view = self.view_of(plan, Some(&play));
            self.away = Some(Away { view, counted: play.counted });
        }
    }

    pub(super) fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// Goes on with a round that was put away.
    pub(super) fn take_out(&mut self, mut play: Play) {
        if let Some(away) = self.away.take() {
            play.counted = away.counted;
            play.name_best();
            self.play = Some(play);
        }
    }

    pub(super) fn view(&self, plan: Option<&RoundPlan>) -> RoundView {
        match &self.away {
            Some(away) => away.view.clone(),
            None => self.view_of(plan, self.play.as_ref()),
        }
    }

    /// When it was to begin, if that was over before it could.
    fn missed(&self, plan: &RoundPlan) -> Option<i64> {
        match plan.start {
            Start::At(time) if self.row.state == RoundState::Waiting && self.row.starts.is_none() => {
                Some(time)
            }
            _ => None,
        }
    }

    fn view_of(&self, plan: Option<&RoundPlan>, play: Option<&Play>) -> RoundView {
        // A plan may have changed since the round began.
        let stages: &[StagePlan] = match play {
            Some(play) => &play.tournament.plan().stages,
            None => plan.map_or(&[], |plan| &plan.stages),
        };
        let points = stages.first().map(|first| &first.points);
        let translated = plan.filter(|plan| plan.name == self.row.name);
        RoundView {
            id: self.row.id,
            name: self.row.name.clone(),
            name_in: translated.map(|plan| plan.name_in.clone()).unwrap_or_default(),
            stages_in: translated.map(|plan| plan.stages_in.clone()).unwrap_or_default(),
            game: self.row.game.clone(),
            formats: stages.iter().map(|stage| stage.format.kind()).collect(),
            state: self.row.state,
            starts: self.row.starts,
            missed: plan.and_then(|plan| self.missed(plan)),
            ended: self.row.ended,
            best: plan.and_then(|plan| plan.best),
            points: points
                .filter(|points| stages.iter().all(|stage| stage.points == **points))
                .and_then(points_of),
            progress: play.map_or((0, 0), Play::progress),
            podium: match (self.row.state, play) {
                (RoundState::Over, Some(play)) => self.podium(play),
                _ => Vec::new(),
            },
        }
    }

    fn podium(&self, play: &Play) -> Vec<PodiumLine> {
        let line = |(place, number): &(u32, usize)| PodiumLine {
            place: *place,
            bot: self.row.bots[*number],
            name: play.tournament.bots()[*number].name.clone(),
        };
        play.podium.iter().map(line).collect()
    }

    pub(super) fn detail(&mut self, plan: Option<&RoundPlan>) -> Arc<RoundDetail> {
        let round = self.view(plan);
        let Some(play) = &mut self.play else {
            let (players, standings, stages) = (Vec::new(), Vec::new(), Vec::new());
            return Arc::new(RoundDetail { round, players, standings, stages });
        };
        let moment = (self.row.state, play.next_event, play.waiting.len(), play.in_flight.len());
        if let Some(shown) = &play.shown {
            // While results pour in, a page that is a moment old is as good; the larger, the longer.
            let fresh = (shown.moment.0, moment.0) == (RoundState::Running, RoundState::Running)
                && shown.at.elapsed() < limits::SNAPSHOT.max(shown.took * limits::PAGE_PAUSE);
            if shown.moment == moment || fresh {
                return Arc::clone(&shown.detail);
            }
        }
        let began = Instant::now();
        let detail = Arc::new(play.detail(round, &self.row.bots));
        let (at, took) = (Instant::now(), began.elapsed());
        play.shown = Some(Shown { moment, at, took, detail: Arc::clone(&detail) });
        detail
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.row.state, RoundState::Running | RoundState::Paused)
    }

    /// Whether it goes on, or is to come.
    pub(super) fn is_open(&self) -> bool {
        self.is_running() || self.row.state == RoundState::Waiting
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;
    use palestra_core::{AnyGame, Rng};

    const PLAYERS: u32 = 7;

    fn begun(round: &str) -> (Play, Events) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.toml");
        let text = format!("name = 'x'\n[[game]]\nid = 'rps'\n[[round]]\nname = 'a'\n{round}");
        std::fs::write(&file, text).unwrap();
        let rps: &'static dyn AnyGame = &palestra_rps::Rps;
        let plan = plan::read(&file, |_| Ok(rps)).unwrap();
        let entrant =
            |number: u32| Entrant { bot: BotId(number.into()), name: format!("p{number}"), elo: 1500.0 };
        let field: Vec<Entrant> = (0..PLAYERS).map(entrant).collect();
        Play::begin(&plan.rounds[0], &plan.games[0], &field, 7).unwrap()
    }

    fn finished(job: &Job, chance: &mut Rng) -> Finished {
        let places = *chance.pick(&[[1, 2], [2, 1], [1, 1]]).unwrap();
        Finished {
            number: job.number,
            players: job.players.clone(),
            map: job.map,
            seed: job.seed,
            places: places.to_vec(),
            scores: places.iter().map(|place| (u64::from(*place == 1), 3)).collect(),
            turns: 10,
            millis: 1,
            spent: vec![(0, None); 2],
            memory: Vec::new(),
            faults: Vec::new(),
            replay: None,
            tainted: false,
            worker: None,
        }
    }

    /// One thing that happens to a round: a match is played or cannot be, or the organisers correct one.
    fn step(play: &mut Play, chance: &mut Rng) -> Events {
        let mut events = play.advance(Instant::now()).unwrap();
        let mut known: Vec<u32> = play.matches.keys().copied().collect();
        known.sort_unstable();
        let correction = chance.pick(&known).filter(|_| chance.chance(1, 6)).copied();
        events.extend(match correction {
            Some(number) if chance.chance(1, 2) => play.correct(Event::Rerun { number }).unwrap(),
            Some(number) => play.correct(Event::Voided { number, why: "a test".to_owned() }).unwrap(),
            None if play.waiting.is_empty() => Vec::new(),
            None => {
                let (job, _) = play.waiting.remove(chance.below(play.waiting.len() as u32) as usize);
                match chance.chance(1, 10) {
                    true => play.fail(&job, "a test".to_owned()),
                    false => play.finish(finished(&job, chance), MatchId(job.number.into())),
                }
            }
        });
        events
    }

    #[test]
    fn counted_points_are_those_of_the_log_whatever_was_corrected() {
        let two_stages = "[[round.stage]]\nname = 'g'\ngroups = 2\n[[round.stage]]\nname = 'k'\nformat = 'knockout'\n\
                   take = 4\ncarry = true\n";
        let formats =
            ["", "format = 'swiss'", "format = 'knockout'", "format = 'double-knockout'", two_stages];
        for (index, round) in formats.iter().enumerate() {
            let mut chance = Rng::stream(1, "corrections", index as u64);
            let (mut play, mut log) = begun(round);
            let mut points = vec![Points::ZERO; PLAYERS as usize];
            for _ in 0..200 {
                log.extend(step(&mut play, &mut chance));
                if chance.chance(1, 3) {
                    // As the event does after everything that happens; a round drawn anew may have byes.
                    log.extend(play.advance(Instant::now()).unwrap());
                    points.iter_mut().zip(play.count()).for_each(|(sum, more)| *sum += more);
                    let (mut again, _) = Play::reopen(log.clone(), play.matches.clone()).unwrap();
                    assert_eq!(again.count(), points, "{round}");
                }
            }
            assert!(points.iter().any(|points| *points > Points::ZERO), "{round}");
        }
    }
}
