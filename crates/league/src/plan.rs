//! The plan of a tournament: one TOML file, or a line on a terminal, checked and written down.
//!
//! Everything that decides the tournament is in [`TournamentPlan`], the maps' texts included, so that it goes on the same way
//! whatever becomes of the files it was made from.

mod file;
mod quick;
pub mod values;

use crate::event::{Counted, Finished};
use crate::limits;
use crate::pairing::Points;
use crate::pairing::seating::{MapChoice, Seatings};
use crate::pairing::tiebreak::TieBreak;
use crate::rating::elo::EloSettings;
use crate::stage::points_of;
use palestra_core::TimeControl;
use palestra_runner::Level;
use serde::{Deserialize, Serialize};

pub use file::read;
pub use quick::QuickPlan;

/// A tournament's plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TournamentPlan {
    /// What it is called.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// Decides everything left to chance.
    pub seed: u64,
    /// Settings of the game that differ from the defaults.
    pub settings: Vec<(String, String)>,
    /// The time control; the game's own unless given.
    pub time: Option<TimeControl>,
    /// What is played on.
    pub maps: Vec<Map>,
    /// The stages, in order.
    pub stages: Vec<StagePlan>,
    /// How often a match is played again because the host was at fault.
    pub retries: u32,
    /// Cores of one match.
    pub cores: usize,
    /// The Elo rating everybody starts with, and how much one match can move it.
    pub elo: EloSettings,
    /// How rounds are drawn, see [`DRAWING`]: a tournament goes on as it was begun.
    #[serde(default = "first")]
    pub drawing: u32,
}

/// The way in which rounds of a new tournament are drawn. Before the second, points that were carried over did not count in a
/// Swiss stage, its bye did not always go to the last, tables were less even, and seats stayed as drawn in repeats. Before
/// the third, knockouts had no deciders.
pub const DRAWING: u32 = 3;

fn first() -> u32 {
    1
}

impl TournamentPlan {
    /// What is different in another plan, by the names that a plan's file uses.
    pub fn differences(&self, other: &TournamentPlan) -> Vec<String> {
        // How rounds are drawn is no part of a plan's file.
        let TournamentPlan {
            name,
            game,
            seed,
            settings,
            time,
            maps,
            stages,
            retries,
            cores,
            elo,
            drawing: _,
        } = self;
        let keys = [
            ("name", *name != other.name),
            ("game", *game != other.game),
            ("seed", *seed != other.seed),
            ("settings", *settings != other.settings),
            ("time", *time != other.time),
            ("maps", *maps != other.maps),
            ("the number of stages", stages.len() != other.stages.len()),
            ("retries", *retries != other.retries),
            ("cores", *cores != other.cores),
            ("elo", *elo != other.elo),
        ];
        let keys = keys.into_iter().filter(|(_, differs)| *differs).map(|(key, _)| key.to_owned());
        let changed = stages.iter().zip(&other.stages).filter(|(stage, other)| stage != other);
        keys.chain(changed.map(|(stage, _)| format!("stage \"{}\"", stage.name))).collect()
    }
}

/// What a match is played on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Map {
    /// A map with its text.
    Text {
        /// What it is called.
        name: String,
        /// Its file's text.
        text: String,
    },
    /// One that the game generates, the same for everybody: the number tells several of them apart.
    Generated(u32),
    /// A new one for every meeting.
    Fresh,
}

impl Map {
    /// What to call it.
    pub fn name(&self) -> String {
        match self {
            Map::Text { name, .. } => name.clone(),
            Map::Generated(number) => format!("generated {}", number + 1),
            Map::Fresh => "generated".to_owned(),
        }
    }
}

/// One stage.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StagePlan {
    /// What it is called.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// Bots in one match.
    pub seats: u8,
    /// How many groups the field is split into.
    pub groups: u32,
    /// How many of the stage before take part; everybody unless given.
    pub take: Option<u32>,
    /// Whether the points of the stages before count here too.
    pub carry: bool,
    /// What a match brings.
    pub points: PointRule,
    /// What decides between bots with the same points, in order.
    pub tie_breaks: Vec<TieBreak>,
    /// The matches of one meeting.
    pub maps: MapChoice,
    /// Who sits where in them.
    pub seatings: Seating,
    /// How often all of that is played.
    pub repeats: u32,
}

/// Who meets whom in a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(any(test, feature = "typescript"), derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum StageFormat {
    /// Everybody meets everybody.
    RoundRobin,
    /// Several at a table, in rounds.
    Tables,
    /// Those with the same points meet.
    Swiss,
    /// Whoever loses is out.
    Knockout,
    /// Whoever loses twice is out.
    DoubleKnockout,
    /// Some meet everybody else.
    Gauntlet,
}

