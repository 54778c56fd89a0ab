//! Types for the page, written in TypeScript: those of a game's frames (`frame.ts` in the game's folder), and of what the
//! server tells. After a change that is meant, write them anew with `make golden`.

use crate::golden::compare;
use palestra_core::Fate;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use ts_rs::{Config, TS, TypeVisitor};

const FIRST_LINE: &str = "// Generated from the Rust types by `make golden`; do not edit.\n";

/// Compares the types of a frame, and of everything in it, with what is recorded in the game's folder.
pub fn check_frame_types<Frame: TS + 'static>(folder: &str) {
    check::<Frame>(&Path::new(folder).join("frame.ts"), &[declaration::<Frame>(&config())]);
}

/// The test of a game's view: the types of its frames, compared with what is recorded in its folder.
#[macro_export]
macro_rules! golden_frame {
    ($frame:ty) => {
        #[test]
        fn golden_types_of_the_frame() {
            $crate::check_frame_types::<$frame>(env!("CARGO_MANIFEST_DIR"));
        }
    };
}

/// Compares the types of everything in `All`, itself aside, with what is recorded in a file.
pub fn check_types<All: TS + 'static>(file: &Path) {
    check::<All>(file, &[]);
}

/// Compares constants that the page shares with the program, each with its comment, name and value in JSON, with what is
/// recorded in a file.
pub fn check_constants(file: &Path, constants: &[(&str, &str, serde_json::Value)]) {
    let declarations = constants.iter().map(|(comment, name, value)| {
        // Lists are laid out as the web's formatter does with long ones.
        let value = match value.as_array() {
            Some(values) => {
                let lines: String = values.iter().map(|value| format!("  {value},\n")).collect();
                format!("[\n{lines}] as const")
            }
            None => value.to_string(),
        };
        format!("\n/** {comment} */\nexport const {name} = {};\n", value.replace('"', "'"))
    });
    compare(file, &(FIRST_LINE.to_owned() + &declarations.collect::<String>()));
}

fn check<All: TS + 'static>(file: &Path, first: &[String]) {
    let mut parts = Parts { declarations: BTreeMap::new(), config: config() };
    All::visit_dependencies(&mut parts);
    let declarations = first.iter().cloned().chain(parts.declarations.into_values());
    compare(file, &(FIRST_LINE.to_owned() + &declarations.collect::<String>()));
}

/// Everything is JSON, and no count in it comes near the limit of its numbers.
fn config() -> Config {
    Config::new().with_large_int("number")
}

/// A type of another crate cannot be given one of TypeScript, so fields of it are marked `ts(as = "...")` with one of these.
macro_rules! page_type {
    ($(#[$about:meta])* $type:ident is $name:literal: $docs:literal, $inline:expr) => {
        $(#[$about])*
        #[derive(Debug)]
        pub struct $type;

        impl TS for $type {
            type WithoutGenerics = Self;
            type OptionInnerType = Self;

            fn docs() -> Option<String> {
                Some(concat!("/**\n * ", $docs, "\n */\n").to_owned())
            }

            fn name(_: &Config) -> String {
                $name.to_owned()
            }

            fn inline(_: &Config) -> String {
                $inline
            }

            fn decl(config: &Config) -> String {
                format!("type {} = {};", Self::name(config), Self::inline(config))
            }

            fn output_path() -> Option<PathBuf> {
                Some(PathBuf::from(concat!($name, ".ts")))
            }
        }
    };
}

page_type! {
    /// [`Fate`] in a frame.
    FateWord is "Fate": "Where a player stands.",
    [Fate::Alive, Fate::Out, Fate::Disqualified].map(|fate| format!("\"{}\"", fate.word())).join(" | ")
}

page_type! {
    /// [`Message`](palestra_core::Message) in what the page is told.
    MessageData is "Message": "What there is to tell: a code and its values, or a sentence of a former version.",
    "string | { code: string; [value: string]: string | number | number[] | Message }".to_owned()
}

/// The types that are part of another, by name: they are visited in no particular order.
struct Parts {
    declarations: BTreeMap<String, String>,
    config: Config,
}

impl TypeVisitor for Parts {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Numbers, texts and lists have no file to go to: they need no declaration.
        if T::output_path().is_some() {
            self.declarations.insert(T::ident(&self.config), declaration::<T>(&self.config));
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// A declaration with its comments, laid out as the web's formatter does: every field has a comment, and so a line of
/// its own.
fn declaration<T: TS + ?Sized>(config: &Config) -> String {
    let docs = T::docs().expect("every type for the page is documented");
    // Keys of variants stand in quotes, which the formatter takes away.
    let declaration = T::decl(config).replace('"', "'").replace("{ '", "{ ").replace("':", ":");
    let mut text = format!("\n{docs}export ");
    match (declaration.split_once(" = { "), declaration.strip_suffix(", };")) {
        (_, None) => text.push_str(&declaration),
        (Some((name, variants)), _) if variants.contains(NEXT_VARIANT) => {
            text.extend([name, " ="]);
            for variant in variants.trim_end_matches(", };").split(NEXT_VARIANT) {
                text.push_str("\n  | {\n");
                push_fields(&mut text, "      ", variant);
                text.push_str("    }");
            }
            text.push(';');
        }
        (_, Some(fields)) => {
            let (head, fields) = fields.split_once('\n').unwrap_or((fields, ""));
            text.extend([head.trim_end(), "\n"]);
            push_fields(&mut text, "  ", fields);
            text.push_str("};");
        }
    }
    shortened_comments(&(text + "\n"))
}

/// Between two variants that have fields.
const NEXT_VARIANT: &str = ", } | { ";

/// Fields and their comments, a line each.
fn push_fields(text: &mut String, indent: &str, fields: &str) {
    for line in fields.lines().map(str::trim_end) {
        if line.starts_with("/**") || line.starts_with(" *") {
            text.extend([indent, line, "\n"]);
        } else {
            text.extend([indent, line.trim_end_matches(','), ";\n"]);
        }
    }
}

/// Comments of one line on one line.
fn shortened_comments(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut at = 0;
    while at + 2 < lines.len() {
        if lines[at].ends_with("/**") && lines[at + 2].ends_with(" */") {
            let comment = lines[at + 1].trim_start().trim_start_matches('*').to_owned();
            lines[at].push_str(&comment);
            lines[at].push_str(" */");
            lines.drain(at + 1..at + 3);
        }
        at += 1;
    }
    lines.join("\n") + "\n"
}
