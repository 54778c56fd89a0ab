//! A version that brings the arena down: killed while it compiles, twice, the arena goes on without it.

use crate::arena::stand::Stand;
use crate::submit::RECIPES;
use crate::support::{project, run};
use serde_json::Value;
use std::fs;
use tempfile::tempdir;

const EVENT: &str = "name = \"Test\"\n[[game]]\nid = \"generals\"\nmaps = [\"duel\"]\nhouse = [\"rest\"]\n";

#[test]
fn what_kills_the_arena_twice_is_set_aside_and_the_others_play() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("no-toolchains-of-mine.toml"), RECIPES).unwrap();
    fs::write(dir.path().join("killer.recipe"), "until [ -e never ]; do sleep 0.05; done\n").unwrap();
    fs::copy(project().join("games/generals/kits/python/generals.py"), dir.path().join("good.py")).unwrap();
    let mut stand = Stand::new(dir.path(), "event", EVENT);
    let players = stand.add_players(&["anna", "bela", "cili"].map(str::to_owned));
    let keys: Vec<String> = players.iter().map(|player| stand.key(player)).collect();
    stand.open();
    let host = stand.site.to_string();
    let submit = |file: &str, key: &str| {
        let output = run(dir.path(), &["submit", &host, "generals", file, "--token", key]);
        assert!(output.status.success(), "{output:?}");
    };
    // One of those who play at the first death has nothing to do with it.
    submit("good.py", &keys[0]);
    let hand_in = |file: &str, key: &str| -> Value {
        let body = fs::read(dir.path().join(file)).unwrap();
        let address = format!("http://{host}/api/games/generals/versions?file={file}");
        let sent = ureq::post(&address).header("authorization", format!("Bearer {key}")).send(&body[..]);
        serde_json::from_slice(&sent.unwrap().body_mut().read_to_vec().unwrap()).unwrap()
    };
    let see = |stand: &Stand, version: &Value, key: &str| -> Value {
        let address = format!("http://{}/api/versions/{}", stand.site, version["id"]);
        let mut view = Value::Null;
        stand.until("the site", |_| {
            let asked = ureq::get(&address).header("authorization", format!("Bearer {key}")).call();
            let bytes = asked.ok().and_then(|mut answer| answer.body_mut().read_to_vec().ok());
            view = serde_json::from_slice(&bytes.unwrap_or_default()).unwrap_or_default();
            !view.is_null()
        });
        view
    };
    let killer = hand_in("killer.recipe", &keys[1]);
    for _ in 0..2 {
        stand.until("a compiler", |stand| see(stand, &killer, &keys[1])["state"] == "compiling");
        stand.kill();
        stand.open();
    }
    let view = see(&stand, &killer, &keys[1]);
    assert_eq!(view["state"], "rejected", "{view}");
    assert!(view["log"].as_str().unwrap().contains("set aside: the arena died again"), "{view}");
    submit("good.py", &keys[2]);
    let played = |stand: &Stand, player: &str| {
        let standings = stand.ask("/api/games/generals/standings");
        let lines = standings.as_array().cloned().unwrap_or_default();
        lines.iter().any(|line| line["name"] == player && line["played"].as_u64() > Some(0))
    };
    stand.until("matches of the others", |stand| played(stand, "anna") && played(stand, "cili"));
    let told = stand.told();
    assert!(told.contains("version 1 of bela's bot for generals was set aside"), "{told}");
}