impl StageFormat {
    fn word(self) -> &'static str {
        match self {
            StageFormat::RoundRobin => "round-robin",
            StageFormat::Tables => "tables",
            StageFormat::Swiss => "swiss",
            StageFormat::Knockout => "knockout",
            StageFormat::DoubleKnockout => "double-knockout",
            StageFormat::Gauntlet => "gauntlet",
        }
    }
}

/// Who meets whom.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Every pair or table of the field, so many times.
    RoundRobin {
        /// How many times each of them meets.
        cycles: u32,
    },
    /// Free for all at tables, so many rounds.
    Tables {
        /// Rounds to be played.
        rounds: u32,
    },
    /// Pairs with the same points, so many rounds or as many as the field needs.
    Swiss {
        /// Rounds to be played; unless given, as many as a knockout would have.
        rounds: Option<u32>,
    },
    /// Whoever loses is out.
    Knockout {
        /// With the second loss only.
        double: bool,
        /// Whether the losers of the semi-finals meet.
        third_place: bool,
        /// How often two who are equal play two further matches with seats swapped; [`limits::DECIDERS`] unless given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        deciders: Option<u32>,
    },
    /// These bots against everybody else.
    Gauntlet {
        /// The names of those who play against everybody else.
        heroes: Vec<String>,
        /// How many times each of these meetings takes place.
        cycles: u32,
    },
}

impl Format {
    /// Which it is, without its numbers.
    pub fn kind(&self) -> StageFormat {
        match self {
            Format::RoundRobin { .. } => StageFormat::RoundRobin,
            Format::Tables { .. } => StageFormat::Tables,
            Format::Swiss { .. } => StageFormat::Swiss,
            Format::Knockout { double: false, .. } => StageFormat::Knockout,
            Format::Knockout { double: true, .. } => StageFormat::DoubleKnockout,
            Format::Gauntlet { .. } => StageFormat::Gauntlet,
        }
    }
}

/// Who sits where in the matches of a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// As the round was drawn: seats are balanced over the stage.
    Drawn,
    /// Everybody sits everywhere once.
    Rotations,
    /// Every order of the players.
    All,
    /// One match, and whoever had the higher Elo rating when the stage began moves first.
    Elo,
}

impl Seating {
    /// How a meeting's seats are dealt, in a tournament whose rounds are drawn in this way.
    pub(crate) fn deal(self, drawing: u32) -> Seatings {
        match self {
            Seating::Drawn if drawing >= 2 => Seatings::InTurn,
            Seating::Drawn | Seating::Elo => Seatings::AsDrawn,
            Seating::Rotations => Seatings::Rotations,
            Seating::All => Seatings::All,
        }
    }
}

/// What a match brings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PointRule {
    /// For the only best, for those who share the best place, and for the rest.
    Result {
        /// For the only best.
        win: Points,
        /// For those who share the best place.
        draw: Points,
        /// For the rest.
        loss: Points,
    },
    /// By place; those who share places share their points.
    Places(Vec<Points>),
    /// The game's own score.
    Score,
}

impl PointRule {
    /// The points of a match, by seat.
    pub fn award(&self, finished: &Finished) -> Vec<f64> {
        let points = points_of(self, &Counted::from(finished));
        points.into_iter().map(|points| points.0 as f64 / 1000.0).collect()
    }
}

/// Whether a bot can be called so; if not, what a name is.
pub fn check_name(name: &str) -> Result<(), String> {
    let printable =
        |c: char| !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}');
    match name.trim() == name
        && !name.is_empty()
        && name.len() <= limits::NAME_BYTES
        && name.chars().all(printable)
    {
        true => Ok(()),
        false => Err(format!(
            "a name has 1 to {} bytes of printable characters, and no space at its ends",
            limits::NAME_BYTES
        )),
    }
}

/// A mistake in a plan, and where it is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{message}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct PlanError {
    /// The line of the file, if one is to blame.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A plan as its file says it, before bots and maps are looked at.
#[derive(Debug)]
pub struct PlanDraft {
    /// The plan; its maps are still to come.
    pub plan: TournamentPlan,
    /// The bots in seeding order: a name, what it is, and the line that says so.
    pub bots: Vec<(String, String, usize)>,
    /// The maps: a file or the name of one that ships, and the line.
    pub maps: Vec<(String, usize)>,
    /// Whether it names a seed.
    pub seeded: bool,
    /// Matches at the same time on this machine; one for each core, or each set of cores, unless given.
    pub parallel: Option<usize>,
    /// How strictly bots are kept apart from the machine, if the file says so.
    pub sandbox: Option<Level>,
    /// Where workers on other machines find matches, if there are some.
    pub queue: Option<String>,
}
