//! What the rules and the protocol have to tell people. The words are in the folder `words`.

use palestra_core::{Message, messages};

messages! {
    /// Why a player is where it is at the end, or out before.
    pub(crate) enum Reason {
        /// Without planets and ships.
        Extinct { step: u32 },
        DisqualifiedIn { step: u32, why: Message },
        NotStarted {},
        OnlyOne { steps: u32 },
        Survived { steps: u32, planets: u32, ships: u64 },
    }
}

messages! {
    /// What disqualifies besides faults.
    pub(crate) enum Breach {
        TooManyOrders { orders: u64, limit: u32 },
    }
}

messages! {
    /// What the rules remark on an answer.
    pub(crate) enum Remark {
        Order { order: u32, what: Skip },
    }
}

messages! {
    /// Why an order came to nothing. Numbers are as the player sent them.
    pub(crate) enum Skip {
        NoPlanet { planet: i32 },
        NoShips { count: i32 },
        NotYours { planet: i32 },
        TooFew { planet: i32, ships: u64, count: i32 },
        /// The planet was captured or raised in the same turn.
        Settled { planet: i32 },
        /// There were too many groups in flight.
        Perished { count: i32, limit: u32 },
    }
}

messages! {
    /// Why an answer cannot be read.
    pub(crate) enum Unreadable {
        BadOrder { order: u64 },
        BadCount {},
        CountOutOfRange { count: i32, limit: u32 },
        /// A built-in player that does so.
        Resigned {},
    }
}
