// Two players take one to three stones from a heap, and who takes the last one wins.

use palestra_core::encoding::{self, Decoded, Encoding, Extent, Observation, Space, Unread, number};
use palestra_core::game::{Setup, State, View, ViewOf};
use palestra_core::legacy::Legacy;
use palestra_core::text::{Words, integer, push_number};
use palestra_core::{
    AnyGame, Bot, BuiltIn, Counter, Digest, Entrant, Eye, Fate, Fault, Folder, Game, Hides, Info, Input,
    Match, Message, Next, Notes, Outcome, Parsed, PlanRequest, Progress, Protocol, Replay, Rng, Seat,
    SetupError, Situation, TimeControl, Unit,
};

palestra_core::settings! {
    /// The constants of the rules.
    pub struct Rules {
        /// The most stones that may be taken in a turn.
        most: i64 = 3, in 1..=100;
    }
}

palestra_core::messages! {
    /// Everything that Nim has to tell people.
    pub enum Told {
        /// Took the last stone, or has nobody left to play against.
        Won {},
        /// The other one did.
        Lost {},
        /// Answered something else than a number of stones.
        NoNumber {},
    }
}

/// Where a game begins: how many stones there are.
#[derive(Clone)]
pub struct Heap(i64);

impl Setup for Heap {
    const ARGUMENTS: &'static [&'static str] = &[];
    type Settings = Rules;

    fn read(_: &Rules, text: &str) -> Result<Heap, SetupError> {
        let stones = text.trim().parse().ok().filter(|stones| *stones > 0);
        stones.map(Heap).ok_or_else(|| SetupError::new("a heap is a number of stones, at least 1"))
    }
    fn write(&self) -> String {
        self.0.to_string()
    }
    fn generate(_: &Rules, _numbers: &[u32], seed: u64) -> Result<Heap, SetupError> {
        Ok(Heap(10 + i64::from(Rng::new(seed).below(20))))
    }
    fn default_for(rules: &Rules, _players: u8, seed: u64) -> Result<Heap, SetupError> {
        Heap::generate(rules, &[], seed)
    }
    fn seats(&self) -> u8 {
        2
    }
}

/// A moment of a game.
#[derive(Clone)]
pub struct Position {
    stones: i64,
    most: i64,
    turns: u32,
    winner: Option<Seat>,
}

/// The other one of two players.
fn other(seat: Seat) -> Seat {
    Seat::at(1 - seat.index())
}

impl State for Position {
    type Setup = Heap;
    type Action = i64;
    type View<'a> = Eyes<'a>;

    fn start(rules: &Rules, heap: &Heap, _seed: u64) -> Result<Position, SetupError> {
        Ok(Position { stones: heap.0, most: rules.most, turns: 0, winner: None })
    }
    fn withdraw(&mut self, absent: &[Seat]) {
        self.winner = Some(other(absent[0]));
    }
    fn to_move(&self) -> Option<Seat> {
        self.winner.is_none().then(|| Seat::at(self.turns as usize % 2))
    }
    fn apply(&mut self, seat: Seat, input: Input<'_, i64>, _notes: &mut Notes) {
        self.turns += 1;
        match input {
            // Whoever takes too many, or does not answer, has lost.
            Input::Answer(taken) if (1..=self.most.min(self.stones)).contains(taken) => {
                self.stones -= taken;
                self.winner = (self.stones == 0).then_some(seat);
            }
            _ => self.winner = Some(other(seat)),
        }
    }
    fn outcome(&self) -> Option<Outcome> {
        let winner = self.winner?;
        let won: Vec<bool> = Seat::all(2).map(|seat| seat == winner).collect();
        Some(Outcome::by_rank(&won, |index, _, _| match won[index] {
            true => (Fate::Alive, Told::Won {}),
            false => (Fate::Out, Told::Lost {}),
        }))
    }
    fn rounds(&self) -> u32 {
        self.turns.div_ceil(2)
    }
    fn digest(&self, digest: &mut Digest) {
        digest.number(self.stones as u64);
        digest.number(u64::from(self.turns));
        digest.number(self.winner.map_or(0, |seat| u64::from(seat.number())));
    }
    fn disturb_hidden(&mut self, _seat: Seat, _rng: &mut Rng) -> bool {
        false
    }
}

/// What somebody may know of a game: here everything.
#[derive(Clone, Copy)]
pub struct Eyes<'a>(&'a Position, Eye);

impl<'a> View<'a> for Eyes<'a> {
    const COUNTERS: &'static [Counter] = &[];
    type State = Position;
    type Frame = serde_json::Value;

    fn new(position: &'a Position, eye: Eye) -> Eyes<'a> {
        Eyes(position, eye)
    }
    fn frame(self) -> serde_json::Value {
        serde_json::json!({ "stones": self.0.stones })
    }
    fn count(self, _seat: Seat, _counter: usize) -> Option<u64> {
        None
    }
}

/// The game.
pub struct Nim;

