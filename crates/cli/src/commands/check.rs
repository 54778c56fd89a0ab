//! `palestra check`: does a bot keep to the protocol, the time and the rules? What breaks it?

use crate::console;
use crate::failure::{Failure, NOT_SO};
use crate::games;
use crate::match_args::{self, GuardArgs};
use crate::report::plural;
use crate::signals;
use palestra_core::{AnyGame, Catalog, Exit, Fault, Outcome, Seat, SeatNotes, Situation, TimeControl};
use palestra_runner::{Bot, FaultReport, Guard, Interrupt, Options, Played, play};
use serde::Serialize;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

/// Try a bot in short games that bring out the usual mistakes, and report problems with advice
#[derive(clap::Args)]
#[command(
    after_help = "Exit codes: 0 no problem found, 1 problems found, 2 usage, 4 the bot could not be started or compiled."
)]
pub(crate) struct Args {
    /// The game
    game: String,
    /// The bot; as in `palestra play`
    bot: String,
    /// The time control; the game's own unless given
    #[arg(long)]
    time: Option<TimeControl>,
    /// Decides what is left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    guard: GuardArgs,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    bot: String,
    ok: bool,
    situations: Vec<SituationReport>,
}

#[derive(Serialize)]
struct SituationReport {
    name: &'static str,
    seat: Seat,
    turns: u32,
    place: u32,
    longest_ms: f64,
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Problem {
    /// "protocol", "time", "legality" or "ending".
    kind: &'static str,
    what: String,
    advice: &'static str,
    /// How often it was seen.
    count: u32,
    /// In which turns: the first of them.
    turns: Vec<u32>,
    /// The same without its turns.
    #[serde(skip)]
    said: String,
}

/// Turns that are told of a problem that comes again and again.
const TURNS_TOLD: usize = 5;
/// Games that are told of a problem that comes in several.
const GAMES_TOLD: usize = 3;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = games::find(&args.game)?;
    let interrupt = signals::interrupt()?;
    let guard = args.guard.guard()?;
    let names = std::slice::from_ref(&args.bot);
    let mut situations = Vec::new();
    for situation in game.situations() {
        if !args.json {
            console::remark(&format!("trying: {}", situation.name));
        }
        let bot = match_args::bots(game, names, &guard, args.json)?.remove(0);
        situations.push(try_out(game, situation, bot, args, &interrupt, &guard)?);
    }
    let ok = situations.iter().all(|situation| situation.problems.is_empty());
    let report = Report { game: game.info().id, bot: args.bot.clone(), ok, situations };
    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&text(&report))?;
    }
    Ok(if ok { ExitCode::SUCCESS } else { ExitCode::from(NOT_SO) })
}

fn try_out(
    game: &dyn AnyGame,
    situation: &Situation,
    bot: Bot,
    args: &Args,
    interrupt: &Interrupt,
    guard: &Guard,
) -> Result<SituationReport, Failure> {
    let own = situation.seats.iter().position(Option::is_none).expect("a situation has a seat for the bot");
    let map = situation.map.map(|text| (std::path::Path::new(situation.name), text));
    let plan = match_args::plan(game, &situation.changes(), map, situation.seats.len(), args.seed)?;
    let mut bot = Some(bot);
    let bots = situation.seats.iter().map(|seat| match seat {
        Some(name) => Bot::built_in(*name),
        None => bot.take().expect("a situation has one seat for the bot"),
    });
    let time = args.time.unwrap_or(game.info().time);
    let (start, links) = Bot::seat(bots.collect(), game, plan, time).map_err(Failure::usage)?;
    let options = Options { interrupt: Some(interrupt), guard: Some(guard), ..Options::default() };
    let played = play(start, links, options, &mut ())?;
    let seat = Seat::at(own);
    let usage = played.usage[own];
    Ok(SituationReport {
        name: situation.name,
        seat,
        turns: usage.turns,
        place: played.outcome.placings[own].place,
        longest_ms: crate::report::milliseconds(usage.longest),
        problems: problems(game, &played, seat, time),
    })
}

