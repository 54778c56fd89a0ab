//! A game in the hands of a test.

use palestra_auralux::{Auralux, Map, Order, Settings, State};
use palestra_core::game::{Setup as _, State as _};
use palestra_core::{Eye, Fault, Input, Notes, Outcome, Protocol, Seat};
use palestra_testkit::english;

pub(crate) struct Play {
    pub(crate) state: State,
    pub(crate) notes: Notes,
}

pub(crate) fn orders(list: &[(i32, i32, i32)]) -> Vec<Order> {
    list.iter().map(|&(from, to, count)| Order { from, to, count }).collect()
}

impl Play {
    pub(crate) fn new(settings: &Settings, map: &str) -> Play {
        let setup = Map::read(settings, map).unwrap();
        Play { state: State::start(settings, &setup, 0).unwrap(), notes: Notes::kept() }
    }

    /// Players that are `distance` apart, and `neutral` more planets as far from each other and from them.
    pub(crate) fn equidistant(settings: &Settings, players: usize, neutral: usize, distance: u32) -> Play {
        let planets = players + neutral;
        let mut map = format!("matrix {planets} {players}\n");
        for player in 1..=players {
            map += &format!("{player} ");
        }
        for from in 0..planets {
            for to in 0..planets {
                map += if from == to { "0 " } else { "D " };
            }
        }
        Play::new(settings, &map.replace('D', &distance.to_string()))
    }

    pub(crate) fn to_move(&self) -> Option<u8> {
        self.state.to_move().map(Seat::number)
    }

    pub(crate) fn orders(&mut self, list: &[(i32, i32, i32)]) -> &mut Play {
        let seat = self.state.to_move().expect("the game goes on");
        self.state.apply(seat, Input::Answer(&orders(list)), &mut self.notes);
        self
    }

    /// Turns without orders.
    pub(crate) fn idle(&mut self, turns: u32) -> &mut Play {
        for _ in 0..turns {
            self.orders(&[]);
        }
        self
    }

    pub(crate) fn fault(&mut self) -> &mut Play {
        let seat = self.state.to_move().expect("the game goes on");
        self.state.apply(seat, Input::Fault(&Fault::OutOfTime), &mut self.notes);
        self
    }

    /// Owner, ships, level and armor of a planet, counted from 1.
    pub(crate) fn planet(&self, number: usize) -> (u8, u64, u8, u32) {
        let planet = self.state.planets()[number - 1];
        (planet.owner, planet.ships, planet.level, planet.armor)
    }

    pub(crate) fn ask(&self, seat: u8) -> String {
        let mut out = Vec::new();
        Auralux::ask(self.state.view(Eye::Seat(Seat::new(seat))), &mut out);
        String::from_utf8(out).unwrap()
    }

    /// The texts of all notes so far.
    pub(crate) fn remarks(&self) -> Vec<String> {
        self.notes
            .list()
            .iter()
            .map(|note| format!("{}: {}", note.seat, english(&Auralux, &note.what)))
            .collect()
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.state.outcome().expect("the game is over")
    }

    pub(crate) fn ships(&self, seat: u8) -> u64 {
        self.state.ships(Seat::new(seat))
    }
}
