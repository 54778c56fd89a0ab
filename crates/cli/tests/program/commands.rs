//! The commands as people and scripts use them, through the real program.

use crate::support::{fails, json, palestra, project, run, zoo};
use serde_json::{Value, json as object};
use std::fs;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::tempdir;

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

fn bot(path: &str) -> String {
    project().join("bots").join(path).display().to_string()
}

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
    let (python, cpp) = (bot("python/auralux.py"), bot("cpp/auralux.cpp"));
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

// ----------------------------------------------------------------------------------------------------------- run

#[test]
fn the_runner_config_of_auralux_runs_as_it_is() {
    let dir = tempdir().unwrap();
    let map = "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n";
    fs::write(dir.path().join("small_map.txt"), map).unwrap();
    fs::create_dir(dir.path().join("bin")).unwrap();
    let program = dir.path().join("bin/example_player");
    let status = std::process::Command::new("c++")
        .args(["-O1", "-o"])
        .arg(&program)
        .arg(bot("cpp/auralux.cpp"))
        .status();
    assert!(status.unwrap().success());
    let config = "MAP small_map.txt\n\nPLAYER DEFAULT afk\nPLAYER PROCESS bin/example_player\n\nMAX_STEPS 400\n\nLOG_DIR logs_v2";
    fs::write(dir.path().join("config.txt"), config).unwrap();
    let report = json(dir.path(), &["run", "config.txt", "--json"]);
    assert_eq!(report["game"], "auralux");
    let log = |name: &str| fs::read_to_string(dir.path().join("logs_v2").join(name)).unwrap();
    let winner = report["winner"].as_i64().unwrap_or(-1);
    assert_eq!(log("game_scores.log").lines().next().unwrap(), winner.to_string());
    assert_eq!(log("game_scores.log").lines().count(), 6);
    assert!(
        log("game_visualizer.log").starts_with("4 2\n0 0\n10 0\n0 10\n10 10\n0\n1 100 1 100\n2 100 1 100\n")
    );
    assert!(log("game_visualizer.log").ends_with("\n-1\n"));
    assert!(log("game_result.log").len() > 50);
    assert_eq!(log("error.log"), "");
    // From standard input, with the large log left out.
    let mut child = palestra(dir.path())
        .args(["run", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{config} DISABLE_VISUALIZER_LOG").as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(log("game_visualizer.log"), "disabled\n");
}

#[test]
fn a_config_is_known_by_its_first_word_whatever_its_lines_are_like() {
    let dir = tempdir().unwrap();
    let map = "6 5\n1 2 3 4 5\n0 0\n10 0\n0 10\n10 10\n20 20\n30 30\n";
    fs::write(dir.path().join("m.txt"), map).unwrap();
    // Its third line is a number, as in a config of Generals.
    let players = "PLAYER DEFAULT afk ".repeat(5);
    fs::write(dir.path().join("config.txt"), format!("MAP m.txt {players}\nMAX_STEPS\n20\nLOG_DIR logs\n"))
        .unwrap();
    // Five players are more than the rules allow; the error names the setting, and it can be changed.
    let said = fails(dir.path(), &["run", "config.txt"], 3);
    assert!(said.contains("max_players"), "{said}");
    let said = fails(dir.path(), &["run", "config.txt", "--set", "max_player=5"], 2);
    assert!(said.contains("did you mean max_players?"), "{said}");
    let report = json(dir.path(), &["run", "config.txt", "--set", "max_players=5", "--json"]);
    assert_eq!([&report["game"], &report["rounds"]], [&object!("auralux"), &object!(20)]);
    // What is on the command line goes before the file.
    let report =
        json(dir.path(), &["run", "config.txt", "--set", "max_players=5", "--set", "max_steps=3", "--json"]);
    assert_eq!(report["rounds"], 3);
}

#[test]
fn a_match_without_a_step_is_a_draw_and_its_bots_are_told() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("m.txt"), "2 2\n1 2\n0 0\n10 0\n").unwrap();
    fs::write(dir.path().join("bot.py"), "import sys\nopen('told', 'w').write(sys.stdin.read())\n").unwrap();
    let config = "MAP m.txt\nPLAYER PROCESS bot.py\nPLAYER DEFAULT afk\nMAX_STEPS 0\nTMP_DIR work\n";
    fs::write(dir.path().join("config.txt"), config).unwrap();
    let report = json(dir.path(), &["run", "config.txt", "--json"]);
    assert_eq!([&report["winner"], &report["turns"]], [&Value::Null, &object!(0)]);
    let log = |name: &str| fs::read_to_string(dir.path().join("logs").join(name)).unwrap();
    assert_eq!(log("game_scores.log"), "-1\n0.5 0.5\n0\n\n0\n\n");
    assert_eq!(log("game_visualizer.log"), "2 2\n0 0\n10 0\n-1\n");
    assert_eq!(fs::read_to_string(dir.path().join("work/told")).unwrap(), "1 2 2\n0 10\n10 0\n-1\n");
}