fn problems(game: &dyn AnyGame, played: &Played, seat: Seat, time: TimeControl) -> Vec<Problem> {
    let english = Catalog::english(game.info());
    let mut found = Vec::new();
    let usage = played.usage[seat.index()];
    let Outcome { placings, .. } = &played.outcome;
    let faults: Vec<&FaultReport> = played.faults.iter().filter(|report| report.seat == seat).collect();
    for same in groups(&faults) {
        let first = same[0];
        let turns: Vec<u32> = same.iter().map(|report| report.turn).collect();
        let mut said = english.say(&first.fault.message());
        if let Some(excerpt) = first.fault.excerpt() {
            let _ = write!(said, "; it wrote {excerpt}");
        }
        for line in &first.stderr {
            let _ = write!(said, "\n    stderr: {line}");
        }
        let what = format!("{}: {said}", places(&turns));
        let kind = if first.fault == Fault::OutOfTime { "time" } else { "protocol" };
        let advice = advice(&first.fault, usage.turns == 1);
        let told = turns.iter().copied().take(TURNS_TOLD).collect();
        found.push(Problem { kind, what, advice, count: same.len() as u32, turns: told, said });
    }
    let SeatNotes { kept, count } = &played.notes[seat.index()];
    // A fault may have left a note of its own.
    if *count as usize > faults.len() {
        let first = kept.first().map_or(String::new(), |note| english.say_note(note));
        let what = match count {
            1 => format!("a note about its answers, in {first}"),
            count => format!("{count} notes about its answers; the first in {first}"),
        };
        let advice = "compare what the rule book allows with the state the bot was sent in that turn";
        let turns = kept.iter().map(|note| note.turn).take(TURNS_TOLD).collect();
        let said = kept.first().map_or(String::new(), |note| english.say(&note.what));
        found.push(Problem { kind: "legality", what, advice, count: *count, turns, said });
    } else if found.is_empty() && placings[seat.index()].fate == palestra_core::Fate::Disqualified {
        let advice = "an illegal move loses the game: check every move against the state before sending it";
        found.push(Problem::once("legality", english.say(&placings[seat.index()].reason), advice));
    }
    if let TimeControl::Bank { start, increment } = time
        && found.is_empty()
        && usage.wall > (start + increment * usage.turns) / 2
    {
        let what =
            format!("it used {:.0} ms, more than half of what it had", usage.wall.as_secs_f64() * 1000.0);
        found.push(Problem::once(
            "time",
            what,
            "a slower machine may lose this game on time; do less per turn",
        ));
    }
    if let TimeControl::PerAnswer(limit) = time
        && found.is_empty()
        && usage.longest > limit / 2
    {
        let what =
            format!("its longest answer took {:.0} ms, more than half of the limit", millis(usage.longest));
        found.push(Problem::once("time", what, "a slower machine may lose this answer; do less per turn"));
    }
    if !played.ended_itself[seat.index()] && found.iter().all(|problem| problem.kind != "time") {
        let what = "it did not end after its last words, although its input was closed".to_owned();
        let advice = "end the program when the game says so, and whenever reading fails or the input ends";
        found.push(Problem::once("ending", what, advice));
    }
    found
}

impl Problem {
    /// One that a game as a whole has.
    fn once(kind: &'static str, what: String, advice: &'static str) -> Problem {
        Problem { kind, said: what.clone(), what, advice, count: 1, turns: Vec::new() }
    }
}

/// Faults of the same kind together, in the order of their first ones.
fn groups<'a>(faults: &[&'a FaultReport]) -> Vec<Vec<&'a FaultReport>> {
    let mut groups: Vec<Vec<&FaultReport>> = Vec::new();
    for &fault in faults {
        let like = |group: &&mut Vec<&FaultReport>| group[0].fault.kind() == fault.fault.kind();
        match groups.iter_mut().find(like) {
            Some(group) => group.push(fault),
            None => groups.push(vec![fault]),
        }
    }
    groups
}

