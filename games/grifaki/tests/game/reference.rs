//! The rules against a slow, plain version of them, over random games: everything is worked out anew from the whole
//! board each time, and nothing is kept. Every byte that every seat is sent must be the same after every turn.

use palestra_core::game::{Setup as _, State as _, View as _};
use palestra_core::{Eye, Fate, Fault, Input, Notes, Protocol, Rng, Seat};
use palestra_grifaki::{Action, Base, Build, Building, Decimal, Grifaki, Map, Move, Settings, Site, State};
use proptest::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Cell {
    mountain: bool,
    city: bool,
    /// Whose capital; 0 is none.
    original: u8,
    owner: u8,
    units: i128,
    wall: bool,
}

impl Cell {
    fn word(self) -> &'static str {
        match self {
            Cell { mountain: true, .. } => "MOUNTAIN",
            Cell { original: 1.., .. } if self.original == self.owner => "CAPITAL",
            Cell { original: 1.., .. } => "FALLEN_CAPITAL",
            Cell { city: true, .. } => "CITY",
            _ => "PLAIN",
        }
    }
}

struct Reference {
    settings: Settings,
    height: i64,
    width: i64,
    cells: Vec<Cell>,
    players: u8,
    tick: u32,
    to_move: Option<u8>,
    walls: Vec<u32>,
    cities: Vec<u32>,
    /// By seat: the number of the turn it fell in, and whether by a fault.
    fallen: Vec<Option<(u32, bool)>>,
    turn: u32,
}

impl Reference {
    fn new(settings: &Settings, map: &Map) -> Reference {
        let players = map.seats();
        let cells = map.sites().iter().map(|site| {
            let land =
                Cell { mountain: false, city: false, original: 0, owner: 0, units: 0, wall: site.wall };
            match site.base {
                Base::Plain { units } => Cell { units: i128::from(units), ..land },
                Base::City { units } => Cell { units: i128::from(units), city: true, ..land },
                Base::Capital { player } => {
                    Cell { units: i128::from(settings.start_army), original: player, owner: player, ..land }
                }
                Base::Mountain => Cell { mountain: true, ..land },
            }
        });
        Reference {
            settings: settings.clone(),
            height: i64::from(map.board().rows()),
            width: i64::from(map.board().columns()),
            cells: cells.collect(),
            players,
            tick: 0,
            to_move: Some(1),
            walls: vec![0; usize::from(players) + 1],
            cities: vec![0; usize::from(players) + 1],
            fallen: vec![None; usize::from(players) + 1],
            turn: 0,
        }
    }

    fn index(&self, [x, y]: [i64; 2]) -> Option<usize> {
        let inside = x >= 0 && y >= 0 && x < self.height && y < self.width;
        inside.then(|| (x * self.width + y) as usize)
    }

    fn place(&self, at: usize) -> [i64; 2] {
        [at as i64 / self.width, at as i64 % self.width]
    }

    /// A cell without units is nobody's.
    fn tidy(&mut self) {
        for cell in &mut self.cells {
            if cell.units == 0 {
                cell.owner = 0;
            }
        }
    }

    fn land(&self, player: u8) -> usize {
        self.cells.iter().filter(|cell| cell.owner == player).count()
    }

    fn army(&self, player: u8) -> i128 {
        self.cells.iter().filter(|cell| cell.owner == player).map(|cell| cell.units).sum()
    }

    fn alive(&self) -> Vec<u8> {
        (1..=self.players).filter(|player| self.fallen[usize::from(*player)].is_none()).collect()
    }

