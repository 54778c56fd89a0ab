//! Results from the replays of a tournament whose log has lost them. Every one of them is played again.

use crate::bundle;
use crate::event::{Event, Finished, LoggedFault, StoredReplay};
use crate::limits;
use crate::match_runner::MatchSetup;
use crate::store::Store;
use crate::tournament::{Job, Tournament, TournamentError};
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{AnyGame, Plan, Replay, ReplayError};
use std::collections::HashMap;
use std::time::Duration;

/// What came of it.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Recovered {
    /// Matches whose results are in the log again.
    pub matches: u32,
    /// Replays that do not hold, and count for nothing.
    pub unsound: u32,
}

/// Who played what: names by seat, and what the match began with.
type Key = (Vec<String>, u64, String);

fn key(names: Vec<String>, plan: &Plan) -> Key {
    (names, plan.seed, plan.setup.clone())
}

/// Looks for the replay of every match that the log has no result of, and stores what it brought.
pub fn results(store: &mut Store, game: &'static dyn AnyGame) -> Result<Recovered, TournamentError> {
    let mut recovered = Recovered::default();
    let mut replays: HashMap<Key, StoredReplay> = HashMap::new();
    let folder = store.folder().to_owned();
    if bundle::any(&folder) {
        bundle::scan(&folder, |stored, bytes| match Replay::from_bytes(bytes) {
            // Of a match that was played several times, the last one counts.
            Ok(replay) => drop(replays.insert(key(replay.head.bots, &replay.head.plan), stored)),
            Err(_) => recovered.unsound += 1,
        })
        .map_err(crate::store::StoreError::from)?;
    }
    let mut events = Vec::new();
    let mut tournament = Tournament::open(store, &mut events)?;
    let setup = MatchSetup::of(tournament.plan(), game);
    loop {
        let jobs = tournament.next(store, &mut events, limits::RECOVERED_TOGETHER)?;
        if jobs.is_empty() {
            break;
        }
        for job in jobs {
            let Ok(plan) = setup.plan(game, job.map, job.players.len() as u8, job.seed) else { continue };
            let names = job.players.iter().map(|player| tournament.bots()[player.0 as usize].name.clone());
            let Some(stored) = replays.remove(&key(names.collect(), &plan)) else { continue };
            let bytes = bundle::read(&folder, &stored).map_err(crate::store::StoreError::from)?;
            let read = Replay::from_bytes(&bytes).and_then(|replay| {
                match replay.head.plan == plan && replay.head.time == setup.time {
                    true => finished(game, &job, &replay),
                    false => Err(ReplayError::Mismatch("it began with something else".to_owned())),
                }
            });
            match read {
                Ok(finished) => {
                    let finished = Finished { replay: Some(stored), ..finished };
                    tournament.finish(&finished);
                    events.push(Event::Finished(finished));
                    recovered.matches += 1;
                }
                Err(_) => recovered.unsound += 1,
            }
        }
        store.append(&std::mem::take(&mut events))?;
    }
    store.append(&events)?;
    Ok(recovered)
}

/// What a match brought, by playing it again.
fn finished(game: &dyn AnyGame, job: &Job, replay: &Replay) -> Result<Finished, ReplayError> {
    let mut spent = vec![(Duration::ZERO, Some(Duration::ZERO)); job.players.len()];
    let mut faults = Vec::new();
    let mut cursor = Cursor::start(game, replay)?;
    let mut times = replay.times();
    while let Some(turn) = cursor.advance(replay)? {
        let seat = turn.seat.index();
        if let Some(time) = times.next() {
            let (wall, cpu) = &mut spent[seat];
            *wall += time.wall;
            *cpu = cpu.zip(time.cpu).map(|(sum, cpu)| sum + cpu);
        }
        if let Recorded::Fault(fault) = turn.input {
            faults.push(LoggedFault {
                seat: seat as u8,
                turn: turn.number,
                kind: fault.kind().to_owned(),
                what: fault.message(),
            });
        }
    }
    drop(times);
    // Compares how it ended, too.
    let turns = replay.verify(game)?;
    faults.truncate(limits::FAULTS_LOGGED);
    let micros = |duration: Duration| duration.as_micros() as u64;
    Ok(Finished {
        number: job.number,
        players: job.players.clone(),
        map: job.map,
        seed: job.seed,
        places: replay.head.outcome.placings.iter().map(|placing| placing.place).collect(),
        scores: replay.head.outcome.placings.iter().map(|placing| placing.score.parts()).collect(),
        turns,
        millis: spent.iter().map(|(wall, _)| wall.as_millis() as u64).sum(),
        spent: spent.iter().map(|(wall, cpu)| (micros(*wall), cpu.map(micros))).collect(),
        memory: Vec::new(),
        faults,
        replay: None,
        tainted: false,
        worker: None,
    })
}
