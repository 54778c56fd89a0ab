//! `palestra check`: does a bot keep to the protocol, the time and the rules? What breaks it?

use crate::console;
use crate::failure::{Failure, NOT_SO};
use crate::games;
use crate::match_args::{self, GuardArgs};
use crate::signals;
use palestra_core::{AnyGame, Catalog, Exit, Fault, Outcome, Seat, Situation, TimeControl};
use palestra_runner::{Bot, Guard, Interrupt, Options, Played, play};
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
}

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
    for report in played.faults.iter().filter(|report| report.seat == seat) {
        let mut what = format!("turn {}: {}", report.turn, english.say(&report.fault.message()));
        if let Some(excerpt) = report.fault.excerpt() {
            let _ = write!(what, "; it wrote {excerpt}");
        }
        for line in &report.stderr {
            let _ = write!(what, "\n    stderr: {line}");
        }
        let kind = if report.fault == Fault::OutOfTime { "time" } else { "protocol" };
        found.push(Problem { kind, what, advice: advice(&report.fault, usage.turns == 1) });
    }
    let (notes, count) = &played.notes[seat.index()];
    // A fault may have left a note of its own.
    if *count as usize > found.len() {
        let first = notes.first().map_or(String::new(), |note| english.say_note(note));
        let what = format!("{count} notes about its answers; the first in {first}");
        let advice = "compare what the rule book allows with the state the bot was sent in that turn";
        found.push(Problem { kind: "legality", what, advice });
    } else if found.is_empty() && placings[seat.index()].fate == palestra_core::Fate::Disqualified {
        let advice = "an illegal move loses the game: check every move against the state before sending it";
        found.push(Problem { kind: "legality", what: english.say(&placings[seat.index()].reason), advice });
    }
    if let TimeControl::Bank { start, increment } = time
        && found.is_empty()
        && usage.wall > (start + increment * usage.turns) / 2
    {
        let what =
            format!("it used {:.0} ms, more than half of what it had", usage.wall.as_secs_f64() * 1000.0);
        found.push(Problem {
            kind: "time",
            what,
            advice: "a slower machine may lose this game on time; do less per turn",
        });
    }
    if let TimeControl::PerAnswer(limit) = time
        && found.is_empty()
        && usage.longest > limit / 2
    {
        let what =
            format!("its longest answer took {:.0} ms, more than half of the limit", millis(usage.longest));
        found.push(Problem {
            kind: "time",
            what,
            advice: "a slower machine may lose this answer; do less per turn",
        });
    }
    if !played.ended_itself[seat.index()] && found.iter().all(|problem| problem.kind != "time") {
        let what = "it did not end after its last words, although its input was closed".to_owned();
        let advice = "end the program when the game says so, and whenever reading fails or the input ends";
        found.push(Problem { kind: "ending", what, advice });
    }
    found
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
            "{mark}  {} (seat {}, {} turns, place {}, longest turn {:.1} ms)",
            situation.name, situation.seat, situation.turns, situation.place, situation.longest_ms
        );
        for problem in &situation.problems {
            let _ = writeln!(text, "  {}: {}\n    advice: {}", problem.kind, problem.what, problem.advice);
        }
    }
    text.push_str(if report.ok { "no problem found\n" } else { "there are problems\n" });
    text
}
