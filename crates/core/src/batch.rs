//! Many games side by side, for programs that learn: environments, as their field calls them.
//!
//! A [`Scenario`] settles what all of them have in common. [`Envs`] are some of them, to be moved by one thread: an action for
//! each, and what comes of it is written to [`Buffers`] of whoever asks. Typed inside, and erased once for many steps.
//! Nothing allocates between two episodes.
//!
//! What an environment goes through depends on the seed and its number alone, not on who moves it beside which others.

mod env;
mod pool;

use crate::encoding::{Encoding, Extent, Observation, Space};
use crate::game::{SettingsOf, Setup as _, SetupError, SetupOf};
use crate::limits;
use crate::notes::Notes;
use crate::rng::Rng;
use crate::settings;
use env::Env;
use pool::Pool;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// What environments are asked to be.
#[derive(Clone, Copy, Debug)]
pub struct ScenarioRequest<'a> {
    /// Settings that differ from the defaults.
    pub changes: &'a [(String, String)],
    /// Where episodes begin.
    pub maps: Maps<'a>,
    /// How many maps are made; episodes draw from them. `None` makes a new one for every episode.
    pub map_pool: Option<u32>,
    /// How many players there are.
    pub players: u8,
    /// Built-in players by seat, who take their turns inside; `None` learns. An empty list is nobody.
    pub opponents: &'a [Option<String>],
    /// Whether every seat has its own observation, kept turn by turn; otherwise there is that of the seat to move.
    pub per_seat: bool,
    /// Whether actions can say everything that the rules allow; see [`Encoding::exact_space`].
    pub exact: bool,
    /// What happens behind the end of an episode.
    pub autoreset: Autoreset,
    /// An episode that is longer is cut off.
    pub max_steps: Option<u32>,
}

/// Where episodes begin.
#[derive(Clone, Copy, Debug)]
pub enum Maps<'a> {
    /// As a match does for which no map was given.
    Usual,
    /// On maps that are made from these numbers.
    Generated(&'a [u32]),
    /// On one of these, drawn at random.
    Given(&'a [String]),
}

/// What happens behind the end of an episode, in the words of Gymnasium.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Autoreset {
    /// The next step begins another one; its action is not looked at.
    NextStep,
    /// Another one begins within the step that ended it.
    SameStep,
    /// Nothing, until everything is begun anew.
    Disabled,
}

/// Where steps are written, for so many environments one after the other.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// See [`Observation::planes`]; for each environment, or for each of its seats.
    pub planes: &'a mut [u8],
    /// See [`Observation::counts`].
    pub counts: &'a mut [i32],
    /// See [`Observation::globals`].
    pub globals: &'a mut [i32],
    /// See [`Observation::mask`].
    pub mask: &'a mut [u8],
    /// For each player of each environment: at the end of a game its share of the others it was better than, less that of
    /// those who were better; otherwise 0. The sum of all players is 0.
    pub rewards: &'a mut [f32],
    /// For each environment: whether the game is over.
    pub terminated: &'a mut [u8],
    /// For each environment: whether the episode was cut off.
    pub truncated: &'a mut [u8],
    /// For each environment: who is to move, counted from 0; behind the end, who moved last.
    pub seat: &'a mut [i32],
    /// For each player of each environment: whether it may still be asked.
    pub alive: &'a mut [u8],
    /// The planes of what was seen at the end of an episode behind which another one began in the same step; kept until the
    /// next such end.
    pub last_planes: &'a mut [u8],
    /// The counts of the same.
    pub last_counts: &'a mut [i32],
    /// The numbers of the whole of the same.
    pub last_globals: &'a mut [i32],
}

