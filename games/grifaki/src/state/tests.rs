//! A test for each paragraph of the rule book, and for every point that was decided.

use super::State;
use crate::Grifaki;
use crate::action::Action;
use crate::kind::Kind;
use crate::map::Map;
use crate::messages::Unreadable;
use crate::outcome::outcome;
use crate::settings::Settings;
use palestra_core::game::{Setup as _, State as _};
use palestra_core::settings::with_changes;
use palestra_core::{Exit, Eye, Fate, Fault, Input, Notes, Parsed, Progress, Protocol as _, Score, Seat};
use palestra_testkit::english;

/// A game that is told by its answers.
struct Told {
    state: State,
    notes: Notes,
}

fn begin(map: &str, changes: &[(&str, &str)]) -> Told {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let settings: Settings = with_changes(&changes).unwrap();
    let map = Map::read(&settings, map).unwrap();
    Told { state: State::start(&settings, &map, 0).unwrap(), notes: Notes::kept() }
}

impl Told {
    /// The answers of the seats to move, one after the other.
    fn play(&mut self, answers: &[&str]) -> &mut Told {
        for answer in answers {
            let seat = self.state.to_move().expect("the game goes on");
            let mut action = Action::Empty;
            let text = format!("{answer}\n");
            let view = self.state.view(Eye::Seat(seat));
            let read = Grifaki::parse(view, text.as_bytes(), &mut Progress::default(), &mut action);
            assert_eq!(read, Parsed::Done { used: text.len() });
            self.state.apply(seat, Input::Answer(&action), &mut self.notes);
        }
        self
    }

    /// So many ticks in which nobody does anything.
    fn wait(&mut self, ticks: u32) -> &mut Told {
        let until = self.state.turns.completed() + ticks;
        while self.state.turns.completed() < until {
            self.play(&["EMPTY"]);
        }
        self
    }

    fn fault(&mut self, fault: &Fault) -> &mut Told {
        let seat = self.state.to_move().expect("the game goes on");
        self.state.apply(seat, Input::Fault(fault), &mut self.notes);
        self
    }

    /// Owner and units.
    fn at(&self, x: i64, y: i64) -> (u8, u32) {
        let cell = self.state.cells()[self.state.territory.board().index([x, y]).unwrap()];
        (cell.owner, cell.units)
    }

    fn kind(&self, x: i64, y: i64) -> Kind {
        self.state.cells()[self.state.territory.board().index([x, y]).unwrap()].kind
    }

    fn wall(&self, x: i64, y: i64) -> bool {
        self.state.cells()[self.state.territory.board().index([x, y]).unwrap()].wall
    }

    /// What a seat sees, a row after the other.
    fn sight(&self, seat: u8) -> Vec<String> {
        let sight = self.state.territory.sight().of(Seat::new(seat).index());
        let letter = |x: u16, y: u16| {
            let at = self.state.territory.board().index([i64::from(x), i64::from(y)]).unwrap();
            if sight[at] > 0 { 'x' } else { '.' }
        };
        (0..self.state.territory.board().rows())
            .map(|x| (0..self.state.territory.board().columns()).map(|y| letter(x, y)).collect())
            .collect()
    }

    fn last_note(&self) -> String {
        english(&Grifaki, &self.notes.list().last().unwrap().what)
    }

    /// Place, points and fate of each seat.
    fn result(&self) -> Vec<(u32, (u64, u64), Fate)> {
        let outcome = outcome(&self.state).expect("the game is over");
        outcome.placings.iter().map(|one| (one.place, one.score.parts(), one.fate)).collect()
    }

    fn reasons(&self) -> Vec<String> {
        outcome(&self.state)
            .unwrap()
            .placings
            .iter()
            .map(|placing| english(&Grifaki, &placing.reason))
            .collect()
    }
}

const STRIP: &str = "1 6 2\n@1 . . . . @2";
const OUT: Fate = Fate::Out;

