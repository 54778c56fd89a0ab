//! What the site and other programs are told, as JSON. Every shape here is part of `/api/openapi.json`, and the site's
//! types are generated from it.
//!
//! Times are milliseconds since 1970. Numbers of matches, players, bots and versions are their names in addresses.

mod authors;
pub mod challenges;
mod convert;
mod downloads;
mod machine;
pub mod play;
mod results;
mod workers;

pub use self::downloads::{Download, DownloadKind, DownloadList, System};
pub use self::machine::MachineView;
pub use crate::model::{
    EventState, MatchKind, MatchResult, MatchState, Rejection, RejectionStep, RoundState, SourcePlace,
    VersionState,
};
pub use authors::{
    EditorLanguage, EditorView, OwnMatch, OwnMatchList, ScoreView, Seen, SettledVersion, SharedScores,
    SourceFile, SourceView, Starter, VersionComparison, VersionNote, VersionScore,
};
pub use results::{DecidedBy, Decision, PodiumLine};
pub use workers::{AsideCode, SetAside, WorkerView, WorkersView};

use crate::ids::{AccountId, BotId, ChallengeId, MatchId, RoundId, VersionId};
use crate::plan::{ChallengeRule, Translations};
use palestra_core::Message;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The event at a glance: what the site shows around every page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventView {
    /// What it is called.
    pub name: String,
    /// The same by language, where the plan has several.
    pub name_in: Translations,
    /// What it is about, in a few sentences; may be empty.
    pub about: String,
    /// The same by language, where the plan has several.
    pub about_in: Translations,
    /// The server's time.
    #[cfg_attr(test, ts(type = "number"))]
    pub now: i64,
    /// Where the event stands.
    pub state: EventState,
    /// Its games.
    pub games: Vec<GameView>,
    /// Its scored rounds: those that go on or are to come, and the latest of the others.
    pub rounds: Vec<RoundView>,
    /// What the organisers have to say, newest first.
    pub announcements: Vec<Announcement>,
    /// Whether players challenge each other, and whether that moves ratings.
    pub challenges: ChallengeRule,
    /// How newcomers get an account.
    pub registration: Registration,
    /// The port of the TCP gateway, if there is one.
    pub gateway: Option<u16>,
    /// Whether the gateway takes TLS.
    pub gateway_tls: bool,
    /// Clients connected to the gateway now.
    pub online: u32,
    /// Who asks, if signed in.
    pub me: Option<Me>,
}

/// How newcomers get an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    /// From the organisers only.
    Closed,
    /// By themselves, with the code that the organisers hand out.
    Invite,
}

/// A game of the event.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameView {
    /// Its name in addresses: "generals".
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// One line about it.
    pub summary: String,
    /// The fewest and the most players of a match.
    pub seats: (u8, u8),
    /// The time control, as a plan writes it.
    pub time: String,
    /// The same for people: a code and its values.
    #[schema(value_type = Object)]
    #[cfg_attr(test, ts(as = "palestra_testkit::MessageData"))]
    pub time_message: Message,
    /// Whether bots can be handed in.
    pub submissions: bool,
    /// Whether clients at home can play free matches.
    pub free_play: bool,
    /// Bots on its ladder.
    pub bots: u32,
    /// Matches being played now.
    pub live: u32,
    /// Starter kits to download.
    pub kits: Vec<Kit>,
}

/// A starter kit.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Kit {
    /// The language: "Python", "C++".
    pub language: String,
    /// Its file's name.
    pub file: String,
    /// Where to get it.
    pub href: String,
}

/// A scored round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundView {
    /// Its number.
    #[schema(value_type = u32)]
    pub id: RoundId,
    /// What it is called.
    pub name: String,
    /// The same by language, where the plan has several.
    pub name_in: Translations,
    /// What its stages are called, in order, by language, where the plan has several.
    pub stages_in: Vec<Translations>,
    /// The game.
    pub game: String,
    /// The formats of its stages, in order.
    pub formats: Vec<StageFormat>,
    /// Where it stands.
    pub state: RoundState,
    /// When it begins, if that is settled.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub starts: Option<i64>,
    /// When it was to begin by the plan, if that was over before it could: it waits for an organiser.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub missed: Option<i64>,
    /// When it was over.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub ended: Option<i64>,
    /// How many take part at most; everybody unless given.
    pub best: Option<u32>,
    /// Points for a win and for a draw, where that is how points are given, in all stages alike.
    pub points: Option<(f64, f64)>,
    /// Matches played, and altogether as far as one can tell.
    pub progress: (u32, u32),
    /// The best three places, once it is over.
    pub podium: Vec<PodiumLine>,
}

