//! Plays one match of a field: makes its bots ready, starts them, and says what it brought.

use crate::bundle::Packed;
use crate::event::Finished;
use crate::pairing::BotNumber;
use crate::plan::{Map, TournamentPlan};
use crate::tournament::Job;
use palestra_core::{AnyGame, Catalog, Match, Message, Plan, PlanRequest, Rng, SetupError, TimeControl};
use palestra_runner::{
    Bot, Cores, Guard, Interrupt, Link, MatchError, Options, Overheard, Played, Watch, host_at_fault, play,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Instant;

/// What became of a match.
#[derive(Debug)]
pub enum MatchOutcome {
    /// It was played, and this is its replay.
    Played(Finished, Option<Packed>),
    /// It was played, and a bot ran out of time by the machine's fault.
    Tainted(Finished, Option<Packed>),
    /// It could not be played, or not be kept.
    Failed(String),
    /// It was interrupted, and counts for nothing.
    Interrupted,
}

/// What the matches of a field are played on and with.
#[derive(Clone, Debug)]
pub struct MatchSetup {
    /// Settings of the game that differ from the defaults.
    pub settings: Vec<(String, String)>,
    /// The time control.
    pub time: TimeControl,
    /// The maps.
    pub maps: Vec<Map>,
    /// Decides which maps are generated.
    pub seed: u64,
    /// Maps that were generated for earlier matches, for others with the same seed.
    pub generated: MapCache,
}

/// Generated maps, which everybody plays on again and again: each is made once.
#[derive(Clone, Debug, Default)]
pub struct MapCache(Arc<Mutex<BTreeMap<(u32, u8), Plan>>>);

impl MapCache {
    fn plan(
        &self,
        which: (u32, u8),
        make: impl FnOnce() -> Result<Plan, SetupError>,
    ) -> Result<Plan, SetupError> {
        let known = self.0.lock().expect("nobody panics with the maps in hand").get(&which).cloned();
        if let Some(plan) = known {
            return Ok(plan);
        }
        // Made outside the lock: two workers may make the same one, which is the same.
        let plan = make()?;
        self.0.lock().expect("nobody panics with the maps in hand").insert(which, plan.clone());
        Ok(plan)
    }
}

impl MatchSetup {
    /// What a tournament's matches are played on and with.
    pub fn of(plan: &TournamentPlan, game: &dyn AnyGame) -> MatchSetup {
        MatchSetup {
            settings: plan.settings.clone(),
            time: plan.time.unwrap_or(game.info().time),
            maps: plan.maps.clone(),
            seed: plan.seed,
            generated: MapCache::default(),
        }
    }

    /// What a match on one of the maps begins with.
    pub fn plan(&self, game: &dyn AnyGame, map: u32, seats: u8, seed: u64) -> Result<Plan, SetupError> {
        let request = |map, seed| PlanRequest { changes: &self.settings, map, players: seats, seed };
        let mut plan = match &self.maps[map as usize] {
            Map::Text { text, .. } => game.plan(&request(Some(text), seed))?,
            Map::Fresh => game.plan(&request(None, seed))?,
            Map::Generated(number) => self.generated.plan((*number, seats), || {
                game.plan(&request(None, Rng::stream(self.seed, "map", u64::from(*number)).bits()))
            })?,
        };
        if plan.seats != seats {
            return Err(SetupError::new(format!(
                "the map {} is for {} players, and {seats} are to play",
                self.maps[map as usize].name(),
                plan.seats
            )));
        }
        plan.seed = seed;
        Ok(plan)
    }
}

/// Plays matches; shared by all workers.
pub struct MatchRunner<'a> {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Maps, settings, time.
    pub setup: MatchSetup,
    /// What stands between bots and the machine.
    pub guard: &'a Guard,
    /// Stops everything.
    pub interrupt: &'a Interrupt,
    /// Whether replays are wanted.
    pub replays: bool,
    /// The bots, by number: what they are called and what they are. They may change while matches are played.
    pub roster: RwLock<BTreeMap<BotNumber, (String, Bot)>>,
}

