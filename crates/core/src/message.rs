//! What there is to tell a person, as data: why somebody is out, what a bot did wrong, what the rules remark. It
//! travels as a code and the values that belong to it; a [`Catalog`](crate::Catalog) makes the sentence, in the language
//! of whoever looks.
//!
//! A game declares its messages as closed enums with [`messages!`](crate::messages!).

use crate::seat::Seat;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// One of the messages of core or of a game, without its type.
///
/// As JSON it is an object: `{"code": "captured", "by": 2, "round": 31}`. Replays, logs and databases of versions that
/// had no codes hold an English sentence instead, which is read and written as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// The code, under `code`, and the values by name: numbers, lists of numbers, texts, or messages again.
    Coded(Map<String, Value>),
    /// A sentence of an earlier version. Empty where nothing may be told.
    Sentence(String),
}

impl Message {
    /// This variant of an enum that [`messages!`](crate::messages!) has declared.
    pub fn of(message: &impl Serialize) -> Message {
        match serde_json::to_value(message) {
            Ok(Value::Object(values)) => Message::Coded(values),
            other => panic!("a message is an object with a code, and not {other:?}"),
        }
    }

    /// What stands where nothing may be told.
    pub const fn none() -> Message {
        Message::Sentence(String::new())
    }

    /// Whether it says nothing.
    pub fn is_none(&self) -> bool {
        matches!(self, Message::Sentence(sentence) if sentence.is_empty())
    }

    /// Which message it is; empty for a sentence.
    pub fn code(&self) -> &str {
        match self {
            Message::Coded(values) => values.get("code").and_then(Value::as_str).unwrap_or_default(),
            Message::Sentence(_) => "",
        }
    }

    /// One of its values.
    pub fn value(&self, name: &str) -> Option<&Value> {
        match self {
            Message::Coded(values) => values.get(name),
            Message::Sentence(_) => None,
        }
    }

    /// As one text, for storage that knows no objects: JSON, or the sentence.
    pub fn to_text(&self) -> String {
        match self {
            Message::Coded(values) => Value::Object(values.clone()).to_string(),
            Message::Sentence(sentence) => sentence.clone(),
        }
    }

