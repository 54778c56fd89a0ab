//! What becomes of what is handed in.

use crate::Test;
use crate::support::{Heard, beast, kit, on};
use palestra_arena::api::VersionState;
use palestra_arena::ids::MatchId;
use palestra_arena::workshop::WorkshopError;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) const TESTS: &[Test] = &[
    ("a_script_becomes_ready_and_active", a_script_becomes_ready_and_active),
    ("an_archive_is_compiled_with_its_headers", an_archive_is_compiled_with_its_headers),
    ("a_program_is_taken_as_it_is", a_program_is_taken_as_it_is),
    (
        "what_does_not_compile_is_rejected_with_the_messages",
        what_does_not_compile_is_rejected_with_the_messages,
    ),
    ("a_compiler_without_end_is_stopped", a_compiler_without_end_is_stopped),
    ("who_fails_in_the_first_match_is_rejected", who_fails_in_the_first_match_is_rejected),
    ("a_hostile_archive_is_rejected_and_leaves_nothing", a_hostile_archive_is_rejected_and_leaves_nothing),
    ("what_cannot_be_handed_in_is_refused_at_once", what_cannot_be_handed_in_is_refused_at_once),
];

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(*name, SimpleFileOptions::default()).expect("a file");
        archive.write_all(content).expect("its content");
    }
    archive.finish().expect("an archive").into_inner()
}

fn a_script_becomes_ready_and_active() {
    on(|event| async move {
        let mut shop = event.open().await;
        let view = shop.settled(event.anna, "generals.py", &kit("generals/kits/python/generals.py")).await;
        let log = view.log.expect("the author's log");
        assert_eq!((view.state, view.active, view.number), (VersionState::Ready, true, 1), "{log}");
        assert!(log.contains("a first match against rest") && log.contains("place "), "{log}");
        assert_eq!(view.smoke, Some(MatchId(4000 + view.id.0)), "the number that the hub gave");
        assert_eq!(shop.heard.recv().await, Some(Heard::Smoke { version: view.id, faults: 0 }));
        let bot = event.store.version(view.id).await.unwrap().unwrap().bot;
        assert_eq!(shop.heard.recv().await, Some(Heard::Active(bot)));
        assert_eq!(event.store.bot(bot).await.unwrap().unwrap().active, Some(view.id));
    });
}

fn an_archive_is_compiled_with_its_headers() {
    on(|event| async move {
        let shop = event.open().await;
        let main = b"#include \"parts/loop.h\"\nint main() { return loop(); }\n";
        let part = b"#include <iostream>\n#include <string>\n\
            inline int loop() { std::string l; while (std::getline(std::cin, l)) std::cout << \"-1\" << std::endl; return 0; }\n";
        let archive =
            zipped(&[("mybot/main.cpp", main), ("mybot/parts/loop.h", part), ("mybot/old.cpp", b"no C++")]);
        let view = shop.settled(event.anna, "mybot.zip", &archive).await;
        let log = view.log.expect("the author's log");
        assert!(log.contains("compiling mybot/main.cpp"), "{log}");
        assert!(log.contains("only main.cpp is compiled"), "{log}");
        assert!(!log.contains(&event.folder()), "folders of this machine are shown: {log}");
        // It answers everything, wrongly: what came of that is the game's business, not the compiler's.
        assert!(log.contains("a first match"), "{log}");
    });
}

fn a_program_is_taken_as_it_is() {
    on(|event| async move {
        let shop = event.open().await;
        let truth = std::fs::read("/bin/true").expect("a program");
        let view = shop.settled(event.anna, "my-bot", &truth).await;
        let log = view.log.expect("the author's log");
        assert_eq!(view.state, VersionState::Rejected);
        assert!(log.contains("exited") && log.contains("rejected: it failed in its first match"), "{log}");
        let noise = [b"\x7fELF".as_slice(), &[7; 5000]].concat();
        let view = shop.settled(event.anna, "my-bot", &noise).await;
        let log = view.log.expect("the author's log");
        assert_eq!(view.state, VersionState::Rejected);
        assert!(log.contains("could not be started") && !log.contains(&event.folder()), "{log}");
    });
}

