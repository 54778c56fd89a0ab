//! Playing a recorded match for browsers: chunks of frames, single turns, the whole at a glance; from any turn on, through
//! anybody's eyes. The match may still go on.

use crate::api::{Chunk, Overview, TurnDetail};
use crate::delta;
use crate::keyframes::{Keyframes, SeekCursor};
use crate::limits;
use crate::overview::OverviewBuilder;
use crate::spectator_delay::Update;
use palestra_core::legacy::Log;
use palestra_core::message::Common;
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{AnyGame, Eye, Fate, Fault, Message, Parsed, Replay, ReplayError, Seat};
use serde::Deserialize as _;
use serde_json::{Value, json};

/// A match that is played again, with everything that has been worked out of it.
pub(crate) struct Playback {
    game: &'static dyn AnyGame,
    source: Source,
    overviews: Vec<(Eye, OverviewBuilder)>,
    fault_details: FaultDetails,
}

/// What is told of faults beside their kind: what a bot wrote may be for its author only.
pub(crate) enum FaultDetails {
    /// Everybody may read them.
    Public,
    /// Only their authors may: the replay has the kinds alone, and these are the faults as they were, by turn.
    Redacted(Vec<(u32, Fault)>),
}

enum Source {
    Replay { replay: Box<Replay>, keyframes: Keyframes, over: bool },
    Log(Box<dyn Log>),
}

/// Why something of a match cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaybackError {
    #[error("{0}")]
    Replay(#[from] ReplayError),
    #[error("there is no turn {asked}; the last one is {last}")]
    NoTurn { asked: u32, last: u32 },
    #[error("{0}")]
    BadRequest(String),
}

impl Playback {
    /// A replay. If it is not `over`, more turns may be appended. If it is `redacted`, of faults only the kinds are shown.
    pub(crate) fn of_replay(
        game: &'static dyn AnyGame,
        mut replay: Replay,
        over: bool,
        redacted: bool,
    ) -> Result<Playback, ReplayError> {
        let mut fault_details = FaultDetails::Public;
        if redacted {
            fault_details = FaultDetails::Redacted(replay.head.faults.clone());
            replay = replay.with_fault_kinds_only(game, |_| false)?;
        } else if over {
            replay = replay.renewed(game);
        }
        let keyframes = Keyframes::new(Cursor::start(game, &replay)?);
        let source = Source::Replay { replay: Box::new(replay), keyframes, over };
        Ok(Playback { game, source, overviews: Vec::new(), fault_details })
    }

    /// A contest's own log.
    pub(crate) fn of_log(game: &'static dyn AnyGame, log: Box<dyn Log>) -> Playback {
        Playback {
            game,
            source: Source::Log(log),
            overviews: Vec::new(),
            fault_details: FaultDetails::Public,
        }
    }

    pub(crate) fn replay(&self) -> Option<&Replay> {
        match &self.source {
            Source::Replay { replay, .. } => Some(replay),
            Source::Log(_) => None,
        }
    }

    /// The match has gone on.
    pub(crate) fn append(&mut self, mut update: Update) {
        let Source::Replay { replay, over: false, .. } = &mut self.source else { return };
        if let FaultDetails::Redacted(faults) = &mut self.fault_details {
            faults.extend(update.tail.redact_faults());
        }
        if !update.tail.is_empty() {
            replay.append(update.tail);
        }
        for (seat, turn, bytes) in update.stderr {
            replay.head.stderr.resize(replay.head.stderr.len().max(seat.index() + 1), Vec::new());
            match replay.head.stderr[seat.index()].last_mut() {
                Some((last, piece)) if *last == turn => piece.extend(bytes),
                _ => replay.head.stderr[seat.index()].push((turn, bytes)),
            }
        }
    }

