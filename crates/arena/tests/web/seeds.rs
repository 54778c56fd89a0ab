//! Seeds are secret: the same plan at another event comes to other maps, and nothing of it follows from the plan.

use crate::stand::Stand;
use palestra_arena::api::{Control, RoundState};
use palestra_arena::ids::RoundId;
use palestra_core::Rng;
use serde_json::Value;
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Nothing in these tests takes as long as this.
const PATIENCE: Duration = Duration::from_secs(120);

const PLAN: &str = "seed = 7\n[[game]]\nid = 'rps'\nhouse = ['greedy', 'random']\nhouse_in_rounds = true\nsubmissions = false\n\
                    settings = { size = 6, first_unit_ticks = 2, max_ticks = 40, hold_ticks = 4 }\n\
                    [[round]]\nname = 'a'\n";

/// The seeds of everything that an event with this plan plays by itself.
async fn played() -> Vec<u64> {
    let stand = Stand::of(PLAN, &[("p1", "greedy"), ("p2", "random"), ("p3", "greedy")]).await;
    stand.hub.control(None, Some(RoundId(1)), Control::Start).await.unwrap();
    let waited = timeout(PATIENCE, async {
        while stand.hub.round(RoundId(1)).await.unwrap().round.state != RoundState::Over {
            sleep(Duration::from_millis(20)).await;
        }
    });
    waited.await.expect("the round in time");
    let list: Value = stand.get("/api/matches?round=1").await.json();
    let mut seeds = Vec::new();
    for view in list["matches"].as_array().unwrap() {
        let head = stand.get(&format!("/api/matches/{}", view["id"])).await.json();
        seeds.push(head["seed"].as_str().unwrap().parse().unwrap());
    }
    seeds
}

#[tokio::test]
async fn nothing_can_be_predicted_from_the_plan() {
    let (first, second) = (played().await, played().await);
    assert!(!first.is_empty() && first.len() == second.len());
    let (first, second): (HashSet<u64>, HashSet<u64>) =
        (first.into_iter().collect(), second.into_iter().collect());
    assert!(first.is_disjoint(&second), "the same plan, another secret");
    // A script that knows the program and the plan tries every purpose that there is.
    for purpose in ["match", "round", "arena", "map", "maps", "pairing"] {
        for number in 0..1000 {
            let guess = Rng::stream(7, purpose, number).bits();
            for guess in [guess, guess >> 1, guess % 1_000_000_000] {
                assert!(!first.contains(&guess) && !second.contains(&guess));
            }
        }
    }
}
