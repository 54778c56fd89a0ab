//! The log files of a match, written from its recording.

use super::{SCORES_FILE, decimal};
use crate::Auralux;
use crate::outcome;
use crate::protocol::{push_launches, push_planets};
use crate::state::{Standing, State};
use palestra_core::game::{Setup as _, State as _};
use palestra_core::legacy::Export;
use palestra_core::replay::TypedReplay;
use palestra_core::text::push_number;
use palestra_core::{Catalog, Eye, Game as _, Notes, ReplayError, Seat};
use std::fmt::Write as _;
use std::io;

pub(super) const VISUALIZER: &str = "visualizer";

pub(crate) const EXPORTS: &[Export] = &[
    Export {
        name: VISUALIZER,
        file: "game_visualizer.log",
        summary: "launches and planets after every turn, for the contest's viewer",
    },
    Export {
        name: "scores",
        file: SCORES_FILE,
        summary: "winner, scores, disqualified and dead players, for programs",
    },
    Export { name: "result", file: "game_result.log", summary: "how the game ended, for people" },
    Export { name: "errors", file: "error.log", summary: "skipped orders and disqualifications" },
];

/// Writes one of them.
pub(crate) fn export(
    format: &str,
    recording: &TypedReplay<'_, Auralux>,
    out: &mut dyn io::Write,
) -> Result<(), ReplayError> {
    match format {
        VISUALIZER => visualizer(recording, out),
        "scores" => Ok(out.write_all(scores(&last_moment(recording)?).as_bytes())?),
        "result" => Ok(out.write_all(result(&last_moment(recording)?).as_bytes())?),
        "errors" => errors(recording, out),
        other => Err(ReplayError::UnknownExport(other.to_owned())),
    }
}

fn last_moment(recording: &TypedReplay<'_, Auralux>) -> Result<State, ReplayError> {
    let mut notes = Notes::counted();
    recording.play(|state, seat, input| {
        state.take_turn(seat, input, &mut notes, |_, _| {});
        Ok(())
    })
}

/// Sizes and places, then a block for every turn of every player, asked or not.
fn visualizer(recording: &TypedReplay<'_, Auralux>, out: &mut dyn io::Write) -> Result<(), ReplayError> {
    let map = &recording.setup;
    let mut text = format!("{} {}\n", map.planets(), map.seats());
    for planet in 0..map.planets() {
        let (x, y) = map.place(planet);
        let _ = writeln!(text, "{x} {y}");
    }
    out.write_all(text.as_bytes())?;
    let mut notes = Notes::counted();
    let mut blocks = Vec::new();
    // Those who could not be started are passed over before anybody is asked.
    let start = recording.start()?;
    for seat in Seat::all(start.seats()).take_while(|seat| start.to_move().is_some_and(|next| *seat < next)) {
        push_block(&start, seat, &mut blocks);
    }
    recording.play(|state, seat, input| {
        state.take_turn(seat, input, &mut notes, |state, seat| push_block(state, seat, &mut blocks));
        out.write_all(&blocks)?;
        blocks.clear();
        Ok(())
    })?;
    Ok(out.write_all(b"-1\n")?)
}

/// The launches of a player's turn, and the planets behind it.
fn push_block(state: &State, seat: Seat, out: &mut Vec<u8>) {
    let view = state.view(Eye::Spectator);
    push_number(out, view.launches(seat).len());
    out.push(b'\n');
    push_launches(view, seat, out);
    push_planets(view, out);
}

/// Six lines: winner or -1, scores, how many were disqualified, who, how many died, who.
fn scores(state: &State) -> String {
    let scores: Vec<String> = Seat::all(state.seats())
        .map(|seat| {
            let (numerator, denominator) = outcome::score(state, seat).parts();
            decimal::write(u128::from(numerator), u128::from(denominator))
        })
        .collect();
    let winner = outcome::winner(state).map_or("-1".to_owned(), |seat| seat.to_string());
    let mut text = format!("{winner}\n{}\n", scores.join(" "));
    for list in [disqualified(state), dead(state)] {
        let _ = writeln!(text, "{}\n{}", list.len(), joined(&list));
    }
    text
}

