//! The event worked out a second time, by another way than the arena's own: plain sums and plain Elo over the list of
//! matches that the site tells.

use super::stand::Stand;
use crate::support::palestra;
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

const START: f64 = 1500.0;
const K: f64 = 32.0;
/// How far two ways to work out the same rating may be apart.
const ROUNDING: f64 = 1e-6;

/// A match that is over.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(super) struct Played {
    id: i64,
    pub(super) kind: String,
    round: Option<usize>,
    state: String,
    started: i64,
    counted: i64,
    turns: u32,
    seats: Vec<Sat>,
    replay: bool,
}

#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Sat {
    bot: Option<i64>,
    name: String,
    place: u32,
    points: Option<f64>,
    elo: Option<(f64, f64)>,
    fault: Option<String>,
}

/// All matches of an event.
#[derive(Default)]
pub(super) struct Books {
    pub(super) matches: Vec<Played>,
}

/// Everybody's line in the table.
pub(super) fn standings(stand: &Stand) -> Vec<Value> {
    stand.ask("/api/games/rps/standings").as_array().expect("a list").clone()
}

impl Books {
    /// Goes through all pages.
    pub(super) fn read(stand: &Stand) -> Books {
        let mut books = Books::default();
        let mut page = stand.ask("/api/matches");
        loop {
            books.extend(Books::on(&page));
            match page["older"].as_i64() {
                Some(older) => page = stand.ask(&format!("/api/matches?before={older}")),
                None => return books,
            }
        }
    }

    /// Looks at the newest only.
    pub(super) fn newest(stand: &Stand) -> Books {
        Books::on(&stand.ask("/api/matches"))
    }

    fn on(page: &Value) -> Books {
        Books { matches: Vec::deserialize(&page["matches"]).expect("matches") }
    }

    pub(super) fn extend(&mut self, other: Books) {
        self.matches.extend(other.matches);
    }

    /// Whatever could be seen before a kill is there, unchanged, and once.
    pub(super) fn check_nothing_is_lost(&self, before: &Books) {
        let by_id: HashMap<i64, &Played> = self.matches.iter().map(|played| (played.id, played)).collect();
        assert_eq!(by_id.len(), self.matches.len(), "a number twice");
        let counted: BTreeSet<i64> = self.matches.iter().map(|played| played.counted).collect();
        assert_eq!(counted.len(), self.matches.len(), "a match counted twice");
        for played in &before.matches {
            assert_eq!(by_id.get(&played.id), Some(&played));
        }
    }

    /// Points and ratings of everybody, and the order of the table.
    pub(super) fn check_standings(&self, lines: &[Value], points: &[(f64, f64)]) {
        let mut in_order: Vec<&Played> = self.matches.iter().collect();
        in_order.sort_by_key(|played| played.counted);
        let mut sums: HashMap<i64, Sum> = HashMap::new();
        for played in in_order {
            let [a, b] = &played.seats[..] else { panic!("two seats: {played:?}") };
            assert_eq!(played.state, "finished");
            // Nobody has a number but players, who have an account: the server's own bot has none.
            if let (Some(one), Some(other)) = (a.bot, b.bot) {
                if played.turns > 0 {
                    rate(&mut sums, [one, other], played);
                }
                if let Some(round) = played.round {
                    score(&mut sums, [one, other], played, points[round - 1]);
                }
            }
        }
        for line in lines {
            let sum = sums.remove(&line["bot"].as_i64().expect("a number")).unwrap_or_default();
            let told = (line["points"].as_f64(), line["elo"].as_i64(), line["played"].as_u64());
            assert_eq!(told, (Some(sum.points), Some(sum.elo.round() as i64), Some(sum.played)), "{line}");
        }
        assert!(sums.is_empty(), "not in the table: {:?}", sums.keys());
        let rank = |line: &Value| (line["points"].as_f64(), line["elo"].as_i64());
        assert!(lines.is_sorted_by(|a, b| rank(a) >= rank(b)), "by points, then rating");
    }