#[test]
fn the_board_begins_with_a_hundred_units_in_each_capital_and_nothing_else() {
    let game = begin("2 3 2\n@2 c7# .\nM .5 @1", &[]);
    assert_eq!((game.at(0, 0), game.kind(0, 0)), ((2, 100), Kind::Capital));
    assert_eq!((game.at(1, 2), game.kind(1, 2)), ((1, 100), Kind::Capital));
    assert_eq!((game.at(0, 1), game.kind(0, 1), game.wall(0, 1)), ((0, 7), Kind::City, true));
    assert_eq!((game.at(1, 1), game.kind(1, 1)), ((0, 5), Kind::Plain));
    assert_eq!(game.kind(1, 0), Kind::Mountain);
    assert_eq!(begin(STRIP, &[("start_army", "7")]).at(0, 0), (1, 7));
}

#[test]
fn players_act_in_the_order_of_their_numbers_not_of_the_map() {
    let mut game = begin("1 3 3\n@3 @1 @2", &[]);
    for seat in [1, 2, 3, 1, 2, 3] {
        assert_eq!(game.state.to_move(), Some(Seat::new(seat)));
        game.play(&["EMPTY"]);
    }
    assert_eq!(game.state.turns.completed(), 2);
}

#[test]
fn cities_and_capitals_grow_every_tick_and_everything_every_25th() {
    let mut game = begin("1 6 2\n@1 c . . . @2", &[]);
    game.play(&["MOVE 0 0 0 1 50", "EMPTY"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 51), (1, 51)));
    game.play(&["MOVE 0 1 0 2 10", "EMPTY"]);
    assert_eq!((game.at(0, 0), game.at(0, 1), game.at(0, 2)), ((1, 52), (1, 42), (1, 10)));
    game.wait(22);
    assert_eq!((game.at(0, 0), game.at(0, 1), game.at(0, 2)), ((1, 74), (1, 64), (1, 10)));
    // The 25th tick: cities and capitals get two, land one.
    game.wait(1);
    assert_eq!((game.at(0, 0), game.at(0, 1), game.at(0, 2)), ((1, 76), (1, 66), (1, 11)));
    assert_eq!(game.at(0, 5), (2, 126));
    game.wait(25);
    assert_eq!(game.at(0, 2), (1, 12));
}

#[test]
fn without_the_own_capital_cities_grow_every_third_tick_and_land_never() {
    let mut game = begin("2 4 2\n@1 c . .\n. . . @2", &[("land_growth_time", "2")]);
    // Player 1 leaves its capital, which is nobody's then, for a city and land.
    game.play(&["MOVE 0 0 1 0 40", "EMPTY", "MOVE 0 0 0 1 61", "EMPTY"]);
    assert_eq!((game.at(0, 0), game.kind(0, 0)), ((0, 0), Kind::FallenCapital));
    assert_eq!((game.at(0, 1), game.at(1, 0)), ((1, 61), (1, 40)), "two ticks, no growth");
    game.wait(1);
    assert_eq!((game.at(0, 1), game.at(1, 0)), ((1, 62), (1, 40)), "the third");
    game.wait(3);
    assert_eq!((game.at(0, 1), game.at(1, 0)), ((1, 63), (1, 40)));
    // Back home at the beginning of the seventh tick: one grows at its end.
    game.play(&["MOVE 1 0 0 0 40", "EMPTY"]);
    assert_eq!((game.at(0, 0), game.kind(0, 0), game.at(0, 1)), ((1, 41), Kind::Capital, (1, 64)));
}

#[test]
fn another_players_capital_is_fallen_and_grows_like_a_city() {
    let mut game = begin("1 4 3\n@1 @2 . @3", &[("start_army", "10")]);
    // Player 2 walks away; player 1 takes its capital.
    game.play(&["EMPTY", "MOVE 0 1 0 2 10", "EMPTY"]);
    game.play(&["MOVE 0 0 0 1 5"]);
    assert_eq!((game.at(0, 1), game.kind(0, 1)), ((1, 5), Kind::FallenCapital));
    game.play(&["EMPTY", "EMPTY"]);
    assert_eq!(game.at(0, 1), (1, 6));
    assert_eq!(game.at(0, 2), (2, 10), "land of a player without its capital");
    // Player 2 takes it back: a capital again, growing for it.
    game.play(&["EMPTY", "MOVE 0 2 0 1 9", "EMPTY"]);
    assert_eq!((game.at(0, 1), game.kind(0, 1)), ((2, 4), Kind::Capital));
}

