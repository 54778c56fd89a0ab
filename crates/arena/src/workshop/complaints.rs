//! What compilers and interpreters complain about: the line that says most, and the places in a source file.
//!
//! Compilers name a place and an error in one line (`bot.cpp:3:5: error: ...`), or in two (rustc). Interpreters print a
//! trace of calls and, before or behind it, what went wrong.

use crate::limits;
use crate::model::SourcePlace;

/// What a compiler complains about most: its first error, or its last line if it marks none.
pub(super) fn compiler_line(file: &str, said: &str) -> Option<String> {
    let is_error = |line: &&str| {
        mention(file, line).is_some_and(|found| found.leads && found.complaint().is_some_and(|(w, _)| !w))
            || line.starts_with("error")
            || line.contains(" error: ")
            || line.contains(": error ")
    };
    said.lines().find(is_error).or_else(|| written(said).next_back()).map(shortened)
}

/// What a program that crashed complains about: the last line of a traceback, or what stands before one.
pub(super) fn crash_line(said: &str) -> Option<String> {
    let lines: Vec<&str> = written(said).collect();
    if let Some(start) = lines.iter().rposition(|line| line.starts_with("Traceback (most recent call last)"))
    {
        // The calls are indented, and so is the source that they show.
        let end = lines[start + 1..].iter().find(|line| !line.starts_with([' ', '\t']));
        return end.or(lines.last()).map(|line| shortened(line));
    }
    if let Some(at) = lines.iter().position(|line| line.contains("panicked at ")) {
        let message = lines.get(at + 1).filter(|line| !line.starts_with("note:"));
        let message = message.map_or(String::new(), |line| format!(" {line}"));
        return Some(shortened(&format!("{}{message}", lines[at])));
    }
    if let Some(at) = lines.iter().position(|line| line.starts_with("terminate called after throwing")) {
        return Some(shortened(lines.get(at + 1).unwrap_or(&lines[at]).trim()));
    }
    let thrown = lines.iter().find(|line| is_thrown(line));
    thrown.or(lines.last()).map(|line| shortened(line))
}

/// `ReferenceError: x is not defined`, `Exception in thread "main" ...`, `panic: ...`.
fn is_thrown(line: &str) -> bool {
    let name = line.split([':', ' ']).next().unwrap_or_default();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '.' || c == '_');
    line.starts_with("Exception in thread")
        || line.starts_with("panic: ")
        || (is_name && (name.ends_with("Error") || name.ends_with("Exception")))
}

/// The places in this file that a compiler complains about.
pub(super) fn compiler_places(file: &str, said: &str) -> Vec<SourcePlace> {
    let mut places: Vec<SourcePlace> = Vec::new();
    let mut heading = None;
    for line in said.lines() {
        if line.starts_with("error") || line.starts_with("warning") {
            heading = Some(line);
        }
        let Some(found) = mention(file, line) else { continue };
        let complaint = match found.leads {
            true => found.complaint(),
            false if line.trim_start().starts_with("--> ") => {
                // The lines that follow explain the same.
                heading.take().map(|heading| (heading.starts_with("warning"), heading))
            }
            false => None,
        };
        if let Some((warning, text)) = complaint {
            places.push(found.place(warning, text));
        }
        if places.len() == limits::COMPLAINTS {
            break;
        }
    }
    places
}

/// The place in this file where a program crashed.
pub(super) fn crash_places(file: &str, said: &str) -> Vec<SourcePlace> {
    let found: Vec<Mention<'_>> = said.lines().filter_map(|line| mention(file, line)).collect();
    // Python tells the innermost call last, everybody else first.
    let inmost = if found.iter().any(|found| found.python) { found.last() } else { found.first() };
    let text = crash_line(said).unwrap_or_default();
    inmost.map(|found| found.place(false, &text)).into_iter().collect()
}

/// A line of a source file that somebody speaks of.
struct Mention<'a> {
    line: u32,
    column: Option<u32>,
    /// Whether nothing but the file's folders stands before it.
    leads: bool,
    /// Whether it is said as Python says it.
    python: bool,
    rest: &'a str,
}

impl Mention<'_> {
    /// Whether it is only a warning, and what is wrong; nothing for a remark.
    fn complaint(&self) -> Option<(bool, &str)> {
        let text = self.rest.strip_prefix(':')?.trim();
        match text {
            "" => None,
            text if text.starts_with("note:") => None,
            text => Some((text.starts_with("warning:"), text)),
        }
    }

    fn place(&self, warning: bool, text: &str) -> SourcePlace {
        SourcePlace { line: self.line, column: self.column, warning, text: shortened(text) }
    }
}

/// The first mention of a line of this file.
fn mention<'a>(file: &str, line: &'a str) -> Option<Mention<'a>> {
    line.match_indices(file).find_map(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + file.len()..]);
        if before.ends_with(|c: char| c.is_alphanumeric() || "_-".contains(c)) {
            return None;
        }
        if let Some(after) = after.strip_prefix("\", line ") {
            let (line, rest) = number(after)?;
            return Some(Mention { line, column: None, leads: false, python: true, rest });
        }
        let (line, rest) = number(after.strip_prefix(':')?)?;
        let column = rest.strip_prefix(':').and_then(number);
        let leads = !before.contains([' ', '\t', '(', '"', '\'']);
        let (column, rest) = column.map_or((None, rest), |(column, rest)| (Some(column), rest));
        Some(Mention { line, column, leads, python: false, rest })
    })
}

fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..end].parse().ok().filter(|number| *number > 0)?;
    Some((number, &text[end..]))
}

fn written(said: &str) -> impl DoubleEndedIterator<Item = &str> {
    said.lines().filter(|line| !line.trim().is_empty())
}

/// No database takes zero bytes in a text, and no page has room for a line without end.
fn shortened(line: &str) -> String {
    let line = line.trim_end().replace(|c: char| c.is_control() && c != '\t', "\u{fffd}");
    let end = line.floor_char_boundary(limits::COMPLAINT_BYTES);
    match end < line.len() {
        true => format!("{}…", &line[..end]),
        false => line,
    }
}

#[cfg(test)]
mod tests;
