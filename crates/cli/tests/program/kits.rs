//! Starter kits as people use them: made, tested, checked, played and handed in, in every language whose compiler is here.
//! Each test says which it is, or what is missing.

use crate::arena::stand::Stand;
use crate::support::{fails, json, json_free, palestra, project, run, text};
use palestra_core::{AnyGame, Replay};
use palestra_games::GAMES;
use palestra_kits::{LANGUAGES, Language, language, languages};
use palestra_runner::{Guard, Workshop};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

macro_rules! each_language {
    ($($id:ident),+ $(,)?) => {
        $(#[test] fn $id() { try_out(stringify!($id)); })+

        #[test]
        fn every_language_is_tried() {
            let tried = [$(stringify!($id)),+];
            assert_eq!(LANGUAGES.iter().map(|language| language.id).collect::<Vec<_>>(), tried);
        }
    };
}

each_language!(python, cpp, c, rust, java, kotlin, csharp, go, javascript, typescript, pascal, ruby, php,);

#[test]
fn the_first_steps_in_every_language_are_those_of_its_kit() {
    for file in ["first-steps.md", "first-steps.ru.md", "first-steps.hu.md"] {
        let steps = fs::read_to_string(project().join("docs").join(file)).unwrap();
        for Language { id, title, bot, test, .. } in LANGUAGES {
            let rest = steps.split_once(&format!("\n### {title}\n")).map(|(_, rest)| rest);
            let rest = rest.unwrap_or_else(|| panic!("docs/{file} says nothing of {title}"));
            let section = rest.split("\n#").next().unwrap();
            for told in [
                format!("palestra new generals --language {id} mybot\n"),
                format!("`{bot}`"),
                format!("\n{test}\n"),
            ] {
                assert!(section.contains(&told), "docs/{file}, {title}: there is no {told:?} in {section}");
            }
        }
    }
}

/// What is missing here for a language.
fn missing(language: &Language) -> Option<String> {
    let guard = Guard::off();
    let ending = language.main.rsplit('.').next().unwrap();
    let toolchains = Workshop::open(&guard).unwrap().toolchains();
    let toolchain = toolchains.iter().find(|one| one.extensions.iter().any(|other| other == ending));
    toolchain.unwrap_or_else(|| panic!("no toolchain for {ending}")).tool.clone().err()
}

fn weakest(game: &dyn AnyGame) -> &'static str {
    game.built_ins()[0].name
}

/// Makes a kit; its folder.
fn made(dir: &Path, game: &dyn AnyGame, id: &str) -> String {
    let folder = format!("{}-{id}", game.info().id);
    json_free(dir, &["new", game.info().id, "--language", id, &folder]);
    folder
}

/// Plays a kit against the weakest player, sees it win without a fault, and gives the fingerprint of the end.
fn won(dir: &Path, game: &dyn AnyGame, folder: &str, seed: &str) -> [u8; 32] {
    let file = format!("{folder}-{seed}.replay");
    let match_of = ["play", game.info().id, folder, weakest(game), "--seed", seed, "--time", "100s/answer"];
    let report = json(dir, &[&match_of[..], &["--json", "--replay", &file]].concat());
    assert_eq!(report["players"][0]["place"], 1, "{report:#}");
    assert_eq!(report["players"][0]["note_count"], 0, "{report:#}");
    Replay::from_bytes(&fs::read(dir.join(file)).unwrap()).unwrap().head.digest
}

