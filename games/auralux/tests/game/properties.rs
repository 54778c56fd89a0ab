//! Random games against a slow implementation that is easy to believe, and texts that nobody would write.

use palestra_auralux::{Auralux, Map, Order, Settings, Standing, State, bits};
use palestra_core::game::{Setup as _, State as _};
use palestra_core::legacy::ConfigFile;
use palestra_core::{AnyGame, Eye, Fault, Input, Notes, Parsed, PlanRequest, Progress, Protocol, Rng, Seat};
use proptest::prelude::*;

/// The rules once more, as plainly as possible: lists that are searched from end to end.
struct Slow {
    settings: Settings,
    distances: Vec<Vec<i64>>,
    planets: Vec<SlowPlanet>,
    groups: Vec<SlowGroup>,
    /// The launches of each player's latest turn.
    launches: Vec<Vec<(usize, usize, i64)>>,
    gone: Vec<Gone>,
    step: u32,
    player: usize,
    over: bool,
    remarks: u32,
    /// Every ship that came to be, less every ship that ended.
    ledger: i64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct SlowPlanet {
    owner: usize,
    ships: i64,
    level: usize,
    armor: i64,
}

struct SlowGroup {
    owner: usize,
    to: usize,
    ships: i64,
    turns: i64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Gone {
    No,
    Dead,
    Disqualified,
}

impl Slow {
    fn new(settings: &Settings, distances: Vec<Vec<i64>>, starts: &[usize]) -> Slow {
        let nothing = SlowPlanet { owner: 0, ships: 0, level: 0, armor: 0 };
        let mut planets = vec![nothing; distances.len()];
        for (index, start) in starts.iter().enumerate() {
            planets[*start] = SlowPlanet {
                owner: index + 1,
                ships: i64::from(settings.start_ships),
                level: 1,
                armor: i64::from(settings.armor[0]),
            };
        }
        Slow {
            settings: settings.clone(),
            distances,
            planets,
            groups: Vec::new(),
            launches: vec![Vec::new(); starts.len()],
            gone: vec![Gone::No; starts.len()],
            step: 1,
            player: 1,
            over: false,
            remarks: 0,
            ledger: i64::from(settings.start_ships) * starts.len() as i64,
        }
    }

    /// The turn of the player to move, `None` for a fault, and what follows until somebody is asked.
    fn turn(&mut self, orders: Option<&[Order]>) {
        match orders {
            Some(orders) if orders.len() <= self.settings.max_orders_per_turn as usize => {
                let mut settled = Vec::new();
                for order in orders {
                    self.order(*order, &mut settled);
                }
            }
            _ => self.gone[self.player - 1] = Gone::Disqualified,
        }
        loop {
            self.player += 1;
            if self.player > self.gone.len() {
                self.player = 1;
                self.step += 1;
            }
            let alive = self.gone.iter().filter(|gone| **gone == Gone::No).count();
            if alive <= 1 || self.step > self.settings.max_steps {
                self.over = true;
                return;
            }
            self.launches[self.player - 1].clear();
            if self.step > 1 {
                self.produce();
                self.fly();
            }
            let has_planet = self.planets.iter().any(|planet| planet.owner == self.player);
            let has_group = self.groups.iter().any(|group| group.owner == self.player);
            if self.gone[self.player - 1] == Gone::No {
                if has_planet || has_group {
                    return;
                }
                self.gone[self.player - 1] = Gone::Dead;
            }
        }
    }

    fn produce(&mut self) {
        for planet in &mut self.planets {
            if planet.owner == self.player {
                let produced = i64::from(self.settings.production_multiplier) * planet.level as i64;
                planet.ships += produced;
                self.ledger += produced;
            }
        }
    }

    fn fly(&mut self) {
        for group in &mut self.groups {
            if group.owner == self.player {
                group.turns -= 1;
            }
        }
        let mut index = 0;
        while index < self.groups.len() {
            if self.groups[index].turns == 0 {
                let group = self.groups.remove(index);
                self.land(group);
            } else {
                index += 1;
            }
        }
    }

    fn land(&mut self, group: SlowGroup) {
        let planet = &mut self.planets[group.to];
        if planet.owner == group.owner {
            planet.ships += group.ships;
            return;
        }
        // One ship after the other, as the seed tells it.
        let mut left = group.ships;
        while left > 0 && planet.ships > 0 {
            left -= 1;
            planet.ships -= 1;
            self.ledger -= 2;
        }
        if left > 0 {
            while left > 0 && planet.armor > 0 {
                left -= 1;
                planet.armor -= 1;
                self.ledger -= 1;
            }
            if planet.armor == 0 {
                *planet = SlowPlanet { owner: group.owner, ships: left, level: 0, armor: 0 };
            }
        }
        self.tidy(group.to);
    }

