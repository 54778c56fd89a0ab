//! What the server of matches refuses, as data: whoever reads it does so in their own language, from `words/`.

#![allow(missing_docs, reason = "the values of a message say by their names what they are")]

use palestra_core::{crate_words, messages};

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

crate_words!(Trouble);