/// Some rounds, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundList {
    /// The rounds.
    pub rounds: Vec<RoundView>,
    /// Give this as `before` to get older ones; nothing if there are none.
    #[schema(value_type = Option<u32>)]
    pub older: Option<RoundId>,
}

/// Who meets whom in a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// What the organisers have to say.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Announcement {
    /// Its number.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// When.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// What.
    pub text: String,
}

/// Somebody who is signed in.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// The player's number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The player's name.
    pub name: String,
    /// Whether the admin pages are open.
    pub organiser: bool,
}

/// Somebody's place in a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StandingLine {
    /// 1 is the best; those equal in everything share it.
    pub place: u32,
    /// The bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// Whose it is.
    #[schema(value_type = i64)]
    pub player: AccountId,
    /// The player's name.
    pub name: String,
    /// A built-in player of the organisers'.
    pub house: bool,
    /// Whether a client of it is connected now.
    pub online: bool,
    /// Points of scored rounds.
    pub points: f64,
    /// The Elo rating, rounded.
    pub elo: i32,
    /// Matches that count for the rating.
    pub played: u32,
    /// Won alone.
    pub won: u32,
    /// Best place shared.
    pub drawn: u32,
    /// Neither.
    pub lost: u32,
    /// What plays: "version 3", "connected", "built in", or nothing yet.
    pub plays: Presence,
}

/// What plays for a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// Nothing at the moment.
    Nothing,
    /// A client that is connected.
    Client,
    /// The active version of what was handed in.
    Version,
    /// A built-in player.
    BuiltIn,
}

/// A match in a list, and on its own page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchView {
    /// Its number.
    #[schema(value_type = i64)]
    pub id: MatchId,
    /// The game.
    pub game: String,
    /// Why it was played.
    pub kind: MatchKind,
    /// The scored round it belongs to.
    #[schema(value_type = Option<u32>)]
    pub round: Option<RoundId>,
    /// The challenge it belongs to.
    #[schema(value_type = Option<i64>)]
    pub challenge: Option<ChallengeId>,
    /// Where it stands.
    pub state: MatchState,
    /// When it began.
    #[cfg_attr(test, ts(type = "number"))]
    pub started: i64,
    /// When it was over.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub ended: Option<i64>,
    /// Its place in the order in which matches were counted, which ratings depend on.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub counted: Option<i64>,
    /// Turns played so far, as far as everybody may see them.
    pub turns: u32,
    /// By seat.
    pub seats: Vec<SeatView>,
    /// Whether who asks may look at it now.
    pub watchable: bool,
    /// How far behind who asks sees it while it goes on, because it hides things from its players; nothing if at once.
    pub late: Option<LateView>,
    /// Whether it can be shown again: replays of very old matches are not kept.
    pub replay: bool,
    /// Why it does not count, if so.
    pub why: Option<String>,
}

/// How far behind a match is shown: both null if it is shown when it is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LateView {
    /// So many seconds,
    pub seconds: Option<u32>,
    /// and at least so many rounds.
    pub rounds: Option<u32>,
}

/// One seat of a match.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeatView {
    /// The player; nobody for the server's own bot.
    #[schema(value_type = Option<i64>)]
    pub player: Option<AccountId>,
    /// The bot.
    #[schema(value_type = Option<i64>)]
    pub bot: Option<BotId>,
    /// The version that played, counted from 1, or 0 if it was only tried; nothing for a client and for a built-in player.
    pub version: Option<u32>,
    /// A built-in player of the organisers, or the server's own bot.
    pub built_in: bool,
    /// Somebody who plays by hand.
    pub person: bool,
    /// The name.
    pub name: String,
    /// 1 is the best; nothing while the match goes on.
    pub place: Option<u32>,
    /// Points of the scored round; nothing if the match does not count.
    pub points: Option<f64>,
    /// The rating after the match, and how far the match moved it; nothing if it did not count.
    pub elo: Option<(f64, f64)>,
    /// The kind of its first fault: "out_of_time".
    pub fault: Option<String>,
    /// What there is to tell of that fault, for its author only: a code and its values, or of matches that were played
    /// before there were codes a sentence.
    #[schema(value_type = Option<Object>)]
    #[cfg_attr(test, ts(as = "Option<palestra_testkit::MessageData>"))]
    pub fault_message: Option<Message>,
    /// How it came to its place, for its author only: a code and its values.
    #[schema(value_type = Option<Object>)]
    #[cfg_attr(test, ts(as = "Option<palestra_testkit::MessageData>"))]
    pub reason: Option<Message>,
}

