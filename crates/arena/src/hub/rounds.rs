//! Scored rounds. Each is a tournament of the league, whose log is kept in the event's store: going on after a stop,
//! voiding a match and playing it for the first time are one and the same.

use crate::api::{CrossMatch, RoundDetail, RoundPlayer, RoundStanding, RoundState, RoundView};
use crate::plan::{GamePlan, RoundPlan};
use crate::store::RoundRow;
use palestra_league::cup::{Cup, Format, PointRule};
use palestra_league::event::{Event, Finished, Identity, Place};
use palestra_league::log::Notebook;
use palestra_league::pairing::Player;
use palestra_league::tournament::{Job, Tournament};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// A round of the event.
pub(crate) struct Round {
    pub(crate) row: RoundRow,
    /// Once it has begun.
    pub(crate) play: Option<Play>,
}

/// A round that has begun.
pub(crate) struct Play {
    tournament: Tournament,
    notebook: Notebook,
    next_event: i64,
    names: Vec<String>,
    /// Matches that can be played, and since when they wait.
    pub(crate) waiting: Vec<(Job, Instant)>,
    /// Matches being played, by their numbers here.
    pub(crate) in_flight: HashMap<u32, Job>,
    /// Matches that were played: the latest of each number.
    pub(crate) matches: HashMap<u32, i64>,
    /// Its page, and the moment of the round that it shows: most rounds of an event do not change any more.
    shown: Option<(Moment, Arc<RoundDetail>)>,
}

/// What tells two moments of a round apart: its state, how long its log is, and what waits and is being played.
type Moment = (RoundState, i64, usize, usize);

/// Somebody who takes part.
pub(crate) struct Entrant {
    pub(crate) bot: i64,
    pub(crate) name: String,
    pub(crate) elo: f64,
}

/// Events for the log of a round, with their numbers there.
pub(crate) type Events = Vec<(i64, Event)>;

impl Play {
    /// Begins a round between these.
    pub(crate) fn begin(
        plan: &RoundPlan,
        game: &GamePlan,
        field: &[Entrant],
        seed: u64,
    ) -> Result<(Play, Events), String> {
        let cup = Cup { name: plan.name.clone(), seed, stages: vec![plan.stage.clone()], ..game.cup.clone() };
        let names: Vec<&str> = field.iter().map(|entrant| entrant.name.as_str()).collect();
        Tournament::check(&cup, &names).map_err(|error| error.to_string())?;
        let program = format!("palestra {}", env!("CARGO_PKG_VERSION"));
        let mut events = vec![Event::Opened { program, cup: Box::new(cup) }];
        events.extend(field.iter().enumerate().map(|(number, entrant)| Event::BotAdded {
            bot: Player(number as u32),
            name: entrant.name.clone(),
            identity: Identity { source: format!("bot {}", entrant.bot), fingerprint: None },
            from: Place { stage: 0, round: 1 },
            rating: Some(entrant.elo),
        }));
        let events: Events = (1..).zip(events).collect();
        let (play, drawn) = Play::reopen(events.clone(), HashMap::new())?;
        Ok((play, events.into_iter().chain(drawn).collect()))
    }

    /// Goes on with a round from its log; says what has to be added to it.
    pub(crate) fn reopen(events: Events, matches: HashMap<u32, i64>) -> Result<(Play, Events), String> {
        let next_event = events.last().map_or(1, |(id, _)| id + 1);
        let mut notebook = Notebook::new(events);
        let mut drawn = Vec::new();
        let tournament = Tournament::open(&mut notebook, &mut drawn).map_err(|error| error.to_string())?;
        let names = tournament.bots().iter().map(|bot| bot.name.clone()).collect();
        let mut play = Play {
            tournament,
            notebook,
            next_event,
            names,
            waiting: Vec::new(),
            in_flight: HashMap::new(),
            matches,
            shown: None,
        };
        let added = play.write(drawn);
        Ok((play, added))
    }

    fn write(&mut self, events: Vec<Event>) -> Events {
        let events: Events = (self.next_event..).zip(events).collect();
        self.next_event += events.len() as i64;
        for (id, event) in &events {
            self.notebook.append(*id, event.clone());
        }
        events
    }

