//! What the values of an event's plan may be.

use super::{ChallengeRule, HandPlay, LiveDelay, Visibility};
use crate::limits::{DELAY_ROUNDS, HAND_MATCH, INVITE_BYTES, LONGEST_DELAY};
use jiff::SignedDuration;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use palestra_server::SpectatorDelay;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// Something that is written as a text.
macro_rules! written {
    ($($name:ident($inner:ty): $read:expr;)*) => {$(
        pub(super) struct $name(pub(super) $inner);

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let read: fn(&str) -> Result<$inner, String> = $read;
                read(text).map($name)
            }
        }
    )*};
}

written! {
    Span(Duration): |text| {
        let parsed = text.parse::<SignedDuration>().ok().and_then(|span| Duration::try_from(span).ok());
        parsed.ok_or_else(|| format!("\"{text}\" is no time; write e.g. \"10s\" or \"5 min\""))
    };
    HandTime(Duration): |text| match text.parse()? {
        Span(time) if time.is_zero() || time > HAND_MATCH => {
            Err(format!("\"{text}\" is not between nothing and two hours; write e.g. \"2 min\""))
        }
        Span(time) => Ok(time),
    };
    Address(SocketAddr): |text| {
        text.parse().map_err(|_| format!("\"{text}\" is no address; write e.g. \"0.0.0.0:8080\""))
    };
    Zone(TimeZone): |text| {
        TimeZone::get(text).map_err(|_| format!("there is no \"{text}\"; write e.g. \"Europe/Budapest\""))
    };
    Day(Date): |text| text.parse().map_err(|_| "write it as \"2026-11-15\"".to_owned());
    Invite(String): |text| match text.len() < INVITE_BYTES {
        true => Err(format!("a code of less than {INVITE_BYTES} letters would be guessed; take a longer one")),
        false => Ok(text.to_owned()),
    };
}

impl FromStr for Visibility {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<Visibility, &'static str> {
        match word {
            "everybody" => Ok(Visibility::Everybody),
            "players" => Ok(Visibility::Players),
            "own" => Ok(Visibility::Own),
            _ => Err("write everybody, players or own"),
        }
    }
}

impl FromStr for ChallengeRule {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<ChallengeRule, &'static str> {
        match word {
            "unrated" => Ok(ChallengeRule::Unrated),
            "rated" => Ok(ChallengeRule::Rated),
            "nobody" => Ok(ChallengeRule::Nobody),
            _ => Err("write unrated, rated or nobody"),
        }
    }
}

impl FromStr for HandPlay {
    type Err = &'static str;

    fn from_str(word: &str) -> Result<HandPlay, &'static str> {
        match word {
            "everybody" => Ok(HandPlay::Everybody),
            "players" => Ok(HandPlay::Players),
            "nobody" => Ok(HandPlay::Nobody),
            _ => Err("write everybody, players or nobody"),
        }
    }
}

impl FromStr for LiveDelay {
    type Err = String;

    fn from_str(text: &str) -> Result<LiveDelay, String> {
        if text == "end" {
            return Ok(LiveDelay::By(SpectatorDelay::UntilEnd));
        }
        match text.parse().map_err(|why: String| format!("{why}, or \"end\""))? {
            Span(time) if time > LONGEST_DELAY => {
                Err("more than an hour; write \"end\" to show matches when they are over".to_owned())
            }
            Span(Duration::ZERO) => Ok(LiveDelay::AtOnce),
            Span(time) => Ok(LiveDelay::By(SpectatorDelay::Behind { time, rounds: DELAY_ROUNDS })),
        }
    }
}

/// Where the gateway listens.
#[derive(Default)]
pub(super) enum Gateway {
    /// Beside the site.
    #[default]
    Usual,
    Nowhere,
    At(SocketAddr),
}

impl<'de> Deserialize<'de> for Gateway {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Gateway, D::Error> {
        struct Written;
        impl Visitor<'_> for Written {
            type Value = Gateway;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the gateway's address such as \"0.0.0.0:4242\", or false")
            }

            fn visit_bool<E: de::Error>(self, there: bool) -> Result<Gateway, E> {
                match there {
                    true => Err(E::invalid_value(de::Unexpected::Bool(true), &self)),
                    false => Ok(Gateway::Nowhere),
                }
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Gateway, E> {
                let Address(address) = text.parse().map_err(|why| E::custom(format!("gateway: {why}")))?;
                Ok(Gateway::At(address))
            }
        }
        deserializer.deserialize_any(Written)
    }
}

/// What can be downloaded beside starter kits.
#[derive(Default)]
pub(super) enum Downloads {
    /// This program, as the plan's default says.
    #[default]
    Usual,
    Nothing,
    /// What is in this folder.
    In(PathBuf),
}

impl<'de> Deserialize<'de> for Downloads {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Downloads, D::Error> {
        struct Written;
        impl Visitor<'_> for Written {
            type Value = Downloads;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a folder such as \"downloads\", or false")
            }

            fn visit_bool<E: de::Error>(self, there: bool) -> Result<Downloads, E> {
                match there {
                    true => Err(E::invalid_value(de::Unexpected::Bool(true), &self)),
                    false => Ok(Downloads::Nothing),
                }
            }

            fn visit_str<E: de::Error>(self, folder: &str) -> Result<Downloads, E> {
                Ok(Downloads::In(PathBuf::from(folder)))
            }
        }
        deserializer.deserialize_any(Written)
    }
}
