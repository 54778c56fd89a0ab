//! What the author hears of a compiler, and when.

use crate::Test;
use crate::support::{beast, kit, on};
use futures_util::StreamExt as _;
use palestra_arena::api::{RejectionStep, VersionState};
use palestra_arena::limits;
use palestra_arena::workshop::{self, Update};
use std::fs;

pub(crate) const TESTS: &[Test] = &[
    ("what_a_compiler_says_is_told_while_it_runs", what_a_compiler_says_is_told_while_it_runs),
    ("warnings_are_told_though_it_compiles", warnings_are_told_though_it_compiles),
    (
        "a_source_without_its_headers_is_compiled_with_them",
        a_source_without_its_headers_is_compiled_with_them,
    ),
    ("a_compiler_that_floods_is_cut_short", a_compiler_that_floods_is_cut_short),
    ("the_step_and_the_line_of_a_rejection_are_told", the_step_and_the_line_of_a_rejection_are_told),
];

fn what_a_compiler_says_is_told_while_it_runs() {
    // It cannot end before somebody puts a file into its folder, and leaves somebody behind who holds its output.
    const RECIPE: &[u8] = b"sleep 1000 &
        echo the cat is on the table
        until [ -e go ]; do sleep 0.01; done
        echo \"$1: off it goes\" >&2
        printf 'and no end'
        exit 1";
    on(|event| async move {
        let shop = event.open().await;
        let version = shop.hand_in(event.anna, "slow.recipe", RECIPE).await.unwrap();
        let mut heard = String::new();
        let mut pieces = std::pin::pin!(shop.workshop.follow(version.id));
        while !heard.ends_with("the cat is on the table\n") {
            match pieces.next().await.expect("the compiler is waiting") {
                Update::Log(text) => heard.push_str(&text),
                Update::State(view) => {
                    assert!(matches!(view.state, VersionState::Queued | VersionState::Compiling));
                }
            }
        }
        let sha256 = event.store.version(version.id).await.unwrap().unwrap().sha256;
        let compiled = event.store.folder().join(workshop::FOLDER).join(sha256).join("compiled");
        let folder = fs::read_dir(compiled).unwrap().next().expect("it is being compiled").unwrap().path();
        fs::write(folder.join("made/go"), "").unwrap();

        let view = shop.followed(version.id).await;
        assert_eq!(view.state, VersionState::Rejected);
        let log = view.log.expect("the author's log");
        let made = folder.file_name().unwrap().to_str().unwrap();
        let rest = format!(
            "{made}/made/bot: off it goes\nand no end\nrejected: slow.recipe does not compile (Recipe)\n"
        );
        assert_eq!(log.strip_prefix(&heard), Some(rest.as_str()), "{log}");
        assert!(heard.ends_with(" bytes\ncompiling slow.recipe\nthe cat is on the table\n"), "{heard}");
    });
}

fn warnings_are_told_though_it_compiles() {
    on(|event| async move {
        let shop = event.open().await;
        let source = [b"#warning beware of the dog\n", &kit("generals/kits/cpp/generals.cpp")[..]].concat();
        let view = shop.settled(event.anna, "bot.cpp", &source).await;
        let log = view.log.expect("the author's log");
        assert_eq!(view.state, VersionState::Ready, "{log}");
        let found = |words| log.find(words).unwrap_or_else(|| panic!("no {words}: {log}"));
        assert!(found("compiling bot.cpp\n") < found("\nbot.cpp:1:2: warning: #warning beware of the dog"));
        assert!(found("beware of the dog") < found("a first match"));
        assert!(!log.contains(&event.folder()), "folders of this machine are shown: {log}");
    });
}

fn a_source_without_its_headers_is_compiled_with_them() {
    const SOURCE: &[u8] =
        b"#warning this is how we did it at school\nint main() { std::cout << std::endl; }\n";
    on(|event| async move {
        let shop = event.open().await;
        let log = shop.settled(event.anna, "bot.cpp", SOURCE).await.log.expect("the author's log");
        let found = |words| log.find(words).unwrap_or_else(|| panic!("no {words}: {log}"));
        let remark = found("does not include all the standard headers it uses");
        assert!(found("error: ") < remark, "{log}");
        assert!(log[remark..].contains("we did it at school"), "the warnings of the second try: {log}");
        // What is wrong with all headers too is told once.
        let wrong = [SOURCE, b"int x = nonsense;\n"].concat();
        let log = shop.settled(event.anna, "wrong.cpp", &wrong).await.log.expect("the author's log");
        assert_eq!(log.matches("warning: #warning").count(), 1, "{log}");
        assert!(log.ends_with("\nrejected: wrong.cpp does not compile (C++)\n"), "{log}");
    });
}

fn a_compiler_that_floods_is_cut_short() {
    on(|event| async move {
        let shop = event.open().await;
        let floods = [
            "yes the same again and again | head -c 20000000; exit 1",
            // No line ever ends, no character is one, and what stands for them takes three times the room.
            "head -c 20000000 /dev/zero; exit 1",
        ];
        for flood in floods {
            let view = shop.settled(event.anna, "flood.recipe", flood.as_bytes()).await;
            let log = view.log.expect("the author's log");
            let end = "\nrejected: flood.recipe does not compile (Recipe)\n";
            assert!(log.ends_with(end), "{}", &log[log.len() - 200..]);
            assert!(log.contains("which is not"), "it is said that there was more");
            assert!(log.len() < limits::VERSION_LOG_BYTES + 200, "{} bytes", log.len());
        }
        let view = shop.settled(event.anna, "bot.c", &beast("compile_messages.c")).await;
        let log = view.log.expect("the author's log");
        assert_eq!(view.state, VersionState::Rejected);
        assert!(log.contains("this goes on for ever") && log.contains("does not compile (C)"));
        assert!(log.len() < limits::VERSION_LOG_BYTES, "{} bytes", log.len());
    });
}

fn the_step_and_the_line_of_a_rejection_are_told() {
    const THROWN: &str = "def move():\n    return {}['map']\n\nmove()\n";
    on(|event| async move {
        let shop = event.open().await;
        for (file, content, step, line, places) in [
            ("odd.zip", "PK", RejectionStep::Unpacking, "the archive cannot be read", &[][..]),
            (
                "bot.c",
                "int main() {\n  return nonsense;\n}\n",
                RejectionStep::Compiling,
                "bot.c:2:10: error: ",
                &[2],
            ),
            ("crash.py", THROWN, RejectionStep::FirstMatch, "KeyError: 'map'", &[2]),
            ("typo.py", "def move(:\n", RejectionStep::FirstMatch, "SyntaxError: ", &[1]),
        ] {
            let view = shop.settled(event.anna, file, content.as_bytes()).await;
            let rejection = view.rejection.unwrap_or_else(|| panic!("{file} is rejected: {:?}", view.log));
            assert_eq!(rejection.step, step, "{file}: {rejection:?}");
            assert!(
                rejection.line.as_ref().is_some_and(|told| told.starts_with(line)),
                "{file}: {rejection:?}"
            );
            let found: Vec<u32> = rejection.places.iter().map(|place| place.line).collect();
            assert_eq!(found, places, "{file}: {rejection:?}");
            assert_eq!(rejection.reason.is_some(), step == RejectionStep::FirstMatch);
            assert!(!format!("{rejection:?}").contains(&event.folder()), "{rejection:?}");
        }
        let good = shop.settled(event.bela, "bot.py", &kit("generals/kits/python/generals.py")).await;
        assert_eq!(good.rejection, None);
    });
}
