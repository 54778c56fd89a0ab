//! What the server of matches refuses, as data: whoever reads it does so in their own language, from `words/`.

#![allow(missing_docs, reason = "the values of a message say by their names what they are")]

use palestra_core::{Catalog, Message, messages};
use std::fmt;
use std::sync::LazyLock;

const WORDS: [(&str, &str); 3] = [
    ("en", include_str!("../words/en.json")),
    ("hu", include_str!("../words/hu.json")),
    ("ru", include_str!("../words/ru.json")),
];

messages! {
    /// Why something is not shown, or not done.
    pub enum Trouble {
        /// There is no such address.
        NowhereHere {},
        /// There is no such match.
        NoMatchHere { id: String },
        /// There is no such game.
        NoGameHere {},
        /// The match has no replay, or not yet.
        NoReplay {},
        /// This is not the folder of a tournament.
        NoReport {},
        /// The picture is not waited for.
        NoPicture {},
        /// The match has no such turn.
        NoTurn { asked: u32, last: u32 },
        /// Something of the program's own went wrong.
        BrokenInside {},
        /// A file has too many bytes.
        FileTooLarge {},
        /// A request comes from a page of another site.
        OtherSite {},
        /// A file is none of ours.
        NeitherReplayNorLog {},
        /// Something is wrong with a replay.
        ReplayFault { why: String },
        /// Something is wrong with a log.
        LogFault { why: String },
        /// A file cannot be read.
        FileFault { why: String },
        /// A key opens another seat, or none.
        WrongSeatKey {},
        /// People play, and nobody looks on.
        PeoplePlay {},
        /// Whoever plays sees no more than its own seat.
        OwnSeatOnly {},
        /// What is hidden is shown later.
        HiddenYet {},
        /// Somebody else's.
        NotYourSeat {},
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        static ENGLISH: LazyLock<Catalog> = LazyLock::new(|| catalog("en"));
        f.write_str(&ENGLISH.say(&Message::of(self)))
    }
}

fn catalog(language: &'static str) -> Catalog {
    Catalog::core(language).with(&WORDS)
}

#[cfg(test)]
mod tests {
    use super::{Trouble, catalog};
    use palestra_core::message::samples;
    use std::path::Path;

    #[test]
    fn golden_troubles_in_every_language() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let golden = here.join("golden/messages.json");
        palestra_testkit::check_messages(&golden, &here.join("words"), &samples::<Trouble>(), catalog);
    }
}
