//! What lasts: versions after a stop, after a restore, and after many more of them.

use crate::Test;
use crate::support::{Heard, beast, kit, on};
use palestra_arena::api::{Rejection, RejectionStep, VersionState};
use palestra_arena::ids::VersionId;
use palestra_arena::limits;
use palestra_arena::workshop::{self, WorkshopError};
use std::fs;

pub(crate) const TESTS: &[Test] = &[
    ("what_was_on_the_way_is_taken_up_again", what_was_on_the_way_is_taken_up_again),
    ("versions_can_be_rolled_back", versions_can_be_rolled_back),
    ("programs_are_made_again_from_the_store", programs_are_made_again_from_the_store),
    ("nobody_hands_in_too_much", nobody_hands_in_too_much),
    ("old_files_are_let_go", old_files_are_let_go),
    ("a_player_has_so_much_room", a_player_has_so_much_room),
];

fn what_was_on_the_way_is_taken_up_again() {
    on(|event| async move {
        let shop = event.open().await;
        let first =
            shop.hand_in(event.anna, "bot.py", &kit("generals/kits/python/generals.py")).await.unwrap();
        let second =
            shop.hand_in(event.anna, "generals.cpp", &kit("generals/kits/cpp/generals.cpp")).await.unwrap();
        let third = shop.hand_in(event.anna, "crash.c", &beast("crashes.c")).await.unwrap();
        // Stopped while the second is being compiled, and the third waits.
        let _ = shop.followed(first.id).await;
        while event.store.version(second.id).await.unwrap().unwrap().state == VersionState::Queued {
            tokio::task::yield_now().await;
        }
        drop(shop);
        assert_eq!(event.store.unsettled_versions().await.unwrap(), [second.id, third.id]);
        let mut shop = event.open().await;
        assert_eq!(shop.followed(second.id).await.state, VersionState::Ready);
        assert_eq!(shop.followed(third.id).await.state, VersionState::Rejected);
        assert!(event.store.version(second.id).await.unwrap().unwrap().active);
        let mut tried = Vec::new();
        while let Ok(heard) = shop.heard.try_recv() {
            if let Heard::Smoke { version, .. } = heard {
                tried.push(version);
            }
        }
        assert_eq!(tried, [second.id, third.id], "the first was settled, and is not tried again");
    });
}

fn versions_can_be_rolled_back() {
    on(|event| async move {
        let mut shop = event.open().await;
        let script = kit("generals/kits/python/generals.py");
        let first = shop.settled(event.anna, "bot.py", &script).await;
        let bad = shop.settled(event.anna, "bot.py", b"raise SystemExit").await;
        let second = shop.settled(event.anna, "other.py", &script).await;
        assert_eq!([first.number, bad.number, second.number], [1, 2, 3]);
        while shop.heard.try_recv().is_ok() {}
        let active = async |id| event.store.version(id).await.unwrap().unwrap().active;
        assert!(!active(first.id).await && active(second.id).await);
        assert!(shop.workshop.activate(first.id, event.anna).await.unwrap().active);
        assert!(active(first.id).await && !active(second.id).await);
        assert!(matches!(shop.heard.recv().await, Some(Heard::Active(_))));

        let rejected = shop.workshop.activate(bad.id, event.anna).await;
        assert_eq!(rejected.unwrap_err().to_string(), "version 2 cannot play: it was rejected");
        let of_others = shop.workshop.activate(second.id, event.bela).await;
        assert!(matches!(of_others, Err(WorkshopError::NoVersion(_))));
        assert!(matches!(
            shop.workshop.activate(VersionId(99), event.anna).await,
            Err(WorkshopError::NoVersion(VersionId(99)))
        ));
        assert!(active(first.id).await, "nothing of that changed anything");
        // Whoever rolls back and hands in again means the newest.
        let third = shop.settled(event.anna, "bot.py", &[&script[..], b"\n# better\n"].concat()).await;
        assert!(third.active && !active(first.id).await);
    });
}

fn programs_are_made_again_from_the_store() {
    on(|event| async move {
        let shop = event.open().await;
        let source = kit("generals/kits/cpp/generals.cpp");
        let view = shop.settled(event.anna, "generals.cpp", &source).await;
        assert_eq!(view.state, VersionState::Ready, "{:?}", view.log);
        let launch = shop.workshop.launch(view.id).await.unwrap();
        let program = std::path::PathBuf::from(&launch.command[0]);
        let folder = event.store.folder().join(workshop::FOLDER);
        assert!(program.starts_with(folder.canonicalize().unwrap()) || program.starts_with(&folder));
        let modified = |path| fs::metadata(path).unwrap().modified().unwrap();
        let before = modified(&program);
        drop(shop);
        // The next process finds it.
        let shop = event.open().await;
        assert_eq!(shop.workshop.launch(view.id).await.unwrap(), launch);
        assert_eq!(modified(&program), before, "it was not compiled again");
        // A restored event has a store and nothing else; the folder may even go while the arena runs.
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(shop.workshop.launch(view.id).await.unwrap(), launch);
        assert!(program.exists());
        assert!(shop.workshop.launch(VersionId(99)).await.is_err());
    });
}

