//! What a game's `protocol.toml` says: which words a bot is sent, line by line, and which it answers with.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why a description cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DescriptionError {
    /// It is not of the form that a description has.
    #[error("protocol.toml cannot be read: {0}")]
    Form(String),
    /// A word between braces, or one that says how often, that nothing describes.
    #[error("protocol.toml uses the word \"{0}\" without a table [words.{0}]")]
    Undescribed(String),
    /// Lines that are repeated need a name for all of them.
    #[error("the line \"{0}\" of protocol.toml is repeated, but has no list")]
    Nameless(String),
    /// A line of several words that is repeated needs a name for one of them.
    #[error("the line \"{0}\" of protocol.toml has several words and is repeated, but has no record")]
    NoRecord(String),
    /// A board needs lines of several words, and a word for its width.
    #[error("the grid of protocol.toml needs a list of records, and a word as its width; \"{0}\" is none")]
    NoGrid(String),
    /// Something that means something else in one of the languages.
    #[error("\"{0}\" is a word of some programming language; call it otherwise in protocol.toml")]
    Reserved(String),
}

/// The protocol of a game.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// What comes before the first turn.
    #[serde(default)]
    pub start: Vec<Line>,
    /// What comes before each turn.
    pub turn: Vec<Line>,
    /// Which lines are the cells of a board.
    pub grid: Option<Grid>,
    /// What is answered.
    pub answer: Answers,
    /// What every word means.
    pub words: BTreeMap<String, Word>,
}

/// Lines that are the cells of a board, row by row.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// What all of them are called.
    pub list: String,
    /// The word that says how many are in a row.
    pub width: String,
}

/// A line that a bot is sent: words as they are, and names of words between braces.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The line.
    pub line: String,
    /// How often it comes: names of words, with `*` between them.
    pub times: Option<String>,
    /// How often its only word comes in it, likewise.
    pub across: Option<String>,
    /// What all of them are called, if it comes more than once.
    pub list: Option<String>,
    /// What one of them is called.
    pub record: Option<String>,
    /// Whether the game is over when this line comes, or when another one comes in its place.
    pub over: Option<Over>,
    /// What it means.
    pub en: Option<String>,
    /// What it means.
    pub hu: Option<String>,
    /// What it means.
    pub ru: Option<String>,
}

/// When the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// When this line comes, instead of those behind it.
    When,
    /// When another line comes than this one.
    Otherwise,
}

/// What can be answered.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// How lines make up an answer.
    pub form: Form,
    /// The line that ends an answer of the form `ended`.
    #[serde(default)]
    pub end: String,
    /// The lines there are.
    pub lines: Vec<AnswerLine>,
}

/// How lines make up an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// An answer is one line.
    One,
    /// First a line with their number, then the lines.
    Counted,
    /// First the lines, then one that ends the answer.
    Ended,
}

/// A line of an answer.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerLine {
    /// What the function that makes it is called.
    pub name: String,
    /// The line.
    pub line: String,
    /// What it means.
    pub en: String,
    /// What it means.
    pub hu: String,
    /// What it means.
    pub ru: String,
}

/// A word that changes from line to line.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Word {
    /// What it can be.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// It is only there when all of these hold: `visible`, `kind != 4`.
    #[serde(default)]
    pub only: Vec<String>,
    /// Names for what it can be.
    #[serde(default)]
    pub values: BTreeMap<String, Value>,
    /// What it means.
    pub en: String,
    /// What it means.
    pub hu: String,
    /// What it means.
    pub ru: String,
}

/// What a word can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `1` or `0`.
    Flag,
    /// An integer of at most 32 bits.
    Int,
    /// An integer of at most 64 bits.
    Long,
    /// Any word.
    Word,
}

impl Kind {
    /// Whether it can be this word.
    pub(crate) fn can_be(self, word: &str) -> bool {
        match self {
            Kind::Flag => word == "0" || word == "1",
            Kind::Int => word.parse::<i32>().is_ok(),
            Kind::Long => word.parse::<i64>().is_ok(),
            Kind::Word => true,
        }
    }
}

