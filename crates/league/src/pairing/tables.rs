//! Rounds in tables of equal size: who sits with whom, who sits out and who sits where are all kept even.

use super::field::{Field, Seats};
use super::{Draw, Drawn, PairingError, limits};
use palestra_core::Rng;

pub(super) struct Tables {
    size: usize,
    rounds: u32,
    seed: u64,
    drawn: u32,
    meetings: u64,
    /// Byes by player. Who joins later is taken to have had as many as those with the fewest.
    byes: Vec<u32>,
    met: Met,
    seats: Seats,
    at_first: bool,
}

impl Tables {
    pub(super) fn new(field: &Field, size: usize, rounds: u32, seed: u64) -> Result<Tables, PairingError> {
        if field.len() > limits::TABLE_PLAYERS {
            return Err(PairingError::TooMany { have: field.len(), most: limits::TABLE_PLAYERS });
        }
        let byes = vec![0; field.len()];
        let met = Met::new(field.len());
        let seats = Seats::default();
        Ok(Tables { size, rounds, seed, drawn: 0, meetings: 0, byes, met, seats, at_first: false })
    }

    /// Who sits out: those with the fewest byes, by lot.
    fn sit_out(&self, present: &mut Vec<usize>, rng: &mut Rng) -> Vec<usize> {
        rng.shuffle(present);
        present.sort_by_key(|&index| self.byes[index]);
        let playing = present.split_off(present.len() % self.size);
        std::mem::replace(present, playing)
    }

    /// The best of several drawings: who sits where, table by table, and who sits out.
    fn fairest(&self, present: &[usize], rng: &mut Rng) -> (Vec<usize>, Vec<usize>) {
        let tries = match present.len() <= limits::TABLE_PLAYERS_TRIED {
            true => (limits::TABLE_ROUNDS_TRIED / self.rounds).clamp(1, limits::TABLE_TRIES),
            false => 1,
        };
        let drawn = (0..tries).map(|_| {
            let mut order = present.to_vec();
            let mut byes = self.sit_out(&mut order, rng);
            self.mix(&mut order, rng);
            self.exchange_byes(&mut order, &mut byes, rng);
            let met: u64 = order.chunks(self.size).map(|table| self.met.among(table)).sum();
            (met, order, byes)
        });
        let (_, order, byes) = drawn.min_by_key(|(met, ..)| *met).expect("at least one");
        (order, byes)
    }

    /// Tries to exchange somebody at a table and somebody who sits out, where both had as many byes.
    fn exchange_byes(&self, order: &mut [usize], byes: &mut [usize], rng: &mut Rng) {
        if byes.is_empty() {
            return;
        }
        for _ in 0..order.len() / self.size * limits::EXCHANGES_PER_TABLE {
            let (a, b) = (rng.below(order.len() as u32) as usize, rng.below(byes.len() as u32) as usize);
            if self.byes[order[a]] != self.byes[byes[b]] {
                continue;
            }
            let table = a - a % self.size;
            let met = |order: &[usize]| self.met.at(order[a], &order[table..table + self.size]);
            let before = met(order);
            std::mem::swap(&mut order[a], &mut byes[b]);
            if met(order) > before {
                std::mem::swap(&mut order[a], &mut byes[b]);
            }
        }
    }

    /// Puts players who met seldom at the same table. The order of players becomes that of the tables.
    fn mix(&self, order: &mut [usize], rng: &mut Rng) {
        rng.shuffle(order);
        self.gather(order);
        self.exchange(order, rng);
    }

    /// Fills table after table, each seat with whoever met the others there least.
    fn gather(&self, order: &mut [usize]) {
        for seat in 0..order.len() {
            let (seated, waiting) = order.split_at_mut(seat);
            let table = &seated[seat - seat % self.size..];
            let mut least = u64::MAX;
            let mut chosen = 0;
            for (place, &index) in waiting.iter().enumerate().take(limits::CANDIDATES_PER_SEAT) {
                let met = self.met.at(index, table);
                if met < least {
                    (least, chosen) = (met, place);
                }
                if least == 0 {
                    break;
                }
            }
            waiting.swap(0, chosen);
        }
    }