fn nobody_hands_in_too_much() {
    on(|event| async move {
        let shop = event.open().await;
        for _ in 0..limits::WAITING_VERSIONS {
            shop.hand_in(event.anna, "bot.c", &beast("silent.c")).await.unwrap();
        }
        let refused = shop.hand_in(event.anna, "bot.c", &beast("silent.c")).await.unwrap_err();
        assert_eq!(refused.to_string(), "3 versions of yours have not been tried yet; wait for them");
        shop.hand_in(event.bela, "bot.py", b"print(1)").await.expect("others do not suffer from that");
        drop(shop);
        for version in event.store.unsettled_versions().await.unwrap() {
            event
                .store
                .settle_version(version, Some(&Rejection::at(RejectionStep::Compiling)), "", None, 0)
                .await
                .unwrap();
        }
        let bot = event.store.bot_of(event.anna, "generals", None, 1500.0).await.unwrap();
        for _ in limits::WAITING_VERSIONS..limits::HANDED_IN {
            let version = event.store.add_version(&bot, "bot.py", b"1".to_vec()).await.unwrap();
            event
                .store
                .settle_version(version, Some(&Rejection::at(RejectionStep::Compiling)), "", None, 0)
                .await
                .unwrap();
        }
        let shop = event.open().await;
        let refused = shop.hand_in(event.anna, "bot.py", b"1").await.unwrap_err();
        assert_eq!(refused.to_string(), "30 versions within 60 minutes are enough; wait a little");
        assert!(matches!(refused, WorkshopError::TooOften(_)));
    });
}

fn old_files_are_let_go() {
    on(|event| async move {
        let store = &event.store;
        let bot = store.bot_of(event.anna, "generals", None, 1500.0).await.unwrap();
        let mut versions = Vec::new();
        for number in 0..limits::KEPT_VERSIONS + 3 {
            // The third and the last one are the same file.
            let content = if number == 2 { limits::KEPT_VERSIONS + 2 } else { number };
            let version = store.add_version(&bot, "bot.py", content.to_string().into_bytes()).await.unwrap();
            store.settle_version(version, None, "", None, 0).await.unwrap();
            versions.push(version);
        }
        assert!(store.activate_version(event.anna, versions[0]).await.unwrap());
        let sha256 = store.version(versions[1]).await.unwrap().unwrap().sha256;
        assert_eq!(store.forget_old_uploads(bot.id).await.unwrap(), [sha256]);
        let mut kept = Vec::new();
        for version in &versions {
            kept.push(store.upload(*version).await.unwrap().is_some());
        }
        // The active one stays, the next two go, and all others are young enough.
        assert_eq!(kept[..4], [true, false, false, true]);
        assert!(kept[3..].iter().all(|kept| *kept));
        assert!(!store.activate_version(event.anna, versions[1]).await.unwrap(), "it has no file any more");
        let shop = event.open().await;
        let refused = shop.workshop.activate(versions[1], event.anna).await.unwrap_err();
        assert!(refused.to_string().contains("not kept any more"), "{refused}");
        assert!(shop.workshop.launch(versions[1]).await.unwrap_err().contains("not kept any more"));
    });
}

fn a_player_has_so_much_room() {
    on(|event| async move {
        let store = &event.store;
        // Four of them fit.
        let size = limits::PLAYER_BYTES as u64 / 4 - 1000;
        let (mut bots, mut versions) = (Vec::new(), Vec::new());
        for game in ["generals", "rps"] {
            bots.push(store.bot_of(event.anna, game, None, 1500.0).await.unwrap());
        }
        for number in 0..6 {
            let bot = &bots[number % 2];
            let version = store.add_version(bot, "bot.py", number.to_string().into_bytes()).await.unwrap();
            store.settle_version(version, None, "", None, size).await.unwrap();
            versions.push(version);
            assert!(store.activate_version(event.anna, versions[0]).await.unwrap(), "it is always kept");
            store.forget_old_uploads(bot.id).await.unwrap();
        }
        let mut kept = Vec::new();
        for version in &versions {
            kept.push(store.upload(*version).await.unwrap().is_some());
        }
        // The first plays, and so does the last one of the other game; of the others the oldest have gone.
        assert_eq!(kept, [true, false, false, true, true, true]);

        // What plays cannot go.
        let version = store.add_version(&bots[0], "bot.py", b"7".to_vec()).await.unwrap();
        let all = limits::PLAYER_BYTES as u64;
        store.settle_version(version, None, "", None, all).await.unwrap();
        store.forget_old_uploads(bots[0].id).await.unwrap();
        let refused = store.add_version(&bots[0], "bot.py", b"8".to_vec()).await.unwrap_err();
        let sentence = "the bots that play for you, and those that wait, take 639 of the 512 MB that a player has; \
                        let smaller ones play";
        assert_eq!(refused.to_string(), sentence);
        let bela = store.bot_of(event.bela, "generals", None, 1500.0).await.unwrap();
        store.add_version(&bela, "bot.py", b"8".to_vec()).await.expect("others have their own room");
    });
}