#[test]
fn a_capital_lost_and_retaken_within_a_tick_costs_nothing() {
    // Player 2 takes the capital of player 3 on its turn, and player 3 takes it back on its own.
    let mut game = begin("1 5 3\n@1 . @2 @3 .", &[("start_army", "10"), ("land_growth_time", "2")]);
    game.play(&["EMPTY", "EMPTY", "MOVE 0 3 0 4 9"]);
    assert_eq!((game.at(0, 3), game.at(0, 4)), ((3, 2), (3, 9)));
    game.play(&["EMPTY", "MOVE 0 2 0 3 3"]);
    assert_eq!((game.at(0, 3), game.kind(0, 3)), ((2, 1), Kind::FallenCapital));
    game.play(&["MOVE 0 4 0 3 8"]);
    // 8 - 1, one for the capital and one for the second tick; the land has grown too.
    assert_eq!((game.at(0, 3), game.kind(0, 3), game.at(0, 4)), ((3, 9), Kind::Capital, (3, 2)));
}

#[test]
fn neutral_units_do_not_grow() {
    let mut game = begin("1 6 2\n@1 . c5 .3 . @2", &[("land_growth_time", "1")]);
    game.wait(30);
    assert_eq!((game.at(0, 2), game.at(0, 3)), ((0, 5), (0, 3)));
}

#[test]
fn moving_into_an_own_cell_joins() {
    let mut game = begin(STRIP, &[]);
    game.play(&["MOVE 0 0 0 1 30", "EMPTY", "MOVE 0 0 0 1 20", "EMPTY"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 52), (1, 50)));
}

#[test]
fn all_units_may_leave_and_the_cell_is_nobodys() {
    let mut game = begin(STRIP, &[]);
    game.play(&["MOVE 0 0 0 1 100"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((0, 0), (1, 100)));
    assert_eq!(game.state.to_move(), Some(Seat::new(2)), "moving is instantaneous: nobody is out");
    assert_eq!(game.state.territory.land(Seat::new(1)), 1);
}

#[test]
fn with_leave_one_a_unit_must_stay() {
    let mut game = begin(STRIP, &[("leave_one", "true")]);
    game.play(&["MOVE 0 0 0 1 100"]);
    assert_eq!(game.at(0, 0), (1, 100));
    assert_eq!(game.last_note(), "not allowed, counts as EMPTY: all 100 units cannot move, one must stay");
    game.play(&["EMPTY", "MOVE 0 0 0 1 100"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 1), (1, 100)));
}

#[test]
fn an_attack_takes_the_cell_with_what_is_left() {
    let mut game = begin("1 4 2\n@1 .30 . @2", &[]);
    game.play(&["MOVE 0 0 0 1 31"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 69), (1, 1)));
}

#[test]
fn an_attack_that_fails_leaves_the_defenders_who_are_left() {
    let mut game = begin("1 4 2\n@1 .30 . @2", &[]);
    game.play(&["MOVE 0 0 0 1 20"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 80), (0, 10)));
    // Equal numbers: nobody is left, and the cell is nobody's.
    game.play(&["EMPTY", "MOVE 0 0 0 1 10"]);
    assert_eq!(game.at(0, 1), (0, 0));
    let mut game = begin("1 2 2\n@1 @2", &[]);
    game.play(&["MOVE 0 0 0 1 99"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 1), (2, 1)));
}

