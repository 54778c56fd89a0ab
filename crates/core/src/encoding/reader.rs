//! What a bot is sent, told in numbers: for a policy that plays as a program. What is the same in every game; what its text says is
//! the game's own [`Told`].

use super::{Decoded, Encoding, Extent, Observation, Space, whole_turn};
use crate::game::{ActionOf, SettingsOf};
use crate::seat::Seat;
use crate::text::{Words, integer};

/// What the bot of one seat knows: what it has been sent, and what follows from its own answers.
pub trait Told<G: Encoding>: Send + Sized {
    /// Reads what is said before the first turn.
    fn begin(settings: &SettingsOf<G>, words: &mut Words<'_>) -> Result<Self, Unread>;
    /// Reads a turn; false if the game is over. It is begun again when more is there: until the last word is read, nothing may
    /// have changed that does not change back.
    fn turn(&mut self, words: &mut Words<'_>) -> Result<bool, Unread>;
    /// How large the board is.
    fn extent(&self) -> Extent;
    /// Whose bot it is: known in a turn.
    fn seat(&self) -> Seat;
    /// Writes what [`Encoding::observe`] does of the seat's view.
    fn observe(&self, space: &Space, pending: &ActionOf<G>, out: &mut Observation<'_>);
    /// See [`Encoding::decode`].
    fn decode(&self, space: &Space, action: u32, pending: &mut ActionOf<G>) -> Decoded;
    /// Is told what it has answered, as text.
    fn answered(&mut self, _text: &[u8]) {}
}

/// Why something cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unread {
    /// It is not there as a whole.
    More,
    /// This game does not say that.
    Foreign,
}

/// The next word, as soon as all of it is there.
pub fn word<'a>(words: &mut Words<'a>) -> Result<&'a [u8], Unread> {
    words.next().ok_or(Unread::More)
}

/// The next word as a number that a game says there.
pub fn number<T: TryFrom<i64>>(words: &mut Words<'_>) -> Result<T, Unread> {
    integer(word(words)?).and_then(|number| T::try_from(number).ok()).ok_or(Unread::Foreign)
}

/// Reads what the bot of one seat is sent in a match: what it observes is what [`Encoding::observe`] writes of that seat's view.
pub trait Reader: Send {
    /// Takes more of what is sent; says how far that leads. After a turn, call it again when that is answered.
    fn read(&mut self, bytes: &[u8]) -> Reading;
    /// What observations and actions are: known in a turn.
    fn space(&self) -> &Space;
    /// Whose turn it is: known in a turn.
    fn seat(&self) -> Seat;
    /// Writes what is seen in this turn, when these actions have been said in it.
    fn observe(&self, said: &[u32], out: &mut Observation<'_>);
    /// Is told every answer as text, before more is read: something of what is seen may follow from what was done.
    fn answered(&mut self, text: &[u8]);
    /// Writes the answer that these actions are; false if they are not exactly those of one turn.
    fn answer(&self, actions: &[u32], out: &mut Vec<u8>) -> bool;
}

/// How far a bot has come in what it is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// A turn is not there as a whole.
    More,
    /// It is to answer.
    Turn,
    /// The game is over for it.
    Over,
    /// This game does not say that.
    Foreign,
}

/// Reads text.
pub(crate) struct TextReader<G: Encoding> {
    settings: SettingsOf<G>,
    /// What was not read yet.
    text: Vec<u8>,
    begun: Option<(Space, G::Told)>,
}

impl<G: Encoding> TextReader<G> {
    pub(crate) fn new(settings: SettingsOf<G>) -> TextReader<G> {
        TextReader { settings, text: Vec::new(), begun: None }
    }

    fn take(&mut self) -> Result<bool, Unread> {
        let mut words = Words::new(&self.text);
        let (_, told) = match &mut self.begun {
            Some(begun) => begun,
            None => {
                let told = G::Told::begin(&self.settings, &mut words)?;
                let space = G::space(&self.settings, told.extent());
                let used = words.used();
                self.text.drain(..used);
                words = Words::new(&self.text);
                self.begun.insert((space, told))
            }
        };
        let asked = told.turn(&mut words)?;
        let used = words.used();
        self.text.drain(..used);
        Ok(asked)
    }

    fn begun(&self) -> (&Space, &G::Told) {
        let (space, told) = self.begun.as_ref().expect("a turn was read");
        (space, told)
    }
}

impl<G: Encoding> Reader for TextReader<G> {
    fn read(&mut self, bytes: &[u8]) -> Reading {
        self.text.extend_from_slice(bytes);
        match self.take() {
            Ok(true) => Reading::Turn,
            Ok(false) => Reading::Over,
            Err(Unread::More) => Reading::More,
            Err(Unread::Foreign) => Reading::Foreign,
        }
    }

    fn space(&self) -> &Space {
        self.begun().0
    }

    fn seat(&self) -> Seat {
        self.begun().1.seat()
    }

    fn observe(&self, said: &[u32], out: &mut Observation<'_>) {
        let (space, told) = self.begun();
        let mut pending = ActionOf::<G>::default();
        for action in said {
            told.decode(space, *action, &mut pending);
        }
        told.observe(space, &pending, out);
    }

    fn answered(&mut self, text: &[u8]) {
        if let Some((_, told)) = &mut self.begun {
            told.answered(text);
        }
    }

    fn answer(&self, actions: &[u32], out: &mut Vec<u8>) -> bool {
        let (space, told) = self.begun();
        let mut pending = ActionOf::<G>::default();
        let whole = whole_turn(space, actions, |action| told.decode(space, action, &mut pending));
        if whole {
            G::write_answer(&pending, out);
        }
        whole
    }
}
