//! The commands as people and scripts use them, through the real program.

use crate::support::{bot, fails, json, json_free, palestra, project, run, text, zoo};
use serde_json::{Value, json as object};
use std::fs;
use std::path::Path;
use std::process::Stdio;
use tempfile::tempdir;

// ---------------------------------------------------------------------------------------------------------- play

#[test]
fn play_prints_one_documented_json_object() {
    let dir = tempdir().unwrap();
    let report = json(dir.path(), &["play", "generals", "greedy", "random", "--seed", "7", "--json"]);
    for key in ["game", "seed", "turns", "rounds", "winner", "time", "players", "faults", "replay"] {
        assert!(!report[key].is_null(), "{key} in {report:#}");
    }
    for (index, player) in report["players"].as_array().unwrap().iter().enumerate() {
        assert_eq!(player["seat"], index + 1);
        let keys = [
            "bot",
            "place",
            "score",
            "fate",
            "reason",
            "turns",
            "wall_ms",
            "cpu_ms",
            "longest_ms",
            "notes",
            "note_count",
        ];
        for key in keys {
            assert!(!player[key].is_null(), "{key} in {player:#}");
        }
    }
    let documented = fs::read_to_string(project().join("docs/json.md")).unwrap();
    for key in report.as_object().unwrap().keys().chain(report["players"][0].as_object().unwrap().keys()) {
        assert!(documented.contains(&format!("`{key}`")), "docs/json.md does not document {key}");
    }
}

#[test]
fn the_seed_decides_the_match_and_the_seating() {
    let dir = tempdir().unwrap();
    let play = |seed: &str| {
        json(
            dir.path(),
            &[
                "play",
                "generals",
                "greedy",
                "random",
                "rest",
                "--shuffle",
                "--seed",
                seed,
                "--json",
                "--no-replay",
            ],
        )
    };
    assert_eq!(play("11"), play("11"));
    let seatings: Vec<Vec<String>> = (1..12)
        .map(|seed| {
            let report = play(&seed.to_string());
            report["players"].as_array().unwrap().iter().map(|player| player["bot"].to_string()).collect()
        })
        .collect();
    assert!(seatings.iter().any(|seating| *seating != seatings[0]), "{seatings:?}");
    let given = json(dir.path(), &["play", "generals", "greedy", "random", "rest", "--json", "--no-replay"]);
    assert_eq!([&given["players"][0]["bot"], &given["players"][2]["bot"]], ["greedy", "rest"]);
}

#[test]
fn built_ins_programs_sources_and_command_lines_meet_in_one_match() {
    let dir = tempdir().unwrap();
    let (python, cpp) = (bot("auralux/kits/python/auralux.py"), bot("auralux/kits/cpp/auralux.cpp"));
    let command = format!("python3 {python}");
    let arguments = [
        "play",
        "auralux",
        "aggressive",
        &python,
        &cpp,
        &command,
        "--set",
        "max_steps=60",
        "--json",
        "--time",
        "30s",
    ];
    let report = json(dir.path(), &arguments);
    assert_eq!(report["faults"], object!([]));
    assert_eq!(report["rounds"], 60);
    for player in &report["players"].as_array().unwrap()[1..] {
        assert!(
            player["wall_ms"].as_f64().unwrap() > 0.0 && player["cpu_ms"].as_f64().unwrap() > 0.0,
            "{player:#}"
        );
    }
    // The same match again, from its replay.
    let replay = report["replay"].as_str().unwrap();
    assert_eq!(json(dir.path(), &["replay", "verify", replay, "--json"])["files"][0]["holds"], true);
}

#[test]
fn a_bot_that_is_this_folder_is_called_by_the_folders_name() {
    let dir = tempdir().unwrap();
    json_free(dir.path(), &["new", "generals", "--language", "python", "mine"]);
    let report = json(&dir.path().join("mine"), &["play", "generals", ".", "rest", "--no-replay", "--json"]);
    assert_eq!(report["players"][0]["bot"], "mine");
}

