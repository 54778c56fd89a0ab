//! The map file, `arena 20`: an arena has a size and nothing else.

use crate::settings::Settings;
use palestra_core::fault::printable;
use palestra_core::{SetupError, game};
use std::ops::RangeInclusive;

/// Where a match is played: a square with a factory in two opposite corners and a base in the other two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arena {
    size: u16,
}

/// The seats of every match.
pub(crate) const SEATS: u8 = 2;

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
}

impl game::Setup for Arena {
    const ARGUMENTS: &'static [&'static str] = &["size"];

    type Settings = Settings;

    fn read(_settings: &Settings, text: &str) -> Result<Arena, SetupError> {
        let (arena, rest) = split_arena(text)?;
        match rest.split_whitespace().next() {
            None => Ok(arena),
            Some(word) => Err(SetupError::new(format!(
                "\"{}\" stands behind the size of the arena; remove it",
                printable(word.as_bytes())
            ))),
        }
    }

    fn write(&self) -> String {
        format!("{WORD} {}\n", self.size)
    }

    /// An arena has a size and nothing else, so the seed decides nothing.
    fn generate(_settings: &Settings, numbers: &[u32], _seed: u64) -> Result<Arena, SetupError> {
        let &[size] = numbers else {
            return Err(SetupError::new("an arena is made from one number: its size"));
        };
        Arena::new(size)
    }

    fn default_for(settings: &Settings, players: u8, _seed: u64) -> Result<Arena, SetupError> {
        if players != SEATS {
            return Err(SetupError::new(format!(
                "Rock Paper Scissor is for {SEATS} players, and there are {players}; name {SEATS}"
            )));
        }
        Arena::new(settings.size)
    }

    fn seats(&self) -> u8 {
        SEATS
    }
}

/// The arena at the beginning of a text, and what follows it.
pub(crate) fn split_arena(text: &str) -> Result<(Arena, &str), SetupError> {
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
    use super::{Arena, SIZES};
    use crate::Rps;
    use crate::settings::Settings;
    use palestra_core::SetupError;
    use palestra_core::game::Setup as _;
    use palestra_core::legacy::Legacy as _;
    use palestra_core::settings::Settings as _;

    fn read(text: &str) -> Result<Arena, SetupError> {
        Arena::read(&Settings::default(), text)
    }

    fn generate(numbers: &[u32]) -> Result<Arena, SetupError> {
        Arena::generate(&Settings::default(), numbers, 0)
    }

    #[test]
    fn a_map_is_written_back() {
        let arena = read("\u{feff} arena\t20\r\n\n").unwrap();
        assert_eq!(arena.size(), 20);
        assert_eq!(arena.write(), "arena 20\n");
        assert_eq!(read(&arena.write()), Ok(arena));
    }

    #[test]
    fn bad_maps_are_refused() {
        let error = |text: &str| read(text).unwrap_err().to_string();
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
        let test = Rps::read_test("arena 8\r\nyou  greedy\nmarshal").unwrap();
        assert_eq!(test.map, "arena 8\n");
        assert_eq!(test.players, ["you", "greedy", "marshal"]);
        assert!(Rps::read_test("arena 20").unwrap().players.is_empty());
        assert!(Rps::read_test("arena you greedy").is_err());
        assert!(Rps::read_test("20 you greedy").is_err());
    }

    #[test]
    fn the_size_is_what_was_asked_for() {
        assert_eq!(generate(&[12]).unwrap().size(), 12);
        let settings = Settings { size: 30, ..Settings::default() };
        assert_eq!(Arena::default_for(&settings, 2, 0).unwrap().size(), 30);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(generate(&[3]).is_err() && generate(&[101]).is_err() && generate(&[u32::MAX]).is_err());
        assert!(generate(&[]).is_err() && generate(&[12, 12]).is_err());
        for players in [0, 1, 3, 64] {
            let error = Arena::default_for(&Settings::default(), players, 0).unwrap_err().to_string();
            assert!(error.contains(&format!("there are {players};")), "{error}");
        }
    }
}