/// Some matches, newest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatchList {
    /// The matches.
    pub matches: Vec<MatchView>,
    /// Give this as `before` to get older ones; nothing if there are none.
    #[schema(value_type = Option<i64>)]
    pub older: Option<MatchId>,
}

/// A player in the list of all.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerLine {
    /// The number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// A built-in player of the organisers'.
    pub house: bool,
    /// Whether a client is connected.
    pub online: bool,
}

/// A player's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerView {
    /// The number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// A built-in player of the organisers'.
    pub house: bool,
    /// Since when.
    #[cfg_attr(test, ts(type = "number"))]
    pub joined: i64,
    /// The player's place in every game with a bot.
    pub bots: Vec<(String, StandingLine)>,
}

/// A bot's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BotView {
    /// The number.
    #[schema(value_type = i64)]
    pub id: BotId,
    /// The game.
    pub game: String,
    /// How it stands.
    pub standing: StandingLine,
    /// What was handed in, newest first; what others may not know is left out.
    pub versions: Vec<VersionView>,
    /// Its rating over time, thinned out to what a chart can show.
    pub ratings: Vec<RatingPoint>,
    /// Its results against everybody it has met.
    pub opponents: Vec<OpponentLine>,
}

/// A rating at a time.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RatingPoint {
    /// When.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// The match after which it was so.
    #[schema(value_type = i64)]
    pub game: MatchId,
    /// The rating.
    pub elo: f64,
    /// The version that played; nothing for a client and for a built-in player.
    pub version: Option<u32>,
}

/// Results against one opponent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpponentLine {
    /// The opponent's bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// Whose it is.
    #[schema(value_type = i64)]
    pub player: AccountId,
    /// Its player's name.
    pub name: String,
    /// Matches in which this bot came out ahead.
    pub won: u32,
    /// Equal.
    pub drawn: u32,
    /// Behind.
    pub lost: u32,
}

/// Something that was handed in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VersionView {
    /// Its number in addresses.
    #[schema(value_type = i64)]
    pub id: VersionId,
    /// Its number among the bot's versions, counted from 1.
    pub number: u32,
    /// The file that was handed in.
    pub file: String,
    /// When.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// What became of it.
    pub state: VersionState,
    /// Whether it is the one that plays.
    pub active: bool,
    /// What the compiler and the smoke match said; for its author only.
    pub log: Option<String>,
    /// The smoke match, for its author only.
    #[schema(value_type = Option<i64>)]
    pub smoke: Option<MatchId>,
    /// Why it was rejected, for its author only; nothing if it was not, or by an earlier palestra.
    pub rejection: Option<Rejection>,
    /// What its author notes about it, for its author only.
    pub note: Option<String>,
    /// The built-in player that it was tried against, if it was not handed in but only tried: it has no number then, never
    /// plays again, and is for its author only.
    pub trial: Option<String>,
}

/// A round's page.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundDetail {
    /// The round.
    pub round: RoundView,
    /// Who takes part. Everywhere else on this page somebody is named by the place in this list.
    pub players: Vec<RoundPlayer>,
    /// The table, best first: that of the last stage, and behind it those who did not reach it.
    pub standings: Vec<RoundStanding>,
    /// Its stages, in order; empty before it has begun.
    pub stages: Vec<StageView>,
}

