//! What a bot has written and nobody has read yet. An answer costs the same whether it comes whole or byte by byte:
//! it is looked at again only when another of its units has ended, and from where the last look has stopped.

use crate::game::Parsed;
use crate::text::is_space;

/// What answers are made of. An answer that is not complete can only be completed, or found malformed, by the end of
/// another unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Words between white space, a handful at most: each may be the reason for another look at all of them.
    Word,
    /// Lines, as many as there may be: see [`Progress`].
    Line,
}

/// How far an answer has been read of which more is to come. It is kept between the looks at one answer, and nobody
/// but the protocol changes it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Bytes that need not be looked at again, from the beginning of the answer.
    pub read: usize,
    /// A number to remember, such as how many lines were announced.
    pub count: u32,
}

impl Progress {
    /// The next complete line of the answer, without its line break.
    #[inline]
    pub fn next_line<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let rest = &bytes[self.read..];
        let length = rest.iter().position(|byte| *byte == b'\n')?;
        self.read += length + 1;
        Some(&rest[..length])
    }
}

/// The bytes of one bot that wait to be read.
#[derive(Clone, Default, Debug)]
pub struct Inbox {
    bytes: Vec<u8>,
    /// Where the next answer begins.
    start: usize,
    /// Up to here it is known that no unit has ended since the last look.
    searched: usize,
    progress: Progress,
}

impl Inbox {
    /// Adds what has come in.
    pub fn add(&mut self, bytes: &[u8]) {
        // What was read goes before more comes in, so that a bot that writes ahead costs no more and more memory.
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Everything that was not read, from the beginning of the next answer.
    pub fn unread(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Takes the next answer out, as soon as `parse` finds it complete. What `parse` gets is all that is unread, and how
    /// far it has come with that.
    #[inline]
    pub fn read(&mut self, unit: Unit, parse: impl FnOnce(&[u8], &mut Progress) -> Parsed) -> Parsed {
        if !self.unit_has_ended(unit) {
            self.searched = self.bytes.len();
            return Parsed::NeedMore;
        }
        let parsed = parse(&self.bytes[self.start..], &mut self.progress);
        match parsed {
            Parsed::NeedMore => self.searched = self.bytes.len(),
            Parsed::Malformed { .. } => {}
            Parsed::Done { used } => {
                self.start += used;
                self.rewind();
                if self.start == self.bytes.len() {
                    self.bytes.clear();
                    (self.start, self.searched) = (0, 0);
                }
            }
        }
        parsed
    }

    /// Reads the next answer from its beginning: what was held of it is gone.
    pub(crate) fn rewind(&mut self) {
        self.searched = self.start;
        self.progress = Progress::default();
    }

    fn unit_has_ended(&self, unit: Unit) -> bool {
        let new = &self.bytes[self.searched..];
        match unit {
            Unit::Line => new.contains(&b'\n'),
            Unit::Word => {
                let mut in_word = self.searched > self.start && !is_space(self.bytes[self.searched - 1]);
                new.iter().any(|byte| {
                    let ended = in_word && is_space(*byte);
                    in_word = !is_space(*byte);
                    ended
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Inbox, Progress, Unit};
    use crate::game::Parsed;
    use crate::message::Message;
    use crate::text::Words;

    /// Lines up to one with a point.
    fn lines(bytes: &[u8], progress: &mut Progress) -> Parsed {
        while let Some(line) = progress.next_line(bytes) {
            if line == b"." {
                return Parsed::Done { used: progress.read };
            }
        }
        Parsed::NeedMore
    }

    /// Three words.
    fn words(bytes: &[u8], _: &mut Progress) -> Parsed {
        let mut words = Words::new(bytes);
        match words.nth(2) {
            Some(b"x") => Parsed::malformed(Message::Sentence("no x".to_owned())),
            Some(_) => Parsed::Done { used: words.used() },
            None => Parsed::NeedMore,
        }
    }

    type Parse = fn(&[u8], &mut Progress) -> Parsed;

    /// Reads answers that come in pieces of this size; says what came of them, and how many bytes were looked at.
    fn read(unit: Unit, parse: Parse, text: &[u8], size: usize) -> (Vec<Parsed>, usize) {
        let (mut inbox, mut answers, mut work) = (Inbox::default(), Vec::new(), 0);
        for piece in text.chunks(size) {
            inbox.add(piece);
            loop {
                let parsed = inbox.read(unit, |bytes, progress| {
                    work += bytes.len() - progress.read;
                    parse(bytes, progress)
                });
                if parsed == Parsed::NeedMore {
                    break;
                }
                let malformed = !matches!(parsed, Parsed::Done { .. });
                answers.push(parsed);
                if malformed {
                    return (answers, work);
                }
            }
        }
        (answers, work)
    }

    #[test]
    fn an_answer_in_pieces_is_the_same_answer_and_no_more_work() {
        let blanks = [b' '; 100_000];
        let long = [b'7'; 100_000];
        let texts: [(Unit, Parse, Vec<u8>); 6] = [
            (Unit::Line, lines, [b"x\n".repeat(50_000), b".\n1\n.\n".to_vec()].concat()),
            (Unit::Line, lines, [&long, b"\n.\n".as_slice()].concat()),
            (Unit::Line, lines, [&blanks, b"\n\n.\n".as_slice()].concat()),
            (Unit::Word, words, [&blanks, b"1".as_slice(), &blanks, b"2 3 ", &blanks].concat()),
            (Unit::Word, words, [&long, b" 1".as_slice(), &blanks, b"2\n4 5 6 "].concat()),
            (Unit::Word, words, b"1 2 x ".to_vec()),
        ];
        for (unit, parse, text) in texts {
            let whole = read(unit, parse, &text, text.len());
            assert!(!whole.0.is_empty());
            for size in [1, 2, 3, 1000] {
                let (answers, work) = read(unit, parse, &text, size);
                assert_eq!(answers, whole.0, "in pieces of {size}");
                assert!(work <= 4 * text.len(), "{work} bytes were looked at, and {} came", text.len());
            }
        }
    }

    #[test]
    fn what_was_begun_in_one_turn_is_read_from_its_beginning_in_the_next() {
        let mut inbox = Inbox::default();
        inbox.add(b"1\n2\n");
        assert_eq!(inbox.read(Unit::Line, lines), Parsed::NeedMore);
        inbox.rewind();
        let read = inbox.read(Unit::Line, |bytes, progress| {
            assert_eq!((bytes, *progress), (b"1\n2\n".as_slice(), Progress::default()));
            lines(bytes, progress)
        });
        assert_eq!(read, Parsed::NeedMore);
        inbox.add(b".\n3");
        assert_eq!(inbox.read(Unit::Line, lines), Parsed::Done { used: 6 });
        assert_eq!(inbox.unread(), b"3");
    }
}