impl<'a> Buffers<'a> {
    /// Takes the first so many environments off.
    pub fn split_off(&mut self, shape: &Shape, envs: usize) -> Buffers<'a> {
        let (pages, players) = (envs * shape.pages, envs * shape.players);
        let lasts = envs * shape.lasts;
        Buffers {
            planes: take(&mut self.planes, pages * shape.planes),
            counts: take(&mut self.counts, pages * shape.counts),
            globals: take(&mut self.globals, pages * shape.globals),
            mask: take(&mut self.mask, pages * shape.actions),
            rewards: take(&mut self.rewards, players),
            terminated: take(&mut self.terminated, envs),
            truncated: take(&mut self.truncated, envs),
            seat: take(&mut self.seat, envs),
            alive: take(&mut self.alive, players),
            last_planes: take(&mut self.last_planes, lasts * shape.planes),
            last_counts: take(&mut self.last_counts, lasts * shape.counts),
            last_globals: take(&mut self.last_globals, lasts * shape.globals),
        }
    }

    /// Keeps what was seen at the end of an environment's episode.
    fn keep_last(&mut self, shape: &Shape, place: usize) {
        let room = |channels: usize| place * shape.lasts * channels..(place + 1) * shape.lasts * channels;
        self.last_planes[room(shape.planes)].copy_from_slice(&self.planes[room(shape.planes)]);
        self.last_counts[room(shape.counts)].copy_from_slice(&self.counts[room(shape.counts)]);
        self.last_globals[room(shape.globals)].copy_from_slice(&self.globals[room(shape.globals)]);
    }

    #[inline]
    fn page(&mut self, shape: &Shape, number: usize) -> Observation<'_> {
        Observation {
            planes: &mut self.planes[number * shape.planes..][..shape.planes],
            counts: &mut self.counts[number * shape.counts..][..shape.counts],
            globals: &mut self.globals[number * shape.globals..][..shape.globals],
            mask: &mut self.mask[number * shape.actions..][..shape.actions],
        }
    }
}

fn take<'a, T>(from: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (taken, rest) = std::mem::take(from).split_at_mut(count);
    *from = rest;
    taken
}

/// How much room an environment takes in each of the [`Buffers`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Observations of an environment: one, or one for each player.
    pub pages: usize,
    /// The same, where observations of an end are kept because another episode begins in the same step; otherwise 0.
    pub lasts: usize,
    /// Players of an environment.
    pub players: usize,
    /// Bytes of an observation.
    pub planes: usize,
    /// Integers of the places of an observation.
    pub counts: usize,
    /// Integers of the whole of an observation.
    pub globals: usize,
    /// Actions that there are: the length of a mask.
    pub actions: usize,
}

/// What environments have in common, without the types of their game.
pub trait AnyScenario: Send + Sync {
    /// What observations and actions are.
    fn space(&self) -> &Space;
    /// How much room they take.
    fn shape(&self) -> Shape;
    /// Whether the player of this seat, counted from 0, learns.
    fn learns(&self, seat: usize) -> bool;
    /// The environments with these numbers, each at the beginning of its first episode.
    fn envs(&self, numbers: Range<usize>, seed: u64) -> Result<Box<dyn AnyEnvs>, SetupError>;
}

