//! What the rules and the protocol have to tell people. The words are in the folder `words`.

use palestra_core::{Message, Seat, messages};

messages! {
    /// Why a player is where it is at the end, or out before.
    pub(crate) enum Reason {
        Captured { by: Seat, round: u32 },
        IllegalMove { round: u32, why: Illegal },
        Failed { round: u32, fault: Message },
        /// Only in a contest's own log, which does not tell more.
        Removed { round: u32 },
        NotStarted {},
        LastLeft {},
        Stayed { rounds: u32 },
        AllEqual { rounds: u32 },
        LargestArmy { rounds: u32 },
        MostCities { rounds: u32 },
        MostLand { rounds: u32 },
    }
}

messages! {
    /// Why a move is not allowed. Cells are row and column as the player sent them.
    pub(crate) enum Illegal {
        OutOfBounds { cell: [i64; 2] },
        NotOwn { cell: [i64; 2] },
        NotAdjacent { from: [i64; 2], to: [i64; 2] },
        Mountain { cell: [i64; 2] },
    }
}

messages! {
    /// What the rules remark on a turn.
    pub(crate) enum Remark {
        OutByMove { why: Illegal },
        OutByFault { fault: Message },
    }
}

messages! {
    /// Why an answer cannot be read.
    pub(crate) enum Unreadable {
        NoOption { option: i64 },
        NoInteger { word: String },
    }
}
