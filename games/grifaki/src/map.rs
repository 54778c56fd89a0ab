//! The map file: `height width players`, then a word for each cell, row by row. Reading it takes any map; whether a map
//! is fair is the generator's business.

use crate::settings::Settings;
use crate::{Board, mapgen};
use palestra_core::fault::printable;
use palestra_core::text::FileWords;
use palestra_core::{SetupError, game};
use palestra_grid::Sites;
use std::fmt::{self, Write as _};
use std::ops::Deref;

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map(Sites<Site, 0>);

/// What is at one place of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// What kind of place it is.
    pub base: Base,
    /// Whether there is a wall.
    pub wall: bool,
}

/// What kind of place it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// Land.
    Plain {
        /// Neutral units.
        units: u32,
    },
    /// A neutral city.
    City {
        /// Its garrison.
        units: u32,
    },
    /// The capital of a player, counted from 1.
    Capital {
        /// Whose.
        player: u8,
    },
    /// Nobody enters.
    Mountain,
}

impl Base {
    /// Land without anybody.
    pub const LAND: Base = Base::Plain { units: 0 };

    /// Without a wall.
    pub fn bare(self) -> Site {
        Site { base: self, wall: false }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Plain { units: 0 } => f.write_str(".")?,
            Base::Plain { units } => write!(f, ".{units}")?,
            Base::City { units: 0 } => f.write_str("c")?,
            Base::City { units } => write!(f, "c{units}")?,
            Base::Capital { player } => write!(f, "@{player}")?,
            Base::Mountain => f.write_str("M")?,
        }
        f.write_str(if self.wall { "#" } else { "" })
    }
}

impl Map {
    /// A map of these sites, row by row.
    ///
    /// # Panics
    /// If there are not exactly as many sites as cells.
    pub(crate) fn new(board: Board, players: u8, sites: Vec<Site>) -> Map {
        Map(Sites::new(board, players, sites))
    }
}

impl Deref for Map {
    type Target = Sites<Site, 0>;

    fn deref(&self) -> &Sites<Site, 0> {
        &self.0
    }
}

impl game::Setup for Map {
    const ARGUMENTS: &'static [&'static str] = &["height", "width", "players"];

    type Settings = Settings;

    fn read(settings: &Settings, text: &str) -> Result<Map, SetupError> {
        let mut capitals = Vec::new();
        let map = Sites::read(settings.limits(), text, |words, [row, column], players| {
            capitals.resize(usize::from(players), false);
            let site = read_site(words, [row, column])?;
            if let Base::Capital { player } = site.base {
                note_capital(&mut capitals, player)
                    .map_err(|what| words.error(format_args!("cell ({row}, {column}) {what}")))?;
            }
            Ok(site)
        })?;
        let players = map.players();
        if let Some(missing) = capitals.iter().position(|found| !found) {
            return Err(SetupError::new(format!(
                "the map is for {players} players, and has no capital @{} for player {0}; add it, or correct the number",
                missing + 1
            )));
        }
        Ok(Map(map))
    }

    /// In columns.
    fn write(&self) -> String {
        let longest = self.sites().iter().map(|site| site.to_string().len()).max().unwrap_or(1);
        self.0.write(|text, row| {
            let (last, before) = row.split_last().expect("a row has a cell");
            for site in before {
                write!(text, "{:longest$} ", site.to_string()).expect("writing to memory");
            }
            text.push_str(&last.to_string());
        })
    }

    fn generate(settings: &Settings, numbers: &[u32], seed: u64) -> Result<Map, SetupError> {
        let &[height, width, players] = numbers else {
            return Err(SetupError::new("a map is made from three numbers: height, width, players"));
        };
        mapgen::generate(settings, [height, width, players], seed)
    }

    fn default_for(settings: &Settings, players: u8, seed: u64) -> Result<Map, SetupError> {
        let seed = settings.rand_seed.unwrap_or(seed);
        mapgen::generate(settings, [settings.height, settings.width, players.into()], seed)
    }

    fn seats(&self) -> u8 {
        self.players()
    }
}

fn read_site(words: &mut FileWords<'_>, [row, column]: [i64; 2]) -> Result<Site, SetupError> {
    let place = format_args!("cell ({row}, {column})");
    let word = words.word(place)?;
    parse_site(word).ok_or_else(|| {
        words.error(format_args!(
            "{place} is \"{}\", and must be . (land), c (city), @1 (capital of player 1) or M (mountain); behind . and c \
             may be neutral units up to {}, and behind all but M a # for a wall",
            printable(word.as_bytes()),
            u32::MAX
        ))
    })
}

fn parse_site(word: &str) -> Option<Site> {
    let (rest, wall) = match word.strip_suffix('#') {
        Some(rest) => (rest, true),
        None => (word, false),
    };
    let kind = rest.get(..1)?;
    let number = &rest[1..];
    let units = || if number.is_empty() { Some(0) } else { digits(number)?.parse().ok() };
    let base = match kind {
        "." => Base::Plain { units: units()? },
        "c" => Base::City { units: units()? },
        "@" => Base::Capital { player: digits(number)?.parse().ok()? },
        "M" if number.is_empty() && !wall => Base::Mountain,
        _ => return None,
    };
    Some(Site { base, wall })
}