    fn turn(&mut self, me: u8, action: Option<&Action>) {
        self.turn += 1;
        match action {
            None => {
                for cell in self.cells.iter_mut().filter(|cell| cell.owner == me) {
                    cell.owner = 0;
                }
                self.fallen[usize::from(me)] = Some((self.turn, true));
            }
            Some(Action::Empty) => {}
            Some(Action::Move(order)) => {
                let _ = self.units_move(me, order);
            }
            Some(Action::Build(order)) => {
                let _ = self.build(me, order);
            }
        }
        self.tidy();
        for player in self.alive() {
            if self.land(player) == 0 {
                self.fallen[usize::from(player)] = Some((self.turn, false));
            }
        }
        let alive = self.alive();
        if alive.len() <= 1 {
            self.to_move = None;
            return;
        }
        self.to_move = alive.iter().copied().find(|player| *player > me);
        if self.to_move.is_none() {
            self.tick += 1;
            self.grow();
            if self.tick < self.settings.max_game_duration {
                self.to_move = Some(alive[0]);
            }
        }
    }

    fn units_move(&mut self, me: u8, order: &Move) -> Option<()> {
        let (from, to) = (self.index(order.from)?, self.index(order.to)?);
        let apart = (order.from[0] - order.to[0]).abs() + (order.from[1] - order.to[1]).abs();
        let amount = i128::from(order.amount);
        let most = self.cells[from].units - i128::from(self.settings.leave_one);
        if self.cells[from].owner != me
            || apart != 1
            || self.cells[to].mountain
            || amount < 1
            || amount > most
        {
            return None;
        }
        self.cells[from].units -= amount;
        let target = &mut self.cells[to];
        if target.owner == me {
            target.units += amount;
            return Some(());
        }
        let (p, q) = match target.wall {
            true => self.settings.wall_defense_coefficient.fraction(),
            false => (1, 1),
        };
        let (p, q, a, d) = (i128::from(p), i128::from(q), amount, target.units);
        // a > b, with b = d p / q.
        if a * q > d * p {
            target.units = (a * q - d * p).div_euclid(q);
            target.owner = me;
        } else {
            target.units = (d * p - a * q).div_euclid(p);
        }
        Some(())
    }

    fn build(&mut self, me: u8, order: &Build) -> Option<()> {
        let (from, to) = (self.index(order.from)?, self.index(order.to)?);
        let apart = (order.from[0] - order.to[0]).abs() + (order.from[1] - order.to[1]).abs();
        if self.cells[from].owner != me || self.cells[to].owner != me || apart > 1 {
            return None;
        }
        let (base, growth, built) = match order.building {
            Building::Wall => (self.settings.wall_cost, self.settings.wall_cost_growth, &mut self.walls),
            Building::City => (self.settings.city_cost, self.settings.city_cost_growth, &mut self.cities),
        };
        let built = &mut built[usize::from(me)];
        let fits = match order.building {
            Building::Wall => !self.cells[to].wall,
            Building::City => self.cells[to].word() == "PLAIN",
        };
        let price = i128::from(base) * i128::from(100 + growth).pow(*built) / 100_i128.pow(*built);
        if !fits || self.cells[from].units < price {
            return None;
        }
        *built += 1;
        self.cells[from].units -= price;
        match order.building {
            Building::Wall => self.cells[to].wall = true,
            Building::City => self.cells[to].city = true,
        }
        Some(())
    }

    fn grow(&mut self) {
        for player in 1..=self.players {
            let home = self.cells.iter().any(|cell| cell.original == player && cell.owner == player);
            let land_time = self.tick.is_multiple_of(self.settings.land_growth_time);
            let poor_time = self.tick.is_multiple_of(self.settings.no_capital_city_growth);
            for cell in self.cells.iter_mut().filter(|cell| cell.owner == player) {
                let city = cell.city || cell.original != 0;
                cell.units += i128::from(city && (home || poor_time));
                cell.units += i128::from(home && land_time);
            }
        }
    }

    fn sees(&self, player: u8, to: usize) -> bool {
        (0..self.cells.len()).any(|from| self.cells[from].owner == player && self.seen_from(from, to))
    }

    fn seen_from(&self, from: usize, to: usize) -> bool {
        let word = self.cells[from].word();
        let outlook = self.settings.view_distance.iter().find(|entry| entry.0.word() == word);
        let &(_, distance, high) = outlook.unwrap();
        let (a, b) = (self.place(from), self.place(to));
        let apart = (a[0] - b[0]).abs() + (a[1] - b[1]).abs();
        apart <= i64::from(distance)
            && (high
                || (0..self.cells.len())
                    .all(|at| at == to || !self.cells[at].mountain || !crosses(a, b, self.place(at))))
    }