    /// Out of such a text.
    pub fn from_text(text: String) -> Message {
        match serde_json::from_str(&text) {
            Ok(Value::Object(values)) if values.contains_key("code") => Message::Coded(values),
            _ => Message::Sentence(text),
        }
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Message::Coded(values) if serializer.is_human_readable() => values.serialize(serializer),
            _ => self.to_text().serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Message, D::Error> {
        if !deserializer.is_human_readable() {
            return String::deserialize(deserializer).map(Message::from_text);
        }
        match Value::deserialize(deserializer)? {
            Value::Object(values) => Ok(Message::Coded(values)),
            Value::String(sentence) => Ok(Message::Sentence(sentence)),
            _ => Err(D::Error::custom("a message is an object or a text")),
        }
    }
}

/// What can be made up to see how it reads: tests walk every message of every game through every language.
pub trait Sample: Sized {
    /// One of the values to try; which numbers give which does not matter, but small ones give all there are.
    fn sample(number: usize) -> Self;
}

/// Numbers that languages count differently.
const NUMBERS: [u8; 3] = [1, 2, 5];

macro_rules! sample_numbers {
    ($($type:ty)*) => {$(
        impl Sample for $type {
            fn sample(number: usize) -> $type {
                NUMBERS[number % NUMBERS.len()].into()
            }
        }
    )*};
}
sample_numbers!(u32 u64 i32 i64);

impl Sample for Seat {
    fn sample(number: usize) -> Seat {
        Seat::new(NUMBERS[number % NUMBERS.len()])
    }
}

impl<T: Sample, const N: usize> Sample for [T; N] {
    fn sample(number: usize) -> [T; N] {
        std::array::from_fn(|index| T::sample(number + index))
    }
}

impl<T: Sample> Sample for Box<T> {
    fn sample(number: usize) -> Box<T> {
        Box::new(T::sample(number))
    }
}

impl Sample for String {
    fn sample(_: usize) -> String {
        "hello".to_owned()
    }
}

/// Declares the messages of a game as a closed enum: variants with named fields, `{}` where there are none.
///
/// The code of a message is its variant's name in snake case, and stays what it is for ever: replays, logs and
/// translations know it. Fields are numbers, seats, places of cells, texts, or enums declared in the same way.
///
/// ```
/// use palestra_core::{Message, Seat};
///
/// palestra_core::messages! {
///     /// Why somebody is out.
///     pub enum Reason {
///         /// Somebody else took its last city.
///         Captured { by: Seat, round: u32 },
///     }
/// }
///
/// let message = Message::from(Reason::Captured { by: Seat::new(2), round: 31 });
/// assert_eq!(message.to_text(), r#"{"code":"captured","by":2,"round":31}"#);
/// ```
#[macro_export]
macro_rules! messages {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident {
            $($(#[$doc:meta])* $variant:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? }),* $(,)?
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
        #[serde(tag = "code", rename_all = "snake_case")]
        #[allow(clippy::enum_variant_names, reason = "a variant is a code, which has to say by itself what it is of")]
        $vis enum $name {
            $($(#[$doc])* $variant { $($(#[$field_doc])* $field: $type),* }),*
        }

        impl $crate::message::Sample for $name {
            fn sample(number: usize) -> $name {
                let variants: &[fn(usize) -> $name] = &[
                    $(|_number| $name::$variant { $($field: $crate::message::Sample::sample(_number)),* }),*
                ];
                variants[number % variants.len()](number / variants.len())
            }
        }

        impl From<$name> for $crate::Message {
            fn from(message: $name) -> $crate::Message {
                $crate::Message::of(&message)
            }
        }
    };
}

/// Gives the messages of a crate their words, which are in its folder `words`: `Display` says one in English, and a test
/// walks every one of them through every language, against `golden/messages.json`.
#[macro_export]
macro_rules! crate_words {
    ($message:ident) => {
        impl std::fmt::Display for $message {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                static ENGLISH: std::sync::LazyLock<$crate::Catalog> =
                    std::sync::LazyLock::new(|| catalog($crate::catalog::LANGUAGES[0]));
                f.write_str(&ENGLISH.say(&$crate::Message::of(self)))
            }
        }

        fn catalog(language: &'static str) -> $crate::Catalog {
            $crate::Catalog::core(language).with(&[
                ("en", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/words/en.json"))),
                ("hu", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/words/hu.json"))),
                ("ru", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/words/ru.json"))),
            ])
        }

        #[cfg(test)]
        #[test]
        fn golden_messages_in_every_language() {
            let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
            let said = $crate::message::samples::<$message>();
            let (golden, words) = (here.join("golden/messages.json"), here.join("words"));
            palestra_testkit::check_messages(&golden, &words, &said, catalog);
        }
    };
}

messages! {
    /// What is the same in every game: fates and kinds of faults, for tables, and what is noticed outside of the rules.
    pub enum Common {
        /// Still in the game at its end.
        Alive {},
        /// Beaten.
        Out {},
        /// Removed for a fault or a breach of the rules.
        Disqualified {},
        /// Out before the first turn.
        NotStarted {},
        /// Did not come to a match of an event.
        Absent {},
        /// The kind of a fault.
        TooLong {},
        /// The kind of a fault.
        Exited {},
        /// A bot was stopped outside its turns.
        ComputedOffTurn {},
        /// A person's answer is refused: somebody else is to move.
        NotYourTurn {},
        /// A person's answer is refused: it holds several.
        SeveralAnswers {},
        /// A person's answer is refused: more would have to follow.
        IncompleteAnswer {},
        /// A person's answer is refused, and the rules give no reason of their own.
        AgainstTheRules {},
    }
}

/// Every message of an enum, several times where it has values.
pub fn samples<M: Sample + Into<Message>>() -> Vec<Message> {
    let mut all: Vec<Message> = Vec::new();
    for message in (0..SAMPLED).map(|number| M::sample(number).into()) {
        if !all.contains(&message) {
            all.push(message);
        }
    }
    all
}

/// Enough for every variant of an enum with every variant of the enums inside it.
const SAMPLED: usize = 1000;
