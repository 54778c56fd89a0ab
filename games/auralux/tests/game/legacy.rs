//! The contest's own configuration and log files.

use palestra_auralux::Auralux;
use palestra_core::legacy::{
    ConfigFile, LegacyBot, LegacyConfig, LegacyContent, LegacyRun, LegacyTournament, PlayedGame,
};
use palestra_core::{AnyGame, Entrant, Match, Next, PlanRequest, Replay, TimeControl};

fn config(text: &str) -> Option<Result<LegacyConfig, String>> {
    Auralux.read_config(&ConfigFile::alone(text)).map(|read| read.map_err(|error| error.to_string()))
}

fn run(text: &str) -> LegacyRun {
    match config(text) {
        Some(Ok(LegacyConfig::Run(run))) => run,
        other => panic!("{text:?}: {other:?}"),
    }
}

fn tournament(text: &str) -> LegacyTournament {
    match config(text) {
        Some(Ok(LegacyConfig::Tournament(tournament))) => tournament,
        other => panic!("{text:?}: {other:?}"),
    }
}

fn refused(text: &str) -> String {
    config(text).expect("one of ours").expect_err(text)
}

/// Plays a match of built-in players.
fn play(map: &str, changes: &[(&str, &str)], bots: &[&str]) -> Replay {
    let changes: Vec<(String, String)> =
        changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let request = PlanRequest { changes: &changes, map: Some(map), players: bots.len() as u8, seed: 1 };
    let plan = Auralux.plan(&request).unwrap();
    let entrants: Vec<Entrant> = bots.iter().map(|name| Entrant::built_in(*name)).collect();
    let mut game = Match::new(&Auralux, plan, &entrants, TimeControl::Unlimited).unwrap();
    while game.next() != Next::Over {}
    game.finish(Vec::new()).unwrap().1
}