#[test]
fn every_language_plays_or_says_what_is_missing() {
    let sources = [
        (
            "pass.c",
            "C",
            "#include <stdio.h>\nint main(void) { char line[4096]; int n, m, k, id, go;\n scanf(\"%d %d %d %d\", &n, &m, &k, &id);\n while (fgets(line, sizeof line, stdin)) ; return 0; }\n",
        ),
        (
            "Pass.java",
            "Java",
            "public class Pass { public static void main(String[] a) throws Exception {\n var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));\n in.readLine(); for (String line; (line = in.readLine()) != null && !line.equals(\"-1\"); ) {} } }\n",
        ),
        ("pass.js", "JavaScript", "process.stdin.resume();\n"),
        ("pass.ts", "TypeScript", "const answer: string = '0';\nprocess.stdin.resume();\n"),
        (
            "pass.go",
            "Go",
            "package main\nimport (\"bufio\"; \"os\")\nfunc main() { r := bufio.NewReader(os.Stdin); for { if _, e := r.ReadString('\\n'); e != nil { return } } }\n",
        ),
        ("pass.rs", "Rust", "fn main() { for line in std::io::stdin().lines() { let _ = line; } }\n"),
        ("pass.py", "Python", "import sys\nsys.stdin.read()\n"),
    ];
    let dir = tempdir().unwrap();
    let here = json(dir.path(), &["doctor", "--json"]);
    for (file, language, source) in sources {
        fs::write(dir.path().join(file), source).unwrap();
        let finding = here["findings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|finding| finding["what"].as_str().unwrap().starts_with(&format!("{language} (")));
        let arguments = ["play", "auralux", file, "afk", "--time", "50ms", "--json", "--no-replay"];
        if finding.unwrap()["ok"] == true {
            // They all read and never answer, which is enough to see that they run.
            let report = json(dir.path(), &arguments);
            assert_eq!(report["faults"][0]["kind"], "out_of_time", "{language}: {report:#}");
        } else {
            let said = fails(dir.path(), &arguments, 4);
            assert!(said.contains(language) && said.contains("install"), "{said}");
        }
    }
}

#[test]
fn sources_are_compiled_once_and_again_when_something_they_include_changes() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("answer.h"), "#define ANSWER \"0\"\n").unwrap();
    let source = "#include <stdio.h>\n#include \"answer.h\"\nint main(void) { for (int i = 0; i < 99; i++) puts(ANSWER); fflush(stdout); while (getchar() != EOF) {} }\n";
    fs::write(dir.path().join("bot.c"), format!("/* {:?} */\n{source}", dir.path())).unwrap();
    let arguments = ["play", "auralux", "bot.c", "afk", "--set", "max_steps=5", "--no-replay"];
    let compiled = |arguments: &[&str]| text(&run(dir.path(), arguments).stderr).contains("compiling bot.c");
    assert!(compiled(&arguments));
    assert!(!compiled(&arguments));
    fs::write(dir.path().join("answer.h"), "#define ANSWER \"nonsense\"\n").unwrap();
    let output = run(dir.path(), &arguments);
    assert!(text(&output.stderr).contains("compiling bot.c"));
    assert!(text(&output.stdout).contains("malformed answer"), "{}", text(&output.stdout));
}

/// The same source with other headers beside it is another bot, at home and in the sandbox.
#[test]
fn the_same_source_in_two_folders_is_two_bots() {
    let source = "#include <stdio.h>\n#include \"answer.h\"\nint main(void) { for (int i = 0; i < 99; i++) puts(ANSWER); fflush(stdout); while (getchar() != EOF) {} }\n";
    for level in ["off", "auto", "strict"] {
        let dir = tempdir().unwrap();
        for (folder, answer) in [("good", "0"), ("bad", "nonsense")] {
            fs::create_dir(dir.path().join(folder)).unwrap();
            fs::write(dir.path().join(folder).join("main.c"), source).unwrap();
            let header = format!("#define ANSWER \"{answer}\"\n");
            fs::write(dir.path().join(folder).join("answer.h"), header).unwrap();
        }
        let arguments =
            ["play", "auralux", "good/main.c", "bad/main.c", "--set", "max_steps=5", "--no-replay"];
        let arguments = [&arguments[..], &["--sandbox", level]].concat();
        let output = run(dir.path(), &[&arguments[..], &["--json"]].concat());
        if level == "strict" && text(&output.stderr).contains("cannot run programs strictly apart") {
            return;
        }
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"));
        let faults = report["faults"].as_array().unwrap();
        assert_eq!((faults.len(), &faults[0]["seat"]), (1, &Value::from(2)), "{level}: {report:#}");
        let compiled = || text(&run(dir.path(), &arguments).stderr).matches("compiling ").count();
        assert_eq!(compiled(), 0, "{level}");
        fs::write(dir.path().join("bad/answer.h"), "#define ANSWER \"0\"\n").unwrap();
        assert_eq!((compiled(), compiled()), (1, 0), "{level}");
    }
}

