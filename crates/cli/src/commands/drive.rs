//! `palestra drive`: feeds a bot what its seat was sent in a recorded match, and compares its answers.

use crate::commands::replay::{open, seat_of};
use crate::console;
use crate::failure::{Failure, NOT_SO};
use crate::match_args::{self, GuardArgs};
use crate::report::counted;
use crate::signals;
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{AnyGame, AnyState, Catalog, Fault, Replay, ReplayError, Rng, Seat};
use palestra_runner::{Bot, Conversation, Guard, Interrupt, Link, MatchError};
use serde_json::{Value, json};
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;

/// Feed a bot what its seat was sent in a replay, and show where its answers differ
///
/// The match stays the recorded one whatever the bot answers. There is no time limit, so that a debugger can be
/// attached. The bot's standard error is shown as it comes.
#[derive(clap::Args)]
#[command(after_help = "\
For example:
  palestra drive replays/generals-7.replay --seat 2 --bot ./mybot.py
  palestra drive lost.replay --seat 1 --bot \"gdbserver :1234 ./mybot\" --turn 137
  palestra drive lost.replay --seat 1 --packets replay.packets

Bots of `palestra new` read such a file of packets in a debugger if PALESTRA_PACKETS names it.

Exit codes: 0 every answer is the recorded one, 1 some differ, 2 usage, 3 bad replay, 4 the bot could not be started.")]
pub(crate) struct Args {
    /// The replay file
    file: PathBuf,
    /// The seat whose place the bot takes
    #[arg(long)]
    seat: u8,
    /// The bot; as in `palestra play`
    #[arg(long, required_unless_present = "packets")]
    bot: Option<String>,
    /// Write what the seat was sent into this file instead of feeding it to a bot
    #[arg(long, value_name = "FILE", conflicts_with_all = ["bot", "wait", "json"])]
    packets: Option<PathBuf>,
    /// Begin with the seat's first turn from this one on (turns count over all seats); before it the bot hears nothing
    #[arg(long, value_name = "TURN", default_value_t = 1)]
    turn: u32,
    /// End after this turn
    #[arg(long, value_name = "TURN")]
    to_turn: Option<u32>,
    /// Wait for Enter before the first turn, so that a debugger can be attached
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    guard: GuardArgs,
    /// Print exactly one JSON object
    #[arg(long)]
    json: bool,
}

/// Differences shown in a text; JSON has them all.
const SHOWN: usize = 20;

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let (game, replay) = open(&args.file)?;
    let seat = seat_of(&replay, args.seat)?;
    let last = args.to_turn.unwrap_or(u32::MAX);
    if let Some(path) = &args.packets {
        let sent = packets(game, &replay, seat, args.turn..=last).map_err(Failure::in_replay(&args.file))?;
        fs::write(path, sent).map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        return Ok(ExitCode::SUCCESS);
    }
    let name = args.bot.as_ref().expect("it is asked for where there are no packets to write");
    let guard = args.guard.guard()?;
    let bot = match_args::bots(game, std::slice::from_ref(name), &guard, args.json)?.remove(0);
    let interrupt = signals::interrupt()?;
    let mut cursor = Cursor::start(game, &replay).map_err(Failure::in_replay(&args.file))?;
    let mut driven = Driven::new(&bot, cursor.state_mut(), seat, replay.head.plan.seed, &guard)?;
    if let Driven::Outside(conversation) = &driven {
        console::remark(&format!("{name} runs as process {}", conversation.pid()));
        if args.wait {
            console::remark("press Enter to begin");
            std::io::stdin().read_line(&mut String::new())?;
        }
    }
    let english = Catalog::english(game.info());
    let mut compared = 0_u32;
    let mut differences: Vec<Value> = Vec::new();
    let mut fault = None;
    while let Some(turn) = cursor.peek(&replay).map_err(Failure::in_replay(&args.file))? {
        if turn.number > last || fault.is_some() {
            break;
        }
        // Who has left while another one was to move was not asked.
        let asked = cursor.state().to_move() == Some(seat);
        if turn.seat == seat && asked && turn.number >= args.turn {
            let recorded = match turn.input {
                Recorded::Answer(_) => text_of(cursor.state()),
                Recorded::Fault(fault) => english.say(&fault.message()),
            };
            compared += 1;
            let answer = driven.answer(cursor.state_mut(), seat, &interrupt)?;
            let same = match (&answer, turn.input) {
                (Ok(()), Recorded::Answer(answer)) => cursor.state().answer_is(answer),
                (Err(ours), Recorded::Fault(theirs)) => ours.kind() == theirs.kind(),
                _ => false,
            };
            let given = match &answer {
                Ok(()) => text_of(cursor.state()),
                Err(fault) => english.say(&fault.message()),
            };
            if !same {
                if !args.json && differences.len() < SHOWN {
                    console::print(&format!("turn {}: recorded {recorded:?}, now {given:?}\n", turn.number))?;
                }
                differences.push(json!({ "turn": turn.number, "recorded": recorded, "now": given }));
            }
            fault = answer.err().map(|fault| (turn.number, fault));
        }
        cursor.advance(&replay).map_err(Failure::in_replay(&args.file))?;
    }
    driven.end(cursor.state(), seat);
    if args.json {
        console::print_json(&json!({
            "game": replay.head.game, "seat": seat, "bot": name, "turns": compared, "differences": differences,
            "fault": fault.as_ref().map(|(turn, fault)| json!({
                "turn": turn, "kind": fault.kind(), "fault": english.say(&fault.message()), "fault_data": fault.message(),
            })),
        }))?;
    } else {
        if differences.len() > SHOWN {
            console::print(&format!("and {} more\n", differences.len() - SHOWN))?;
        }
        if let Some((turn, fault)) = &fault {
            console::print(&format!("the bot failed in turn {turn}: {}\n", english.say(&fault.message())))?;
        }
        let differ = match differences.len() {
            1 => "1 answer differs".to_owned(),
            count => format!("{count} answers differ"),
        };
        console::print(&format!("{} compared, {differ}\n", counted(compared.into(), "turn")))?;
    }
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(NOT_SO) })
}

