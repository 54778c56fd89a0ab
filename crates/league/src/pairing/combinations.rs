//! Every table of so many players, with or without a hero at it.
//!
//! The players stand in a ring. A round is one pattern of places, turned through the ring: everybody is in it equally
//! often. Patterns are found one after the other; nothing is kept of rounds that were drawn.

use super::field::{Batch, Field, Seats};
use super::{BotNumber, Draw, Drawn, PairingError, limits};

pub(super) struct Combinations {
    heroes: Vec<usize>,
    /// Those in the ring: everybody who is no hero.
    others: Vec<usize>,
    /// How many of them sit at a table.
    size: usize,
    cycles: u32,
    batch: Batch,
    cycle: u32,
    patterns: Patterns,
    seats: Seats,
}

impl Combinations {
    pub(super) fn round_robin(
        field: &Field,
        seats: usize,
        cycles: u32,
    ) -> Result<Combinations, PairingError> {
        Combinations::new(Vec::new(), (0..field.len()).collect(), seats, cycles)
    }

    pub(super) fn gauntlet(
        field: &Field,
        heroes: &[BotNumber],
        seats: usize,
        cycles: u32,
    ) -> Result<Combinations, PairingError> {
        let mut indices: Vec<usize> = Vec::new();
        for &hero in heroes {
            match field.place(hero) {
                Some(index) if indices.contains(&index) => return Err(PairingError::Twice(hero)),
                Some(index) => indices.push(index),
                None => return Err(PairingError::AbsentHero(hero)),
            }
        }
        let others = (0..field.len()).filter(|index| !indices.contains(index)).collect();
        Combinations::new(indices, others, seats - 1, cycles)
    }

    fn new(
        heroes: Vec<usize>,
        others: Vec<usize>,
        size: usize,
        cycles: u32,
    ) -> Result<Combinations, PairingError> {
        let batch = Batch::new(others.len());
        let patterns = Patterns::new(others.len(), size);
        let seats = Seats::default();
        let combinations = Combinations { heroes, others, size, cycles, batch, cycle: 0, patterns, seats };
        combinations.check(combinations.others.len())?;
        Ok(combinations)
    }

    fn check(&self, others: usize) -> Result<(), PairingError> {
        match self.count(others) {
            meetings if meetings > limits::MEETINGS => Err(PairingError::Meetings(meetings)),
            _ => Ok(()),
        }
    }

    fn count(&self, others: usize) -> u64 {
        let tables = choose(others as u64, self.size as u64);
        tables.saturating_mul(u64::from(self.cycles)).saturating_mul(self.heroes.len().max(1) as u64)
    }

    fn next_pattern(&mut self) -> Option<Pattern> {
        loop {
            if let Some(pattern) = self.patterns.next() {
                self.batch.begin();
                return Some(pattern);
            }
            if self.cycle + 1 < self.cycles {
                self.cycle += 1;
            } else if self.batch.advance() {
                self.cycle = 0;
            } else {
                return None;
            }
            self.patterns = Patterns::new(self.batch.end, self.size);
        }
    }
}

impl Draw for Combinations {
    fn draw(&mut self, field: &Field) -> Option<Drawn> {
        loop {
            let pattern = self.next_pattern()?;
            let mut tables = Vec::new();
            for turn in 0..pattern.turns {
                let positions = pattern.turned(turn);
                let group: Vec<usize> = positions.iter().map(|&position| self.others[position]).collect();
                if !self.batch.holds(&positions) || !group.iter().all(|&index| field.is_present(index)) {
                    continue;
                }
                let heroes = self.heroes.iter().filter(|&&hero| field.is_present(hero));
                tables.extend(heroes.map(|&hero| [&[hero], group.as_slice()].concat()));
                if self.heroes.is_empty() {
                    tables.push(group);
                }
            }
            tables.iter_mut().for_each(|table| self.seats.arrange(table));
            if !tables.is_empty() {
                return Some(Drawn { tables, byes: Vec::new() });
            }
        }
    }

    fn add(&mut self, field: &Field) -> Result<(), PairingError> {
        self.check(self.others.len() + 1)?;
        self.others.push(field.len());
        self.batch.add();
        if !self.batch.has_begun() {
            self.patterns = Patterns::new(self.batch.end, self.size);
        }
        Ok(())
    }

    fn meetings(&self, _field: &Field) -> u64 {
        self.count(self.others.len())
    }
}

/// How many groups of `size` there are; at the top of the range if there are more than can be counted.
fn choose(from: u64, size: u64) -> u64 {
    if size > from {
        return 0;
    }
    let mut groups = 1_u128;
    for picked in 0..size.min(from - size) {
        groups = groups * u128::from(from - picked) / u128::from(picked + 1);
        if groups > u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    groups as u64
}

/// Places in a ring, the first at 0, and how often the ring can be turned by one before the same places come again.
struct Pattern {
    places: Vec<usize>,
    ring: usize,
    turns: usize,
}

impl Pattern {
    fn turned(&self, turn: usize) -> Vec<usize> {
        self.places.iter().map(|place| (place + turn) % self.ring).collect()
    }
}

/// Every pattern once, whichever of its places is at 0.
struct Patterns {
    ring: usize,
    /// The next candidate, ascending from 0.
    places: Option<Vec<usize>>,
}

impl Patterns {
    fn new(ring: usize, size: usize) -> Patterns {
        Patterns { ring, places: (size <= ring).then(|| (0..size).collect()) }
    }

    /// The next choice of places that has one at 0.
    fn step(&mut self, mut places: Vec<usize>) {
        let size = places.len();
        let movable = (1..size).rev().find(|&index| places[index] < self.ring - size + index);
        self.places = movable.map(|index| {
            let from = places[index] + 1;
            (index..size).for_each(|later| places[later] = from + later - index);
            places
        });
    }
}

impl Iterator for Patterns {
    type Item = Pattern;

    fn next(&mut self) -> Option<Pattern> {
        loop {
            let places = self.places.take()?;
            self.step(places.clone());
            if let Some(turns) = turns(&places, self.ring) {
                return Some(Pattern { places, ring: self.ring, turns });
            }
        }
    }
}

/// After how many turns the pattern is the same again; none if the same pattern with another place at 0 stands for it:
/// the one whose distances from place to place come first in the order of the alphabet.
fn turns(places: &[usize], ring: usize) -> Option<usize> {
    let size = places.len();
    let distance = |index: usize| match index % size {
        last if last + 1 == size => ring - places[last],
        index => places[index + 1] - places[index],
    };
    for (shift, &place) in places.iter().enumerate().skip(1) {
        let shifted = (0..size).map(|index| distance(index + shift));
        match shifted.cmp((0..size).map(distance)) {
            std::cmp::Ordering::Less => return None,
            std::cmp::Ordering::Equal => return Some(place),
            std::cmp::Ordering::Greater => {}
        }
    }
    Some(ring)
}
