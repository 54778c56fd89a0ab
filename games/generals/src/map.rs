//! The map file: `n m k`, then the cells row by row. Reading it takes any map; whether a map is fair is the
//! generator's business.

use crate::settings::Settings;
use crate::{Board, mapgen};
use palestra_core::text::FileWords;
use palestra_core::{SetupError, game};
use palestra_grid::Sites;
use std::fmt::Write as _;
use std::ops::Deref;

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map(Sites<Site, 1>);

/// What is at one place of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// Land that belongs to nobody.
    Empty,
    /// A neutral city.
    City {
        /// Its garrison.
        units: u32,
    },
    /// The capital of the next player, in reading order.
    Capital,
    /// Nobody enters.
    Mountain,
}

impl Map {
    /// A map of these sites, row by row.
    ///
    /// # Panics
    /// If there are not exactly as many sites as cells.
    pub(crate) fn new(board: Board, sites: Vec<Site>) -> Map {
        let players = u8::try_from(capitals(&sites)).expect("a map has few capitals");
        Map(Sites::new(board, players, sites))
    }
}

impl Deref for Map {
    type Target = Sites<Site, 1>;

    fn deref(&self) -> &Sites<Site, 1> {
        &self.0
    }
}

fn capitals(sites: &[Site]) -> usize {
    sites.iter().filter(|site| **site == Site::Capital).count()
}

impl game::Setup for Map {
    const ARGUMENTS: &'static [&'static str] = &["rows", "columns", "players"];

    type Settings = Settings;

    fn read(settings: &Settings, text: &str) -> Result<Map, SetupError> {
        let map = Sites::read(settings.limits(), text, |words, place, _| read_site(words, place))?;
        let (players, capitals) = (map.players(), capitals(map.sites()));
        if capitals != usize::from(players) {
            return Err(SetupError::new(format!(
                "the map says it has {players} players, and has {capitals} capitals; make them equal"
            )));
        }
        Ok(Map(map))
    }

    fn write(&self) -> String {
        self.0.write(|text, row| {
            for (column, site) in row.iter().enumerate() {
                if column > 0 {
                    text.push(' ');
                }
                match site {
                    Site::Empty => text.push('1'),
                    Site::City { units } => write!(text, "2 {units}").expect("writing to memory"),
                    Site::Capital => text.push('3'),
                    Site::Mountain => text.push('4'),
                }
            }
        })
    }

    fn generate(settings: &Settings, numbers: &[u32], seed: u64) -> Result<Map, SetupError> {
        let &[rows, columns, players] = numbers else {
            return Err(SetupError::new("a map is made from three numbers: rows, columns, players"));
        };
        mapgen::generate(settings, [rows, columns, players], seed)
    }

    fn default_for(settings: &Settings, players: u8, seed: u64) -> Result<Map, SetupError> {
        mapgen::generate(settings, [settings.map_rows, settings.map_columns, players.into()], seed)
    }

    fn seats(&self) -> u8 {
        self.players()
    }
}

fn read_site(words: &mut FileWords<'_>, [row, column]: [i64; 2]) -> Result<Site, SetupError> {
    let place = format_args!("cell ({row}, {column})");
    match words.number::<u64>(&place)? {
        1 => Ok(Site::Empty),
        2 => {
            let units: u64 = words.number(format_args!("the units of the city at {place}"))?;
            let units = u32::try_from(units).map_err(|_| {
                words.error(format_args!(
                    "the city at {place} has {units} units, and may have {} at most",
                    u32::MAX
                ))
            })?;
            Ok(Site::City { units })
        }
        3 => Ok(Site::Capital),
        4 => Ok(Site::Mountain),
        other => Err(words.error(format_args!(
            "{place} is {other}, and must be 1 (empty), 2 and units (city), 3 (capital) or 4 (mountain)"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::{Map, Site};
    use crate::Generals;
    use crate::settings::Settings;
    use palestra_core::game::Setup as _;
    use palestra_core::legacy::Legacy as _;

    fn error(text: &str) -> String {
        Map::read(&Settings::default(), text).unwrap_err().to_string()
    }

    #[test]
    fn line_breaks_do_not_matter_and_the_map_is_written_back() {
        let map = Map::read(&Settings::default(), "2 3 2\r\n1\n2 40 3\n\n4 3\t1").unwrap();
        assert_eq!((map.board().rows(), map.board().columns(), map.seats()), (2, 3, 2));
        let sites = [
            Site::Empty,
            Site::City { units: 40 },
            Site::Capital,
            Site::Mountain,
            Site::Capital,
            Site::Empty,
        ];
        assert_eq!(map.sites(), sites);
        assert_eq!(map.write(), "2 3 2\n1 2 40 3\n4 3 1\n");
        assert_eq!(Map::read(&Settings::default(), &map.write()), Ok(map));
    }

    #[test]
    fn capitals_next_to_one_another_are_accepted() {
        assert!(Map::read(&Settings::default(), "1 2 2 3 3").is_ok());
    }

    #[test]
    fn bad_maps_are_refused_with_the_place() {
        assert_eq!(error(""), "the map ends where the number of rows should be; is it cut off?");
        assert_eq!(error("1 3 2\n3 1"), "the map ends where cell (1, 3) should be; is it cut off?");
        assert_eq!(
            error("1 3 2\n3\nx 3"),
            "map, line 3: cell (1, 2) should be here, and \"x\" is no such number"
        );
        assert_eq!(
            error("1 3 2\n3 5 3"),
            "map, line 2: cell (1, 2) is 5, and must be 1 (empty), 2 and units (city), 3 (capital) or 4 (mountain)"
        );
        assert_eq!(
            error("1 3 2\n3 2 -4 3"),
            "map, line 2: the units of the city at cell (1, 2) should be here, and \"-4\" is no such number"
        );
        assert_eq!(
            error("1 3 2\n3 2 4294967296 3"),
            "map, line 2: the city at cell (1, 2) has 4294967296 units, and may have 4294967295 at most"
        );
        assert_eq!(
            error("1 3 2\n3 1 3\n\n7"),
            "map, line 4: \"7\" stands behind the last of the 1 x 3 cells; remove it"
        );
        assert_eq!(
            error("1 3 2\n3 1 1"),
            "the map says it has 2 players, and has 1 capitals; make them equal"
        );
        assert_eq!(
            error("51 3 2"),
            "map, line 1: the map has 51 rows, and must have 1 to 50; change it, or the setting max_side"
        );
        assert!(error("3 0 2").contains("0 columns"));
        assert!(error("99999999999999999999999 3 2").contains("no such number"));
        assert!(error("3 3 1").contains("1 players, and must be for 2 to 16"));
        assert!(error("3 3 17").contains("max_players"));
    }

    #[test]
    fn a_larger_board_is_a_setting() {
        let settings = Settings { max_side: 60, ..Settings::default() };
        let text = format!("1 60 2 3 3{}", " 1".repeat(58));
        assert!(Map::read(&settings, &text).is_ok());
    }

    #[test]
    fn a_test_is_a_map_and_the_names_behind_it() {
        let test = Generals::read_test("1 4 2\n3 2 40\n1 3\nyou  greedy\r\nhunter").unwrap();
        assert_eq!(test.map, "1 4 2\n3 2 40\n1 3\n");
        assert_eq!(test.players, ["you", "greedy", "hunter"]);
        assert!(Generals::read_test("1 4 2\n3 2 40\n1").is_err());
        assert!(Generals::read_test("9999999999 9999999999 2\n3").is_err());
        assert!(Generals::read_test("1 4 2 3 1 1 3").unwrap().players.is_empty());
    }
}