    /// Tries to exchange players of different tables, at random, and keeps what does no harm.
    fn exchange(&self, order: &mut [usize], rng: &mut Rng) {
        let players = order.len() as u32;
        for _ in 0..order.len() / self.size * limits::EXCHANGES_PER_TABLE {
            let (a, b) = (rng.below(players) as usize, rng.below(players) as usize);
            let (at_a, at_b) = (a - a % self.size, b - b % self.size);
            if at_a == at_b {
                continue;
            }
            let meetings = |order: &[usize]| {
                self.met.at(order[a], &order[at_a..at_a + self.size])
                    + self.met.at(order[b], &order[at_b..at_b + self.size])
            };
            let before = meetings(order);
            if before == 0 {
                continue;
            }
            order.swap(a, b);
            if meetings(order) > before {
                order.swap(a, b);
            }
        }
    }
}

impl Draw for Tables {
    fn draw(&mut self, field: &Field) -> Option<Drawn> {
        let mut present = field.present();
        if self.drawn == self.rounds || present.len() < self.size {
            return None;
        }
        self.drawn += 1;
        let mut rng = Rng::stream(self.seed, "tables", self.drawn.into());
        let byes = if self.at_first {
            let byes = self.sit_out(&mut present, &mut rng);
            self.mix(&mut present, &mut rng);
            byes
        } else {
            let (order, byes) = self.fairest(&present, &mut rng);
            present = order;
            byes
        };
        byes.iter().for_each(|&index| self.byes[index] += 1);
        let mut tables: Vec<Vec<usize>> = present.chunks(self.size).map(<[usize]>::to_vec).collect();
        for table in &mut tables {
            self.met.add(table);
            self.seats.arrange(table);
        }
        self.meetings += tables.len() as u64;
        Some(Drawn { tables, byes })
    }

    fn draw_as_at_first(&mut self) {
        self.at_first = true;
    }

    fn add(&mut self, field: &Field) -> Result<(), PairingError> {
        field.room(limits::TABLE_PLAYERS)?;
        let fewest = field.present().into_iter().map(|index| self.byes[index]).min();
        self.byes.push(fewest.unwrap_or(0));
        self.met.grow(field.len() + 1);
        Ok(())
    }

    fn rounds(&self, _field: &Field) -> Option<u32> {
        Some(self.rounds)
    }

    fn meetings(&self, field: &Field) -> u64 {
        let tables = field.present().len() / self.size;
        self.meetings + u64::from(self.rounds - self.drawn) * tables as u64
    }
}

/// How often every two met.
struct Met(Vec<u32>);

impl Met {
    fn new(players: usize) -> Met {
        let mut met = Met(Vec::new());
        met.grow(players);
        met
    }

    fn grow(&mut self, players: usize) {
        self.0.resize(Met::entry(players, 0), 0);
    }

    /// Pairs are listed by the higher of the two: new ones come last.
    fn entry(one: usize, other: usize) -> usize {
        let (low, high) = (one.min(other), one.max(other));
        high * high.saturating_sub(1) / 2 + low
    }

    /// How often a player met those at a table, squared: to meet often is worse than to meet many.
    fn at(&self, index: usize, table: &[usize]) -> u64 {
        let others = table.iter().filter(|&&other| other != index);
        others.map(|&other| u64::from(self.0[Met::entry(index, other)]).pow(2)).sum()
    }

    /// How often those at a table met, squared.
    fn among(&self, table: &[usize]) -> u64 {
        table.iter().enumerate().map(|(place, &index)| self.at(index, &table[..place])).sum()
    }

    fn add(&mut self, table: &[usize]) {
        for (place, &one) in table.iter().enumerate() {
            for &other in &table[..place] {
                self.0[Met::entry(one, other)] += 1;
            }
        }
    }
}