fn what_does_not_compile_is_rejected_with_the_messages() {
    on(|event| async move {
        let mut shop = event.open().await;
        let view = shop.settled(event.anna, "bot.cpp", b"int main() { return nonsense; }").await;
        let log = view.log.expect("the author's log");
        assert_eq!((view.state, view.active, view.smoke), (VersionState::Rejected, false, None));
        assert!(log.contains("bot.cpp:1:") && log.contains("nonsense"), "{log}");
        assert!(!log.contains(&event.folder()), "folders of this machine are shown: {log}");
        assert!(shop.heard.try_recv().is_err(), "the hub has nothing to do with it");
        // It cannot look around either.
        let view = shop.settled(event.anna, "passwd.c", &beast("compile_passwd.c")).await;
        assert_eq!(view.state, VersionState::Rejected);
        assert!(!view.log.expect("the author's log").contains("root:x"));
    });
}

fn a_compiler_without_end_is_stopped() {
    on(|event| async move {
        let shop = event.open().await;
        for beast_name in ["compile_zero.c", "compile_deep.c"] {
            let view = shop.settled(event.anna, "bot.c", &beast(beast_name)).await;
            let log = view.log.expect("the author's log");
            assert_eq!(view.state, VersionState::Rejected, "{beast_name}");
            assert!(log.contains("does not compile") && log.len() < 200_000, "{beast_name}: {log}");
        }
        // The next one has its turn.
        let view = shop.settled(event.bela, "bot.py", &kit("generals/kits/python/generals.py")).await;
        assert_eq!(view.state, VersionState::Ready);
    });
}

fn who_fails_in_the_first_match_is_rejected() {
    on(|event| async move {
        let mut shop = event.open().await;
        let crash = b"import sys\nprint('it was the cat', file=sys.stderr)\nraise KeyError('map')\n";
        let view = shop.settled(event.anna, "bot.py", crash).await;
        let log = view.log.expect("the author's log");
        assert_eq!((view.state, view.active), (VersionState::Rejected, false));
        assert!(log.contains("stderr: it was the cat") && log.contains("KeyError"), "{log}");
        assert!(matches!(shop.heard.recv().await, Some(Heard::Smoke { faults: 1.., .. })));
        for (file, complaint) in
            [("silent.c", "out of time"), ("garbage.c", "it wrote"), ("crashes.c", "signal 11")]
        {
            let view = shop.settled(event.bela, file, &beast(file)).await;
            let log = view.log.expect("the author's log");
            assert_eq!(view.state, VersionState::Rejected, "{file}: {log}");
            assert!(log.contains(complaint), "{file}: {log}");
        }
    });
}

fn a_hostile_archive_is_rejected_and_leaves_nothing() {
    on(|event| async move {
        let shop = event.open().await;
        let escape = zipped(&[("main.py", b"print(1)"), ("../../escaped.txt", b"here I am")]);
        let view = shop.settled(event.anna, "bot.zip", &escape).await;
        assert_eq!(view.state, VersionState::Rejected);
        assert!(
            view.log
                .unwrap()
                .contains("rejected: the name \"../../escaped.txt\" is not taken: it leaves its folder")
        );
        let data = event.store.folder();
        let mut folders = vec![data.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                assert!(name != "escaped.txt" && name != "main.py", "{}", path.display());
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
    });
}

fn what_cannot_be_handed_in_is_refused_at_once() {
    on(|event| async move {
        let shop = event.open().await;
        for file in ["../bot.py", "bot.exe", "bot\0.py", ""] {
            let refused = shop.hand_in(event.anna, file, b"print(1)").await;
            assert!(matches!(refused, Err(WorkshopError::Unfit(_))), "{file:?}");
        }
        for game in ["rps", "chess", "../generals"] {
            let refused = shop.workshop.hand_in(event.anna, game, "bot.py", b"print(1)".to_vec()).await;
            assert!(matches!(refused, Err(WorkshopError::NoGame(_))), "{game}");
        }
        assert!(event.store.unsettled_versions().await.unwrap().is_empty());
    });
}