    /// Everybody met everybody once, the higher rated began, and nothing else began meanwhile.
    pub(super) fn check_round(&self, detail: &Value, players: usize) {
        let round = &detail["round"];
        let number = round["id"].as_u64().map(|id| id as usize);
        let entrants = detail["players"].as_array().expect("a list");
        assert_eq!((&round["state"], entrants.len()), (&"over".into(), players));
        let elo: BTreeMap<i64, f64> = entrants
            .iter()
            .map(|one| (one["bot"].as_i64().expect("a number"), one["elo"].as_f64().expect("a rating")))
            .collect();
        let mut met = BTreeSet::new();
        for played in self.matches.iter().filter(|played| played.round == number) {
            let [a, b] = [0, 1].map(|seat| played.seats[seat].bot.expect("a player"));
            assert!(met.insert((a.min(b), a.max(b))), "again: {played:?}");
            assert!(elo[&a] >= elo[&b], "the higher rated begins: {played:?}");
        }
        assert_eq!(met.len(), players * (players - 1) / 2);
        let (from, to) =
            (round["starts"].as_i64().expect("a time"), round["ended"].as_i64().expect("a time"));
        let others = self.matches.iter().filter(|played| played.round != number);
        let meanwhile: Vec<&Played> =
            others.filter(|played| from < played.started && played.started < to).collect();
        assert!(meanwhile.is_empty(), "{meanwhile:?}");
    }

    /// Somebody was away for a whole round: everybody else has the points, without a turn.
    pub(super) fn check_who_did_not_come(&self, round: usize, name: &str, matches: usize) {
        let of_round = self.matches.iter().filter(|played| played.round == Some(round));
        let lost =
            of_round.filter(|played| played.seats.iter().any(|sat| sat.name == name && sat.place == 2));
        assert_eq!(lost.filter(|played| played.turns == 0).count(), matches);
    }

    /// Nobody who plays as one should has a fault, whoever sat on the other seat; nor did one have to be played again and
    /// again because of them.
    pub(super) fn check_nobody_else_is_harmed(&self, deserter: &str) {
        let honest = |name: &str| !["rogue", "attacker"].iter().any(|kind| name.starts_with(kind));
        let seats = self.matches.iter().flat_map(|played| played.seats.iter().map(move |sat| (played, sat)));
        for (played, sat) in seats.filter(|(_, sat)| honest(&sat.name) && sat.name != deserter) {
            assert_eq!(sat.fault, None, "{played:?}");
        }
        for attacker in ["attacker-1", "attacker-2"] {
            let met =
                self.matches.iter().filter(|played| played.seats.iter().any(|sat| sat.name == attacker));
            let lost =
                met.filter(|played| played.seats.iter().any(|sat| sat.name == attacker && sat.place == 2));
            assert!(lost.count() > 0, "{attacker} never loses");
        }
    }

    /// A sample of the replays, spread over the whole event, is what the game's rules make of it.
    pub(super) fn check_replays(&self, stand: &Stand, dir: &Path, sample: usize) {
        let kept: Vec<&Played> = self.matches.iter().filter(|played| played.replay).collect();
        assert_eq!(kept.len(), self.matches.iter().filter(|played| played.turns > 0).count());
        let files = kept.iter().step_by((kept.len() / sample).max(1)).map(|played| {
            let file = dir.join(format!("{}.replay", played.id));
            fs::write(&file, stand.download(&format!("/api/matches/{}/replay", played.id))).unwrap();
            file
        });
        let files: Vec<_> = files.collect();
        assert!(files.len() >= sample);
        let verified = palestra(dir).args(["replay", "verify"]).args(&files).output().expect("palestra runs");
        assert!(verified.status.success(), "{verified:?}");
    }
}

struct Sum {
    points: f64,
    elo: f64,
    played: u64,
}

impl Default for Sum {
    fn default() -> Sum {
        Sum { points: 0.0, elo: START, played: 0 }
    }
}

/// What the first has of a match between two, as a part of one.
fn share(played: &Played) -> f64 {
    match played.seats[0].place.cmp(&played.seats[1].place) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    }
}

fn rate(sums: &mut HashMap<i64, Sum>, bots: [i64; 2], played: &Played) {
    let [one, other] = bots.map(|bot| sums.entry(bot).or_default().elo);
    let expected = 1.0 / (1.0 + 10_f64.powf((other - one) / 400.0));
    let change = K * (share(played) - expected);
    for (seat, (bot, change)) in bots.into_iter().zip([change, -change]).enumerate() {
        let sum = sums.entry(bot).or_default();
        (sum.elo, sum.played) = (sum.elo + change, sum.played + 1);
        let (told, moved) = played.seats[seat].elo.expect("it counted");
        assert!((told - sum.elo).abs() < ROUNDING && (moved - change).abs() < ROUNDING, "{played:?}");
    }
}

fn score(sums: &mut HashMap<i64, Sum>, bots: [i64; 2], played: &Played, (win, draw): (f64, f64)) {
    let share = share(played);
    for (seat, (bot, share)) in bots.into_iter().zip([share, 1.0 - share]).enumerate() {
        let points = if share == 1.0 { win } else { draw * share * 2.0 };
        assert_eq!(played.seats[seat].points, Some(points), "{played:?}");
        sums.entry(bot).or_default().points += points;
    }
}