/// "turn 3", or "12 times, in turns 3, 5, 7, 9, 11 and more; the first".
fn places(turns: &[u32]) -> String {
    if let [only] = turns {
        return format!("turn {only}");
    }
    let told: Vec<String> = turns.iter().take(TURNS_TOLD).map(u32::to_string).collect();
    let more = if turns.len() > TURNS_TOLD { " and more" } else { "" };
    format!("{} times, in turns {}{more}; the first", turns.len(), told.join(", "))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn advice(fault: &Fault, first_turn: bool) -> &'static str {
    match fault {
        Fault::OutOfTime if first_turn => {
            "nothing came at all: is the answer flushed (endl, flush=True) and does the bot read exactly what it is sent?"
        }
        Fault::OutOfTime => {
            "do less per turn, or keep an eye on the clock: time is counted while the bot is awaited"
        }
        Fault::Malformed { .. } => {
            "standard output is for answers only; write remarks to standard error, and every answer as the rule book says"
        }
        Fault::TooLong { .. } => "the answer never ends: is a line break missing, or a loop without end?",
        Fault::Exited(Exit::Code(0)) => {
            "the bot ended in the middle of the game: read and answer until the game says it is over"
        }
        Fault::Exited(Exit::ClosedOutput) => "keep standard output open until the game is over",
        Fault::Exited(_) => {
            "the bot crashed: its standard error says why; palestra drive replays the game for a debugger"
        }
        Fault::OverMemory => "use less memory",
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for situation in &report.situations {
        let mark =
            if situation.problems.is_empty() { "\x1b[32mok\x1b[0m     " } else { "\x1b[31mproblem\x1b[0m" };
        let _ = writeln!(
            text,
            "{mark}  {} (seat {}, {} {}, place {}, longest turn {:.1} ms)",
            situation.name,
            situation.seat,
            situation.turns,
            plural(situation.turns, "turn"),
            situation.place,
            situation.longest_ms
        );
    }
    for same in alike(&report.situations) {
        let (_, Problem { kind, said, advice, .. }) = same[0];
        let count: u32 = same.iter().map(|(_, problem)| problem.count).sum();
        let often = if count == 1 { String::new() } else { format!(", {count} times; the first") };
        let _ = writeln!(text, "\n{kind}{often}: {said}");
        let told: Vec<String> =
            same.iter().take(GAMES_TOLD).map(|(name, problem)| place(name, problem)).collect();
        let more = match same.len().saturating_sub(GAMES_TOLD) {
            0 => String::new(),
            1 => "; and in another game".to_owned(),
            more => format!("; and in {more} other games"),
        };
        let _ = writeln!(text, "    in: {}{more}\n    advice: {advice}", told.join("; "));
    }
    text.push_str(if report.ok { "no problem found\n" } else { "\nthere are problems\n" });
    text
}

/// Where a problem came up: the game, and its first turns.
fn place(name: &str, problem: &Problem) -> String {
    let turns: Vec<String> = problem.turns.iter().map(u32::to_string).collect();
    match (&turns[..], problem.count as usize > turns.len()) {
        ([], _) => name.to_owned(),
        ([turn], false) => format!("{name}, turn {turn}"),
        (turns, more) => {
            format!("{name}, turns {}{}", turns.join(", "), if more { " and more" } else { "" })
        }
    }
}

/// The problems of all games, those together that have the same advice, in the order of their first ones: a bot makes the
/// same mistake again and again.
fn alike(situations: &[SituationReport]) -> Vec<Vec<(&'static str, &Problem)>> {
    let mut groups: Vec<Vec<(&'static str, &Problem)>> = Vec::new();
    for situation in situations {
        for problem in &situation.problems {
            let like = |group: &&mut Vec<(&'static str, &Problem)>| {
                let (_, first) = group[0];
                (first.kind, first.advice) == (problem.kind, problem.advice)
            };
            match groups.iter_mut().find(like) {
                Some(group) => group.push((situation.name, problem)),
                None => groups.push(vec![(situation.name, problem)]),
            }
        }
    }
    groups
}
