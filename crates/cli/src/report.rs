//! A finished match for people (a table and what went wrong) and for scripts (one JSON object, see `docs/json.md`).

use crate::match_args::HUMAN;
use crate::shell;
use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use palestra_core::{AnyGame, Catalog, Defeat, Fate, Message, Seat};
use palestra_runner::{Played, Waiting};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// Notes of one player shown in a JSON object.
const NOTES_SHOWN: usize = 100;

/// Bots of which a text says why they lost; JSON has them all.
const DEFEATS_SHOWN: usize = 4;
/// What stands for the replay in a command line when none was written.
const NO_FILE: &str = "FILE";

/// The stable description of a finished match.
#[derive(Serialize)]
pub(crate) struct MatchReport {
    game: &'static str,
    seed: u64,
    turns: u32,
    rounds: u32,
    winner: Option<Seat>,
    time: String,
    players: Vec<PlayerReport>,
    faults: Vec<FaultEntry>,
    replay: Option<String>,
    #[serde(skip)]
    round_word: &'static str,
    #[serde(skip)]
    title: &'static str,
    #[serde(skip)]
    replay_bytes: u64,
}

#[derive(Serialize)]
struct PlayerReport {
    seat: Seat,
    bot: String,
    place: u32,
    score: f64,
    fate: Fate,
    reason: String,
    reason_data: Message,
    turns: u32,
    wall_ms: f64,
    cpu_ms: Option<f64>,
    longest_ms: f64,
    total_cpu_ms: Option<f64>,
    memory_bytes: Option<u64>,
    processes: Option<u32>,
    notes: Vec<String>,
    notes_data: Vec<NoteEntry>,
    note_count: u32,
    defeat: Option<DefeatEntry>,
    #[serde(skip)]
    built_in: bool,
}

#[derive(Serialize)]
struct DefeatEntry {
    turn: u32,
    sentences: Vec<String>,
    sentences_data: Vec<Message>,
}

impl DefeatEntry {
    fn new(defeat: &Defeat, bot: &str, replay: Option<&Path>, catalog: &Catalog) -> DefeatEntry {
        // What sits there next is a program.
        let bot = if bot == HUMAN { "./mybot" } else { bot };
        let file = replay.map_or(NO_FILE.to_owned(), |path| path.display().to_string());
        let sentences_data = defeat.sentences(shell::line(&defeat.command(&file, bot)));
        let sentences = sentences_data.iter().map(|message| catalog.say(message)).collect();
        DefeatEntry { turn: defeat.turn, sentences, sentences_data }
    }
}

#[derive(Serialize)]
struct NoteEntry {
    turn: u32,
    note: Message,
}

#[derive(Serialize)]
struct FaultEntry {
    turn: u32,
    seat: Seat,
    kind: &'static str,
    fault: String,
    fault_data: Message,
    output: Option<String>,
    stderr: Vec<String>,
    waiting: Option<WaitingEntry>,
    /// Why it is not the bot's fault, if it is the machine's.
    #[serde(skip)]
    excuse: Option<String>,
}

#[derive(Serialize)]
struct WaitingEntry {
    wall_ms: f64,
    starved_ms: f64,
    slept_ms: f64,
    machines_fault: bool,
}

impl From<&Waiting> for WaitingEntry {
    fn from(waiting: &Waiting) -> WaitingEntry {
        WaitingEntry {
            wall_ms: milliseconds(waiting.wall),
            starved_ms: milliseconds(waiting.starved),
            slept_ms: milliseconds(waiting.slept),
            machines_fault: waiting.is_the_machines_fault(),
        }
    }
}

