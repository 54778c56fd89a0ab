//! Is A better than B? Paired games until that is known.
//!
//! A unit of evidence is a set of games on the same map with the same seed, in which A sits in every seat once and B in
//! all the others; so neither the map nor the seat favours anybody. With two players that is a pair of games with the
//! seats exchanged. Units count in the order in which they were drawn, not in which they end: otherwise short games
//! would come first, and a test that stops early would believe them.

use crate::event::{Finished, LoggedFault};
use crate::limits;
use crate::match_runner::MatchOutcome;
use crate::pairing::BotNumber;
use crate::rating::Estimate;
use crate::rating::sprt::{Sprt, SprtError, SprtSettings, Verdict, game_points, unit_points};
use crate::tournament::Job;
use crate::worker_pool::Scheduler;
use palestra_core::{Message, Rng};
use palestra_runner::Interrupt;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// A, the bot in question.
pub const A: BotNumber = BotNumber(0);
/// B, whom it is compared with.
pub const B: BotNumber = BotNumber(1);

/// How a duel is played.
#[derive(Clone, Debug)]
pub struct DuelPlan {
    /// Seats of a match.
    pub seats: u8,
    /// How many maps there are; units go through them in turn.
    pub maps: u32,
    /// Decides everything left to chance.
    pub seed: u64,
    /// What is asked, and how wrong the answer may be.
    pub test: SprtSettings,
    /// Games after which it stops without an answer.
    pub max_games: u64,
    /// Whether all of them are played, even if the answer is known before.
    pub all_games: bool,
    /// How often a match is played again because the host was at fault.
    pub retries: u32,
}

/// A duel being played.
pub struct Duel<'a> {
    plan: DuelPlan,
    test: Sprt,
    /// Units that were drawn and do not count yet, the oldest first.
    open: VecDeque<Unit>,
    /// The number of the oldest of them.
    first_open: u64,
    ready: VecDeque<Job>,
    score: Score,
    interrupt: &'a Interrupt,
    watch: &'a mut dyn FnMut(&DuelReport),
}

#[derive(Default)]
struct Unit {
    points: u32,
    missing: u32,
    games: Vec<Finished>,
}

#[derive(Clone, Default)]
struct Score {
    wins: u64,
    draws: u64,
    losses: u64,
    tainted: u64,
    faults: [BTreeMap<String, u64>; 2],
    example: [Option<LoggedFault>; 2],
}

/// What is known about A and B.
#[derive(Clone, Debug, Serialize)]
pub struct DuelReport {
    /// `better`, `not_better`, or `undecided`.
    pub verdict: &'static str,
    /// Games that count.
    pub games: u64,
    /// Units of games that count.
    pub units: u64,
    /// Games in which A placed above everybody else.
    pub wins: u64,
    /// Games in which A shared the best place.
    pub draws: u64,
    /// Games that A neither won nor drew.
    pub losses: u64,
    /// How many Elo points A is better.
    pub elo: Estimate,
    /// How likely it is that A is better at all.
    pub likelihood_of_superiority: f64,
    /// How much more likely the games are if A is better by `elo1` than by `elo0`, as a logarithm.
    pub llr: f64,
    /// Below the first it is not better, above the second it is.
    pub bounds: (f64, f64),
    /// Units by A's points, from none to all.
    pub unit_scores: Vec<u64>,
    /// Games played again because a fault was the host's.
    pub tainted: u64,
    /// Games with a fault of A, by kind.
    pub faults_a: BTreeMap<String, u64>,
    /// Games with a fault of B, by kind.
    pub faults_b: BTreeMap<String, u64>,
    /// What there is to tell of the first fault of A and of B.
    #[serde(rename = "examples_data")]
    pub examples: [Option<Message>; 2],
}

