//! The plan of an event: what its file says, checked.

mod file;
mod texts;
mod values;

pub use file::{PlanError, parse, read};
pub use texts::{Text, Translations};

use crate::limits;
use palestra_core::{AnyGame, Hides, Info, TimeControl};
use palestra_league::plan::{Map, StagePlan, TournamentPlan};
use palestra_league::rating::elo::EloSettings;
use palestra_runner::Level;
use palestra_server::SpectatorDelay;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use utoipa::ToSchema;

/// What the organisers have planned: everything that an event's file says.
#[derive(Clone)]
pub struct EventPlan {
    /// The file that says all this.
    pub file: PathBuf,
    /// What it is called.
    pub name: String,
    /// The same by language.
    pub name_in: Translations,
    /// What it is about.
    pub about: String,
    /// The same by language.
    pub about_in: Translations,
    /// The folder of everything that it keeps.
    pub folder: PathBuf,
    /// The address of a Postgres server; SQLite in the folder otherwise.
    pub database: Option<String>,
    /// Whether to wait, should another server have the event; the command line says so, no plan does.
    pub standby: bool,
    /// Where the site listens.
    pub site: SocketAddr,
    /// Certificate and key for TLS, at the site and at the gateway.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Whether a proxy stands in front and says who asks.
    pub behind_proxy: bool,
    /// Where the gateway for clients listens.
    pub gateway: Option<SocketAddr>,
    /// Whether players challenge each other.
    pub challenges: ChallengeRule,
    /// Who may play by hand, in the browser.
    pub hand: HandPlay,
    /// How long people may take for an answer.
    pub hand_time: Duration,
    /// The code with which newcomers make their own accounts.
    pub invite: Option<String>,
    /// Who may see the replays of others.
    pub replays: Visibility,
    /// Who may look on while a match goes on.
    pub live: Visibility,
    /// How late they see a match of which somebody who plays it could learn what it hides.
    pub live_delay: LiveDelay,
    /// How many replays of unscored matches are kept.
    pub replays_kept: i64,
    /// What can be downloaded from the site, beside starter kits.
    pub downloads: DownloadPlan,
    /// Its games.
    pub games: Vec<GamePlan>,
    /// Its scored rounds.
    pub rounds: Vec<RoundPlan>,
    /// The rating everybody starts with, and how far one match moves it.
    pub elo: EloSettings,
    /// After a match against a real opponent, before the next free one.
    pub rest: Duration,
    /// How long a client that accepts others and the bot waits for others before it is given the bot.
    pub bot_after: Duration,
    /// How long a scored match waits for a player who is not there.
    pub grace: Duration,
    /// Between two pings.
    pub ping: Duration,
    /// Where workers on other machines wait for matches.
    pub queue: Option<palestra_queue::Address>,
    /// Matches of programs at the same time on this machine; one for each core unless given.
    pub parallel: Option<usize>,
    /// How strictly programs that were handed in are kept apart from the machine.
    pub sandbox: Level,
    /// Whether it is accepted that memory is limited process by process, where no more can be had.
    pub memory_by_process: bool,
    /// Decides everything left to chance.
    pub seed: u64,
}

/// What can be downloaded from the site, beside starter kits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum DownloadPlan {
    /// This program itself, for machines like this one.
    #[default]
    Program,
    /// The files in this folder, and this program where they have none for a machine like this one.
    Folder(PathBuf),
    /// The page of downloads stays empty.
    Nothing,
}

/// How late a match is shown that hides something from its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LiveDelay {
    /// As late as it takes for what the game hides to be of no use any more.
    ByGame,
    /// By this time or so many rounds.
    By(SpectatorDelay),
    /// Everything is shown as it is played.
    AtOnce,
}

impl LiveDelay {
    /// How late a match of this game is shown; nothing if it is not late.
    pub fn of(self, game: &Info) -> Option<SpectatorDelay> {
        match (self, game.hides) {
            (_, Hides::Nothing) | (LiveDelay::AtOnce, _) => None,
            (LiveDelay::By(delay), _) => Some(delay),
            (LiveDelay::ByGame, Hides::Choices) => {
                Some(SpectatorDelay::Behind { time: limits::LIVE_DELAY, rounds: limits::DELAY_ROUNDS })
            }
            (LiveDelay::ByGame, Hides::Board) => Some(SpectatorDelay::UntilEnd),
        }
    }
}

/// Who may see something of others' matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Visibility {
    /// Anybody.
    Everybody,
    /// Whoever is signed in.
    Players,
    /// Only who took part, and organisers.
    Own,
}