#[test]
fn a_program_that_is_not_there_is_an_error_and_never_a_built_in_player() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("m.txt"), "2 2\n1 2\n0 0\n10 0\n").unwrap();
    fs::write(dir.path().join("auralux.txt"), "MAP m.txt PLAYER PROCESS afk PLAYER DEFAULT afk").unwrap();
    fs::write(dir.path().join("g.txt"), "1 3 2\n3 1 3\n").unwrap();
    fs::write(dir.path().join("generals.txt"), "log.txt\ng.txt\n2\ngreedy\nrest\n").unwrap();
    for (config, name) in [("auralux.txt", "afk"), ("generals.txt", "greedy")] {
        let said = fails(dir.path(), &["run", config], 4);
        assert!(said.contains(&format!("there is no file \"{name}\"")), "{said}");
    }
    assert!(!dir.path().join("logs").exists() && !dir.path().join("log.txt").exists());
}

#[test]
fn a_bot_that_cannot_be_started_is_out_and_the_others_play() {
    let dir = tempdir().unwrap();
    let map = "4 3\n1 2 3\n0 0\n10 0\n0 10\n10 10\n";
    fs::write(dir.path().join("m.txt"), map).unwrap();
    fs::write(dir.path().join("data"), "no program").unwrap();
    fs::write(dir.path().join("wrong.cpp"), "int main() { return undeclared_thing; }\n").unwrap();
    let script = dir.path().join("script");
    fs::write(&script, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let log = |name: &str| fs::read_to_string(dir.path().join("logs").join(name)).unwrap();
    for (number, broken) in ["data", "wrong.cpp", "script"].into_iter().enumerate() {
        let config =
            format!("MAP m.txt PLAYER PROCESS {broken} PLAYER DEFAULT afk PLAYER DEFAULT afk MAX_STEPS 3");
        fs::write(dir.path().join("config.txt"), config).unwrap();
        let replay = format!("{number}.replay");
        let output = run(dir.path(), &["run", "config.txt", "--json", "--replay", &replay]);
        let said = text(&output.stderr);
        assert!(
            output.status.success() && said.contains(&format!("{broken} is out before the first turn")),
            "{said}"
        );
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!([&report["rounds"], &report["turns"]], [&object!(3), &object!(6)], "{report:#}");
        assert_eq!(
            report["players"][0]["reason"],
            "disqualified before the first step: could not be started"
        );
        assert_eq!(log("game_scores.log"), "-1\n0 0.375 0.375\n1\n1\n0\n\n");
        assert_eq!(log("error.log"), "player 1: disqualified before the first step: could not be started\n");
        // A block for every seat in every step, those of who is passed over included.
        assert_eq!(log("game_visualizer.log").lines().count(), 1 + 4 + 3 * 3 * 5 + 1);
        json(dir.path(), &["replay", "verify", &replay, "--json"]);
        // Outside of a contest's own config it is an error.
        fails(dir.path(), &["play", "auralux", &format!("./{broken}"), "afk", "--no-replay"], 4);
    }
    // With one left the game is over before the first step, and with nobody left nobody has won.
    fs::write(dir.path().join("m.txt"), "2 2\n1 2\n0 0\n10 0\n").unwrap();
    for (other, winner) in [("DEFAULT afk", object!(2)), ("PROCESS script", Value::Null)] {
        fs::write(dir.path().join("config.txt"), format!("MAP m.txt PLAYER PROCESS data PLAYER {other}"))
            .unwrap();
        let report = json(dir.path(), &["run", "config.txt", "--json"]);
        assert_eq!([&report["rounds"], &report["winner"]], [&object!(0), &winner], "{report:#}");
    }
}

#[test]
fn the_config_of_generals_runs_as_it_is() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("maps")).unwrap();
    let map = json_free(dir.path(), &["map", "generals", "8", "8", "2", "--seed", "5"]);
    fs::write(dir.path().join("maps/test_map.txt"), map).unwrap();
    fs::copy(bot("python/generals.py"), dir.path().join("mine.py")).unwrap();
    fs::write(dir.path().join("config.txt"), "logs/log.txt\r\nmaps/test_map.txt\r\n2\r\nmine.py\r\nmine.py")
        .unwrap();
    let report = json(dir.path(), &["run", "config.txt", "--json", "--replay", "game.replay"]);
    assert_eq!(report["game"], "generals");
    let log = fs::read_to_string(dir.path().join("logs/log.txt")).unwrap();
    assert!(log.starts_with("8 8 2 0\n1\n"), "{}", &log[..40]);
    assert!(log.ends_with("\n0\n"));
    assert_eq!(json_free(dir.path(), &["replay", "export", "game.replay"]), log);
    fs::write(dir.path().join("three.txt"), "log.txt\nmaps/test_map.txt\n3\nmine.py\nmine.py\nmine.py\n")
        .unwrap();
    let said = fails(dir.path(), &["run", "three.txt"], 3);
    assert!(said.contains("2 players") && said.contains('3'), "{said}");
}

