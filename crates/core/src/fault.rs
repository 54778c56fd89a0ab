//! Why a bot failed. Time and crashes reach the rules only as one of these, and are recorded.

use crate::limits;
use crate::message::{Message, Sample};
use crate::messages;
use serde::{Deserialize, Serialize};

/// Why a bot failed to give an answer. What a fault means is decided by each game's rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Fault {
    /// The answer cannot be read.
    Malformed {
        /// What is wrong with it; nothing if that is not for everybody.
        why: Message,
        /// The offending bytes, shortened and made printable.
        excerpt: String,
    },
    /// The answer did not come in time.
    OutOfTime,
    /// More than the allowed number of bytes without a complete answer, or in all answers of the match.
    TooLong {
        /// The limit that was passed.
        limit: u32,
        /// How the output begins, shortened and made printable.
        excerpt: String,
    },
    /// The bot ended, or closed its output, when an answer was due.
    Exited(Exit),
    /// The bot used more memory than it was given.
    OverMemory,
}

/// How a bot ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Exit {
    /// It returned this exit code.
    Code(i32),
    /// This signal ended it.
    Signal(i32),
    /// It closed its output and lived on, or its connection was lost.
    ClosedOutput,
    /// It was a person, who gave up.
    GaveUp,
}

messages! {
    /// How a fault is told.
    enum Failure {
        Malformed {},
        MalformedBecause { why: Message },
        OutOfTime {},
        TooLongAnswer { limit: u32 },
        TooLongMatch { limit: u32 },
        ExitCode { number: i32 },
        Signal { number: i32 },
        NamedSignal { number: i32, name: Signal },
        ClosedOutput {},
        GaveUp {},
        OverMemory {},
    }
}

messages! {
    /// The signals that a participant may have met.
    enum Signal {
        Interrupt {},
        IllegalInstruction {},
        Abort {},
        ArithmeticError {},
        Kill {},
        SegmentationFault {},
        BrokenPipe {},
        Terminate {},
    }
}

/// A message inside of another one may be any; a fault is what most of them hold.
impl Sample for Message {
    fn sample(number: usize) -> Message {
        let failures = [Failure::OutOfTime {}, Failure::ExitCode { number: 3 }];
        failures[number % failures.len()].clone().into()
    }
}

impl Fault {
    /// An answer that cannot be read, with the bytes that show it.
    pub fn malformed(why: Message, bytes: &[u8]) -> Fault {
        Fault::Malformed { why, excerpt: printable(bytes) }
    }

    /// An answer longer than the limit.
    pub fn too_long(bytes: &[u8]) -> Fault {
        Fault::TooLong { limit: limits::ANSWER_BYTES as u32, excerpt: printable(bytes) }
    }

    /// Answers that are longer than the limit together.
    pub(crate) fn too_long_match() -> Fault {
        Fault::TooLong { limit: limits::ANSWERS_BYTES as u32, excerpt: String::new() }
    }

    /// One word for tables and scripts; these never change.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::Malformed { .. } => "malformed",
            Fault::OutOfTime => "out_of_time",
            Fault::TooLong { .. } => "too_long",
            Fault::Exited(_) => "exited",
            Fault::OverMemory => "over_memory",
        }
    }

    /// The same kind of fault without anything that the bot wrote or did beyond it: what everybody may know.
    pub fn kind_only(&self) -> Fault {
        match self {
            Fault::Malformed { .. } => Fault::Malformed { why: Message::none(), excerpt: String::new() },
            Fault::TooLong { limit, .. } => Fault::TooLong { limit: *limit, excerpt: String::new() },
            Fault::Exited(Exit::GaveUp) => Fault::Exited(Exit::GaveUp),
            // However it ended: its output is closed, and that is all that others could notice.
            Fault::Exited(_) => Fault::Exited(Exit::ClosedOutput),
            Fault::OutOfTime => Fault::OutOfTime,
            Fault::OverMemory => Fault::OverMemory,
        }
    }

    /// For people. The code of a fault of which only the kind may be told is that kind, where there is nothing more to it.
    pub fn message(&self) -> Message {
        Message::from(match self {
            Fault::Malformed { why, .. } if why.is_none() => Failure::Malformed {},
            Fault::Malformed { why, .. } => Failure::MalformedBecause { why: why.clone() },
            Fault::OutOfTime => Failure::OutOfTime {},
            Fault::TooLong { limit, .. } if *limit as usize == limits::ANSWERS_BYTES => {
                Failure::TooLongMatch { limit: *limit }
            }
            Fault::TooLong { limit, .. } => Failure::TooLongAnswer { limit: *limit },
            Fault::Exited(exit) => return exit.message(),
            Fault::OverMemory => Failure::OverMemory {},
        })
    }

    /// The bytes that show the fault, if there are any.
    pub fn excerpt(&self) -> Option<&str> {
        match self {
            Fault::Malformed { excerpt, .. } | Fault::TooLong { excerpt, .. } => {
                Some(excerpt.as_str()).filter(|excerpt| !excerpt.is_empty())
            }
            _ => None,
        }
    }
}

