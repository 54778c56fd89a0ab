//! The original program's own files: both configurations, and the log.

use palestra_core::legacy::{ConfigFile, LegacyBot, LegacyConfig, LegacyContent, LegacyRun};
use palestra_core::{AnyGame, Entrant, Heard, Match, Next, PlanRequest, Seat, Spent, TimeControl};
use palestra_grifaki::{Grifaki, Settings};
use std::time::Duration;

const GAME: &str = r#"{
    "width" : 12,
    "height" : 9,
    "land_growth_time" : 20,
    "wall_defense_coefficient" : 1.30,
    "map" : [["MOUNTAIN", 0.10], ["PLAIN", 0.875], ["CITY", 25e-3]],
    "rand_seed": 4,
    "view_distance" : [["PLAIN", 1, false], ["CITY", 3, true], ["CAPITAL", 4, true], ["FALLEN_CAPITAL", 4, true]],
    "no_capital_city_growth" : 3,
    "max_game_duration" : 50,
    "__COMMENT" : "1.5 units, \"of\" [1.5]"
}"#;
const LAUNCH: &str = r#"{
    "player_links" : ["./bots/one.cpp", "bots/two 2.py", "three"],
    "time_barrier" : 20,
    "__COMMENT" : "time_barrier: the pace of the viewer"
}"#;

fn read(text: &str, beside: &[(&str, &str)]) -> Option<Result<LegacyRun, String>> {
    let beside = |name: &str| beside.iter().find(|file| file.0 == name).map(|file| file.1.to_owned());
    match AnyGame::read_config(&Grifaki, &ConfigFile { text, beside: &beside })? {
        Ok(LegacyConfig::Run(run)) => Some(Ok(run)),
        Ok(LegacyConfig::Tournament(_)) => panic!("this game has no tournament files"),
        Err(error) => Some(Err(error.to_string())),
    }
}

fn settings(run: &LegacyRun) -> Settings {
    palestra_core::settings::with_changes(&run.settings).unwrap()
}

#[test]
fn either_file_is_read_with_the_other_one_beside_it() {
    let by_game = read(GAME, &[("launch_options.json", LAUNCH)]).unwrap().unwrap();
    let by_launch = read(LAUNCH, &[("game_config.json", GAME)]).unwrap().unwrap();
    assert_eq!(by_game, by_launch);
    let programs = ["./bots/one.cpp", "bots/two 2.py", "three"];
    assert_eq!(by_game.bots, programs.map(|path| LegacyBot::Program(path.to_owned())));
    assert!(by_game.beside_config && by_game.map.is_none());
    assert_eq!(by_game.line_every, Some(100));
    // As the original program did: shown, at this pace, recorded, and its log while it goes on.
    assert_eq!((by_game.shown, by_game.pace), (true, Some(Duration::from_millis(20))));
    assert_eq!(by_game.recording.as_deref(), Some("recording.replay"));
    assert_eq!((by_game.live_logs[0].path.as_str(), by_game.live_logs[0].format), ("runtimeLog.log", "log"));
    let outputs: Vec<(&str, LegacyContent)> =
        by_game.outputs.iter().map(|output| (output.path.as_str(), output.content.clone())).collect();
    assert_eq!(
        outputs,
        [
            ("player_1_stderr.log", LegacyContent::Stderr(Seat::new(1))),
            ("player_2_stderr.log", LegacyContent::Stderr(Seat::new(2))),
            ("player_3_stderr.log", LegacyContent::Stderr(Seat::new(3))),
        ]
    );
    let settings = settings(&by_game);
    assert_eq!((settings.width, settings.height, settings.land_growth_time), (12, 9, 20));
    assert_eq!(settings.wall_defense_coefficient.to_string(), "1.3");
    let shares: Vec<String> = settings.map.iter().map(|(_, share)| share.to_string()).collect();
    assert_eq!(shares, ["0.1", "0.875", "0.025"]);
    assert_eq!((settings.rand_seed, settings.view_distance[0].1), (Some(4), 1));
    assert_eq!(settings.start_army, 100);
}

#[test]
fn a_run_can_be_planned_and_its_map_is_decided_by_rand_seed() {
    let run = read(LAUNCH, &[("game_config.json", GAME)]).unwrap().unwrap();
    let plan =
        |seed| Grifaki.plan(&PlanRequest { changes: &run.settings, map: None, players: 3, seed }).unwrap();
    assert_eq!(plan(1).setup, plan(2).setup);
    assert!(plan(1).setup.starts_with("9 12 3\n"));
}

