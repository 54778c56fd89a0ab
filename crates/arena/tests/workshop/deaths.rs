//! What was at work when the arena died. A workshop that is dropped dies: nothing tells the store that it has closed.

use crate::Test;
use crate::support::{Event, kit, on};
use palestra_arena::api::VersionState;
use palestra_arena::ids::VersionId;
use palestra_arena::store::Changes;

pub(crate) const TESTS: &[Test] = &[
    ("what_kills_the_arena_is_not_tried_for_ever", what_kills_the_arena_is_not_tried_for_ever),
    ("the_innocent_go_on", the_innocent_go_on),
    ("closing_is_no_death", closing_is_no_death),
];

/// A compiler that does not end.
const KILLER: &[u8] = b"until [ -e never ]; do sleep 0.05; done";

async fn until_compiling(event: &Event, version: VersionId) {
    while event.store.version(version).await.unwrap().unwrap().state != VersionState::Compiling {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

fn what_kills_the_arena_is_not_tried_for_ever() {
    on(|event| async move {
        let shop = event.open().await;
        let killer = shop.hand_in(event.anna, "killer.recipe", KILLER).await.unwrap();
        let patient =
            shop.hand_in(event.anna, "bot.py", &kit("generals/kits/python/generals.py")).await.unwrap();
        until_compiling(&event, killer.id).await;
        drop(shop);
        let shop = event.open().await;
        // Whoever comes now waits: the suspect is tried alone.
        let late =
            shop.hand_in(event.bela, "bot.py", &kit("generals/kits/python/generals.py")).await.unwrap();
        until_compiling(&event, killer.id).await;
        assert!(shop.workshop.in_quarantine());
        for waiting in [patient.id, late.id] {
            assert_eq!(event.store.version(waiting).await.unwrap().unwrap().state, VersionState::Queued);
        }
        drop(shop);
        let shop = event.open().await;
        let killer = event.store.version(killer.id).await.unwrap().unwrap();
        assert_eq!(killer.state, VersionState::Rejected, "it is not tried a third time");
        assert!(
            killer.log.contains("set aside: the arena died again while this was at work"),
            "{}",
            killer.log
        );
        for others in [patient.id, late.id] {
            assert_eq!(shop.followed(others).await.state, VersionState::Ready, "everything else goes on");
        }
        let told = event.store.log(i64::MAX).await.unwrap();
        let sentence = "version 1 of anna's bot for generals was set aside: 2 times in a row the arena died";
        assert!(told.iter().any(|line| line.text.starts_with(sentence)), "{told:?}");
    });
}

fn the_innocent_go_on() {
    on(|event| async move {
        let mut innocent = Vec::new();
        for (player, file) in [(event.anna, "a.py"), (event.bela, "b.py")] {
            let shop = event.open().await;
            innocent.push(shop.settled(player, file, &kit("generals/kits/python/generals.py")).await);
        }
        // They play when the power goes, and each comes through its trial.
        for deaths in 1..=2 {
            for version in &innocent {
                event.store.commit(&at_work(version.id)).await.unwrap();
            }
            let shop = event.open().await;
            while shop.workshop.in_quarantine() {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            for version in &innocent {
                let version = event.store.version(version.id).await.unwrap().unwrap();
                assert!(version.active && version.state == VersionState::Ready, "after {deaths} deaths");
            }
        }
        // One of them comes through a match, the other is at work at the third death in a row.
        let rested = Changes { rested: vec![innocent[0].id], ..at_work(innocent[1].id) };
        event.store.commit(&rested).await.unwrap();
        event.store.commit(&at_work(innocent[0].id)).await.unwrap();
        let _shop = event.open().await;
        let active = async |id| event.store.version(id).await.unwrap().unwrap().active;
        assert!(active(innocent[0].id).await && !active(innocent[1].id).await);
    });
}

fn at_work(version: VersionId) -> Changes {
    Changes { at_work: vec![version], ..Default::default() }
}

fn closing_is_no_death() {
    on(|event| async move {
        let shop = event.open().await;
        let version = shop.hand_in(event.anna, "slow.recipe", KILLER).await.unwrap();
        drop(shop);
        for _ in 0..4 {
            let shop = event.open().await;
            until_compiling(&event, version.id).await;
            event.store.close_work().await.unwrap();
            drop(shop);
        }
        assert_eq!(event.store.unsettled_versions().await.unwrap(), [version.id], "it is tried again");
    });
}
