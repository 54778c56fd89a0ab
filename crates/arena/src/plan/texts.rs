//! Texts of the organisers, in one language or in several.

use crate::limits;
use palestra_core::catalog::LANGUAGES;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// A text by language; empty if it is the same in all of them.
pub type Translations = BTreeMap<String, String>;

/// A text as a plan writes it: `"Final"`, or `{ en = "Final", hu = "Döntő" }`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Text {
    /// Where there is no choice: in English, or in the first language that there is.
    pub plain: String,
    /// By language.
    pub translations: Translations,
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Written;
        impl<'de> Visitor<'de> for Written {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a text, or one for each language: {{ en = \"…\", hu = \"…\" }}")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
                check(text)?;
                Ok(Text { plain: text.to_owned(), translations: Translations::new() })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Text, A::Error> {
                let mut translations = Translations::new();
                while let Some((language, text)) = map.next_entry::<String, String>()? {
                    if !LANGUAGES.contains(&language.as_str()) {
                        let known = LANGUAGES.join(", ");
                        let why = format!("the site does not speak \"{language}\"; it speaks {known}");
                        return Err(de::Error::custom(why));
                    }
                    check(&text)?;
                    translations.insert(language, text);
                }
                let first = LANGUAGES.iter().find_map(|language| translations.get(*language));
                let plain =
                    first.ok_or_else(|| de::Error::custom("there is no text in it; write en = \"…\""))?;
                Ok(Text { plain: plain.clone(), translations })
            }
        }
        deserializer.deserialize_any(Written)
    }
}

fn check<E: de::Error>(text: &str) -> Result<(), E> {
    match text.len() > limits::PLAN_TEXT_BYTES {
        true => Err(E::custom(format!("a text has more than {} bytes", limits::PLAN_TEXT_BYTES))),
        false => Ok(()),
    }
}
