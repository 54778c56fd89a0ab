//! Reads a plan from TOML. Every mistake names its line, its key, and what would be right.

use super::values::{self, Parsed, Within, check_range};
use super::{
    DRAWING, Format, Map, PlanDraft, PlanError, PointRule, Seating, StageFormat, StagePlan, TournamentPlan,
    check_name,
};
use crate::limits;
use crate::pairing::Points;
use crate::pairing::seating::MapChoice;
use crate::pairing::tiebreak::TieBreak;
use crate::rating::elo::EloSettings;
use palestra_core::{AnyGame, TimeControl};
use palestra_runner::Level;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use toml::{Spanned, Value};

/// Reads a plan. `find` gives a game by its id, or a sentence about which there are; `seed` is used if the file has none.
pub fn read(
    text: &str,
    find: impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
    seed: u64,
) -> Result<PlanDraft, PlanError> {
    let reader = Reader { text };
    let explain = |error: toml::de::Error| {
        let (line, message) = values::explain(&error, text);
        PlanError { line, message }
    };
    let file: PlanFile = toml::from_str(text).map_err(|error| {
        // Which keys a stage may have is a matter of its format: if that is wrong, it is what has to be mended.
        explain(toml::from_str::<Formats>(text).err().unwrap_or(error))
    })?;
    let game = find(file.game.get_ref()).map_err(|why| reader.error(&file.game, why))?;
    let info = game.info();
    let settings = reader.settings(game, &file.settings)?;
    let bots = reader.bots(file.bots)?;
    let maps: Vec<(String, usize)> =
        file.maps.iter().map(|map| (map.get_ref().clone(), reader.line(map.span().start))).collect();
    at_most("maps", maps.len(), limits::MAPS, "can be played on")?;
    if let (Some(generate), false) = (&file.generate, maps.is_empty()) {
        return Err(reader.error(generate, "generate: give either maps or generate, not both"));
    }
    let generated = match &file.generate {
        None => vec![Map::Fresh],
        Some(count) => (0..count.get_ref().0).map(Map::Generated).collect(),
    };
    let maps_known = if maps.is_empty() { generated.len() } else { maps.len() };
    at_most("stage", file.stage.len(), limits::STAGES, "stages can follow each other")?;
    let planned = if file.stage.is_empty() { vec![StageFile::default()] } else { file.stage };
    let field = Field { seats: (info.min_seats, info.max_seats), bots: &bots, maps: maps_known };
    let stages = planned.into_iter().enumerate().map(|(index, stage)| reader.stage(stage, index, &field));
    let plan = TournamentPlan {
        name: file.name.unwrap_or_else(|| format!("{} cup", info.title)),
        game: info.id.to_owned(),
        seed: file.seed.unwrap_or(seed),
        settings,
        time: file.time.map(|Parsed(time)| time),
        maps: generated,
        stages: stages.collect::<Result<_, _>>()?,
        retries: file.retries.map_or(limits::RETRIES, |Within(retries)| retries),
        cores: file.cores.map_or(1, |Within(cores)| cores as usize),
        elo: file.elo.map(|Ratings(elo)| elo).unwrap_or_default(),
        drawing: DRAWING,
    };
    Ok(PlanDraft {
        plan,
        bots,
        maps,
        seeded: file.seed.is_some(),
        parallel: file.parallel.map(|Within(parallel)| parallel as usize),
        sandbox: file.sandbox.map(|Parsed(level)| level),
        queue: file.queue,
    })
}

fn at_most(key: &str, count: usize, most: usize, what: &str) -> Result<(), PlanError> {
    match count > most {
        true => Err(PlanError { line: None, message: format!("{key}: at most {most} {what}") }),
        false => Ok(()),
    }
}

type Parallel = Within<0, { limits::PARALLEL as u32 }>;
type Cores = Within<1, { limits::PARALLEL as u32 }>;
type Count = Within<1, 1_000_000>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanFile {
    name: Option<String>,
    game: Spanned<String>,
    seed: Option<u64>,
    time: Option<Parsed<TimeControl>>,
    sandbox: Option<Parsed<Level>>,
    parallel: Option<Parallel>,
    queue: Option<String>,
    cores: Option<Cores>,
    retries: Option<Within<0, { limits::MAX_RETRIES }>>,
    elo: Option<Ratings>,
    #[serde(default)]
    maps: Vec<Spanned<String>>,
    generate: Option<Spanned<Within<1, { limits::MAPS as u32 }>>>,
    #[serde(default)]
    settings: toml::Table,
    bots: BotList,
    #[serde(default)]
    stage: Vec<StageFile>,
}

/// Of a plan that cannot be read: whether its formats can.
#[derive(Deserialize)]
struct Formats {
    #[serde(default, rename = "stage")]
    _stages: Vec<FormatOnly>,
}