/// A file without end that a source includes is not read to its end, and nobody can tell whether it has changed.
#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_compared_is_compiled_every_time() {
    let dir = tempdir().unwrap();
    let source = "#include \"/proc/self/pagemap\"\nint main(void) { return 3; }\n";
    fs::write(dir.path().join("bot.c"), source).unwrap();
    let arguments = ["play", "auralux", "bot.c", "afk", "--set", "max_steps=5", "--no-replay"];
    for level in ["off", "auto"] {
        let arguments = [&arguments[..], &["--sandbox", level]].concat();
        for _ in 0..2 {
            let output = run(dir.path(), &arguments);
            assert!(text(&output.stderr).contains("compiling bot.c"), "{output:?}");
        }
    }
}

#[test]
fn missing_standard_headers_are_forgiven_and_other_errors_are_shown() {
    let dir = tempdir().unwrap();
    // A comment of its own, so that no former run has compiled it.
    let source = format!(
        "// {:?}\n{}",
        dir.path(),
        "int main() { std::vector<int> v(1); std::string line; while (std::getline(std::cin, line)) std::cerr << v.size(); }\n"
    );
    fs::write(dir.path().join("lazy.cpp"), source).unwrap();
    let output = run(dir.path(), &["play", "auralux", "lazy.cpp", "afk", "--time", "50ms", "--no-replay"]);
    assert!(
        output.status.success()
            && text(&output.stderr).contains("lazy.cpp does not include all the standard headers")
    );
    fs::write(dir.path().join("wrong.cpp"), "int main() { return undeclared_thing; }\n").unwrap();
    let said = fails(dir.path(), &["play", "auralux", "wrong.cpp", "afk"], 4);
    assert!(said.contains("wrong.cpp does not compile (C++)") && said.contains("undeclared_thing"), "{said}");
}

#[test]
fn a_users_toolchain_adds_a_language() {
    let dir = tempdir().unwrap();
    let table = "[[toolchain]]\nname = \"Shell\"\nextensions = [\"bash\"]\ntools = [\"bash\"]\nrun = [\"{tool}\", \"{source}\"]\nhint = \"install bash\"\n";
    fs::write(dir.path().join("mine.toml"), table).unwrap();
    fs::write(
        dir.path().join("bot.bash"),
        "while read -r line; do [ \"$line\" = -1 ] && exit; [ ${#line} -eq 1 ] && echo 0; done\n",
    )
    .unwrap();
    let play = |table: &str| {
        let mut command = palestra(dir.path());
        command.env("PALESTRA_TOOLCHAINS", table).args([
            "play",
            "auralux",
            "bot.bash",
            "afk",
            "--set",
            "max_steps=9",
            "--json",
            "--no-replay",
        ]);
        command.output().unwrap()
    };
    let report: Value = serde_json::from_slice(&play("mine.toml").stdout).unwrap();
    assert_eq!(report["rounds"], 9, "{report:#}");
    fs::write(dir.path().join("bad.toml"), "[[toolchain]]\nname = 5\n").unwrap();
    let output = play("bad.toml");
    assert_eq!(output.status.code(), Some(4));
    assert!(text(&output.stderr).contains("bad.toml"));
}

