//! A planet played forward with the groups that are under way to it.

use crate::settings::Settings;

/// Steps are this far apart on the time line, which leaves room for every seat in between.
pub(super) const STEP: i64 = 16;

/// A group that lands on a planet.
#[derive(Clone, Copy)]
pub(super) struct Landing {
    pub(super) planet: u8,
    pub(super) seat: u8,
    /// On the time line: [`STEP`] times the step from now, plus the seat whose turn it is.
    pub(super) time: i64,
    pub(super) ships: i64,
}

/// A planet played forward.
#[derive(Clone, Copy)]
pub(super) struct Forecast<'a> {
    pub(super) settings: &'a Settings,
    pub(super) landings: &'a [Landing],
    pub(super) owner: u8,
    pub(super) level: u8,
    pub(super) ships: i64,
    pub(super) armor: i64,
    pub(super) time: i64,
}

impl Forecast<'_> {
    /// Plays on to a moment, that moment included.
    pub(super) fn play_until(&mut self, time: i64) {
        while let Some((landing, rest)) = self.landings.split_first()
            && landing.time <= time
        {
            self.landings = rest;
            self.produce_until(landing.time);
            self.land(*landing);
        }
        self.produce_until(time);
    }

    fn produce_until(&mut self, time: i64) {
        if self.level > 0 && time > self.time {
            let turns = |time: i64| (time - i64::from(self.owner)).div_euclid(STEP);
            let each = i64::from(self.level) * i64::from(self.settings.production_multiplier);
            self.ships += each * (turns(time) - turns(self.time));
        }
        self.time = self.time.max(time);
    }

    fn land(&mut self, landing: Landing) {
        if landing.seat == self.owner {
            self.ships += landing.ships;
        } else if landing.ships <= self.ships {
            self.ships -= landing.ships;
        } else {
            let left = landing.ships - self.ships;
            self.ships = 0;
            if self.armor > left {
                self.armor -= left;
            } else {
                self.ships = left - self.armor;
                self.armor = 0;
                self.level = 0;
                self.owner = landing.seat;
            }
        }
        self.settle();
    }

    /// Whoever can capture a planet does.
    pub(super) fn settle(&mut self) {
        let cost = i64::from(self.settings.capture_cost);
        if self.level == 0 && self.ships == 0 {
            self.owner = 0;
        } else if self.level == 0 && self.ships >= cost {
            self.ships -= cost;
            self.level = 1;
            self.armor = i64::from(self.settings.full_armor(1));
        }
    }

    /// The least strength, ships and armor, that the planet has left while its owner holds it; 0 if it falls.
    pub(super) fn weakest(mut self) -> i64 {
        let owner = self.owner;
        let mut least = self.ships + self.armor;
        while let Some(landing) = self.landings.first() {
            self.play_until(landing.time);
            if self.owner != owner {
                return 0;
            }
            least = least.min(self.ships + self.armor);
        }
        least
    }

    /// When the planet falls, if it does, and how many ships would have prevented everything that is under way.
    pub(super) fn fall(mut self) -> Option<(i64, i64)> {
        let owner = self.owner;
        let level = i64::from(self.level) * i64::from(self.settings.production_multiplier);
        let (mut strength, mut time) = (self.ships + self.armor, self.time);
        let mut fall = None;
        let mut missing = 0;
        while let Some((landing, rest)) = self.landings.split_first() {
            self.landings = rest;
            let turns = |time: i64| (time - i64::from(owner)).div_euclid(STEP);
            strength += level * (turns(landing.time) - turns(time));
            time = landing.time;
            if landing.seat == owner {
                strength += landing.ships;
            } else {
                strength -= landing.ships;
            }
            if strength <= 0 {
                fall.get_or_insert(time);
                missing = missing.max(1 - strength);
            }
        }
        fall.map(|time| (time, missing))
    }
}
