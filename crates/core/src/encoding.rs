//! Observations and actions as numbers, for programs that learn. A game says in its own folder what they are, from views:
//! what a seat may not know changes no byte.
//!
//! An observation has three parts: `planes` (bytes) and `counts` (integers), which have some channels for every place of the
//! board, and `globals` (integers). The channels of a place lie side by side. A [`Space`] is made for a largest board: on a
//! smaller one, places that are not there are zeros. An action is one number; its [`Space`] says how it is put together,
//! and the mask which ones are worth anything now.
//!
//! Who answers with several orders in a turn gives them one action after the other, and a last one that ends the turn.

mod reader;

pub(crate) use reader::TextReader;
pub use reader::{Reader, Reading, Told, Unread, number, word};

use crate::game::{ActionOf, Protocol, SettingsOf, SetupOf, ViewOf};
use crate::rng::Rng;
use serde::Serialize;

/// How a game is told in numbers.
pub trait Encoding: Protocol {
    /// Reads what a bot is sent, for a policy that plays as a program.
    type Told: Told<Self>;

    /// How large a board is.
    fn extent(setup: &SetupOf<Self>) -> Extent;
    /// What observations and actions are on boards up to this size.
    fn space(settings: &SettingsOf<Self>, extent: Extent) -> Space;
    /// The same with more actions, so that everything the rules allow can be said: where [`Encoding::space`] leaves amounts out,
    /// one of one unit is begun, and powers of two are added to it. A game whose space has it all has no other.
    fn exact_space(settings: &SettingsOf<Self>, extent: Extent) -> Space {
        Self::space(settings, extent)
    }
    /// Writes everything that is seen, and which actions are worth anything now, if it were this seat's turn. `pending` is
    /// what the seat has already said in its turn.
    fn observe(space: &Space, view: ViewOf<'_, Self>, pending: &ActionOf<Self>, out: &mut Observation<'_>);
    /// The same for an observation of this seat that was right before the latest turn: may write only what has changed.
    fn update(space: &Space, view: ViewOf<'_, Self>, pending: &ActionOf<Self>, out: &mut Observation<'_>) {
        Self::observe(space, view, pending, out);
    }
    /// Makes the answer empty again, and keeps its room.
    fn clear(pending: &mut ActionOf<Self>) {
        *pending = ActionOf::<Self>::default();
    }
    /// Adds what an action means to the answer.
    fn decode(space: &Space, view: ViewOf<'_, Self>, action: u32, pending: &mut ActionOf<Self>) -> Decoded;
    /// The actions that make up this answer, appended; false if there are none that say the same.
    fn encode(space: &Space, view: ViewOf<'_, Self>, answer: &ActionOf<Self>, out: &mut Vec<u32>) -> bool;
    /// One of the actions that the mask allows, each equally likely.
    fn sample(space: &Space, _view: ViewOf<'_, Self>, mask: &[u8], rng: &mut Rng) -> u32 {
        pick(mask, rng).unwrap_or(space.actions - 1)
    }
}

/// What came of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// The answer is complete: it can be played.
    Turn,
    /// The seat goes on with its answer.
    More,
}

/// Whether these actions, decoded one after the other, are exactly those of one turn.
pub(crate) fn whole_turn(space: &Space, actions: &[u32], mut decode: impl FnMut(u32) -> Decoded) -> bool {
    let mut left = actions.iter();
    loop {
        let Some(action) = left.next().filter(|action| **action < space.actions) else { return false };
        if decode(*action) == Decoded::Turn {
            return left.len() == 0;
        }
    }
}

/// How large a board is. A game without rows has its places in one column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Extent {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Players.
    pub players: u8,
}

impl Extent {
    /// One that has room for both.
    pub fn join(self, other: Extent) -> Extent {
        Extent {
            rows: self.rows.max(other.rows),
            columns: self.columns.max(other.columns),
            players: self.players.max(other.players),
        }
    }

    /// Whether a board of this size fits in.
    pub fn holds(self, other: Extent) -> bool {
        self.join(other) == self
    }

    /// How many places there are.
    pub fn places(self) -> usize {
        self.rows * self.columns
    }
}

/// What observations and actions of a game are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Space {
    /// The largest board.
    pub extent: Extent,
    /// The shape of the board: rows and columns, or a list of places.
    pub board: Vec<usize>,
    /// Bytes of every place.
    pub planes: Vec<Channel>,
    /// Integers of every place.
    pub counts: Vec<Channel>,
    /// Integers of the whole.
    pub globals: Vec<Channel>,
    /// How many actions there are.
    pub actions: u32,
    /// The kinds of actions, in the order of their numbers.
    pub kinds: Vec<ActionKind>,
    /// The action that does nothing, if there is one: the last.
    pub rest: Option<u32>,
    /// Whether a turn may be several actions; then the one that does nothing ends it.
    pub several: bool,
}