#[test]
fn walls_make_defenders_stronger_by_an_exact_fraction() {
    // (coefficient, attackers, defenders, who holds it then, how many)
    for (coefficient, a, d, owner, left) in [
        ("1.3", 14, 10, 1, 1), // 14 - 13
        ("1.3", 13, 10, 0, 0), // b = 13: a <= b, 10 - 10
        ("1.3", 12, 10, 0, 0), // 10 - 9.23 = 0.77
        ("1.3", 11, 10, 0, 1), // 10 - 8.46 = 1.54
        ("1.3", 1, 10, 0, 9),  // 10 - 0.77
        ("1.3", 2, 1, 0, 0),   // 2 - 1.3 = 0.7: taken, but nobody is left to hold it
        ("1.3", 3, 1, 1, 1),   // 1.7
        ("1.3", 50, 33, 1, 7), // 50 - 42.9
        ("2", 10, 5, 0, 0),
        ("2", 11, 5, 1, 1),
        ("1", 6, 5, 1, 1),
        ("0.5", 3, 5, 0, 0), // 3 - 2.5 = 0.5
        ("0.5", 2, 5, 0, 1), // 5 - 5 * 2 / 2.5
        ("0", 1, 90, 1, 1),
        ("1000", 100, 1, 0, 0), // 1 - 0.1
        ("0.000000001", 1, 90, 0, 0),
        ("0.1", 10, 90, 1, 1),
    ] {
        let mut game = begin(&format!("1 4 2\n@1 .{d}# . @2"), &[("wall_defense_coefficient", coefficient)]);
        game.play(&[&format!("MOVE 0 0 0 1 {a}")]);
        assert_eq!(game.at(0, 1), (owner, left), "{a} against {d} * {coefficient}");
        assert!(game.wall(0, 1), "the wall stays");
    }
}

#[test]
fn a_wall_protects_its_new_owner_and_nobody_in_an_empty_cell() {
    let mut game = begin("1 4 2\n@1 .# . @2", &[]);
    game.play(&["MOVE 0 0 0 1 50", "MOVE 0 3 0 2 90", "EMPTY", "MOVE 0 2 0 1 64"]);
    // b = 65: the attack fails, 50 - 50 * 64 / 65 = 0.77 rounded down.
    assert_eq!(game.at(0, 1), (0, 0));
    game.play(&["MOVE 0 0 0 1 1"]);
    assert_eq!(game.at(0, 1), (1, 1));
}

#[test]
fn moves_that_are_not_allowed_count_as_nothing() {
    for (answer, why) in [
        ("MOVE 0 0 0 1 0", "0 of 100 units cannot move"),
        ("MOVE 0 0 0 1 -1", "-1 of 100 units cannot move"),
        ("MOVE 0 0 0 1 101", "101 of 100 units cannot move"),
        ("MOVE 0 0 0 1 9223372036854775807", "9223372036854775807 of 100 units cannot move"),
        ("MOVE 0 0 0 0 5", "cells (0, 0) and (0, 0) do not share a side"),
        ("MOVE 0 0 1 1 5", "cells (0, 0) and (1, 1) do not share a side"),
        ("MOVE 0 0 0 2 5", "cells (0, 0) and (0, 2) do not share a side"),
        ("MOVE 0 0 1 0 5", "cell (1, 0) is a mountain"),
        ("MOVE 0 0 -1 0 5", "there is no cell (-1, 0)"),
        ("MOVE 0 0 0 -1 5", "there is no cell (0, -1)"),
        ("MOVE 0 3 0 4 5", "there is no cell (0, 4)"),
        ("MOVE 2 0 1 0 5", "there is no cell (2, 0)"),
        ("MOVE -9223372036854775808 0 1 0 5", "there is no cell (-9223372036854775808, 0)"),
        ("MOVE 0 1 0 2 5", "cell (0, 1) is not its own"),
        ("MOVE 1 3 0 3 5", "cell (1, 3) is not its own"),
        ("BUILD 0 1 0 1 WALL", "cell (0, 1) is not its own"),
        ("BUILD 0 0 0 1 WALL", "cell (0, 1) is not its own"),
        ("BUILD 0 0 1 0 WALL", "cell (1, 0) is not its own"),
        ("BUILD 0 0 0 0 CITY", "cell (0, 0) is no plain to build a city on"),
        ("BUILD 5 0 0 0 CITY", "there is no cell (5, 0)"),
        ("BUILD 0 0 0 -5 WALL", "there is no cell (0, -5)"),
    ] {
        let mut game = begin("2 4 2\n@1 . . .\nM . . @2", &[]);
        game.play(&[answer]);
        assert_eq!(game.last_note(), format!("not allowed, counts as EMPTY: {why}"), "{answer}");
        assert_eq!(game.state.to_move(), Some(Seat::new(2)), "{answer}");
        assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 100), (0, 0)), "{answer}");
    }
}