impl MatchRunner<'_> {
    /// Lets a bot play under this number from the next match on.
    pub fn enter(&self, player: BotNumber, name: String, bot: Bot) {
        self.roster.write().expect("nobody panics with the roster in hand").insert(player, (name, bot));
    }

    /// Plays a match on these cores.
    pub fn play(&self, job: &Job, cores: &Cores) -> MatchOutcome {
        let start = Instant::now();
        let mut played = match self.match_of(job, cores, &mut ()) {
            Ok(played) => played,
            Err(MatchError::Interrupted) => return MatchOutcome::Interrupted,
            Err(error) => return MatchOutcome::Failed(error.to_string()),
        };
        played.replay.head.bots = self.names(&job.players);
        let millis = start.elapsed().as_millis() as u64;
        let finished = Finished::new(job.number, job.players.clone(), job.map, millis, &played);
        let replay = match self.replays.then(|| played.replay.to_bytes()).transpose() {
            Ok(bytes) => bytes.map(Packed::new),
            Err(error) => return MatchOutcome::Failed(format!("its replay cannot be written: {error}")),
        };
        if host_at_fault(&played.faults) {
            MatchOutcome::Tainted(finished, replay)
        } else {
            MatchOutcome::Played(finished, replay)
        }
    }

    /// Whether a bot starts and gives a first answer: the reason if not. The other seats are taken by copies of it.
    pub fn try_out(&self, player: BotNumber, seats: u8, cores: &Cores) -> Result<(), String> {
        let stop = Interrupt::new().map_err(|error| error.to_string())?;
        let job = Job { number: 0, tainted: 0, players: vec![player; seats.into()], map: 0, seed: 1 };
        let trial = MatchRunner { interrupt: &stop, roster: RwLock::new(self.one(player)?), ..self.parts() };
        let mut watch = FirstAnswers { turns: u32::from(seats), stop: &stop, failed: None };
        let played = trial.match_of(&job, cores, &mut watch);
        match (watch.failed, played) {
            (Some(failed), _) => Err(Catalog::english(self.game.info()).say(&failed)),
            (None, Err(MatchError::Interrupted) | Ok(_)) => Ok(()),
            (None, Err(error)) => Err(error.to_string()),
        }
    }

    fn parts(&self) -> MatchRunner<'_> {
        MatchRunner {
            game: self.game,
            setup: self.setup.clone(),
            guard: self.guard,
            interrupt: self.interrupt,
            replays: false,
            roster: RwLock::default(),
        }
    }

    fn one(&self, player: BotNumber) -> Result<BTreeMap<BotNumber, (String, Bot)>, String> {
        let roster = self.roster.read().expect("nobody panics with the roster in hand");
        let (name, bot) = roster.get(&player).ok_or("it is not there any more")?;
        Ok(BTreeMap::from([(player, (name.clone(), again(bot)))]))
    }

    fn match_of(&self, job: &Job, cores: &Cores, watch: &mut dyn Watch) -> Result<Played, MatchError> {
        let plan = self.setup.plan(self.game, job.map, job.players.len() as u8, job.seed)?;
        let roster = self.roster.read().expect("nobody panics with the roster in hand");
        let mut bots = Vec::with_capacity(job.players.len());
        for player in &job.players {
            let bot = roster.get(player).map(|(_, bot)| again(bot));
            let bot = bot.ok_or_else(|| SetupError::new("one of the bots is not there any more"))?;
            check_files(&bot)?;
            bots.push(bot);
        }
        drop(roster);
        let (game, links) = Bot::seat(bots, self.game, plan, self.setup.time)?;
        let options = Options {
            cores: cores.clone(),
            interrupt: Some(self.interrupt),
            guard: Some(self.guard),
            ..Options::default()
        };
        play(game, links, options, watch)
    }

    fn names(&self, players: &[BotNumber]) -> Vec<String> {
        let roster = self.roster.read().expect("nobody panics with the roster in hand");
        let name = |player| roster.get(player).map_or_else(String::new, |(name, _)| name.clone());
        players.iter().map(name).collect()
    }
}

/// An interpreter starts without its script and then complains; that is not the script's fault in a match.
fn check_files(bot: &Bot) -> Result<(), MatchError> {
    let Link::Program(launch) = &bot.link else {
        return Ok(());
    };
    match launch.readable.iter().find(|path| !path.exists()) {
        None => Ok(()),
        Some(path) => {
            let why = format!("{} is not there any more", path.display());
            Err(MatchError::Start { name: bot.entrant.name.clone(), why })
        }
    }
}

/// The same bot once more.
fn again(bot: &Bot) -> Bot {
    let link = match &bot.link {
        Link::None => Link::None,
        Link::Program(launch) => Link::Program(launch.clone()),
        Link::Here(resident) => Link::Here(Arc::clone(resident)),
        Link::Pipes { .. } => unreachable!("who is there once cannot play in a field"),
    };
    Bot { entrant: bot.entrant.clone(), link }
}

/// Stops a match when everybody has answered once, or the first has failed.
struct FirstAnswers<'a> {
    turns: u32,
    stop: &'a Interrupt,
    failed: Option<Message>,
}

impl Watch for FirstAnswers<'_> {
    fn turn(&mut self, game: &Match, _: Overheard<'_>) {
        if let Some((_, _, fault)) = game.faults().first() {
            self.failed.get_or_insert_with(|| fault.message());
        }
        if self.failed.is_some() || game.turns() >= self.turns {
            self.stop.raise();
        }
    }
}