/// One of the things that a word can be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A word.
    Word(String),
}

/// A part of a line.
pub(crate) enum Part<'a> {
    /// A word that is always the same.
    Fixed(&'a str),
    /// The name of a word.
    Named(&'a str),
}

/// The parts of a line.
pub(crate) fn parts(line: &str) -> impl Iterator<Item = Part<'_>> {
    line.split_whitespace().map(|word| match word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) {
        Some(name) => Part::Named(name),
        None => Part::Fixed(word),
    })
}

/// The names of words in a line.
pub(crate) fn named(line: &str) -> Vec<&str> {
    let name = |part| match part {
        Part::Named(name) => Some(name),
        Part::Fixed(_) => None,
    };
    parts(line).filter_map(name).collect()
}

/// The factors of a number of times.
pub(crate) fn factors(times: &str) -> impl Iterator<Item = &str> {
    times.split('*').map(str::trim)
}

impl Description {
    /// Reads a description.
    pub fn read(text: &str) -> Result<Description, DescriptionError> {
        let description: Description =
            toml::from_str(text).map_err(|error| DescriptionError::Form(error.to_string()))?;
        description.check()?;
        Ok(description)
    }

    fn check(&self) -> Result<(), DescriptionError> {
        let lines = || self.start.iter().chain(&self.turn);
        let used = lines().flat_map(|line| named(&line.line));
        let used = used.chain(lines().filter_map(|line| line.times.as_deref()).flat_map(factors));
        let used = used.chain(self.answer.lines.iter().flat_map(|line| named(&line.line)));
        for name in used {
            if !self.words.contains_key(name) {
                return Err(DescriptionError::Undescribed(name.to_owned()));
            }
        }
        for line in lines().filter(|line| line.times.is_some()) {
            if line.list.is_none() {
                return Err(DescriptionError::Nameless(line.line.clone()));
            }
            if line.record.is_none() && named(&line.line).len() != 1 {
                return Err(DescriptionError::NoRecord(line.line.clone()));
            }
        }
        if let Some(Grid { list, width }) = &self.grid {
            if !lines().any(|line| line.list.as_ref() == Some(list) && line.record.is_some()) {
                return Err(DescriptionError::NoGrid(list.clone()));
            }
            if !self.words.contains_key(width) {
                return Err(DescriptionError::NoGrid(width.clone()));
            }
        }
        let lists = lines().filter_map(|line| line.list.as_ref());
        let functions = self.answer.lines.iter().map(|line| &line.name);
        let constants = self.words.values().flat_map(|word| word.values.keys());
        let mut names = self.words.keys().chain(lists).chain(functions).chain(constants);
        let reserved = names.find(|name| is_reserved(&name.to_lowercase()));
        reserved.map_or(Ok(()), |name| Err(DescriptionError::Reserved(name.clone())))
    }
}

/// Words that no name may be, as one of the languages has a use for them.
fn is_reserved(name: &str) -> bool {
    const RESERVED: &str = "\
        abstract and array as assert async auto await base begin bool boolean break by byte case catch chan char class \
        const continue def default defer del delete do double dynamic echo elif else empty end ensure enum event explicit \
        export extends extern false file final finally fixed float for foreach from func function global go goto if \
        impl implements import in inline input int integer interface internal is label lambda let lock long loop map \
        match mod module move mut namespace native new next nil nonlocal not null object of operator or out output \
        override package params pass pointer print private procedure program property protected pub public raise \
        range read readonly real record redo ref register rescue retry return sbyte sealed select self send set short \
        signed sizeof static std string struct super switch text then this throw throws to trait transient try type \
        typedef typename typeof uint ulong union unit unless unsafe unsigned until use uses ushort using val var \
        virtual void volatile when where while with word words write xor yield game";
    RESERVED.split_whitespace().any(|reserved| reserved == name)
}