/// Some environments, without the types of their game.
pub trait AnyEnvs: Send {
    /// How many there are.
    fn count(&self) -> usize;
    /// Begins everything anew, with another seed if there is one, and writes it all.
    fn reset(&mut self, seed: Option<u64>, out: &mut Buffers<'_>) -> Result<(), SetupError>;
    /// Takes a step in each, and writes what came of it. The buffers hold what the step before has written. Every action is
    /// below the number of actions.
    fn step(&mut self, actions: &[i32], out: &mut Buffers<'_>) -> Result<(), SetupError>;
    /// Draws one of the actions that each mask allows.
    fn sample(&mut self, masks: &[u8], actions: &mut [i32]);
}

/// What environments of a game have in common.
pub struct Scenario<G: Encoding> {
    settings: SettingsOf<G>,
    source: Source<G>,
    /// How many maps are made; `None` makes a new one for every episode.
    map_pool: Option<u32>,
    /// The maps of the latest seed.
    pool: Mutex<Option<Arc<Pool<G>>>>,
    space: Space,
    shape: Shape,
    opponents: Vec<Option<String>>,
    autoreset: Autoreset,
    max_steps: u32,
    /// Whether an observation is kept turn by turn, because it is always that of the same seat.
    kept: bool,
}

enum Source<G: Encoding> {
    Usual,
    Generated(Vec<u32>),
    Given(Vec<SetupOf<G>>),
}

impl<G: Encoding> Scenario<G> {
    /// Settles what was asked for.
    pub fn new(request: &ScenarioRequest<'_>) -> Result<Scenario<G>, SetupError> {
        let settings = settings::with_changes::<SettingsOf<G>>(request.changes)?;
        let source = match request.maps {
            Maps::Usual => Source::Usual,
            Maps::Generated(numbers) => Source::Generated(numbers.to_vec()),
            Maps::Given([]) => return Err(SetupError::new("the list of maps is empty; name one")),
            Maps::Given(texts) => {
                let read = |text: &String| crate::any_game::read_setup::<G>(&settings, text);
                Source::Given(texts.iter().map(read).collect::<Result<_, _>>()?)
            }
        };
        if let Some(maps) = request.map_pool.filter(|maps| !(1..=limits::POOLED_MAPS).contains(maps)) {
            let most = limits::POOLED_MAPS;
            return Err(SetupError::new(format!(
                "a pool of {maps} maps was asked for, and may have 1 to {most}; without one, every episode has a new map"
            )));
        }
        let mut scenario = Scenario {
            settings,
            source,
            map_pool: request.map_pool,
            pool: Mutex::new(None),
            space: Space::of_cells(Extent { rows: 0, columns: 0, players: 0 }),
            shape: Shape {
                pages: 0,
                lasts: 0,
                players: request.players.into(),
                planes: 0,
                counts: 0,
                globals: 0,
                actions: 0,
            },
            opponents: request.opponents.to_vec(),
            autoreset: request.autoreset,
            max_steps: request.max_steps.unwrap_or(u32::MAX),
            kept: false,
        };
        scenario.fit(request)?;
        Ok(scenario)
    }

    /// Makes room for the largest map, and for everybody who learns.
    fn fit(&mut self, request: &ScenarioRequest<'_>) -> Result<(), SetupError> {
        let extent = match &self.source {
            Source::Given(setups) => {
                let all = setups.iter().map(G::extent).collect::<Vec<_>>();
                all.iter().copied().fold(all[0], Extent::join)
            }
            _ => G::extent(&self.make(0)?),
        };
        self.check_players(extent)?;
        if self.opponents.is_empty() {
            self.opponents = vec![None; self.shape.players];
        }
        if self.opponents.len() != self.shape.players {
            return Err(SetupError::new(format!(
                "{} opponents were named for {} seats; name one for each seat, None for who learns",
                self.opponents.len(),
                self.shape.players
            )));
        }
        let learners = self.opponents.iter().filter(|opponent| opponent.is_none()).count();
        if learners == 0 {
            return Err(SetupError::new(
                "every seat has a built-in player; leave None for at least one that learns",
            ));
        }
        self.kept = request.per_seat || learners == 1;
        self.space = match request.exact {
            true => G::exact_space(&self.settings, extent),
            false => G::space(&self.settings, extent),
        };
        let pages = if request.per_seat { self.shape.players } else { 1 };
        self.shape = Shape {
            pages,
            lasts: if self.autoreset == Autoreset::SameStep { pages } else { 0 },
            players: self.shape.players,
            planes: self.space.planes_len(),
            counts: self.space.counts_len(),
            globals: self.space.globals.len(),
            actions: self.space.actions as usize,
        };
        Ok(())
    }

    fn check_players(&self, extent: Extent) -> Result<(), SetupError> {
        if usize::from(extent.players) == self.shape.players {
            return Ok(());
        }
        Err(SetupError::new(format!(
            "a map for {} players was given or made, and there are {}",
            extent.players, self.shape.players
        )))
    }

    /// The map of an episode, drawn from those of the pool.
    fn draw<'a>(&'a self, pool: &'a Pool<G>, rng: &mut Rng) -> Result<Cow<'a, SetupOf<G>>, SetupError> {
        match (&self.source, self.map_pool) {
            (Source::Given(setups), _) => Ok(Cow::Borrowed(rng.pick(setups).expect("there is a map"))),
            (_, None) => Ok(Cow::Owned(self.make(rng.bits())?)),
            (_, Some(maps)) => Ok(Cow::Borrowed(pool.map(rng.below(maps), |seed| self.make(seed))?)),
        }
    }

    /// The map of an episode with this seed.
    fn make(&self, seed: u64) -> Result<SetupOf<G>, SetupError> {
        match &self.source {
            Source::Usual => SetupOf::<G>::default_for(&self.settings, self.shape.players as u8, seed),
            Source::Generated(numbers) => crate::any_game::generate_setup::<G>(&self.settings, numbers, seed),
            Source::Given(setups) => Ok(setups[0].clone()),
        }
    }

    /// The pool of maps of a seed, which all environments of that seed share.
    fn pool(&self, seed: u64) -> Arc<Pool<G>> {
        let mut latest = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(pool) if pool.seed() == seed => Arc::clone(pool),
            _ => Arc::clone(latest.insert(Arc::new(Pool::new(seed, self.map_pool.unwrap_or(0))))),
        }
    }

    /// The observation of an environment that is of this seat, counted from 0; `None` if nobody learns there.
    #[inline]
    fn page_of(&self, seat: usize) -> Option<usize> {
        self.opponents[seat].is_none().then_some(if self.shape.pages == 1 { 0 } else { seat })
    }
}

/// A scenario that its environments share.
pub struct Shared<G: Encoding>(Arc<Scenario<G>>);

impl<G: Encoding> Shared<G> {
    /// This scenario.
    pub fn new(scenario: Scenario<G>) -> Shared<G> {
        Shared(Arc::new(scenario))
    }
}

impl<G: Encoding> AnyScenario for Shared<G> {
    fn space(&self) -> &Space {
        &self.0.space
    }