fn export(replay: &Replay, format: &str) -> String {
    let mut out = Vec::new();
    Auralux.export(format, replay, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const SQUARE: &str = "3 3\n1 2 3\n0 0\n3 0\n0 4\n";

// Run configuration.

#[test]
fn a_run_configuration_is_words() {
    let run = run(
        "MAP maps/a.txt\nPLAYER DEFAULT afk PLAYER\n PROCESS ./bot\tMAX_STEPS 50\nLOG_DIR out TMP_DIR work\n",
    );
    assert_eq!(run.map.as_deref(), Some("maps/a.txt"));
    assert_eq!(run.bots, [LegacyBot::BuiltIn("afk".to_owned()), LegacyBot::Program("./bot".to_owned())]);
    assert_eq!(run.settings, [("max_steps".to_owned(), "50".to_owned())]);
    assert_eq!(run.work_dir.as_deref(), Some("work"));
    let outputs: Vec<(&str, &LegacyContent)> =
        run.outputs.iter().map(|output| (output.path.as_str(), &output.content)).collect();
    assert_eq!(
        outputs,
        [
            ("out/game_visualizer.log", &LegacyContent::Export("visualizer")),
            ("out/game_scores.log", &LegacyContent::Export("scores")),
            ("out/game_result.log", &LegacyContent::Export("result")),
            ("out/error.log", &LegacyContent::Export("errors")),
        ]
    );
}

#[test]
fn what_a_run_configuration_leaves_out_has_defaults() {
    let run = run("PLAYER DEFAULT aggressive PLAYER PROCESS bot MAP m DISABLE_VISUALIZER_LOG");
    assert_eq!(run.settings, []);
    assert_eq!(run.work_dir.as_deref(), Some("tmp/self_run"));
    assert_eq!(run.outputs[0].path, "logs/game_visualizer.log");
    assert_eq!(run.outputs[0].content, LegacyContent::Text("disabled\n"));
    let built_in = self::run("MAP m PLAYER DEFAULT afk PLAYER DEFAULT disqualify:5 TMP_DIR x");
    assert_eq!(built_in.work_dir, None, "no program, no folder for it");
}

#[test]
fn mistakes_in_a_run_configuration_are_named() {
    let cases = [
        ("PLAYER DEFAULT afk", "the configuration names no map; write MAP and the path of one"),
        ("MAP", "the configuration ends where the path of MAP should be"),
        ("MAP a MAP b", "the configuration has MAP twice; leave one of them out"),
        ("MAP a LOG_DIR x LOG_DIR y", "the configuration has LOG_DIR twice; leave one of them out"),
        (
            "DISABLE_VISUALIZER_LOG DISABLE_VISUALIZER_LOG",
            "the configuration has DISABLE_VISUALIZER_LOG twice; leave one of them out",
        ),
        (
            "MAP a SPEED 3",
            "the configuration has no option \"SPEED\"; it has MAP, PLAYER, MAX_STEPS, LOG_DIR, TMP_DIR, \
             DISABLE_VISUALIZER_LOG",
        ),
        ("MAP a", "the configuration has 0 players; write one PLAYER for each start planet of the map"),
        ("MAP a PLAYER DEFAULT", "the configuration ends where the name or path of PLAYER should be"),
        (
            "MAP a PLAYER HUMAN bob",
            "a player is \"HUMAN\" bob; write DEFAULT and a built-in player's name, or PROCESS and a path",
        ),
        (
            "MAP a PLAYER DEFAULT afk MAX_STEPS 1000001",
            "MAX_STEPS of the configuration is wrong: setting max_steps is 1000001, and must be from 0 to 1000000",
        ),
        (
            "MAP a PLAYER DEFAULT disqualify:soon",
            "the built-in player disqualify cannot play: \"soon\" is no turn to give up at; write disqualify:5",
        ),
    ];
    for (text, reason) in cases {
        assert_eq!(refused(text), reason, "{text:?}");
    }
    assert!(
        refused("MAP a PLAYER DEFAULT bob")
            .starts_with("there is no built-in player \"bob\"; there are afk, ")
    );
    assert!(refused("MAP a PLAYER DEFAULT afk MAX_STEPS many").contains("max_steps"));
}

#[test]
fn other_texts_are_left_to_others() {
    for text in [
        "",
        " \n",
        "2 2\n1 2\n",
        "map a",
        "MAPS a",
        "TOURNAMENT_TYPE x",
        "tournament",
        "[game]",
        "MAX_STEPS, 5",
    ] {
        assert!(config(text).is_none(), "{text:?}");
    }
}

// Tournament configuration.

const PLAYERS: &str = "PLAYER, ann, DEFAULT afk\nPLAYER, bob, PROCESS bots/bob\nPLAYER, cat, DEFAULT aggressive\n\
                       PLAYER, dan, DEFAULT, admiral\n";

#[test]
fn one_vs_one_plays_every_pair_on_every_map_in_both_seatings() {
    let plan = tournament(&format!("TOURNAMENT_TYPE, ONE_VS_ONE_ALL\nMAP, m1\n\nMAP, m2\n{PLAYERS}"));
    assert_eq!(plan.players, ["ann", "bob", "cat", "dan"]);
    assert_eq!(plan.result_file, "tournament_result.csv");
    assert_eq!(plan.games.len(), 4 * 3 * 2);
    for map in ["m1", "m2"] {
        for one in 0..4 {
            for other in (0..4).filter(|other| *other != one) {
                let found = plan
                    .games
                    .iter()
                    .filter(|game| game.run.map.as_deref() == Some(map) && game.players == [one, other]);
                assert_eq!(found.count(), 1, "{map} {one} {other}");
            }
        }
    }
    let game = &plan.games[0];
    assert_eq!(game.scores, "logs/game_00001_map_1_players_1_2/game_scores.log");
    assert!(game.run.outputs.iter().any(|output| output.path == game.scores));
    assert_eq!(
        game.run.bots,
        [LegacyBot::BuiltIn("afk".to_owned()), LegacyBot::Program("bots/bob".to_owned())]
    );
}

#[test]
fn free_for_all_shuffles_tables_of_four_the_same_way_each_time() {
    let text = format!(
        "TOURNAMENT_TYPE,FREE_FOR_ALL\nMAP, m1\nMAP, m2\nTOURNAMENT_STEPS, 40\nGAME_LOGS_DIR, g\n\
         TOURNAMENT_RESULT_FILE_PATH, r.csv\n{PLAYERS}{}",
        PLAYERS.replace("ann", "eve").replace("bob", "fay").replace("cat", "gus").replace("dan", "hal")
    );
    let plan = tournament(&text);
    assert_eq!(plan.result_file, "r.csv");
    assert_eq!(plan.games.len(), 80);
    for round in plan.games.chunks(2) {
        let mut seated: Vec<usize> = round.iter().flat_map(|game| game.players.clone()).collect();
        seated.sort_unstable();
        assert_eq!(seated, [0, 1, 2, 3, 4, 5, 6, 7], "everybody plays once in a round");
    }
    assert!(plan.games.iter().any(|game| game.run.map.as_deref() == Some("m1")));
    assert!(plan.games.iter().any(|game| game.run.map.as_deref() == Some("m2")));
    assert_ne!(plan.games[0].players, plan.games[2].players);
    assert_eq!(tournament(&text).games, plan.games, "a restart plans the same");
    let mut folders: Vec<&str> = plan.games.iter().map(|game| game.scores.as_str()).collect();
    folders.dedup();
    assert_eq!(folders.len(), 80);
    assert!(folders[11].starts_with("g/game_00012_players_"));
    let defaults = tournament(&format!("TOURNAMENT_TYPE, FREE_FOR_ALL\nMAP, m\n{PLAYERS}"));
    assert_eq!(defaults.games.len(), 1000);
}

#[test]
fn more_rounds_or_maps_keep_every_match_that_there_was() {
    let folders = |plan: LegacyTournament| -> Vec<(String, Vec<usize>)> {
        plan.games.into_iter().map(|game| (game.scores, game.players)).collect()
    };
    let all = |steps: u32, maps: &str| {
        tournament(&format!("TOURNAMENT_TYPE, FREE_FOR_ALL\nTOURNAMENT_STEPS, {steps}\n{maps}{PLAYERS}"))
    };
    let few = all(7, "MAP, m1\nMAP, m2\n");
    let more = all(60, "MAP, m1\nMAP, m2\n");
    assert_eq!(more.games[..7], few.games, "the same matches, seeds and maps included");
    let larger = all(60, "MAP, m1\nMAP, m2\nMAP, m3\n");
    assert!(larger.games.iter().any(|game| game.run.map.as_deref() == Some("m3")));
    assert_eq!(folders(larger), folders(more), "what was played is found, whichever map it was on");
    let pairs = |maps: &str| tournament(&format!("TOURNAMENT_TYPE, ONE_VS_ONE_ALL\n{maps}{PLAYERS}"));
    let one = pairs("MAP, m1\n");
    assert_eq!(pairs("MAP, m1\nMAP, m2\n").games[..12], one.games);
    // The seed of a match belongs to who plays it on which map.
    let mut seeds: Vec<u64> = pairs("MAP, m1\nMAP, m2\n").games.iter().map(|game| game.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 24);
}

#[test]
fn a_comma_at_the_end_of_a_line_does_no_harm() {
    let plain = tournament(&format!("TOURNAMENT_TYPE, ONE_VS_ONE_ALL\nMAP, m1\n{PLAYERS}"));
    let text = format!("TOURNAMENT_TYPE, ONE_VS_ONE_ALL,\nMAP, m1 , \n{}", PLAYERS.replace('\n', ",\n"));
    assert_eq!(tournament(&text).games, plain.games);
}

#[test]
fn mistakes_in_a_tournament_configuration_are_named() {
    let one = "TOURNAMENT_TYPE, ONE_VS_ONE_ALL\n";
    let all = "TOURNAMENT_TYPE, FREE_FOR_ALL\n";
    let cases = [
        (format!("{one}{PLAYERS}"), "the configuration names no map; write MAP, and the path of one"),
        (
            format!("MAP, m\n{PLAYERS}"),
            "the configuration has no TOURNAMENT_TYPE; write TOURNAMENT_TYPE, ONE_VS_ONE_ALL or FREE_FOR_ALL",
        ),
        (
            format!("TOURNAMENT_TYPE, SWISS\nMAP, m\n{PLAYERS}"),
            "the tournament type is \"SWISS\", and must be ONE_VS_ONE_ALL or FREE_FOR_ALL",
        ),
        (
            format!("{one}MAP, m\nTOURNAMENT_STEPS, 5\n{PLAYERS}"),
            "TOURNAMENT_STEPS goes with FREE_FOR_ALL only; leave it out of ONE_VS_ONE_ALL",
        ),
        (
            format!("{all}MAP, m\n{PLAYERS}PLAYER, eve, DEFAULT afk\n"),
            "FREE_FOR_ALL has 5 players, and their number must be divisible by 4",
        ),
        (
            format!("{all}MAP, m\nTOURNAMENT_STEPS, 0\n{PLAYERS}"),
            "TOURNAMENT_STEPS is \"0\", and must be a positive number of rounds",
        ),
        (
            format!("{all}MAP, m\nTOURNAMENT_STEPS, 1000000\n{PLAYERS}"),
            "the tournament has 1000000 matches, and may have 100000; take fewer maps, players or rounds",
        ),
        (
            format!("{one}MAP, m\nPLAYER, ann, DEFAULT afk\n"),
            "ONE_VS_ONE_ALL has 1 players, and needs at least 2",
        ),
        (
            format!("{one}{one}"),
            "line 2 of the configuration: the configuration has TOURNAMENT_TYPE twice; leave one of them out",
        ),
        (
            format!("{one}PLAYER, ann\n"),
            "line 2 of the configuration: a player is written PLAYER, name, DEFAULT x or PLAYER, name, PROCESS path",
        ),
        (
            format!("{one}{PLAYERS}PLAYER, ann, DEFAULT afk\n"),
            "line 6 of the configuration: there are two players \"ann\"; give each its own name",
        ),
        (
            format!("\n\n{one}MAP,\n"),
            "line 4 of the configuration: MAP takes one value behind a comma, and 0 are there",
        ),
        (format!("{one}MAP,,\n"), "line 2 of the configuration: field 2 of MAP is empty"),
        (
            format!("{one}MAP, a, b\n"),
            "line 2 of the configuration: MAP takes one value behind a comma, and 2 are there",
        ),
    ];
    for (text, reason) in cases {
        assert_eq!(refused(&text), reason, "{text:?}");
    }
    assert!(
        refused(&format!("{one}MAX_STEPS, 5\n"))
            .starts_with("line 2 of the configuration: there is no option")
    );
    assert!(refused(&format!("{one}PLAYER, x, DEFAULT bob\n")).contains("no built-in player \"bob\""));
}

#[test]
fn the_table_of_results_has_the_best_first() {
    let plan = tournament(&format!("TOURNAMENT_TYPE, ONE_VS_ONE_ALL\nMAP, m1\n{PLAYERS}"));
    let game = |players: [usize; 2], scores: &str| PlayedGame {
        players: players.to_vec(),
        scores: scores.to_owned(),
    };
    let games = [
        game([0, 1], "2\n0 1\n0\n\n1\n1\n"),
        game([1, 0], "-1\n0.25 0.333333\n0\n\n0\n\n"),
        game([2, 0], "1\n1 0\n1\n2\n0\n\n"),
        game([2, 1], "-1\n0 5e-05\n1\n1\n0\n\n"),
    ];
    assert_eq!(
        (plan.table)(&plan.players, &games).unwrap(),
        "Name\tScore\tAbsoluteWinner\tAliveInDraw\tDead\tDisqualified\n\
         cat\t50\t1\t0\t0\t1\n\
         bob\t41.6683\t1\t2\t0\t0\n\
         ann\t11.1111\t0\t1\t1\t1\n\
         dan\t0\t0\t0\t0\t0\n"
    );
    assert!(games.iter().all(plan.tells_result));
    for bad in ["", "3\n0 1\n0\n\n0\n\n", "1\n0\n0\n\n0\n\n", "1\n1 0\n5\n\n0\n\n", "1\n1 0\n0\n\n0\n\nx"] {
        assert!(!(plan.tells_result)(&game([0, 1], bad)), "{bad:?}");
        let error = (plan.table)(&plan.players, &[game([0, 1], bad)]).unwrap_err().to_string();
        assert_eq!(
            error,
            "the scores of match 1 cannot be read; delete its game_scores.log to play it again"
        );
    }
}

// Tests of a test system.

#[test]
fn a_test_is_a_map_and_the_names_behind_it() {
    let test = Auralux.read_test("3 2\n1 2\n0 0\n1 1\n2 2\nejudge afk\n").unwrap();
    assert_eq!(test.map, "3 2\n1 2\n0 0\n1 1\n2 2");
    assert_eq!(test.players, ["ejudge", "afk"]);
    let test = Auralux.read_test("matrix 2 2 1 2 0 5 5 0\r\naggressive ejudge").unwrap();
    assert_eq!(test.map, "matrix 2 2 1 2 0 5 5 0");
    assert_eq!(test.players, ["aggressive", "ejudge"]);
    assert_eq!(Auralux.read_test("2 2 1 2 0 0 1 1").unwrap().players, [""; 0]);
    assert!(Auralux.read_test("2 2 1 2 0 0 1").is_err());
    assert!(Auralux.read_test("999999999 999999999 1").is_err());
    assert!(Auralux.read_test("-1 2").is_err());
}

// Logs.

#[test]
fn the_scores_of_a_won_game() {
    let replay = play(SQUARE, &[], &["disqualify:2", "afk", "disqualify"]);
    assert_eq!(export(&replay, "scores"), "2\n0 1 0\n2\n1 3\n0\n\n");
    assert_eq!(
        export(&replay, "errors"),
        "step 1, player 3: disqualified: malformed answer: it gave up\n\
         step 2, player 1: disqualified: malformed answer: it gave up\n"
    );
}

#[test]
fn the_scores_of_a_drawn_game() {
    let replay = play(SQUARE, &[("max_steps", "3")], &["afk", "afk", "afk"]);
    assert_eq!(export(&replay, "scores"), "-1\n0.333333 0.333333 0.333333\n0\n\n0\n\n");
    assert_eq!(export(&replay, "errors"), "");
}

#[test]
fn the_visualizer_log_has_a_block_for_every_seat_of_every_step() {
    let settings = [("max_steps", "2"), ("upgrade_cost", "20,30")];
    let replay = play(SQUARE, &settings, &["upgrade_and_repair_main", "disqualify", "afk"]);
    assert_eq!(
        export(&replay, "visualizer"),
        "3 3\n0 0\n3 0\n0 4\n\
         0\n1 80 2 200\n2 100 1 100\n3 100 1 100\n\
         0\n1 80 2 200\n2 100 1 100\n3 100 1 100\n\
         0\n1 80 2 200\n2 100 1 100\n3 100 1 100\n\
         0\n1 52 3 300\n2 100 1 100\n3 100 1 100\n\
         0\n1 52 3 300\n2 101 1 100\n3 100 1 100\n\
         0\n1 52 3 300\n2 101 1 100\n3 101 1 100\n\
         -1\n"
    );
}

#[test]
fn the_visualizer_log_tells_launches() {
    let settings = [("max_steps", "1"), ("upgrade_cost", "0,0"), ("start_ships", "150")];
    let replay = play("2 2\n1 2\n0 0\n3 0\n", &settings, &["aggressive", "afk"]);
    assert_eq!(
        export(&replay, "visualizer"),
        "2 2\n0 0\n3 0\n0\n1 150 2 200\n2 150 1 100\n0\n1 150 2 200\n2 150 1 100\n-1\n"
    );
    let settings = [("max_steps", "3"), ("upgrade_cost", "0,0"), ("start_ships", "150")];
    let log = export(&play("2 2\n1 2\n0 0\n3 0\n", &settings, &["aggressive", "afk"]), "visualizer");
    assert!(log.contains("\n1\n1 1 2 155\n1 0 3 300\n2 151 1 100\n"), "{log}");
}

#[test]
fn the_planets_of_a_matrix_map_stand_on_a_grid_in_the_visualizer_log() {
    let replay = play("matrix 3 2\n1 2\n0 1 1\n1 0 1\n1 1 0\n", &[("max_steps", "1")], &["afk", "afk"]);
    assert!(export(&replay, "visualizer").starts_with("3 2\n0 0\n20 0\n0 20\n0\n"));
}

#[test]
fn the_result_log_is_for_people() {
    let replay = play(SQUARE, &[("max_steps", "3")], &["afk", "disqualify:3", "upgrade_and_repair_main"]);
    assert_eq!(
        export(&replay, "result"),
        "Result: draw: the last step was reached\n\
         Winner: nobody\n\
         Players: 3\n\
         Planets: 3\n\
         Full steps: 3\n\
         Turns in the step after them: 0\n\
         Ships: 208, of them 0 in flight\n\
         \n\
         Players by number:\n\
         \x20 1: 1 planet, 102 ships, score 0.647799, alive\n\
         \x20 2: 1 planet, 102 ships, score 0, disqualified in step 3: malformed answer: it gave up\n\
         \x20 3: 1 planet, 4 ships, score 0.185535, alive\n\
         \n\
         Alive: 1 3\n\
         Disqualified: 2\n\
         Dead: nobody\n\
         \n\
         Planets by number (player, ships, level, armor):\n\
         \x20 1: 1 102 1 100\n\
         \x20 2: 2 102 1 100\n\
         \x20 3: 3 4 2 200\n"
    );
    let replay = play(SQUARE, &[], &["disqualify:2", "afk", "disqualify"]);
    let result = export(&replay, "result");
    assert!(result.starts_with("Result: one winner\nWinner: player 2\n"));
    assert!(result.contains("Full steps: 1\nTurns in the step after them: 1\n"), "{result}");
}

#[test]
fn a_dead_player_is_listed_and_replays_hold() {
    let map = "4 2\n1 4\n0 0\n12 2\n3 13\n15 15\n";
    let replay = play(map, &[], &["admiral", "afk"]);
    assert_eq!(export(&replay, "scores"), "1\n1 0\n0\n\n1\n2\n");
    assert_eq!(replay.verify(&Auralux).unwrap(), replay.head.turns);
    let again = Replay::from_bytes(&replay.to_bytes().unwrap()).unwrap();
    assert_eq!(again.verify(&Auralux).unwrap(), replay.head.turns);
    assert!(Auralux.export("nonsense", &replay, &mut Vec::new()).is_err());
}
