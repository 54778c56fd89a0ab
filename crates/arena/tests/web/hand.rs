//! People who play by hand, at real sockets: against built-in players, against each other, and against the rules.

use crate::clients::{Open, Said};
use palestra_arena::api::Control;
use palestra_arena::limits;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::{sleep, timeout};

const PATIENCE: Duration = Duration::from_secs(120);

/// Somebody at a table, with a key or as a guest.
struct Person<'a> {
    open: &'a Open,
    key: Option<&'a str>,
    token: String,
}

/// Somebody's seat in a match.
struct Seated {
    id: i64,
    seat: i64,
    key: String,
}

fn against_house() -> Value {
    json!({ "game": "generals", "seats": ["me", { "house": "random" }] })
}

impl<'a> Person<'a> {
    async fn sits_down(open: &'a Open, key: Option<&'a str>, table: Value) -> Person<'a> {
        Person::at(open, key, open.post(key, "/api/play", table).await)
    }

    async fn accepts(open: &'a Open, key: Option<&'a str>, invitation: &str) -> Person<'a> {
        Person::at(open, key, open.post(key, "/api/play/accept", json!({ "token": invitation })).await)
    }

    fn at(open: &'a Open, key: Option<&'a str>, said: Said) -> Person<'a> {
        let table = said.json();
        assert_eq!(said.status, 200, "{table}");
        Person { open, key, token: table["token"].as_str().unwrap().to_owned() }
    }

    async fn table(&self) -> Value {
        self.open.table(&self.token).await.json()
    }

    async fn again(&self) -> Said {
        self.open.post(self.key, "/api/play/again", json!({ "token": self.token })).await
    }

    /// Waits until a match has begun that is none of these.
    async fn seated(&self, but: &[i64]) -> Seated {
        let begun = timeout(PATIENCE, async {
            loop {
                let table = self.table().await;
                if let Some(id) = table["latest"].as_i64().filter(|id| !but.contains(id)) {
                    let key = table["key"].as_str().unwrap().to_owned();
                    return Seated { id, seat: table["seat"].as_i64().unwrap(), key };
                }
                sleep(Duration::from_millis(20)).await;
            }
        });
        begun.await.expect("a match in time")
    }
}

impl Seated {
    fn address(&self, part: &str) -> String {
        format!("/api/matches/{}{part}", self.id)
    }

    async fn answer(&self, open: &Open, turn: i64, text: &str) -> Said {
        let body = json!({ "seat": self.seat, "key": self.key, "turn": turn, "text": text });
        open.post(None, &self.address("/answer"), body).await
    }

    /// The match may be a moment behind: it has taken the answer before, and not asked yet.
    async fn answer_when_asked(&self, open: &Open, turn: i64, text: &str) {
        let answered = timeout(PATIENCE, async {
            while self.answer(open, turn, text).await.status != 200 {
                sleep(Duration::from_millis(20)).await;
            }
        });
        answered.await.expect("it is asked");
    }

    async fn resign(&self, open: &Open) -> Said {
        open.post(None, &self.address("/resign"), json!({ "seat": self.seat, "key": self.key })).await
    }

    /// Passes until the match is over.
    async fn pass_to_the_end(&self, open: &Open) {
        let passed = timeout(PATIENCE, async {
            loop {
                let news = open.first_news(None, &self.address("/events")).await;
                let progress: Value = serde_json::from_str(&news).unwrap();
                if progress["over"] == true {
                    return;
                }
                if progress["to_move"] == self.seat {
                    self.answer(open, progress["turns"].as_i64().unwrap() + 1, "-1").await;
                }
                sleep(Duration::from_millis(2)).await;
            }
        });
        passed.await.expect("an end in time");
    }
}