/// A stage of a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageView {
    /// What it is called.
    pub name: String,
    /// Who meets whom.
    pub format: StageFormat,
    /// Where it stands.
    pub state: StageState,
    /// League rounds drawn so far.
    pub drawn: u32,
    /// League rounds altogether, if one can tell.
    pub all: Option<u32>,
    /// How many of the stage before take part; everybody unless given.
    pub take: Option<u32>,
    /// Its groups; one if it is not split.
    pub groups: Vec<StageGroup>,
    /// The league rounds that were drawn, in order; of a very large stage only the latest.
    pub rounds: Vec<LeagueRound>,
}

/// Where a stage stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum StageState {
    /// Others come first.
    Waiting,
    /// Being played.
    Running,
    /// Played.
    Over,
}

/// Some who play among themselves in a stage.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StageGroup {
    /// The table, best first; points carried over from the stage before are included.
    pub standings: Vec<RoundStanding>,
    /// The duels of a knockout, those to come included; empty otherwise.
    pub bracket: Vec<DuelView>,
}

/// Meetings that can be played side by side.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeagueRound {
    /// Counted from 1 within the stage.
    pub number: u32,
    /// Who meets whom, group by group.
    pub meetings: Vec<MeetingView>,
    /// Who has nobody to meet.
    pub byes: Vec<usize>,
}

/// Some who meet, once or several times.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MeetingView {
    /// The group, counted from 0.
    pub group: usize,
    /// Who.
    pub players: Vec<usize>,
    /// Further matches of a knockout's meeting that was equal: which of its deciders, counted from 1; 0 for the meeting
    /// itself.
    pub decider: u32,
    /// The points of each so far.
    pub points: Vec<f64>,
    /// Its matches, in order.
    pub matches: Vec<RoundMatch>,
}

/// A match of a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundMatch {
    /// Its number in addresses; nothing before it begins, and if it was not played.
    #[schema(value_type = Option<i64>)]
    pub id: Option<MatchId>,
    /// Where it stands.
    pub state: RoundMatchState,
    /// Who plays; by seat, once it was played.
    pub players: Vec<usize>,
    /// Their points, in the same order; empty before it was played. Those of a void match do not count.
    pub points: Vec<f64>,
}

/// Where a match of a round stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum RoundMatchState {
    /// It is still to be played.
    Planned,
    /// Being played.
    Running,
    /// Played.
    Finished,
    /// Somebody did not come and has lost it.
    Forfeit,
    /// Taken out of the count.
    Void,
    /// It could not be played, or nobody came.
    Failed,
}

/// A duel of a knockout. Duels are named by their places in their bracket.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DuelView {
    /// Which part of the bracket it belongs to.
    pub part: BracketPart,
    /// The round of the bracket, counted from 1.
    pub round: u32,
    /// The two sides.
    pub sides: [DuelSide; 2],
    /// Who goes on, once that is settled.
    pub winner: Option<usize>,
    /// What settled it.
    pub decision: Option<Decision>,
    /// Its meeting: the number of the league round, and its place among the meetings there; nothing before it is drawn,
    /// and if one side has nobody.
    pub meeting: Option<(u32, usize)>,
}

/// A part of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum BracketPart {
    /// Of those who have not lost.
    Upper,
    /// Of those who have lost once.
    Lower,
    /// Decides who has won.
    Final,
    /// Played only if the final was lost by the one who had not lost before.
    SecondFinal,
    /// Of those who lost the half-finals.
    ThirdPlace,
}

/// A side of a duel: from the field, from a duel before, or nobody (then the other side goes on).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DuelSide {
    /// Who is on it, once that is settled.
    pub player: Option<usize>,
    /// The duel whose winner it is.
    pub winner_of: Option<usize>,
    /// The duel whose loser it is.
    pub loser_of: Option<usize>,
    /// There is nobody, and there will be nobody.
    pub nobody: bool,
}

/// Somebody in a round.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundPlayer {
    /// The bot.
    #[schema(value_type = i64)]
    pub bot: BotId,
    /// The player's name.
    pub name: String,
    /// The rating at the beginning of the round.
    pub elo: f64,
}

/// One line of a round's table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RoundStanding {
    /// 1 is the best.
    pub place: u32,
    /// The place in `players`.
    pub bot: usize,
    /// Points of this stage.
    pub points: f64,
    /// Matches played.
    pub played: u32,
    /// Won alone.
    pub won: u32,
    /// Best place shared.
    pub drawn: u32,
    /// Neither.
    pub lost: u32,
}

