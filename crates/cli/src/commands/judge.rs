//! `palestra judge`: the interactor of a test system, with the participant's program on standard input and output.

use crate::console;
use crate::failure::{Failure, NOT_SO};
use crate::games;
use crate::match_args;
use crate::report::counted;
use crate::signals;
use crate::system::{self, Descriptor, Wanted};
use palestra_core::{Catalog, Fate, Seat, SeatNotes, TimeControl, limits};
use palestra_runner::{Bot, Cores, Options, Played, play, read_text, write_atomically};
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver};

/// The word in a test file for the participant's seat.
const PARTICIPANT: &str = "ejudge";
/// Bytes that are copied at a time.
const RELAY_BYTES: usize = 16 << 10;

/// Judge the program at standard input and output against built-in players, for a test system
///
/// The test file holds a map and, behind it, one player name for each seat: built-in players, and ejudge for the
/// participant. The verdict is OK only if the participant wins and broke no rule on the way. It is told in a line on
/// standard error; standard output belongs to the participant.
#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 OK, 1 wrong answer, 2 usage, 3 bad test file.")]
pub(crate) struct Args {
    /// The game
    game: String,
    /// The test file
    test: PathBuf,
    /// Write what happened to this file
    output: Option<PathBuf>,
    /// Whatever else the test system gives, such as a file with the right answer; it is not needed
    #[arg(value_name = "MORE")]
    _more: Vec<OsString>,
    /// Changes a setting of the game; can be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = match_args::key_value)]
    settings: Vec<(String, String)>,
    /// The time control; a test system has its own
    #[arg(long, default_value_t = TimeControl::Unlimited)]
    time: TimeControl,
    /// Decides what is left to chance
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = games::find(&args.game)?;
    game.check_settings(&args.settings).map_err(Failure::usage)?;
    let text = read_text(&args.test, limits::MAP_BYTES)?;
    let bad_test = |why: String| Failure::input(format!("{}: {why}", args.test.display()));
    let test = game.read_test(&text).map_err(Failure::in_file(&args.test))?;
    let seats: Vec<usize> =
        (0..test.players.len()).filter(|index| test.players[*index] == PARTICIPANT).collect();
    let &[participant] = seats.as_slice() else {
        return Err(bad_test(format!(
            "the participant's seat must be marked {PARTICIPANT} once, and is {} times",
            seats.len()
        )));
    };
    let participant = Seat::at(participant);
    let map = Some((args.test.as_path(), test.map.as_str()));
    let plan = match_args::plan(game, &args.settings, map, test.players.len(), args.seed)
        .map_err(|failure| failure.blamed_on(&args.test))?;
    let (bot, all_written) = at_standard_input_and_output()?;
    let mut bot = Some(bot);
    let mut bots = Vec::with_capacity(test.players.len());
    for name in test.players {
        bots.push(if let Some(bot) = bot.take_if(|_| name == PARTICIPANT) {
            bot
        } else if game.built_ins().iter().any(|built_in| built_in.answers_to(&name)) {
            Bot::built_in(name)
        } else {
            return Err(bad_test(format!("there is no built-in player {name}")));
        });
    }
    let interrupt = signals::interrupt()?;
    let (start, links) = Bot::seat(bots, game, plan, args.time).map_err(Failure::usage)?;
    let options = Options { cores: Cores::Any, interrupt: Some(&interrupt), ..Options::default() };
    let played = play(start, links, options, &mut ())?;
    // The participant may read its last words slowly, but it cannot keep us here.
    let _ = all_written.recv_timeout(palestra_runner::limits::GRACE);
    let english = Catalog::english(game.info());
    let verdict = verdict(&english, &played, participant);
    if let Some(path) = &args.output {
        write_atomically(path, |out| {
            writeln!(
                out,
                "{}",
                verdict
                    .as_ref()
                    .map_or_else(|why| format!("wrong answer: {why}"), |how| format!("ok: {how}"))
            )?;
            for (index, placing) in played.outcome.placings.iter().enumerate() {
                let bot = &played.replay.head.bots[index];
                writeln!(
                    out,
                    "seat {} ({bot}): place {}, {}: {}",
                    index + 1,
                    placing.place,
                    placing.fate.word(),
                    english.say(&placing.reason)
                )?;
            }
            let notes = &played.notes[participant.index()];
            notes.kept.iter().try_for_each(|note| writeln!(out, "{}", english.say_note(note)))
        })?;
    }
    match verdict {
        Ok(how) => {
            console::remark(&format!("ok: {how}"));
            Ok(ExitCode::SUCCESS)
        }
        Err(why) => {
            console::remark(&format!("wrong answer: {why}"));
            Ok(ExitCode::from(NOT_SO))
        }
    }
}

/// The participant, and a word when everything it was sent has been written.
///
/// The descriptors belong to the test system too: they may be of any kind, and making them non-blocking would change them
/// for everybody. So the match has pipes of its own, and threads that may block copy between these and the descriptors,
/// never more at a time than a pipe holds.
fn at_standard_input_and_output() -> io::Result<(Bot, Receiver<()>)> {
    let (output, answers) = io::pipe()?;
    let (asks, input) = io::pipe()?;
    let (from_it, to_it) = (system::file_of(&io::stdin())?, system::file_of(&io::stdout())?);
    let (writer, all_written) = mpsc::channel();
    // A copy that fails ends, and with it the pipe: the match sees that the participant is gone.
    std::thread::spawn(move || relay(from_it, answers));
    std::thread::spawn(move || {
        let _ = relay(asks, to_it);
        // Nobody waits any more if the match has failed.
        let _ = writer.send(());
    });
    Ok((Bot::pipes(PARTICIPANT, input, output)?, all_written))
}

/// Copies until the end, or until nobody reads any more. Somebody else may have made either descriptor non-blocking.
fn relay(mut from: impl Read + Descriptor, mut to: impl Write + Descriptor) -> io::Result<()> {
    let mut buffer = [0; RELAY_BYTES];
    loop {
        let length = match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => length,
            Err(error) => {
                system::wait_after(error, &from, Wanted::ToRead)?;
                continue;
            }
        };
        let mut rest = &buffer[..length];
        while !rest.is_empty() {
            match to.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) => system::wait_after(error, &to, Wanted::ToWrite)?,
            }
        }
    }
}

fn verdict(english: &Catalog, played: &Played, participant: Seat) -> Result<String, String> {
    let placing = &played.outcome.placings[participant.index()];
    let SeatNotes { kept, count } = &played.notes[participant.index()];
    if placing.fate == Fate::Disqualified {
        return Err(format!("the participant was disqualified: {}", english.say(&placing.reason)));
    }
    match played.outcome.winner {
        None => return Err("there is no single winner".to_owned()),
        Some(winner) if winner != participant => {
            return Err(format!("seat {winner} won, and the participant sits on {participant}"));
        }
        Some(_) => {}
    }
    if *count > 0 {
        let first =
            kept.first().map_or(String::new(), |note| format!(", the first in {}", english.say_note(note)));
        return Err(format!(
            "the participant won, but gave {}{first}",
            counted((*count).into(), "invalid order")
        ));
    }
    let rounds = counted(played.rounds.into(), "round");
    Ok(format!("the participant won on seat {participant} after {rounds}"))
}