#[test]
fn a_wall_is_built_on_the_same_cell_or_beside_it_and_paid_by_the_first() {
    let mut game = begin(STRIP, &[]);
    game.play(&["BUILD 0 0 0 0 WALL", "EMPTY"]);
    assert_eq!((game.at(0, 0), game.wall(0, 0)), ((1, 51), true));
    game.play(&["MOVE 0 0 0 1 1", "EMPTY"]).wait(10);
    assert_eq!(game.at(0, 0), (1, 61));
    game.play(&["BUILD 0 0 0 1 WALL", "EMPTY"]);
    assert_eq!(
        (game.at(0, 0), game.at(0, 1), game.wall(0, 1)),
        ((1, 7), (1, 1), true),
        "the second costs 55"
    );
    game.play(&["BUILD 0 0 0 1 WALL"]);
    assert_eq!(game.last_note(), "not allowed, counts as EMPTY: cell (0, 1) has a wall already");
    game.play(&["EMPTY", "BUILD 0 0 0 0 WALL"]);
    assert!(game.last_note().ends_with("cell (0, 0) has a wall already"));
}

#[test]
fn buildings_need_side_by_side_own_cells_and_the_whole_price_in_one_of_them() {
    let mut game = begin("2 3 2\n@1 . .\n. . @2", &[("start_army", "60")]);
    game.play(&["MOVE 0 0 0 1 20", "EMPTY", "MOVE 0 1 1 1 10", "EMPTY"]);
    game.play(&["BUILD 0 0 1 1 WALL", "EMPTY"]);
    assert!(game.last_note().ends_with("cells (0, 0) and (1, 1) do not share a side"));
    game.play(&["BUILD 0 0 0 1 WALL"]);
    assert_eq!(game.last_note(), "not allowed, counts as EMPTY: a WALL costs 50 units, and 43 are there");
}

