//! Every constant of the rules and of the map generator. The rules code has no numbers of its own.

use crate::decimal::Decimal;
use crate::kind::Kind;
use palestra_core::SetupError;
use palestra_grid::Limits;

palestra_core::settings! {
    /// The constants of Grifaki.
    pub struct Settings {
        /// Columns of the map that is made for a match without one.
        width: u32 = 20, in 1..=200;
        /// Rows of the map that is made for a match without one.
        height: u32 = 20, in 1..=200;
        /// Every so many ticks each own cell of a player that holds its own capital gets one more unit.
        land_growth_time: u32 = 25, in 1..=1_000_000;
        /// Every so many ticks the cities of a player without its own capital get one more unit.
        no_capital_city_growth: u32 = 3, in 1..=1_000_000;
        /// How many times as strong units behind a wall defend: an exact decimal from 0 to 1000.
        wall_defense_coefficient: Decimal = Decimal::new(13, 1);
        /// What a generated map is made of: kinds (PLAIN, CITY, MOUNTAIN) and their shares, which sum to 1.
        map: Vec<(Kind, Decimal)> = vec![
            (Kind::Mountain, Decimal::new(6, 2)),
            (Kind::Plain, Decimal::new(92, 2)),
            (Kind::City, Decimal::new(2, 2)),
        ];
        /// The seed of the map that is made for a match without one; null takes the seed of the match.
        rand_seed: Option<u64> = None;
        /// How far one sees from an own cell of each kind, from 0 to 20, and whether it is on high ground.
        view_distance: Vec<(Kind, u32, bool)> = vec![
            (Kind::Plain, 2, false),
            (Kind::City, 3, true),
            (Kind::Capital, 4, true),
            (Kind::FallenCapital, 4, true),
        ];
        /// Ticks until the game ends and the most cells win.
        max_game_duration: u32 = 4000, in 1..=1_000_000;
        /// Units in each capital at the start.
        start_army: u32 = 100, in 1..=1_000_000;
        /// Units that a player's first wall costs.
        wall_cost: u32 = 50, in 0..=1_000_000;
        /// By how many percent each wall of a player costs more than the one before.
        wall_cost_growth: u32 = 10, in 0..=1000;
        /// Units that a player's first city costs.
        city_cost: u32 = 200, in 0..=1_000_000;
        /// By how many percent each city of a player costs more than the one before.
        city_cost_growth: u32 = 70, in 0..=1000;
        /// Seats whose bots expect the older cells of five words, without the original owner.
        five_word_seats: Vec<u8> = Vec::new();
        /// Units that the map generator puts into a neutral city.
        neutral_city_army: u32 = 0, in 0..=1_000_000;
        /// Whether a move must leave a unit behind.
        leave_one: bool = false;
        /// The most rows and the most columns of a map.
        max_side: u32 = 200, in 1..=200;
        /// The most players of a map.
        max_players: u32 = 16, in 2..=64;
    }
}

/// The largest wall coefficient.
const LARGEST_COEFFICIENT: Decimal = Decimal::new(1000, 0);
/// The largest view distance.
const LARGEST_DISTANCE: u32 = 20;

/// How one sees from a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outlook {
    pub(crate) distance: u32,
    /// On high ground no mountain is in the way.
    pub(crate) high: bool,
}

/// How many cells of a generated map are to be what; the rest is land.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shares {
    pub(crate) mountains: usize,
    pub(crate) cities: usize,
}

/// What a range cannot say.
impl Settings {
    /// How large a map may be.
    pub(crate) fn limits(&self) -> Limits {
        Limits { side: self.max_side, players: self.max_players }
    }

    /// The wall coefficient as a fraction.
    pub(crate) fn wall_fraction(&self) -> Result<(u64, u64), SetupError> {
        let coefficient = self.wall_defense_coefficient;
        if coefficient.billionths() > LARGEST_COEFFICIENT.billionths() {
            return Err(SetupError::new(format!(
                "setting wall_defense_coefficient is {coefficient}, and must be from 0 to {LARGEST_COEFFICIENT}"
            )));
        }
        Ok(coefficient.fraction())
    }

    /// How one sees from each kind of cell that can be owned.
    pub(crate) fn outlooks(&self) -> Result<[Outlook; Kind::OWNABLE], SetupError> {
        let error = |what: String| Err(SetupError::new(format!("setting view_distance {what}")));
        let mut outlooks = [None; Kind::OWNABLE];
        for &(kind, distance, high) in &self.view_distance {
            let Some(outlook) = outlooks.get_mut(kind as usize) else {
                return error("names MOUNTAIN, which nobody can own; leave it out".to_owned());
            };
            if outlook.is_some() {
                return error(format!("names {} twice; once is enough", kind.word()));
            }
            if distance > LARGEST_DISTANCE {
                return error(format!(
                    "has {distance} for {}, and {LARGEST_DISTANCE} is the most",
                    kind.word()
                ));
            }
            *outlook = Some(Outlook { distance, high });
        }
        match outlooks {
            [Some(plain), Some(city), Some(capital), Some(fallen)] => Ok([plain, city, capital, fallen]),
            _ => error("must have each of PLAIN, CITY, CAPITAL and FALLEN_CAPITAL".to_owned()),
        }
    }

