//! Many games side by side on several threads, for programs that learn.
//!
//! What an environment is, and what it writes, is in [`palestra_core::batch`]; here they are dealt out to threads. The same
//! seed gives the same stream of numbers, whatever the number of threads.

mod limits;
mod memory;

pub use memory::Memory;

use palestra_core::SetupError;
use palestra_core::batch::{AnyEnvs, AnyScenario, Buffers, Shape};
use palestra_core::encoding::Space;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// What a batch cannot do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BatchError {
    /// A scenario that cannot be played.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A number of environments or threads that is out of range.
    #[error("{count} {what} were asked for, and there must be 1 to {most}")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// A buffer with room for something else.
    #[error("the buffer {name} has room for {room} numbers, and {needed} are written")]
    Buffer {
        /// Which one.
        name: &'static str,
        /// How long it is.
        room: usize,
        /// How long it must be.
        needed: usize,
    },
    /// An action that there is not. Nothing has been done.
    #[error("environment {env} was given the action {action}, and there are {actions}, counted from 0")]
    Action {
        /// Where.
        env: usize,
        /// Which one.
        action: i32,
        /// How many there are.
        actions: usize,
    },
    /// The threads could not be started.
    #[error("the threads of a batch could not be started: {0}")]
    Threads(String),
}

/// Environments that are moved together.
pub struct Batch {
    scenario: Box<dyn AnyScenario>,
    /// Each is moved by one thread at a time.
    groups: Vec<Box<dyn AnyEnvs>>,
    /// `None` where the asking thread is the only one.
    pool: Option<ThreadPool>,
    envs: usize,
}

impl Batch {
    /// So many environments of a scenario on so many threads.
    pub fn new(
        scenario: Box<dyn AnyScenario>,
        envs: usize,
        threads: usize,
        seed: u64,
    ) -> Result<Batch, BatchError> {
        within("environments", envs, limits::ENVIRONMENTS)?;
        within("threads", threads, limits::THREADS)?;
        // Waking another thread takes as long as a few dozen steps.
        let threads = threads.min(envs / limits::ENVIRONMENTS_WORTH_A_THREAD).max(1);
        let size = match threads {
            1 => envs,
            _ => envs.div_ceil(threads * limits::GROUPS_OF_A_THREAD),
        };
        let starts = (0..envs).step_by(size);
        let groups = starts.map(|start| scenario.envs(start..(start + size).min(envs), seed));
        let groups = groups.collect::<Result<_, _>>()?;
        let pool = (threads > 1).then(|| {
            let builder =
                ThreadPoolBuilder::new().num_threads(threads).thread_name(|number| format!("batch {number}"));
            builder.build().map_err(|error| BatchError::Threads(error.to_string()))
        });
        Ok(Batch { scenario, groups, pool: pool.transpose()?, envs })
    }

    /// How many environments there are.
    pub fn envs(&self) -> usize {
        self.envs
    }

    /// What observations and actions are.
    pub fn space(&self) -> &Space {
        self.scenario.space()
    }

    /// How much room an environment takes in the buffers.
    pub fn shape(&self) -> Shape {
        self.scenario.shape()
    }

    /// Whether the player of this seat, counted from 0, learns.
    pub fn learns(&self, seat: usize) -> bool {
        self.scenario.learns(seat)
    }

    /// Begins an episode in every environment, with another seed if there is one, and writes everything.
    pub fn reset(&mut self, seed: Option<u64>, out: Buffers<'_>) -> Result<(), BatchError> {
        self.check(&out)?;
        self.each(out, &[], |group, mut out, _| group.reset(seed, &mut out))
    }

    /// Takes a step in every environment. The buffers hold what was written before.
    pub fn step(&mut self, actions: &[i32], out: Buffers<'_>) -> Result<(), BatchError> {
        self.check(&out)?;
        self.check_actions(actions)?;
        self.each(out, actions, |group, mut out, actions| group.step(actions, &mut out))
    }