#[test]
fn without_a_game_config_everything_has_its_default() {
    let run = read(LAUNCH, &[]).unwrap().unwrap();
    assert_eq!(settings(&run), Settings { rand_seed: Some(11), ..Settings::default() });
    let run = read("{\"start_army\": 7}", &[("launch_options.json", LAUNCH)]).unwrap().unwrap();
    assert_eq!(settings(&run), Settings { rand_seed: Some(11), start_army: 7, ..Settings::default() });
    let run = read("{\"width\": 7}", &[("launch_options.json", LAUNCH)]).unwrap().unwrap();
    assert_eq!(settings(&run).width, 7);
}

#[test]
fn fractions_keep_every_digit() {
    let run = read("{\"wall_defense_coefficient\": 1.000000001}", &[("launch_options.json", LAUNCH)]);
    assert_eq!(settings(&run.unwrap().unwrap()).wall_defense_coefficient.to_string(), "1.000000001");
    let error =
        read("{\"wall_defense_coefficient\": 1.30000000000000000001}", &[("launch_options.json", LAUNCH)]);
    assert!(error.unwrap().unwrap_err().contains("\"1.30000000000000000001\" is no number like 1.3"));
}

#[test]
fn mistakes_are_named() {
    let game = |text: &str| read(text, &[("launch_options.json", LAUNCH)]).unwrap().unwrap_err();
    let launch = |text: &str| read(text, &[]).unwrap().unwrap_err();
    assert_eq!(
        read(GAME, &[]).unwrap().unwrap_err(),
        "game_config.json does not say who plays; put a launch_options.json with player_links into the same folder"
    );
    assert!(
        game(r#"{"start_army": 5, "speed": 1}"#)
            .starts_with("game_config.json: there is no key speed; there are width")
    );
    assert!(
        game(r#"{"start_army": "many"}"#)
            .starts_with("game_config.json: setting start_army cannot be \"many\"")
    );
    assert!(game(r#"{"start_army": 0}"#).contains("must be from 1 to 1000000"));
    assert!(game(r#"{"start_army": 2.5}"#).contains("start_army cannot be"));
    assert!(game(r#"{"max_game_duration": [1]}"#).contains("max_game_duration"));
    assert!(launch(r#"{"time_barrier": 5}"#).starts_with("launch_options.json: player_links must be a list"));
    assert!(launch(r#"{"player_links": ["a"]}"#).contains("has 1 bots, and must have 2 to 64"));
    assert!(launch(r#"{"player_links": ["a", ""]}"#).contains("no path for player 2"));
    assert!(launch(r#"{"player_links": ["a", 5]}"#).contains("no path for player 2"));
    assert!(launch(r#"{"player_links": ["a", "b"], "time_barrier": -1}"#).contains("milliseconds"));
    assert!(launch(r#"{"player_links": ["a", "b"], "time_barrier": 60001}"#).contains("at most 60000"));
    assert!(launch(r#"{"player_links": ["a", "b"], "players": 2}"#).contains("no key players"));
    assert!(
        launch(r#"{"player_links": ["a", "b""#).starts_with("launch_options.json is no readable JSON object")
    );
    let broken = read(LAUNCH, &[("game_config.json", "{\"width\": }")]).unwrap().unwrap_err();
    assert!(broken.starts_with("game_config.json is no readable JSON object"), "{broken}");
    let broken = read(GAME, &[("launch_options.json", "[]")]).unwrap().unwrap_err();
    assert!(broken.starts_with("launch_options.json is no readable JSON object"), "{broken}");
}

#[test]
fn other_texts_are_left_to_others() {
    for text in [
        "",
        "hello",
        "{}",
        "[]",
        "{\"width\": 5}",
        "{\"map\": 3, \"height\": 1}",
        "{\"name\": \"start_army\"}",
        "[cup]\ngame = 1",
        "\0\0",
        "1.5",
        "{\"__start_army\": 1}",
        "log.txt\nmap.txt\n2\na\nb\n",
    ] {
        assert_eq!(read(text, &[]), None, "{text:?}");
    }
}

#[test]
fn the_log_tells_the_course_of_the_run() {
    let map = "1 3 3\n@1 @2 @3\n";
    let plan = Grifaki.plan(&PlanRequest { changes: &[], map: Some(map), players: 3, seed: 1 }).unwrap();
    let entrants = ["a", "b", "c"].map(Entrant::outside);
    let mut running = Match::new(&Grifaki, plan, &entrants, TimeControl::Unlimited).unwrap();
    for answer in ["MOVE 0 0 0 1 0\n", "BUILD 0 1 0 1 WALL\n", "EMPTY\n", "nonsense\n", "MOVE 0 1 0 2 51\n"] {
        let Next::Ask(seat, _) = running.next() else {
            panic!("somebody is asked");
        };
        let spent = Spent { at: Duration::ZERO, wall: Duration::ZERO, cpu: None };
        assert_eq!(running.receive(seat, answer.as_bytes(), spent), Heard::TurnOver);
    }
    assert_eq!(running.next(), Next::Over);
    let replay = running.finish(Vec::new()).unwrap().1;
    let mut log = Vec::new();
    Grifaki.export("log", &replay, &mut log).unwrap();
    assert_eq!(
        String::from_utf8(log).unwrap(),
        "Grifaki, 1 x 3, 3 players\n\
         player 1: a\n\
         player 2: b\n\
         player 3: c\n\
         map:\n\
         1 3 3\n\
         @1 @2 @3\n\
         tick 1, player 1: MOVE 0 0 0 1 0\n\
         tick 1, player 1: ! not allowed, counts as EMPTY: 0 of 100 units cannot move\n\
         tick 1, player 2: BUILD 0 1 0 1 WALL\n\
         tick 1, player 3: EMPTY\n\
         tick 2, player 1: no answer\n\
         tick 2, player 1: ! malformed answer: there is no action \"nonsense\"; there are MOVE, BUILD and EMPTY; \
         the player is out\n\
         tick 2, player 1: out, malformed answer: there is no action \"nonsense\"; there are MOVE, BUILD and EMPTY in \
         tick 2\n\
         tick 2, player 2: MOVE 0 1 0 2 51\n\
         tick 2, player 2: out, spent its last units in tick 2\n\
         after 2 ticks: player 3 has won\n\
         player 1: place 3, malformed answer: there is no action \"nonsense\"; there are MOVE, BUILD and EMPTY in \
         tick 2\n\
         player 2: place 2, spent its last units in tick 2\n\
         player 3: place 1, last player left\n"
    );
    assert!(Grifaki.export("nonsense", &replay, &mut Vec::new()).is_err());
}

#[test]
fn the_log_has_every_remark_and_is_the_same_when_it_is_written_turn_by_turn() {
    let changes = [("max_game_duration".to_owned(), "6000".to_owned())];
    let request = PlanRequest { changes: &changes, map: Some("1 3 2\n@1 . @2\n"), players: 2, seed: 1 };
    let entrants = ["a", "b"].map(Entrant::outside);
    let plan = Grifaki.plan(&request).unwrap();
    let mut running = Match::new(&Grifaki, plan, &entrants, TimeControl::Unlimited).unwrap();
    let mut live = Grifaki.live_export("log", running.recorded()).unwrap().unwrap();
    let mut grown = Vec::new();
    let mut turns = 0;
    while let Next::Ask(seat, _) = running.next() {
        let spent = Spent { at: Duration::ZERO, wall: Duration::ZERO, cpu: None };
        assert_eq!(running.receive(seat, b"MOVE 0 0 0 0 99999999999999999999999\n", spent), Heard::TurnOver);
        // Now and then only: whoever looks seldom gets the same.
        turns += 1;
        if turns % 7 == 0 {
            live.write(running.recorded(), &mut grown).unwrap();
            assert!(!grown.ends_with(b"last player left\n"));
        }
    }
    let replay = running.finish(Vec::new()).unwrap().1;
    live.write(&replay, &mut grown).unwrap();
    let mut log = Vec::new();
    Grifaki.export("log", &replay, &mut log).unwrap();
    assert_eq!(grown, log);
    let log = String::from_utf8(log).unwrap();
    assert_eq!((turns, log.matches(": ! not allowed, counts as EMPTY").count()), (12_000, 12_000));
}
