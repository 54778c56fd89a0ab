//! Which matches a ladder plays depends on its seed and on what they brought, and not on when they ended.

use palestra_core::Rng;
use palestra_league::event::{Event, Finished, Identity, StageRound};
use palestra_league::ladder::{Ladder, LadderEntry, LadderObserver, LadderPlan, LadderRun, RunLimits};
use palestra_league::match_runner::MatchOutcome;
use palestra_league::pairing::BotNumber;
use palestra_league::plan::Map;
use palestra_league::rating::elo::EloSettings;
use palestra_league::store::Store;
use palestra_league::tournament::Job;
use palestra_league::worker_pool::Scheduler as _;
use palestra_runner::Interrupt;

const BOTS: u32 = 6;
const MATCHES: u64 = 200;

struct Nobody;

impl LadderObserver for Nobody {
    fn result(&mut self, _: &Ladder, _: &Finished) {}
    fn failed(&mut self, _: &Ladder, _: &Job, _: &str) {}
    fn tick(&mut self, _: &Ladder, _: usize) {}
    fn make_ready(&mut self, _: BotNumber, _: &LadderEntry) -> Result<(), String> {
        Ok(())
    }
}

/// The bot with the higher number wins more often.
fn brought(job: &Job) -> MatchOutcome {
    let strong = Rng::new(job.seed).chance(2, 3);
    let first = (job.players[0] > job.players[1]) == strong;
    MatchOutcome::Played(
        Finished {
            number: job.number,
            players: job.players.clone(),
            map: job.map,
            seed: job.seed,
            places: if first { vec![1, 2] } else { vec![2, 1] },
            scores: vec![(u64::from(first), 1), (u64::from(!first), 1)],
            turns: 1,
            millis: 1,
            spent: vec![(1, Some(1)); 2],
            memory: Vec::new(),
            faults: Vec::new(),
            replay: None,
            tainted: false,
            worker: None,
        },
        None,
    )
}

fn begin(store: &mut Store) -> Ladder {
    let plan = LadderPlan {
        name: "ladder".to_owned(),
        game: "none".to_owned(),
        seed: 7,
        settings: Vec::new(),
        time: None,
        maps: vec![Map::Generated(0), Map::Generated(1)],
        seats: 2,
        elo: EloSettings::default(),
    };
    let opened = Event::LadderOpened { program: "a test".to_owned(), ladder: Box::new(plan) };
    let added = (0..BOTS).map(|bot| Event::BotAdded {
        bot: BotNumber(bot),
        name: format!("bot {bot}"),
        identity: Identity { source: "none".to_owned(), fingerprint: None },
        from: StageRound::default(),
        rating: None,
    });
    store.append(&std::iter::once(opened).chain(added).collect::<Vec<_>>()).unwrap();
    Ladder::open(store).unwrap().expect("a ladder")
}

/// The matches in the order of the log, how everybody stands in the end, and how they stand for whoever reads the log. When
/// matches end, and how many are asked for, is up to chance.
fn played(places: usize, chance: u64) -> (Vec<Finished>, [String; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(folder.path()).unwrap();
    let ladder = begin(&mut store);
    let limits = RunLimits { matches: Some(MATCHES), time: None, places: Some(places) };
    let (interrupt, mut nobody) = (Interrupt::new().unwrap(), Nobody);
    let mut run = LadderRun::new(ladder, store, limits, &interrupt, &mut nobody).unwrap();
    let mut chaos = Rng::new(chance);
    let mut running = Vec::new();
    loop {
        running.extend(run.next(chaos.between(1, 30) as usize).unwrap());
        if running.is_empty() {
            break;
        }
        for _ in 0..chaos.between(1, running.len() as u32) {
            let job = running.swap_remove(chaos.below(running.len() as u32) as usize);
            let outcome = brought(&job);
            run.done(job, Ok(outcome)).unwrap();
        }
        if chaos.chance(1, 4) {
            run.tick(running.len()).unwrap();
        }
    }
    let (ladder, mut store) = run.end().unwrap();
    let mut matches = Vec::new();
    let each = |_, event| {
        if let Event::Finished(finished) = event {
            matches.push(finished);
        }
    };
    store.since(0, each).unwrap();
    let read = Ladder::open(&mut store).unwrap().expect("a ladder");
    (matches, [ladder, read].map(|ladder| format!("{:?}", ladder.standings())))
}

#[test]
fn the_same_seed_brings_the_same_matches_whenever_they_end() {
    for places in [1, 4] {
        let (matches, [stands, reads]) = played(places, 0);
        let numbers: Vec<u64> = matches.iter().map(|one| one.number.into()).collect();
        assert_eq!(numbers, (1..=MATCHES).collect::<Vec<_>>(), "logged in order");
        assert_eq!(stands, reads, "who reads the log sees the same");
        for chance in 1..5 {
            let (again, [stands_again, _]) = played(places, chance);
            assert_eq!((&matches, &stands), (&again, &stands_again), "{places} at a time");
        }
    }
}
