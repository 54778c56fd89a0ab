//! OpenSkill (the Bradley-Terry form of Weng and Lin, 2011): a mean and how uncertain it is, for tables of any size.
//!
//! A game is free for all: every player is a team of one, and every pair of a table is compared.

use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// Where ratings start and how much luck a game holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpenSkillSettings {
    /// The mean of a bot that has not played.
    pub mean: f64,
    /// Its standard deviation.
    pub sigma: f64,
    /// How far apart means must be for the better one to win clearly; more for a game with more luck.
    pub beta: f64,
}

impl Default for OpenSkillSettings {
    fn default() -> OpenSkillSettings {
        OpenSkillSettings { mean: 25.0, sigma: 25.0 / 3.0, beta: 25.0 / 6.0 }
    }
}

/// What is believed about a bot.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Skill {
    /// The most likely strength.
    pub mean: f64,
    /// The standard deviation of the belief.
    pub sigma: f64,
}

/// The OpenSkill ratings of a field.
#[derive(Debug, Clone)]
pub struct OpenSkill {
    settings: OpenSkillSettings,
    skills: Vec<Skill>,
}

impl OpenSkill {
    /// An empty field.
    pub fn new(settings: OpenSkillSettings) -> OpenSkill {
        OpenSkill { settings, skills: Vec::new() }
    }

    /// A new bot of which nothing is known, and its number.
    pub fn add_bot(&mut self) -> usize {
        self.skills.push(Skill { mean: self.settings.mean, sigma: self.settings.sigma });
        self.skills.len() - 1
    }

    /// Learns from one finished game.
    ///
    /// # Panics
    /// If there are fewer than two players, not as many ranks, or a bot that was not added.
    pub fn record(&mut self, players: &[usize], ranks: &[u32]) {
        super::assert_game(players, ranks);
        let config = WengLinConfig { beta: self.settings.beta, ..WengLinConfig::default() };
        let before: Vec<[WengLinRating; 1]> = players
            .iter()
            .map(|&player| {
                let Skill { mean, sigma } = self.skills[player];
                [WengLinRating { rating: mean, uncertainty: sigma }]
            })
            .collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .zip(ranks)
            .map(|(team, &rank)| (&team[..], MultiTeamOutcome::new(rank as usize)))
            .collect();
        for (&player, after) in players.iter().zip(weng_lin_multi_team(&teams, &config)) {
            self.skills[player] = Skill { mean: after[0].rating, sigma: after[0].uncertainty };
        }
    }

    /// What is believed about a bot.
    ///
    /// # Panics
    /// If the bot was not added.
    pub fn skill(&self, bot: usize) -> Skill {
        self.skills[bot]
    }
}

#[cfg(test)]
mod tests {
    use super::{OpenSkill, OpenSkillSettings};

    fn field(bots: usize) -> OpenSkill {
        let mut field = OpenSkill::new(OpenSkillSettings::default());
        for _ in 0..bots {
            field.add_bot();
        }
        field
    }

    #[test]
    fn newcomers_move_as_the_reference_says() {
        // What openskill.js gives for its full-pairing Bradley-Terry model and newcomers, placed in order.
        let expected: [(&[f64], f64); 3] = [
            (&[27.635_231_383_473_65, 22.364_768_616_526_35], 8.065_506_316_323_548),
            (&[30.270_462_766_947_294, 25.0, 19.729_537_233_052_706], 7.788_474_807_872_566),
            (
                &[32.905_694_150_420_95, 27.635_231_383_473_65, 22.364_768_616_526_35, 17.094_305_849_579_05],
                7.501_219_069_396_4,
            ),
        ];
        for (means, sigma) in expected {
            let mut field = field(means.len());
            let players: Vec<usize> = (0..means.len()).collect();
            let ranks: Vec<u32> = (1..=means.len() as u32).collect();
            field.record(&players, &ranks);
            for (bot, mean) in means.iter().enumerate() {
                assert!((field.skill(bot).mean - mean).abs() < 1e-9, "mean of {bot} in {}", means.len());
                assert!((field.skill(bot).sigma - sigma).abs() < 1e-9, "sigma of {bot} in {}", means.len());
            }
        }
    }

    #[test]
    fn a_tie_of_equals_says_something_but_moves_nobody() {
        let mut field = field(3);
        field.record(&[2, 0, 1], &[1, 1, 1]);
        for bot in 0..3 {
            assert!((field.skill(bot).mean - 25.0).abs() < 1e-12);
            assert!(field.skill(bot).sigma < 25.0 / 3.0);
        }
    }
}
