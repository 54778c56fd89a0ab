//! Bad input is told by file, line and key, before the first match.

use super::{finished, fresh_folder, good, log, report, with_code};
use std::fs;

const BOTS: &str = "bots = [\"hunter\", \"greedy\"]\n";

/// Keys behind `game` and the bots (lines 1 and 2), and what is said about them.
const MISTAKES: &[(&str, &str)] = &[
    ("gmae = 3", "line 3: unknown field `gmae`, expected one of `name`, `game`"),
    ("name = \"unfinished", "line 3: invalid basic string"),
    (
        "time = \"soon\"",
        "line 3: time: \"soon\" is no time control; write 2s+1ms (bank and increment), 250ms/answer, or none",
    ),
    ("sandbox = \"iron\"", "line 3: sandbox: \"iron\" is no level; write off, auto or strict"),
    ("parallel = 1025", "line 3: parallel = 1025 is out of range; write 0 to 1024"),
    ("retries = 101", "line 3: retries = 101 is out of range; write 0 to 100"),
    ("maps = [\"tiny\"]\ngenerate = 2", "line 4: generate: give either maps or generate, not both"),
    ("maps = [\n  \"tiny\",\n  \"nowhere.txt\"\n]", "line 5: maps: failed to read nowhere.txt"),
    ("generate = 0", "line 3: generate = 0 is out of range; write 1 to 1000"),
    ("elo = { k = -3 }", "line 3: elo: start = 1500 and k = -3 make no rating"),
    ("elo = { start = nan }", "line 3: elo: start = NaN and k = 32 make no rating"),
    ("[settings]\nmax_trns = 3", "line 4: settings: there is no setting max_trns; did you mean max_turns?"),
    ("[settings]\nmax_turns = 0", "line 4: settings: setting max_turns is 0, and must be from 1 to 1000000"),
];

/// The same for keys of a stage: the first is in line 4.
const MISTAKES_IN_A_STAGE: &[(&str, &str)] = &[
    ("colour = \"red\"", "line 4: unknown field `colour`, expected one of `name`, `format`"),
    (
        "format = \"league\"",
        "line 4: format: \"league\" is no format; write round-robin, tables, swiss, knockout, double-knockout or gauntlet",
    ),
    ("third_place = 3\nformat = \"knokout\"", "line 5: format: \"knokout\" is no format; write round-robin"),
    ("deciders = 3\nformat = \"knokout\"", "line 5: format: \"knokout\" is no format; write round-robin"),
    ("rounds = 3", "line 4: rounds: the format round-robin has no rounds; leave it out"),
    ("format = \"swiss\"\ncycles = 3", "line 5: cycles: the format swiss has no cycles; leave it out"),
    ("format = \"swiss\"\nseats = 3", "line 5: seats: the format swiss is for two bots at a table"),
    (
        "format = \"swiss\"\nthird_place = true",
        "line 5: third_place: the format swiss has no third_place; leave it out",
    ),
    ("format = \"swiss\"\ndeciders = 1", "line 5: deciders: the format swiss has no deciders; leave it out"),
    ("format = \"knockout\"\ndeciders = 21", "line 5: deciders = 21 is out of range; write 0 to 20"),
    ("seats = 17", "line 4: seats = 17 is out of range; write 2 to 16"),
    ("take = 2", "line 4: take: the first stage has nobody before it to take from; leave it out"),
    ("heroes = [\"hunter\"]", "line 4: heroes: the format round-robin has no heroes; leave it out"),
    ("format = \"gauntlet\"", "line 4: heroes: a gauntlet needs at least one, e.g. heroes = [\"my bot\"]"),
    ("format = \"gauntlet\"\nheroes = [\"nobody\"]", "line 5: heroes: \"nobody\" is not among the bots"),
    (
        "points = \"many\"",
        "line 4: points: \"many\" is no rule; write { win = 2, draw = 1 }, [5, 3, 1] by place, or \"score\"",
    ),
    (
        "points = { win = 2, darw = 1 }",
        "line 4: points: write { win = 2, draw = 1 }, [5, 3, 1] by place, or \"score\"",
    ),
    ("points = [5000000]", "line 4: points: a match brings at most 1000000"),
    (
        "tie_breaks = [\"luck\"]",
        "line 4: tie_breaks: \"luck\" is no tie-break: use some of score, wins, head-to-head",
    ),
    ("maps = 2", "line 4: maps: write \"all\", or how many of the 1 a meeting is played on"),
    ("seatings = \"free\"", "line 4: seatings: \"free\" is none; write all, rotations, drawn or elo"),
    ("repeats = 0", "line 4: repeats = 0 is out of range; write 1 to 10000"),
    ("name = \"a\"\n[[stage]]\ntake = 1", "line 6: take = 1 is out of range; write 2 to 10000"),
    ("groups = 0", "line 4: groups = 0 is out of range; write 1 to 1000000"),
];