    /// The match has ended, and this is its whole replay.
    pub(crate) fn end(&mut self, mut whole: Replay) {
        if let FaultDetails::Redacted(faults) = &mut self.fault_details {
            faults.clone_from(&whole.head.faults);
            match whole.with_fault_kinds_only(self.game, |_| false) {
                Ok(told) => whole = told,
                // It cannot be played again, and so not be shown either; nothing of it is told by mistake.
                Err(_) => {
                    whole.head.faults.iter_mut().for_each(|(_, fault)| *fault = fault.kind_only());
                    let placings = whole.head.outcome.placings.iter_mut();
                    placings.for_each(|placing| placing.reason = Message::none());
                }
            }
        }
        if let Source::Replay { replay, over, .. } = &mut self.source {
            **replay = whole;
            *over = true;
        }
    }

    /// The replay of a match that is over, with the faults as they were: not yet for everybody.
    pub(crate) fn unredacted(&self) -> Option<Replay> {
        let mut replay = self.replay().filter(|_| self.over())?.clone();
        if let FaultDetails::Redacted(faults) = &self.fault_details {
            replay.head.faults.clone_from(faults);
        }
        Some(replay)
    }

    pub(crate) fn seats(&self) -> u8 {
        match &self.source {
            Source::Replay { replay, .. } => replay.head.plan.seats,
            Source::Log(log) => log.seats(),
        }
    }

    pub(crate) fn turns(&self) -> u32 {
        match &self.source {
            Source::Replay { replay, .. } => replay.head.turns,
            Source::Log(log) => log.turns(),
        }
    }

    pub(crate) fn first_to_move(&mut self) -> Option<Seat> {
        match &self.source {
            Source::Replay { .. } => self.seek(0).ok()?.state().to_move(),
            Source::Log(_) => None,
        }
    }

    pub(crate) fn over(&self) -> bool {
        match &self.source {
            Source::Replay { over, .. } => *over,
            Source::Log(_) => true,
        }
    }

    /// Some moments: the first whole, the others as changes. Of the chunk's moments the first `after` are known already,
    /// and only what leads on from there is told.
    pub(crate) fn chunk(
        &mut self,
        eye: Eye,
        every: u32,
        chunk: u32,
        after: u32,
    ) -> Result<Chunk, PlaybackError> {
        if !every.is_power_of_two() || every > limits::LONGEST_STRIDE {
            return Err(PlaybackError::BadRequest(format!(
                "every must be a power of two up to {}, and is {every}",
                limits::LONGEST_STRIDE
            )));
        }
        let after = after.min(limits::CHUNK_MOMENTS);
        let (turns, over) = (self.turns(), self.over());
        let mut result = Chunk { every, chunk, after, turns, over, first: None, changes: Vec::new() };
        let length = u64::from(limits::CHUNK_MOMENTS) * u64::from(every);
        let beginning = u64::from(chunk) * length;
        // The last known moment is where the changes begin.
        let first = beginning + u64::from(after.saturating_sub(1)) * u64::from(every);
        if first > u64::from(turns) {
            return Ok(result);
        }
        let (first, last) = (first as u32, (beginning + length - 1).min(u64::from(turns)) as u32);
        let mut before: Option<Value> = None;
        self.moments(eye, first, last, every, &mut |moment| {
            match &before {
                None if after > 0 => {}
                None => result.first = Some(moment.clone()),
                Some(before) => {
                    let change = delta::change(before, &moment);
                    result.changes.push(change.unwrap_or_else(|| json!({})));
                }
            }
            before = Some(moment);
        })?;
        Ok(result)
    }

    /// Tells the moments `first`, `first + every`, … up to `last`.
    fn moments(
        &mut self,
        eye: Eye,
        first: u32,
        last: u32,
        every: u32,
        tell: &mut dyn FnMut(Value),
    ) -> Result<(), PlaybackError> {
        if let Source::Log(log) = &self.source {
            for turn in (first..=last).step_by(every as usize) {
                let mover = (turn > 0).then(|| log.mover(turn)).flatten();
                tell(
                    json!({ "turn": turn, "seat": mover, "round": log.round(turn), "frame": log.frame(turn) }),
                );
            }
            return Ok(());
        }
        // A turn earlier, so that the mover of the first moment is known.
        let mut cursor = self.seek(first.saturating_sub(1))?;
        let mut moment = json!({ "turn": 0, "seat": null, "round": 0 });
        loop {
            let turn = cursor.turn();
            if turn >= first && (turn - first).is_multiple_of(every) {
                moment["frame"] = cursor.state().frame(eye);
                tell(moment);
            }
            if turn >= last {
                return Ok(());
            }
            let told = turn + 1 >= first && (turn + 1 - first).is_multiple_of(every);
            moment = step(&mut cursor, eye, told)?;
        }
    }