/// Digits and nothing else: no sign.
fn digits(text: &str) -> Option<&str> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

fn note_capital(capitals: &mut [bool], player: u8) -> Result<(), String> {
    let count = capitals.len();
    match usize::from(player).checked_sub(1).and_then(|index| capitals.get_mut(index)) {
        None => Err(format!("is the capital of player {player}, and there are players 1 to {count}")),
        Some(true) => Err(format!("is a second capital of player {player}; each player has one")),
        Some(found) => {
            *found = true;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Base, Map, Site};
    use crate::Grifaki;
    use crate::settings::Settings;
    use palestra_core::game::Setup as _;
    use palestra_core::legacy::Legacy as _;

    fn read(text: &str) -> Result<Map, String> {
        Map::read(&Settings::default(), text).map_err(|error| error.to_string())
    }

    fn error(text: &str) -> String {
        read(text).unwrap_err()
    }

    #[test]
    fn line_breaks_do_not_matter_and_the_map_is_written_back() {
        let map = read("2 4 2\r\n.\nc40 @2#\n\nM @1\t.7# c .").unwrap();
        assert_eq!((map.board().rows(), map.board().columns(), map.seats()), (2, 4, 2));
        let sites = [
            Base::LAND.bare(),
            Base::City { units: 40 }.bare(),
            Site { base: Base::Capital { player: 2 }, wall: true },
            Base::Mountain.bare(),
            Base::Capital { player: 1 }.bare(),
            Site { base: Base::Plain { units: 7 }, wall: true },
            Base::City { units: 0 }.bare(),
            Base::LAND.bare(),
        ];
        assert_eq!(map.sites(), sites);
        assert_eq!(map.write(), "2 4 2\n.   c40 @2# M\n@1  .7# c   .\n");
        assert_eq!(read(&map.write()), Ok(map));
    }

    #[test]
    fn maps_in_pieces_and_capitals_side_by_side_are_accepted() {
        assert!(read("1 2 2 @1 @2").is_ok());
        assert!(read("1 3 2 @2 M @1").is_ok());
    }

    #[test]
    fn bad_maps_are_refused_with_the_place() {
        assert_eq!(error(""), "the map ends where the number of rows should be; is it cut off?");
        assert_eq!(error("1 3 2\n@1 ."), "the map ends where cell (0, 2) should be; is it cut off?");
        assert!(
            error("1 3 2\n@1\nx @2").starts_with("map, line 3: cell (0, 1) is \"x\", and must be . (land)")
        );
        for word in ["c-4", "c4294967296", ".x", "M1", "M#", "@", "@x", "#", ".+5", "é", "c#4", "@256"] {
            assert!(error(&format!("1 3 2\n@1 {word} @2")).starts_with("map, line 2: cell (0, 1)"), "{word}");
        }
        assert_eq!(
            error("1 3 2\n@1 . @2\n\n7"),
            "map, line 4: \"7\" stands behind the last of the 1 x 3 cells; remove it"
        );
        assert_eq!(
            error("1 3 2\n@1 . ."),
            "the map is for 2 players, and has no capital @2 for player 2; add it, or correct the number"
        );
        assert_eq!(
            error("1 3 2\n@1 . @1"),
            "map, line 2: cell (0, 2) is a second capital of player 1; each player has one"
        );
        assert_eq!(
            error("1 3 2\n@1 . @3"),
            "map, line 2: cell (0, 2) is the capital of player 3, and there are players 1 to 2"
        );
        assert!(error("1 3 2\n@1 . @0").contains("capital of player 0"));
        assert_eq!(
            error("201 3 2"),
            "map, line 1: the map has 201 rows, and must have 1 to 200; change it, or the setting max_side"
        );
        assert!(error("3 0 2").contains("0 columns"));
        assert!(error("99999999999999999999999 3 2").contains("no such number"));
        assert!(error("3 3 1").contains("1 players, and must be for 2 to 16"));
        assert!(error("3 3 17").contains("max_players"));
        assert!(error("3 3 258").contains("258 players"));
    }

    #[test]
    fn a_test_is_a_map_and_the_names_behind_it() {
        let test = Grifaki::read_test("1 4 2\n@1 c40\n. @2\nyou  expander\r\nwarlord").unwrap();
        assert_eq!(test.map, "1 4 2\n@1 c40\n. @2\n");
        assert_eq!(test.players, ["you", "expander", "warlord"]);
        assert!(Grifaki::read_test("1 4 2\n@1 c40\n.").is_err());
        assert!(Grifaki::read_test("9999999999 9999999999 2\n@1").is_err());
        assert!(Grifaki::read_test("1 4 2 @1 . . @2").unwrap().players.is_empty());
    }
}