/// One number of an observation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Channel {
    /// What it is called.
    pub name: String,
    /// Divided by this, it is mostly between -1 and 1.
    pub scale: u32,
}

/// Actions of one kind: a number for every combination of their factors, of which the last one changes fastest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ActionKind {
    /// What it is called.
    pub name: &'static str,
    /// The first number.
    pub start: u32,
    /// What it is put together from: what a factor is called, and how many values it has.
    pub factors: Vec<(&'static str, u32)>,
}

impl ActionKind {
    /// How many actions are of this kind.
    pub fn size(&self) -> u32 {
        self.factors.iter().map(|(_, size)| size).product()
    }
}

impl Space {
    /// A space on a board of rows and columns, without channels and actions.
    pub fn of_cells(extent: Extent) -> Space {
        let board = vec![extent.rows, extent.columns];
        let (planes, counts, globals) = (Vec::new(), Vec::new(), Vec::new());
        Space {
            extent,
            board,
            planes,
            counts,
            globals,
            actions: 0,
            kinds: Vec::new(),
            rest: None,
            several: false,
        }
    }

    /// A space of places that are in no order, without channels and actions.
    pub fn of_places(extent: Extent) -> Space {
        Space { board: vec![extent.places()], ..Space::of_cells(extent) }
    }

    /// The same with more planes: the name and the scale of each.
    #[must_use]
    pub fn planes(mut self, planes: &[(&str, u32)]) -> Space {
        self.planes.extend(channels(planes));
        self
    }

    /// The same with more counts of places: the name and the scale of each.
    #[must_use]
    pub fn counts(mut self, counts: &[(&str, u32)]) -> Space {
        self.counts.extend(channels(counts));
        self
    }

    /// With these numbers of the whole.
    #[must_use]
    pub fn globals(mut self, globals: &[(&str, u32)]) -> Space {
        self.globals.extend(channels(globals));
        self
    }

    /// With these numbers for every player: the own ones first, then those of the others in the order of the seats.
    #[must_use]
    pub fn globals_by_player(mut self, globals: &[(&str, u32)]) -> Space {
        for player in 0..self.extent.players {
            self.globals.extend(
                globals.iter().map(|(name, scale)| Channel { name: of_player(name, player), scale: *scale }),
            );
        }
        self
    }

    /// With counts of every place for every player, in the same order.
    #[must_use]
    pub fn counts_by_player(mut self, counts: &[(&str, u32)]) -> Space {
        for player in 0..self.extent.players {
            self.counts.extend(
                counts.iter().map(|(name, scale)| Channel { name: of_player(name, player), scale: *scale }),
            );
        }
        self
    }

    /// With one more kind of actions, numbered behind those there are.
    #[must_use]
    pub fn kind(mut self, name: &'static str, factors: &[(&'static str, u32)]) -> Space {
        let kind = ActionKind { name, start: self.actions, factors: factors.to_vec() };
        self.actions += kind.size();
        self.kinds.push(kind);
        self
    }

    /// With a last action of this name, which does nothing.
    #[must_use]
    pub fn rest(self, name: &'static str) -> Space {
        let space = self.kind(name, &[]);
        Space { rest: Some(space.actions - 1), ..space }
    }

    /// With a last action that ends a turn of several ones.
    #[must_use]
    pub fn end_turn(self) -> Space {
        Space { several: true, ..self.rest("end_turn") }
    }

    /// How many bytes the planes have.
    pub(crate) fn planes_len(&self) -> usize {
        self.extent.places() * self.planes.len()
    }

    /// How many integers the counts have.
    pub(crate) fn counts_len(&self) -> usize {
        self.extent.places() * self.counts.len()
    }

    /// An observation of its own, all zeros.
    pub fn page(&self) -> Page {
        Page {
            planes: vec![0; self.planes_len()],
            counts: vec![0; self.counts_len()],
            globals: vec![0; self.globals.len()],
            mask: vec![0; self.actions as usize],
        }
    }
}

