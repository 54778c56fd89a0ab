//! What the rules have to tell people. The words are in the folder `words`. No answer is malformed in this game.

use palestra_core::{Message, messages};

messages! {
    /// How a match ended for a player.
    pub(crate) enum Reason {
        NoWinner { ticks: u32 },
        Held { hold: u32, tick: u32 },
        LostFactory { hold: u32, tick: u32 },
        NoEnemyLeft { tick: u32 },
        NoUnitLeft { tick: u32 },
        OpponentDisqualified { tick: u32 },
        MissedAnswers { missed: u32, tick: u32 },
        Failed { tick: u32, fault: Message },
        OpponentNotStarted {},
        NotStarted {},
    }
}

messages! {
    /// What the rules remark on a tick.
    pub(crate) enum Remark {
        NoAnswer { missed: u32 },
        LostByFault { fault: Message },
        Ignored { unit: u32, why: Ignored },
        /// Lines that are no orders.
        Unreadable { lines: u32 },
    }
}

messages! {
    /// Why an order is ignored.
    pub(crate) enum Ignored {
        UnknownUnit {},
        EnemyUnit {},
        OrderedAgain {},
    }
}
