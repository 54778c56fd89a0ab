//! Reads the plan of an event from TOML. Every mistake names its line and what would be right.
//!
//! What a game is played with, and how a round is scored, is said in the words of a tournament's plan, and read by the
//! same reader.

use super::{Audience, EventPlan, GamePlan, LiveDelay, RoundPlan, Start};
use crate::limits::{DELAY_ROUNDS, LONGEST_DELAY};
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use palestra_core::AnyGame;
use palestra_league::cup::{self, Cup, Draft, Map};
use palestra_league::rating::elo::EloSettings;
use palestra_runner::read_text;
use palestra_server::Delay;
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
    name: String,
    #[serde(default)]
    about: String,
    folder: Option<PathBuf>,
    database: Option<String>,
    site: Option<Spanned<String>>,
    gateway: Option<Spanned<Value>>,
    tls: Option<TlsFile>,
    #[serde(default)]
    behind_proxy: bool,
    invite: Option<Spanned<String>>,
    time_zone: Option<Spanned<String>>,
    date: Option<Spanned<String>>,
    replays: Option<Spanned<String>>,
    live: Option<Spanned<String>>,
    live_delay: Option<Spanned<String>>,
    replays_kept: Option<u32>,
    rest: Option<Spanned<String>>,
    bot_after: Option<Spanned<String>>,
    grace: Option<Spanned<String>>,
    ping: Option<Spanned<String>>,
    parallel: Option<Spanned<u32>>,
    sandbox: Option<Spanned<String>>,
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
    bot: Option<String>,
    pace: Option<String>,
    pause: Option<String>,
}

const GAME_KEYS: &[&str] = &["id", "seats", "submissions", "free_play", "house", "bot", "pace", "pause"];

