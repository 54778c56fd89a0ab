//! A game in progress without its types: the rules' state, the answer that was read last, and the built-in players.

use crate::digest::Digest;
use crate::encoding::{Encoding, Observation, Space, whole_turn};
use crate::fault::Fault;
use crate::game::{ActionOf, Bot, Input, Parsed, SetupError, State, View, ViewOf, built_in};
use crate::inbox::{Progress, Unit};
use crate::notes::Notes;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::seat::{Eye, Seat};
use serde_json::Value;

/// One game in progress, without its types. It keeps one answer pending: the last that was parsed, decoded, or thought of.
pub trait AnyState: Send {
    /// How many seats it has.
    fn seats(&self) -> u8;
    /// See [`State::introduce`].
    fn introduce(&mut self, labels: &[String]);
    /// Whose turn it is; `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;
    /// Whether this seat may still be asked.
    fn plays(&self, seat: Seat) -> bool;
    /// Rounds so far, the running one included as soon as somebody has moved in it.
    fn rounds(&self) -> u32;
    /// Appends what a bot is told once, at the start.
    fn hello(&self, seat: Seat, out: &mut Vec<u8>);
    /// Appends what a bot is told when it is to move.
    fn ask(&self, seat: Seat, out: &mut Vec<u8>);
    /// Appends the last words to a seat and says true, once they are due.
    fn dismissal(&self, seat: Seat, out: &mut Vec<u8>) -> bool;

    /// What answers are made of.
    fn unit(&self) -> Unit;
    /// Reads an answer, going on from this progress with what is pending.
    fn parse_on(&mut self, seat: Seat, bytes: &[u8], progress: &mut Progress) -> Parsed;
    /// Reads an answer from its beginning.
    fn parse(&mut self, seat: Seat, bytes: &[u8]) -> Parsed {
        self.parse_on(seat, bytes, &mut Progress::default())
    }
    /// Lets the built-in player of a seat answer.
    fn think(&mut self, seat: Seat) -> Result<(), Fault>;
    /// Reads an answer as a replay keeps it; says how many bytes it took, or `None` if it is none.
    fn decode_answer(&mut self, recorded: &[u8]) -> Option<usize>;
    /// Appends the pending answer, as a replay keeps it.
    fn encode_answer(&self, out: &mut Vec<u8>);
    /// Appends the pending answer, as a bot writes it.
    fn write_answer(&self, out: &mut Vec<u8>);
    /// Whether the pending answer is the same as this one of a replay.
    fn answer_is(&self, recorded: &[u8]) -> bool;

    /// Carries out the pending answer, as the `turn`-th turn of the match.
    fn apply(&mut self, seat: Seat, turn: u32);
    /// Carries out a turn without an answer, or takes out a player who has left while it was not to move.
    fn fault(&mut self, seat: Seat, turn: u32, fault: &Fault);

    /// Remarks so far.
    fn notes(&self) -> &Notes;
    /// How it ended.
    fn outcome(&self) -> Option<Outcome>;
    /// The fingerprint of the state.
    fn digest(&self) -> [u8; 32] {
        self.digest_on(Digest::default())
    }
    /// The same, begun in another way.
    fn digest_on(&self, digest: Digest) -> [u8; 32];
    /// What these eyes see, as one JSON object.
    fn frame(&self, eye: Eye) -> Value;
    /// See [`View::count`].
    fn count(&self, eye: Eye, seat: Seat, counter: usize) -> Option<u64>;
    /// Writes what a seat sees as numbers, when it has said these actions in its turn; see [`Encoding::observe`].
    fn observe(&self, space: &Space, seat: Seat, said: &[u32], out: &mut Observation<'_>);
    /// Makes these actions the pending answer; false if they are not exactly the actions of one turn.
    fn decode_actions(&mut self, space: &Space, seat: Seat, actions: &[u32]) -> bool;
    /// The actions that make up the pending answer; `None` if none say the same.
    fn encode_actions(&self, space: &Space, seat: Seat) -> Option<Vec<u32>>;
    /// A copy of the game as it stands, to go on from; without built-in players, and with no remarks yet.
    fn fork(&self) -> Box<dyn AnyState>;
    /// Puts a built-in player on a seat.
    fn seat_built_in(&mut self, seat: Seat, name: &str, seed: u64) -> Result<(), SetupError>;
    /// See [`State::disturb_hidden`].
    fn disturb_hidden(&mut self, seat: Seat, seed: u64) -> bool;
}

/// The state of a game with its types, as the erased one has it inside.
pub struct TypedState<G: Encoding> {
    state: G::State,
    seats: u8,
    pending: ActionOf<G>,
    bots: Vec<Option<Box<dyn Bot<G>>>>,
    notes: Notes,
}

impl<G: Encoding> TypedState<G> {
    pub(crate) fn new(state: G::State, seats: u8) -> TypedState<G> {
        let bots = (0..seats).map(|_| None).collect();
        TypedState { state, seats, pending: ActionOf::<G>::default(), bots, notes: Notes::kept() }
    }