    fn shape(&self) -> Shape {
        self.0.shape
    }

    fn learns(&self, seat: usize) -> bool {
        self.0.opponents.get(seat).is_some_and(Option::is_none)
    }

    fn envs(&self, numbers: Range<usize>, seed: u64) -> Result<Box<dyn AnyEnvs>, SetupError> {
        let envs = numbers.map(|number| Env::start(&self.0, number, seed)).collect::<Result<_, _>>()?;
        Ok(Box::new(Envs { scenario: self.0.clone(), envs, notes: Notes::counted() }))
    }
}

/// Some environments.
pub struct Envs<G: Encoding> {
    scenario: Arc<Scenario<G>>,
    envs: Vec<Env<G>>,
    notes: Notes,
}

impl<G: Encoding> AnyEnvs for Envs<G> {
    fn count(&self) -> usize {
        self.envs.len()
    }

    fn reset(&mut self, seed: Option<u64>, out: &mut Buffers<'_>) -> Result<(), SetupError> {
        for (number, env) in self.envs.iter_mut().enumerate() {
            env.reset(&self.scenario, seed, &mut self.notes, number, out)?;
        }
        Ok(())
    }

    fn step(&mut self, actions: &[i32], out: &mut Buffers<'_>) -> Result<(), SetupError> {
        for (number, (env, action)) in self.envs.iter_mut().zip(actions).enumerate() {
            env.step(&self.scenario, *action as u32, &mut self.notes, number, out)?;
        }
        Ok(())
    }

    fn sample(&mut self, masks: &[u8], actions: &mut [i32]) {
        let shape = &self.scenario.shape;
        let masks = masks.chunks_exact(shape.pages * shape.actions);
        for ((env, masks), action) in self.envs.iter_mut().zip(masks).zip(actions) {
            *action = env.sample(&self.scenario, masks) as i32;
        }
    }
}
