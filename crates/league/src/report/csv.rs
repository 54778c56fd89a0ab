//! Tables for spreadsheets and scripts: one header line, then one line per fact.
//!
//! A spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a formula and would carry it out; such a text
//! gets an apostrophe in front.

use crate::overview::{BotLine, MatchLine, Overview};
use csv::{Terminator, Writer, WriterBuilder};
use std::borrow::Cow;
use std::io::{self, Write};

/// What everybody has, whatever decides between equals.
const COUNTS: [&str; 5] = ["played", "won", "drawn", "lost", "faults"];

/// The table that counts: one line per bot. Tie-breaks have a column each, unless they have one anyway.
pub fn standings(overview: &Overview, out: &mut dyn Write) -> io::Result<()> {
    let mut tie_breaks: Vec<&str> = Vec::new();
    for (name, _) in overview.standings.iter().flat_map(|line| &line.tie_breaks) {
        if !tie_breaks.contains(&name.as_str()) && !COUNTS.contains(&name.as_str()) {
            tie_breaks.push(name);
        }
    }
    let mut table = table(out);
    let head = ["place", "bot", "points"].into_iter().chain(tie_breaks.iter().copied());
    table.write_record(head.chain(COUNTS).map(|name| plain(name).into_owned()))?;
    for line in &overview.standings {
        let value = |name: &&str| line.tie_breaks.iter().find(|(known, _)| known == name);
        let values =
            tie_breaks.iter().map(|name| value(name).map_or(String::new(), |(_, value)| number(*value)));
        let counts = [line.played, line.won, line.drawn, line.lost, line.faults];
        let mut record =
            vec![line.place.to_string(), name(overview, line.bot).into_owned(), number(line.points)];
        record.extend(values);
        record.extend(counts.map(|count| count.to_string()));
        table.write_record(record)?;
    }
    table.flush()
}

/// How strong everybody is: one line per bot.
pub fn ratings(overview: &Overview, out: &mut dyn Write) -> io::Result<()> {
    let mut table = table(out);
    table.write_record([
        "bot",
        "games",
        "strength",
        "strength_low",
        "strength_high",
        "elo",
        "openskill_mean",
        "openskill_deviation",
    ])?;
    for line in &overview.ratings {
        let (mean, deviation) = line.openskill;
        let strength = line.strength;
        let numbers = [strength.value, strength.low, strength.high, line.elo, mean, deviation];
        let mut record = vec![name(overview, line.bot).into_owned(), line.games.to_string()];
        record.extend(numbers.map(number));
        table.write_record(record)?;
    }
    table.flush()
}

/// Who beats whom: one line per pair that met, from the side of the first; every pair appears twice.
pub fn cross_table(overview: &Overview, out: &mut dyn Write) -> io::Result<()> {
    let mut table = table(out);
    table.write_record(["bot", "opponent", "wins", "draws", "losses", "score", "score_low", "score_high"])?;
    for (row, cells) in overview.cross.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let Some(cell) = cell else { continue };
            let mut record = vec![name(overview, row).into_owned(), name(overview, column).into_owned()];
            record.extend([cell.wins, cell.draws, cell.losses].map(|count| count.to_string()));
            record.extend([cell.score.value, cell.score.low, cell.score.high].map(number));
            table.write_record(record)?;
        }
    }
    table.flush()
}

/// Every match: one line per seat.
pub fn matches(
    overview: &Overview,
    matches: impl Iterator<Item = MatchLine>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut table = table(out);
    table.write_record([
        "match", "stage", "round", "map", "seed", "seat", "bot", "place", "score", "points", "fault",
        "turns", "millis", "replay", "voided", "tainted",
    ])?;
    for line in matches {
        let stage = overview.stages.get(line.stage).map_or("", |stage| &stage.name);
        for (index, seat) in line.seats.iter().enumerate() {
            table.write_record([
                line.number.to_string().as_str(),
                &plain(stage),
                &line.round.to_string(),
                &plain(&line.map),
                &line.seed.to_string(),
                &(index + 1).to_string(),
                &name(overview, seat.bot),
                &seat.place.to_string(),
                &number(seat.score),
                &number(seat.points),
                &plain(seat.fault.as_deref().unwrap_or_default()),
                &line.turns.to_string(),
                &line.millis.to_string(),
                &plain(line.replay.as_deref().unwrap_or_default()),
                yes_or_no(line.voided),
                yes_or_no(line.tainted),
            ])?;
        }
    }
    table.flush()
}

/// Lines end as RFC 4180 says.
fn table(out: &mut dyn Write) -> Writer<&mut dyn Write> {
    WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out)
}

fn name(overview: &Overview, bot: usize) -> Cow<'_, str> {
    plain(overview.bots.get(bot).map_or("", |BotLine { name, .. }| name))
}

/// A text that no spreadsheet takes for a formula.
fn plain(text: &str) -> Cow<'_, str> {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
        true => Cow::Owned(format!("'{text}")),
        false => Cow::Borrowed(text),
    }
}

/// As many digits as the number needs and no more; an unbounded one is left empty.
fn number(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}
