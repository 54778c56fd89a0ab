//! What the rules and the protocol have to tell people. The words are in the folder `words`.

use palestra_core::{Message, Seat, messages};

messages! {
    /// Why a player is where it is at the end, or out before.
    pub(crate) enum Reason {
        /// Somebody took its last cell.
        Beaten { by: Seat, tick: u32 },
        /// It spent its last units.
        Spent { tick: u32 },
        Failed { tick: u32, fault: Message },
        NotStarted {},
        LastLeft {},
        Stayed { ticks: u32 },
        AllEqual { ticks: u32 },
        MostUnits { ticks: u32 },
        MostCells { ticks: u32 },
    }
}

messages! {
    /// Why an action is not allowed. Cells are row and column as the player sent them.
    pub(crate) enum Refusal {
        OutOfBounds { cell: [i64; 2] },
        NotOwn { cell: [i64; 2] },
        NotAdjacent { from: [i64; 2], to: [i64; 2] },
        Mountain { cell: [i64; 2] },
        Amount { amount: i64, present: u32 },
        NobodyStays { present: u32 },
        HasWall { cell: [i64; 2] },
        NoPlain { cell: [i64; 2] },
        TooDear { building: String, price: u32, present: u32 },
        Priceless { building: String },
    }
}

messages! {
    /// What the rules remark on a turn.
    pub(crate) enum Remark {
        Refused { why: Refusal },
        OutByFault { fault: Message },
    }
}

messages! {
    /// Why an answer cannot be read.
    pub(crate) enum Unreadable {
        NoAction { word: String },
        NoBuilding { word: String },
        NoInteger { word: String },
    }
}
