//! Types for the page, written in TypeScript: those of a game's frames (`frame.ts` in the game's folder), and of what the
//! server tells. After a change that is meant, write them anew with `make golden`.

use crate::golden::compare;
use std::collections::BTreeMap;
use std::path::Path;
use ts_rs::{Config, TS, TypeVisitor};

const FIRST_LINE: &str = "// Generated from the Rust types by `make golden`; do not edit.\n";

/// Compares the types of a frame, and of everything in it, with what is recorded in the game's folder.
pub fn check_frame_types<Frame: TS + 'static>(folder: &str) {
    let inner = declarations_within::<Frame>(&config());
    let text =
        FIRST_LINE.to_owned() + &declaration::<Frame>(&config()) + &inner.into_values().collect::<String>();
    compare(&Path::new(folder).join("frame.ts"), &text);
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

/// Compares the types of everything in `All`, itself aside, with what is recorded in `file` of the folder of the pages. What one
/// of the files `earlier` declares in the same words is taken from there.
pub fn check_types<All: TS + 'static>(file: &str, earlier: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src");
    let mut declarations = declarations_within::<All>(&config());
    let mut imports = String::new();
    let up = "../".repeat(file.matches('/').count());
    for earlier in earlier {
        let text = std::fs::read_to_string(folder.join(earlier)).expect("it is recorded");
        let shared: Vec<String> = declarations
            .extract_if(.., |_, declaration| text.contains(&*declaration))
            .map(|(name, _)| name)
            .collect();
        if !shared.is_empty() {
            let (names, from) = (shared.join(", "), format!("{up}{}", earlier.trim_end_matches(".ts")));
            imports += &format!("\nimport type {{ {names} }} from '{from}';\nexport type {{ {names} }};\n");
        }
    }
    let declarations: String = declarations.into_values().collect();
    compare(&folder.join(file), &(FIRST_LINE.to_owned() + &imports + &declarations));
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

/// Everything is JSON, and no count in it comes near the limit of its numbers.
fn config() -> Config {
    Config::new().with_large_int("number")
}

/// The types that are part of another, by name: they are visited in no particular order.
fn declarations_within<All: TS + 'static>(config: &Config) -> BTreeMap<String, String> {
    struct Parts<'a> {
        declarations: BTreeMap<String, String>,
        config: &'a Config,
    }

    impl TypeVisitor for Parts<'_> {
        fn visit<T: TS + 'static + ?Sized>(&mut self) {
            // Numbers, texts and lists have no file to go to: they need no declaration.
            if T::output_path().is_some() {
                self.declarations.insert(T::ident(self.config), declaration::<T>(self.config));
            }
            T::visit_dependencies(self);
            T::visit_generics(self);
        }
    }

    let mut parts = Parts { declarations: BTreeMap::new(), config };
    All::visit_dependencies(&mut parts);
    parts.declarations
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