impl<'a> Duel<'a> {
    /// A duel with no game played.
    pub fn new(
        plan: DuelPlan,
        interrupt: &'a Interrupt,
        watch: &'a mut dyn FnMut(&DuelReport),
    ) -> Result<Duel<'a>, SprtError> {
        let seats = u32::from(plan.seats);
        let test = Sprt::new(plan.test, unit_points(seats, seats, 1))?;
        Ok(Duel {
            plan,
            test,
            open: VecDeque::new(),
            first_open: 0,
            ready: VecDeque::new(),
            score: Score::default(),
            interrupt,
            watch,
        })
    }

    /// What is known by now.
    pub fn report(&self) -> DuelReport {
        let Score { wins, draws, losses, tainted, faults, example } = self.score.clone();
        let [faults_a, faults_b] = faults;
        DuelReport {
            verdict: match self.test.verdict() {
                Verdict::Better => "better",
                Verdict::NotBetter => "not_better",
                Verdict::Continue => "undecided",
            },
            games: self.test.units() * u64::from(self.plan.seats),
            units: self.test.units(),
            wins,
            draws,
            losses,
            elo: self.test.elo(),
            likelihood_of_superiority: self.test.likelihood_of_superiority(),
            llr: self.test.llr(),
            bounds: self.test.bounds(),
            unit_scores: self.test.counts().to_vec(),
            tainted,
            faults_a,
            faults_b,
            examples: example.map(|fault| fault.map(|fault| fault.what)),
        }
    }

    fn draw_unit(&mut self) {
        let number = self.first_open + self.open.len() as u64;
        let seats = u32::from(self.plan.seats);
        let seed = Rng::stream(self.plan.seed, "duel", number).bits() % 1_000_000_000;
        self.open.push_back(Unit { points: 0, missing: seats, games: Vec::new() });
        for seat in 0..seats {
            let players = (0..seats).map(|other| if other == seat { A } else { B }).collect();
            let game = number * u64::from(seats) + u64::from(seat);
            self.ready.push_back(Job {
                number: game as u32,
                tainted: 0,
                players,
                map: (number % u64::from(self.plan.maps)) as u32,
                seed,
            });
        }
    }

    fn decided(&self) -> bool {
        !self.plan.all_games && self.test.verdict() != Verdict::Continue
    }

    fn finish(&mut self, finished: Finished) {
        let unit = u64::from(finished.number) / u64::from(self.plan.seats) - self.first_open;
        let own: Vec<bool> = finished.players.iter().map(|player| *player == A).collect();
        let unit = &mut self.open[unit as usize];
        unit.points += game_points(&finished.places, &own);
        unit.missing -= 1;
        unit.games.push(finished);
        while self.open.front().is_some_and(|unit| unit.missing == 0) && !self.decided() {
            let unit = self.open.pop_front().expect("there is one");
            self.first_open += 1;
            self.test.record(unit.points);
            unit.games.iter().for_each(|game| self.score.count(game));
        }
    }
}

impl Score {
    fn count(&mut self, finished: &Finished) {
        let seat = finished.players.iter().position(|player| *player == A).expect("A plays in every game");
        let best = finished.places.iter().filter(|place| **place == 1).count();
        match (finished.places[seat], best) {
            (1, 1) => self.wins += 1,
            (1, _) => self.draws += 1,
            _ => self.losses += 1,
        }
        for (side, player) in [A, B].into_iter().enumerate() {
            let of_side = |fault: &&LoggedFault| finished.players[usize::from(fault.seat)] == player;
            if let Some(fault) = finished.faults.iter().find(of_side) {
                *self.faults[side].entry(fault.kind.clone()).or_default() += 1;
                self.example[side].get_or_insert_with(|| fault.clone());
            }
        }
    }
}

impl Scheduler for Duel<'_> {
    type Job = Job;
    type Report = MatchOutcome;
    type Error = String;

    fn next(&mut self, room: usize) -> Result<Vec<Job>, String> {
        let most_units = self.plan.max_games / u64::from(self.plan.seats);
        while self.ready.len() < room
            && self.open.len() < limits::UNITS_OPEN
            && self.first_open + (self.open.len() as u64) < most_units
        {
            self.draw_unit();
        }
        let count = room.min(self.ready.len());
        Ok(self.ready.drain(..count).collect())
    }

    fn done(&mut self, job: Job, report: Result<MatchOutcome, String>) -> Result<(), String> {
        match report {
            Ok(MatchOutcome::Interrupted) => {}
            Ok(MatchOutcome::Tainted(..)) if job.tainted < self.plan.retries => {
                self.score.tainted += 1;
                self.ready.push_front(Job { tainted: job.tainted + 1, ..job });
            }
            Ok(MatchOutcome::Played(finished, _) | MatchOutcome::Tainted(finished, _)) => {
                self.finish(finished);
            }
            Ok(MatchOutcome::Failed(why)) => return Err(why),
            Err(panic) => return Err(format!("the game came to a halt: {panic}")),
        }
        Ok(())
    }

    fn tick(&mut self, _: usize) -> Result<(), String> {
        let report = self.report();
        (self.watch)(&report);
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.decided() || self.interrupt.raised()
    }
}