    fn tidy(&mut self, planet: usize) {
        let planet = &mut self.planets[planet];
        if planet.level == 0 && planet.ships == 0 {
            planet.owner = 0;
        }
    }

    fn order(&mut self, order: Order, settled: &mut Vec<usize>) {
        let planets = 1..=self.planets.len() as i32;
        if !planets.contains(&order.from) || !planets.contains(&order.to) || order.count <= 0 {
            self.remarks += 1;
            return;
        }
        let (from, to, count) = (order.from as usize - 1, order.to as usize - 1, i64::from(order.count));
        let planet = &mut self.planets[from];
        if planet.owner != self.player || planet.ships < count {
            self.remarks += 1;
            return;
        }
        if from != to {
            planet.ships -= count;
            self.tidy(from);
            let flying = self.groups.iter().filter(|group| group.owner == self.player).count();
            if flying >= self.settings.max_groups_in_space as usize {
                self.remarks += 1;
                self.ledger -= count;
                return;
            }
            let turns = self.distances[from][to];
            self.groups.push(SlowGroup { owner: self.player, to, ships: count, turns });
            self.launches[self.player - 1].push((from, to, count));
            return;
        }
        if settled.contains(&from) {
            self.remarks += 1;
            return;
        }
        let armor = |level: usize| i64::from(self.settings.armor[level - 1]);
        if planet.level == 0 {
            let cost = i64::from(self.settings.capture_cost);
            if count >= cost {
                *planet = SlowPlanet { ships: planet.ships - cost, level: 1, armor: armor(1), ..*planet };
                self.ledger -= cost;
                settled.push(from);
            }
            return;
        }
        let missing = armor(planet.level) - planet.armor;
        if planet.level < 3 {
            let cost = i64::from(self.settings.upgrade_cost[planet.level - 1]) + missing;
            if count >= cost {
                planet.ships -= cost;
                self.ledger -= cost;
                planet.level += 1;
                planet.armor = armor(planet.level);
                settled.push(from);
                return;
            }
        }
        let repaired = missing.min(count);
        planet.armor += repaired;
        planet.ships -= repaired;
        self.ledger -= repaired;
    }

