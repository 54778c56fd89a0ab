//! Whether what is read of the text that a bot is sent is what its seat sees.

use palestra_core::encoding::{Page, Reader, Reading, Space, pick};
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{
    AnyGame, AnyState, Entrant, Heard, Match, Next, PlanRequest, Rng, Seat, Spent, TimeControl,
};

/// More turns are not drawn.
const MOST_TURNS: u32 = 2000;

/// A match that is read along.
#[derive(Clone, Copy, Debug)]
pub struct Readings<'a> {
    /// Settings that differ from their defaults.
    pub changes: &'a [(&'a str, &'a str)],
    /// The text of a map; without one it is generated.
    pub map: Option<&'a str>,
    /// How many players.
    pub players: u8,
    /// Decides everything.
    pub seed: u64,
    /// Of drawn answers one of so many comes too late; with 0 none.
    pub late: u32,
}

impl Readings<'_> {
    fn changes(&self) -> Vec<(String, String)> {
        self.changes.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    fn begin(&self, game: &dyn AnyGame, entrants: &[Entrant]) -> (Match, Space, Vec<Box<dyn Reader>>) {
        let changes = self.changes();
        let request =
            PlanRequest { changes: &changes, map: self.map, players: self.players, seed: self.seed };
        let plan = game.plan(&request).expect("a plan");
        let space = game.space(&plan).expect("its numbers");
        let readers = entrants.iter().map(|_| game.reader(&changes).expect("sound settings")).collect();
        let running = Match::new(game, plan, entrants, TimeControl::Unlimited).expect("a match");
        (running, space, readers)
    }

    /// Drawn actions, each seat a program that is sent text in pieces of some bytes. Gives how many turns there were.
    pub fn check_drawn(&self, game: &dyn AnyGame, piece: usize) -> u32 {
        let entrants: Vec<Entrant> =
            (0..self.players).map(|seat| Entrant::outside(seat.to_string())).collect();
        let (mut running, space, mut readers) = self.begin(game, &entrants);
        let mut rng = Rng::new(self.seed);
        let mut unread = vec![Vec::new(); entrants.len()];
        while running.turns() < MOST_TURNS
            && let Next::Ask(seat, _) = running.next()
        {
            let text = std::mem::take(running.outbox(seat));
            let reader = &mut *readers[seat.index()];
            read(reader, text.chunks(piece));
            let mut said = Vec::new();
            let mut answer = Vec::new();
            while !reader.answer(&said, &mut answer) {
                let mask = compare(reader, running.state(), &space, seat, &said).mask;
                let drawn = pick(&mask, &mut rng).expect("something is always allowed");
                let enough = space.several && said.len() > 4;
                said.push(if enough { space.actions - 1 } else { drawn });
            }
            said.push(space.actions - 1);
            assert!(!reader.answer(&said, &mut Vec::new()), "more than a turn");
            reader.answered(&answer);
            let written = &mut unread[seat.index()];
            written.append(&mut answer);
            if self.late > 0 && rng.below(self.late) == 0 {
                running.time_out(seat, Spent::NOTHING);
            } else {
                assert_eq!(running.receive(seat, &std::mem::take(written), Spent::NOTHING), Heard::TurnOver);
            }
        }
        let over = running.state().outcome().is_some();
        for (reader, seat) in readers.iter_mut().zip(Seat::all(self.players)).filter(|_| over) {
            let last = std::mem::take(running.outbox(seat));
            assert_eq!(reader.read(&last), Reading::Over);
        }
        running.turns()
    }

    /// Built-in players, whose every turn is read along. Gives how many there were.
    pub fn check_played(&self, game: &dyn AnyGame, names: &[&str]) -> u32 {
        let entrants: Vec<Entrant> = names.iter().copied().map(Entrant::built_in).collect();
        let (mut running, space, mut readers) = self.begin(game, &entrants);
        while running.next() != Next::Over {}
        let replay = running.finish(Vec::new()).expect("it is over").1;
        let mut cursor = Cursor::start(game, &replay).expect("a replay of this game");
        let mut greeted = vec![false; names.len()];
        while let Some(turn) = cursor.peek(&replay).expect("a sound replay") {
            let (seat, mut text) = (turn.seat, Vec::new());
            if !std::mem::replace(&mut greeted[seat.index()], true) {
                cursor.state().hello(seat, &mut text);
            }
            cursor.state().ask(seat, &mut text);
            let reader = &mut *readers[seat.index()];
            read(reader, [&text[..]].into_iter());
            compare(reader, cursor.state(), &space, seat, &[]);
            if let Recorded::Answer(recorded) = turn.input {
                let mut answer = Vec::new();
                let mut state = cursor.state().fork();
                state.decode_answer(recorded).expect("an answer");
                state.write_answer(&mut answer);
                reader.answered(&answer);
            }
            cursor.advance(&replay).expect("a sound replay");
        }
        replay.head.turns
    }
}

/// All of it is one turn.
fn read<'a>(reader: &mut dyn Reader, pieces: impl Iterator<Item = &'a [u8]>) {
    let readings: Vec<Reading> = pieces.map(|piece| reader.read(piece)).collect();
    let (last, before) = readings.split_last().expect("a turn has a text");
    assert_eq!(*last, Reading::Turn);
    assert!(before.iter().all(|reading| *reading == Reading::More));
}

/// Whatever is in a page before, the reader writes what the seat sees.
fn compare(reader: &dyn Reader, state: &dyn AnyState, space: &Space, seat: Seat, said: &[u32]) -> Page {
    assert_eq!((reader.space(), reader.seat()), (space, seat));
    let (mut seen, mut read) = (space.page(), space.page());
    read.planes.fill(0xaa);
    read.counts.fill(-7);
    read.globals.fill(-7);
    read.mask.fill(0xaa);
    state.observe(space, seat, said, &mut seen.open());
    reader.observe(said, &mut read.open());
    for (number, channel) in space.globals.iter().enumerate() {
        let [seen, read] = [&seen, &read].map(|page| page.globals[number]);
        assert_eq!(seen, read, "round {}, {seat}: {}", state.rounds(), channel.name);
    }
    assert!(seen == read, "round {}, {seat}", state.rounds());
    seen
}

/// Each of these texts is told to be none of this game's.
pub fn check_foreign(game: &dyn AnyGame, texts: &[&str]) {
    for text in texts {
        let mut reader = game.reader(&[]).expect("sound settings");
        assert_eq!(reader.read(text.as_bytes()), Reading::Foreign, "{text}");
    }
}