    /// Lets matches that can be played wait for their players.
    pub(crate) fn advance(&mut self, now: Instant) -> Result<Events, String> {
        let mut drawn = Vec::new();
        let room = crate::limits::ROUND_WAITING.saturating_sub(self.waiting.len());
        let jobs =
            self.tournament.next(&mut self.notebook, &mut drawn, room).map_err(|error| error.to_string())?;
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
    pub(crate) fn finish(&mut self, finished: Finished, number: i64) -> Events {
        self.in_flight.remove(&finished.number);
        self.matches.insert(finished.number, number);
        self.tournament.finish(&finished);
        self.write(vec![Event::Finished(finished)])
    }

    /// A match was played, and the host was at fault: it waits again.
    pub(crate) fn taint(&mut self, job: &Job, finished: Finished) -> Events {
        self.in_flight.remove(&job.number);
        self.tournament.taint(job);
        self.write(vec![Event::Tainted(finished)])
    }

    /// A match could not be played.
    pub(crate) fn fail(&mut self, job: &Job, why: String) -> Events {
        self.in_flight.remove(&job.number);
        self.tournament.fail(job, why.clone());
        self.write(vec![Event::Failed { number: job.number, players: job.players.clone(), why }])
    }

    /// The organiser's word about a match: everything is worked out anew.
    pub(crate) fn correct(&mut self, correction: Event) -> Result<Events, String> {
        let number = correction.number();
        let mut events = self.write(vec![correction]);
        let mut drawn = Vec::new();
        self.tournament =
            Tournament::open(&mut self.notebook, &mut drawn).map_err(|error| error.to_string())?;
        // What waits is handed out again, as far as it is still to be played.
        self.waiting.clear();
        self.in_flight.retain(|playing, _| Some(*playing) != number);
        events.extend(self.write(drawn));
        Ok(events)
    }

    pub(crate) fn over(&self) -> bool {
        self.tournament.over() && self.in_flight.is_empty() && self.waiting.is_empty()
    }

    /// How often a match is played again because the host was at fault.
    pub(crate) fn retries(&self) -> u32 {
        self.tournament.cup().retries
    }

    /// The points of everybody, by their numbers here.
    pub(crate) fn points(&self) -> Vec<f64> {
        let mut points = vec![0.0; self.names.len()];
        for standing in self.tournament.standings() {
            points[standing.bot] = standing.points;
        }
        points
    }

    pub(crate) fn award(&self, finished: &Finished) -> Vec<f64> {
        self.tournament.cup().stages[0].points.award(finished)
    }

    fn progress(&self) -> (u32, u32) {
        let progress = self.tournament.progress();
        let done = progress.finished + progress.failed + progress.voided;
        (done as u32, progress.planned.max(done) as u32)
    }

    fn detail(&mut self, round: RoundView, bots: &[i64]) -> RoundDetail {
        let rated = self.tournament.bots().iter().map(|bot| bot.rating.unwrap_or_default());
        let players = bots.iter().zip(&self.names).zip(rated);
        let players: Vec<RoundPlayer> =
            players.map(|((bot, name), elo)| RoundPlayer { bot: *bot, name: name.clone(), elo }).collect();
        let standings = self.tournament.standings().into_iter().map(|line| RoundStanding {
            place: line.place,
            bot: line.bot,
            points: line.points,
            played: line.played,
            won: line.won,
            drawn: line.drawn,
            lost: line.lost,
        });
        let standings = standings.collect();
        let mut cross = vec![vec![Vec::new(); players.len()]; players.len()];
        let matches = &self.matches;
        if let Ok(lines) = self.tournament.matches(&mut self.notebook) {
            for line in lines.filter(|line| !line.voided) {
                let id = matches.get(&line.number).copied();
                for own in &line.seats {
                    for other in line.seats.iter().filter(|other| other.bot != own.bot) {
                        cross[own.bot][other.bot].push(CrossMatch { id, points: Some(own.points) });
                    }
                }
            }
        }
        let open = self.waiting.iter().map(|(job, _)| job).chain(self.in_flight.values());
        for job in open {
            for own in &job.players {
                for other in job.players.iter().filter(|other| *other != own) {
                    let cell = &mut cross[own.0 as usize][other.0 as usize];
                    cell.push(CrossMatch { id: None, points: None });
                }
            }
        }
        RoundDetail { round, players, standings, cross }
    }
}

impl Round {
    /// For lists.
    pub(crate) fn view(&self, plan: Option<&RoundPlan>) -> RoundView {
        RoundView {
            id: self.row.id,
            name: self.row.name.clone(),
            game: self.row.game.clone(),
            format: plan.map(|plan| format_word(&plan.stage.format).to_owned()).unwrap_or_default(),
            state: self.row.state,
            starts: self.row.starts,
            ended: self.row.ended,
            best: plan.and_then(|plan| plan.best),
            points: plan.and_then(|plan| match &plan.stage.points {
                PointRule::Result { win, draw, .. } => Some((win.0 as f64 / 1000.0, draw.0 as f64 / 1000.0)),
                PointRule::Places(_) | PointRule::Score => None,
            }),
            progress: self.play.as_ref().map_or((0, 0), Play::progress),
        }
    }

    /// For its own page; nothing before it has begun.
    pub(crate) fn detail(&mut self, plan: Option<&RoundPlan>) -> Option<Arc<RoundDetail>> {
        let view = self.view(plan);
        let play = self.play.as_mut()?;
        let moment = (self.row.state, play.next_event, play.waiting.len(), play.in_flight.len());
        if let Some((shown, detail)) = &play.shown
            && *shown == moment
        {
            return Some(Arc::clone(detail));
        }
        let detail = Arc::new(play.detail(view, &self.row.bots));
        play.shown = Some((moment, Arc::clone(&detail)));
        Some(detail)
    }

    pub(crate) fn is_running(&self) -> bool {
        matches!(self.row.state, RoundState::Running | RoundState::Paused)
    }
}

/// What a format is called; the site translates it.
fn format_word(format: &Format) -> &'static str {
    match format {
        Format::RoundRobin { .. } => "round-robin",
        Format::Tables { .. } => "tables",
        Format::Swiss { .. } => "swiss",
        Format::Knockout { double: false, .. } => "knockout",
        Format::Knockout { double: true, .. } => "double-knockout",
        Format::Gauntlet { .. } => "gauntlet",
    }
}