#[test]
fn logs_keep_what_was_said() {
    let dir = tempdir().unwrap();
    fs::write(
        dir.path().join("talks.py"),
        "import sys\nfor line in sys.stdin:\n  if line == '0\\n':\n    print('thinking', file=sys.stderr, flush=True)\n    print(0, flush=True)\n",
    )
    .unwrap();
    let arguments = [
        "play",
        "auralux",
        "talks.py",
        "afk",
        "--map",
        "tiny",
        "--set",
        "max_steps=3",
        "--logs",
        "kept",
        "--json",
        "--time",
        "20s",
    ];
    assert_eq!(json(dir.path(), &arguments)["faults"], object!([]));
    let transcript = fs::read_to_string(dir.path().join("kept/seat-1.transcript.txt")).unwrap();
    assert!(
        transcript.starts_with("> 1 2 ")
            && transcript.contains("--- turn 1\n> 0\n")
            && transcript.contains("\n< 0\n"),
        "{transcript}"
    );
    assert!(transcript.ends_with("> -1\n"), "{transcript}");
    let stderr = fs::read_to_string(dir.path().join("kept/seat-1.stderr.txt")).unwrap();
    assert!(stderr.starts_with("--- turn 1\nthinking\n--- turn 3\nthinking\n"), "{stderr}");
}

#[test]
fn start_up_is_not_charged() {
    let dir = tempdir().unwrap();
    let source = "import sys, time\nend = time.process_time() + 1.2\nwhile time.process_time() < end: pass\nfor line in sys.stdin:\n  if line == '0\\n': print(0, flush=True)\n";
    fs::write(dir.path().join("slow.py"), source).unwrap();
    let arguments = [
        "play",
        "auralux",
        "slow.py",
        "afk",
        "--map",
        "tiny",
        "--set",
        "max_steps=3",
        "--time",
        "1s",
        "--json",
        "--no-replay",
    ];
    let report = json(dir.path(), &arguments);
    assert_eq!(report["faults"], object!([]), "{report:#}");
}

#[test]
fn processor_time_of_a_helper_process_is_the_bots() {
    let dir = tempdir().unwrap();
    let helper = "import sys, time\nfor line in sys.stdin:\n  end = time.process_time() + 0.05\n  while time.process_time() < end: pass\n  print(0, flush=True)\n";
    fs::write(dir.path().join("helper.py"), helper).unwrap();
    let source = "import subprocess, sys\nhelper = subprocess.Popen([sys.executable, 'helper.py'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)\nfor line in sys.stdin:\n  if line == '0\\n':\n    helper.stdin.write('go\\n'); helper.stdin.flush()\n    print(helper.stdout.readline(), end='', flush=True)\n";
    fs::write(dir.path().join("boss.py"), source).unwrap();
    let arguments = [
        "play",
        "auralux",
        "boss.py",
        "afk",
        "--map",
        "tiny",
        "--set",
        "max_steps=6",
        "--json",
        "--no-replay",
        "--time",
        "60s",
    ];
    let report = json(dir.path(), &arguments);
    let cpu = report["players"][0]["cpu_ms"].as_f64().unwrap();
    assert!((250.0..1500.0).contains(&cpu), "{report:#}");
}

#[test]
fn a_replay_that_cannot_be_written_does_not_cost_the_result() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    let output =
        run(dir.path(), &["play", "generals", "greedy", "random", "--json", "--replay", "file/game.replay"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("failed to write file/game.replay"), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["replay"].is_null() && report["rounds"].as_u64().unwrap() > 0);
}