async fn listed(open: &Open, query: &str) -> Vec<i64> {
    let list = open.get(None, &format!("/api/matches{query}")).await.json();
    list["matches"].as_array().unwrap().iter().map(|view| view["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn a_guest_plays_a_house_player_to_the_end_and_once_more() {
    let open = Open::new("").await;
    let offer = open.get(None, "/api/play").await.json();
    assert_eq!((&offer["allowed"], &offer["seconds"]), (&true.into(), &120.into()));
    assert!(offer["games"][0]["opponents"].as_array().unwrap().contains(&"random".into()), "{offer}");
    let duel =
        offer["games"][0]["maps"].as_array().unwrap().iter().find(|map| map["name"] == "duel").unwrap();
    assert_eq!(duel["seats"], json!([2]));

    let table = json!({ "game": "generals", "map": "duel", "seats": [{ "house": "random" }, "me"] });
    let guest = Person::sits_down(&open, None, table).await;
    let seated = guest.seated(&[]).await;
    assert_eq!(seated.seat, 2);
    let info = open.get(None, &seated.address("/info")).await.json();
    let seats: Vec<_> = info["seats"].as_array().unwrap().iter().collect();
    assert_eq!(
        (&info["kind"], &seats[0]["built_in"], &seats[0]["person"]),
        (&"hand".into(), &true.into(), &false.into())
    );
    assert_eq!(
        (&seats[1]["name"], &seats[1]["person"], &seats[1]["built_in"]),
        (&"guest".into(), &true.into(), &false.into())
    );
    seated.pass_to_the_end(&open).await;
    open.end_of(seated.id).await;

    assert_eq!(open.get(None, &seated.address("/replay")).await.status, 200);
    assert!(listed(&open, "").await.is_empty(), "it is no match of the event");
    assert_eq!(listed(&open, "?kind=hand").await, [seated.id]);
    let live = open.get(None, "/api/live").await.json();
    assert_eq!(
        (live["latest"].as_array().unwrap().len(), &live["running"]),
        (0, &0.into()),
        "not even counted"
    );

    assert_eq!(guest.table().await["status"], "over");
    assert_eq!(guest.again().await.status, 200);
    let next = guest.seated(&[seated.id]).await;
    assert_ne!(next.key, seated.key, "a key is for one match");
    assert_eq!(next.resign(&open).await.status, 200);
    open.end_of(next.id).await;
    let info = open.get(None, &next.address("/info")).await.json();
    assert_eq!((&info["seats"][1]["place"], &info["seats"][1]["fault"]), (&2.into(), &"exited".into()));
}

#[tokio::test]
async fn two_people_play_each_other_and_nobody_plays_for_them_or_sees_through_their_fog() {
    let open = Open::new("").await;
    let (anna, carla) = (open.account("anna", false).await, open.account("carla", false).await);
    let table = json!({ "game": "generals", "seats": ["me", "invited"] });
    let anna = Person::sits_down(&open, Some(&anna), table).await;
    let waiting = anna.table().await;
    assert_eq!((&waiting["status"], &waiting["latest"]), (&"waiting".into(), &Value::Null));
    let invitation = waiting["invitations"][0]["token"].as_str().unwrap().to_owned();
    let seen = open.table(&invitation).await.json();
    let in_the_address = open.get(None, &format!("/api/play/table?token={invitation}")).await;
    assert_eq!(in_the_address.json()["message"]["code"], "table_gone", "a secret is in no address");
    assert_eq!((&seen["status"], &seen["seats"][0]["name"]), (&"invited".into(), &"anna".into()));
    let guest = Person::accepts(&open, None, &invitation).await;
    let late = open.post(Some(&carla), "/api/play/accept", json!({ "token": invitation })).await;
    assert_eq!(late.status, 409);
    assert!(late.json()["error"].as_str().unwrap().contains("accepted already"));

    let (one, two) = (anna.seated(&[]).await, guest.seated(&[]).await);
    assert_eq!((one.id, one.seat, two.seat), (two.id, 1, 2));
    assert_ne!(one.key, two.key);
    assert_eq!(one.answer(&open, 1, "-1").await.status, 200);
    // The other seat's key, no key, and a key of another match open nothing.
    for key in [one.key.as_str(), "", &"0".repeat(32)] {
        let body = json!({ "seat": 2, "key": key, "turn": 2, "text": "-1" });
        assert_eq!(open.post(Some(&carla), &one.address("/answer"), body).await.status, 403);
        let body = json!({ "seat": 2, "key": key });
        assert_eq!(open.post(Some(&carla), &one.address("/resign"), body).await.status, 403);
        let frames = one.address(&format!("/frames?every=1&chunk=0&seat=2&key={key}"));
        assert_eq!(open.get(Some(&carla), &frames).await.status, 403);
    }
    for eye in ["", "&seat=1", "&seat=2"] {
        let frames = one.address(&format!("/frames?every=1&chunk=0{eye}"));
        assert_eq!(open.get(Some(&carla), &frames).await.status, 403, "{eye}");
    }
    let own = two.address(&format!("/frames?every=1&chunk=0&seat=2&key={}", two.key));
    assert_eq!(open.get(None, &own).await.status, 200);
    let seen = open.get(Some(&carla), &one.address("/info")).await.json();
    assert_eq!((&seen["watchable"], &seen["turns"]), (&false.into(), &0.into()));
    // It is not among what is shown to everybody.
    let live = open.get(None, "/api/live").await.json();
    assert_eq!(live["matches"].as_array().unwrap().len(), 0);

    two.answer_when_asked(&open, 2, "-1").await;
    // Whoever is not to move can give up, too.
    assert_eq!(two.resign(&open).await.status, 200);
    open.end_of(one.id).await;
    let info = open.get(None, &one.address("/info")).await.json();
    assert_eq!((&info["seats"][0]["place"], &info["seats"][1]["place"]), (&1.into(), &2.into()));
    let standings = open.get(None, "/api/games/generals/standings").await.json();
    assert!(standings.as_array().unwrap().iter().all(|line| line["name"] != "anna"), "{standings}");

    // Another one begins when both want it.
    assert_eq!(anna.again().await.json()["status"], "waiting");
    assert_eq!(guest.table().await["seats"][0]["ready"], true);
    assert_eq!(guest.again().await.json()["status"], "playing");
    let third = guest.seated(&[one.id]).await;
    assert_ne!(third.id, one.id);
}

#[tokio::test]
async fn whoever_is_idle_loses_and_an_own_replay_is_for_the_key() {
    let open = Open::new("hand_time = '1s'\nreplays = 'own'\nlive = 'own'").await;
    let guest = Person::sits_down(&open, None, against_house()).await;
    let seated = guest.seated(&[]).await;
    assert_eq!(open.get(None, &seated.address("")).await.status, 403, "strangers do not even see it begin");
    open.end_of(seated.id).await;
    let info = open.get(None, &seated.address("/info")).await.json();
    assert_eq!((&info["seats"][0]["place"], &info["seats"][0]["fault"]), (&2.into(), &"out_of_time".into()));
    assert_eq!(open.get(None, &seated.address("/replay")).await.status, 403);
    assert_eq!(open.get(None, &seated.address(&format!("/replay?key={}", seated.key))).await.status, 200);
}

#[tokio::test]
async fn a_plan_says_who_plays_by_hand() {
    for (plan, guest_may, player_may) in
        [("", true, true), ("hand = 'players'", false, true), ("hand = 'nobody'", false, false)]
    {
        let open = Open::new(plan).await;
        let anna = open.account("anna", false).await;
        for (key, may) in [(None, guest_may), (Some(anna.as_str()), player_may)] {
            assert_eq!(open.get(key, "/api/play").await.json()["allowed"], may, "{plan}");
            let said = open.post(key, "/api/play", against_house()).await;
            assert_eq!(said.status == 200, may, "{plan}: {}", String::from_utf8_lossy(&said.body));
        }
    }
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_with_a_sentence() {
    let open = Open::new("").await;
    for (table, sentence) in [
        (json!({ "game": "chess", "seats": ["me", "invited"] }), "no game \"chess\""),
        (json!({ "game": "generals", "seats": ["me"] }), "played by 2 to 16, not by 1"),
        (json!({ "game": "generals", "seats": ["me", "me"] }), "exactly one seat for yourself"),
        (json!({ "game": "generals", "seats": ["invited", { "house": "random" }] }), "exactly one seat"),
        (
            json!({ "game": "generals", "seats": ["me", { "house": "../x" }] }),
            "does not play here; there are",
        ),
        (json!({ "game": "generals", "map": "moon", "seats": ["me", "invited"] }), "no map \"moon\""),
    ] {
        let said = open.post(None, "/api/play", table).await;
        let error = said.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(sentence), "{error}");
        assert_eq!(said.status, if error.contains("no game") { 404 } else { 409 }, "{error}");
    }
    let mut anna = Vec::new();
    let key = open.account("anna", false).await;
    for _ in 0..limits::TABLES_OF_PLAYER {
        anna.push(Person::sits_down(&open, Some(&key), against_house()).await);
    }
    let said = open.post(Some(&key), "/api/play", against_house()).await;
    assert!(said.json()["error"].as_str().unwrap().contains("end one of them first"));
    let seated = anna[0].seated(&[]).await;
    seated.resign(&open).await;
    open.end_of(seated.id).await;
    Person::sits_down(&open, Some(&key), against_house()).await;

    open.hub().control(None, None, Control::Pause).await.unwrap();
    let said = open.post(None, "/api/play", against_house()).await;
    assert!(said.json()["error"].as_str().unwrap().contains("paused"));
    open.hub().control(None, None, Control::Close).await.unwrap();
    let said = open.post(None, "/api/play", against_house()).await;
    assert_eq!((said.status, &said.json()["error"]), (409, &"the event is over".into()));
}
