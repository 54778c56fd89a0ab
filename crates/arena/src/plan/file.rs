//! Reads the plan of an event from TOML. Every mistake names its line and what would be right.
//!
//! What a game is played with, and how a round is scored, is said in the words of a tournament's plan, and read by the
//! same reader.

use super::values::{Address, Day, Downloads, Gateway, HandTime, Invite, Span, Zone};
use super::{
    ChallengeRule, DownloadPlan, EventPlan, GamePlan, HandPlay, LiveDelay, RoundPlan, Start, Text,
    Translations, Visibility,
};
use crate::limits;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use palestra_core::AnyGame;
use palestra_league::plan::values::{self, Parsed, Within};
use palestra_league::plan::{self, Map, PlanDraft, TournamentPlan};
use palestra_league::rating::elo::EloSettings;
use palestra_runner::{Level, read_text};
use serde::Deserialize;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::{Spanned, Table, Value};

/// A mistake in a plan.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{}: {message}", file.display(), line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct PlanError {
    /// The plan's file.
    pub file: PathBuf,
    /// The line, if one is to blame.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EventFile {
    name: Text,
    #[serde(default)]
    about: Text,
    folder: Option<PathBuf>,
    database: Option<String>,
    site: Option<Parsed<Address>>,
    #[serde(default)]
    gateway: Gateway,
    tls: Option<TlsFile>,
    #[serde(default)]
    behind_proxy: bool,
    invite: Option<Parsed<Invite>>,
    hand: Option<Parsed<HandPlay>>,
    challenges: Option<Parsed<ChallengeRule>>,
    hand_time: Option<Parsed<HandTime>>,
    time_zone: Option<Parsed<Zone>>,
    date: Option<Parsed<Day>>,
    replays: Option<Parsed<Visibility>>,
    live: Option<Parsed<Visibility>>,
    live_delay: Option<Parsed<LiveDelay>>,
    replays_kept: Option<u32>,
    #[serde(default)]
    downloads: Downloads,
    rest: Option<Parsed<Span>>,
    bot_after: Option<Parsed<Span>>,
    grace: Option<Parsed<Span>>,
    ping: Option<Parsed<Span>>,
    queue: Option<Parsed<palestra_queue::Address>>,
    queue_creds: Option<PathBuf>,
    queue_ca: Option<PathBuf>,
    parallel: Option<Within<0, { limits::PARALLEL }>>,
    sandbox: Option<Parsed<Level>>,
    #[serde(default)]
    memory_by_process: bool,
    seed: Option<u32>,
    #[serde(default)]
    elo: EloSettings,
    #[serde(default)]
    game: Vec<Spanned<Table>>,
    #[serde(default)]
    round: Vec<Spanned<Table>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TlsFile {
    certificate: PathBuf,
    key: PathBuf,
}

/// The keys of a game that are not those of a tournament's plan.
#[derive(Deserialize)]
struct GameFile {
    id: String,
    #[serde(default)]
    seats: Option<Vec<u8>>,
    #[serde(default = "yes")]
    submissions: bool,
    #[serde(default = "yes")]
    free_play: bool,
    #[serde(default)]
    house: Vec<String>,
    #[serde(default)]
    house_in_rounds: bool,
    bot: Option<String>,
    pace: Option<Parsed<Span>>,
    pause: Option<Parsed<Span>>,
}

const GAME_KEYS: &[&str] =
    &["id", "seats", "submissions", "free_play", "house", "house_in_rounds", "bot", "pace", "pause"];

/// The keys of a round that are not those of a tournament's stage.
#[derive(Deserialize)]
struct RoundFile {
    name: Text,
    game: Option<String>,
    start: Option<String>,
    every: Option<Parsed<Span>>,
    best: Option<u32>,
}

const ROUND_KEYS: &[&str] = &["game", "start", "every", "best"];
/// The key of a round under which it has several stages; a round without it is its own only stage.
const STAGES: &str = "stage";

fn yes() -> bool {
    true
}

