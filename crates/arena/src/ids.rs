//! The numbers by which an event knows its players, bots, versions, matches and rounds. To JSON and to the database each
//! is a plain number.

use serde::{Deserialize, Serialize};
use sqlx::Database;
use sqlx::any::{Any, AnyTypeInfo, AnyValueRef};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($number:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $number);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = ParseIntError;

            fn from_str(text: &str) -> Result<$name, ParseIntError> {
                text.parse().map($name)
            }
        }

        impl sqlx::Type<Any> for $name {
            fn type_info() -> AnyTypeInfo {
                <i64 as sqlx::Type<Any>>::type_info()
            }
        }

        impl<'q> sqlx::Encode<'q, Any> for $name {
            fn encode_by_ref(&self, buffer: &mut <Any as Database>::ArgumentBuffer) -> Result<IsNull, BoxDynError> {
                sqlx::Encode::<Any>::encode(i64::from(self.0), buffer)
            }
        }

        impl<'r> sqlx::Decode<'r, Any> for $name {
            fn decode(value: AnyValueRef<'r>) -> Result<$name, BoxDynError> {
                Ok($name(<i64 as sqlx::Decode<Any>>::decode(value)?.try_into()?))
            }
        }

        #[cfg(test)]
        impl ts_rs::TS for $name {
            type WithoutGenerics = $name;
            type OptionInnerType = $name;

            fn name(_: &ts_rs::Config) -> String {
                "number".to_owned()
            }

            fn inline(config: &ts_rs::Config) -> String {
                Self::name(config)
            }
        }
    )*};
}

ids! {
    /// Somebody with an account.
    AccountId(i64);
    /// What a player has in one game.
    BotId(i64);
    /// One of the programs that were handed in for a bot.
    VersionId(i64);
    /// A match, in the order in which matches begin.
    MatchId(i64);
    /// A scored round.
    RoundId(u32);
    /// Some matches that a player wanted against one opponent.
    ChallengeId(i64);
}
