//! Compilers that are made to work against the arena: what they leave behind, and how much of it.

use crate::Test;
use crate::support::{Event, beast, kit, on};
use palestra_arena::api::VersionState;
use palestra_arena::ids::VersionId;
use palestra_arena::limits;
use palestra_arena::workshop;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const TESTS: &[Test] = &[
    ("the_arena_reads_nothing_that_a_compiler_names", the_arena_reads_nothing_that_a_compiler_names),
    (
        "what_a_compiler_leaves_is_neither_followed_nor_kept",
        what_a_compiler_leaves_is_neither_followed_nor_kept,
    ),
    ("what_a_compiler_makes_has_a_limit", what_a_compiler_makes_has_a_limit),
    ("a_bot_that_sleeps_holds_up_nobody", a_bot_that_sleeps_holds_up_nobody),
];

/// The folder of everything that was made of a version.
async fn place(event: &Event, version: VersionId) -> PathBuf {
    let sha256 = event.store.version(version).await.unwrap().unwrap().sha256;
    event.store.folder().join(workshop::FOLDER).join(sha256)
}

/// All files below a folder; links are not followed.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let inside = entries.flat_map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => files(&entry.path()),
        _ => vec![entry.path()],
    });
    inside.collect()
}

/// The memory that this process has held at most.
fn peak_kilobytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    line.split_ascii_whitespace().next().and_then(|word| word.parse().ok()).expect("a number")
}

fn the_arena_reads_nothing_that_a_compiler_names() {
    on(|event| async move {
        let shop = event.open().await;
        let before = peak_kilobytes();
        let list = b"printf 'bot: /proc/self/pagemap /proc/self/environ /etc/passwd\\n' > bot.d\n\
            printf '#!/bin/sh\\n' > bot; chmod 755 bot";
        let first = shop.settled(event.anna, "bot.c", &beast("compile_pagemap.c")).await;
        let second = shop.settled(event.anna, "bot.recipe", list).await;
        let grown = peak_kilobytes().saturating_sub(before);
        assert!(grown < 100_000, "{grown} KB");
        for version in [first.id, second.id] {
            for file in files(&place(&event, version).await) {
                let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
                assert!(file.ends_with("bot.d") || !text.contains("fingerprint = "), "{}", file.display());
            }
        }
        let view = shop.settled(event.bela, "bot.py", &kit("generals/kits/python/generals.py")).await;
        assert_eq!(view.state, VersionState::Ready, "{:?}", view.log);
    });
}

fn what_a_compiler_leaves_is_neither_followed_nor_kept() {
    const BOT: &str = "printf '#!/bin/sh\\n' > bot; chmod 755 bot\n";
    const ATTACKS: &[(&str, &str)] = &[
        (
            "ln -s @precious@ manifest.toml; ln -s @precious@ ../manifest.toml",
            "\"manifest.toml\", which is neither",
        ),
        ("ln -s @precious@ bot.d", "\"bot.d\", which is neither"),
        ("mkfifo bot.d", "\"bot.d\", which is neither"),
        ("rm bot; ln -s /etc/passwd bot", "\"bot\", which is neither"),
        ("mkdir deep; ln -s / deep/root", "\"deep/root\", which is neither"),
        ("chmod 4755 bot", "\"bot\", which would run"),
        // Whoever removes it by going into it needs more handles than there are.
        ("perl -e 'for (1..30000) { mkdir \"d\"; chdir \"d\" }'", "more than 16 folders inside each other"),
        ("mkdir shut; ln -s x shut/link; touch shut/file; chmod 0 shut", ""),
        ("perl -e 'for (1..3000) { open F, \">\", $_ }'", "more than 2000 files and folders"),
    ];
    on(|event| async move {
        let shop = event.open().await;
        let precious = event.store.folder().canonicalize().unwrap().join("precious");
        fs::write(&precious, "as it was").unwrap();
        for (number, (attack, complaint)) in ATTACKS.iter().enumerate() {
            let recipe =
                format!("{BOT}{attack}\ntrue\n").replace("@precious@", &precious.display().to_string());
            let player = if number % 2 == 0 { event.anna } else { event.bela };
            let view = shop.settled(player, "bot.recipe", recipe.as_bytes()).await;
            let log = view.log.expect("the author's log");
            assert_eq!(view.state, VersionState::Rejected, "{attack}: {log}");
            assert_eq!(fs::read_to_string(&precious).unwrap(), "as it was", "{attack}");
            // Some of it the sandbox does not even let it do.
            if log.contains("Operation not permitted") {
                continue;
            }
            assert!(log.contains(&format!("the compiler made {complaint}")), "{attack}: {log}");
            assert!(!place(&event, view.id).await.exists(), "{attack}: something is left");
        }
        let view = shop.settled(event.bela, "bot.py", &kit("generals/kits/python/generals.py")).await;
        assert_eq!(view.state, VersionState::Ready, "{:?}", view.log);
    });
}

fn what_a_compiler_makes_has_a_limit() {
    on(|event| async move {
        let shop = event.open().await;
        // The second is many files, none of which is too large; it would go on for ever.
        let many = "for i in 1 2 3; do head -c 30000000 /dev/zero > $i; done; sleep 1000\n";
        let sources = [
            (
                "bot.c",
                "char table[240000000] = {1};\nint main(void) { return table[0]; }\n",
                "does not compile (C)",
            ),
            (
                "bot.c",
                "char table[100000000] = {1};\nint main(void) { return table[0]; }\n",
                "made more than 64 MB",
            ),
            ("bot.recipe", many, "made more than 64 MB"),
        ];
        for (file, source, complaint) in sources {
            let view = shop.settled(event.anna, file, source.as_bytes()).await;
            let log = view.log.expect("the author's log");
            assert_eq!(view.state, VersionState::Rejected, "{source}: {log}");
            assert!(log.contains(complaint), "{source}: {log}");
            assert!(!place(&event, view.id).await.exists(), "{source}: something is left");
        }
    });
}

fn a_bot_that_sleeps_holds_up_nobody() {
    // Each of its turns is within its time; a whole match would take hours.
    const SLEEPER: &[u8] =
        b"import sys, time\nfor line in sys.stdin:\n    time.sleep(0.9)\n    print(-1, flush=True)\n";
    on(|event| async move {
        let shop = event.open().await;
        let mut others = Vec::new();
        for number in 0..limits::WAITING_VERSIONS {
            let sleeper = [SLEEPER, format!("# {number}\n").as_bytes()].concat();
            others.push(shop.hand_in(event.anna, "sleeper.py", &sleeper).await.unwrap());
        }
        // It has handed in last, and does not wait for all of them.
        let view = shop.settled(event.bela, "bot.py", &kit("generals/kits/python/generals.py")).await;
        assert_eq!(view.state, VersionState::Ready, "{:?}", view.log);
        let last = event.store.version(others[2].id).await.unwrap().unwrap();
        assert_eq!(last.state, VersionState::Queued, "players take turns");
        // It ends by the limit of a first match, whatever became of it.
        let first = shop.followed(others[0].id).await;
        let log = first.log.expect("the author's log");
        assert!(log.contains("broken off after 30 s") || first.state == VersionState::Rejected, "{log}");
    });
}
