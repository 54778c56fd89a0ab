//! The language of what is told: one of those that there are words in.

use palestra_core::catalog::LANGUAGES;

/// The code of such a language.
pub(crate) fn parse(text: &str) -> Result<&'static str, String> {
    let known = LANGUAGES.into_iter().find(|code| *code == text);
    known.ok_or_else(|| format!("there are {}", LANGUAGES.join(", ")))
}