#[test]
fn wrong_usage_says_what_to_do() {
    let dir = tempdir().unwrap();
    for (arguments, says) in [
        (vec!["play", "chess", "a", "b"], "there are generals, auralux, rps, grifaki"),
        (vec!["play", "generals", "rest"], "is played by 2 to"),
        (vec!["play", "generals", "rest", "rest", "--set", "max_turn=3"], "did you mean max_turns?"),
        (vec!["play", "generals", "rest", "rest", "--set", "max_turns=0"], "must be from 1"),
        (vec!["play", "generals", "rest", "rest", "--set", "max_turns"], "KEY=VALUE"),
        (vec!["play", "generals", "rest", "rest", "--time", "fast"], "250ms/answer"),
        (vec!["play", "generals", "rest", "rest", "--cores", "99999"], "core"),
        (
            vec!["play", "generals", "rest", "rest", "rest", "--map", "duel"],
            "is for 2 players, and 3 bots were given",
        ),
        (vec!["map", "generals", "5", "5"], "rows, columns, players"),
        (vec!["map", "generals", "1", "1", "2"], ""),
    ] {
        let said = fails(dir.path(), &arguments, 2);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0, "nothing is written");
}

#[test]
fn bad_files_are_told_by_name() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("map.txt"), "3 3 2 1 1 1").unwrap();
    fs::write(dir.path().join("bytes"), [0xff, 0xfe, 0]).unwrap();
    fs::write(dir.path().join("config"), "MAP nothing\nPLAYER DEFAULT afk\nPLAYER DEFAULT nobody\n").unwrap();
    for (arguments, says) in [
        (vec!["play", "generals", "rest", "rest", "--map", "map.txt"], "map.txt: "),
        (vec!["play", "generals", "rest", "rest", "--map", "nowhere.txt"], "nowhere.txt"),
        (vec!["play", "generals", "rest", "rest", "--map", "bytes"], "bytes"),
        (vec!["replay", "info", "map.txt"], "map.txt: this is no replay of Palestra"),
        (vec!["replay", "verify", "map.txt", "nowhere"], "nowhere"),
        (vec!["replay", "frames", "nowhere"], "nowhere"),
        (vec!["run", "map.txt"], "is no configuration that palestra knows"),
        (vec!["run", "config"], "nobody"),
        (vec!["judge", "generals", "map.txt"], "map.txt: "),
        (vec!["drive", "map.txt", "--seat", "1", "--bot", "rest"], "map.txt: "),
    ] {
        let said = fails(dir.path(), &arguments, 3);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}

#[test]
fn a_late_answer_passes_the_tick_and_is_thrown_away_when_it_comes() {
    let dir = tempdir().unwrap();
    // Every answer carries the tick it belongs to, as an order to a unit that does not exist.
    let source = "\
import sys, time
for line in sys.stdin:
    word = line.split()
    if word[0] == 'tick':
        tick = int(word[1])
    if word[0] == '.':
        if tick in (21, 25):
            time.sleep(1.6)
        print(f'{100000 + tick} left\\n.', flush=True)
";
    fs::write(dir.path().join("slow.py"), source).unwrap();
    // Time enough for everybody who does not sleep, however busy the machine is.
    let arguments =
        ["play", "rps", "slow.py", "random", "--set", "max_ticks=60", "--time", "1s/answer", "--json"];
    let report = json(dir.path(), &[&arguments[..], &["--replay", "game.replay"]].concat());
    let faults: Vec<_> = report["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| (fault["turn"].as_u64(), &fault["kind"]))
        .collect();
    assert_eq!(
        faults,
        [(Some(21), &object!("out_of_time")), (Some(25), &object!("out_of_time"))],
        "{report:#}"
    );
    assert_eq!([&report["players"][0]["fate"], &report["rounds"]], [&object!("alive"), &object!(60)]);
    for line in json_free(dir.path(), &["replay", "frames", "game.replay"]).lines() {
        let frame: Value = serde_json::from_str(line).unwrap();
        if let (Some(1), Some(answer)) = (frame["seat"].as_u64(), frame["answer"].as_str()) {
            let own = format!("{} left", 100_000 + frame["turn"].as_u64().unwrap());
            assert!(answer.starts_with(&own), "turn {}: {answer}", frame["turn"]);
        }
    }
    json(dir.path(), &["replay", "verify", "game.replay", "--json"]);
}

// -------------------------------------------------------------------------------------------------------- replays

fn recorded(dir: &Path) -> &'static str {
    json(dir, &["play", "generals", "hunter", "greedy", "--seed", "3", "--replay", "game.replay", "--json"]);
    "game.replay"
}

