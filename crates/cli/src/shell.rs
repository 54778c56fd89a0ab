//! Command lines that people can copy.

/// These words as a shell takes them.
pub(crate) fn line(words: &[impl AsRef<str>]) -> String {
    words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// One word as a shell takes it: quoted only if it has to be.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c) || (cfg!(windows) && c == '\\');
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false if cfg!(windows) => format!("\"{}\"", word.replace('"', "\"\"")),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_change_them() {
        let words = ["play", "./my bot.py", "java -jar it's.jar", "", "a=b"];
        assert_eq!(super::line(&words), "play './my bot.py' 'java -jar it'\\''s.jar' '' a=b");
    }
}