/// What a seat was sent in a match: at the start, in these turns, and at the end.
pub(crate) fn packets(
    game: &dyn AnyGame,
    replay: &Replay,
    seat: Seat,
    turns: RangeInclusive<u32>,
) -> Result<Vec<u8>, ReplayError> {
    let mut sent = Vec::new();
    let mut cursor = Cursor::start(game, replay)?;
    cursor.state().hello(seat, &mut sent);
    while let Some(turn) = cursor.peek(replay)? {
        let (number, asked) = (turn.number, turn.seat == seat && cursor.state().to_move() == Some(seat));
        if number > *turns.end() {
            return Ok(sent);
        }
        if asked && turns.contains(&number) {
            cursor.state().ask(seat, &mut sent);
        }
        cursor.advance(replay)?;
    }
    cursor.state().dismissal(seat, &mut sent);
    Ok(sent)
}

fn text_of(table: &dyn AnyState) -> String {
    let mut text = Vec::new();
    table.write_answer(&mut text);
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

/// The bot that takes a seat.
enum Driven {
    BuiltIn,
    Outside(Box<Conversation>),
}

impl Driven {
    fn new(
        bot: &Bot,
        table: &mut dyn AnyState,
        seat: Seat,
        seed: u64,
        guard: &Guard,
    ) -> Result<Driven, Failure> {
        let name = &bot.entrant.name;
        match &bot.link {
            Link::None => {
                let seed = Rng::stream(seed, "bot", seat.index() as u64).bits();
                table.seat_built_in(seat, name, seed).map_err(Failure::usage)?;
                Ok(Driven::BuiltIn)
            }
            Link::Program(launch) => {
                let mut conversation = Conversation::start(name, launch, guard)?;
                let mut hello = Vec::new();
                table.hello(seat, &mut hello);
                conversation.tell(&hello);
                Ok(Driven::Outside(Box::new(conversation)))
            }
            Link::Pipes { .. } | Link::Here(_) => {
                unreachable!("a bot named on a command line is a built-in player or a program")
            }
        }
    }

    /// Its answer to the turn to come, held by the table.
    fn answer(
        &mut self,
        table: &mut dyn AnyState,
        seat: Seat,
        interrupt: &Interrupt,
    ) -> Result<Result<(), Fault>, Failure> {
        match self {
            Driven::BuiltIn => Ok(table.think(seat)),
            Driven::Outside(conversation) => {
                let mut ask = Vec::new();
                table.ask(seat, &mut ask);
                conversation.tell(&ask);
                let answer = conversation
                    .answer(interrupt, table.unit(), |bytes, progress| table.parse_on(seat, bytes, progress));
                answer.ok_or_else(|| MatchError::Interrupted.into())
            }
        }
    }

    fn end(self, table: &dyn AnyState, seat: Seat) {
        if let Driven::Outside(conversation) = self {
            let mut last_words = Vec::new();
            table.dismissal(seat, &mut last_words);
            conversation.end(&last_words);
        }
    }
}
