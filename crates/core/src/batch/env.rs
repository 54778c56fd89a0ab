//! One environment: a game after another.

use super::{Autoreset, Buffers, Pool, Scenario};
use crate::encoding::{Decoded, Encoding};
use crate::game::{ActionOf, Bot, Input, Setup as _, SetupError, State as _, built_in};
use crate::notes::Notes;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::seat::{Eye, Seat};
use std::sync::Arc;

/// A game in progress, and what the next ones are drawn from.
pub(super) struct Env<G: Encoding> {
    number: usize,
    state: G::State,
    /// By seat; `None` learns.
    bots: Vec<Option<Box<dyn Bot<G>>>>,
    /// What the learner to move has said so far in its turn.
    pending: ActionOf<G>,
    /// What a built-in player answers.
    answer: ActionOf<G>,
    /// Where episodes come from.
    episodes: Rng,
    /// Where they begin.
    pool: Arc<Pool<G>>,
    /// Where drawn actions come from.
    actions: Rng,
    steps: u32,
    /// Who is to move, counted from 0; behind the end, who moved last.
    seat: usize,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Nobody has moved, and nothing was written.
    Fresh,
    Running,
    /// Over, or cut off.
    Ended,
}

impl<G: Encoding> Env<G> {
    pub(super) fn start(scenario: &Scenario<G>, number: usize, seed: u64) -> Result<Env<G>, SetupError> {
        let mut episodes = Rng::stream(seed, "environment", number as u64);
        let pool = scenario.pool(seed);
        let (state, bots) = episode(scenario, &pool, &mut episodes)?;
        Ok(Env {
            number,
            state,
            bots,
            pending: ActionOf::<G>::default(),
            answer: ActionOf::<G>::default(),
            episodes,
            pool,
            actions: Rng::stream(seed, "actions", number as u64),
            steps: 0,
            seat: 0,
            phase: Phase::Fresh,
        })
    }

    /// Begins a new episode, with another seed if there is one.
    pub(super) fn reset(
        &mut self,
        scenario: &Scenario<G>,
        seed: Option<u64>,
        notes: &mut Notes,
        place: usize,
        out: &mut Buffers<'_>,
    ) -> Result<(), SetupError> {
        if let Some(seed) = seed {
            *self = Env::start(scenario, self.number, seed)?;
        }
        self.begin(scenario, notes, place, out)?;
        (out.terminated[place], out.truncated[place]) = (0, 0);
        out.rewards[place * scenario.shape.players..][..scenario.shape.players].fill(0.0);
        Ok(())
    }

    /// A step: an action of the learner to move, and all turns up to the next one of a learner.
    #[inline]
    pub(super) fn step(
        &mut self,
        scenario: &Scenario<G>,
        action: u32,
        notes: &mut Notes,
        place: usize,
        out: &mut Buffers<'_>,
    ) -> Result<(), SetupError> {
        let players = scenario.shape.players;
        if self.phase == Phase::Ended {
            out.rewards[place * players..][..players].fill(0.0);
            if scenario.autoreset != Autoreset::Disabled {
                (out.terminated[place], out.truncated[place]) = (0, 0);
                self.begin(scenario, notes, place, out)?;
            }
            return Ok(());
        }
        if out.terminated[place] | out.truncated[place] != 0 {
            // The episode before ended within a step; what it came to was read.
            (out.terminated[place], out.truncated[place]) = (0, 0);
            out.rewards[place * players..][..players].fill(0.0);
        }
        self.steps += 1;
        let seat = Seat::at(self.seat);
        let view = self.state.view(Eye::Seat(seat));
        match G::decode(&scenario.space, view, action, &mut self.pending) {
            Decoded::More => {
                if let Some(page) = scenario.page_of(self.seat) {
                    let mut page = out.page(&scenario.shape, place * scenario.shape.pages + page);
                    G::observe(&scenario.space, view, &self.pending, &mut page);
                }
            }
            Decoded::Turn => {
                self.state.apply(seat, Input::Answer(&self.pending), notes);
                G::clear(&mut self.pending);
                self.tell_all(scenario, place, out);
                self.advance(scenario, notes, place, out);
            }
        }
        // Where one of two is out, it is over.
        if players > 2 {
            self.write_alive(scenario, place, out);
        }
        let over = self.state.to_move().is_none();
        let cut_off = !over && self.steps >= scenario.max_steps;
        if over || cut_off {
            self.end(scenario, place, out)?;
            if scenario.autoreset == Autoreset::SameStep {
                out.keep_last(&scenario.shape, place);
                self.begin(scenario, notes, place, out)?;
            }
        }
        Ok(())
    }

    /// Draws one of the actions that are allowed, by the masks of this environment.
    pub(super) fn sample(&mut self, scenario: &Scenario<G>, masks: &[u8]) -> u32 {
        let actions = scenario.shape.actions;
        if self.phase == Phase::Ended {
            return actions as u32 - 1;
        }
        let mask = &masks[scenario.page_of(self.seat).unwrap_or(0) * actions..][..actions];
        G::sample(&scenario.space, self.state.view(Eye::Seat(Seat::at(self.seat))), mask, &mut self.actions)
    }

    /// Begins an episode, up to the first turn of somebody who learns. A game may be over before that: then another begins.
    fn begin(
        &mut self,
        scenario: &Scenario<G>,
        notes: &mut Notes,
        place: usize,
        out: &mut Buffers<'_>,
    ) -> Result<(), SetupError> {
        for _ in 0..EMPTY_EPISODES {
            if self.phase != Phase::Fresh {
                (self.state, self.bots) = episode(scenario, &self.pool, &mut self.episodes)?;
            }
            self.steps = 0;
            self.phase = Phase::Running;
            G::clear(&mut self.pending);
            self.seat = self.state.to_move().map_or(0, Seat::index);
            self.observe_kept(scenario, place, out);
            self.advance(scenario, notes, place, out);
            if self.state.to_move().is_some() {
                self.write_alive(scenario, place, out);
                return Ok(());
            }
        }
        Err(SetupError::new(format!(
            "{EMPTY_EPISODES} games in a row were over before anybody who learns had a turn; change settings, maps or opponents"
        )))
    }