#[allow(clippy::print_stdout, reason = "which languages were tried is what the run is asked for")]
fn try_out(id: &str) {
    let one = language(id).unwrap();
    if let Some(why) = missing(one) {
        println!("kits in {} were not tried: {why}", one.title);
        return;
    }
    let dir = tempdir().unwrap();
    let number = LANGUAGES.iter().position(|other| other.id == id).unwrap();
    let games: Vec<&dyn AnyGame> =
        GAMES.iter().copied().filter(|game| languages(*game).iter().any(|other| other.id == id)).collect();
    for game in &games {
        let folder = made(dir.path(), *game, id);
        let checked =
            json(dir.path(), &["check", game.info().id, &folder, "--time", "100s/answer", "--json"]);
        assert_eq!(checked["ok"], true, "{checked:#}");
        // All languages play the same bot: each has to do in every turn what the one in Python does.
        let ours = won(dir.path(), *game, &folder, "3");
        if id != "python" && missing(&LANGUAGES[0]).is_none() {
            assert_eq!(ours, won(dir.path(), *game, &made(dir.path(), *game, "python"), "3"), "{folder}");
        }
    }
    let game = games[number % games.len()];
    let folder = format!("{}-{id}", game.info().id);
    own_test(&dir.path().join(&folder), one);
    hand_in(dir.path(), games[(number + 1) % games.len()], id);
    println!("kits in {} were tried", one.title);
}

/// Runs the test in a kit, and sees it fail when its packets are not whole.
fn own_test(folder: &Path, language: &Language) {
    // Not every Node.js runs TypeScript by itself.
    if language.id == "typescript" {
        return;
    }
    let test = || {
        let mut test = Command::new("sh");
        test.args(["-c", language.test])
            .current_dir(folder)
            .env_remove("CARGO_TARGET_DIR")
            .env("CARGO_NET_OFFLINE", "true");
        test.output().unwrap()
    };
    let output = test();
    assert!(output.status.success(), "{}: {}{}", language.id, text(&output.stdout), text(&output.stderr));
    let packets = fs::read_to_string(folder.join("packets.txt")).unwrap();
    let half: String =
        packets.lines().take(packets.lines().count() / 2).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("packets.txt"), half).unwrap();
    assert!(!test().status.success(), "{}", language.id);
}

/// Hands a kit in at an arena, where it is compiled and plays in the sandbox.
fn hand_in(dir: &Path, game: &dyn AnyGame, id: &str) {
    let plan = format!("name = \"Test\"\n[[game]]\nid = \"{}\"\ntime = \"20s/answer\"\n", game.info().id);
    let mut stand = Stand::new(dir, "event", &plan);
    let players = stand.add_players(&["anna".to_owned()]);
    let key = stand.key(&players[0]);
    stand.open();
    let (host, folder) = (stand.site.to_string(), format!("{}-{id}", game.info().id));
    let output = run(dir, &["submit", &host, game.info().id, &folder, "--token", &key]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success() && said.contains("is ready and plays"), "{id}: {said}");
}

#[test]
fn kits_beat_the_weakest_player_more_often_than_not() {
    let dir = tempdir().unwrap();
    for game in GAMES {
        let folder = made(dir.path(), *game, "python");
        let wins = (1..=7).filter(|seed| {
            let seed = seed.to_string();
            let bots = [weakest(*game), &folder];
            let report = json(
                dir.path(),
                &[
                    "play",
                    game.info().id,
                    bots[0],
                    bots[1],
                    "--seed",
                    &seed,
                    "--time",
                    "100s/answer",
                    "--json",
                    "--no-replay",
                ],
            );
            report["players"][1]["place"] == 1 && report["players"][0]["place"] != 1
        });
        assert!(wins.count() > 3, "{}", game.info().id);
    }
}

#[test]
fn nothing_is_overwritten_and_nobody_is_asked_without_a_terminal() {
    let dir = tempdir().unwrap();
    let id = GAMES[0].info().id;
    fs::create_dir(dir.path().join("mine")).unwrap();
    fs::write(dir.path().join("mine/bot.py"), "precious\n").unwrap();
    let said = fails(dir.path(), &["new", id, "--language", "python", "mine"], 3);
    assert!(said.contains("mine is there and not empty, and nothing is overwritten"), "{said}");
    assert_eq!(fs::read_to_string(dir.path().join("mine/bot.py")).unwrap(), "precious\n");
    let said = fails(dir.path(), &["new", id, "--language", "python", "mine/bot.py"], 3);
    assert!(said.contains("mine/bot.py cannot be made"), "{said}");
    let said = fails(dir.path(), &["new", id, "--language", "cobol", "yours"], 2);
    assert!(said.contains("there is no kit") && said.contains("python, cpp, c, rust"), "{said}");
    for some in [&["new"][..], &["new", id], &["new", id, "--language", "python"]] {
        let said = fails(dir.path(), some, 2);
        assert!(said.contains("no terminal to ask at"), "{said}");
    }
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["mine"], "nothing half made is left");
    fs::create_dir(dir.path().join("empty")).unwrap();
    json_free(dir.path(), &["new", id, "--language", "py", "empty"]);
    assert!(dir.path().join("empty/main.py").is_file(), "an empty folder is as good as none");
}

