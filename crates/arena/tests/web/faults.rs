//! The kind of a fault is public; what the bot wrote is its author's.

use crate::stand::{GENERALS, Stand, finished_match};
use palestra_arena::ids::AccountId;
use palestra_arena::store::{Changes, SeatRow};
use palestra_core::{Entrant, Match, Message, Next, PlanRequest, Replay, Seat, Spent, TimeControl};
use palestra_runner::{Overheard, Watch as _};
use palestra_server::FeedPublisher;
use std::time::Duration;

/// What bela's bot wrote instead of an answer.
const WRITTEN: &str = "attack-at-dawn";

/// A match of anna's resting bot and a bot of bela's that writes something else than answers; told as it is played.
fn played(mut reporter: Option<&mut FeedPublisher>) -> Replay {
    let plan = GENERALS.plan(&PlanRequest { changes: &[], map: Some(tiny()), players: 2, seed: 5 }).unwrap();
    let entrants = [Entrant::built_in("rest"), Entrant::outside("bela")];
    let mut game = Match::new(GENERALS, plan, &entrants, TimeControl::Unlimited).unwrap();
    let mut asked = 0;
    loop {
        match game.next() {
            Next::Over => break,
            Next::Moved(_) => {}
            Next::Ask(seat, _) => {
                asked += 1;
                let text = if asked == 3 { format!("{WRITTEN}\n") } else { "-1\n".to_owned() };
                let spent = Spent { at: Duration::ZERO, wall: Duration::ZERO, cpu: None };
                game.receive(seat, text.as_bytes(), spent);
            }
        }
        if let Some(reporter) = &mut reporter {
            reporter.turn(&game, Overheard::nothing());
        }
    }
    game.finish(Vec::new()).unwrap().1
}

fn tiny() -> &'static str {
    GENERALS.maps().iter().find(|map| map.name == "tiny").unwrap().text
}

fn addresses() -> Vec<String> {
    let mut parts = vec!["".to_owned(), "/info".to_owned()];
    for eye in ["", "&seat=1", "&seat=2"] {
        parts.push(format!("/frames?every=1&chunk=0{eye}"));
        parts.push(format!("/overview?{}", eye.trim_start_matches('&')));
    }
    parts.extend((2..8).flat_map(|turn| [1, 2].map(|seat| format!("/turns/{turn}?of={seat}"))));
    let mut addresses: Vec<String> = parts.iter().map(|part| format!("/api/matches/3{part}")).collect();
    addresses.extend(["/api/matches", "/api/matches?player=3", "/api/live", "/api/event"].map(str::to_owned));
    addresses
}

/// Everything that somebody is told about match 3, as text.
async fn told(stand: &Stand, key: Option<&str>) -> String {
    let mut text = String::new();
    for address in addresses() {
        let answer = match key {
            Some(key) => stand.get_as(key, &address).await,
            None => stand.get(&address).await,
        };
        assert_eq!(answer.status.as_u16(), 200, "{address}");
        text += &format!("{address}\n{}\n", String::from_utf8_lossy(&answer.bytes));
    }
    text
}

async fn downloaded(stand: &Stand, key: Option<&str>) -> Replay {
    let answer = match key {
        Some(key) => stand.get_as(key, "/api/matches/3/replay").await,
        None => stand.get("/api/matches/3/replay").await,
    };
    Replay::from_bytes(&answer.bytes).unwrap()
}

async fn keep(stand: &Stand, replay: &Replay) {
    let seat = |player: i64, place: u32, fault: Option<(String, Message)>| SeatRow {
        player: Some(AccountId(player)),
        name: format!("p{player}"),
        place,
        fault,
        ..SeatRow::default()
    };
    let (_, fault) = &replay.head.faults[0];
    let seats = vec![seat(2, 1, None), seat(3, 2, Some((fault.kind().to_owned(), fault.message())))];
    let row = finished_match(3, replay, seats);
    let replays = vec![(row.id, replay.to_bytes().unwrap())];
    stand.store.commit(&Changes { matches: vec![row], replays, ..Changes::default() }).await.unwrap();
}

#[tokio::test]
async fn what_a_bot_wrote_is_for_its_author() {
    let stand = Stand::open().await;
    let (olga, anna, bela) = (stand.key("olga").await, stand.key("anna").await, stand.key("bela").await);
    let replay = played(None);
    assert!(format!("{replay:?}").contains(WRITTEN), "there is something to hide");
    keep(&stand, &replay).await;

    for wrong in [None, Some(anna.as_str())] {
        let text = told(&stand, wrong).await;
        assert!(!text.contains(WRITTEN), "{text}");
        assert!(text.contains("malformed"), "the kind is public");
    }
    for right in [&bela, &olga] {
        assert!(told(&stand, Some(right)).await.contains(WRITTEN));
    }

    for wrong in [None, Some(anna.as_str())] {
        let file = downloaded(&stand, wrong).await;
        assert!(!format!("{file:?}").contains(WRITTEN));
        assert_eq!(file.head.faults[0].1.kind(), replay.head.faults[0].1.kind());
        assert_eq!(file.verify(GENERALS).unwrap(), replay.head.turns, "it holds like any other replay");
        let places = |replay: &Replay| -> Vec<_> {
            let placings = replay.head.outcome.placings.iter();
            placings.map(|placing| (placing.place, placing.score, placing.fate)).collect()
        };
        assert_eq!((places(&file), file.head.outcome.winner), (places(&replay), Some(Seat::new(1))));
    }
    for right in [&bela, &olga] {
        assert_eq!(downloaded(&stand, Some(right)).await, replay, "nothing is left out");
    }
}

#[tokio::test]
async fn nor_is_it_told_while_the_match_goes_on() {
    let stand = Stand::open().await;
    let (anna, bela) = (stand.key("anna").await, stand.key("bela").await);
    let replay = played(None);
    // So that it is known who sits where.
    keep(&stand, &replay).await;
    let plan = GENERALS.plan(&PlanRequest { changes: &[], map: Some(tiny()), players: 2, seed: 5 }).unwrap();
    let entrants = [Entrant::built_in("rest"), Entrant::outside("bela")];
    let empty = Match::new(GENERALS, plan, &entrants, TimeControl::Unlimited).unwrap().recorded().clone();
    let mut reporter = stand.library.open_live("3", GENERALS, empty, None).unwrap();
    let replay = played(Some(&mut reporter));
    let turn = replay.head.faults[0].0;
    for wrong in [None, Some(anna.as_str())] {
        assert!(!told(&stand, wrong).await.contains(WRITTEN));
    }
    let detail = stand.get_as(&bela, &format!("/api/matches/3/turns/{turn}?of=2")).await.json();
    assert!(detail["fault"].to_string().contains(WRITTEN), "{detail}");
    reporter.end(replay);
    for wrong in [None, Some(anna.as_str())] {
        assert!(!told(&stand, wrong).await.contains(WRITTEN));
        assert!(!format!("{:?}", downloaded(&stand, wrong).await).contains(WRITTEN));
    }
    assert!(format!("{:?}", downloaded(&stand, Some(&bela)).await).contains(WRITTEN));
}