    fn ask(&self, seat: usize) -> String {
        let mut lines = Vec::new();
        for (index, launches) in self.launches.iter().enumerate() {
            if index + 1 != seat {
                for (from, to, ships) in launches {
                    lines.push(format!("{} {} {} {ships}", index + 1, from + 1, to + 1));
                }
            }
        }
        lines.insert(0, lines.len().to_string());
        for planet in &self.planets {
            lines.push(format!("{} {} {} {}", planet.owner, planet.ships, planet.level, planet.armor));
        }
        lines.join("\n") + "\n"
    }
}

/// Everything that the state keeps up to date, computed again from scratch.
fn check_books(state: &State) {
    for seat in Seat::all(state.seats()) {
        let own = || state.planets().iter().enumerate().filter(|(_, planet)| planet.owner == seat.number());
        let owned: u128 = own().map(|(index, _)| 1_u128 << index).sum();
        let producing: u128 =
            own().filter(|(_, planet)| planet.level > 0).map(|(index, _)| 1_u128 << index).sum();
        let levels: u64 = own().map(|(_, planet)| u64::from(planet.level)).sum();
        let standing: u64 = own().map(|(_, planet)| planet.ships).sum();
        let flights = state.flights(seat);
        let flying: u64 = flights.iter().map(|(_, group)| u64::from(group.ships)).sum();
        assert_eq!(state.owned(seat), owned);
        assert_eq!(state.producing(seat), producing);
        assert_eq!(state.production(seat), levels * u64::from(state.settings().production_multiplier));
        assert_eq!(flights.iter().count(), flights.groups() as usize);
        assert_eq!(flights.ships(), flying);
        assert_eq!(state.ships(seat), standing + flying);
    }
    for planet in state.planets() {
        assert_eq!(planet.owner == 0, planet.level == 0 && planet.ships == 0);
        assert!(planet.armor <= state.settings().full_armor(planet.level));
    }
    let alive = Seat::all(state.seats()).filter(|seat| *state.standing(*seat) == Standing::Alive);
    assert_eq!(alive.count(), usize::from(state.alive()));
}

/// Rules that make much happen in few turns.
fn random_settings(rng: &mut Rng) -> Settings {
    let mut small = |most| rng.between(0, most);
    Settings {
        max_steps: 1 + small(150),
        start_ships: small(60),
        capture_cost: small(15),
        upgrade_cost: [small(20), small(30)],
        armor: [small(12), small(20), small(30)],
        production_multiplier: small(3),
        max_groups_in_space: small(12),
        max_orders_per_turn: 1 + small(8),
        max_distance: 1 + small(8),
        max_players: 8,
        ..Settings::default()
    }
}

fn random_map(rng: &mut Rng, settings: &Settings) -> (String, Vec<Vec<i64>>, Vec<usize>) {
    let players = rng.between(2, 5) as usize;
    let planets = players + rng.between(0, 5) as usize;
    let mut distances = vec![vec![0; planets]; planets];
    for (from, to) in (0..planets).flat_map(|from| (0..from).map(move |to| (from, to))) {
        let distance = i64::from(rng.between(1, settings.max_distance));
        distances[from][to] = distance;
        distances[to][from] = distance;
    }
    let mut starts: Vec<usize> = (0..planets).collect();
    rng.shuffle(&mut starts);
    starts.truncate(players);
    let mut map = format!("matrix {planets} {players}\n");
    for number in starts.iter().map(|start| *start as i64 + 1).chain(distances.iter().flatten().copied()) {
        map += &format!("{number} ");
    }
    (map, distances, starts)
}

/// Mostly sensible orders, some that are not allowed.
fn random_orders(rng: &mut Rng, state: &State, seat: Seat, orders: &mut Vec<Order>) {
    orders.clear();
    let planets = state.planets().len() as u32;
    let own: Vec<usize> = bits(state.owned(seat)).collect();
    let most = state.settings().max_orders_per_turn;
    let too_many = rng.chance(1, 400);
    let count = if too_many { most + 1 } else { rng.between(0, most.min(4)) };
    for _ in 0..count {
        let from = match rng.pick(&own) {
            Some(planet) if rng.chance(9, 10) => *planet as i32 + 1,
            _ => rng.between(0, planets + 1) as i32,
        };
        let to = if rng.chance(1, 3) { from } else { rng.between(0, planets + 1) as i32 };
        let there =
            state.planets().get(from as usize - usize::from(from > 0)).map_or(0, |planet| planet.ships);
        let count = match rng.below(8) {
            0..3 => there as i32,
            3 => rng.between(0, 20) as i32 - 2,
            4 => there as i32 + 1,
            _ => rng.between(0, there.min(1000) as u32) as i32,
        };
        orders.push(Order { from, to, count });
    }
}

fn play_against_the_slow_rules(seed: u64) {
    let mut rng = Rng::new(seed);
    let settings = random_settings(&mut rng);
    let (map, distances, starts) = random_map(&mut rng, &settings);
    let setup = Map::read(&settings, &map).unwrap();
    let mut state = State::start(&settings, &setup, 0).unwrap();
    let mut slow = Slow::new(&settings, distances, &starts);
    let mut notes = Notes::counted();
    let mut orders = Vec::new();
    let mut text = Vec::new();
    loop {
        assert_eq!(state.to_move().is_none(), slow.over);
        for seat in Seat::all(state.seats()) {
            text.clear();
            Auralux::ask(state.view(Eye::Seat(seat)), &mut text);
            assert_eq!(String::from_utf8_lossy(&text), slow.ask(seat.index() + 1));
            let gone = match state.standing(seat) {
                Standing::Alive => Gone::No,
                Standing::Dead { .. } => Gone::Dead,
                Standing::Disqualified { .. } => Gone::Disqualified,
            };
            assert_eq!(gone, slow.gone[seat.index()]);
        }
        let ships: u64 = Seat::all(state.seats()).map(|seat| state.ships(seat)).sum();
        assert_eq!(ships as i64, slow.ledger);
        assert_eq!(Seat::all(state.seats()).map(|seat| notes.count(seat)).sum::<u32>(), slow.remarks);
        assert_eq!(state.steps(), slow.step - 1);
        check_books(&state);
        let Some(seat) = state.to_move() else { break };
        assert_eq!(seat.index() + 1, slow.player);
        if rng.chance(1, 300) {
            state.apply(seat, Input::Fault(&Fault::OutOfTime), &mut notes);
            slow.turn(None);
        } else {
            random_orders(&mut rng, &state, seat, &mut orders);
            state.apply(seat, Input::Answer(&orders), &mut notes);
            slow.turn(Some(&orders));
        }
    }
    let outcome = state.outcome().unwrap();
    let alive: Vec<usize> = (0..slow.gone.len()).filter(|index| slow.gone[*index] == Gone::No).collect();
    let winner = (alive.len() == 1).then(|| Seat::at(alive[0]));
    assert_eq!(outcome.winner, winner);
    let counted: i64 = slow_ships(&slow, |gone| gone != Gone::Disqualified);
    for (index, placing) in outcome.placings.iter().enumerate() {
        let score = match winner {
            Some(winner) => (u64::from(winner.index() == index), 1),
            None if slow.gone[index] == Gone::Disqualified => (0, 1),
            None => {
                let ships: i64 = own_ships(&slow, index + 1);
                let planets = slow
                    .planets
                    .iter()
                    .filter(|planet| planet.owner == index + 1 && planet.level > 0)
                    .count() as u64;
                let all = slow.planets.len() as u64;
                match counted as u64 {
                    0 => (planets, 2 * all),
                    counted => (ships as u64 * all + planets * counted, 2 * counted * all),
                }
            }
        };
        let (numerator, denominator) = placing.score.parts();
        assert_eq!(numerator * score.1, score.0 * denominator);
    }
}

fn own_ships(slow: &Slow, player: usize) -> i64 {
    let standing = slow.planets.iter().filter(|planet| planet.owner == player).map(|planet| planet.ships);
    let flying = slow.groups.iter().filter(|group| group.owner == player).map(|group| group.ships);
    standing.chain(flying).sum()
}

fn slow_ships(slow: &Slow, counts: impl Fn(Gone) -> bool) -> i64 {
    (0..slow.gone.len())
        .filter(|index| counts(slow.gone[*index]))
        .map(|index| own_ships(slow, index + 1))
        .sum()
}

fn any_order() -> impl Strategy<Value = Order> {
    (any::<i32>(), any::<i32>(), any::<i32>()).prop_map(|(from, to, count)| Order { from, to, count })
}

fn open_duel() -> Box<dyn palestra_core::AnyState> {
    let plan = Auralux
        .plan(&PlanRequest { changes: &[], map: Some("2 2\n1 2\n0 0\n9 9\n"), players: 2, seed: 0 })
        .unwrap();
    Auralux.open(&plan).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_go_as_the_slow_rules_say(seed: u64) {
        play_against_the_slow_rules(seed);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(
        prop_oneof![any::<u8>(), prop_oneof![Just(b'\n'), Just(b' '), Just(b'1'), Just(b'0'), Just(b'-'), Just(b'\r')]],
        0..60,
    )) {
        let seat = Seat::new(1);
        let whole = open_duel().parse(seat, &bytes);
        if let Parsed::Done { used } = &whole {
            prop_assert!(*used <= bytes.len());
            prop_assert_eq!(bytes[*used - 1], b'\n');
            // What follows an answer does not matter, and nothing less is one.
            prop_assert_eq!(&open_duel().parse(seat, &bytes[..*used]), &whole);
            prop_assert_eq!(open_duel().parse(seat, &bytes[..*used - 1]), Parsed::NeedMore);
        }
        // An answer given piece by piece never changes its mind.
        for end in 0..bytes.len() {
            let part = open_duel().parse(seat, &bytes[..end]);
            prop_assert!(part == Parsed::NeedMore || part == whole);
        }
    }

    #[test]
    fn answers_are_read_back_as_written(orders in proptest::collection::vec(any_order(), 0..40)) {
        let settings = Settings::default();
        let setup = Map::read(&settings, "2 2\n1 2\n0 0\n9 9\n").unwrap();
        let state = State::start(&settings, &setup, 0).unwrap();
        let view = state.view(Eye::Seat(Seat::new(1)));
        let mut text = Vec::new();
        Auralux::write_answer(&orders, &mut text);
        let mut read = Vec::new();
        prop_assert_eq!(Auralux::parse(view, &text, &mut Progress::default(), &mut read), Parsed::Done { used: text.len() });
        prop_assert_eq!(&read, &orders);

        // And as a replay keeps them, allowed or not.
        let mut table = open_duel();
        table.parse(Seat::new(1), &text);
        let mut record = Vec::new();
        table.encode_answer(&mut record);
        let mut other = open_duel();
        prop_assert_eq!(other.decode_answer(&record), Some(record.len()));
        let mut again = Vec::new();
        other.write_answer(&mut again);
        prop_assert_eq!(again, text);
    }

    #[test]
    fn any_text_is_read_as_a_map_without_a_panic(words in proptest::collection::vec(
        prop_oneof![
            Just("matrix".to_owned()), Just("2".to_owned()), Just("x".to_owned()), Just("\u{2003}".to_owned()),
            (-3_i64..30).prop_map(|number| number.to_string()), any::<i64>().prop_map(|number| number.to_string()),
        ],
        0..40,
    )) {
        let text = words.join(" ");
        if let Ok(map) = Map::read(&Settings::default(), &text) {
            prop_assert_eq!(Map::read(&Settings::default(), &map.write()).unwrap(), map);
        }
        let _ = Auralux.read_test(&text);
        let _ = Auralux.read_config(&ConfigFile::alone(&text));
    }
}
