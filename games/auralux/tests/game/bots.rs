//! The built-in players.

use crate::support::{Play, orders};
use palestra_auralux::{Auralux, Map, Settings, State, bits};
use palestra_core::game::{Setup as _, State as _};
use palestra_core::play::play;
use palestra_core::{AnyGame, Bot, BotSeat, Eye, Game, Notes, Outcome, PlanRequest, Seat};
use palestra_testkit::english;

fn built_in(name: &str, seat: Seat, seed: u64) -> Box<dyn Bot<Auralux>> {
    palestra_core::game::built_in(name, seat, seed).unwrap()
}

fn game(settings: &Settings, map: &Map, names: &[&str], seed: u64) -> (Outcome, Notes) {
    let mut state = State::start(settings, map, seed).unwrap();
    let mut bots: Vec<_> =
        Seat::all(map.seats()).map(|seat| built_in(names[seat.index()], seat, seed)).collect();
    let mut notes = Notes::kept();
    play::<Auralux>(&mut state, &mut bots, &mut notes, u64::MAX);
    (state.outcome().unwrap(), notes)
}

#[test]
fn every_player_finishes_on_every_sample_map_without_an_order_that_is_not_allowed() {
    let settings = Settings { max_steps: 800, ..Settings::default() };
    for sample in Auralux::INFO.folder.maps {
        let map = Map::read(&settings, sample.text).unwrap();
        for hero in Auralux::BUILT_INS {
            for other in ["aggressive", "admiral"] {
                let names: Vec<&str> =
                    (0..map.seats()).map(|seat| if seat == 0 { hero.name } else { other }).collect();
                let (_, notes) = game(&settings, &map, &names, 3);
                assert_eq!(notes.list().first(), None, "{} on {}", hero.name, sample.name);
            }
        }
    }
}

#[test]
fn extreme_settings_do_not_confuse_anybody() {
    let cases = [
        Settings { capture_cost: 0, upgrade_cost: [0, 0], armor: [0, 0, 0], ..Settings::default() },
        Settings { production_multiplier: 0, ..Settings::default() },
        Settings { max_orders_per_turn: 0, ..Settings::default() },
        Settings { max_orders_per_turn: 1, max_groups_in_space: 1, ..Settings::default() },
        Settings { start_ships: 0, production_multiplier: 1000, ..Settings::default() },
        Settings { start_ships: 1_000_000, armor: [1_000_000; 3], ..Settings::default() },
    ];
    for settings in cases {
        let settings = Settings { max_steps: 300, ..settings };
        for sample in ["tiny", "lanes", "trio"] {
            let text = Auralux::INFO.folder.maps.iter().find(|map| map.name == sample).unwrap().text;
            let map = Map::read(&settings, text).unwrap();
            for hero in Auralux::BUILT_INS {
                let names: Vec<&str> =
                    (0..map.seats()).map(|seat| if seat == 1 { hero.name } else { "admiral" }).collect();
                let (outcome, notes) = game(&settings, &map, &names, 5);
                assert_eq!(notes.list().first(), None, "{} with {settings:?}", hero.name);
                let expected = hero.name == "disqualify";
                let fate = outcome.placings[1].fate;
                assert_eq!(
                    fate == palestra_core::Fate::Disqualified,
                    expected,
                    "{} with {settings:?}",
                    hero.name
                );
            }
        }
    }
}

fn first_orders(name: &str, play: &Play) -> Vec<palestra_auralux::Order> {
    let seat = play.state.to_move().unwrap();
    let mut answer = orders(&[(9, 9, 9)]);
    built_in(name, seat, 1).act(play.state.view(Eye::Seat(seat)), &mut answer).unwrap();
    answer
}

#[test]
fn afk_does_nothing_and_the_builder_builds() {
    let play = Play::equidistant(&Settings::default(), 2, 2, 4);
    assert_eq!(first_orders("afk", &play), []);
    assert_eq!(first_orders("upgrade_and_repair_main", &play), orders(&[(1, 1, 100)]));
}

#[test]
fn the_aggressive_player_raises_first_and_then_goes_for_the_nearest() {
    let settings = Settings { start_ships: 400, ..Settings::default() };
    let map = "matrix 4 2\n1 2\n0 9 7 5\n9 0 9 9\n7 9 0 9\n5 9 9 0\n";
    let mut play = Play::new(&settings, map);
    assert_eq!(first_orders("aggressive", &play), orders(&[(1, 1, 400)]));
    play.orders(&[(1, 1, 400)]).idle(1);
    assert_eq!(first_orders("aggressive", &play), orders(&[(1, 1, 302)]));
    play.orders(&[(1, 1, 302)]).idle(1);
    assert_eq!(first_orders("aggressive", &play), orders(&[(1, 4, 105)]), "planet 4 is nearest to the start");
    play.orders(&[(1, 4, 105)]).idle(9);
    assert_eq!(play.planet(4), (1, 105, 0, 0));
    assert_eq!(first_orders("aggressive", &play), orders(&[(4, 4, 105)]));
}

#[test]
fn the_sorted_one_considers_the_most_ships_first() {
    let mut play = Play::equidistant(&Settings { start_ships: 500, ..Settings::default() }, 2, 2, 1);
    play.orders(&[(1, 3, 150), (1, 4, 250)]).idle(1);
    let sources = |name: &str| first_orders(name, &play).iter().map(|order| order.from).collect::<Vec<_>>();
    assert_eq!(sources("aggressive_expansion_nearest"), [1, 3, 4]);
    assert_eq!(sources("aggressive_expansion_nearest_with_sort"), [4, 3, 1]);
    assert_eq!(sources("aggressive_expansion_random_with_sort"), [4, 3, 1]);
}

