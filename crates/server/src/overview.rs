//! A whole match at a glance: charts of bounded length, and marks on the time line. Grows with a match that goes on.

use crate::api::{MarkKind, Overview, TimelineMark};
use crate::keyframes::SeekCursor;
use crate::limits;
use palestra_core::legacy::Log;
use palestra_core::replay::Recorded;
use palestra_core::{AnyGame, Eye, Fate, Message, Replay, ReplayError, Seat};

/// Works an overview out, turn by turn.
pub(crate) struct OverviewBuilder {
    game: &'static dyn AnyGame,
    eye: Eye,
    seats: u8,
    /// Turns looked at; `None` before the beginning.
    turns: Option<u32>,
    /// Turns between two points of a chart.
    every: u32,
    /// By counter, by seat, over time.
    charts: Vec<Vec<Vec<Option<u64>>>>,
    /// By seat, over time, in microseconds.
    times: Vec<Vec<Option<u64>>>,
    /// Turns whose times have been read.
    timed: u32,
    marks: Vec<TimelineMark>,
    /// Numbers after the last turn, by counter and seat.
    last: Vec<Vec<Option<u64>>>,
    playing: Vec<bool>,
    /// The mover of every turn, for the times.
    movers: Vec<u8>,
    ended: bool,
}

impl OverviewBuilder {
    pub(crate) fn new(game: &'static dyn AnyGame, seats: u8, eye: Eye) -> OverviewBuilder {
        let counters = game.counters().len();
        OverviewBuilder {
            game,
            eye,
            seats,
            turns: None,
            every: 1,
            charts: vec![vec![Vec::new(); seats.into()]; counters],
            times: vec![vec![None]; seats.into()],
            timed: 0,
            marks: Vec::new(),
            last: vec![vec![None; seats.into()]; counters],
            playing: vec![true; seats.into()],
            movers: Vec::new(),
            ended: false,
        }
    }

    /// The turn to go on from, if there is more to look at.
    pub(crate) fn next(&self, turns: u32) -> Option<u32> {
        (self.turns != Some(turns)).then(|| self.turns.unwrap_or(0))
    }

    /// Looks at the moment it goes on from, if that is the beginning.
    pub(crate) fn begin(&mut self, cursor: &SeekCursor<'_>) {
        if self.turns.is_none() {
            let (eye, state) = (self.eye, cursor.state());
            self.count(0, &|seat, counter| state.count(eye, seat, counter));
            self.turns = Some(0);
        }
    }

    /// Takes a turn and looks at it.
    pub(crate) fn step(&mut self, cursor: &mut SeekCursor<'_>) -> Result<(), ReplayError> {
        let Some(turn) = cursor.advance()? else { return Ok(()) };
        let number = turn.number;
        self.movers.push(turn.seat.number());
        let (eye, state) = (self.eye, cursor.state());
        self.count(number, &|seat, counter| state.count(eye, seat, counter));
        let own = |seat: Seat| eye == Eye::Spectator || eye == Eye::Seat(seat);
        if let Recorded::Fault(fault) = turn.input
            && own(turn.seat)
        {
            self.mark(number, MarkKind::Fault, turn.seat, Some(fault.message()));
        }
        let notes = state.notes().list();
        for note in notes.iter().rev().take_while(|note| note.turn == number).filter(|note| own(note.seat)) {
            self.mark(number, MarkKind::Note, note.seat, Some(note.what.clone()));
        }
        // When the game is over nobody plays any more; who lost is known from its result.
        if state.to_move().is_some() {
            for seat in Seat::all(self.seats) {
                let plays = state.plays(seat);
                if self.playing[seat.index()] && !plays && eye == Eye::Spectator {
                    self.mark(number, MarkKind::Out, seat, None);
                }
                self.playing[seat.index()] = plays;
            }
        }
        self.turns = Some(number);
        Ok(())
    }