impl MatchReport {
    /// Reasons, faults and the like are told by this catalog. `bots` are what the bots can be started by again.
    pub(crate) fn new(
        game: &dyn AnyGame,
        played: &Played,
        bots: &[String],
        replay: Option<(&Path, u64)>,
        catalog: &Catalog,
    ) -> MatchReport {
        let info = game.info();
        // What was played a moment ago can be played again.
        let defeats = palestra_core::defeats(game, &played.replay).unwrap_or_default();
        let players = played.outcome.placings.iter().enumerate().map(|(index, placing)| {
            let usage = played.usage[index];
            let notes = &played.notes[index];
            let shown = || notes.kept.iter().take(NOTES_SHOWN);
            PlayerReport {
                seat: Seat::at(index),
                bot: played.replay.head.bots[index].clone(),
                place: placing.place,
                score: placing.score.to_f64(),
                fate: placing.fate,
                reason: catalog.say(&placing.reason),
                reason_data: placing.reason.clone(),
                turns: usage.turns,
                wall_ms: milliseconds(usage.wall),
                cpu_ms: usage.cpu.map(milliseconds),
                longest_ms: milliseconds(usage.longest),
                total_cpu_ms: played.used[index].cpu.map(milliseconds),
                memory_bytes: played.used[index].memory_peak,
                processes: played.used[index].processes_peak,
                notes: shown().map(|note| catalog.say_note(note)).collect(),
                notes_data: shown()
                    .map(|note| NoteEntry { turn: note.turn, note: note.what.clone() })
                    .collect(),
                note_count: notes.count,
                defeat: defeats.iter().find(|defeat| defeat.seat.index() == index).map(|defeat| {
                    let path = replay.map(|(path, _)| path);
                    DefeatEntry::new(defeat, &bots[index], path, catalog)
                }),
                // Only somebody outside is called by a number.
                built_in: played.replay.head.labels[index] != Seat::at(index).to_string(),
            }
        });
        let faults = played.faults.iter().map(|report| FaultEntry {
            turn: report.turn,
            seat: report.seat,
            kind: report.fault.kind(),
            fault: catalog.say(&report.fault.message()),
            fault_data: report.fault.message(),
            output: report.fault.excerpt().map(str::to_owned),
            stderr: report.stderr.clone(),
            waiting: report.waiting.as_ref().map(WaitingEntry::from),
            excuse: report.waiting.as_ref().and_then(excuse),
        });
        MatchReport {
            game: info.id,
            seed: played.replay.head.plan.seed,
            turns: played.replay.head.turns,
            rounds: played.rounds,
            winner: played.outcome.winner,
            time: played.replay.head.time.to_string(),
            players: players.collect(),
            faults: faults.collect(),
            replay: replay.map(|(path, _)| path.display().to_string()),
            round_word: info.round_word,
            title: info.title,
            replay_bytes: replay.map_or(0, |(_, bytes)| bytes),
        }
    }