/// What changes all the time: sent as a stream, and once on request.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveView {
    /// The server's time.
    #[cfg_attr(test, ts(type = "number"))]
    pub now: i64,
    /// Where the event stands.
    pub state: EventState,
    /// Matches being played: scored ones first, then the best rated; only so many.
    pub matches: Vec<MatchView>,
    /// How many are being played altogether.
    pub running: u32,
    /// The latest results, newest first.
    pub latest: Vec<MatchView>,
    /// Rounds that go on or are to come, and the latest of the others, by number.
    pub rounds: Vec<RoundView>,
    /// The newest announcement's number, to notice a new one.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub announcement: Option<i64>,
    /// Clients connected to the gateway.
    pub online: u32,
    /// What became lately of versions of who asks, newest first.
    pub settled: Vec<SettledVersion>,
}

/// An account, for organisers.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AccountView {
    /// The number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// Whether the admin pages are open.
    pub organiser: bool,
    /// A built-in player.
    pub house: bool,
    /// Shut out by the organisers.
    pub banned: bool,
    /// Whether a client is connected.
    pub online: bool,
}

/// A new account's password: told once, never kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewPassword {
    /// The player's number.
    #[schema(value_type = i64)]
    pub id: AccountId,
    /// The name.
    pub name: String,
    /// The password.
    pub password: String,
}

/// What a table of players says.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportPreview {
    /// The heading of the column that names were taken from, if the table has headings.
    pub name_heading: Option<String>,
    /// That of the passwords.
    pub password_heading: Option<String>,
    /// The players, in the order of the table.
    pub players: Vec<ImportedPlayer>,
}

/// A player in a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ImportedPlayer {
    /// The name.
    pub name: String,
    /// Whether the table has a password for it.
    pub has_password: bool,
    /// Whether it has an account already, which stays as it is.
    pub is_known: bool,
}

/// A key for programs, without its secret.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenView {
    /// Its number.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// What it is for.
    pub label: String,
    /// Since when.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
}

/// A new key: its secret is told once, never kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewToken {
    /// Its number.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// The secret.
    pub token: String,
}

/// Whether somebody is shut out.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ban {
    /// Shut out, or let in again.
    pub banned: bool,
}

/// A line of the event's log, for organisers.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogLine {
    /// Its number.
    #[cfg_attr(test, ts(type = "number"))]
    pub id: i64,
    /// When.
    #[cfg_attr(test, ts(type = "number"))]
    pub at: i64,
    /// Who did it; nobody for what happened by itself.
    pub who: Option<String>,
    /// What happened.
    pub text: String,
}

/// Signing in.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignIn {
    /// The player's name.
    pub name: String,
    /// The password.
    pub password: String,
}

/// A newcomer with an invite code.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SignUp {
    /// The name to be.
    pub name: String,
    /// The password.
    pub password: String,
    /// The code that the organisers hand out.
    pub invite: String,
}

/// A new password for oneself.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ChangePassword {
    /// The one so far.
    pub old: String,
    /// The new one.
    pub new: String,
}

/// A new key for programs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AskToken {
    /// What it is for.
    pub label: String,
}

/// A new account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AddPlayer {
    /// The name.
    pub name: String,
    /// The password; one is made up if there is none.
    pub password: Option<String>,
    /// Whether the admin pages are to be open.
    #[serde(default)]
    pub organiser: bool,
}

/// Something to announce.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Announce {
    /// What.
    pub text: String,
}

/// Why something is done.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Reason {
    /// In a few words.
    #[serde(default)]
    pub why: String,
}

/// What the organisers can do to the whole event or to a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// Begin now, whatever the plan says.
    Start,
    /// Begin nothing more for a while.
    Pause,
    /// Go on.
    Resume,
    /// End it: what has not been played is not played.
    Close,
}

/// Something went wrong: one sentence.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Wrong {
    /// What, where, and what to do.
    pub error: String,
    /// The same for people of every language: a code and its values.
    #[schema(value_type = Object)]
    #[cfg_attr(test, ts(as = "Option<palestra_testkit::MessageData>"))]
    pub message: Option<Message>,
}

/// How JSON spells one of a few.
pub(crate) fn spelling(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => unreachable!("it is written as one word"),
    }
}
