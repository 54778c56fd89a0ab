//! Whether there are words for every message, in every language, and no others.

use crate::golden::compare;
use palestra_core::catalog::LANGUAGES;
use palestra_core::{AnyGame, Catalog, Message};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Tells every one of these messages in every language, and compares that with what is recorded in `file`; the tests of
/// the page make the same sentences from it. `folder` has the files of words.
pub fn check_messages(
    file: &Path,
    folder: &Path,
    messages: &[Message],
    catalog: impl Fn(&'static str) -> Catalog,
) {
    let catalogs = LANGUAGES.map(|language| (language, catalog(language)));
    let mut lines = Vec::new();
    for message in messages {
        let mut line = json!({ "message": message });
        for (language, catalog) in &catalogs {
            let text = catalog.say(message);
            let sound = !text.contains(['{', '}']) && text.trim() == text && !text.is_empty();
            assert!(sound, "{language}: {} is told as \"{text}\"", message.to_text());
            line[language] = text.into();
        }
        lines.push(format!("  {line}"));
    }
    compare(file, &format!("[\n{}\n]\n", lines.join(",\n")));

    let mut told = BTreeSet::new();
    for message in messages {
        collect_codes(&json!(message), &mut told);
    }
    for language in LANGUAGES {
        let words = read(&folder.join(format!("{language}.json")));
        let templates: BTreeSet<&str> = object(&words, "templates").keys().map(String::as_str).collect();
        let unused: Vec<_> = templates.iter().filter(|code| !told.contains(**code)).collect();
        assert!(unused.is_empty(), "{language}: nothing is ever told with {unused:?}");
    }
}

/// Checks what the page calls the counters of a game, of which some are `marked`, in every language.
pub fn check_counters(folder: &Path, counters: &[(&str, bool)]) {
    let keys: BTreeSet<&str> = counters.iter().map(|(key, _)| *key).collect();
    let marked: BTreeSet<&str> = counters.iter().filter(|(_, marked)| *marked).map(|(key, _)| *key).collect();
    for language in LANGUAGES {
        let words = read(&folder.join(format!("{language}.json")));
        for (part, wanted) in [("counters", &keys), ("gains", &marked)] {
            let found: BTreeSet<&str> = object(&words, part).keys().map(String::as_str).collect();
            assert_eq!(found, *wanted, "{part} in {language}");
        }
        // What the program itself says is English.
        let translated = ["summary", "round"].map(|part| words.contains_key(part));
        assert_eq!(translated, [language != "en"; 2], "{language}");
    }
}

fn collect_codes(value: &Value, codes: &mut BTreeSet<String>) {
    if let Value::Object(values) = value {
        codes.extend(values.get("code").and_then(Value::as_str).map(str::to_owned));
        values.values().for_each(|value| collect_codes(value, codes));
    }
}

fn read(path: &Path) -> Map<String, Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn object<'a>(words: &'a Map<String, Value>, part: &str) -> &'a Map<String, Value> {
    words[part].as_object().unwrap_or_else(|| panic!("{part} is no object"))
}

/// What a message of this game says in English.
pub fn english(game: &dyn AnyGame, message: &Message) -> String {
    Catalog::english(game.info()).say(message)
}
