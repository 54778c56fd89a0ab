//! A log with a few bits flipped is read as it was written, or refused with a sentence: never misread, never a panic.

use crate::plans::{plan_of, stage_of};
use crate::show::{Show, World};
use palestra_core::{Catalog, Rng};
use palestra_league::event::{Event, StageRound};
use palestra_league::log::Log as _;
use palestra_league::pairing::BotNumber;
use palestra_league::plan::{Format, StagePlan};
use palestra_league::store::{LOG, Store, salvage};
use palestra_league::tournament::{Tournament, TournamentError};
use serde_json::Value;
use std::fs;
use std::path::Path;

const FILES: u32 = 100;

fn played() -> Show {
    let swiss = StagePlan { take: Some(6), ..stage_of(Format::Swiss { rounds: Some(4) }, 2) };
    let stages = vec![StagePlan { groups: 2, ..stage_of(Format::RoundRobin { cycles: 3 }, 2) }, swiss];
    let mut show = Show::open(&plan_of(stages, 5), 9, World::new(5));
    show.play(&mut Rng::new(5), 40);
    show.commit();
    let picked = show.pick(&mut Rng::new(6)).expect("something was played");
    show.append(&[Event::Voided { number: picked.number, why: "the lights went out".to_owned() }]);
    show.append(&[Event::BotDropped {
        bot: BotNumber(3),
        why: "ill".to_owned(),
        from: StageRound { stage: 1, round: 1 },
    }]);
    show.reopen();
    show.play(&mut Rng::new(7), usize::MAX);
    show.commit();
    show
}

/// Everything that is shown of a tournament.
fn shown(store: &mut Store) -> Result<Value, TournamentError> {
    let tournament = Tournament::open(store, &mut Vec::new())?;
    let mut matches = tournament.matches(store)?;
    let lines: Vec<_> = matches.by_ref().collect();
    matches.finish()?;
    Ok(serde_json::json!([
        tournament.overview(&Catalog::core("en")),
        lines,
        store.results(0, u32::MAX)?.len()
    ]))
}

fn looked_at(folder: &Path) -> Result<Value, TournamentError> {
    shown(&mut Store::look(folder)?)
}

fn opened(folder: &Path) -> Result<Value, TournamentError> {
    shown(&mut Store::open(folder)?)
}

#[test]
fn a_hundred_logs_with_flipped_bits_are_read_as_they_were_or_refused() {
    let show = played();
    let folder = show.close();
    let expected = looked_at(folder.path()).expect("it is whole");
    let whole = fs::read(folder.path().join(LOG)).expect("a log");
    let mut chance = Rng::new(16);
    let (mut read, mut refused) = (0, 0);
    for file in 0..FILES {
        let mut bytes = whole.clone();
        for _ in 0..chance.between(1, 3) {
            bytes[chance.below(whole.len() as u32) as usize] ^= 1 << chance.below(8);
        }
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder");
        fs::write(dir.path().join(LOG), &bytes).expect("a copy");
        for found in [looked_at(dir.path()), opened(dir.path()), opened(dir.path()), looked_at(dir.path())] {
            match found {
                Ok(found) => {
                    assert_eq!(found, expected, "file {file}");
                    read += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
        // Whatever can be saved of it is as it was.
        let saved = salvage(dir.path()).expect("the folder is free");
        assert!(saved.events().count() <= 1_000);
    }
    assert!(read > 20 && refused > 20, "both happen: {read} and {refused}");
}
