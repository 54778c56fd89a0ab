//! How a tournament stands: on a terminal, and as a page.

use crate::bracket;
use crate::console;
use crate::failure::Failure;
use crate::report::{counted, new_table, score as number};
use comfy_table::{CellAlignment, Table};
use palestra_core::AnyGame;
use palestra_league::overview::{BotLine, MatchLine, Overview, Standing};
use palestra_league::report::page;
use palestra_runner::write_atomically;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Writes the page of a tournament into its folder. A program that was built without pages says so, and goes on.
pub(crate) fn write_page(
    folder: &Path,
    overview: &Overview,
    matches: impl Iterator<Item = MatchLine>,
) -> Result<Option<PathBuf>, Failure> {
    let path = folder.join(palestra_server::REPORT);
    let Some(page) = palestra_server::report_page() else {
        let name = palestra_server::REPORT;
        console::remark(&format!(
            "there is no {name}: this palestra was built without its pages; run `make web` and build it again"
        ));
        return Ok(None);
    };
    write_atomically(&path, |file| page::write(&page, overview, matches, file))?;
    Ok(Some(path))
}

pub(crate) fn table(standings: &[Standing], name: impl Fn(usize) -> String) -> String {
    let tie_breaks: Vec<&str> = standings
        .first()
        .map(|line| line.tie_breaks.iter().map(|(name, _)| name.as_str()).collect())
        .unwrap_or_default();
    let mut heads = vec!["", "bot", "points"];
    heads.extend(&tie_breaks);
    heads.extend(["played", "won", "drawn", "lost", "faults"]);
    let mut table = new_table();
    table.set_header(heads);
    for line in standings {
        let mut row = vec![line.place.to_string(), name(line.bot), number(line.points)];
        // Those who did not reach the last stage were told apart by other things.
        let value = |wanted: &&str| {
            line.tie_breaks
                .iter()
                .find(|(name, _)| name == wanted)
                .map_or_else(String::new, |(_, value)| number(*value))
        };
        row.extend(tie_breaks.iter().map(value));
        let counts = [line.played, line.won, line.drawn, line.lost, line.faults];
        row.extend(counts.iter().map(ToString::to_string));
        table.add_row(row);
    }
    right_aligned(&mut table);
    format!("{}\n", table.trim_fmt())
}

/// What is said when everything has been played.
pub(crate) fn closing(overview: &Overview, folder: &Path) -> String {
    let mut text = format!("{}: {}\n", overview.name, progress(overview));
    text += &standings(overview);
    text += &troubles(overview);
    let folder = folder.display();
    writeln!(text, "report: {folder}/report.html; palestra view {folder} shows it with all replays")
        .expect("writing to a string");
    text
}

/// The standings of an overview, with the brackets of its knockouts.
pub(crate) fn standings(overview: &Overview) -> String {
    let table = table(&overview.standings, |bot| overview.bots[bot].name.clone());
    table + &bracket::brackets(overview) + &bracket::winners(overview)
}

/// How a ladder stands: by skill, with the strength that all matches together give.
/// Between which built-in players of the sparring ladder everybody else stands, a line for each; nothing where no such
/// player has played.
pub(crate) fn levels(game: &dyn AnyGame, overview: &Overview) -> String {
    let players = game.sparring_ladder();
    let level = |bot: &BotLine| {
        let player = players.iter().find(|player| player.answers_to(&bot.source));
        player.and_then(|player| Some((player.level?, player.name)))
    };
    let measured =
        overview.ratings.iter().filter(|rating| rating.games > 0 && !overview.bots[rating.bot].dropped);
    let (rungs, others): (Vec<_>, Vec<_>) =
        measured.partition(|rating| level(&overview.bots[rating.bot]).is_some());
    let mut text = String::new();
    for rating in others {
        let strength = rating.strength.value;
        let rungs = |below: bool| {
            let there = rungs.iter().filter(move |rung| (rung.strength.value < strength) == below);
            there.filter_map(|rung| level(&overview.bots[rung.bot]))
        };
        let named = |(level, name): (u8, &str)| format!("{name} (level {level})");
        let (highest, lowest) = (rungs(true).max().map(named), rungs(false).min().map(named));
        let place = match (highest, lowest) {
            (None, None) => continue,
            (Some(below), None) => format!("above {below}, the strongest there is"),
            (None, Some(above)) => format!("below {above}, the weakest there is"),
            (Some(below), Some(above)) => format!("above {below} and below {above}"),
        };
        let _ = writeln!(text, "{} stands {place}", overview.bots[rating.bot].name);
    }
    text
}

