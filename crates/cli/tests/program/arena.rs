//! A whole event through the real program: twenty players of six kinds, free play, two scored rounds and a final. The
//! arena is killed in the middle of each, strangers and six of the players do their worst all the while, and in the end
//! everything it says is worked out a second time from the list of matches alone: nobody else has lost anything by it.

mod books;
mod crowd;
mod plain;
pub(crate) mod stand;
mod standby;
mod strangers;
mod workers;

use crate::support::{palestra, processes_with};
use books::{Books, standings};
use crowd::{Crowd, Kind};
use plain::{Plain, Style};
use serde_json::Value;
use stand::{Player, Stand};
use std::path::Path;
use strangers::Strangers;

/// The Rock Paper Scissor event on a small board, with short times; only for answers there is plenty, so that matches
/// count on a busy machine too.
const EVENT: &str = r#"
name = "Twenty"
rest = "100ms"
grace = "6s"
round = [
    { name = "Afternoon", points = { win = 2, draw = 1 }, seatings = "elo", tie_breaks = ["elo"] },
    { name = "Evening", points = { win = 10, draw = 5 }, seatings = "elo", tie_breaks = ["elo"] },
    { name = "Final", start = "next", best = 4, points = { win = 10, draw = 5 }, seatings = "elo", tie_breaks = ["elo"] },
]

[[game]]
id = "rps"
settings = { size = 6, first_unit_ticks = 2, max_ticks = 120, hold_ticks = 4 }
time = "3s/answer"
pace = "6ms"
pause = "500ms"
"#;

/// Points for a win and for a draw, by round.
const POINTS: [(f64, f64); 3] = [(2.0, 1.0), (10.0, 5.0), (10.0, 5.0)];

const PLAYERS: [(Kind, usize); 7] = [
    (Kind::Cpp, 3),
    (Kind::Python, 3),
    (Kind::Bridge, 3),
    (Kind::HandedIn, 3),
    (Kind::Plain, 2),
    (Kind::Rogue, 4),
    (Kind::Attacker, 2),
];

/// Leaves before the evening.
const DESERTER: &str = "cpp-3";

#[test]
fn an_event_of_twenty_that_is_killed_in_every_phase() {
    let dir = tempfile::tempdir().unwrap();
    let mut stand = Stand::new(dir.path(), "event", EVENT);
    let players = stand.add_players(&crowd::names(&PLAYERS));
    stand.open();
    let strangers = Strangers::at(stand.site, stand.gateway);
    let mut crowd = Crowd::gather(dir.path(), &stand, &players);
    let mut before = Books::default();

    stand.until("free play", |stand| everybody_is_here(stand) && Books::read(stand).matches.len() >= 30);
    before.extend(kill(&mut stand));
    stand.until("everybody has played", |stand| everybody_is_here(stand) && all_kinds_of_matches(stand));

    stand.organise(&["start", "Afternoon"]);
    stand.until("some of the afternoon", |stand| is_under_way(stand, "Afternoon", 4));
    before.extend(kill(&mut stand));
    assert_eq!(stand.round("Afternoon")["state"], "running");
    stand.until("half of the afternoon", |stand| is_under_way(stand, "Afternoon", 2));
    let then = back_up(&stand, dir.path());
    stand.until("the end of the afternoon", |stand| stand.round("Afternoon")["state"] == "over");

    crowd.leave(DESERTER);
    stand.organise(&["start", "Evening"]);
    stand.until("some of the evening", |stand| is_under_way(stand, "Evening", 4));
    before.extend(kill(&mut stand));
    assert_eq!(stand.round("Evening")["state"], "running");
    stand.until("the final", |stand| stand.round("Final")["state"] != "waiting");
    before.extend(kill(&mut stand));
    assert_eq!(stand.round("Final")["state"], "running");
    stand.until("the end of the final", |stand| stand.round("Final")["state"] == "over");

    stand.come_to_rest();
    let after = Books::read(&stand);
    after.check_nothing_is_lost(&before);
    after.check_standings(&standings(&stand), &POINTS);
    for (number, players) in [(1, 20), (2, 20), (3, 4)] {
        after.check_round(&stand.ask(&format!("/api/rounds/{number}")), players);
    }
    after.check_who_did_not_come(2, DESERTER, 19);
    after.check_nobody_else_is_harmed(DESERTER);
    after.check_replays(&stand, dir.path(), 20);
    crowd.check_attacks_on_the_compiler(&stand);
    strangers.check_all_were_there();
    stand.until("everybody is still here", |stand| stand.ask("/api/live")["online"] == 14);
    assert!(!stand.told().contains("panicked"), "{}", stand.told());
    drop((crowd, strangers, stand));

    check_backup(dir.path(), &then, &players[0]);
    let path = dir.path().display().to_string();
    stand::until("nothing is left", || processes_with(&path).is_empty());
}

/// Kills the arena and starts it again; gives what everybody had just seen.
fn kill(stand: &mut Stand) -> Books {
    let seen = Books::newest(stand);
    stand.kill();
    stand.open();
    seen
}

fn everybody_is_here(stand: &Stand) -> bool {
    let here = |line: &Value| line["plays"] == "client" || line["plays"] == "version";
    // One of the rogues is always on its way.
    standings(stand).iter().filter(|line| here(line)).count() >= 19
}

/// Everybody but those who want nobody but the bot has a rating, and there were matches for every reason.
fn all_kinds_of_matches(stand: &Stand) -> bool {
    let played = standings(stand).iter().filter(|line| line["played"].as_u64() > Some(0)).count();
    let books = Books::read(stand);
    let kinds = ["free", "practice", "ladder"];
    played >= 19 && kinds.iter().all(|kind| books.matches.iter().any(|one| one.kind == *kind))
}

/// Whether this part of a round has been played, and it still goes on.
fn is_under_way(stand: &Stand, name: &str, part: u64) -> bool {
    let round = stand.round(name);
    let [done, all] = [0, 1].map(|at| round["progress"][at].as_u64().expect("a number"));
    round["state"] == "running" && done >= all / part && done < all
}

/// Makes a backup in the middle of everything; gives how everybody stands in it.
fn back_up(stand: &Stand, dir: &Path) -> Vec<Value> {
    stand.come_to_rest();
    stand.organise(&["backup", "-o", &dir.join("middle.backup").display().to_string()]);
    let then = standings(stand);
    stand.organise(&["resume"]);
    then
}

/// From the backup comes an event that stands as it did then, and knows its players.
fn check_backup(dir: &Path, then: &[Value], player: &Player) {
    let mut copy = Stand::new(dir, "copy", EVENT);
    let restored = palestra(dir)
        .args(["event", "restore", "copy.toml", "middle.backup"])
        .output()
        .expect("palestra runs");
    assert!(restored.status.success(), "{restored:?}");
    copy.open();
    let who_and_how = |lines: &[Value]| -> Vec<String> {
        let keys = ["place", "bot", "name", "points", "elo", "played", "won", "drawn", "lost"];
        lines.iter().map(|line| keys.map(|key| line[key].to_string()).join(" ")).collect()
    };
    let now = standings(&copy);
    assert_eq!(who_and_how(&now), who_and_how(then));
    Books::read(&copy).check_standings(&now, &POINTS);
    assert_eq!(copy.round("Afternoon")["state"], "running");
    let _client = Plain::start(copy.gateway, &player.password, "any", Style::Sit);
    copy.until("a player with the password of before", |copy| copy.ask("/api/live")["online"] == 1);
}
