//! Maps: where the planets are and who starts where; reading and writing the map file. Plays nothing.

use crate::mapgen;
use crate::settings::Settings;
use palestra_core::text::FileWords;
use palestra_core::{Seat, SetupError, game};
use std::fmt::Write as _;

/// Coordinates beyond this are refused, so that no square overflows.
const MAX_COORDINATE: i64 = 1_000_000_000;
/// The room between planets that a map does not place, in the layout of [`Map::place`].
const GRID_SPACING: i32 = 20;

/// A map: planets, their distances, and the start planets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// By seat: the planet, counted from 0.
    starts: Vec<u8>,
    /// Row by row.
    distances: Vec<u16>,
    planets: u8,
    /// Empty for a map given as a matrix.
    places: Vec<(i32, i32)>,
}

impl Map {
    /// A map of planets at these places; every rule about maps is checked.
    pub fn placed(settings: &Settings, starts: &[i64], places: &[(i64, i64)]) -> Result<Map, SetupError> {
        check_counts(settings, places.len() as i64, starts.len() as i64)?;
        let mut distances = Vec::with_capacity(places.len() * places.len());
        for (number, &(x, y)) in (1..).zip(places) {
            if x.abs() > MAX_COORDINATE || y.abs() > MAX_COORDINATE {
                return Err(SetupError::new(format!(
                    "planet {number} is at {x} {y}, and coordinates must be from -{MAX_COORDINATE} to \
                     {MAX_COORDINATE}"
                )));
            }
        }
        for &from in places {
            for &to in places {
                let square = (from.0 - to.0).pow(2) + (from.1 - to.1).pow(2);
                distances.push(rounded_root(square));
            }
        }
        let places = places.iter().map(|&(x, y)| (x as i32, y as i32)).collect();
        Map::checked(settings, starts, &distances, places)
    }

    /// A map of planets with these distances, row by row; every rule about maps is checked.
    pub fn matrix(
        settings: &Settings,
        starts: &[i64],
        planets: usize,
        distances: &[i64],
    ) -> Result<Map, SetupError> {
        check_counts(settings, planets as i64, starts.len() as i64)?;
        assert_eq!(distances.len(), planets * planets, "a square matrix");
        for row in 0..planets {
            let own = distances[row * planets + row];
            if own != 0 {
                return Err(SetupError::new(format!(
                    "planet {} is {own} away from itself in the matrix; the diagonal must be 0",
                    row + 1
                )));
            }
            for column in 0..row {
                let (one, other) = (distances[row * planets + column], distances[column * planets + row]);
                if one != other {
                    return Err(SetupError::new(format!(
                        "the matrix has {other} from planet {} to planet {} and {one} back; both ways must be alike",
                        column + 1,
                        row + 1
                    )));
                }
            }
        }
        Map::checked(settings, starts, distances, Vec::new())
    }

    fn checked(
        settings: &Settings,
        starts: &[i64],
        distances: &[i64],
        places: Vec<(i32, i32)>,
    ) -> Result<Map, SetupError> {
        let planets = distances.len().isqrt();
        for (index, &start) in starts.iter().enumerate() {
            if !(1..=planets as i64).contains(&start) {
                return Err(SetupError::new(format!(
                    "player {} starts on planet {start}, and the planets are 1 to {planets}",
                    index + 1
                )));
            }
            if let Some(earlier) = starts[..index].iter().position(|&other| other == start) {
                return Err(SetupError::new(format!(
                    "players {} and {} both start on planet {start}; give each its own",
                    earlier + 1,
                    index + 1
                )));
            }
        }
        for row in 0..planets {
            for column in row + 1..planets {
                let distance = distances[row * planets + column];
                if !(1..=i64::from(settings.max_distance)).contains(&distance) {
                    return Err(SetupError::new(format!(
                        "planets {} and {} are {distance} apart, and every distance must be from 1 to {} \
                         (setting max_distance)",
                        row + 1,
                        column + 1,
                        settings.max_distance
                    )));
                }
            }
        }
        Ok(Map {
            starts: starts.iter().map(|&start| (start - 1) as u8).collect(),
            distances: distances.iter().map(|&distance| distance as u16).collect(),
            planets: planets as u8,
            places,
        })
    }

    /// How many planets it has.
    pub fn planets(&self) -> usize {
        usize::from(self.planets)
    }

    /// The start planet of a seat, counted from 0.
    pub fn start(&self, seat: Seat) -> usize {
        usize::from(self.starts[seat.index()])
    }

    /// The distances from a planet to all others; planets are counted from 0.
    #[inline]
    pub fn distances_from(&self, planet: usize) -> &[u16] {
        let width = usize::from(self.planets);
        &self.distances[planet * width..][..width]
    }

    /// The distance between two planets, counted from 0.
    #[inline]
    pub fn distance(&self, from: usize, to: usize) -> usize {
        usize::from(self.distances[from * usize::from(self.planets) + to])
    }

    /// The longest distance between two planets.
    pub fn longest(&self) -> usize {
        usize::from(self.distances.iter().copied().max().unwrap_or(0))
    }

    /// Whether the map itself says where the planets are.
    pub fn has_places(&self) -> bool {
        !self.places.is_empty()
    }

    /// Where a planet is drawn. The planets of a matrix map stand in rows on a square grid, by number.
    pub fn place(&self, planet: usize) -> (i32, i32) {
        if let Some(&place) = self.places.get(planet) {
            return place;
        }
        grid_place(usize::from(self.planets), planet)
    }

    /// Whether these are the places at which the planets of a matrix map are drawn.
    pub(crate) fn is_grid(places: &[(i32, i32)]) -> bool {
        places.iter().enumerate().all(|(planet, place)| *place == grid_place(places.len(), planet))
    }
}