    /// The match as it was after this turn, to go on from.
    fn seek(&mut self, turn: u32) -> Result<SeekCursor<'_>, PlaybackError> {
        let Source::Replay { replay, keyframes, .. } = &mut self.source else {
            return Err(PlaybackError::BadRequest("a log tells no more than what it shows".to_owned()));
        };
        if turn > replay.head.turns {
            return Err(PlaybackError::NoTurn { asked: turn, last: replay.head.turns });
        }
        Ok(SeekCursor::seek(replay, keyframes, turn)?)
    }

    /// The whole match at a glance.
    pub(crate) fn overview(&mut self, eye: Eye) -> Result<Overview, PlaybackError> {
        let known = self.overviews.iter().position(|(whose, _)| *whose == eye);
        let mut builder = match known {
            Some(index) => self.overviews.swap_remove(index).1,
            None => OverviewBuilder::new(self.game, self.seats(), eye),
        };
        self.bring_up_to_date(&mut builder)?;
        let overview = builder.overview();
        self.overviews.push((eye, builder));
        Ok(overview)
    }

    fn bring_up_to_date(&mut self, builder: &mut OverviewBuilder) -> Result<(), PlaybackError> {
        let turns = self.turns();
        let Source::Replay { .. } = &self.source else {
            if let Source::Log(log) = &self.source {
                builder.read_log(&**log);
            }
            return Ok(());
        };
        let over = self.over();
        if let Some(from) = builder.next(turns) {
            let mut cursor = self.seek(from)?;
            builder.begin(&cursor);
            while cursor.turn() < turns {
                builder.step(&mut cursor)?;
            }
        }
        if let (true, Some(replay)) = (over, self.replay()) {
            builder.end(replay);
        }
        if let Some(replay) = self.replay() {
            builder.read_times(replay);
        }
        Ok(())
    }

    /// The last turn of a seat up to turn `upto`, raw; with what is for its author only if `private`.
    pub(crate) fn turn_detail(
        &mut self,
        of: Seat,
        upto: u32,
        private: bool,
    ) -> Result<TurnDetail, PlaybackError> {
        let upto = upto.min(self.turns());
        let Some(turn) = self.last_turn_of(of, upto)? else {
            return Err(PlaybackError::BadRequest(format!("seat {of} has had no turn yet")));
        };
        let mut cursor = self.seek(turn - 1)?;
        let mut ask = Vec::new();
        if turn <= u32::from(cursor.state().seats()) {
            cursor.state().hello(of, &mut ask);
        }
        // Who has left while another one was to move was not asked.
        if cursor.state().to_move() == Some(of) {
            cursor.state().ask(of, &mut ask);
        }
        ask.truncate(limits::ASK_BYTES);
        let mut detail = TurnDetail {
            turn,
            seat: of,
            ask: String::from_utf8_lossy(&ask).into_owned(),
            answer: None,
            fault: None,
            stderr: String::new(),
            wall_ms: None,
            cpu_ms: None,
            notes: Vec::new(),
        };
        match cursor.peek()?.map(|turn| turn.input) {
            Some(Recorded::Answer(_)) => detail.answer = Some(pending_answer(&cursor)),
            Some(Recorded::Fault(fault)) => detail.fault = Some(fault.message()),
            None => {}
        }
        cursor.advance()?;
        let notes = cursor.state().notes().list();
        let own = notes.iter().filter(|note| note.turn == turn && note.seat == of);
        detail.notes = own.map(|note| note.what.clone()).collect();
        if let (FaultDetails::Redacted(faults), true) = (&self.fault_details, private)
            && let Some((_, fault)) = faults.iter().find(|(when, _)| *when == turn)
        {
            detail.fault = Some(fault.message());
        }
        if let Some(replay) = self.replay() {
            if let Some(pieces) = replay.head.stderr.get(of.index()).filter(|_| private) {
                let pieces = pieces.iter().filter(|(when, _)| *when == turn);
                detail.stderr = pieces.map(|(_, piece)| String::from_utf8_lossy(piece)).collect();
            }
            // A built-in player's time is the host's, and is not measured.
            let spent = replay.times().nth(turn as usize - 1).filter(|spent| !spent.wall.is_zero());
            let millis = |time: std::time::Duration| time.as_secs_f64() * 1e3;
            detail.wall_ms = spent.map(|spent| millis(spent.wall));
            detail.cpu_ms = spent.and_then(|spent| spent.cpu).map(millis);
        }
        Ok(detail)
    }

    fn last_turn_of(&mut self, seat: Seat, upto: u32) -> Result<Option<u32>, PlaybackError> {
        let mut end = upto;
        while end > 0 {
            let start = end.saturating_sub(limits::KEYFRAME_GAP);
            let mut cursor = self.seek(start)?;
            let mut found = None;
            while cursor.turn() < end {
                if let Some(turn) = cursor.advance()?.filter(|turn| turn.seat == seat) {
                    found = Some(turn.number);
                }
            }
            if found.is_some() {
                return Ok(found);
            }
            end = start;
        }
        Ok(None)
    }

    /// Whether the rules take this answer of a seat that is to move now; if not, why, in English.
    pub(crate) fn try_answer(
        &mut self,
        seat: Seat,
        text: &[u8],
    ) -> Result<Result<(), Message>, PlaybackError> {
        let turns = self.turns();
        let mut state = self.seek(turns)?.state().fork();
        if state.to_move() != Some(seat) {
            return Ok(Err(Common::NotYourTurn {}.into()));
        }
        match state.parse(seat, text) {
            Parsed::Done { used } if text[used..].trim_ascii().is_empty() => {}
            Parsed::Done { .. } => return Ok(Err(Common::SeveralAnswers {}.into())),
            Parsed::NeedMore => return Ok(Err(Common::IncompleteAnswer {}.into())),
            Parsed::Malformed { why } => return Ok(Err(why)),
        }
        state.apply(seat, turns + 1);
        if let Some(note) = state.notes().list().iter().find(|note| note.seat == seat) {
            return Ok(Err(note.what.clone()));
        }
        let frame = state.frame(Eye::Seat(seat));
        let player = &frame["players"][seat.index()];
        if player["fate"] == Fate::Disqualified.word() {
            let reason = Message::deserialize(&player["reason"]).ok();
            return Ok(Err(reason.unwrap_or_else(|| Common::AgainstTheRules {}.into())));
        }
        Ok(Ok(()))
    }
}

/// Takes one turn, and says what there is to say of the moment after it, the frame aside.
fn step(cursor: &mut SeekCursor<'_>, eye: Eye, told: bool) -> Result<Value, PlaybackError> {
    let mut moment = Value::Null;
    if told && let Some(turn) = cursor.peek()? {
        moment = json!({ "turn": turn.number, "seat": turn.seat, "round": 0 });
        // What a seat may know of others' answers and faults is in its frame.
        if eye == Eye::Spectator || eye == Eye::Seat(turn.seat) {
            match turn.input {
                Recorded::Answer(_) => moment["answer"] = pending_answer(cursor).into(),
                Recorded::Fault(fault) => moment["fault"] = json!(fault.message()),
            }
        }
    }
    cursor.advance()?;
    if told {
        moment["round"] = cursor.state().rounds().into();
    }
    Ok(moment)
}

fn pending_answer(cursor: &SeekCursor<'_>) -> String {
    let mut answer = Vec::new();
    cursor.state().write_answer(&mut answer);
    String::from_utf8_lossy(&answer).trim_end().to_owned()
}