#[test]
fn the_random_one_goes_by_its_seed() {
    let settings = Settings { upgrade_cost: [0, 0], ..Settings::default() };
    let mut play = Play::equidistant(&settings, 2, 16, 3);
    play.orders(&[(1, 1, 1)]).idle(1).orders(&[(1, 1, 1)]).idle(1);
    let target = |seed| {
        let mut answer = Vec::new();
        let seat = Seat::new(1);
        let mut bot = built_in("aggressive_expansion_random", seat, seed);
        bot.act(play.state.view(Eye::Seat(seat)), &mut answer).unwrap();
        answer[0].to
    };
    assert_eq!(target(1), target(1));
    assert!((2..20).any(|seed| target(seed) != target(1)));
}

#[test]
fn giving_up_happens_at_the_turn_it_is_told() {
    let map = Map::read(&Settings::default(), Auralux::INFO.folder.maps[0].text).unwrap();
    for (name, step) in [("disqualify", 1), ("none", 1), ("disqualify:1", 1), ("disqualify:5", 5)] {
        let (outcome, _) = game(&Settings::default(), &map, &["afk", name], 1);
        assert_eq!(
            english(&Auralux, &outcome.placings[1].reason),
            format!("disqualified in step {step}: malformed answer: it gave up")
        );
    }
    let make = |name: &str, argument| {
        let found = Auralux::BUILT_INS.iter().find(|built_in| built_in.name == name).unwrap();
        (found.make)(BotSeat { seat: Seat::new(1), seed: 0, argument: Some(argument) }).err()
    };
    for bad in ["0", "", "x", "-1"] {
        assert!(make("disqualify", bad).is_some());
    }
    for built_in in Auralux::BUILT_INS.iter().filter(|built_in| built_in.name != "disqualify") {
        assert!(make(built_in.name, "5").is_some(), "{}", built_in.name);
    }
}

/// Maps of `players` players: samples and generated ones.
fn arena(players: u8) -> Vec<Map> {
    let settings = Settings::default();
    let samples = Auralux::INFO.folder.maps.iter().map(|sample| Map::read(&settings, sample.text).unwrap());
    let generated = (0..8).map(|seed| {
        let planets = u32::from(players) * [2, 3, 4, 5][seed as usize % 4];
        Map::generate(&settings, &[planets, u32::from(players)], seed).unwrap()
    });
    samples.filter(|map| map.seats() == players).chain(generated).collect()
}

/// Won games and all games of the admiral against others of one kind, from every seat.
fn admiral_against(other: &str, players: u8) -> (u32, u32) {
    let (mut won, mut all) = (0, 0);
    for map in arena(players) {
        for hero in Seat::all(players) {
            let names: Vec<&str> =
                Seat::all(players).map(|seat| if seat == hero { "admiral" } else { other }).collect();
            let (outcome, _) = game(&Settings::default(), &map, &names, 1);
            won += u32::from(outcome.winner == Some(hero));
            all += 1;
        }
    }
    (won, all)
}

#[test]
fn every_level_beats_the_one_below() {
    let settings = Settings::default();
    let map = |seed| Map::generate(&settings, &[10, 2], seed).unwrap();
    palestra_testkit::check_sparring_ladder::<Auralux>(&settings, map, 20);
}

#[test]
fn the_admiral_beats_the_aggressive_players_in_nine_of_ten_duels() {
    for other in ["aggressive_expansion_nearest", "aggressive_expansion_random", "upgrade_and_repair_main"] {
        let (won, all) = admiral_against(other, 2);
        assert!(10 * won >= 9 * all, "{won} of {all} against {other}");
    }
}

#[test]
fn the_admiral_wins_most_games_against_three_aggressive_players() {
    let (won, all) = admiral_against("aggressive_expansion_nearest", 4);
    assert!(2 * won > all, "{won} of {all}");
}

#[test]
fn a_bot_can_take_over_in_the_middle_of_a_game() {
    let settings = Settings::default();
    let map = Map::read(&settings, Auralux::INFO.folder.maps[1].text).unwrap();
    let mut state = State::start(&settings, &map, 1).unwrap();
    let mut bots: Vec<_> = Seat::all(2).map(|seat| built_in("admiral", seat, 1)).collect();
    play::<Auralux>(&mut state, &mut bots, &mut Notes::counted(), 401);
    let seat = state.to_move().unwrap();
    let view = state.view(Eye::Seat(seat));
    let (mut old, mut new) = (Vec::new(), Vec::new());
    bots[seat.index()].act(view, &mut old).unwrap();
    built_in("admiral", seat, 9).act(view, &mut new).unwrap();
    assert_eq!(old, new, "it keeps nothing in mind");
    assert!(bits(view.owned(seat)).count() > 1);
}

#[test]
fn every_situation_can_be_played() {
    for situation in Auralux.situations() {
        let request = PlanRequest {
            changes: &situation.changes(),
            map: situation.map,
            players: situation.seats.len() as u8,
            seed: 1,
        };
        let plan = Auralux.plan(&request).unwrap();
        assert_eq!(usize::from(plan.seats), situation.seats.len(), "{}", situation.name);
        assert_eq!(situation.seats.iter().filter(|seat| seat.is_none()).count(), 1, "{}", situation.name);
        let mut table = Auralux.open(&plan).unwrap();
        for (index, name) in situation.seats.iter().enumerate() {
            table.seat_built_in(Seat::at(index), name.unwrap_or("admiral"), 1).unwrap();
        }
        let mut turn = 0;
        while let Some(seat) = table.to_move() {
            turn += 1;
            match table.think(seat) {
                Ok(()) => table.apply(seat, turn),
                Err(fault) => table.fault(seat, turn, &fault),
            }
        }
        assert!(table.outcome().is_some());
    }
}