#[test]
fn a_folder_is_a_bot_if_one_file_in_it_is_called_main() {
    let dir = tempdir().unwrap();
    let game = GAMES[0];
    let id = game.info().id;
    let play = |bot: &str| ["play", id, bot, weakest(game), "--no-replay"].map(str::to_owned);
    let told = |bot: &str| fails(dir.path(), &play(bot).each_ref().map(String::as_str), 4);
    fs::create_dir(dir.path().join("empty")).unwrap();
    assert!(told("empty").contains("\"empty\" is a folder without a program or source file called main"));
    let folder = made(dir.path(), game, "python");
    fs::write(dir.path().join(&folder).join("Main.java"), "class Main {}\n").unwrap();
    assert!(told(&folder).contains("several files called main (Main.java, main.py)"), "{}", told(&folder));
}

#[test]
fn a_compiled_kit_is_compiled_anew_when_any_of_its_files_has_changed() {
    let dir = tempdir().unwrap();
    let game = GAMES[0];
    for id in ["c", "java"] {
        if missing(language(id).unwrap()).is_some() {
            continue;
        }
        let folder = made(dir.path(), game, id);
        won(dir.path(), game, &folder, "3");
        // What is broken is not what was kept.
        let bot = dir.path().join(&folder).join(language(id).unwrap().bot);
        fs::write(&bot, "nonsense").unwrap();
        let said = fails(dir.path(), &["play", game.info().id, &folder, weakest(game)], 4);
        assert!(said.contains("does not compile"), "{said}");
    }
}

#[test]
fn what_a_seat_was_sent_can_be_read_again_under_a_debugger() {
    let dir = tempdir().unwrap();
    let game = GAMES[0];
    let folder = made(dir.path(), game, "python");
    won(dir.path(), game, &folder, "3");
    let replay = format!("{folder}-3.replay");
    json_free(dir.path(), &["drive", &replay, "--seat", "1", "--packets", "replay.packets"]);
    let mut bot = Command::new("python3");
    let answers = bot
        .arg(dir.path().join(&folder).join("main.py"))
        .env("PALESTRA_PACKETS", "replay.packets")
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(answers.status.success(), "{}", text(&answers.stderr));
    let turns = json(dir.path(), &["drive", &replay, "--seat", "1", "--bot", &folder, "--json"]);
    assert_eq!(turns["differences"].as_array().unwrap().len(), 0, "{turns:#}");
    assert_eq!(text(&answers.stdout).lines().count() as u64, turns["turns"].as_u64().unwrap());
    let help = palestra(dir.path()).args(["drive", &replay, "--seat", "1"]).output().unwrap();
    assert_eq!(help.status.code(), Some(2), "a bot or a file is needed");
}

#[test]
fn a_bot_that_is_trained_comes_with_what_trains_it() {
    let dir = tempdir().unwrap();
    for game in GAMES {
        let name = format!("{}-rl", game.info().id);
        let output = run(dir.path(), &["new", game.info().id, &name, "--language", "python-rl"]);
        // It is only offered where there is one.
        if game.info().folder.trained.is_empty() {
            let said = text(&output.stderr);
            let (_, offered) = said.split_once("there are").unwrap();
            assert!(said.contains("there is no kit") && !offered.contains("python-rl"), "{said}");
            continue;
        }
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("python3 train.py"));
        let folder = dir.path().join(name);
        for (name, content) in game.info().folder.trained {
            assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), *content);
        }
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.lines().count() <= 10 && folder.join("RULES.md").exists());
    }
}