impl game::Setup for Map {
    const ARGUMENTS: &'static [&'static str] = &["planets", "players"];

    type Settings = Settings;

    fn read(settings: &Settings, text: &str) -> Result<Map, SetupError> {
        let mut words = FileWords::new("map", text);
        let matrix = words.skip_word("matrix");
        let planets = number(&mut words, "the number of planets")?;
        let players = number(&mut words, "the number of players")?;
        check_counts(settings, planets, players)?;
        let planets = planets as usize;
        let starts = (1..=players)
            .map(|player| number(&mut words, format_args!("the start planet of player {player}")))
            .collect::<Result<Vec<i64>, SetupError>>()?;
        if matrix {
            let mut distances = Vec::with_capacity(planets * planets);
            for from in 1..=planets {
                for to in 1..=planets {
                    distances.push(number(
                        &mut words,
                        format_args!("the distance from planet {from} to planet {to}"),
                    )?);
                }
            }
            words.end("the last planet")?;
            Map::matrix(settings, &starts, planets, &distances)
        } else {
            let mut places = Vec::with_capacity(planets);
            for planet in 1..=planets {
                let x = number(&mut words, format_args!("x of planet {planet}"))?;
                let y = number(&mut words, format_args!("y of planet {planet}"))?;
                places.push((x, y));
            }
            words.end("the last planet")?;
            Map::placed(settings, &starts, &places)
        }
    }

    fn write(&self) -> String {
        let mut text = String::new();
        let planets = usize::from(self.planets);
        if self.places.is_empty() {
            text.push_str("matrix ");
        }
        let _ = writeln!(text, "{planets} {}", self.starts.len());
        push_row(&mut text, self.starts.iter().map(|&start| u16::from(start) + 1));
        for (x, y) in &self.places {
            let _ = writeln!(text, "{x} {y}");
        }
        if self.places.is_empty() {
            for row in self.distances.chunks(planets) {
                push_row(&mut text, row.iter().copied());
            }
        }
        text
    }

    fn generate(settings: &Settings, numbers: &[u32], seed: u64) -> Result<Map, SetupError> {
        let &[planets, players] = numbers else {
            return Err(SetupError::new("a map is made from two numbers, planets and players"));
        };
        mapgen::generate(settings, [planets, players], seed)
    }

    fn default_for(settings: &Settings, players: u8, seed: u64) -> Result<Map, SetupError> {
        let players = u32::from(players);
        let planets =
            (mapgen::PLANETS_PER_PLAYER * players).max(mapgen::FEWEST_PLANETS).min(settings.max_planets);
        let planets = if mapgen::is_uneven(planets, players) { planets - 1 } else { planets };
        mapgen::generate(settings, [planets, players], seed)
    }

    fn seats(&self) -> u8 {
        self.starts.len() as u8
    }
}

fn grid_place(planets: usize, planet: usize) -> (i32, i32) {
    let width = planets.isqrt() + usize::from(planets.isqrt().pow(2) < planets);
    ((planet % width) as i32 * GRID_SPACING, (planet / width) as i32 * GRID_SPACING)
}

/// Splits the text of a test-system test behind its map, going by the map's own words alone.
pub(crate) fn split_behind(text: &str) -> Result<(&str, &str), SetupError> {
    let mut words = FileWords::new("map", text);
    let matrix = words.skip_word("matrix");
    let planets = number(&mut words, "the number of planets")?;
    let players = number(&mut words, "the number of players")?;
    if planets < 0 || players < 0 {
        return Err(SetupError::new(format!(
            "the map begins with {planets} planets and {players} players; neither can be negative"
        )));
    }
    let each = if matrix { planets } else { 2 };
    let count = planets.saturating_mul(each).saturating_add(players);
    for _ in 0..count {
        if words.next().is_none() {
            return Err(SetupError::new(format!(
                "the test ends inside its map, which has {count} words behind its first two"
            )));
        }
    }
    Ok(words.split())
}

/// The integer nearest to the root: d with d(d-1) < square <= d(d+1).
pub(crate) fn rounded_root(square: i64) -> i64 {
    let floor = square.isqrt();
    floor + i64::from(square > floor * (floor + 1))
}

/// Whether a map may have so many planets and players.
pub(crate) fn check_counts(settings: &Settings, planets: i64, players: i64) -> Result<(), SetupError> {
    let error = |sentence: String| Err(SetupError::new(sentence));
    if players < 2 {
        return error(format!("the map has {players} players, and needs at least 2"));
    }
    if players > i64::from(settings.max_players) {
        return error(format!(
            "the map has {players} players, and may have {}; raise the setting max_players (up to 8)",
            settings.max_players
        ));
    }
    if planets > i64::from(settings.max_planets) {
        return error(format!(
            "the map has {planets} planets, and may have {}; raise the setting max_planets (up to 128)",
            settings.max_planets
        ));
    }
    if planets < players {
        return error(format!(
            "the map has {planets} planets for {players} players; each player needs one to start on"
        ));
    }
    Ok(())
}

fn push_row(text: &mut String, words: impl Iterator<Item = u16>) {
    for (index, number) in words.enumerate() {
        let space = if index == 0 { "" } else { " " };
        let _ = write!(text, "{space}{number}");
    }
    text.push('\n');
}

/// A number of a map file: whole, and of 32 bits, so that everything that follows can be computed with 64.
fn number(words: &mut FileWords<'_>, what: impl std::fmt::Display) -> Result<i64, SetupError> {
    words.number::<i32>(what).map(i64::from)
}

/// A word of a file, short enough for a message.
pub(crate) fn shortened(word: &str) -> String {
    const SHOWN: usize = 40;
    match word.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}
