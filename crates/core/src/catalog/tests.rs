//! What a catalog makes of messages, and what it is never asked to.

use super::{Catalog, DEPTH, LANGUAGES, Words, plural};
use crate::message::Message;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Vectors {
    words: BTreeMap<String, Words>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    language: String,
    message: Message,
    text: String,
}

#[test]
fn messages_become_the_same_sentences_as_on_the_page() {
    let vectors: Vectors = serde_json::from_str(include_str!("vectors.json")).unwrap();
    for case in vectors.cases {
        let language = LANGUAGES.into_iter().find(|code| *code == case.language).unwrap();
        let catalog = Catalog { title: "", language, words: vectors.words[language].clone() };
        assert_eq!(catalog.say(&case.message), case.text);
    }
}

#[test]
fn numbers_are_counted_as_cldr_says() {
    let forms = |language| [0, 1, 2, 4, 5, 11, 12, 14, 21, 22, 25, 101, 111].map(|n| plural(language, n));
    assert_eq!(forms("en")[..3], ["other", "one", "other"]);
    assert_eq!(forms("hu")[..3], ["other", "one", "other"]);
    assert_eq!(
        forms("ru"),
        ["many", "one", "few", "few", "many", "many", "many", "many", "one", "few", "many", "one", "many"]
    );
}

#[test]
fn a_message_that_holds_itself_over_and_over_ends_somewhere() {
    let mut message = json!({ "code": "out_of_time" });
    for _ in 0..100 {
        message = json!({ "code": "malformed_because", "why": message });
    }
    let told = Catalog::core("en").say(&serde_json::from_value(message).unwrap());
    assert_eq!(told.matches("malformed answer").count(), DEPTH as usize);
}

#[test]
fn a_message_is_kept_as_it_is_with_and_without_objects() {
    let coded = Message::Coded(json!({ "code": "captured", "by": 2 }).as_object().unwrap().clone());
    let sentences = ["captured by seat 2", "", "{", "{}", "[1]", "7"];
    for message in sentences.map(|text| Message::Sentence(text.to_owned())).into_iter().chain([coded]) {
        assert_eq!(Message::from_text(message.to_text()), message);
        let packed = postcard::to_allocvec(&message).unwrap();
        assert_eq!(postcard::from_bytes::<Message>(&packed).unwrap(), message);
        let json = serde_json::to_string(&message).unwrap();
        assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message);
    }
    assert!(serde_json::from_str::<Message>("7").is_err());
}
