//! The strong built-in player: an investor with a look ahead.
//!
//! Every launch is known, so it plays each planet forward with the groups under way and sees who will hold it and
//! with how much. Ships that are not needed where they stand go into whatever pays back soonest: capturing, raising
//! or storming a planet. When saving for the best of these beats spending on another, it saves. It keeps nothing
//! from turn to turn but its tables, so it can take over any game at any time.

use super::forecast::{Forecast, Landing, STEP};
use super::{order, own_seat};
use crate::Auralux;
use crate::settings::Settings;
use crate::state::{Order, Planet, bit, bits};
use crate::view::View;
use palestra_core::{Bot, Fault, Seat};

/// Ships that help brings along beyond what is needed.
const HELP_SURPLUS: i64 = 20;

/// What it makes of chances and dangers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Style {
    /// What each level of an enemy planet close by makes a target dearer, in ships: it will be fought over.
    pub(super) exposure: i64,
    /// What is sent against defenders beyond their strength, in tenths of it.
    pub(super) surplus: i64,
    /// Up to how many times its full armor a planet keeps ships against attacks that could come; 0 keeps none, not even
    /// those that known attacks leave above full armor.
    pub(super) caution: i64,
}

impl Style {
    pub(super) const USUAL: Style = Style { exposure: 200, surplus: 3, caution: 2 };
}

pub(super) struct Admiral {
    style: Style,
    /// For each planet all others, the nearest first; made in the first turn.
    nearest: Vec<u8>,
    /// Planets this far from each other are close by: somewhat under half the longest way on the map.
    close: usize,
    /// Groups under way, by planet and then in the order they land.
    landings: Vec<Landing>,
    /// Where the landings of each planet begin; one more for the end of the last.
    begins: Vec<usize>,
    /// What each planet looks like after the orders given so far.
    planets: Vec<Planet>,
    /// Ships that each own planet can do without.
    spare: Vec<i64>,
}

/// Something to spend ships on.
#[derive(Clone, Copy)]
struct Investment {
    planet: usize,
    /// When the ships are back, in turns from now.
    payback: i64,
    /// Ships to send there, from the nearest planets first; 0 if the planet has all it takes to be raised.
    needed: i64,
    /// Whether the ships are there: otherwise it pays to save for it.
    affordable: bool,
}

impl Bot<Auralux> for Admiral {
    fn act(&mut self, view: View<'_>, orders: &mut Vec<Order>) -> Result<(), Fault> {
        orders.clear();
        self.look(view);
        let mut turn = Turn::new(self, view, orders);
        turn.capture();
        let helped = turn.defend();
        turn.count_spare(helped);
        turn.invest();
        orders.truncate(view.settings().max_orders_per_turn as usize);
        Ok(())
    }
}