/// Whether players let their versions play whom they like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ChallengeRule {
    /// They do, and it moves no rating.
    Unrated,
    /// They do, and it moves ratings.
    Rated,
    /// They do not.
    Nobody,
}

/// Who may play by hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandPlay {
    /// Anybody.
    Everybody,
    /// Whoever is signed in.
    Players,
    /// Nobody.
    Nobody,
}

/// A game of an event.
#[derive(Clone)]
pub struct GamePlan {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// Settings, time control, maps and seed, as a tournament has them; its stages are of no use.
    pub tournament: TournamentPlan,
    /// Players in a match of the ladder: one of these numbers.
    pub seats: Vec<u8>,
    /// Whether bots are handed in, and play a ladder.
    pub submissions: bool,
    /// Whether connected clients play free matches.
    pub free_play: bool,
    /// Built-in players on the ladder.
    pub house: Vec<String>,
    /// Whether they take part in scored rounds too.
    pub house_in_rounds: bool,
    /// The built-in player that clients can always play against.
    pub bot: String,
    /// The least that a turn takes on the ladder and in scored rounds, so that people can look on.
    pub pace: Option<Duration>,
    /// Between two matches of the ladder.
    pub pause: Duration,
}

/// A scored round.
#[derive(Clone, Debug)]
pub struct RoundPlan {
    /// What it is called.
    pub name: String,
    /// The same by language.
    pub name_in: Translations,
    /// What its stages are called, in order, by language.
    pub stages_in: Vec<Translations>,
    /// The game's id.
    pub game: String,
    /// When it begins.
    pub start: Start,
    /// Formats, points and seats: one stage, or several in order.
    pub stages: Vec<StagePlan>,
    /// Only so many take part: those with most points so far.
    pub best: Option<u32>,
}

/// When a round begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// When an organiser says so.
    ByHand,
    /// At this time, in milliseconds since 1970.
    At(i64),
    /// As soon as the round before it is over.
    Next,
    /// Again and again, so long after it was over the last time.
    Every(Duration),
}

impl GamePlan {
    /// The time control.
    pub fn time(&self) -> TimeControl {
        self.tournament.time.unwrap_or(self.game.info().time)
    }

    /// The built-in players that people can play against: those of the event, or all where it names none.
    pub(crate) fn hand_opponents(&self) -> Vec<String> {
        if self.house.is_empty() {
            return self.all_built_ins();
        }
        let mut names = self.house.clone();
        if !names.contains(&self.bot) {
            names.push(self.bot.clone());
        }
        names
    }

    /// Every built-in player, the weakest first; those that stand beside the sparring ladder come last.
    pub(crate) fn all_built_ins(&self) -> Vec<String> {
        let mut players = self.game.built_ins();
        players.sort_by_key(|player| player.level.unwrap_or(u8::MAX));
        players.into_iter().map(|player| player.name.to_owned()).collect()
    }

    /// The levels of built-in players on the sparring ladder.
    pub fn levels(&self, names: &[String]) -> Vec<Option<u8>> {
        let players = self.game.built_ins();
        let level =
            |name: &String| players.iter().find(|player| player.name == name).and_then(|player| player.level);
        names.iter().map(level).collect()
    }

    /// What people can play on: the maps of the event, and those that ship with the game.
    pub(crate) fn hand_maps(&self) -> Vec<Map> {
        let mut maps = self.tournament.maps.clone();
        for shipped in self.game.maps() {
            if maps.iter().all(|map| map.name() != shipped.name) {
                maps.push(Map::Text { name: shipped.name.to_owned(), text: shipped.text.to_owned() });
            }
        }
        maps
    }
}

impl EventPlan {
    /// Whether something that was handed in could look at the site while it plays.
    pub fn programs_reach_the_site(&self) -> bool {
        self.sandbox != Level::Strict
    }

    /// What no bot may ever be shown.
    pub(crate) fn private(&self) -> Vec<PathBuf> {
        let keys = self.tls.iter().flat_map(|(certificate, key)| [certificate, key]).cloned();
        let folders = [self.folder.clone(), self.folder.join(crate::workshop::FOLDER)];
        folders.into_iter().chain([self.file.clone()]).chain(keys).collect()
    }

    /// A game of the event.
    pub fn game(&self, id: &str) -> Option<&GamePlan> {
        self.games.iter().find(|plan| plan.game.info().id == id)
    }

    /// What the built-in players of its games are called.
    pub fn built_in_names(&self) -> impl Iterator<Item = &'static str> {
        let built_ins = self.games.iter().flat_map(|plan| plan.game.built_ins());
        built_ins.flat_map(|built_in| [built_in.name].into_iter().chain(built_in.aliases.iter().copied()))
    }
}