    /// The lines that a seat is asked with.
    fn ask(&self, player: u8, five: bool) -> String {
        let mut text = "0\n".to_owned();
        for (at, cell) in self.cells.iter().enumerate() {
            let words = if self.sees(player, at) {
                let Cell { units, owner, wall, original, .. } = *cell;
                format!("{units} {owner} {} 1 {original} {}", u8::from(wall), cell.word())
            } else {
                format!("0 0 0 0 0 {}", if cell.word() == "PLAIN" { "PLAIN" } else { "MOUNTAIN" })
            };
            let mut words: Vec<&str> = words.split(' ').collect();
            if five {
                words.remove(4);
            }
            text += &(words.join(" ") + "\n");
        }
        text
    }

    /// Places by seat.
    fn places(&self) -> Vec<usize> {
        let key = |player: u8| match self.fallen[usize::from(player)] {
            Some((turn, _)) => (0, turn as usize, 0),
            None => (1, self.land(player), self.army(player)),
        };
        (1..=self.players)
            .map(|player| 1 + (1..=self.players).filter(|other| key(*other) > key(player)).count())
            .collect()
    }
}

/// Whether the line between the centres of two cells goes through the inside of a third: the corners of that cell lie on
/// both sides of the line, and the cell is not beyond one of its ends. Coordinates are doubled, so that all are whole.
fn crosses(a: [i64; 2], b: [i64; 2], cell: [i64; 2]) -> bool {
    let double = |place: [i64; 2]| place.map(|part| 2 * part);
    let (a, b, centre) = (double(a), double(b), double(cell));
    let side =
        |corner: [i64; 2]| ((b[0] - a[0]) * (corner[1] - a[1]) - (b[1] - a[1]) * (corner[0] - a[0])).signum();
    let corners = [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(|[x, y]| side([centre[0] + x, centre[1] + y]));
    let both_sides = corners.contains(&1) && corners.contains(&-1);
    let within = (0..2).all(|axis| {
        let (low, high) = (a[axis].min(b[axis]), a[axis].max(b[axis]));
        centre[axis] + 1 > low && centre[axis] - 1 < high
    });
    both_sides && within
}

/// Small numbers everywhere, so that much happens in a short game.
fn settings(rng: &mut Rng) -> Settings {
    let mut settings = Settings {
        land_growth_time: rng.between(1, 9),
        no_capital_city_growth: rng.between(1, 4),
        wall_defense_coefficient: Decimal::new(u64::from(rng.below(25)), rng.below(2)),
        max_game_duration: rng.between(5, 60),
        start_army: rng.between(1, 40),
        wall_cost: rng.below(6),
        wall_cost_growth: rng.below(60),
        city_cost: rng.below(12),
        city_cost_growth: rng.below(80),
        leave_one: rng.chance(1, 4),
        ..Settings::default()
    };
    for (_, distance, high) in &mut settings.view_distance {
        if rng.chance(1, 2) {
            (*distance, *high) = (rng.below(6), rng.chance(1, 3));
        }
    }
    if rng.chance(1, 3) {
        settings.five_word_seats = vec![1];
    }
    settings
}

fn map(rng: &mut Rng, settings: &Settings) -> Map {
    let (height, width) = (rng.between(1, 7), rng.between(2, 7));
    let players = rng.between(2, (height * width).min(4));
    let mut sites: Vec<Site> = (0..height * width)
        .map(|_| match rng.below(10) {
            0 | 1 => Base::Mountain.bare(),
            2 => Site { base: Base::City { units: rng.below(5) }, wall: rng.chance(1, 3) },
            _ => Site {
                base: Base::Plain { units: rng.below(20) / 15 * rng.below(6) },
                wall: rng.chance(1, 6),
            },
        })
        .collect();
    let mut places: Vec<usize> = (0..sites.len()).collect();
    rng.shuffle(&mut places);
    for (player, at) in (1..=players).zip(places) {
        sites[at] = Site { base: Base::Capital { player: player as u8 }, wall: rng.chance(1, 5) };
    }
    let words: Vec<String> = sites.iter().map(Site::to_string).collect();
    Map::read(settings, &format!("{height} {width} {players} {}", words.join(" "))).unwrap()
}

/// Mostly something that is allowed.
fn action(rng: &mut Rng, game: &Reference, me: u8) -> Action {
    let own: Vec<usize> = (0..game.cells.len()).filter(|at| game.cells[*at].owner == me).collect();
    let any = rng.below(game.cells.len() as u32) as usize;
    let at = if rng.chance(9, 10) { *rng.pick(&own).unwrap() } else { any };
    let from = game.place(at);
    let [down, right] = *rng.pick(&[[0, 1], [1, 0], [0, -1], [-1, 0], [0, 0]]).unwrap();
    let to = [from[0] + down, from[1] + right];
    // More than so many buildings of a kind would not fit the plain arithmetic here.
    let few = game.walls[usize::from(me)] < 12 && game.cities[usize::from(me)] < 12;
    match rng.below(8) {
        0 => Action::Empty,
        1 | 2 if few => {
            let building = if rng.chance(1, 2) { Building::Wall } else { Building::City };
            Action::Build(Build { from, to, building })
        }
        _ => {
            let present = game.cells[at].units as i64;
            let amount = match rng.below(4) {
                0 => i64::from(rng.below(9)) - 1,
                1 => present,
                2 => present - 1,
                _ => present / 2 + 1,
            };
            Action::Move(Move { from, to, amount })
        }
    }
}

fn compare(seed: u64) -> Result<(), TestCaseError> {
    let mut rng = Rng::new(seed);
    let settings = settings(&mut rng);
    let map = map(&mut rng, &settings);
    let mut state = State::start(&settings, &map, seed).unwrap();
    let mut reference = Reference::new(&settings, &map);
    let mut notes = Notes::counted();
    loop {
        prop_assert_eq!(state.to_move().map(Seat::number), reference.to_move);
        for seat in Seat::all(map.seats()) {
            let mut sent = Vec::new();
            Grifaki::ask(state.view(Eye::Seat(seat)), &mut sent);
            let five = settings.five_word_seats.contains(&seat.number());
            prop_assert_eq!(String::from_utf8(sent).unwrap(), reference.ask(seat.number(), five));
        }
        let all = state.view(Eye::Spectator).frame();
        for (player, number) in all.players.iter().zip(1..) {
            prop_assert_eq!(player.army.map(i128::from), Some(reference.army(number)));
            prop_assert_eq!(player.land.map(|land| land as usize), Some(reference.land(number)));
        }
        let Some(seat) = state.to_move() else {
            break;
        };
        if rng.chance(1, 300) {
            state.apply(seat, Input::Fault(&Fault::OutOfTime), &mut notes);
            reference.turn(seat.number(), None);
        } else {
            let action = action(&mut rng, &reference, seat.number());
            state.apply(seat, Input::Answer(&action), &mut notes);
            reference.turn(seat.number(), Some(&action));
        }
    }
    let outcome = state.outcome().unwrap();
    let places: Vec<usize> = outcome.placings.iter().map(|placing| placing.place as usize).collect();
    prop_assert_eq!(&places, &reference.places());
    let best = places.iter().filter(|place| **place == 1).count();
    prop_assert_eq!(outcome.winner.is_some(), best == 1);
    for (placing, number) in outcome.placings.iter().zip(1_usize..) {
        let fate = match reference.fallen[number] {
            None => Fate::Alive,
            Some((_, false)) => Fate::Out,
            Some((_, true)) => Fate::Disqualified,
        };
        prop_assert_eq!(placing.fate, fate);
        prop_assert_eq!(placing.score.parts(), if placing.place == 1 { (1, best as u64) } else { (0, 1) });
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]
    #[test]
    fn the_rules_are_what_the_plain_version_says(seed: u64) {
        compare(seed)?;
    }
}
