//! The readers of the contests' own logs: what each of them owes, whatever its format. Games bring the texts, and what
//! is true of their logs alone.

use palestra_core::game::{SettingsOf, Setup as _, SetupOf, State as _, View as _, ViewOf};
use palestra_core::legacy::{Legacy, Log};
use palestra_core::replay::TypedReplay;
use palestra_core::{
    AnyGame, Encoding, Entrant, Eye, Game, Match, Next, PlanRequest, Replay, Rng, Seat, TimeControl, settings,
};
use serde_json::Value;

/// A match of built-in players, to its end.
pub fn play_built_ins(game: &dyn AnyGame, request: &PlanRequest<'_>, names: &[&str]) -> Replay {
    let plan = game.plan(request).expect("a sound request");
    let entrants: Vec<Entrant> = names.iter().map(|name| Entrant::built_in(*name)).collect();
    let mut running = Match::new(game, plan, &entrants, TimeControl::Unlimited).expect("a match");
    while running.next() != Next::Over {}
    running.finish(Vec::new()).expect("it is over").1
}

/// A match as the exporter of this name writes it.
pub fn exported(game: &dyn AnyGame, format: &str, replay: &Replay) -> String {
    let mut out = Vec::new();
    game.export(format, replay, &mut out).expect("it can be written");
    String::from_utf8(out).expect("logs are text")
}

/// A match with its game's types, to go through it once more.
pub fn typed_replay<G: Encoding>(replay: &Replay) -> TypedReplay<'_, G> {
    let settings: SettingsOf<G> = settings::from_json(&replay.head.plan.settings).expect("sound settings");
    let setup = SetupOf::<G>::read(&settings, &replay.head.plan.setup).expect("a sound map");
    TypedReplay { settings, setup, replay }
}

/// The log that a text is.
pub fn log_of<G: Legacy>(text: &str) -> Box<dyn Log> {
    G::read_log(text).expect("one of ours").expect("a sound log")
}

/// What a log has to show of a moment of its match.
#[derive(Clone, Debug)]
pub struct LogMoment {
    /// What is drawn.
    pub frame: Value,
    /// Every counter of the first seat, then those of the next one.
    pub counts: Vec<u64>,
    /// Whose turn led to it.
    pub mover: Option<Seat>,
    /// Its round.
    pub round: u32,
}

impl LogMoment {
    /// The moment as a spectator of the match sees it.
    pub fn new<G: Game>(state: &G::State, seats: u8, mover: Option<Seat>, round: u32) -> LogMoment {
        let view = state.view(Eye::Spectator);
        LogMoment {
            frame: serde_json::to_value(view.frame()).expect("a frame is plain data"),
            counts: all_counts::<G>(seats, |seat, counter| view.count(seat, counter)),
            mover,
            round,
        }
    }
}

/// Compares all that a log shows with the moments of the match, from the beginning on; in frames, all but what is under
/// the keys of `untold`.
pub fn check_log<G: Game>(log: &dyn Log, moments: Vec<LogMoment>, untold: &[&str]) {
    assert_eq!(log.turns() as usize + 1, moments.len());
    for (turn, expected) in (0..).zip(moments) {
        assert_eq!(log_counts::<G>(log, turn), expected.counts, "turn {turn}");
        assert_eq!(log.mover(turn), expected.mover, "turn {turn}");
        assert_eq!(log.round(turn), expected.round, "turn {turn}");
        assert_eq!(without(log.frame(turn), untold), without(expected.frame, untold), "turn {turn}");
    }
}

/// Changes a sound log in one place after the other, and compares what is then said. Each change is the text that is
/// replaced where it first stands, the new text, and the error's line and beginning.
pub fn check_log_errors<G: Legacy>(file: &str, whole: &str, changes: &[(&str, &str, u32, &str)]) {
    log_of::<G>(whole);
    for (from, to, line, message) in changes {
        assert!(whole.contains(from), "{from:?}");
        let read = G::read_log(&whole.replacen(from, to, 1)).expect("one of ours");
        let error = read.err().expect("broken").to_string();
        assert!(error.starts_with(&format!("{file}, line {line}: {message}")), "{error}");
    }
}