/// Reads a plan. `find` gives a game by its id, or a sentence about which there are.
pub fn read(
    file: &Path,
    find: impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
) -> Result<EventPlan, PlanError> {
    let text = read_text(file, limits::PLAN_BYTES).map_err(|error| PlanError {
        file: file.to_owned(),
        line: None,
        message: error.to_string(),
    })?;
    parse(file, &text, find)
}

/// Reads the text of a plan; what it names lies beside `file`.
pub fn parse(
    file: &Path,
    text: &str,
    find: impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
) -> Result<EventPlan, PlanError> {
    let reader = Reader { file, text };
    let plan: EventFile = toml::from_str(text).map_err(|error| {
        let (line, message) = values::explain(&error, text);
        PlanError { file: file.to_owned(), line, message }
    })?;
    let zone = plan.time_zone.map_or_else(TimeZone::system, |Parsed(Zone(zone))| zone);
    let today = || Timestamp::now().to_zoned(zone.clone()).date();
    let day = plan.date.map_or_else(today, |Parsed(Day(day))| day);
    if plan.game.is_empty() {
        return Err(reader.error(None, "no game; add [[game]] with id = \"rps\" or another"));
    }
    let seed = u64::from(plan.seed.unwrap_or(1));
    let mut games = Vec::with_capacity(plan.game.len());
    for table in &plan.game {
        let game = reader.game(table, seed, plan.elo, &find)?;
        if games.iter().any(|other: &GamePlan| other.tournament.game == game.tournament.game) {
            let id = &game.tournament.game;
            return Err(
                reader.at(table, format!("id: the game {id} is there twice; remove one of its tables"))
            );
        }
        games.push(game);
    }
    let mut rounds = Vec::with_capacity(plan.round.len());
    for table in &plan.round {
        rounds.push(reader.round(table, &plan.game, &games, (day, &zone), &find)?);
    }
    let usual_site = SocketAddr::from(([127, 0, 0, 1], limits::SITE_PORT));
    let site = plan.site.map_or(usual_site, |Parsed(Address(site))| site);
    let beside = file.parent().unwrap_or(Path::new("."));
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let visibility =
        |visibility: Option<Parsed<Visibility>>| visibility.map_or(Visibility::Everybody, |Parsed(who)| who);
    let time = |span: Option<Parsed<Span>>, usual: Duration| span.map_or(usual, |Parsed(Span(time))| time);
    Ok(EventPlan {
        file: file.to_owned(),
        name: plan.name.plain,
        name_in: plan.name.translations,
        about: plan.about.plain,
        about_in: plan.about.translations,
        folder: beside.join(plan.folder.unwrap_or_else(|| PathBuf::from(format!("{stem}.arena")))),
        database: plan.database,
        standby: false,
        site,
        tls: plan.tls.map(|tls| (beside.join(tls.certificate), beside.join(tls.key))),
        behind_proxy: plan.behind_proxy,
        gateway: match plan.gateway {
            Gateway::Usual => Some(SocketAddr::new(site.ip(), limits::GATEWAY_PORT)),
            Gateway::Nowhere => None,
            Gateway::At(address) => Some(address),
        },
        invite: plan.invite.map(|Parsed(Invite(code))| code),
        challenges: plan.challenges.map_or(ChallengeRule::Unrated, |Parsed(rule)| rule),
        hand: plan.hand.map_or(HandPlay::Everybody, |Parsed(who)| who),
        hand_time: plan.hand_time.map_or(limits::HAND_TIME, |Parsed(HandTime(time))| time),
        replays: visibility(plan.replays),
        live: visibility(plan.live),
        live_delay: plan.live_delay.map_or(LiveDelay::ByGame, |Parsed(delay)| delay),
        replays_kept: plan.replays_kept.map_or(limits::REPLAYS_KEPT, i64::from),
        downloads: match plan.downloads {
            Downloads::Usual => DownloadPlan::Program,
            Downloads::Nothing => DownloadPlan::Nothing,
            Downloads::In(folder) => DownloadPlan::Folder(beside.join(folder)),
        },
        games,
        rounds,
        elo: plan.elo,
        rest: time(plan.rest, limits::REST),
        bot_after: time(plan.bot_after, limits::BOT_AFTER),
        grace: time(plan.grace, limits::GRACE),
        ping: time(plan.ping, limits::PING),
        queue: plan.queue.map(|Parsed(mut address)| {
            address.credentials = plan.queue_creds.map(|path| beside.join(path));
            address.certificates = plan.queue_ca.map(|path| beside.join(path));
            address
        }),
        parallel: plan.parallel.map(|Within(parallel)| parallel as usize),
        sandbox: plan.sandbox.map_or(Level::Strict, |Parsed(level)| level),
        memory_by_process: plan.memory_by_process,
        seed,
    })
}

struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn error(&self, at: Option<usize>, message: impl fmt::Display) -> PlanError {
        let line = at.map(|at| values::line(self.text, at));
        PlanError { file: self.file.to_owned(), line, message: message.to_string() }
    }

    fn at<T>(&self, value: &Spanned<T>, message: impl fmt::Display) -> PlanError {
        self.error(Some(value.span().start), message)
    }

    /// The keys of a table that are not those of a tournament's plan.
    fn own<'de, T: Deserialize<'de>>(&self, table: &Spanned<Table>, keys: &[&str]) -> Result<T, PlanError> {
        let own: Table = with_keys(table.get_ref(), |key| keys.contains(&key));
        own.try_into().map_err(|error| self.at(table, values::explain_in_table(&error)))
    }

    fn game(
        &self,
        table: &Spanned<Table>,
        seed: u64,
        elo: EloSettings,
        find: &impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
    ) -> Result<GamePlan, PlanError> {
        let wrong = |why: String| self.at(table, why);
        let own: GameFile = self.own(table, GAME_KEYS)?;
        let game = find(&own.id).map_err(wrong)?;
        let info = game.info();
        let draft = self.tournament(table, None, &own.id, find)?;
        let tournament = TournamentPlan { seed, elo, maps: self.maps(table, game, &draft)?, ..draft.plan };
        let seats = own.seats.unwrap_or_else(|| vec![info.min_seats.max(2)]);
        if seats.is_empty() || seats.iter().any(|seats| !(info.min_seats..=info.max_seats).contains(seats)) {
            return Err(wrong(format!(
                "seats: {} is played by {} to {}; write e.g. seats = [{}]",
                info.title, info.min_seats, info.max_seats, info.min_seats
            )));
        }
        let known = |name: &str| game.built_ins().iter().any(|built_in| built_in.name == name);
        let names = || game.built_ins().iter().map(|built_in| built_in.name).collect::<Vec<_>>().join(", ");
        let bot = own.bot.unwrap_or_else(|| match known("bot") {
            true => "bot".to_owned(),
            false => game.built_ins()[0].name.to_owned(),
        });
        if let Some(name) = own.house.iter().chain([&bot]).find(|name| !known(name)) {
            return Err(wrong(format!(
                "{} has no built-in player \"{name}\"; there are {}",
                info.title,
                names()
            )));
        }
        Ok(GamePlan {
            game,
            tournament,
            seats,
            submissions: own.submissions,
            free_play: own.free_play,
            house: own.house,
            house_in_rounds: own.house_in_rounds,
            bot,
            pace: own.pace.map(|Parsed(Span(pace))| pace),
            pause: own.pause.map_or(Duration::ZERO, |Parsed(Span(pause))| pause),
        })
    }

    fn maps(
        &self,
        table: &Spanned<Table>,
        game: &dyn AnyGame,
        draft: &PlanDraft,
    ) -> Result<Vec<Map>, PlanError> {
        if draft.maps.is_empty() {
            return Ok(draft.plan.maps.clone());
        }
        let read = |name: &String| {
            if let Some(map) = game.maps().iter().find(|map| map.name == name) {
                return Ok(Map::Text { name: name.clone(), text: map.text.to_owned() });
            }
            let path = self.file.parent().unwrap_or(Path::new(".")).join(name);
            let text = read_text(&path, palestra_core::limits::MAP_BYTES)
                .map_err(|error| self.at(table, format!("maps: {error}")))?;
            Ok(Map::Text { name: name.clone(), text })
        };
        draft.maps.iter().map(|(name, _)| read(name)).collect()
    }

    fn round(
        &self,
        table: &Spanned<Table>,
        game_tables: &[Spanned<Table>],
        games: &[GamePlan],
        (day, zone): (Date, &TimeZone),
        find: &impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
    ) -> Result<RoundPlan, PlanError> {
        let wrong = |why: String| self.at(table, why);
        let known = || games.iter().map(|game| game.tournament.game.as_str()).collect::<Vec<_>>().join(", ");
        let own: RoundFile = self.own(table, &[ROUND_KEYS, &["name"]].concat())?;
        let stages_in = self.stage_names(table)?;
        let at = match (&own.game, games) {
            (Some(id), _) => games.iter().position(|game| game.tournament.game == *id).ok_or_else(|| {
                wrong(format!("game: \"{id}\" is no game of this event; write one of {}", known()))
            })?,
            (None, [_]) => 0,
            (None, _) => return Err(wrong(format!("game: the event has several; write one of {}", known()))),
        };
        let stages =
            self.tournament(&game_tables[at], Some(table), &games[at].tournament.game, find)?.plan.stages;
        if stages.first().is_none_or(|first| first.take.is_some() || first.carry) {
            return Err(wrong(
                "take and carry: they are for the stages behind the first; a round has best".to_owned(),
            ));
        }
        let start = match (own.start, own.every) {
            (None, None) => Start::ByHand,
            (Some(_), Some(_)) => return Err(wrong("start and every: give one of them".to_owned())),
            (None, Some(Parsed(Span(every)))) => Start::Every(every),
            (Some(word), None) if word == "next" => Start::Next,
            (Some(time), None) => Start::At(moment(&time, day, zone).ok_or_else(|| {
                wrong(format!(
                    "start: \"{time}\" is no time; write \"16:00\", \"2026-11-15 16:00\" or \"next\""
                ))
            })?),
        };
        Ok(RoundPlan {
            name: own.name.plain,
            name_in: own.name.translations,
            stages_in,
            game: games[at].tournament.game.clone(),
            start,
            stages,
            best: own.best,
        })
    }

    /// What the stages of a round are called by language: nothing for a round that is its own only stage.
    fn stage_names(&self, table: &Spanned<Table>) -> Result<Vec<Translations>, PlanError> {
        let Some(Value::Array(stages)) = table.get_ref().get(STAGES) else {
            return Ok(Vec::new());
        };
        let name = |stage: &Value| match stage.get("name") {
            Some(name @ Value::Table(_)) => {
                let text: Text = name
                    .clone()
                    .try_into()
                    .map_err(|error: toml::de::Error| self.at(table, format!("name: {}", error.message())))?;
                Ok(text.translations)
            }
            _ => Ok(Translations::new()),
        };
        stages.iter().map(name).collect()
    }

    /// Has the reader of tournaments' plans read what a game is played with, and one round of it.
    fn tournament(
        &self,
        game: &Spanned<Table>,
        round: Option<&Spanned<Table>>,
        id: &str,
        find: &impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
    ) -> Result<PlanDraft, PlanError> {
        let mut plan = with_keys(game.get_ref(), |key| !GAME_KEYS.contains(&key));
        plan.insert("game".to_owned(), id.into());
        plan.insert("bots".to_owned(), Value::Array(Vec::new()));
        if let Some(table) = round {
            let mut stage = in_one_language(with_keys(table.get_ref(), |key| !ROUND_KEYS.contains(&key)));
            let stages = match stage.remove(STAGES) {
                None => Value::Array(vec![Value::Table(stage)]),
                Some(stages) => {
                    stage.remove("name");
                    if let Some(key) = stage.keys().next() {
                        let why = format!("{key}: a round with stages says that in each [[round.stage]]");
                        return Err(self.at(table, why));
                    }
                    match stages {
                        Value::Array(stages) => {
                            Value::Array(stages.into_iter().map(stage_in_one_language).collect())
                        }
                        other => other,
                    }
                }
            };
            plan.insert("stage".to_owned(), stages);
        }
        let text = toml::to_string(&plan).expect("a table of plain values");
        plan::read(&text, find, 1).map_err(|error| self.at(round.unwrap_or(game), error.message))
    }
}

