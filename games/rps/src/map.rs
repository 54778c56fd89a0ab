//! The map file, `arena 20`: an arena has a size and nothing else.

use palestra_core::SetupError;
use palestra_core::fault::printable;
use palestra_core::legacy::TestCase;
use std::ops::RangeInclusive;

/// Where a match is played: a square with a factory in two opposite corners and a base in the other two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arena {
    size: u16,
}

/// The sizes there are.
pub(crate) const SIZES: RangeInclusive<u32> = 4..=100;

/// The word that a map begins with.
const WORD: &str = "arena";

impl Arena {
    /// An arena of so many rows and columns.
    pub fn new(size: u32) -> Result<Arena, SetupError> {
        if !SIZES.contains(&size) {
            return Err(SetupError::new(format!(
                "the arena has size {size}, and must have {} to {}",
                SIZES.start(),
                SIZES.end()
            )));
        }
        Ok(Arena { size: size as u16 })
    }

    /// Rows, and columns.
    pub fn size(&self) -> u16 {
        self.size
    }

    /// Reads a map file.
    pub(crate) fn read(text: &str) -> Result<Arena, SetupError> {
        let (arena, rest) = read_words(text)?;
        match rest.split_whitespace().next() {
            None => Ok(arena),
            Some(word) => Err(SetupError::new(format!(
                "\"{}\" stands behind the size of the arena; remove it",
                printable(word.as_bytes())
            ))),
        }
    }

    /// Writes the map file.
    pub(crate) fn write(self) -> String {
        format!("{WORD} {}\n", self.size)
    }
}

/// Reads a test of a test system: a map, and behind it a name for each seat.
pub(crate) fn read_test(text: &str) -> Result<TestCase, SetupError> {
    let (arena, rest) = read_words(text)?;
    Ok(TestCase { map: arena.write(), players: rest.split_whitespace().map(str::to_owned).collect() })
}

/// The arena at the beginning of a text, and what follows it.
fn read_words(text: &str) -> Result<(Arena, &str), SetupError> {
    let (word, rest) = first_word(text.strip_prefix('\u{feff}').unwrap_or(text));
    if word != WORD {
        let found = if word.is_empty() {
            "it is empty".to_owned()
        } else {
            format!("begins with \"{}\"", printable(word.as_bytes()))
        };
        return Err(SetupError::new(format!("a map is one line like \"{WORD} 20\", and {found}")));
    }
    let (number, rest) = first_word(rest);
    let Ok(size) = number.parse::<u32>() else {
        return Err(SetupError::new(format!(
            "the size of the arena should stand behind \"{WORD}\", and \"{}\" is no such number",
            printable(number.as_bytes())
        )));
    };
    Ok((Arena::new(size)?, rest))
}

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::{Arena, SIZES, read_test};
    use crate::settings::Settings;
    use palestra_core::settings::Settings as _;

    #[test]
    fn a_map_is_written_back() {
        let arena = Arena::read("\u{feff} arena\t20\r\n\n").unwrap();
        assert_eq!(arena.size(), 20);
        assert_eq!(arena.write(), "arena 20\n");
        assert_eq!(Arena::read(&arena.write()), Ok(arena));
    }

    #[test]
    fn bad_maps_are_refused() {
        let error = |text: &str| Arena::read(text).unwrap_err().to_string();
        assert_eq!(error(" \n"), "a map is one line like \"arena 20\", and it is empty");
        assert_eq!(error("20"), "a map is one line like \"arena 20\", and begins with \"20\"");
        assert_eq!(
            error("arena"),
            "the size of the arena should stand behind \"arena\", and \"\" is no such number"
        );
        assert_eq!(
            error("arena -5"),
            "the size of the arena should stand behind \"arena\", and \"-5\" is no such number"
        );
        assert_eq!(error("arena 3"), "the arena has size 3, and must have 4 to 100");
        assert_eq!(error("arena 101"), "the arena has size 101, and must have 4 to 100");
        assert_eq!(error("arena 20\n7"), "\"7\" stands behind the size of the arena; remove it");
        assert!(error("arena 99999999999999").contains("no such number"));
    }

    #[test]
    fn the_setting_has_the_same_range() {
        let docs = Settings::docs();
        let size = docs.iter().find(|doc| doc.key == "size").unwrap();
        assert_eq!(size.range, Some(format!("{}..={}", SIZES.start(), SIZES.end())));
    }

    #[test]
    fn a_test_is_a_map_and_the_names_behind_it() {
        let test = read_test("arena 8\r\nyou  greedy\nmarshal").unwrap();
        assert_eq!(test.map, "arena 8\n");
        assert_eq!(test.players, ["you", "greedy", "marshal"]);
        assert!(read_test("arena 20").unwrap().players.is_empty());
        assert!(read_test("arena you greedy").is_err());
        assert!(read_test("20 you greedy").is_err());
    }
}