/// Cuts a log at every byte: what is whole before the cut is shown as before, and nothing is wrong with it. Only who is
/// to move may differ, as a cut log has no end. `also` looks at what is left of so many bytes, for what is true of this
/// game's logs alone.
pub fn check_cut_logs<G: Legacy>(whole: &str, also: impl Fn(&dyn Log, usize)) {
    let frames = |log: &dyn Log| -> Vec<Value> {
        (1..=log.turns()).map(|turn| without(log.frame(turn), &["to_move"])).collect()
    };
    let all = frames(&*log_of::<G>(whole));
    let mut seen = 0;
    for end in 0..whole.len() {
        let Some(read) = G::read_log(&whole[..end]) else {
            assert_eq!(seen, 0, "once it is recognised, it stays so");
            continue;
        };
        let log = read.unwrap_or_else(|error| panic!("cut at {end}: {error}"));
        let shown = frames(&*log);
        assert!(shown.len() >= seen);
        seen = shown.len();
        assert!(all.starts_with(&shown), "cut at {end}");
        look_at_log::<G>(&*log);
        also(&*log, end);
    }
    assert_eq!(seen, all.len());
}

/// Damages logs at random, a few thousand times in all: whatever is still read can be looked at. `large` is a number that
/// only just fits somewhere; `also` looks for what is true of this game's logs alone.
pub fn check_damaged_logs<G: Legacy>(wholes: &[String], large: &str, also: impl Fn(&dyn Log)) {
    let mut rng = Rng::new(3);
    let mut readable = 0;
    for whole in wholes {
        for _ in 0..3000 / wholes.len() {
            let damaged = damaged(whole, large, &mut rng);
            if let Some(Ok(log)) = G::read_log(&damaged) {
                readable += 1;
                look_at_log::<G>(&*log);
                also(&*log);
            }
        }
    }
    assert!(readable > 100, "some damage goes unnoticed");
    for _ in 0..1000 {
        let bytes: Vec<u8> = (0..rng.below(60)).map(|_| rng.below(256) as u8).collect();
        let _ = G::read_log(&String::from_utf8_lossy(&bytes));
    }
}

fn damaged(whole: &str, large: &str, rng: &mut Rng) -> String {
    let mut bytes = whole.as_bytes().to_vec();
    for _ in 0..=rng.below(2) {
        let at = rng.below(bytes.len() as u32) as usize;
        let new: &[u8] = match rng.below(4) {
            0 => b"",
            1 => b" 99999999999999999999 ",
            2 => large.as_bytes(),
            _ => &[*rng.pick(b"0123456789 -\nx").expect("there are some")],
        };
        drop(bytes.splice(at..=at, new.iter().copied()));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A frame with nothing under these keys.
fn without(mut frame: Value, keys: &[&str]) -> Value {
    for key in keys {
        frame[key].take();
    }
    frame
}

/// Looks at everything that a log shows.
fn look_at_log<G: Game>(log: &dyn Log) {
    for turn in 0..=log.turns() {
        log.frame(turn);
        log_counts::<G>(log, turn);
        log.mover(turn);
        log.round(turn);
    }
}

fn log_counts<G: Game>(log: &dyn Log, turn: u32) -> Vec<u64> {
    all_counts::<G>(log.seats(), |seat, counter| log.count(turn, seat, counter))
}

fn all_counts<G: Game>(seats: u8, count: impl Fn(Seat, usize) -> Option<u64>) -> Vec<u64> {
    let all = Seat::all(seats)
        .flat_map(|seat| (0..ViewOf::<G>::COUNTERS.len()).map(move |counter| (seat, counter)));
    all.map(|(seat, counter)| count(seat, counter).expect("everything is known")).collect()
}