#[test]
fn a_replay_tells_everything_about_its_match() {
    let dir = tempdir().unwrap();
    let file = recorded(dir.path());
    let info = json(dir.path(), &["replay", "info", file, "--json"]);
    assert_eq!((info["game"].as_str(), info["seed"].as_u64()), (Some("generals"), Some(3)));
    assert_eq!(info["players"][0]["bot"], "hunter");
    let turns = info["turns"].as_u64().unwrap() as usize;
    let frames = json_free(dir.path(), &["replay", "frames", file]);
    assert_eq!(frames.lines().count(), turns + 1);
    for line in frames.lines() {
        let frame: Value = serde_json::from_str(line).unwrap();
        assert!(frame["frame"].is_object());
    }
    let part = json_free(dir.path(), &["replay", "frames", file, "--from", "10", "--to", "12"]);
    assert_eq!(part.lines().count(), 3);
    assert_eq!(part.lines().next().unwrap(), frames.lines().nth(10).unwrap());
    // As a seat saw it, less is seen.
    let seen =
        json_free(dir.path(), &["replay", "frames", file, "--view", "2", "--from", "10", "--to", "12"]);
    assert_ne!(seen, part);
    let said = fails(dir.path(), &["replay", "frames", file, "--view", "3"], 2);
    assert!(said.contains("seats 1 to 2"), "{said}");
}

#[test]
fn a_changed_replay_is_noticed_and_the_others_are_still_looked_at() {
    let dir = tempdir().unwrap();
    let file = recorded(dir.path());
    let bytes = fs::read(dir.path().join(file)).unwrap();
    fs::write(dir.path().join("cut.replay"), &bytes[..bytes.len() / 2]).unwrap();
    let output = run(dir.path(), &["replay", "verify", "cut.replay", file]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("cut.replay: the replay is damaged"));
    assert!(text(&output.stdout).contains("game.replay: holds"));
}