#[test]
fn a_mistake_in_a_plan_names_file_line_key_and_what_would_be_right() {
    let dir = fresh_folder();
    let whole = [
        ("game = \"generals\"\n".to_owned(), "line 1: missing field `bots`"),
        (
            format!("game = \"chess\"\n{BOTS}"),
            "line 1: there is no game \"chess\"; there are generals, auralux",
        ),
        (
            "game = \"generals\"\nbots = [\"rest\", \"rest\"]\n".to_owned(),
            "line 2: bots: \"rest\" is there twice; give each its own name in a table [bots]",
        ),
        (
            "game = \"generals\"\nbots = 3\n".to_owned(),
            "line 2: invalid type: integer `3`, expected a table of bots (name = \"what it is\") or a list of them",
        ),
        (
            "game = \"generals\"\n[bots]\n".to_owned(),
            "line 2: there are no bots; write name = \"what it is\"",
        ),
    ];
    let top = MISTAKES.iter().map(|(keys, said)| (format!("game = \"generals\"\n{BOTS}{keys}\n"), *said));
    let stage = MISTAKES_IN_A_STAGE
        .iter()
        .map(|(keys, said)| (format!("game = \"generals\"\n{BOTS}[[stage]]\n{keys}\n"), *said));
    for (text, sentence) in whole.into_iter().chain(top).chain(stage) {
        fs::write(dir.path().join("cup.toml"), &text).unwrap();
        let (_, said) = with_code(dir.path(), &["tournament", "cup.toml"], 3);
        assert!(said.contains(&format!("cup.toml, {sentence}")), "{text}\n{said}");
        assert!(!dir.path().join("cup").exists(), "nothing is kept of a plan that makes no sense");
    }
}

#[test]
fn too_few_bots_are_blamed_on_the_plan_that_names_them() {
    let dir = fresh_folder();
    fs::write(dir.path().join("cup.toml"), "game = \"generals\"\nbots = [\"hunter\"]\n").unwrap();
    let (_, said) = with_code(dir.path(), &["tournament", "cup.toml"], 3);
    assert!(said.contains("cup.toml: "), "{said}");
    let (_, said) = with_code(dir.path(), &["tournament", "generals", "hunter"], 2);
    assert!(!said.contains(".toml"), "{said}");
}

#[test]
fn a_map_that_makes_no_sense_is_told_before_the_first_match() {
    let dir = fresh_folder();
    fs::write(dir.path().join("bad.txt"), "hello\n").unwrap();
    let arguments = ["tournament", "auralux", "afk", "admiral", "--map", "bad.txt"];
    let (_, said) = with_code(dir.path(), &arguments, 3);
    assert!(said.contains("the map bad: map, line 1: the number of planets should be here"), "{said}");
}

#[test]
fn a_broken_bot_is_told_before_the_first_match_and_can_be_left_out() {
    let dir = fresh_folder();
    let broken = [
        ("typo.c", "int main(void) { return 3 }\n", "typo cannot play: "),
        ("exits.py", "raise SystemExit(3)\n", "exits cannot play: exited with code 3"),
        ("talks.py", "print('hello', flush=True)\ninput()\n", "talks cannot play: malformed answer"),
    ];
    for (file, source, sentence) in broken {
        fs::write(dir.path().join(file), source).unwrap();
        let name = file.split('.').next().unwrap();
        let cup = format!(
            "game = \"auralux\"\nseed = 1\n[settings]\nmax_steps = 5\n[bots]\none = \"afk\"\n{name} = \"{file}\"\n\
             two = \"admiral\"\n"
        );
        fs::write(dir.path().join(format!("{name}.toml")), cup).unwrap();
        let plan = format!("{name}.toml");
        let folder = dir.path().join(name);
        let (_, said) = with_code(dir.path(), &["tournament", &plan, "-q"], 4);
        assert!(said.contains(&format!("{plan}: {sentence}")) && said.contains("--without-broken"), "{said}");
        assert!(!folder.exists() || log(&folder).is_empty(), "nothing is kept");
        good(dir.path(), &["tournament", &plan, "-q", "--without-broken"]);
        assert_eq!(finished(&folder).len(), 2);
        let bots = report(&folder)["bots"].as_array().unwrap().len();
        assert_eq!(bots, 2, "{name} has no part in it");
    }
}

#[test]
fn a_number_of_matches_that_no_machine_plays_at_once_is_refused() {
    let dir = fresh_folder();
    for number in ["0", "1025", "100000", "18446744073709551615", "-1", "many"] {
        let parallel = format!("--parallel={number}");
        for command in [
            ["tournament", "generals", "hunter", "greedy", &parallel],
            ["ladder", "generals", "hunter", "greedy", &parallel],
            ["duel", "generals", "hunter", "greedy", &parallel],
        ] {
            let (_, said) = with_code(dir.path(), &command, 2);
            let why = match number {
                "0" => {
                    "with parallel 0 nothing is played here; say with --queue where workers find the matches"
                }
                _ => "write a number from 0 to 1024",
            };
            assert!(said.contains(why), "{command:?}: {said}");
        }
    }
}

#[test]
fn a_bot_without_a_proper_name_is_not_taken() {
    let dir = fresh_folder();
    let cup =
        "game = \"rps\"\nseed = 5\n[settings]\nmax_ticks = 20\n[bots]\none = \"random\"\ntwo = \"random\"\n";
    fs::write(dir.path().join("cup.toml"), cup).unwrap();
    good(dir.path(), &["tournament", "cup.toml", "-q"]);
    good(dir.path(), &["ladder", "rps", "random", "greedy", "--set", "max_ticks=20", "--matches", "1", "-q"]);
    for name in ["", " ", "two\nlines", "bell\u{7}", "hidden\u{200b}", &"x".repeat(101)] {
        for command in [
            ["tournament", "add-bot", name, "random", "--dir", "cup"],
            ["ladder", "add", name, "random", "--dir", "rps-ladder"],
        ] {
            let (_, said) = with_code(dir.path(), &command, 2);
            assert!(
                said.contains("a name has 1 to 100 bytes of printable characters"),
                "{command:?}: {said}"
            );
        }
    }
}