#[derive(Deserialize)]
struct FormatOnly {
    #[serde(rename = "format")]
    _format: Option<Parsed<StageFormat>>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct StageFile {
    name: Option<String>,
    format: Option<Spanned<Parsed<StageFormat>>>,
    seats: Option<Spanned<u32>>,
    rounds: Option<Spanned<Count>>,
    cycles: Option<Spanned<Count>>,
    #[serde(default)]
    heroes: Vec<Spanned<String>>,
    third_place: Option<Spanned<bool>>,
    deciders: Option<Spanned<Within<0, { limits::MAX_DECIDERS }>>>,
    groups: Option<Count>,
    take: Option<Spanned<Within<2, { limits::BOTS as u32 }>>>,
    #[serde(default)]
    carry: bool,
    points: Option<Rule>,
    tie_breaks: Option<Vec<Parsed<TieBreak>>>,
    maps: Option<Spanned<Value>>,
    seatings: Option<Parsed<Seating>>,
    repeats: Option<Within<1, 10_000>>,
}

impl StageFormat {
    fn has(self, key: &str) -> bool {
        match key {
            "rounds" => matches!(self, StageFormat::Tables | StageFormat::Swiss),
            "cycles" => matches!(self, StageFormat::RoundRobin | StageFormat::Gauntlet),
            "third_place" => self == StageFormat::Knockout,
            "deciders" => matches!(self, StageFormat::Knockout | StageFormat::DoubleKnockout),
            _ => self == StageFormat::Gauntlet,
        }
    }

    fn is_for_pairs(self) -> bool {
        matches!(self, StageFormat::Swiss | StageFormat::Knockout | StageFormat::DoubleKnockout)
    }
}

impl FromStr for StageFormat {
    type Err = String;

    fn from_str(word: &str) -> Result<StageFormat, String> {
        use StageFormat::{DoubleKnockout, Gauntlet, Knockout, RoundRobin, Swiss, Tables};
        let all = [RoundRobin, Tables, Swiss, Knockout, DoubleKnockout, Gauntlet];
        all.into_iter().find(|format| format.word() == word).ok_or_else(|| {
            format!(
                "\"{word}\" is no format; write round-robin, tables, swiss, knockout, double-knockout or gauntlet"
            )
        })
    }
}

impl FromStr for Seating {
    type Err = String;

    fn from_str(word: &str) -> Result<Seating, String> {
        match word {
            "drawn" => Ok(Seating::Drawn),
            "rotations" => Ok(Seating::Rotations),
            "all" => Ok(Seating::All),
            "elo" => Ok(Seating::Elo),
            other => Err(format!("\"{other}\" is none; write all, rotations, drawn or elo")),
        }
    }
}

#[derive(Deserialize)]
#[serde(try_from = "EloSettings")]
struct Ratings(EloSettings);

impl TryFrom<EloSettings> for Ratings {
    type Error = String;

    fn try_from(elo: EloSettings) -> Result<Ratings, String> {
        let EloSettings { start, k } = elo;
        match start.is_finite() && k.is_finite() && k > 0.0 {
            true => Ok(Ratings(elo)),
            false => Err(format!(
                "elo: start = {start} and k = {k} make no rating; write e.g. start = 1500, k = 32"
            )),
        }
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "points: write { win = 2, draw = 1 }, [5, 3, 1] by place, or \"score\"")]
enum PointsFile {
    Word(String),
    Places(Vec<Points>),
    Result(ResultPoints),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultPoints {
    win: Points,
    draw: Points,
    #[serde(default)]
    loss: Points,
}

#[derive(Deserialize)]
#[serde(try_from = "PointsFile")]
struct Rule(PointRule);

impl TryFrom<PointsFile> for Rule {
    type Error = String;