    /// How many of so many cells are to be what.
    pub(crate) fn shares(&self, area: usize) -> Result<Shares, SetupError> {
        let error = |what: String| Err(SetupError::new(format!("setting map {what}")));
        let one = Decimal::new(1, 0).billionths();
        let mut shares = Shares { mountains: 0, cities: 0 };
        let mut sum: u64 = 0;
        for (number, &(kind, share)) in self.map.iter().enumerate() {
            if self.map[..number].iter().any(|(earlier, _)| *earlier == kind) {
                return error(format!("names {} twice; once is enough", kind.word()));
            }
            let billionths = share.billionths();
            sum = sum.saturating_add(billionths);
            let cells = (u128::from(billionths) * area as u128 / u128::from(one)) as usize;
            match kind {
                Kind::Mountain => shares.mountains = cells,
                Kind::City => shares.cities = cells,
                Kind::Plain => {}
                Kind::Capital | Kind::FallenCapital => {
                    return error(format!(
                        "has a share of {}, and may have PLAIN, CITY and MOUNTAIN; each player gets one capital",
                        kind.word()
                    ));
                }
            }
        }
        if sum != one {
            let texts: Vec<String> = self.map.iter().map(|(_, share)| share.to_string()).collect();
            return error(format!("has the shares {}, and they must sum to 1", texts.join(" + ")));
        }
        Ok(shares)
    }

    /// Whether each of `players` seats expects cells of five words.
    pub(crate) fn five_words(&self, players: u8) -> Result<Vec<bool>, SetupError> {
        let mut five = vec![false; usize::from(players)];
        for &seat in &self.five_word_seats {
            match usize::from(seat).checked_sub(1).and_then(|index| five.get_mut(index)) {
                Some(slot) => *slot = true,
                None => {
                    return Err(SetupError::new(format!(
                        "setting five_word_seats names seat {seat}, and the map has seats 1 to {players}"
                    )));
                }
            }
        }
        Ok(five)
    }
}

#[cfg(test)]
mod tests {
    use super::{Outlook, Settings, Shares};
    use palestra_core::settings::{from_json, to_json, with_changes};

    fn with(key: &str, value: &str) -> Settings {
        with_changes(&[(key.to_owned(), value.to_owned())]).unwrap()
    }

    #[test]
    fn decimals_keep_their_value_through_json() {
        let settings = with("wall_defense_coefficient", "1.25");
        assert_eq!(settings.wall_fraction(), Ok((5, 4)));
        assert_eq!(from_json::<Settings>(&to_json(&settings)).unwrap(), settings);
        assert!(to_json(&settings).contains("\"wall_defense_coefficient\":\"1.25\""));
        assert!(with("wall_defense_coefficient", "1001").wall_fraction().is_err());
        assert_eq!(Settings::default().wall_fraction(), Ok((13, 10)));
    }

    #[test]
    fn shares_are_exact_and_must_sum_to_one() {
        assert_eq!(Settings::default().shares(400), Ok(Shares { mountains: 24, cities: 8 }));
        let third = with("map", r#"[["PLAIN", 0.7], ["CITY", 0.3]]"#);
        assert_eq!(third.shares(10), Ok(Shares { mountains: 0, cities: 3 }));
        let error = |value: &str| with("map", value).shares(400).unwrap_err().to_string();
        assert_eq!(
            error(r#"[["PLAIN", 0.7], ["CITY", 0.2]]"#),
            "setting map has the shares 0.7 + 0.2, and they must sum to 1"
        );
        assert!(error(r#"[["PLAIN", 0.7], ["PLAIN", 0.3]]"#).contains("PLAIN twice"));
        assert!(error(r#"[["CAPITAL", 1]]"#).contains("share of CAPITAL"));
        assert!(error("").contains("must sum to 1"));
    }

    #[test]
    fn every_kind_that_can_be_owned_has_one_view_distance() {
        let outlooks = Settings::default().outlooks().unwrap();
        assert_eq!(outlooks[0], Outlook { distance: 2, high: false });
        assert_eq!(outlooks[3], Outlook { distance: 4, high: true });
        let error = |value: &str| with("view_distance", value).outlooks().unwrap_err().to_string();
        assert!(error(r#"[["PLAIN", 2, false]]"#).contains("must have each"));
        assert!(error(r#"[["MOUNTAIN", 2, false]]"#).contains("nobody can own"));
        assert!(error(r#"[["PLAIN", 2, false], ["PLAIN", 2, false]]"#).contains("twice"));
        assert!(error(r#"[["PLAIN", 21, false]]"#).contains("20 is the most"));
    }

    #[test]
    fn five_word_seats_are_seats() {
        assert_eq!(with("five_word_seats", "2").five_words(3), Ok(vec![false, true, false]));
        assert!(with("five_word_seats", "4").five_words(3).is_err());
        assert!(with("five_word_seats", "0").five_words(3).is_err());
    }
}