#[test]
fn reading_only_the_beginning_of_the_frames_is_no_error() {
    let dir = tempdir().unwrap();
    let file = recorded(dir.path());
    let mut child = palestra(dir.path())
        .args(["replay", "frames", file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[test]
fn drive_finds_where_answers_differ() {
    let dir = tempdir().unwrap();
    let python = bot("generals/kits/python/generals.py");
    json(
        dir.path(),
        &[
            "play",
            "generals",
            "greedy",
            &python,
            "--map",
            "duel",
            "--set",
            "max_turns=60",
            "--seed",
            "3",
            "--replay",
            "game.replay",
            "--json",
            "--time",
            "60s",
        ],
    );
    let same = json(dir.path(), &["drive", "game.replay", "--seat", "2", "--bot", &python, "--json"]);
    assert_eq!((same["turns"].as_u64(), &same["differences"]), (Some(60), &object!([])));
    // The bot keeps nothing in mind, so it answers the same from the middle on.
    let middle = json(
        dir.path(),
        &["drive", "game.replay", "--seat", "2", "--bot", &python, "--turn", "61", "--json"],
    );
    assert_eq!((middle["turns"].as_u64(), &middle["differences"]), (Some(30), &object!([])));
    let output = run(dir.path(), &["drive", "game.replay", "--seat", "1", "--bot", &python, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let other: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(!other["differences"].as_array().unwrap().is_empty());
    let crash = zoo("crashes.c");
    let output = run(dir.path(), &["drive", "game.replay", "--seat", "1", "--bot", &crash]);
    assert!(
        text(&output.stdout).contains("the bot failed in turn 1: killed by signal 11"),
        "{}",
        text(&output.stdout)
    );
    // Its standard error is shown as it comes.
    assert!(text(&output.stderr).contains("about to crash"));
}

// ---------------------------------------------------------------------------------------------------------- check

#[test]
fn check_finds_what_is_wrong_and_gives_advice() {
    let dir = tempdir().unwrap();
    for game in ["generals", "auralux", "rps", "grifaki"] {
        // The starter kits have none, given time enough for a busy machine.
        let kit = bot(&format!("{game}/kits/python/{game}.py"));
        let good = json(dir.path(), &["check", game, &kit, "--json", "--time", "100s/answer"]);
        assert_eq!(good["ok"], true, "{good:#}");
    }
    for (name, kind, advice) in [
        ("garbage.c", "protocol", "standard output is for answers only"),
        ("crashes.c", "protocol", "its standard error says why"),
        ("stays.c", "ending", "end the program"),
    ] {
        let output = run(dir.path(), &["check", "auralux", &zoo(name), "--json", "--time", "2s"]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let problem = &report["situations"][0]["problems"][0];
        assert_eq!(problem["kind"], kind, "{name}: {report:#}");
        assert!(problem["advice"].as_str().unwrap().contains(advice), "{name}: {problem:#}");
    }
}

#[test]
fn check_says_a_fault_that_comes_again_and_again_once() {
    let dir = tempdir().unwrap();
    // No answer in any game: some end with it, others go on.
    let noise = "import os\nwhile os.read(0, 65536): os.write(1, b'what?\\n.\\n')\n";
    fs::write(dir.path().join("noise.py"), noise).unwrap();
    for (game, kind, said) in [
        ("generals", "protocol", "malformed answer"),
        ("rps", "legality", "1 line is no order, and was ignored"),
    ] {
        let arguments = ["check", game, "noise.py", "--time", "100s/answer"];
        let told = String::from_utf8_lossy(&run(dir.path(), &arguments).stdout).into_owned();
        let output = run(dir.path(), &[&arguments[..], &["--json"]].concat());
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let situations = report["situations"].as_array().unwrap();
        let count = |situation: &Value| situation["problems"][0]["count"].as_u64().unwrap_or(0);
        let all: u64 = situations.iter().map(count).sum();
        assert!(all as usize > 5, "{told}");
        assert_eq!(told.matches(said).count(), 1, "one line for all: {told}");
        assert!(told.contains(&format!("{kind}, {all} times; the first: {said}")), "{told}");
        assert!(told.contains("    in: ") && told.contains(" other games\n"), "{told}");
        assert_eq!(told.matches("advice: ").count(), 1, "{told}");
    }
}

// ---------------------------------------------------------------------------------------------------------- the rest

#[test]
fn maps_are_repeatable_and_playable() {
    let dir = tempdir().unwrap();
    for (game, numbers) in [("generals", ["12", "9", "3"].as_slice()), ("auralux", ["12", "3"].as_slice())] {
        let arguments = [&["map", game], numbers, &["--seed", "4"]].concat();
        let map = json_free(dir.path(), &arguments);
        assert_eq!(map, json_free(dir.path(), &arguments));
        fs::write(dir.path().join("map.txt"), map).unwrap();
        let name = if game == "generals" { "greedy" } else { "aggressive" };
        json(dir.path(), &["play", game, name, name, name, "--map", "map.txt", "--json", "--no-replay"]);
    }
}

#[test]
fn every_game_is_described() {
    let dir = tempdir().unwrap();
    let all = json(dir.path(), &["games", "--json"]);
    for game in all["games"].as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        let details = json_free(dir.path(), &["games", id]);
        for setting in game["settings"].as_array().unwrap() {
            assert!(details.contains(setting["key"].as_str().unwrap()));
        }
        let english = json_free(dir.path(), &["games", id, "--rules"]);
        assert!(english.len() > 2000);
        assert_eq!(json_free(dir.path(), &["games", id, "--language", "en"]), english);
        let [hungarian, russian] =
            ["hu", "ru"].map(|code| json_free(dir.path(), &["games", id, "--language", code]));
        assert!(hungarian.contains(" és ") && russian.contains(" и "), "{id}");
    }
    let sentence = fails(dir.path(), &["games", "rps", "--language", "tlh"], 2);
    assert!(sentence.contains("there are en, hu, ru"), "{sentence}");
}

#[test]
fn shells_get_their_completions() {
    let dir = tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(json_free(dir.path(), &["completions", shell]).contains("palestra"));
    }
}