    /// Draws an action for every environment, from those that its mask allows.
    pub fn sample(&mut self, masks: &[u8], actions: &mut [i32]) -> Result<(), BatchError> {
        let shape = self.shape();
        let width = shape.pages * shape.actions;
        fits("mask", masks.len(), self.envs * width)?;
        fits("actions", actions.len(), self.envs)?;
        if let [group] = &mut self.groups[..] {
            group.sample(masks, actions);
            return Ok(());
        }
        let mut tasks = Vec::with_capacity(self.groups.len());
        let (mut masks, mut actions) = (masks, actions);
        for group in &mut self.groups {
            let (own_masks, other_masks) = masks.split_at(group.count() * width);
            let (own_actions, other_actions) = std::mem::take(&mut actions).split_at_mut(group.count());
            (masks, actions) = (other_masks, other_actions);
            tasks.push((group, own_masks, own_actions));
        }
        let draw = |(group, masks, actions): (&mut Box<dyn AnyEnvs>, &[u8], &mut [i32])| {
            group.sample(masks, actions);
        };
        let pool = self.pool.as_ref().expect("several groups have several threads");
        pool.install(|| tasks.into_par_iter().for_each(draw));
        Ok(())
    }

    fn each(
        &mut self,
        mut out: Buffers<'_>,
        actions: &[i32],
        act: impl Fn(&mut dyn AnyEnvs, Buffers<'_>, &[i32]) -> Result<(), SetupError> + Sync,
    ) -> Result<(), BatchError> {
        let shape = self.shape();
        if let ([group], None) = (&mut self.groups[..], &self.pool) {
            return Ok(act(&mut **group, out, actions)?);
        }
        let mut actions = actions;
        let mut tasks = Vec::with_capacity(self.groups.len());
        for group in &mut self.groups {
            let count = group.count();
            let (own, others) = actions.split_at(count.min(actions.len()));
            actions = others;
            tasks.push((group, out.split_off(&shape, count), own));
        }
        let pool = self.pool.as_ref().expect("several groups have several threads");
        let result = pool.install(|| {
            tasks.into_par_iter().try_for_each(|(group, out, actions)| act(&mut **group, out, actions))
        });
        Ok(result?)
    }

    fn check(&self, out: &Buffers<'_>) -> Result<(), BatchError> {
        let shape = self.shape();
        let (pages, players) = (self.envs * shape.pages, self.envs * shape.players);
        fits("planes", out.planes.len(), pages * shape.planes)?;
        fits("counts", out.counts.len(), pages * shape.counts)?;
        fits("globals", out.globals.len(), pages * shape.globals)?;
        fits("mask", out.mask.len(), pages * shape.actions)?;
        fits("rewards", out.rewards.len(), players)?;
        fits("terminated", out.terminated.len(), self.envs)?;
        fits("truncated", out.truncated.len(), self.envs)?;
        fits("seat", out.seat.len(), self.envs)?;
        let lasts = self.envs * shape.lasts;
        fits("last_planes", out.last_planes.len(), lasts * shape.planes)?;
        fits("last_counts", out.last_counts.len(), lasts * shape.counts)?;
        fits("last_globals", out.last_globals.len(), lasts * shape.globals)?;
        fits("alive", out.alive.len(), players)
    }

    fn check_actions(&self, actions: &[i32]) -> Result<(), BatchError> {
        fits("actions", actions.len(), self.envs)?;
        let most = self.shape().actions;
        // Negative ones are very large without their sign.
        let wrong = actions.iter().position(|action| *action as u32 as usize >= most);
        wrong.map_or(Ok(()), |env| Err(BatchError::Action { env, action: actions[env], actions: most }))
    }
}

fn within(what: &'static str, count: usize, most: usize) -> Result<(), BatchError> {
    if (1..=most).contains(&count) { Ok(()) } else { Err(BatchError::Count { what, count, most }) }
}

fn fits(name: &'static str, room: usize, needed: usize) -> Result<(), BatchError> {
    if room == needed { Ok(()) } else { Err(BatchError::Buffer { name, room, needed }) }
}