fn result(state: &State) -> String {
    let english = Catalog::english(&Auralux::INFO);
    let mut text = String::new();
    let winner = outcome::winner(state);
    let alive = seats_where(state, |standing| *standing == Standing::Alive);
    let headline = match (winner, alive.len()) {
        (Some(_), _) => "one winner",
        (None, 0) => "no winner: nobody is alive",
        (None, _) => "draw: the last step was reached",
    };
    let named = winner.map_or("nobody".to_owned(), |seat| format!("player {seat}"));
    let _ = writeln!(text, "Result: {headline}");
    let _ = writeln!(text, "Winner: {named}");
    let _ = writeln!(text, "Players: {}", state.seats());
    let _ = writeln!(text, "Planets: {}", state.planets().len());
    let _ = writeln!(text, "Full steps: {}", state.steps());
    let _ = writeln!(text, "Turns in the step after them: {}", state.turns_of_step());
    let all = |count: fn(&State, Seat) -> u64| -> u64 {
        Seat::all(state.seats()).map(|seat| count(state, seat)).sum()
    };
    let _ = writeln!(
        text,
        "Ships: {}, of them {} in flight",
        all(|state, seat| state.ships(seat)),
        all(|state, seat| state.flights(seat).ships())
    );
    let _ = writeln!(text, "\nPlayers by number:");
    for seat in Seat::all(state.seats()) {
        let (numerator, denominator) = outcome::score(state, seat).parts();
        let standing = match state.standing(seat) {
            Standing::Alive => "alive".to_owned(),
            Standing::Dead { step } => format!("dead in step {step}"),
            disqualified => fall_sentence(&english, disqualified),
        };
        let _ = writeln!(
            text,
            "  {seat}: {}, {}, score {}, {standing}",
            many(u64::from(state.producing(seat).count_ones()), "planet"),
            many(state.ships(seat), "ship"),
            decimal::write(u128::from(numerator), u128::from(denominator)),
        );
    }
    let _ = writeln!(text);
    for (what, list) in [("Alive", alive), ("Disqualified", disqualified(state)), ("Dead", dead(state))] {
        let shown = if list.is_empty() { "nobody".to_owned() } else { joined(&list) };
        let _ = writeln!(text, "{what}: {shown}");
    }
    let _ = writeln!(text, "\nPlanets by number (player, ships, level, armor):");
    for (number, planet) in (1..).zip(state.planets()) {
        let _ =
            writeln!(text, "  {number}: {} {} {} {}", planet.owner, planet.ships, planet.level, planet.armor);
    }
    text
}

/// A line for every skipped order and every disqualification.
fn errors(recording: &TypedReplay<'_, Auralux>, out: &mut dyn io::Write) -> Result<(), ReplayError> {
    let english = Catalog::english(&Auralux::INFO);
    let start = recording.start()?;
    for seat in disqualified(&start) {
        writeln!(out, "player {seat}: {}", fall_sentence(&english, start.standing(seat)))?;
    }
    recording.play(|state, seat, input| {
        let step = state.steps() + 1;
        // Fresh notes for each turn: what a match keeps is limited, its log is not.
        let mut notes = Notes::kept();
        state.take_turn(seat, input, &mut notes, |_, _| {});
        for note in notes.list() {
            writeln!(out, "step {step}, player {seat}: {}", english.say(&note.what))?;
        }
        if let Standing::Disqualified { why, .. } = state.standing(seat) {
            writeln!(out, "step {step}, player {seat}: disqualified: {}", english.say(why))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn fall_sentence(english: &Catalog, standing: &Standing) -> String {
    outcome::fall_reason(standing).map(|reason| english.say(&reason.into())).unwrap_or_default()
}

/// A number with its word: 1 planet, 2 planets.
fn many(count: u64, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {word}{plural}")
}

fn seats_where(state: &State, wanted: impl Fn(&Standing) -> bool) -> Vec<Seat> {
    Seat::all(state.seats()).filter(|seat| wanted(state.standing(*seat))).collect()
}

fn disqualified(state: &State) -> Vec<Seat> {
    seats_where(state, |standing| matches!(standing, Standing::Disqualified { .. }))
}

fn dead(state: &State) -> Vec<Seat> {
    seats_where(state, |standing| matches!(standing, Standing::Dead { .. }))
}

fn joined(seats: &[Seat]) -> String {
    let numbers: Vec<String> = seats.iter().map(Seat::to_string).collect();
    numbers.join(" ")
}