    /// The match is over: everybody learns who lost.
    pub(crate) fn end(&mut self, replay: &Replay) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        for (index, placing) in replay.head.outcome.placings.iter().enumerate() {
            let seat = Seat::at(index);
            if self.playing[index] && placing.fate != Fate::Alive {
                self.mark(replay.head.turns, MarkKind::Out, seat, None);
            }
        }
        // Now it is also known why.
        for mark in self.marks.iter_mut().filter(|mark| mark.kind == MarkKind::Out) {
            mark.what = Some(replay.head.outcome.placings[mark.seat.index()].reason.clone());
        }
    }

    pub(crate) fn read_log(&mut self, log: &dyn Log) {
        while let Some(turn) = self.next_of_log(log) {
            self.count(turn, &|seat, counter| log.count(turn, seat, counter));
            self.turns = Some(turn);
        }
    }

    fn next_of_log(&self, log: &dyn Log) -> Option<u32> {
        let next = self.turns.map_or(0, |turns| turns + 1);
        (next <= log.turns()).then_some(next)
    }

    /// Notes the numbers of a moment; one that went up may be worth a mark.
    fn count(&mut self, turn: u32, number: &dyn Fn(Seat, usize) -> Option<u64>) {
        let sampled = turn.is_multiple_of(self.every);
        for (counter, about) in self.game.counters().iter().enumerate() {
            for seat in Seat::all(self.seats) {
                let now = number(seat, counter);
                let before = std::mem::replace(&mut self.last[counter][seat.index()], now);
                if about.marked && before.is_some_and(|before| now > Some(before)) && turn > 0 {
                    self.add(TimelineMark {
                        turn,
                        kind: MarkKind::Capture,
                        seat,
                        counter: Some(about.key),
                        what: None,
                    });
                }
                if sampled {
                    self.charts[counter][seat.index()].push(now);
                }
            }
        }
        let points = self.charts.first().and_then(|chart| chart.first()).map_or(0, Vec::len);
        if points > limits::CHART_POINTS {
            self.every *= 2;
            self.charts.iter_mut().flatten().for_each(leave_out_every_second);
            self.times.iter_mut().for_each(merge_pairs);
        }
    }

    /// Reads what has been recorded of times since.
    pub(crate) fn read_times(&mut self, replay: &Replay) {
        let new = replay.times().enumerate().skip(self.timed as usize).take(self.movers.len());
        for (index, spent) in new {
            let bucket = (index as u32 + 1).div_ceil(self.every) as usize;
            let Some(mover) = self.movers.get(index - self.timed as usize) else { break };
            let times = &mut self.times[usize::from(*mover) - 1];
            times.resize(times.len().max(bucket + 1), None);
            let micros = spent.wall.as_micros() as u64;
            // A built-in player's time is the host's, and is not measured.
            if micros > 0 {
                times[bucket] = times[bucket].max(Some(micros));
            }
        }
        self.timed += self.movers.len() as u32;
        self.movers.clear();
    }

    fn mark(&mut self, turn: u32, kind: MarkKind, seat: Seat, what: Option<Message>) {
        self.add(TimelineMark { turn, kind, seat, counter: None, what });
    }

    fn add(&mut self, mark: TimelineMark) {
        let alike = self.marks.iter().filter(|other| other.kind == mark.kind).count();
        if alike < limits::TIMELINE_MARKS {
            self.marks.push(mark);
        }
    }

    pub(crate) fn overview(&self) -> Overview {
        let points = self.charts.first().and_then(|chart| chart.first()).map_or(0, Vec::len);
        let millis = |micros: u64| micros as f64 / 1000.0;
        let times = self.times.iter().map(|times| {
            let mut times: Vec<_> = times.iter().map(|time| time.map(millis)).collect();
            times.resize(points, None);
            times
        });
        Overview {
            turns: self.turns.unwrap_or(0),
            every: self.every,
            counters: self.charts.clone(),
            times: times.collect(),
            marks: self.marks.clone(),
        }
    }
}

fn leave_out_every_second(points: &mut Vec<Option<u64>>) {
    let mut index = 0;
    points.retain(|_| {
        index += 1;
        index % 2 == 1
    });
}

/// The beginning stays; of the others each two become the greater one.
fn merge_pairs(points: &mut Vec<Option<u64>>) {
    let merged = points.get(1..).unwrap_or(&[]).chunks(2).map(|pair| pair.iter().copied().max().flatten());
    *points = std::iter::once(None).chain(merged).collect();
}