    /// The state of the rules, and the pending answer.
    pub(crate) fn parts(&mut self) -> (&mut G::State, &ActionOf<G>) {
        (&mut self.state, &self.pending)
    }

    /// The state of the rules.
    pub fn inner(&self) -> &G::State {
        &self.state
    }

    pub(crate) fn into_inner(self) -> G::State {
        self.state
    }

    fn view(&self, seat: Seat) -> ViewOf<'_, G> {
        self.state.view(Eye::Seat(seat))
    }
}

impl<G: Encoding> AnyState for TypedState<G> {
    fn seats(&self) -> u8 {
        self.seats
    }

    fn introduce(&mut self, labels: &[String]) {
        self.state.introduce(labels);
    }

    fn to_move(&self) -> Option<Seat> {
        self.state.to_move()
    }

    fn plays(&self, seat: Seat) -> bool {
        self.state.plays(seat)
    }

    fn rounds(&self) -> u32 {
        self.state.rounds()
    }

    fn hello(&self, seat: Seat, out: &mut Vec<u8>) {
        G::hello(self.view(seat), out);
    }

    fn ask(&self, seat: Seat, out: &mut Vec<u8>) {
        G::ask(self.view(seat), out);
    }

    fn dismissal(&self, seat: Seat, out: &mut Vec<u8>) -> bool {
        G::dismissal(self.view(seat), out)
    }

    fn unit(&self) -> Unit {
        G::UNIT
    }

    fn parse_on(&mut self, seat: Seat, bytes: &[u8], progress: &mut Progress) -> Parsed {
        G::parse(self.state.view(Eye::Seat(seat)), bytes, progress, &mut self.pending)
    }

    fn think(&mut self, seat: Seat) -> Result<(), Fault> {
        let bot = self.bots[seat.index()].as_mut().expect("a built-in player sits here");
        bot.act(self.state.view(Eye::Seat(seat)), &mut self.pending)
    }

    fn decode_answer(&mut self, recorded: &[u8]) -> Option<usize> {
        let (action, rest) = postcard::take_from_bytes(recorded).ok()?;
        self.pending = action;
        Some(recorded.len() - rest.len())
    }

    fn encode_answer(&self, out: &mut Vec<u8>) {
        let start = out.len();
        // Writing to memory cannot fail, and an action is plain data.
        postcard::to_io(&self.pending, &mut *out).expect("an answer can be recorded");
        debug_assert!(out.len() > start, "an answer takes at least a byte");
    }

    fn write_answer(&self, out: &mut Vec<u8>) {
        G::write_answer(&self.pending, out);
    }

    fn answer_is(&self, recorded: &[u8]) -> bool {
        postcard::from_bytes::<ActionOf<G>>(recorded).is_ok_and(|action| action == self.pending)
    }

    fn apply(&mut self, seat: Seat, turn: u32) {
        self.notes.begin_turn(turn);
        self.state.apply(seat, Input::Answer(&self.pending), &mut self.notes);
    }

    fn fault(&mut self, seat: Seat, turn: u32, fault: &Fault) {
        self.notes.begin_turn(turn);
        self.state.apply(seat, Input::Fault(fault), &mut self.notes);
    }

    fn notes(&self) -> &Notes {
        &self.notes
    }

    fn outcome(&self) -> Option<Outcome> {
        self.state.outcome()
    }

    fn digest_on(&self, mut digest: Digest) -> [u8; 32] {
        self.state.digest(&mut digest);
        digest.finish()
    }

    fn frame(&self, eye: Eye) -> Value {
        serde_json::to_value(self.state.view(eye).frame()).expect("a frame is plain data")
    }

    fn count(&self, eye: Eye, seat: Seat, counter: usize) -> Option<u64> {
        self.state.view(eye).count(seat, counter)
    }

    fn observe(&self, space: &Space, seat: Seat, said: &[u32], out: &mut Observation<'_>) {
        let mut pending = ActionOf::<G>::default();
        for action in said {
            G::decode(space, self.view(seat), *action, &mut pending);
        }
        G::observe(space, self.view(seat), &pending, out);
    }

    fn decode_actions(&mut self, space: &Space, seat: Seat, actions: &[u32]) -> bool {
        G::clear(&mut self.pending);
        let view = self.state.view(Eye::Seat(seat));
        whole_turn(space, actions, |action| G::decode(space, view, action, &mut self.pending))
    }

    fn encode_actions(&self, space: &Space, seat: Seat) -> Option<Vec<u32>> {
        let mut actions = Vec::new();
        G::encode(space, self.view(seat), &self.pending, &mut actions).then_some(actions)
    }

    fn fork(&self) -> Box<dyn AnyState> {
        Box::new(TypedState::<G>::new(self.state.clone(), self.seats))
    }

    fn seat_built_in(&mut self, seat: Seat, name: &str, seed: u64) -> Result<(), SetupError> {
        self.bots[seat.index()] = Some(built_in::<G>(name, seat, seed)?);
        Ok(())
    }

    fn disturb_hidden(&mut self, seat: Seat, seed: u64) -> bool {
        self.state.disturb_hidden(seat, &mut Rng::stream(seed, "disturb", 0))
    }
}
