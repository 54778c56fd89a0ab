//! The first match of a version, against the weakest players there are: does it start, answer, and end?

use super::builder::Unmade;
use super::complaints;
use crate::ids::VersionId;
use crate::limits;
use crate::model::{Rejection, RejectionStep};
use crate::plan::GamePlan;
use crate::play::{PreparedMatch, SeatedBot};
use crate::seeds::Seeds;
use crate::store::Version;
use palestra_core::{Catalog, Fate, Info, Plan, Seat, SeatNotes};
use palestra_league::match_runner::MatchSetup;
use palestra_runner::{Launch, Played};
use std::fmt::Write as _;

/// The version sits first.
const OWN: Seat = Seat::at(0);
/// Faults that are told of one match.
const TOLD_FAULTS: usize = 10;

/// The match, and the built-in players on the other seats.
pub(super) fn prepared(
    game: &GamePlan,
    seeds: &Seeds,
    version: &Version,
    launch: Launch,
) -> Result<(PreparedMatch, Vec<String>), String> {
    let plan = plan(game, seeds, version.id)?;
    let weakest = || game.game.built_ins().first().map(|player| player.name.to_owned());
    let opponent = version.trial.clone().or_else(weakest).unwrap_or_else(|| game.bot.clone());
    let opponents = vec![opponent; usize::from(plan.seats).saturating_sub(1)];
    let own = SeatedBot::program(version.name.clone(), version.player.to_string(), launch);
    let bots = std::iter::once(own).chain(opponents.iter().map(|name| SeatedBot::built_in(name))).collect();
    let prepared =
        PreparedMatch::new(game.game, plan, game.time(), bots).map_err(|error| error.to_string())?;
    Ok((prepared, opponents))
}

/// On the first of the game's maps that is for one of its numbers of players.
fn plan(game: &GamePlan, seeds: &Seeds, version: VersionId) -> Result<Plan, String> {
    let setup = MatchSetup {
        seed: seeds.of_maps(&game.tournament.game),
        ..MatchSetup::of(&game.tournament, game.game)
    };
    let seed = seeds.of_first_match(version);
    let mut why = "the game has no map".to_owned();
    for map in 0..game.tournament.maps.len() as u32 {
        for seats in &game.seats {
            match setup.plan(game.game, map, *seats, seed) {
                Ok(plan) => return Ok(plan),
                Err(error) => why = error.to_string(),
            }
        }
    }
    Err(format!("a first match cannot be played: {why}; tell the organisers"))
}

/// What its author is told about the match, and whether the version has failed.
pub(super) fn report(game: &Info, file: &str, played: &Played) -> (String, Result<(), Unmade>) {
    let mut text = String::new();
    let english = Catalog::english(game);
    let own = &played.outcome.placings[OWN.index()];
    let faults: Vec<_> = played.faults.iter().filter(|report| report.seat == OWN).collect();
    for report in faults.iter().take(TOLD_FAULTS) {
        let _ = writeln!(text, "turn {}: {}", report.turn, english.say(&report.fault.message()));
        if let Some(excerpt) = report.fault.excerpt() {
            let _ = writeln!(text, "    it wrote {excerpt}");
        }
        for line in &report.stderr {
            let _ = writeln!(text, "    stderr: {line}");
        }
    }
    if faults.len() > TOLD_FAULTS {
        let _ = writeln!(text, "and {} more faults", faults.len() - TOLD_FAULTS);
    }
    if let SeatNotes { kept, count: count @ 1.. } = &played.notes[OWN.index()] {
        let first = kept.first().map_or(String::new(), |note| english.say_note(note));
        let _ = writeln!(text, "notes about its answers: {count}; the first: {first}");
    }
    let usage = played.usage[OWN.index()];
    let longest = usage.longest.as_secs_f64() * 1000.0;
    let _ = writeln!(
        text,
        "place {} of {} after {} rounds; its longest answer took {longest:.1} ms",
        own.place,
        played.outcome.placings.len(),
        played.rounds
    );
    let verdict = match own.fate {
        Fate::Disqualified => {
            let written: Vec<&str> =
                faults.iter().flat_map(|report| &report.stderr).map(String::as_str).collect();
            let written = written.join("\n");
            let rejection = Rejection {
                step: RejectionStep::FirstMatch,
                line: complaints::crash_line(&written),
                reason: Some(own.reason.clone()),
                places: complaints::crash_places(file, &written),
            };
            let why = format!("it failed in its first match: {}", english.say(&own.reason));
            Err(Unmade { why, rejection: rejection.into() })
        }
        Fate::Alive | Fate::Out => Ok(()),
    };
    (text, verdict)
}

/// What its author is told when the match took too long to be played to its end.
pub(super) fn broken_off() -> String {
    format!("the match was broken off after {} s, without a complaint\n", limits::SMOKE.as_secs())
}
