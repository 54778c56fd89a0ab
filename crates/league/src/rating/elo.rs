//! Elo: one public number per bot, moved by every game.
//!
//! For more than two players every pair of a table counts as a game with `k / (players - 1)`, all from the ratings
//! before the game: the factor is spread over a player's opponents, so that a table moves nobody further than a duel
//! could.

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::elo::{EloConfig, EloRating, elo};

/// Where ratings start and how fast they move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EloSettings {
    /// The rating of a bot that has not played.
    pub start: f64,
    /// The most that one game can move a rating.
    pub k: f64,
}

impl Default for EloSettings {
    fn default() -> EloSettings {
        EloSettings { start: 1500.0, k: 32.0 }
    }
}

/// The Elo ratings of a field.
#[derive(Debug, Clone)]
pub struct Elo {
    settings: EloSettings,
    ratings: Vec<EloRating>,
}

impl Elo {
    /// An empty field.
    pub fn new(settings: EloSettings) -> Elo {
        Elo { settings, ratings: Vec::new() }
    }

    /// A new bot with the rating everybody starts with, and its number.
    pub fn add_bot(&mut self) -> usize {
        self.add_bot_at(self.settings.start)
    }

    /// A bot that comes with a rating, and its number.
    pub fn add_bot_at(&mut self, rating: f64) -> usize {
        self.ratings.push(EloRating { rating });
        self.ratings.len() - 1
    }

    /// Moves the ratings of the players of one finished game.
    ///
    /// # Panics
    /// If there are fewer than two players, not as many ranks, or a bot that was not added.
    pub fn record(&mut self, players: &[usize], ranks: &[u32]) {
        super::assert_game(players, ranks);
        let config = EloConfig { k: self.settings.k / (players.len() - 1) as f64 };
        let before: Vec<EloRating> = players.iter().map(|&player| self.ratings[player]).collect();
        for first in 0..players.len() {
            for second in first + 1..players.len() {
                let outcome = match ranks[first].cmp(&ranks[second]) {
                    std::cmp::Ordering::Less => Outcomes::WIN,
                    std::cmp::Ordering::Equal => Outcomes::DRAW,
                    std::cmp::Ordering::Greater => Outcomes::LOSS,
                };
                let after = elo(&before[first], &before[second], &outcome, &config);
                self.ratings[players[first]].rating += after.0.rating - before[first].rating;
                self.ratings[players[second]].rating += after.1.rating - before[second].rating;
            }
        }
    }

    /// The rating of a bot; rounded for display only.
    ///
    /// # Panics
    /// If the bot was not added.
    pub fn rating(&self, bot: usize) -> f64 {
        self.ratings[bot].rating
    }
}

#[cfg(test)]
mod tests {
    use super::{Elo, EloSettings};

    /// A field whose bots have played before.
    fn field(ratings: &[f64]) -> Elo {
        let mut elo = Elo::new(EloSettings::default());
        for rating in ratings {
            elo.add_bot_at(*rating);
        }
        elo
    }

    #[test]
    fn the_textbook_tournament_costs_twelve_points() {
        // The worked example of the Wikipedia article on Elo: 2.5 points of 5 where 2.88 were expected, 1613 to 1601.
        // The five games are rated together there, so each starts from 1613 here.
        let games = [(1609.0, 2, 1), (1477.0, 1, 1), (1388.0, 1, 2), (1586.0, 1, 2), (1720.0, 2, 1)];
        let change: f64 = games
            .iter()
            .map(|&(opponent, own_rank, other_rank)| {
                let mut elo = field(&[1613.0, opponent]);
                elo.record(&[0, 1], &[own_rank, other_rank]);
                elo.rating(0) - 1613.0
            })
            .sum();
        assert_eq!((1613.0 + change).round(), 1601.0);
    }

    #[test]
    fn equals_win_half_the_factor_and_a_table_moves_as_far_as_a_duel() {
        let mut elo = field(&[1500.0; 4]);
        elo.record(&[0, 1], &[1, 2]);
        assert_eq!((elo.rating(0), elo.rating(1)), (1516.0, 1484.0));
        let mut elo = field(&[1500.0; 4]);
        elo.record(&[3, 1, 2, 0], &[2, 1, 4, 2]);
        let expected = [1500.0, 1516.0, 1484.0, 1500.0];
        for (bot, expected) in expected.into_iter().enumerate() {
            assert!((elo.rating(bot) - expected).abs() < 1e-9, "bot {bot}");
        }
    }

    #[test]
    fn a_game_takes_from_one_what_it_gives_to_others() {
        let mut elo = field(&[1400.0, 1710.0, 1555.0, 1335.0]);
        elo.record(&[0, 1, 2, 3], &[1, 3, 3, 2]);
        let total: f64 = (0..4).map(|bot| elo.rating(bot)).sum();
        assert!((total - 6000.0).abs() < 1e-9);
    }
}
