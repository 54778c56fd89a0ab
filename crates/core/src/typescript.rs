//! What a seat and a message are for the pages, which read them as JSON.

use crate::{Message, Seat};
use std::path::PathBuf;
use ts_rs::{Config, TS};

/// A number, without a name of its own.
impl TS for Seat {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &Config) -> String {
        u8::name(config)
    }

    fn inline(config: &Config) -> String {
        u8::inline(config)
    }
}

impl TS for Message {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn docs() -> Option<String> {
        let about = "What there is to tell: a code and its values, or a sentence of a former version.";
        Some(format!("/**\n * {about}\n */\n"))
    }

    fn name(_: &Config) -> String {
        "Message".to_owned()
    }

    fn inline(_: &Config) -> String {
        "string | { code: string; [value: string]: string | number | number[] | Message }".to_owned()
    }

    fn decl(config: &Config) -> String {
        format!("type {} = {};", Self::name(config), Self::inline(config))
    }

    fn output_path() -> Option<PathBuf> {
        Some(PathBuf::from("Message.ts"))
    }
}