impl Exit {
    /// The sentence about it, to be told in any language.
    pub fn message(self) -> Message {
        Message::from(match self {
            Exit::Code(number) => Failure::ExitCode { number },
            Exit::Signal(number) => match signal(number) {
                Some(name) => Failure::NamedSignal { number, name },
                None => Failure::Signal { number },
            },
            Exit::ClosedOutput => Failure::ClosedOutput {},
            Exit::GaveUp => Failure::GaveUp {},
        })
    }
}

/// The numbers are the same on Linux and macOS for these.
fn signal(number: i32) -> Option<Signal> {
    Some(match number {
        2 => Signal::Interrupt {},
        4 => Signal::IllegalInstruction {},
        6 => Signal::Abort {},
        8 => Signal::ArithmeticError {},
        9 => Signal::Kill {},
        11 => Signal::SegmentationFault {},
        13 => Signal::BrokenPipe {},
        15 => Signal::Terminate {},
        _ => return None,
    })
}

/// Everything that can be told of a fault, for tests.
pub(crate) fn samples() -> Vec<Message> {
    crate::message::samples::<Failure>()
}

/// Bytes made printable and short: what a person can read in a message.
pub fn printable(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(limits::EXCERPT_BYTES)];
    let mut text: String = String::from_utf8_lossy(shown).chars().flat_map(char::escape_debug).collect();
    if shown.len() < bytes.len() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Exit, Fault, printable};
    use crate::{Catalog, Message};

    #[test]
    fn excerpts_are_short_and_printable() {
        assert_eq!(printable(b"1 2\n\x00\xff"), "1 2\\n\\0\u{fffd}");
        let long = printable(&[b'x'; 5000]);
        assert!(long.len() < 200 && long.ends_with('…'));
    }

    #[test]
    fn every_fault_reads_as_a_sentence() {
        let faults = [
            Fault::malformed(Message::Sentence("\"hi\" is no number".to_owned()), b"hi"),
            Fault::OutOfTime,
            Fault::too_long(b"xxxx"),
            Fault::too_long_match(),
            Fault::Exited(Exit::Code(3)),
            Fault::Exited(Exit::Signal(11)),
            Fault::Exited(Exit::Signal(63)),
            Fault::Exited(Exit::ClosedOutput),
            Fault::Exited(Exit::GaveUp),
            Fault::OverMemory,
        ];
        let english = Catalog::core("en");
        let say = |fault: &Fault| english.say(&fault.message());
        for fault in &faults {
            let public = fault.kind_only();
            assert_eq!(public.kind(), fault.kind());
            assert_eq!(public.excerpt().unwrap_or_default(), "");
            let sentence = say(&public);
            assert!(!sentence.contains("hi") && !sentence.contains("signal") && !sentence.contains("code"));
        }
        let lines: Vec<String> =
            faults.iter().map(|fault| format!("{}: {}", fault.kind(), say(fault))).collect();
        assert_eq!(
            lines,
            [
                "malformed: malformed answer: \"hi\" is no number",
                "out_of_time: out of time",
                "too_long: answer too long: more than 1048576 bytes",
                "too_long: answers too long: more than 33554432 bytes in one match",
                "exited: exited with code 3",
                "exited: killed by signal 11 (segmentation fault)",
                "exited: killed by signal 63",
                "exited: closed its output",
                "exited: gave up",
                "over_memory: over memory",
            ]
        );
    }
}