/// The keys of a round that are not those of a tournament's stage.
#[derive(Deserialize)]
struct RoundFile {
    name: String,
    game: Option<String>,
    start: Option<String>,
    every: Option<String>,
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
    let text = read_text(file, crate::limits::PLAN_BYTES).map_err(|error| PlanError {
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
        reader.error(error.span().map(|span| span.start), error.message().trim().replace('\n', "; "))
    })?;
    let zone = match &plan.time_zone {
        None => TimeZone::system(),
        Some(name) => TimeZone::get(name.get_ref()).map_err(|_| {
            reader.at(
                name,
                format!("time_zone: there is no \"{}\"; write e.g. \"Europe/Budapest\"", name.get_ref()),
            )
        })?,
    };
    let day = match &plan.date {
        None => Timestamp::now().to_zoned(zone.clone()).date(),
        Some(date) => {
            date.get_ref().parse::<Date>().map_err(|_| reader.at(date, "date: write it as \"2026-11-15\""))?
        }
    };
    if plan.game.is_empty() {
        return Err(reader.error(None, "no game; add [[game]] with id = \"rps\" or another"));
    }
    let seed = u64::from(plan.seed.unwrap_or(1));
    let mut games = Vec::with_capacity(plan.game.len());
    for table in &plan.game {
        let game = reader.game(table, seed, plan.elo, &find)?;
        if games.iter().any(|other: &GamePlan| other.cup.game == game.cup.game) {
            return Err(reader.at(table, format!("the game {} is there twice", game.cup.game)));
        }
        games.push(game);
    }
    let mut rounds = Vec::with_capacity(plan.round.len());
    for table in &plan.round {
        rounds.push(reader.round(table, &plan.game, &games, (day, &zone), &find)?);
    }
    let site = match &plan.site {
        None => SocketAddr::from(([127, 0, 0, 1], crate::limits::SITE_PORT)),
        Some(site) => reader.address("site", site)?,
    };
    let gateway = match &plan.gateway {
        None => Some(SocketAddr::new(site.ip(), crate::limits::GATEWAY_PORT)),
        Some(value) => match value.get_ref() {
            Value::Boolean(false) => None,
            Value::String(text) => {
                Some(text.parse().map_err(|_| reader.bad_address("gateway", value, text))?)
            }
            _ => return Err(reader.at(value, "gateway: write an address such as \"0.0.0.0:4242\", or false")),
        },
    };
    let beside = file.parent().unwrap_or(Path::new("."));
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = beside.join(plan.folder.unwrap_or_else(|| PathBuf::from(format!("{stem}.arena"))));
    let duration = |key: &str, value: &Option<Spanned<String>>, unless: Duration| match value {
        None => Ok(unless),
        Some(value) => reader.duration(key, value.get_ref()).map_err(|why| reader.at(value, why)),
    };
    if let Some(invite) = plan.invite.as_ref().filter(|invite| invite.get_ref().len() < 4) {
        return Err(
            reader.at(invite, "invite: a code of less than 4 letters would be guessed; take a longer one")
        );
    }
    Ok(EventPlan {
        file: file.to_owned(),
        name: plan.name,
        about: plan.about,
        folder,
        database: plan.database,
        site,
        tls: plan.tls.map(|tls| (beside.join(tls.certificate), beside.join(tls.key))),
        behind_proxy: plan.behind_proxy,
        gateway,
        invite: plan.invite.map(Spanned::into_inner),
        replays: reader.audience("replays", &plan.replays)?,
        live: reader.audience("live", &plan.live)?,
        live_delay: reader.live_delay(&plan.live_delay)?,
        replays_kept: plan.replays_kept.map_or(crate::limits::REPLAYS_KEPT, i64::from),
        games,
        rounds,
        elo: plan.elo,
        rest: duration("rest", &plan.rest, crate::limits::REST)?,
        bot_after: duration("bot_after", &plan.bot_after, crate::limits::BOT_AFTER)?,
        grace: duration("grace", &plan.grace, crate::limits::GRACE)?,
        ping: duration("ping", &plan.ping, crate::limits::PING)?,
        parallel: match &plan.parallel {
            Some(parallel) if !(1..=1000).contains(parallel.get_ref()) => {
                return Err(reader.at(parallel, "parallel: take a number from 1 to 1000"));
            }
            parallel => parallel.as_ref().map(|parallel| *parallel.get_ref() as usize),
        },
        sandbox: match &plan.sandbox {
            None => palestra_runner::Level::Strict,
            Some(word) => {
                word.get_ref().parse().map_err(|why: String| reader.at(word, format!("sandbox: {why}")))?
            }
        },
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
        let line = at.map(|at| self.text[..at.min(self.text.len())].matches('\n').count() + 1);
        PlanError { file: self.file.to_owned(), line, message: message.to_string() }
    }

    fn at<T>(&self, value: &Spanned<T>, message: impl fmt::Display) -> PlanError {
        self.error(Some(value.span().start), message)
    }

    fn address(&self, key: &str, value: &Spanned<String>) -> Result<SocketAddr, PlanError> {
        value.get_ref().parse().map_err(|_| self.bad_address(key, value, value.get_ref()))
    }

    fn bad_address<T>(&self, key: &str, value: &Spanned<T>, text: &str) -> PlanError {
        self.at(value, format!("{key}: \"{text}\" is no address; write e.g. \"0.0.0.0:8080\""))
    }

    fn audience(&self, key: &str, word: &Option<Spanned<String>>) -> Result<Audience, PlanError> {
        match word.as_ref().map(|word| (word, word.get_ref().as_str())) {
            None | Some((_, "everybody")) => Ok(Audience::Everybody),
            Some((_, "players")) => Ok(Audience::Players),
            Some((_, "own")) => Ok(Audience::Own),
            Some((word, _)) => Err(self.at(word, format!("{key}: write everybody, players or own"))),
        }
    }

    fn live_delay(&self, text: &Option<Spanned<String>>) -> Result<LiveDelay, PlanError> {
        let Some(text) = text else {
            return Ok(LiveDelay::ByGame);
        };
        if text.get_ref() == "end" {
            return Ok(LiveDelay::By(Delay::UntilEnd));
        }
        let time = self.duration("live_delay", text.get_ref());
        match time.map_err(|why| self.at(text, format!("{why}, or \"end\"")))? {
            time if time > LONGEST_DELAY => Err(self
                .at(text, "live_delay: more than an hour; write \"end\" to show matches when they are over")),
            Duration::ZERO => Ok(LiveDelay::AtOnce),
            time => Ok(LiveDelay::By(Delay::Behind { time, rounds: DELAY_ROUNDS })),
        }
    }

    fn duration(&self, key: &str, text: &str) -> Result<Duration, String> {
        let parsed = text.parse::<SignedDuration>().ok().and_then(|span| Duration::try_from(span).ok());
        parsed.ok_or_else(|| format!("{key}: \"{text}\" is no time; write e.g. \"10s\" or \"5 min\""))
    }

    fn game(
        &self,
        table: &Spanned<Table>,
        seed: u64,
        elo: EloSettings,
        find: &impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
    ) -> Result<GamePlan, PlanError> {
        let wrong = |why: String| self.at(table, why);
        let own: GameFile = picked(table.get_ref(), GAME_KEYS)
            .try_into()
            .map_err(|error: toml::de::Error| wrong(format!("game: {}", error.message())))?;
        let game = find(&own.id).map_err(wrong)?;
        let info = game.info();
        let draft = self.cup(table, None, &own.id, find)?;
        let cup = Cup { seed, elo, maps: self.maps(table, game, &draft)?, ..draft.cup };
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
        let duration = |key: &str, text: &str| self.duration(key, text).map_err(wrong);
        Ok(GamePlan {
            game,
            cup,
            seats,
            submissions: own.submissions,
            free_play: own.free_play,
            house: own.house,
            bot,
            pace: own.pace.map(|pace| duration("pace", &pace)).transpose()?,
            pause: own.pause.map_or(Ok(Duration::ZERO), |pause| duration("pause", &pause))?,
        })
    }

    fn maps(&self, table: &Spanned<Table>, game: &dyn AnyGame, draft: &Draft) -> Result<Vec<Map>, PlanError> {
        if draft.maps.is_empty() {
            return Ok(draft.cup.maps.clone());
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
        let own: RoundFile = picked(table.get_ref(), &[ROUND_KEYS, &["name"]].concat())
            .try_into()
            .map_err(|error: toml::de::Error| wrong(format!("round: {}", error.message())))?;
        let at = match (&own.game, games) {
            (Some(id), _) => games
                .iter()
                .position(|game| game.cup.game == *id)
                .ok_or_else(|| wrong(format!("game: \"{id}\" is no game of this event")))?,
            (None, [_]) => 0,
            (None, _) => return Err(wrong("game: say which; the event has several".to_owned())),
        };
        let stages = self.cup(&game_tables[at], Some(table), &games[at].cup.game, find)?.cup.stages;
        if stages.first().is_none_or(|first| first.take.is_some() || first.carry) {
            return Err(wrong(
                "take and carry: they are for the stages behind the first; a round has best".to_owned(),
            ));
        }
        let start = match (own.start, own.every) {
            (None, None) => Start::ByHand,
            (Some(_), Some(_)) => return Err(wrong("start and every: give one of them".to_owned())),
            (None, Some(every)) => Start::Every(self.duration("every", &every).map_err(wrong)?),
            (Some(word), None) if word == "next" => Start::Next,
            (Some(time), None) => Start::At(moment(&time, day, zone).ok_or_else(|| {
                wrong(format!(
                    "start: \"{time}\" is no time; write \"16:00\", \"2026-11-15 16:00\" or \"next\""
                ))
            })?),
        };
        Ok(RoundPlan { name: own.name, game: games[at].cup.game.clone(), start, stages, best: own.best })
    }

    /// Has the reader of tournaments' plans read what a game is played with, and one round of it.
    fn cup(
        &self,
        game: &Spanned<Table>,
        round: Option<&Spanned<Table>>,
        id: &str,
        find: &impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
    ) -> Result<Draft, PlanError> {
        let mut plan = without(game.get_ref(), GAME_KEYS);
        plan.insert("game".to_owned(), id.into());
        plan.insert("bots".to_owned(), Value::Array(Vec::new()));
        if let Some(table) = round {
            let mut stage = without(table.get_ref(), ROUND_KEYS);
            let stages = match stage.remove(STAGES) {
                None => Value::Array(vec![Value::Table(stage)]),
                Some(stages) => {
                    stage.remove("name");
                    if let Some(key) = stage.keys().next() {
                        let why = format!("{key}: a round with stages says that in each [[round.stage]]");
                        return Err(self.at(table, why));
                    }
                    stages
                }
            };
            plan.insert("stage".to_owned(), stages);
        }
        let text = toml::to_string(&plan).expect("a table of plain values");
        cup::read(&text, find, 1).map_err(|error| self.at(round.unwrap_or(game), error.message))
    }
}

fn picked(table: &Table, keys: &[&str]) -> Table {
    table
        .iter()
        .filter(|(key, _)| keys.contains(&key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

fn without(table: &Table, keys: &[&str]) -> Table {
    table
        .iter()
        .filter(|(key, _)| !keys.contains(&key.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}

/// A time of the event's day, or of any day, in milliseconds since 1970.
fn moment(text: &str, day: Date, zone: &TimeZone) -> Option<i64> {
    let local = match text.parse::<Time>() {
        Ok(time) => day.to_datetime(time),
        Err(_) => text.parse::<DateTime>().ok()?,
    };
    Some(local.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_core::Hides;

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
        let behind =
            |seconds| Some(Delay::Behind { time: Duration::from_secs(seconds), rounds: DELAY_ROUNDS });
        assert_eq!(delay("", Hides::Board), Some(Delay::UntilEnd));
        assert_eq!(delay("", Hides::Choices), behind(30));
        assert_eq!(delay("live_delay = 'end'", Hides::Choices), Some(Delay::UntilEnd));
        assert_eq!(delay("live_delay = '45s'", Hides::Board), behind(45));
        assert_eq!(delay("live_delay = '0s'", Hides::Board), None);
        assert_eq!(delay("live_delay = '45s'", Hides::Nothing), None);
    }

    #[test]
    fn mistakes_name_their_line() {
        let game = "name = \"x\"\n\n[[game]]\nid = \"rps\"\n";
        for (text, line, says) in [
            ("nam = \"x\"\n", 1, "nam"),
            ("name = \"x\"\n[[game]]\nid = \"chess\"\n", 2, "chess"),
            ("name = \"x\"\nsite = \"nowhere\"\n[[game]]\nid = \"rps\"\n", 2, "site"),
            ("name = \"x\"\n[[game]]\nid = \"rps\"\nhouse = [\"nobody\"]\n", 2, "nobody"),
            ("name = \"x\"\n[[game]]\nid = \"rps\"\nseats = [3]\n", 2, "seats"),
            ("name = \"x\"\nlive_delay = \"late\"\n[[game]]\nid = \"rps\"\n", 2, "live_delay"),
            ("name = \"x\"\nlive_delay = \"2h\"\n[[game]]\nid = \"rps\"\n", 2, "an hour"),
            ("name = \"x\"\nrest = \"soon\"\n[[game]]\nid = \"rps\"\n", 2, "rest"),
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