fn with_keys(table: &Table, wanted: impl Fn(&str) -> bool) -> Table {
    table.iter().filter(|(key, _)| wanted(key)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The name of a round or a stage as a tournament has it, in one language.
fn in_one_language(mut stage: Table) -> Table {
    if let Some(name @ Value::Table(_)) = stage.get("name")
        && let Ok(text) = name.clone().try_into::<Text>()
    {
        stage.insert("name".to_owned(), text.plain.into());
    }
    stage
}

fn stage_in_one_language(stage: Value) -> Value {
    match stage {
        Value::Table(stage) => Value::Table(in_one_language(stage)),
        other => other,
    }
}

/// How a time of the event's day, and one of any day, is written.
const TIMES: [&str; 2] = ["%H:%M", "%H:%M:%S"];
const MOMENTS: [&str; 4] = ["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"];

/// A time of the event's day, or of any day, in milliseconds since 1970.
fn moment(text: &str, day: Date, zone: &TimeZone) -> Option<i64> {
    let time = TIMES.iter().find_map(|form| Time::strptime(form, text).ok());
    let moment = || MOMENTS.iter().find_map(|form| DateTime::strptime(form, text).ok());
    let local = time.map(|time| day.to_datetime(time)).or_else(moment)?;
    Some(local.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::DELAY_ROUNDS;
    use palestra_core::Hides;
    use palestra_server::SpectatorDelay;

    fn games(id: &str) -> Result<&'static dyn AnyGame, String> {
        let all: [&'static dyn AnyGame; 2] = [&palestra_rps::Rps, &palestra_generals::Generals];
        all.into_iter().find(|game| game.info().id == id).ok_or_else(|| format!("there is no game \"{id}\""))
    }

    fn plan(text: &str) -> Result<EventPlan, PlanError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.toml");
        std::fs::write(&file, text).unwrap();
        read(&file, games)
    }

    #[test]
    fn the_hungarian_event_reads_as_it_was_meant() {
        let plan = plan(include_str!("../../../../events/rps.toml")).unwrap();
        assert_eq!(plan.gateway.unwrap().port(), 4242);
        assert_eq!(plan.rounds.len(), 3);
        assert_eq!(plan.rounds[2].best, Some(4));
        assert_eq!(plan.rounds[2].start, Start::Next);
        assert_eq!((plan.rest, plan.bot_after), (Duration::from_secs(10), Duration::from_secs(3)));
        let Start::At(afternoon) = plan.rounds[0].start else { panic!("a time of day") };
        let Start::At(evening) = plan.rounds[1].start else { panic!("a time of day") };
        assert_eq!(evening - afternoon, 5 * 3600 * 1000);
    }

    #[test]
    fn a_round_starts_when_it_says() {
        let start = |text: &str| {
            let text = format!(
                "name = \"x\"\ndate = \"2026-11-15\"\ntime_zone = \"Europe/Budapest\"\n[[game]]\nid = \"rps\"\n\
                 [[round]]\nname = \"a\"\n{text}"
            );
            plan(&text).map(|plan| plan.rounds[0].start).map_err(|error| error.to_string())
        };
        let at = |utc: &str| Ok(Start::At(utc.parse::<Timestamp>().unwrap().as_millisecond()));
        assert_eq!(start(""), Ok(Start::ByHand));
        assert_eq!(start("start = \"next\""), Ok(Start::Next));
        assert_eq!(start("every = \"5min\""), Ok(Start::Every(Duration::from_secs(300))));
        assert_eq!(start("start = \"16:00\""), at("2026-11-15T15:00:00Z"));
        assert_eq!(start("start = \"16:00:30\""), at("2026-11-15T15:00:30Z"));
        assert_eq!(start("start = \"2026-12-24 18:30\""), at("2026-12-24T17:30:00Z"));
        assert_eq!(start("start = \"2026-07-01T18:30:15\""), at("2026-07-01T16:30:15Z"));
        for wrong in ["2026-12-24", "18:30+01:00", "2026-12-24 18:30Z", "6:30 pm", "2026-12-24 25:00", ""] {
            let error = start(&format!("start = \"{wrong}\"")).unwrap_err();
            assert!(error.contains("is no time; write \"16:00\""), "{error}");
        }
    }

    #[test]
    fn a_round_is_one_stage_or_has_several() {
        let text = "name = \"x\"\n[[game]]\nid = \"rps\"\n[[round]]\nname = \"alone\"\nformat = \"swiss\"\n\
                    [[round]]\nname = \"cup\"\nbest = 8\n\
                    [[round.stage]]\nname = \"groups\"\ngroups = 2\n\
                    [[round.stage]]\nname = \"final\"\nformat = \"knockout\"\ntake = 4\n";
        let plan = plan(text).unwrap();
        let names = |round: usize| -> Vec<&str> {
            plan.rounds[round].stages.iter().map(|stage| stage.name.as_str()).collect()
        };
        assert_eq!((names(0), names(1)), (vec!["alone"], vec!["groups", "final"]));
        assert_eq!((plan.rounds[1].best, plan.rounds[1].stages[1].take), (Some(8), Some(4)));
    }

    #[test]
    fn hidden_things_are_shown_when_they_are_of_no_use_unless_the_plan_says_otherwise() {
        let delay = |line: &str, hides: Hides| {
            let games: [&dyn AnyGame; 3] =
                [&palestra_auralux::Auralux, &palestra_rps::Rps, &palestra_generals::Generals];
            let game = games.into_iter().find(|game| game.info().hides == hides).unwrap();
            let plan = plan(&format!("name = 'x'\n{line}\n[[game]]\nid = 'rps'\n")).unwrap();
            plan.live_delay.of(game.info())
        };
        let behind = |seconds| {
            Some(SpectatorDelay::Behind { time: Duration::from_secs(seconds), rounds: DELAY_ROUNDS })
        };
        assert_eq!(delay("", Hides::Board), Some(SpectatorDelay::UntilEnd));
        assert_eq!(delay("", Hides::Choices), behind(30));
        assert_eq!(delay("live_delay = 'end'", Hides::Choices), Some(SpectatorDelay::UntilEnd));
        assert_eq!(delay("live_delay = '45s'", Hides::Board), behind(45));
        assert_eq!(delay("live_delay = '0s'", Hides::Board), None);
        assert_eq!(delay("live_delay = '45s'", Hides::Nothing), None);
    }

    #[test]
    fn texts_are_given_in_one_language_or_in_several() {
        let text = "name = { hu = \"Kupa\", en = \"Cup\" }\nabout = \"One text\"\n[[game]]\nid = \"rps\"\n\
                    [[round]]\nname = { ru = \"Финал\", hu = \"Döntő\" }\n\
                    [[round]]\nname = \"plain\"\n[[round.stage]]\nname = { en = \"Groups\", ru = \"Группы\" }\n\
                    [[round.stage]]\nname = \"Final\"\ntake = 2\n";
        let plan = plan(text).unwrap();
        assert_eq!((plan.name.as_str(), plan.name_in["hu"].as_str()), ("Cup", "Kupa"));
        assert_eq!((plan.about.as_str(), plan.about_in.len()), ("One text", 0));
        let [first, second] = &plan.rounds[..] else { panic!("two rounds") };
        assert_eq!((first.name.as_str(), first.name_in["ru"].as_str()), ("Döntő", "Финал"), "no English");
        assert_eq!(first.stages[0].name, "Döntő");
        let stages: Vec<&str> = second.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!((stages, second.name_in.len()), (vec!["Groups", "Final"], 0));
        assert_eq!(second.stages_in[0]["ru"], "Группы");
        assert!(second.stages_in[1].is_empty());
    }

    #[test]
    fn downloads_are_a_folder_the_program_or_nothing() {
        let of = |line: &str| {
            let plan = plan(&format!("name = 'x'\n{line}\n[[game]]\nid = 'rps'\n"));
            plan.map(|plan| plan.downloads).map_err(|error| error.message)
        };
        assert_eq!(of(""), Ok(DownloadPlan::Program));
        assert_eq!(of("downloads = false"), Ok(DownloadPlan::Nothing));
        let Ok(DownloadPlan::Folder(folder)) = of("downloads = 'files'") else { panic!("a folder") };
        assert!(folder.is_absolute() && folder.ends_with("files"), "beside the plan");
        assert!(of("downloads = true").unwrap_err().contains("a folder such as \"downloads\", or false"));
    }

    #[test]
    fn mistakes_name_their_line() {
        let game = "name = \"x\"\n\n[[game]]\nid = \"rps\"\n";
        for (text, line, says) in [
            ("nam = \"x\"\n", 1, "nam"),
            ("name = \"x\"\n[[game]]\nid = \"chess\"\n", 2, "chess"),
            (
                "name = { de = \"x\" }\n[[game]]\nid = \"rps\"\n",
                1,
                "does not speak \"de\"; it speaks en, hu, ru",
            ),
            ("name = {}\n[[game]]\nid = \"rps\"\n", 1, "there is no text in it"),
            (&format!("{game}[[round]]\nname = {{ fr = \"r\" }}\n"), 5, "does not speak \"fr\""),
            (
                &format!("{game}[[round]]\nname = \"r\"\n[[round.stage]]\nname = {{ fr = \"s\" }}\n"),
                5,
                "does not speak \"fr\"",
            ),
            (&format!("{game}[[game]]\nid = \"rps\"\n"), 5, "twice; remove one of its tables"),
            (
                &format!("{game}[[round]]\nname = \"r\"\ngame = \"chess\"\n"),
                5,
                "game: \"chess\" is no game of this event; write one of rps",
            ),
            ("name = \"x\"\nsite = \"nowhere\"\n[[game]]\nid = \"rps\"\n", 2, "site"),
            ("name = \"x\"\n[[game]]\nid = \"rps\"\nhouse = [\"nobody\"]\n", 2, "nobody"),
            ("name = \"x\"\n[[game]]\nid = \"rps\"\nseats = [3]\n", 2, "seats"),
            ("name = \"x\"\nlive_delay = \"late\"\n[[game]]\nid = \"rps\"\n", 2, "live_delay"),
            ("name = \"x\"\nlive_delay = \"2h\"\n[[game]]\nid = \"rps\"\n", 2, "an hour"),
            (
                "name = \"x\"\nrest = \"soon\"\n[[game]]\nid = \"rps\"\n",
                2,
                "rest: \"soon\" is no time; write",
            ),
            (
                "name = \"x\"\nparallel = 100000\n[[game]]\nid = \"rps\"\n",
                2,
                "parallel = 100000 is out of range; write 0 to",
            ),
            ("name = \"x\"\ngateway = 4242\n[[game]]\nid = \"rps\"\n", 2, "expected the gateway's address"),
            ("name = \"x\"\ninvite = \"abc\"\n[[game]]\nid = \"rps\"\n", 2, "invite: a code of less than 4"),
            (
                "name = \"x\"\ntime_zone = \"Mars\"\n[[game]]\nid = \"rps\"\n",
                2,
                "time_zone: there is no \"Mars\"",
            ),
            ("name = \"x\"\n[[game]]\nid = \"rps\"\npace = \"slow\"\n", 2, "pace: \"slow\" is no time"),
            (&format!("{game}[[round]]\nname = \"a\"\nstart = \"25:00\"\n"), 5, "start"),
            (&format!("{game}[[round]]\nname = \"a\"\nformat = \"swis\"\n"), 5, "swis"),
            (&format!("{game}[[round]]\nname = \"a\"\nbset = 4\n"), 5, "bset"),
            (&format!("{game}[[round]]\nname = \"a\"\ngame = \"generals\"\n"), 5, "generals"),
            (&format!("{game}[[round]]\nname = \"a\"\ntake = 4\n"), 5, "take"),
            (
                &format!("{game}[[round]]\nname = \"a\"\ngroups = 2\n[[round.stage]]\nname = \"b\"\n"),
                5,
                "groups",
            ),
        ] {
            let error = plan(text).err().unwrap_or_else(|| panic!("{text} is taken"));
            assert_eq!(error.line, Some(line), "{error}");
            assert!(error.message.contains(says), "{error}");
        }
    }
}