    /// Built-in players take their turns, until it is that of somebody who learns.
    #[inline]
    fn advance(&mut self, scenario: &Scenario<G>, notes: &mut Notes, place: usize, out: &mut Buffers<'_>) {
        while let Some(seat) = self.state.to_move() {
            let Some(bot) = &mut self.bots[seat.index()] else {
                self.seat = seat.index();
                break;
            };
            match bot.act(self.state.view(Eye::Seat(seat)), &mut self.answer) {
                Ok(()) => self.state.apply(seat, Input::Answer(&self.answer), notes),
                Err(fault) => self.state.apply(seat, Input::Fault(&fault), notes),
            }
            self.tell_all(scenario, place, out);
        }
        out.seat[place] = self.seat as i32;
        if !scenario.kept {
            let view = self.state.view(Eye::Seat(Seat::at(self.seat)));
            let mut page = out.page(&scenario.shape, place * scenario.shape.pages);
            G::observe(&scenario.space, view, &self.pending, &mut page);
        }
    }

    /// Brings the observations that are kept up to the turn just taken.
    #[inline]
    fn tell_all(&mut self, scenario: &Scenario<G>, place: usize, out: &mut Buffers<'_>) {
        if !scenario.kept {
            return;
        }
        for seat in 0..scenario.shape.players {
            let Some(page) = scenario.page_of(seat) else { continue };
            let mut page = out.page(&scenario.shape, place * scenario.shape.pages + page);
            let view = self.state.view(Eye::Seat(Seat::at(seat)));
            G::update(&scenario.space, view, &self.pending, &mut page);
        }
    }

    /// Writes the observations that are kept from nothing.
    fn observe_kept(&mut self, scenario: &Scenario<G>, place: usize, out: &mut Buffers<'_>) {
        for seat in 0..scenario.shape.players {
            let Some(page) = scenario.page_of(seat).filter(|_| scenario.kept) else { continue };
            let mut page = out.page(&scenario.shape, place * scenario.shape.pages + page);
            let view = self.state.view(Eye::Seat(Seat::at(seat)));
            G::observe(&scenario.space, view, &self.pending, &mut page);
        }
    }

    fn write_alive(&self, scenario: &Scenario<G>, place: usize, out: &mut Buffers<'_>) {
        let players = scenario.shape.players;
        for (alive, seat) in out.alive[place * players..][..players].iter_mut().zip(Seat::all(players as u8))
        {
            *alive = self.state.plays(seat).into();
        }
    }

    /// Writes how an episode has ended. From then on the mask allows the last action alone, which nobody looks at.
    #[cold]
    fn end(&mut self, scenario: &Scenario<G>, place: usize, out: &mut Buffers<'_>) -> Result<(), SetupError> {
        let shape = &scenario.shape;
        self.phase = Phase::Ended;
        let outcome = self.state.outcome();
        out.terminated[place] = outcome.is_some().into();
        out.truncated[place] = outcome.is_none().into();
        if let Some(outcome) = outcome {
            rewards(&outcome, &mut out.rewards[place * shape.players..][..shape.players]);
        }
        self.write_alive(scenario, place, out);
        for page in place * shape.pages..(place + 1) * shape.pages {
            let mask = out.page(shape, page).mask;
            mask.fill(0);
            mask[shape.actions - 1] = 1;
        }
        Ok(())
    }
}

/// Games in a row that may be over before anybody who learns has had a turn.
const EMPTY_EPISODES: u32 = 1000;

type Beginning<G> = (<G as crate::game::Game>::State, Vec<Option<Box<dyn Bot<G>>>>);

/// A new game, and its built-in players.
fn episode<G: Encoding>(
    scenario: &Scenario<G>,
    pool: &Pool<G>,
    rng: &mut Rng,
) -> Result<Beginning<G>, SetupError> {
    let setup = scenario.draw(pool, rng)?;
    let extent = G::extent(&setup);
    if !scenario.space.extent.holds(extent) || usize::from(setup.seats()) != scenario.shape.players {
        return Err(SetupError::new(format!(
            "a map of {} x {} for {} players was made, larger than the first one; give maps instead",
            extent.rows, extent.columns, extent.players
        )));
    }
    let mut state = G::State::start(&scenario.settings, &setup, rng.bits())?;
    let labels: Vec<String> = (1..).zip(&scenario.opponents).map(label).collect();
    state.introduce(&labels);
    let seated = |(index, name): (usize, &Option<String>)| {
        name.as_ref().map(|name| built_in::<G>(name, Seat::at(index), rng.bits())).transpose()
    };
    let bots = scenario.opponents.iter().enumerate().map(seated).collect::<Result<_, _>>()?;
    Ok((state, bots))
}

/// What a player is called: a built-in one by its name, everybody else by a number.
fn label((number, opponent): (usize, &Option<String>)) -> String {
    opponent.clone().unwrap_or_else(|| number.to_string())
}

/// For each player, the share of the others that it was better than, less that of those who were better.
fn rewards(outcome: &Outcome, out: &mut [f32]) {
    let others = (out.len() - 1).max(1) as f32;
    for (own, reward) in outcome.placings.iter().zip(out) {
        let against = outcome.placings.iter().map(|other| match own.place.cmp(&other.place) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => -1.0,
        });
        *reward = against.sum::<f32>() / others;
    }
}