#[test]
fn the_configs_of_grifaki_run_as_they_are() {
    let dir = tempdir().unwrap();
    let game = dir.path().join("game");
    fs::create_dir(&game).unwrap();
    let config = r#"{"__about": "small", "width": 9, "height": 8, "rand_seed": 5, "wall_defense_coefficient": 1.3,
        "map": [["MOUNTAIN", 0.1], ["PLAIN", 0.85], ["CITY", 0.05]], "max_game_duration": 210}"#;
    fs::write(game.join("game_config.json"), config).unwrap();
    fs::write(
        game.join("launch_options.json"),
        r#"{"player_links": ["bot.cpp", "bot.cpp"], "time_barrier": 50}"#,
    )
    .unwrap();
    // It includes less than it uses, as bots of that event do.
    let source = "\
int main() { int h, w, n, id, win; std::cin >> h >> w >> n >> id;
  while (std::cin >> win && win == 0) {
    for (int i = 0; i < h * w; i++) { int a, o, l, v, f; std::string t; std::cin >> a >> o >> l >> v >> f >> t; }
    std::cerr << \"seen\" << std::endl; std::cout << \"EMPTY\" << std::endl; } }
";
    fs::write(game.join("bot.cpp"), source).unwrap();
    for named in ["game", "game/launch_options.json", "game/game_config.json"] {
        let output = run(dir.path(), &["run", named]);
        assert!(output.status.success(), "{named}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("tick 100\ntick 200\n"), "{}", text(&output.stderr));
        assert!(fs::read_to_string(game.join("runtimeLog.log")).unwrap().contains("EMPTY"));
        assert_eq!(fs::read_to_string(game.join("player_2_stderr.log")).unwrap(), "seen\n".repeat(210));
        let said = text(&output.stdout);
        assert!(said.ends_with("player 1: ■ blue, bot.cpp\nplayer 2: ■ vermilion, bot.cpp\n"), "{said}");
        // The log that was written during the match is the one that its recording gives.
        let exported = json_free(dir.path(), &["replay", "export", "game/recording.replay"]);
        assert_eq!(fs::read_to_string(game.join("runtimeLog.log")).unwrap(), exported);
        for log in ["runtimeLog.log", "recording.replay", "player_1_stderr.log", "player_2_stderr.log"] {
            fs::remove_file(game.join(log)).unwrap();
        }
    }
    fs::write(game.join("game_config.json"), r#"{"width": 9, "wdith": 9}"#).unwrap();
    let said = fails(dir.path(), &["run", "game"], 3);
    assert!(said.contains("wdith"), "{said}");
}

/// A folder with a match of Grifaki whose first bot does this in each turn.
fn grifaki_folder(folder: &Path, ticks: u32, options: &str, turn: &str) {
    fs::create_dir(folder).unwrap();
    let config = format!(r#"{{"width": 4, "height": 4, "max_game_duration": {ticks}}}"#);
    fs::write(folder.join("game_config.json"), config).unwrap();
    fs::write(
        folder.join("launch_options.json"),
        format!(r#"{{"player_links": ["one.py", "two.py"]{options}}}"#),
    )
    .unwrap();
    let bot = |turn: &str| {
        format!(
            "import sys\nh, w, n, me = map(int, sys.stdin.readline().split())\ntick = 0\n\
             while sys.stdin.readline() == '0\\n':\n    tick += 1\n    \
             for _ in range(h * w): sys.stdin.readline()\n    {turn}\n    sys.stdout.flush()\n"
        )
    };
    fs::write(folder.join("one.py"), bot(turn)).unwrap();
    fs::write(folder.join("two.py"), bot("print('EMPTY')")).unwrap();
}

#[test]
fn the_log_of_grifaki_grows_with_the_match() {
    let dir = tempdir().unwrap();
    let game = dir.path().join("game");
    // In its third turn the bot looks at the log, and says how far it has come.
    let looks = "if tick == 3: print(open('game/runtimeLog.log').read().splitlines()[-1], file=sys.stderr)\n    \
                 print('MOVE 0 0 0 0', 10 ** 30)";
    grifaki_folder(&game, 6, "", looks);
    let report = json(dir.path(), &["run", "game", "--json", "--sandbox", "off"]);
    assert_eq!([&report["faults"], &report["rounds"]], [&object!([]), &object!(6)], "{report:#}");
    let seen = fs::read_to_string(game.join("player_1_stderr.log")).unwrap();
    assert_eq!(seen, "tick 2, player 2: EMPTY\n");
    let log = fs::read_to_string(game.join("runtimeLog.log")).unwrap();
    assert_eq!(log.matches("player 1: ! not allowed, counts as EMPTY").count(), 6, "{log}");
}

#[test]
fn grifaki_is_shown_where_there_is_a_screen_at_the_pace_that_was_asked_for() {
    let dir = tempdir().unwrap();
    let game = dir.path().join("game");
    grifaki_folder(&game, 40, ", \"time_barrier\": 100", "print('EMPTY')");
    // A browser that tells where it was sent to, and a terminal.
    let browser = dir.path().join("xdg-open");
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{}'\n", dir.path().join("opened").display()))
        .unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = palestra(dir.path());
        let program = command.get_program().to_owned();
        let mut terminal = std::process::Command::new("python3");
        for (key, value) in command.args(arguments).get_envs() {
            if let Some(value) = value {
                terminal.env(key, value);
            }
        }
        let path = std::env::var("PATH").unwrap();
        terminal
            .args(["-c", "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"])
            .arg(program)
            .args(arguments)
            .current_dir(dir.path())
            .env("PATH", format!("{}:{path}", dir.path().display()))
            .env("DISPLAY", ":77")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        terminal.spawn().unwrap()
    };
    let unwatched = run(&["run", "game", "--no-watch"]).wait_with_output().unwrap();
    assert!(unwatched.status.success(), "{}", text(&unwatched.stdout));
    assert!(!dir.path().join("opened").exists());

    fs::remove_file(game.join("recording.replay")).unwrap();
    let begin = Instant::now();
    let mut child = run(&["run", "game"]);
    let opened =
        wait_for(|| fs::read_to_string(dir.path().join("opened")).ok().filter(|url| url.ends_with('\n')));
    assert!(opened.starts_with("http://127.0.0.1:"), "{opened}");
    wait_for(|| game.join("recording.replay").exists().then_some(()));
    // Forty ticks, with thirty-nine pauses of a tenth of a second at least.
    assert!(begin.elapsed() >= Duration::from_millis(3900), "{:?}", begin.elapsed());
    // It goes on serving until it is ended.
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Waits for something that comes in a moment.
fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "it does not come");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_tournament_config_of_auralux_goes_on_where_it_was() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("small_map.txt"), "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n").unwrap();
    let config = "TOURNAMENT_TYPE, ONE_VS_ONE_ALL\nTOURNAMENT_RESULT_FILE_PATH, result.csv\n\nGAME_LOGS_DIR, logs_t\n\nMAP, small_map.txt\n\nPLAYER, one, DEFAULT afk\nPLAYER, второй, DEFAULT aggressive_expansion_nearest\nPLAYER, three, DEFAULT upgrade_and_repair_main\n";
    fs::write(dir.path().join("cup.txt"), config).unwrap();
    let first = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!([&first["matches"], &first["played_before"]], [&object!(6), &object!(0)]);
    let table = fs::read_to_string(dir.path().join("result.csv")).unwrap();
    assert!(
        table.starts_with("Name\tScore\tAbsoluteWinner\tAliveInDraw\tDead\tDisqualified\nвторой\t"),
        "{table}"
    );
    // One match is lost, as if the power had failed while it was played: only that one is played again.
    let folder = fs::read_dir(dir.path().join("logs_t")).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(folder.join("game_scores.log")).unwrap();
    let second = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!(second["played_before"], 5);
    assert_eq!(fs::read_to_string(dir.path().join("result.csv")).unwrap(), table);
    // The same if a scores file is there but says nothing, or nothing that makes sense.
    let mut folders: Vec<_> =
        fs::read_dir(dir.path().join("logs_t")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for (folder, text) in folders.iter().zip([&b""[..], b"1\n1 ", b"\xff\xfe"]) {
        fs::write(folder.join("game_scores.log"), text).unwrap();
    }
    let third = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!(third["played_before"], 3);
    assert_eq!(fs::read_to_string(dir.path().join("result.csv")).unwrap(), table);
    // Another map leaves what was played; its own matches are played.
    fs::write(dir.path().join("other_map.txt"), "4 2\n1 2\n0 0\n20 0\n0 20\n20 20\n").unwrap();
    fs::write(
        dir.path().join("cup.txt"),
        config.replace("MAP, small_map.txt", "MAP, small_map.txt,\nMAP, other_map.txt"),
    )
    .unwrap();
    let larger = json(dir.path(), &["run", "cup.txt", "--json"]);
    assert_eq!([&larger["matches"], &larger["played_before"]], [&object!(12), &object!(6)]);
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
    let python = bot("python/generals.py");
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
        &["drive", "game.replay", "--seat", "2", "--bot", &python, "--from-turn", "61", "--json"],
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

// --------------------------------------------------------------------------------------------------- judge and check

/// How long the judge may take for a match that is over in a moment; only one that hangs takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Puts a program and the judge at the two ends of a pair of pipes, as a test system does.
fn judged(dir: &Path, game: &str, test: &str, participant: &[&str]) -> (i32, String) {
    let mut program = std::process::Command::new(participant[0])
        .args(&participant[1..])
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Test systems name a file with the right answer, too, and whatever else they like.
    let mut judge = palestra(dir)
        .args(["judge", game, test, "output.txt", "answer.txt", "-"])
        .stdin(program.stdout.take().unwrap())
        .stdout(program.stdin.take().unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while judge.try_wait().unwrap().is_none() && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    // Nothing happens to one that has ended.
    let hangs = judge.try_wait().unwrap().is_none();
    let _ = judge.kill();
    let output = judge.wait_with_output().unwrap();
    let _ = program.kill();
    let _ = program.wait();
    assert!(!hangs, "the judge hangs: {}", text(&output.stderr));
    (output.status.code().unwrap(), text(&output.stderr))
}

#[test]
fn the_judge_says_ok_only_to_a_clean_win() {
    let dir = tempdir().unwrap();
    let map = "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\n";
    fs::write(dir.path().join("01"), format!("{map}ejudge afk\n")).unwrap();
    fs::write(dir.path().join("02"), format!("{map}afk afk\n")).unwrap();
    let good = bot("python/auralux.py");
    let (code, said) = judged(dir.path(), "auralux", "01", &["python3", &good]);
    assert_eq!((code, said.starts_with("ok: the participant won")), (0, true), "{said}");
    assert!(fs::read_to_string(dir.path().join("output.txt")).unwrap().starts_with("ok: "));
    // The same bot with one order too many wins as well, but not cleanly.
    let clumsy = fs::read_to_string(&good)
        .unwrap()
        .replace("print(len(orders))", "orders.append((1, 2, -5))\n        print(len(orders))");
    fs::write(dir.path().join("clumsy.py"), clumsy).unwrap();
    let (code, said) = judged(dir.path(), "auralux", "01", &["python3", "clumsy.py"]);
    assert_eq!((code, said.contains("invalid orders")), (1, true), "{said}");
    let (code, said) = judged(dir.path(), "auralux", "01", &["echo", "nonsense"]);
    assert_eq!((code, said.contains("disqualified")), (1, true), "{said}");
    let (code, said) = judged(dir.path(), "auralux", "02", &["true"]);
    assert_eq!((code, said.contains("ejudge once")), (3, true), "{said}");
}

#[test]
fn a_bot_that_writes_ahead_or_never_reads_does_not_hold_the_judge_up() {
    let dir = tempdir().unwrap();
    let mut map = "20 2\n1 2\n".to_owned();
    for planet in 0..20 {
        map += &format!("{} {}\n", planet % 5 * 10, planet / 5 * 10);
    }
    fs::write(dir.path().join("test"), format!("{map}ejudge afk\n")).unwrap();
    // A line for every number, as a sample bot of the contest does: far more answers than it is asked for.
    let source = "\
import sys
for line in sys.stdin:
    print('0\\n' * len(line.split()), end='', flush=True)
";
    fs::write(dir.path().join("ahead.py"), source).unwrap();
    let (code, said) = judged(dir.path(), "auralux", "test", &["python3", "ahead.py"]);
    assert_eq!((code, said.contains("there is no single winner")), (1, true), "{said}");
    let source = "import time\nprint('0\\n' * 10001, end='', flush=True)\ntime.sleep(1000)\n";
    fs::write(dir.path().join("deaf.py"), source).unwrap();
    let (code, said) = judged(dir.path(), "auralux", "test", &["python3", "deaf.py"]);
    assert_eq!((code, said.contains("there is no single winner")), (1, true), "{said}");
}

#[test]
fn the_judge_plays_at_a_socket_that_somebody_made_non_blocking() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("test"), "4 2\n1 2\n0 0\n10 0\n0 10\n10 10\nejudge afk\n").unwrap();
    let (ours, theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    let end = |socket: &UnixStream| Stdio::from(OwnedFd::from(socket.try_clone().unwrap()));
    let mut program = std::process::Command::new("python3")
        .arg(bot("python/auralux.py"))
        .stdin(end(&theirs))
        .stdout(end(&theirs))
        .spawn()
        .unwrap();
    let mut judge = palestra(dir.path());
    judge.args(["judge", "auralux", "test"]).stdin(end(&ours)).stdout(end(&ours)).stderr(Stdio::piped());
    let judge = judge.spawn().unwrap();
    drop((ours, theirs));
    let output = judge.wait_with_output().unwrap();
    let _ = program.kill();
    let _ = program.wait();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn the_judge_knows_generals_too() {
    let dir = tempdir().unwrap();
    let map = json_free(dir.path(), &["map", "generals", "6", "6", "2", "--seed", "2"]);
    fs::write(dir.path().join("test"), format!("{map}\nejudge rest\n")).unwrap();
    let (code, said) = judged(dir.path(), "generals", "test", &["python3", &bot("python/generals.py")]);
    assert_eq!((code, said.starts_with("ok: ")), (0, true), "{said}");
}

#[test]
fn check_finds_what_is_wrong_and_gives_advice() {
    let dir = tempdir().unwrap();
    for game in ["generals", "auralux", "rps", "grifaki"] {
        // The starter kits have none, given time enough for a busy machine.
        let kit = bot(&format!("python/{game}.py"));
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

/// Runs a command that prints something else than JSON.
fn json_free(dir: &Path, arguments: &[&str]) -> String {
    let output = run(dir, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}