impl Admiral {
    pub(super) fn new(style: Style) -> Admiral {
        Admiral {
            style,
            nearest: Vec::new(),
            close: 0,
            landings: Vec::new(),
            begins: Vec::new(),
            planets: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Plays on in another style.
    pub(super) fn take_on(&mut self, style: Style) {
        self.style = style;
    }

    fn look(&mut self, view: View<'_>) {
        let (map, own) = (view.map(), own_seat(view));
        let planets = map.planets();
        if self.nearest.is_empty() {
            for from in 0..planets {
                let row = self.nearest.len();
                self.nearest.extend(0..planets as u8);
                self.nearest[row..].sort_by_key(|&to| map.distance(from, usize::from(to)));
            }
            self.close = map.longest() * 9 / 20;
            let most = view.settings().max_groups_in_space as usize * usize::from(view.seats());
            self.landings.reserve(most.min(16 * 1024));
        }
        self.planets.clear();
        self.planets.extend_from_slice(view.planets());
        self.spare.clear();
        self.spare.resize(planets, 0);
        self.landings.clear();
        for seat in Seat::all(view.seats()) {
            // Seats behind this one still have their turn of this step before them.
            let ahead = i64::from(seat > own);
            for (turns, group) in view.flights(seat) {
                self.landings.push(Landing {
                    planet: group.to,
                    seat: seat.number(),
                    time: (turns as i64 - ahead) * STEP + i64::from(seat.number()),
                    ships: i64::from(group.ships),
                });
            }
        }
        self.landings.sort_unstable_by_key(|landing| (landing.planet, landing.time, landing.ships));
        self.begins.clear();
        let mut at = 0;
        for planet in 0..=planets {
            while self.landings.get(at).is_some_and(|landing| usize::from(landing.planet) < planet) {
                at += 1;
            }
            self.begins.push(at);
        }
    }
}

struct Turn<'a> {
    style: Style,
    view: View<'a>,
    settings: &'a Settings,
    seat: Seat,
    nearest: &'a [u8],
    landings: &'a [Landing],
    begins: &'a [usize],
    planets: &'a mut [Planet],
    spare: &'a mut [i64],
    orders: &'a mut Vec<Order>,
    /// Players that still have something, this one not counted.
    rivals: i64,
    /// Planets this far from each other are close by.
    close: usize,
    /// Groups that may still leave before the limit in space.
    groups_left: u32,
}

impl<'a> Turn<'a> {
    fn new(admiral: &'a mut Admiral, view: View<'a>, orders: &'a mut Vec<Order>) -> Turn<'a> {
        let seat = own_seat(view);
        let rivals = Seat::all(view.seats())
            .filter(|other| *other != seat && (view.owned(*other) != 0 || view.groups(*other) > 0))
            .count();
        Turn {
            style: admiral.style,
            view,
            settings: view.settings(),
            seat,
            nearest: &admiral.nearest,
            landings: &admiral.landings,
            begins: &admiral.begins,
            planets: &mut admiral.planets,
            spare: &mut admiral.spare,
            orders,
            rivals: rivals.max(1) as i64,
            close: admiral.close,
            groups_left: view.settings().max_groups_in_space - view.groups(seat),
        }
    }

    /// Captures every planet that has the ships for it.
    fn capture(&mut self) {
        let cost = u64::from(self.settings.capture_cost);
        for index in bits(self.view.owned(self.seat)) {
            let planet = &mut self.planets[index];
            if planet.level == 0 && planet.ships >= cost {
                self.orders.push(order(index, index, planet.ships));
                planet.ships -= cost;
                planet.level = 1;
                planet.armor = self.settings.full_armor(1);
                planet.owner |= DONE;
            }
        }
    }

    /// The strongest attack that a single enemy planet could start now, less what is produced until it lands. Beyond
    /// some strength it is better met by attacking than by waiting for it everywhere.
    fn threat(&self, target: usize) -> i64 {
        let level = i64::from(self.planets[target].level) * i64::from(self.settings.production_multiplier);
        let distances = self.view.map().distances_from(target);
        let mut worst = 0;
        for seat in Seat::all(self.view.seats()).filter(|seat| *seat != self.seat) {
            for enemy in bits(self.view.owned(seat)) {
                let produced = level * i64::from(distances[enemy]);
                worst = worst.max(self.planets[enemy].ships as i64 - produced);
            }
        }
        worst.min(self.style.caution * i64::from(self.settings.full_armor(self.planets[target].level)))
    }

    /// Sends help to planets that would fall, as far as it comes in time and suffices. For this every planet gives
    /// what it can without falling itself. Returns the planets that were helped.
    fn defend(&mut self) -> u128 {
        let own = self.view.producing(self.seat);
        for index in bits(own) {
            let ships = self.planets[index].ships as i64;
            self.spare[index] = ships.min(self.forecast(index).weakest() - 1).max(0);
        }
        let mut helped = 0;
        for index in bits(own) {
            let Some((time, missing)) = self.forecast(index).fall() else {
                continue;
            };
            self.spare[index] = 0;
            let needed = missing + HELP_SURPLUS;
            let in_time = |distance: i64| distance * STEP + i64::from(self.seat.number()) < time;
            let found: i64 = self
                .sources(index)
                .take_while(|&source| in_time(self.distance(source, index)))
                .map(|source| self.spare[source])
                .sum();
            if found >= needed {
                self.send(index, needed);
                helped |= bit(index);
            }
        }
        helped
    }

    /// What each own planet can give for other things: all that known and likely attacks leave above full armor.
    fn count_spare(&mut self, helped: u128) {
        for index in bits(self.view.owned(self.seat)) {
            let planet = self.planets[index];
            if planet.level == 0 {
                continue;
            }
            let ships = planet.ships as i64;
            let armor = i64::from(self.settings.full_armor(planet.level));
            let reserve = if self.style.caution == 0 { 1 } else { armor.max(1) };
            let holds = self.forecast(index).weakest() - reserve;
            let safe = ships + i64::from(planet.armor) - self.threat(index);
            // Whoever was sent ships to be raised with keeps them.
            let awaits = self.landings_on(index).iter().any(|landing| landing.seat == self.seat.number());
            let saves = awaits && self.settings.cost_to_raise(planet.level).is_some();
            self.spare[index] =
                if saves || helped & bit(index) != 0 { 0 } else { ships.min(holds).min(safe).max(0) };
        }
    }

    /// Spends on what pays back soonest, until it pays to save.
    fn invest(&mut self) {
        // Each round spends; the number of planets bounds how often that can make sense.
        for _ in 0..self.planets.len() {
            let best = (0..self.planets.len())
                .filter_map(|planet| self.appraise(planet))
                .min_by_key(|investment| investment.payback);
            match best {
                Some(best) if best.affordable => self.carry_out(best),
                _ => return,
            }
        }
    }

    fn carry_out(&mut self, investment: Investment) {
        let Investment { planet: index, needed, .. } = investment;
        if needed == 0 {
            // The ships are there: raise the planet now.
            let planet = &mut self.planets[index];
            self.orders.push(order(index, index, planet.ships));
            let missing = self.settings.full_armor(planet.level) - planet.armor;
            let cost = self.settings.cost_to_raise(planet.level).unwrap_or(0) + missing;
            planet.ships -= u64::from(cost);
            planet.level += 1;
            planet.armor = self.settings.full_armor(planet.level);
        } else {
            self.send(index, needed);
        }
        // It is done with for this turn, and what it still has can go in the next.
        self.spare[index] = 0;
        self.planets[index].owner |= DONE;
    }

    /// Sends ships from the nearest planets that can spare them.
    fn send(&mut self, target: usize, mut needed: i64) {
        for &source in &self.nearest[target * self.planets.len()..][..self.planets.len()] {
            let source = usize::from(source);
            let ships = self.spare[source].min(needed);
            if ships > 0 && source != target && self.groups_left > 0 {
                self.groups_left -= 1;
                self.orders.push(order(source, target, ships as u64));
                self.planets[source].ships -= ships as u64;
                self.spare[source] -= ships;
                needed -= ships;
            }
        }
    }

    /// What it would take to invest in a planet, if that makes sense at all.
    fn appraise(&self, index: usize) -> Option<Investment> {
        let planet = self.planets[index];
        if planet.owner & DONE != 0 {
            return None;
        }
        let own = self.seat.number();
        if planet.owner == own && planet.level > 0 {
            return self.appraise_raising(index, planet);
        }
        let dearer = self.exposure(index) * self.style.exposure;
        let mut forecast = self.forecast(index);
        let mut found = 0;
        let mut last = None;
        for source in self.sources(index) {
            let distance = self.distance(source, index);
            forecast.play_until(distance * STEP + i64::from(own));
            let price = self.price(&forecast, dearer)?;
            found += self.spare[source];
            last = Some((distance, price));
            if found >= price.ships {
                return Some(self.investment(index, price, distance, true));
            }
        }
        // Not now: how long would it take to save up for it?
        let (distance, price) = last?;
        let income = self.view.production(self.seat) as i64 - price.growth;
        if income <= 0 {
            return None;
        }
        let wait = (price.ships - found).div_euclid(income) + 1;
        Some(self.investment(index, price, distance + wait, false))
    }

    fn investment(&self, planet: usize, price: Price, delay: i64, affordable: bool) -> Investment {
        Investment {
            planet,
            payback: delay + (price.ships + price.dearer) * GAIN_UNIT / price.gain,
            needed: price.ships,
            affordable,
        }
    }

    /// Raising an own planet, with its own ships or with help from others.
    fn appraise_raising(&self, index: usize, planet: Planet) -> Option<Investment> {
        let missing = self.settings.full_armor(planet.level) - planet.armor;
        let cost = i64::from(self.settings.cost_to_raise(planet.level)? + missing);
        let gain = i64::from(self.settings.production_multiplier);
        if gain == 0 {
            return None;
        }
        let raised = i64::from(self.settings.full_armor(planet.level + 1));
        let strength_after = planet.ships as i64 - cost + raised;
        let mut forecast = self.forecast(index);
        let ready = |needed, delay| Investment {
            planet: index,
            payback: delay + cost / gain,
            needed,
            affordable: true,
        };
        if planet.ships as i64 >= cost.max(1) {
            let weakened = planet.ships as i64 + i64::from(planet.armor) - strength_after;
            let stays = strength_after >= self.threat(index) && forecast.weakest() > weakened;
            return (stays || weakened <= 0).then(|| ready(0, 0));
        }
        let mut found = 0;
        for source in self.sources(index) {
            let distance = self.distance(source, index);
            forecast.play_until(distance * STEP + i64::from(self.seat.number()));
            let short = cost - forecast.ships;
            if forecast.owner != self.seat.number() {
                return None;
            }
            if short <= 0 {
                break;
            }
            found += self.spare[source];
            if found >= short {
                return Some(ready(short, distance));
            }
        }
        // By itself, or with what the others will have: it saves up where it is.
        let short = (cost - planet.ships as i64 - found).max(0);
        let income = i64::from(planet.level) * gain;
        let wait = short.div_euclid(income.max(1)) + 1;
        Some(Investment { affordable: false, ..ready(short, wait) })
    }

    /// What taking a planet costs when the first ships land at this moment; `None` if it is taken care of.
    fn price(&self, forecast: &Forecast<'_>, dearer: i64) -> Option<Price> {
        let own = self.seat.number();
        let capture = i64::from(self.settings.capture_cost.max(1));
        let unit = i64::from(self.settings.production_multiplier).max(1) * GAIN_UNIT;
        if forecast.owner == own {
            let short = capture - forecast.ships;
            return (forecast.level == 0 && short > 0).then_some(Price {
                ships: short,
                dearer,
                gain: unit,
                growth: 0,
            });
        }
        if forecast.level == 0 {
            return Some(Price { ships: forecast.ships + capture, dearer, gain: unit, growth: 0 });
        }
        let level = i64::from(forecast.level);
        let strength = forecast.ships + forecast.armor;
        Some(Price {
            // A little more than the defenders, who may raise the planet or bring a few ships along meanwhile.
            ships: strength + strength * self.style.surplus / 10 + 10 + capture,
            dearer,
            // What a rival loses is a gain, shared with all other rivals.
            gain: unit + level * unit / self.rivals,
            growth: level * i64::from(self.settings.production_multiplier),
        })
    }

    /// The levels of enemy planets close by, less those of own ones.
    fn exposure(&self, index: usize) -> i64 {
        let distances = self.view.map().distances_from(index);
        let close = |planet: &usize| usize::from(distances[*planet]) <= self.close;
        let mut levels = 0;
        for seat in Seat::all(self.view.seats()) {
            let sign = if seat == self.seat { -1 } else { 1 };
            let planets = bits(self.view.producing(seat) & !bit(index)).filter(close);
            levels += sign * planets.map(|planet| i64::from(self.planets[planet].level)).sum::<i64>();
        }
        levels.max(0)
    }

    fn forecast(&self, index: usize) -> Forecast<'a> {
        let planet = self.planets[index];
        let mut forecast = Forecast {
            settings: self.settings,
            landings: self.landings_on(index),
            owner: planet.owner & !DONE,
            level: planet.level,
            ships: planet.ships as i64,
            armor: i64::from(planet.armor),
            time: i64::from(self.seat.number()),
        };
        forecast.settle();
        forecast
    }

    fn landings_on(&self, index: usize) -> &'a [Landing] {
        &self.landings[self.begins[index]..self.begins[index + 1]]
    }

    /// Own planets with ships to spare, the nearest first; never the target itself.
    fn sources(&self, target: usize) -> impl Iterator<Item = usize> + '_ {
        let own = self.view.owned(self.seat);
        self.nearest[target * self.planets.len()..][..self.planets.len()]
            .iter()
            .map(|&planet| usize::from(planet))
            .filter(move |&planet| planet != target && own & bit(planet) != 0 && self.spare[planet] > 0)
    }

    fn distance(&self, from: usize, to: usize) -> i64 {
        self.view.map().distance(from, to) as i64
    }
}

/// Marks the owner of a planet that has its investment for this turn.
const DONE: u8 = 0x80;
/// Gains are counted in this part of a ship.
const GAIN_UNIT: i64 = 12;

#[derive(Clone, Copy)]
struct Price {
    ships: i64,
    /// What it costs in the long run beyond them.
    dearer: i64,
    /// In [`GAIN_UNIT`]s per turn.
    gain: i64,
    /// What waiting a turn adds to the price.
    growth: i64,
}
