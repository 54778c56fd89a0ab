//! The strongest built-in player: a search over styles of play and over what to produce.
//!
//! It is a [`Marshal`] that is not sure how bold to be. It plays the match on in thought, by the rules themselves and against
//! a marshal of the usual style, once for every style and every kind to produce next, and takes what comes out best. What
//! the enemy has in production is hidden: it guesses that the enemy produces what a marshal would, and counts the ticks since
//! its last unit appeared. The budget is in nodes, each of them a tick in thought, so it is the same on every machine.

use super::marshal::{Marshal, Style};
use super::produce;
use crate::Rps;
use crate::action::Action;
use crate::state::{Kind, State};
use crate::view::{Owner, View};
use palestra_core::game::State as _;
use palestra_core::{Bot, Eye, Fault, Input, Notes, Seat};

/// Ticks in thought, for one tick in the arena.
const NODES: u32 = 480;
/// A style that cannot be followed for so many ticks says nothing: then it plays as usual.
const LEAST_TURNS: u32 = 6;
/// What the units, the bases and a held factory are worth when a match is looked at that is not over.
const UNIT: i64 = 100;
const BASE: i64 = 70;
const HOLD: i64 = 6;
/// What a match that is won is worth; less for every tick it takes.
const WON: i64 = 1_000_000;

/// The first is taken when others are no better.
const STYLES: [Style; 4] = [
    Style::USUAL,
    Style { conquest: [420, 360], ..Style::USUAL },
    Style { prey: 150, conquest: [160, 60], ..Style::USUAL },
    Style { base: 320, ..Style::USUAL },
];

pub(super) struct Oracle {
    /// How each side plays in thought.
    minds: [Marshal; 2],
    /// The enemy's ticks since its newest unit appeared.
    enemy_since: u32,
    /// The number of that unit.
    enemy_newest: u32,
    first: Action,
    scratch: Action,
}

impl Oracle {
    pub(super) fn new(seed: u64) -> Oracle {
        Oracle {
            minds: [Marshal::new(seed), Marshal::new(seed + 1)],
            enemy_since: 0,
            enemy_newest: 0,
            first: Action::default(),
            scratch: Action::default(),
        }
    }
}

impl Bot<Rps> for Oracle {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        let own = view.seat().expect("a bot looks from its seat");
        self.count_enemy_ticks(view);
        let since = self.enemy_since;
        let enemy = Seat::at(1 - own.index());
        let mind = &mut self.minds[enemy.index()];
        mind.take_on(Style::USUAL);
        let start = view.imagine(|state| (mind.wanted(state.view(Eye::Seat(enemy))), since));
        let turns = NODES / price(view) / (STYLES.len() * Kind::ALL.len()) as u32;
        if turns < LEAST_TURNS {
            self.minds[own.index()].take_on(Style::USUAL);
            return self.minds[own.index()].act(view, action);
        }
        let mut best = i64::MIN;
        for style in STYLES {
            self.minds[own.index()].take_on(style);
            self.minds[own.index()].act(view, &mut self.first)?;
            for kind in Kind::ALL {
                produce(view, kind, &mut self.first);
                let value = self.play_on(start.clone(), own, kind, turns);
                if value > best {
                    best = value;
                    action.clone_from(&self.first);
                }
            }
        }
        Ok(())
    }
}

impl Oracle {
    fn count_enemy_ticks(&mut self, view: View<'_>) {
        let newest = view.enemies().map(|unit| unit.id).max().unwrap_or(0);
        self.enemy_since += 1;
        if newest > self.enemy_newest {
            self.enemy_newest = newest;
            self.enemy_since = 0;
        }
    }

    /// Plays on from a moment with the first answer and one kind to produce, and says what has become of it.
    fn play_on(&mut self, mut state: State, own: Seat, kind: Kind, turns: u32) -> i64 {
        let mut notes = Notes::counted();
        let finished = state.view(Eye::Seat(own)).finished();
        state.apply(own, Input::Answer(&self.first), &mut notes);
        for _ in 1..turns {
            let Some(seat) = state.to_move() else {
                break;
            };
            let view = state.view(Eye::Seat(seat));
            if self.minds[seat.index()].act(view, &mut self.scratch).is_err() {
                break;
            }
            if seat == own && view.finished() == finished {
                produce(view, kind, &mut self.scratch);
            }
            state.apply(seat, Input::Answer(&self.scratch), &mut notes);
        }
        appraise(&state, own)
    }
}

/// How many nodes a tick in thought costs: a marshal compares all its units with all tasks, again for every unit.
fn price(view: View<'_>) -> u32 {
    let (own, enemies) = (view.own_count() as u32, view.enemy_count() as u32);
    1 + own.max(enemies) * own * enemies / 500
}

/// What a match has become worth.
fn appraise(state: &State, own: Seat) -> i64 {
    let view = state.view(Eye::Seat(own));
    let tick = i64::from(view.tick());
    if let Some(outcome) = state.outcome() {
        return match outcome.winner {
            Some(winner) if winner == own => WON - tick,
            Some(_) => -WON + tick,
            None => 0,
        };
    }
    let bases: i64 = view
        .bases()
        .into_iter()
        .map(|owner| match owner {
            Owner::Ally => BASE,
            Owner::Enemy => -BASE,
            Owner::Neutral => 0,
        })
        .sum();
    let [held, lost] = view.holds().map(i64::from);
    UNIT * (view.own_count() as i64 - view.enemy_count() as i64) + bases + HOLD * (held - lost)
}
