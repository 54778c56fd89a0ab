//! Reads packets by a description alone, as the kits do: so that what a game sends can be held against what is described.

use crate::description::{Description, Form, Line, Over, Part, factors, named, parts};
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::SplitWhitespace;

/// How many turns there are in what a seat was sent in a whole match, or what is not as the description says.
pub fn turns(description: &Description, packets: &str) -> Result<usize, String> {
    let mut reader =
        Reader { description, words: packets.split_whitespace().peekable(), values: BTreeMap::new() };
    reader.lines(&description.start)?;
    let mut turns = 0;
    while reader.words.peek().is_some() {
        if reader.lines(&description.turn)? {
            return Ok(turns);
        }
        turns += 1;
    }
    Err(format!("the packets end after turn {turns} without the end of the game"))
}

struct Reader<'a> {
    description: &'a Description,
    words: Peekable<SplitWhitespace<'a>>,
    /// What was read last under each name.
    values: BTreeMap<&'a str, &'a str>,
}

impl<'a> Reader<'a> {
    /// Reads all of them; whether the game is over.
    fn lines(&mut self, lines: &'a [Line]) -> Result<bool, String> {
        for line in lines {
            let first = line.line.split_whitespace().next().unwrap_or_default();
            let comes = self.words.peek() == Some(&first);
            match line.over {
                Some(Over::When) if comes => return Ok(true),
                Some(Over::When) => continue,
                Some(Over::Otherwise) if !comes => return Ok(true),
                _ => {}
            }
            let times = [line.times.as_deref(), line.across.as_deref()];
            let mut count = 1;
            for factor in times.into_iter().flatten().flat_map(factors) {
                let value = self.values.get(factor).and_then(|value| value.parse::<usize>().ok());
                count *= value.ok_or_else(|| format!("{factor} is not known yet at \"{}\"", line.line))?;
            }
            for _ in 0..count {
                self.line(line)?;
            }
        }
        Ok(false)
    }

    fn line(&mut self, line: &'a Line) -> Result<(), String> {
        // What was read of the one before is not there to be looked at.
        for name in named(&line.line) {
            self.values.remove(name);
        }
        for part in parts(&line.line) {
            match part {
                Part::Fixed(word) => {
                    let found = self.words.next();
                    if found != Some(word) {
                        return Err(format!("\"{word}\" is expected in \"{}\", not {found:?}", line.line));
                    }
                }
                Part::Named(name) => self.word(name)?,
            }
        }
        Ok(())
    }

    fn word(&mut self, name: &'a str) -> Result<(), String> {
        let word = &self.description.words[name];
        if !word.only.iter().all(|condition| self.holds(condition)) {
            return Ok(());
        }
        let found = self.words.next().ok_or_else(|| format!("the packets end before {name}"))?;
        if !word.kind.can_be(found) {
            return Err(format!("\"{found}\" is no {name}"));
        }
        self.values.insert(name, found);
        Ok(())
    }

    fn holds(&self, condition: &str) -> bool {
        let words: Vec<&str> = condition.split_whitespace().collect();
        match words[..] {
            [flag] => self.values.get(flag) == Some(&"1"),
            [name, "!=", value] => self.values.get(name) != Some(&value),
            [name, "==", value] => self.values.get(name) == Some(&value),
            _ => false,
        }
    }
}

/// Whether an answer is one of those that are described, or why not.
pub fn answered(description: &Description, answer: &str) -> Result<(), String> {
    let mut lines: Vec<&str> = answer.lines().collect();
    match description.answer.form {
        Form::One => {}
        Form::Counted => {
            let count = if lines.is_empty() { "" } else { lines.remove(0) };
            if count.trim() != lines.len().to_string() {
                return Err(format!("\"{count}\" is not the number of lines of {answer:?}"));
            }
        }
        Form::Ended => {
            if lines.pop() != Some(&description.answer.end) {
                return Err(format!("{answer:?} is not ended"));
            }
        }
    }
    let described = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        description.answer.lines.iter().any(|form| fits(description, &form.line, &words))
    };
    match lines.iter().find(|line| !described(line)) {
        Some(line) => Err(format!("\"{line}\" is no line of an answer")),
        None => Ok(()),
    }
}

fn fits(description: &Description, line: &str, words: &[&str]) -> bool {
    let fits = |(part, word): (Part<'_>, &&str)| match part {
        Part::Fixed(fixed) => fixed == *word,
        Part::Named(name) => description.words[name].kind.can_be(word),
    };
    parts(line).count() == words.len() && parts(line).zip(words).all(fits)
}