#[test]
fn a_city_is_built_on_a_plain_keeps_its_wall_grows_and_sees_farther() {
    let mut game = begin("1 7 2\n@1 .# . . . . @2", &[("start_army", "300")]);
    game.play(&["MOVE 0 0 0 1 1", "EMPTY"]);
    assert_eq!(game.sight(1), ["xxxxx.."]);
    game.play(&["BUILD 0 0 0 1 CITY"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((1, 100), (1, 1)));
    assert_eq!((game.kind(0, 1), game.wall(0, 1)), (Kind::City, true));
    game.play(&["MOVE 0 6 0 5 1", "MOVE 0 0 0 1 1", "EMPTY"]);
    assert_eq!(game.at(0, 1), (1, 4), "it grows from this tick on");
    game.play(&["MOVE 0 0 0 1 98", "EMPTY", "MOVE 0 0 0 1 2", "EMPTY"]);
    assert_eq!(game.sight(1), ["xxxxx.."], "three steps from the city, on its own");
    game.play(&["BUILD 0 1 0 1 CITY"]);
    assert!(game.last_note().ends_with("cell (0, 1) is no plain to build a city on"));
}

#[test]
fn prices_grow_with_the_players_own_successful_builds_of_the_kind() {
    let changes = [("start_army", "2000"), ("max_game_duration", "50")];
    let mut game = begin("1 8 2\n@1 . . . . . . @2", &changes);
    let price = |game: &Told, building| game.state.price(Seat::new(1), building).unwrap();
    use crate::kind::Building::{City, Wall};
    game.play(&["MOVE 0 0 0 1 900", "BUILD 0 7 0 7 WALL", "BUILD 0 0 0 0 WALL", "EMPTY"]);
    assert_eq!((price(&game, Wall), price(&game, City)), (55, 200), "the other player's wall does not count");
    game.play(&["BUILD 0 0 0 0 WALL", "EMPTY"]);
    assert_eq!(price(&game, Wall), 55, "one that failed does not count");
    game.play(&["BUILD 0 0 0 1 CITY", "EMPTY"]);
    assert_eq!((price(&game, Wall), price(&game, City)), (55, 340));
    game.play(&["MOVE 0 1 0 2 400", "EMPTY", "BUILD 0 1 0 2 CITY", "EMPTY"]);
    assert_eq!((price(&game, Wall), price(&game, City)), (55, 578));
}

#[test]
fn a_cell_that_spends_all_its_units_is_nobodys() {
    let mut game = begin(STRIP, &[("start_army", "51")]);
    game.play(&["MOVE 0 0 0 1 1", "EMPTY"]);
    game.play(&["MOVE 0 0 0 1 1", "EMPTY"]);
    assert_eq!(game.at(0, 0), (1, 51));
    game.play(&["MOVE 0 0 0 1 1", "EMPTY", "MOVE 0 0 0 1 1"]);
    assert_eq!(game.at(0, 0), (1, 50));
    game.play(&["EMPTY", "MOVE 0 0 0 1 1", "EMPTY", "BUILD 0 0 0 1 WALL"]);
    // The wall stands next door, and the capital, having paid 51 - 1 units, is empty.
    assert_eq!((game.at(0, 0).1, game.wall(0, 1)), (1, true));
    let mut game = begin(STRIP, &[("start_army", "50")]);
    game.play(&["MOVE 0 0 0 1 1", "EMPTY", "BUILD 0 0 0 0 WALL"]);
    assert_eq!((game.at(0, 0), game.kind(0, 0), game.wall(0, 0)), ((0, 0), Kind::FallenCapital, true));
    assert!(game.state.turns.is_in(Seat::new(1)));
}

#[test]
fn building_with_the_last_units_puts_the_builder_out() {
    let mut game = begin(STRIP, &[("start_army", "50")]);
    game.play(&["BUILD 0 0 0 0 WALL"]);
    assert_eq!(game.state.to_move(), None);
    assert_eq!(game.result(), [(2, (0, 1), OUT), (1, (1, 1), Fate::Alive)]);
    assert_eq!(game.reasons(), ["spent its last units in tick 1", "last player left"]);
}

#[test]
fn a_player_whose_last_cell_is_taken_is_out_at_once() {
    let mut game = begin("1 3 3\n@1 @2 @3", &[("start_army", "10")]);
    game.play(&["EMPTY", "EMPTY", "EMPTY", "EMPTY", "EMPTY", "MOVE 0 2 0 1 5"]);
    // 11 + 1 - 5; tick over: player 2 has 6 + 1 units. Player 1 finishes it off.
    assert_eq!(game.at(0, 1), (2, 7));
    game.play(&["MOVE 0 0 0 1 12"]);
    assert_eq!((game.at(0, 0), game.at(0, 1)), ((0, 0), (1, 5)));
    assert_eq!(game.state.to_move(), Some(Seat::new(3)), "player 2 is skipped");
    game.play(&["MOVE 0 2 0 1 6"]);
    assert_eq!(game.state.to_move(), None);
    assert_eq!(game.result(), [(2, (0, 1), OUT), (3, (0, 1), OUT), (1, (1, 1), Fate::Alive)]);
    assert_eq!(
        game.reasons(),
        [
            "lost its last cell to seat 3 in tick 3",
            "lost its last cell to seat 1 in tick 3",
            "last player left"
        ]
    );
}

#[test]
fn an_attack_with_everything_that_fails_puts_the_attacker_out() {
    let mut game = begin("1 2 2\n@1 @2#", &[]);
    game.play(&["MOVE 0 0 0 1 100"]);
    assert_eq!(game.result(), [(2, (0, 1), OUT), (1, (1, 1), Fate::Alive)]);
    assert_eq!(game.at(0, 1), (2, 23), "100 - 100 * 100 / 130 = 23.07");
}

#[test]
fn armies_that_cancel_each_other_are_a_draw_between_those_they_removed() {
    let mut game = begin("1 2 2\n@1 @2", &[]);
    game.play(&["MOVE 0 0 0 1 100"]);
    assert_eq!(game.state.to_move(), None);
    assert_eq!(outcome(&game.state).unwrap().winner, None);
    assert_eq!(game.result(), [(1, (1, 2), OUT), (1, (1, 2), OUT)]);
    // With a third player left there is a winner, and the two share the second place.
    let mut game = begin("1 3 3\n@1 @2 @3", &[]);
    game.play(&["MOVE 0 0 0 1 100"]);
    assert_eq!(game.result(), [(2, (0, 1), OUT), (2, (0, 1), OUT), (1, (1, 1), Fate::Alive)]);
    // One who was out before has no part in the draw.
    let mut game = begin("1 3 3\n@1 @2 @3", &[]);
    game.fault(&Fault::OutOfTime).play(&["MOVE 0 1 0 2 100"]);
    assert_eq!(game.result(), [(3, (0, 1), Fate::Disqualified), (1, (1, 2), OUT), (1, (1, 2), OUT)]);
}

#[test]
fn a_taken_cell_that_nobody_is_left_to_hold_can_remove_both() {
    let mut game = begin("1 2 2\n@1 @2#", &[("start_army", "1"), ("wall_defense_coefficient", "0.5")]);
    // 1 - 0.5 = 0.5: taken, and nobody left.
    game.play(&["MOVE 0 0 0 1 1"]);
    assert_eq!(game.result(), [(1, (1, 2), OUT), (1, (1, 2), OUT)]);
}

#[test]
fn the_game_ends_in_the_middle_of_a_tick_without_growth() {
    let mut game = begin("1 3 2\n@1 @2 .", &[("start_army", "10")]);
    game.play(&["EMPTY", "MOVE 0 1 0 2 10", "MOVE 0 0 0 1 11"]);
    assert_eq!(game.at(0, 1), (1, 11));
    game.play(&["EMPTY", "MOVE 0 1 0 2 11"]);
    assert_eq!((game.state.to_move(), game.at(0, 2)), (None, (1, 1)));
    assert_eq!((game.state.turns.completed(), game.state.rounds()), (2, 3));
}

#[test]
fn after_the_last_tick_and_its_growth_the_most_cells_win() {
    let changes = [("max_game_duration", "3")];
    let mut game = begin(STRIP, &changes);
    game.play(&["MOVE 0 0 0 1 1", "EMPTY"]).wait(1);
    assert_eq!(game.state.to_move(), Some(Seat::new(1)));
    game.wait(1);
    assert_eq!((game.state.to_move(), game.at(0, 0)), (None, (1, 102)));
    assert_eq!(game.result(), [(1, (1, 1), Fate::Alive), (2, (0, 1), Fate::Alive)]);
    assert_eq!(game.reasons(), ["most cells after 3 ticks", "still in the game after 3 ticks"]);
}

#[test]
fn with_equal_cells_the_most_units_win_and_otherwise_it_is_a_draw() {
    let changes = [("max_game_duration", "3")];
    let mut game = begin("1 6 2\n@1 .5 . . . @2", &changes);
    game.play(&["MOVE 0 0 0 1 5", "EMPTY"]).wait(2);
    assert_eq!(game.result(), [(2, (0, 1), Fate::Alive), (1, (1, 1), Fate::Alive)]);
    assert_eq!(game.reasons()[1], "equal cells, most units after 3 ticks");
    let mut game = begin(STRIP, &changes);
    game.wait(3);
    assert_eq!(outcome(&game.state).unwrap().winner, None);
    assert_eq!(outcome(&game.state).unwrap().placings[0].score, Score::fraction(1, 2));
    assert_eq!(game.reasons(), ["equal cells and units after 3 ticks"; 2]);
    // The growth of the last tick counts: a city gives the unit that decides.
    let mut game = begin("1 6 2\n@1 c . . . @2", &[("max_game_duration", "1"), ("start_army", "9")]);
    game.play(&["MOVE 0 0 0 1 9", "MOVE 0 5 0 4 9"]);
    assert_eq!(game.reasons(), ["equal cells and units after 1 tick"; 2], "without capitals nothing grows");
}

#[test]
fn a_fault_makes_the_cells_neutral_and_leaves_the_units() {
    let faults = [
        Fault::malformed(Unreadable::NoAction { word: "x".to_owned() }.into(), b"x"),
        Fault::OutOfTime,
        Fault::too_long(b"xxx"),
        Fault::Exited(Exit::Code(0)),
        Fault::OverMemory,
    ];
    for fault in faults {
        let mut game = begin("1 6 3\n@1 . . @3 . @2", &[]);
        game.play(&["MOVE 0 0 0 1 30", "EMPTY", "EMPTY"]).fault(&fault);
        assert_eq!((game.at(0, 0), game.at(0, 1)), ((0, 71), (0, 30)));
        assert_eq!(game.kind(0, 0), Kind::FallenCapital);
        assert_eq!(game.state.to_move(), Some(Seat::new(2)));
        let told = english(&Grifaki, &fault.message());
        assert_eq!(game.last_note(), format!("{told}; the player is out"));
        game.play(&["EMPTY", "EMPTY"]).wait(24);
        assert_eq!((game.at(0, 0), game.at(0, 1)), ((0, 71), (0, 30)), "neutral units do not grow");
        game.fault(&fault);
        assert_eq!(game.state.to_move(), None);
        let of = Fate::Disqualified;
        assert_eq!(game.result(), [(3, (0, 1), of), (2, (0, 1), of), (1, (1, 1), Fate::Alive)]);
        assert!(game.reasons()[0].ends_with("in tick 2"));
    }
}

#[test]
fn a_plain_sees_two_steps_and_a_mountain_hides_what_is_straight_behind_it() {
    let map = "5 5 2\n@2 . . . .\n. . M . .\n. . @1 M .\n. . . . .\n. . . . .";
    let mut game = begin(map, &[("start_army", "9")]);
    // From high ground mountains hide nothing.
    assert_eq!(game.sight(1), ["xxxxx"; 5]);
    assert_eq!(game.sight(2), ["xxxxx", "xxxx.", "xxx..", "xx...", "x...."]);
    // All units go down to a plain: no mountain within two steps is in the way there.
    game.play(&["MOVE 2 2 3 2 9"]);
    assert_eq!(game.sight(1), [".....", "..x..", ".xxx.", "xxxxx", ".xxx."]);
    // Next to a mountain: what is behind it is hidden, the mountain is not, corners do not block.
    game.play(&["EMPTY", "MOVE 3 2 3 3 9"]);
    assert_eq!(game.sight(1), [".....", ".....", "..xxx", ".xxxx", "..xxx"]);
}

#[test]
fn sight_of_a_longer_distance_is_blocked_at_every_angle() {
    let view =
        r#"[["PLAIN", 4, false], ["CITY", 0, true], ["CAPITAL", 0, false], ["FALLEN_CAPITAL", 0, false]]"#;
    let map = "5 5 2\n. @1 . . .\n. M . . .\n. . . . .\n. . . . .\n. . . . @2";
    let mut game = begin(map, &[("view_distance", view), ("start_army", "9")]);
    assert_eq!(game.sight(1), [".x...", ".....", ".....", ".....", "....."], "distance 0 is the cell itself");
    game.play(&["MOVE 0 1 0 0 9"]);
    // From (0, 0): the lines to (2, 2), (1, 2) and (2, 1) go through the inside of the mountain at (1, 1); those to
    // (1, 3) and (3, 1) only touch one of its corners.
    assert_eq!(game.sight(1), ["xxxxx", "xx.x.", "x....", "xx...", "x...."]);
}

#[test]
fn walls_and_other_armies_do_not_change_sight() {
    let mut open = begin("1 9 2\n@1 . . . . . . . @2", &[]);
    let mut walled = begin("1 9 2\n@1 .# .9# .# . .# . . @2", &[]);
    assert_eq!(open.sight(1), walled.sight(1));
    open.play(&["MOVE 0 0 0 1 1"]);
    walled.play(&["MOVE 0 0 0 1 1"]);
    assert_eq!(open.sight(1), walled.sight(1));
}

#[test]
fn settings_that_cannot_be_are_refused_at_the_start() {
    let error = |changes: &[(&str, &str)]| {
        let changes: Vec<(String, String)> =
            changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let settings: Settings = with_changes(&changes).unwrap();
        let map = Map::read(&settings, STRIP).unwrap();
        State::start(&settings, &map, 0).unwrap_err().to_string()
    };
    assert!(error(&[("wall_defense_coefficient", "1000.5")]).contains("from 0 to 1000"));
    assert!(error(&[("view_distance", "")]).contains("must have each"));
    assert!(error(&[("five_word_seats", "3")]).contains("seats 1 to 2"));
    let settings = Settings::default();
    let map = Map::read(&settings, "1 3 2\n@1 .4294967000 @2").unwrap();
    let error = State::start(&settings, &map, 0).unwrap_err().to_string();
    assert!(error.contains("4294967295 is the most"), "{error}");
}