impl Game for Nim {
    const INFO: Info = Info {
        id: "nim",
        title: "Nim",
        summary: "who takes the last stone wins",
        rules_version: 1,
        min_seats: 2,
        max_seats: 2,
        time: TimeControl::Unlimited,
        hides: Hides::Nothing,
        round_word: "round",
        folder: Folder {
            rule_book: "# Nim",
            translations: &[],
            words: &[(
                "en",
                r#"{ "templates": { "won": "took the last stone", "lost": "the other one won" } }"#,
            )],
            maps: &[],
            protocol: "",
            packets: "",
            bots: &[],
            trained: &[],
            starters: &[],
            clients: &[],
            course: "",
        },
    };
    const BUILT_INS: &'static [BuiltIn<Nim>] = &[BuiltIn {
        name: "one",
        aliases: &[],
        level: Some(1),
        summary: "takes one stone",
        make: |_| Ok(Box::new(One)),
    }];
    type State = Position;

    fn messages() -> Vec<Message> {
        palestra_core::message::samples::<Told>()
    }
}

struct One;

impl Bot<Nim> for One {
    fn act(&mut self, _view: ViewOf<'_, Nim>, taken: &mut i64) -> Result<(), Fault> {
        *taken = 1;
        Ok(())
    }
}

impl Protocol for Nim {
    const SITUATIONS: &'static [Situation] = &[];
    const UNIT: Unit = Unit::Word;

    fn hello(view: ViewOf<'_, Nim>, out: &mut Vec<u8>) {
        let Eye::Seat(seat) = view.1 else { return };
        push_number(out, seat.number());
        out.push(b'\n');
    }
    fn ask(view: ViewOf<'_, Nim>, out: &mut Vec<u8>) {
        push_number(out, view.0.stones);
        out.push(b'\n');
    }
    fn parse(_: ViewOf<'_, Nim>, bytes: &[u8], _: &mut Progress, taken: &mut i64) -> Parsed {
        let mut words = Words::new(bytes);
        let Some(word) = words.next() else { return Parsed::NeedMore };
        let Some(number) = integer(word) else { return Parsed::malformed(Told::NoNumber {}) };
        *taken = number;
        Parsed::Done { used: words.used() }
    }
    fn write_answer(taken: &i64, out: &mut Vec<u8>) {
        push_number(out, *taken);
        out.push(b'\n');
    }
    fn dismissal(view: ViewOf<'_, Nim>, out: &mut Vec<u8>) -> bool {
        if view.0.winner.is_some() {
            out.extend_from_slice(b"0\n");
        }
        view.0.winner.is_some()
    }
}

/// What programs that learn see: how many stones there are. An action takes one stone more than its number.
impl Encoding for Nim {
    type Told = Known;

    fn extent(_heap: &Heap) -> Extent {
        Extent { rows: 0, columns: 0, players: 2 }
    }
    fn space(rules: &Rules, extent: Extent) -> Space {
        Space::of_cells(extent)
            .globals(&[("stones", 30)])
            .kind("take", &[("more_than_one", rules.most as u32)])
    }
    fn observe(_: &Space, view: ViewOf<'_, Nim>, _: &i64, out: &mut Observation<'_>) {
        out.write_globals([view.0.stones as i32]);
        for (more, allowed) in (1..).zip(&mut *out.mask) {
            *allowed = u8::from(more <= view.0.stones);
        }
    }
    fn decode(_: &Space, _: ViewOf<'_, Nim>, action: u32, taken: &mut i64) -> Decoded {
        *taken = i64::from(action) + 1;
        Decoded::Turn
    }
    fn encode(space: &Space, _: ViewOf<'_, Nim>, taken: &i64, out: &mut Vec<u32>) -> bool {
        let action = u32::try_from(taken - 1).ok().filter(|action| *action < space.actions);
        out.extend(action);
        action.is_some()
    }
}

/// What one bot knows: whose it is, and the game.
pub struct Known(Seat, Position);

impl encoding::Told<Nim> for Known {
    fn begin(rules: &Rules, words: &mut Words<'_>) -> Result<Known, Unread> {
        Ok(Known(Seat::new(number(words)?), Position { stones: 0, most: rules.most, turns: 0, winner: None }))
    }
    fn turn(&mut self, words: &mut Words<'_>) -> Result<bool, Unread> {
        self.1.stones = number(words)?;
        Ok(self.1.stones > 0)
    }
    fn extent(&self) -> Extent {
        Extent { rows: 0, columns: 0, players: 2 }
    }
    fn seat(&self) -> Seat {
        self.0
    }
    fn observe(&self, space: &Space, taken: &i64, out: &mut Observation<'_>) {
        Nim::observe(space, self.1.view(Eye::Seat(self.0)), taken, out);
    }
    fn decode(&self, space: &Space, action: u32, taken: &mut i64) -> Decoded {
        Nim::decode(space, self.1.view(Eye::Seat(self.0)), action, taken)
    }
}

impl Legacy for Nim {}

/// The replay of a match of two built-in players.
pub fn played(seed: u64) -> Replay {
    let plan = Nim.plan(&PlanRequest { changes: &[], map: None, players: 2, seed }).expect("a heap");
    let entrants = [Entrant::built_in("one"), Entrant::built_in("one")];
    let mut game = Match::new(&Nim, plan, &entrants, TimeControl::Unlimited).expect("two players");
    while game.next() != Next::Over {}
    game.finish(Vec::new()).expect("it is over").1
}