pub(crate) fn ladder(overview: &Overview) -> String {
    let mut table = new_table();
    table.set_header([
        "", "bot", "skill", "unsure", "Elo", "strength", "95 %", "played", "won", "drawn", "lost", "faults",
    ]);
    for line in &overview.standings {
        let bot = &overview.bots[line.bot];
        let version = if bot.version > 1 { format!(" (version {})", bot.version) } else { String::new() };
        let rating =
            overview.ratings.iter().find(|rating| rating.bot == line.bot).expect("everybody has a rating");
        let (mean, sigma) = rating.openskill;
        let interval = match rating.strength.low.is_finite() {
            true => format!("{:.0} to {:.0}", rating.strength.low, rating.strength.high),
            false => String::new(),
        };
        let numbers =
            [line.played, line.won, line.drawn, line.lost, line.faults].map(|count| count.to_string());
        let cells = [
            line.place.to_string(),
            format!("{}{version}", bot.name),
            format!("{mean:.1}"),
            format!("{sigma:.1}"),
            format!("{:.0}", rating.elo),
            format!("{:.0}", rating.strength.value),
            interval,
        ];
        table.add_row(cells.into_iter().chain(numbers));
    }
    right_aligned(&mut table);
    format!("{}\n{}", table.trim_fmt(), troubles(overview))
}

/// Numbers to the right, names to the left.
fn right_aligned(table: &mut Table) {
    for (index, column) in table.column_iter_mut().enumerate() {
        if index != 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// How far it has come, in words.
pub(crate) fn progress(overview: &Overview) -> String {
    let progress = &overview.progress;
    let mut text = if overview.over {
        counted(progress.finished, "match")
    } else {
        format!("{} of {}", progress.finished, counted(progress.planned, "match"))
    };
    let rest =
        [(progress.tainted, "played again"), (progress.voided, "voided"), (progress.failed, "not played")];
    for (count, words) in rest.into_iter().filter(|(count, _)| *count > 0) {
        write!(text, ", {count} {words}").expect("writing to a string");
    }
    text
}

/// What went wrong.
pub(crate) fn troubles(overview: &Overview) -> String {
    let mut text = String::new();
    let name = |bot: usize| &overview.bots[bot].name;
    for line in overview.faults.iter().take(TROUBLES) {
        let times = if line.count == 1 { "match" } else { "matches" };
        writeln!(
            text,
            "{}: {} in {} {times}, e.g. {}: {}",
            name(line.bot),
            line.kind,
            line.count,
            line.example,
            line.text
        )
        .expect("writing to a string");
    }
    for line in overview.failures.iter().take(TROUBLES) {
        let bots: Vec<&str> = line.bots.iter().map(|bot| name(*bot).as_str()).collect();
        writeln!(text, "match {} ({}) was not played: {}", line.number, bots.join(" - "), line.why)
            .expect("writing to a string");
    }
    let hidden = overview.progress.failed.saturating_sub(TROUBLES as u64);
    if hidden > 0 {
        writeln!(text, "and {hidden} more; palestra tournament rerun --failed plays them again")
            .expect("writing to a string");
    }
    text
}

/// Faults and failures told at the end; the report has all of them.
const TROUBLES: usize = 10;