fn channels<'a>(list: &'a [(&'a str, u32)]) -> impl Iterator<Item = Channel> + 'a {
    list.iter().map(|(name, scale)| Channel { name: (*name).to_owned(), scale: *scale })
}

fn of_player(name: &str, player: u8) -> String {
    match player {
        0 => format!("own_{name}"),
        _ => format!("other_{player}_{name}"),
    }
}

/// Where an observation is written.
#[derive(Debug)]
pub struct Observation<'a> {
    /// Bytes of every place.
    pub planes: &'a mut [u8],
    /// Integers of every place.
    pub counts: &'a mut [i32],
    /// Integers of the whole.
    pub globals: &'a mut [i32],
    /// 1 for each action that is allowed and does something, else 0.
    pub mask: &'a mut [u8],
}

impl Observation<'_> {
    /// Makes everything zero.
    pub fn clear(&mut self) {
        self.planes.fill(0);
        self.counts.fill(0);
        self.globals.fill(0);
        self.mask.fill(0);
    }

    /// Writes the numbers of the whole, one after the other; those that are left become zero.
    pub fn write_globals(&mut self, numbers: impl IntoIterator<Item = i32>) {
        let mut numbers = numbers.into_iter();
        self.globals.fill_with(|| numbers.next().unwrap_or(0));
    }
}

/// An observation with its own memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// Bytes of every place.
    pub planes: Vec<u8>,
    /// Integers of every place.
    pub counts: Vec<i32>,
    /// Integers of the whole.
    pub globals: Vec<i32>,
    /// 1 for each action that is allowed and does something, else 0.
    pub mask: Vec<u8>,
}

impl Page {
    /// To be written to.
    pub fn open(&mut self) -> Observation<'_> {
        let Page { planes, counts, globals, mask } = self;
        Observation { planes, counts, globals, mask }
    }
}

/// One of the places of a mask that are 1, each equally likely.
pub fn pick(mask: &[u8], rng: &mut Rng) -> Option<u32> {
    // Sums of short runs fit a byte, and are made many at a time.
    const RUN: usize = 128;
    let sum = |run: &[u8]| u32::from(run.iter().sum::<u8>());
    let allowed: u32 = mask.chunks(RUN).map(sum).sum();
    let mut left = (allowed > 0).then(|| rng.below(allowed))?;
    for (number, run) in mask.chunks(RUN).enumerate() {
        let inside = sum(run);
        if left < inside {
            let mut places = run.iter().enumerate().filter(|(_, allowed)| **allowed != 0);
            return places.nth(left as usize).map(|(place, _)| (number * RUN + place) as u32);
        }
        left -= inside;
    }
    None
}

/// The powers of two that amounts are put together from.
pub const POWERS: u32 = 31;

/// The powers of two that make up an amount, the greatest first.
pub fn powers_of(amount: u32) -> impl Iterator<Item = u32> {
    (0..POWERS).rev().filter(move |power| amount >> power & 1 == 1)
}

/// A number as an observation has it: what does not fit 32 bits is the most that does.
#[inline]
pub fn narrow(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// How many seats behind one's own another one is, going round; 0 is one's own.
#[inline]
pub fn behind(own: u8, other: u8, players: u8) -> u8 {
    if other >= own { other - own } else { other + players - own }
}

#[cfg(test)]
mod tests {
    use super::{Extent, Space, behind, pick};
    use crate::rng::Rng;

    #[test]
    fn every_allowed_action_is_picked_and_no_other() {
        let mut mask = vec![0; 1000];
        for place in [0, 127, 128, 500, 999] {
            mask[place] = 1;
        }
        let mut rng = Rng::new(3);
        let mut seen = vec![0_u32; 1000];
        for _ in 0..5000 {
            seen[pick(&mask, &mut rng).unwrap() as usize] += 1;
        }
        for (place, times) in seen.iter().enumerate() {
            assert_eq!(mask[place] == 1, (850..1150).contains(times), "{place}: {times}");
        }
        assert_eq!(pick(&[0; 300], &mut rng), None);
        assert_eq!(pick(&[], &mut rng), None);
    }

    #[test]
    fn actions_are_numbered_kind_by_kind() {
        let extent = Extent { rows: 3, columns: 4, players: 2 };
        let space = Space::of_cells(extent).kind("move", &[("cell", 12), ("direction", 4)]).kind("rest", &[]);
        assert_eq!((space.actions, space.kinds[1].start), (49, 48));
        assert!(extent.holds(Extent { rows: 3, columns: 1, players: 2 }));
        assert!(!extent.holds(Extent { rows: 4, columns: 1, players: 2 }));
    }

    #[test]
    fn seats_are_counted_from_ones_own() {
        assert_eq!([1, 2, 3].map(|other| behind(2, other, 3)), [2, 0, 1]);
    }
}
