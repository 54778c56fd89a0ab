//! Sentences from messages: the templates of one language. `web/src/catalog.ts` does the same for the page, from the
//! same files: `words/LANGUAGE.json` here, and in the folder of each game.
//!
//! A template has gaps for the values of its message: `captured by seat {by} in round {round}`. A gap with a noun behind
//! a colon, `{rounds:round}`, is a number with that noun in the form which the number asks for; the forms are those of
//! [CLDR](https://cldr.unicode.org/index/cldr-spec/plural-rules), under `plurals`; but behind `{key:counter}` it is what the
//! game calls the counter of that key, under `counters`. A list of numbers, the place of a cell,
//! is told as `(3, 4)`, and a value that is itself a message in its own words.

use crate::game::Info;
use crate::message::{self, Common, Message};
use crate::notes::Note;
use crate::{clock, course, defeat, fault};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The languages that everything is told in, English first.
pub const LANGUAGES: [&str; 3] = ["en", "hu", "ru"];

/// Messages hold messages, but no game's more than two deep: one that goes on and on is no message of ours.
const DEPTH: u32 = 4;

const CORE: [(&str, &str); 3] = [
    ("en", include_str!("../words/en.json")),
    ("hu", include_str!("../words/hu.json")),
    ("ru", include_str!("../words/ru.json")),
];

/// Every message of core, for tests.
pub fn samples() -> Vec<Message> {
    [message::samples::<Common>(), fault::samples(), clock::samples(), defeat::samples(), course::samples()]
        .concat()
}

/// What a game says in one language, and what core says of every game.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/nim/game.rs")); }
/// # use nim::{Nim, Told};
/// use palestra_core::{Catalog, Game as _};
///
/// let english = Catalog::english(&Nim::INFO);
/// assert_eq!(english.say(&Told::Won {}.into()), "took the last stone");
/// ```
#[derive(Clone, Debug)]
pub struct Catalog {
    title: &'static str,
    language: &'static str,
    words: Words,
}

/// What a file of words holds for the program. The rest of it is for the page: the game's summary, what its viewer says.
#[derive(Clone, Debug, Default, Deserialize)]
struct Words {
    templates: BTreeMap<String, String>,
    #[serde(default)]
    plurals: BTreeMap<String, BTreeMap<String, String>>,
    #[serde(default)]
    counters: BTreeMap<String, String>,
    #[serde(default)]
    course: BTreeMap<String, StepWords>,
}

/// What people are told about a step of a game's course.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepWords {
    /// In a few words.
    pub title: String,
    /// What to do, and in what situation.
    pub task: String,
    /// What to try if it does not come off.
    pub hint: String,
}

impl Catalog {
    /// For people who read English, of this game.
    pub fn english(game: &Info) -> Catalog {
        Catalog::of(game, LANGUAGES[0])
    }

    /// In one of [`LANGUAGES`], of this game.
    pub fn of(game: &Info, language: &'static str) -> Catalog {
        let mut catalog = Catalog { title: game.title, ..Catalog::core(language) };
        catalog.add(file(game.folder.words, language));
        catalog
    }

    /// In one of [`LANGUAGES`], of no game in particular.
    pub fn core(language: &'static str) -> Catalog {
        let mut catalog = Catalog { title: "", language, words: Words::default() };
        catalog.add(file(&CORE, language));
        catalog
    }

    /// With the words of these files too, by language: those of a crate that says something of its own.
    #[must_use]
    pub fn with(mut self, files: &[(&str, &str)]) -> Catalog {
        self.add(file(files, self.language));
        self
    }

    /// Where both have a template, that of the file counts.
    fn add(&mut self, file: &str) {
        let words: Words = serde_json::from_str(file).expect("words are checked by tests");
        self.words.templates.extend(words.templates);
        self.words.plurals.extend(words.plurals);
        self.words.counters.extend(words.counters);
        self.words.course.extend(words.course);
    }

    /// What people call the game; empty if it is of none in particular.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// The sentence for people.
    pub fn say(&self, message: &Message) -> String {
        self.say_within(message, DEPTH)
    }

    /// A remark with its turn: `turn 3: order 1 skipped`.
    pub fn say_note(&self, note: &Note) -> String {
        match note.turn {
            0 => self.say(&note.what),
            turn => format!("turn {turn}: {}", self.say(&note.what)),
        }
    }

    fn say_within(&self, message: &Message, depth: u32) -> String {
        if let Message::Sentence(sentence) = message {
            return sentence.clone();
        }
        match self.words.templates.get(message.code()).filter(|_| depth > 0) {
            Some(template) => fill(template, |gap| {
                let (name, noun) = gap.split_once(':').map_or((gap, None), |(name, noun)| (name, Some(noun)));
                let value = message.value(name)?;
                match noun {
                    None => Some(self.tell(value, depth - 1)),
                    Some("counter") => value.as_str().map(|key| self.counter(key).to_owned()),
                    Some(noun) => self.count(value.as_i64()?, noun),
                }
            }),
            // Only a message of a later version, or a made-up one.
            None => message.to_text(),
        }
    }

    /// What people call the counter of this key.
    pub fn counter<'a>(&'a self, key: &'a str) -> &'a str {
        self.words.counters.get(key).map_or(key, String::as_str)
    }

    /// What people are told about the step of this name.
    pub fn step(&self, name: &str) -> Option<&StepWords> {
        self.words.course.get(name)
    }

    fn tell(&self, value: &Value, depth: u32) -> String {
        match value {
            Value::String(text) => text.clone(),
            Value::Array(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(Value::to_string).collect();
                format!("({})", numbers.join(", "))
            }
            Value::Object(values) => self.say_within(&Message::Coded(values.clone()), depth),
            other => other.to_string(),
        }
    }

    /// A number with its noun: `3 rounds`.
    fn count(&self, number: i64, noun: &str) -> Option<String> {
        let forms = self.words.plurals.get(noun)?;
        let form = forms.get(plural(self.language, number.unsigned_abs())).or_else(|| forms.get("other"))?;
        Some(fill(form, |_| Some(number.to_string())))
    }
}

/// The template with every `{gap}` filled; one without a value stays as it is.
fn fill(template: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::with_capacity(2 * template.len());
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        let Some((gap, after)) = behind.split_once('}') else {
            text.push('{');
            rest = behind;
            continue;
        };
        match value(gap) {
            Some(value) => text.push_str(&value),
            None => text.extend(["{", gap, "}"]),
        }
        rest = after;
    }
    text + rest
}

/// The CLDR category of a whole number.
fn plural(language: &str, number: u64) -> &'static str {
    match (language, number % 10, number % 100) {
        ("ru", 1, tens) if tens != 11 => "one",
        ("ru", 2..=4, tens) if !(12..=14).contains(&tens) => "few",
        ("ru", ..) => "many",
        _ if number == 1 => "one",
        _ => "other",
    }
}

fn file<'a>(files: &[(&str, &'a str)], language: &str) -> &'a str {
    let found = files.iter().find(|(code, _)| *code == language);
    found.map_or_else(|| panic!("there are no words in \"{language}\""), |(_, file)| file)
}

#[cfg(test)]
mod tests;