    /// Whether a bot ran out of time because this machine had none for it.
    pub(crate) fn machine_at_fault(&self) -> bool {
        self.faults.iter().any(|fault| fault.excuse.is_some())
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "{}, seed {}: {} {}, {} {}\n",
            self.title,
            self.seed,
            self.rounds,
            plural(self.rounds, self.round_word),
            self.turns,
            plural(self.turns, "turn")
        );
        let mut table = new_table();
        // Only a sandbox can tell how much memory a bot used.
        let with_memory = self.players.iter().any(|player| player.memory_bytes.is_some());
        let memory_column = with_memory.then_some("memory");
        let header = ["seat", "bot", "place", "score", "fate", "reason", "time", "cpu"];
        table.set_header(header.into_iter().chain(memory_column));
        for player in &self.players {
            let memory = player.memory_bytes.map_or("-".to_owned(), size);
            let cells = [
                player.seat.to_string(),
                player.bot.clone(),
                player.place.to_string(),
                score(player.score),
                player.fate.word().to_owned(),
                player.reason.clone(),
                if player.built_in { "-".to_owned() } else { time(player.wall_ms) },
                match player.cpu_ms {
                    _ if player.built_in => "-".to_owned(),
                    Some(ms) => time(ms),
                    None => "unknown".to_owned(),
                },
            ];
            table.add_row(cells.into_iter().chain(with_memory.then_some(memory)));
        }
        for right in [0, 2, 3, 6, 7, 8] {
            if let Some(column) = table.column_mut(right) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let _ = writeln!(text, "{}", table.trim_fmt());
        let _ = match self.winner {
            Some(seat) => {
                writeln!(text, "\x1b[1mwinner: seat {seat}, {}\x1b[0m", self.players[seat.index()].bot)
            }
            None => writeln!(text, "\x1b[1mno single winner\x1b[0m"),
        };
        for fault in &self.faults {
            let bot = &self.players[fault.seat.index()].bot;
            let _ =
                writeln!(text, "fault: seat {} ({bot}), turn {}: {}", fault.seat, fault.turn, fault.fault);
            if let Some(excuse) = &fault.excuse {
                let _ = writeln!(text, "  this machine is to blame: {excuse}");
            }
            if let Some(output) = &fault.output {
                let _ = writeln!(text, "  it wrote: {output}");
            }
            for line in &fault.stderr {
                let _ = writeln!(text, "  stderr: {line}");
            }
        }
        for player in self.players.iter().filter(|player| player.note_count > 0) {
            let first = player.notes.first().map_or(String::new(), |note| format!("; the first: {note}"));
            let count = player.note_count;
            let _ =
                writeln!(text, "notes: seat {} has {count} {}{first}", player.seat, plural(count, "note"));
        }
        if let Some(replay) = &self.replay {
            let _ = writeln!(text, "replay: {replay} ({})", size(self.replay_bytes));
        }
        // How a built-in player plays is not theirs to mend who read this.
        let lost = self.players.iter().filter(|player| !player.built_in);
        let told = lost.filter_map(|player| Some((player, player.defeat.as_ref()?)));
        for (player, defeat) in told.take(DEFEATS_SHOWN) {
            let _ = writeln!(text, "\nwhy seat {} ({}) lost:", player.seat, player.bot);
            for sentence in &defeat.sentences {
                let _ = writeln!(text, "  {sentence}");
            }
        }
        text
    }
}

/// What the kernel says for a bot that ran out of time, if it is the machine's fault.
fn excuse(waiting: &Waiting) -> Option<String> {
    let shown = |span| time(milliseconds(span));
    if waiting.was_starved() {
        let (wall, starved) = (shown(waiting.wall), shown(waiting.starved));
        return Some(format!(
            "of its {wall} the bot was ready to run for {starved} while other programs had the processor"
        ));
    }
    waiting.was_unheard().then(|| {
        let (late, unheard) = (shown(waiting.late.unwrap_or_default()), shown(waiting.unheard));
        format!("its answer was read {late} too late, after palestra itself had waited {unheard} for the processor")
    })
}

/// An empty table. Long texts in it are wrapped on a terminal, and left whole elsewhere.
pub(crate) fn new_table() -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_BORDERS_ONLY);
    if let Some((terminal_size::Width(width), _)) = terminal_size::terminal_size_of(std::io::stdout()) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table
}

/// `1 round`, `2 rounds`.
pub(crate) fn plural(count: u32, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

/// `1 match`, `2 matches`.
pub(crate) fn counted(count: u64, word: &str) -> String {
    let ending = match count {
        1 => "",
        _ if word.ends_with("ch") || word.ends_with('s') => "es",
        _ => "s",
    };
    format!("{count} {word}{ending}")
}

/// At most three decimals, and none that say nothing.
pub(crate) fn score(score: f64) -> String {
    let text = format!("{score:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Milliseconds to the microsecond.
pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn time(ms: f64) -> String {
    match ms {
        _ if ms >= 10_000.0 => format!("{:.1} s", ms / 1000.0),
        _ if ms >= 100.0 => format!("{ms:.0} ms"),
        _ => format!("{ms:.1} ms"),
    }
}

/// A file's size for people.
pub(crate) fn size(bytes: u64) -> String {
    match bytes {
        _ if bytes < 1000 => format!("{bytes} bytes"),
        _ if bytes < 1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