    fn try_from(file: PointsFile) -> Result<Rule, String> {
        let rule = match file {
            PointsFile::Word(word) if word == "score" => PointRule::Score,
            PointsFile::Word(word) => {
                return Err(format!(
                    "points: \"{word}\" is no rule; write {{ win = 2, draw = 1 }}, [5, 3, 1] by place, or \"score\""
                ));
            }
            PointsFile::Places(places) => PointRule::Places(places),
            PointsFile::Result(ResultPoints { win, draw, loss }) => PointRule::Result { win, draw, loss },
        };
        let limit = limits::MATCH_POINTS;
        let far = |points: &Points| points.0.abs() > limit.0;
        let too_many = match &rule {
            PointRule::Score => false,
            PointRule::Places(places) => places.iter().any(far),
            PointRule::Result { win, draw, loss } => [win, draw, loss].into_iter().any(far),
        };
        if too_many { Err(format!("points: a match brings at most {limit}")) } else { Ok(Rule(rule)) }
    }
}

/// `[bots]` with names, or a list of bots that are called what they are.
struct BotList(Vec<(Option<Spanned<String>>, Spanned<String>)>);

impl<'de> Deserialize<'de> for BotList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<BotList, D::Error> {
        struct Bots;
        impl<'de> Visitor<'de> for Bots {
            type Value = BotList;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of bots (name = \"what it is\") or a list of them")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<BotList, A::Error> {
                let mut bots = Vec::new();
                while let Some(bot) = list.next_element()? {
                    bots.push((None, bot));
                }
                Ok(BotList(bots))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<BotList, A::Error> {
                let mut bots = Vec::new();
                while let Some((name, bot)) = table.next_entry::<Spanned<String>, Spanned<String>>()? {
                    bots.push((Some(name), bot));
                }
                if bots.is_empty() {
                    return Err(de::Error::custom("there are no bots; write name = \"what it is\""));
                }
                Ok(BotList(bots))
            }
        }
        deserializer.deserialize_any(Bots)
    }
}

/// What a stage is checked against.
struct Field<'a> {
    /// The fewest and the most bots of a match.
    seats: (u8, u8),
    bots: &'a [(String, String, usize)],
    maps: usize,
}

/// Gives every mistake its line.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        values::line(self.text, at)
    }

    fn error<T>(&self, at: &Spanned<T>, message: impl Into<String>) -> PlanError {
        PlanError { line: Some(self.line(at.span().start)), message: message.into() }
    }

    fn settings(&self, game: &dyn AnyGame, table: &toml::Table) -> Result<Vec<(String, String)>, PlanError> {
        let mut settings = Vec::with_capacity(table.len());
        for (key, value) in table {
            let value = match value {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            settings.push((key.clone(), value));
            let last = settings.len() - 1;
            game.check_settings(&settings[last..]).map_err(|error| PlanError {
                line: self.line_of_key("settings", key),
                message: format!("settings: {error}"),
            })?;
        }
        Ok(settings)
    }

    /// The line of a key in a table of free keys, whose places the parser does not tell.
    fn line_of_key(&self, table: &str, key: &str) -> Option<usize> {
        let head = self.text.lines().position(|line| line.trim().starts_with(&format!("[{table}]")))?;
        let within = self.text.lines().enumerate().skip(head);
        within.into_iter().find_map(|(index, line)| line.trim_start().starts_with(key).then_some(index + 1))
    }

    fn bots(&self, list: BotList) -> Result<Vec<(String, String, usize)>, PlanError> {
        let mut names = BTreeSet::new();
        let mut bots = Vec::with_capacity(list.0.len());
        for (name, what) in list.0 {
            let at = name.as_ref().unwrap_or(&what);
            let text = at.get_ref().clone();
            check_name(&text).map_err(|why| self.error(at, format!("bots: {why}")))?;
            if !names.insert(text.clone()) {
                return Err(self.error(
                    at,
                    format!("bots: \"{text}\" is there twice; give each its own name in a table [bots]"),
                ));
            }
            let line = self.line(at.span().start);
            bots.push((text, what.into_inner(), line));
        }
        at_most("bots", bots.len(), limits::BOTS, "can take part")?;
        Ok(bots)
    }

    fn stage(&self, file: StageFile, index: usize, field: &Field<'_>) -> Result<StagePlan, PlanError> {
        let name = file.format.as_ref().map_or(StageFormat::RoundRobin, |format| format.get_ref().0);
        self.check_keys(&file, name)?;
        if let (Some(take), 0) = (&file.take, index) {
            let why = "take: the first stage has nobody before it to take from; leave it out";
            return Err(self.error(take, why));
        }
        let usual_points = PointRule::Result { win: Points::whole(1), draw: Points(500), loss: Points::ZERO };
        let usual_seating = if name == StageFormat::Tables { Seating::Drawn } else { Seating::All };
        Ok(StagePlan {
            format: self.format(&file, name, field)?,
            seats: self.seats(&file, name, field)?,
            maps: self.map_choice(&file, name, field)?,
            name: file.name.unwrap_or_else(|| format!("stage {}", index + 1)),
            groups: file.groups.map_or(1, |Within(groups)| groups),
            take: file.take.map(|take| take.into_inner().0),
            carry: file.carry,
            points: file.points.map_or(usual_points, |Rule(rule)| rule),
            tie_breaks: match file.tie_breaks {
                None => vec![TieBreak::Score, TieBreak::Wins],
                Some(names) => names.into_iter().map(|Parsed(tie_break)| tie_break).collect(),
            },
            seatings: file.seatings.map_or(usual_seating, |Parsed(seating)| seating),
            repeats: file.repeats.map_or(1, |Within(repeats)| repeats),
        })
    }

    /// That a stage has no keys that mean nothing in its format.
    fn check_keys(&self, file: &StageFile, name: StageFormat) -> Result<(), PlanError> {
        let start = |value: &Option<Spanned<Count>>| value.as_ref().map(|value| value.span().start);
        let keys = [
            ("rounds", start(&file.rounds)),
            ("cycles", start(&file.cycles)),
            ("third_place", file.third_place.as_ref().map(|value| value.span().start)),
            ("deciders", file.deciders.as_ref().map(|value| value.span().start)),
            ("heroes", file.heroes.first().map(|value| value.span().start)),
        ];
        match keys.into_iter().find(|(key, at)| at.is_some() && !name.has(key)) {
            None => Ok(()),
            Some((key, at)) => {
                let message = format!("{key}: the format {} has no {key}; leave it out", name.word());
                Err(PlanError { line: at.map(|at| self.line(at)), message })
            }
        }
    }

    fn format(&self, file: &StageFile, name: StageFormat, field: &Field<'_>) -> Result<Format, PlanError> {
        let count = |value: &Option<Spanned<Count>>| value.as_ref().map(|value| value.get_ref().0);
        Ok(match name {
            StageFormat::RoundRobin => Format::RoundRobin { cycles: count(&file.cycles).unwrap_or(1) },
            StageFormat::Tables => Format::Tables { rounds: count(&file.rounds).unwrap_or(10) },
            StageFormat::Swiss => {
                if let Some(rounds) = &file.rounds {
                    check_range("rounds", rounds.get_ref().0, 1, limits::SWISS_ROUNDS)
                        .map_err(|why| self.error(rounds, why))?;
                }
                Format::Swiss { rounds: count(&file.rounds) }
            }
            StageFormat::Knockout | StageFormat::DoubleKnockout => Format::Knockout {
                double: name == StageFormat::DoubleKnockout,
                third_place: file.third_place.as_ref().is_some_and(|third_place| *third_place.get_ref()),
                deciders: file.deciders.as_ref().map(|deciders| deciders.get_ref().0),
            },
            StageFormat::Gauntlet => Format::Gauntlet {
                heroes: self.heroes(file, field)?,
                cycles: count(&file.cycles).unwrap_or(1),
            },
        })
    }

    fn heroes(&self, file: &StageFile, field: &Field<'_>) -> Result<Vec<String>, PlanError> {
        if file.heroes.is_empty() {
            let line = file.format.as_ref().map(|format| self.line(format.span().start));
            let message = "heroes: a gauntlet needs at least one, e.g. heroes = [\"my bot\"]".to_owned();
            return Err(PlanError { line, message });
        }
        // An event knows who takes part only when a round begins.
        let known = |hero: &str| field.bots.is_empty() || field.bots.iter().any(|(name, _, _)| name == hero);
        match file.heroes.iter().find(|hero| !known(hero.get_ref())) {
            Some(hero) => {
                Err(self.error(hero, format!("heroes: \"{}\" is not among the bots", hero.get_ref())))
            }
            None => Ok(file.heroes.iter().map(|hero| hero.get_ref().clone()).collect()),
        }
    }

    fn seats(&self, file: &StageFile, name: StageFormat, field: &Field<'_>) -> Result<u8, PlanError> {
        let (min, max) = field.seats;
        let Some(seats) = &file.seats else {
            let usual = if name == StageFormat::Tables { 4.min(max) } else { 2 };
            return self.check_pairs(file, name, usual.max(min));
        };
        check_range("seats", *seats.get_ref(), min.into(), max.into())
            .map_err(|why| self.error(seats, why))?;
        self.check_pairs(file, name, *seats.get_ref() as u8)
    }

    fn check_pairs(&self, file: &StageFile, name: StageFormat, seats: u8) -> Result<u8, PlanError> {
        if !name.is_for_pairs() || seats == 2 {
            return Ok(seats);
        }
        let line = file.seats.as_ref().map(|seats| self.line(seats.span().start));
        let message = format!("seats: the format {} is for two bots at a table", name.word());
        Err(PlanError { line, message })
    }

    fn map_choice(
        &self,
        file: &StageFile,
        name: StageFormat,
        field: &Field<'_>,
    ) -> Result<MapChoice, PlanError> {
        let maps = field.maps;
        let Some(choice) = &file.maps else {
            let some = matches!(name, StageFormat::Tables | StageFormat::Swiss);
            return Ok(if some { MapChoice::Each(1) } else { MapChoice::All });
        };
        match choice.get_ref() {
            Value::String(word) if word == "all" => Ok(MapChoice::All),
            Value::Integer(n) if (1..=maps as i64).contains(n) => Ok(MapChoice::Each(*n as u32)),
            _ => {
                let why = format!("maps: write \"all\", or how many of the {maps} a meeting is played on");
                Err(self.error(choice, why))
            }
        }
    }
}
