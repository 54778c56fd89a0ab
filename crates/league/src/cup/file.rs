//! Reads a plan from TOML. Every mistake names its line, its key, and what would be right.

use super::{Cup, CupError, DRAWING, Draft, Format, Map, PointRule, Seating, Stage, check_name};
use crate::limits;
use crate::pairing::Points;
use crate::pairing::seating::MapChoice;
use crate::pairing::tiebreak::TieBreak;
use crate::rating::elo::EloSettings;
use palestra_core::{AnyGame, TimeControl};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use toml::{Spanned, Value};

/// Reads a plan. `find` gives a game by its id, or a sentence about which there are; `seed` is used if the file has none.
pub fn read(
    text: &str,
    find: impl Fn(&str) -> Result<&'static dyn AnyGame, String>,
    seed: u64,
) -> Result<Draft, CupError> {
    let reader = Reader { text };
    let file: CupFile = toml::from_str(text).map_err(|error| reader.parser_error(&error))?;
    let game = find(file.game.get_ref()).map_err(|why| reader.error(&file.game, why))?;
    let info = game.info();
    let settings = reader.settings(game, &file.settings)?;
    let time = match &file.time {
        None => None,
        Some(time) => Some(
            time.get_ref()
                .parse::<TimeControl>()
                .map_err(|error| reader.error(time, format!("time: {error}")))?,
        ),
    };
    let bots = reader.bots(file.bots)?;
    let maps: Vec<(String, usize)> =
        file.maps.iter().map(|map| (map.get_ref().clone(), reader.line(map.span().start))).collect();
    if maps.len() > limits::MAPS {
        return Err(CupError::new(format!("maps: at most {} can be played on", limits::MAPS)));
    }
    if let (Some(generate), false) = (&file.generate, maps.is_empty()) {
        return Err(reader.error(generate, "generate: give either maps or generate, not both"));
    }
    let generated = match &file.generate {
        None => vec![Map::Fresh],
        Some(count) => {
            let count = reader.within("generate", count, 1..=limits::MAPS as u32)?;
            (0..count).map(Map::Generated).collect()
        }
    };
    let maps_known = if maps.is_empty() { generated.len() } else { maps.len() };
    let mut stages = Vec::with_capacity(file.stage.len().max(1));
    if file.stage.len() > limits::STAGES {
        return Err(CupError::new(format!("stage: at most {} stages can follow each other", limits::STAGES)));
    }
    let planned = if file.stage.is_empty() { vec![StageFile::default()] } else { file.stage };
    for (index, stage) in planned.into_iter().enumerate() {
        stages.push(reader.stage(stage, index, (info.min_seats, info.max_seats), &bots, maps_known)?);
    }
    let name = file.name.unwrap_or_else(|| format!("{} cup", info.title));
    let retries = match &file.retries {
        None => limits::RETRIES,
        Some(retries) => reader.within("retries", retries, 0..=limits::MAX_RETRIES)?,
    };
    let elo = match &file.elo {
        None => EloSettings::default(),
        Some(elo) => reader.elo(elo)?,
    };
    let cores = match &file.cores {
        None => 1,
        Some(cores) => reader.within("cores", cores, 1..=limits::PARALLEL as u32)? as usize,
    };
    let parallel = match &file.parallel {
        None => None,
        Some(parallel) => Some(reader.within("parallel", parallel, 1..=limits::PARALLEL as u32)? as usize),
    };
    let sandbox = match &file.sandbox {
        None => None,
        Some(word) => {
            Some(word.get_ref().parse().map_err(|error| reader.error(word, format!("sandbox: {error}")))?)
        }
    };
    Ok(Draft {
        cup: Cup {
            name,
            game: info.id.to_owned(),
            seed: file.seed.unwrap_or(seed),
            settings,
            time,
            maps: generated,
            stages,
            retries,
            cores,
            elo,
            drawing: DRAWING,
        },
        bots,
        maps,
        seeded: file.seed.is_some(),
        parallel,
        sandbox,
    })
}

impl CupError {
    fn new(message: impl Into<String>) -> CupError {
        CupError { line: None, message: message.into() }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CupFile {
    name: Option<String>,
    game: Spanned<String>,
    seed: Option<u64>,
    time: Option<Spanned<String>>,
    sandbox: Option<Spanned<String>>,
    parallel: Option<Spanned<u32>>,
    cores: Option<Spanned<u32>>,
    retries: Option<Spanned<u32>>,
    elo: Option<Spanned<EloSettings>>,
    #[serde(default)]
    maps: Vec<Spanned<String>>,
    generate: Option<Spanned<u32>>,
    #[serde(default)]
    settings: toml::Table,
    bots: BotList,
    #[serde(default)]
    stage: Vec<StageFile>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct StageFile {
    name: Option<String>,
    format: Option<Spanned<String>>,
    seats: Option<Spanned<u32>>,
    rounds: Option<Spanned<u32>>,
    cycles: Option<Spanned<u32>>,
    #[serde(default)]
    heroes: Vec<Spanned<String>>,
    third_place: Option<Spanned<bool>>,
    groups: Option<Spanned<u32>>,
    take: Option<Spanned<u32>>,
    #[serde(default)]
    carry: bool,
    points: Option<Spanned<PointsFile>>,
    #[serde(default)]
    tie_breaks: Option<Vec<Spanned<String>>>,
    maps: Option<Spanned<Value>>,
    seatings: Option<Spanned<String>>,
    repeats: Option<Spanned<u32>>,
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

/// Gives every mistake its line.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn line(&self, at: usize) -> usize {
        1 + self.text.as_bytes()[..at.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count()
    }

    fn error<T>(&self, at: &Spanned<T>, message: impl Into<String>) -> CupError {
        CupError { line: Some(self.line(at.span().start)), message: message.into() }
    }

    fn parser_error(&self, error: &toml::de::Error) -> CupError {
        let line = error.span().map(|span| self.line(span.start));
        CupError { line, message: error.message().trim_end().replace('\n', ", ") }
    }

    fn within(&self, key: &str, value: &Spanned<u32>, range: RangeInclusive<u32>) -> Result<u32, CupError> {
        if range.contains(value.get_ref()) {
            return Ok(*value.get_ref());
        }
        Err(self.error(
            value,
            format!(
                "{key} = {} is out of range; write {} to {}",
                value.get_ref(),
                range.start(),
                range.end()
            ),
        ))
    }

    fn settings(&self, game: &dyn AnyGame, table: &toml::Table) -> Result<Vec<(String, String)>, CupError> {
        let mut settings = Vec::with_capacity(table.len());
        for (key, value) in table {
            let value = match value {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            settings.push((key.clone(), value));
            let last = settings.len() - 1;
            game.check_settings(&settings[last..]).map_err(|error| CupError {
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

    fn bots(&self, list: BotList) -> Result<Vec<(String, String, usize)>, CupError> {
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
        if bots.len() > limits::BOTS {
            return Err(CupError::new(format!("bots: at most {} can take part", limits::BOTS)));
        }
        Ok(bots)
    }

    fn stage(
        &self,
        file: StageFile,
        index: usize,
        (min_seats, max_seats): (u8, u8),
        bots: &[(String, String, usize)],
        maps: usize,
    ) -> Result<Stage, CupError> {
        let word = file.format.as_ref().map_or("round-robin", |format| format.get_ref().as_str());
        let count = |key: &str, value: &Option<Spanned<u32>>, unless: u32| match value {
            None => Ok(unless),
            Some(value) => self.within(key, value, 1..=1_000_000),
        };
        let unfit = |key: &str, at: Option<usize>| {
            Err(CupError {
                line: at,
                message: format!("{key}: the format {word} has no {key}; leave it out"),
            })
        };
        let line = |value: &Option<Spanned<u32>>| value.as_ref().map(|value| self.line(value.span().start));
        let takes_rounds = matches!(word, "tables" | "swiss");
        if !takes_rounds && file.rounds.is_some() {
            return unfit("rounds", line(&file.rounds));
        }
        if !matches!(word, "round-robin" | "gauntlet") && file.cycles.is_some() {
            return unfit("cycles", line(&file.cycles));
        }
        if let (Some(third_place), false) = (&file.third_place, word == "knockout") {
            return unfit("third_place", Some(self.line(third_place.span().start)));
        }
        if word != "gauntlet"
            && let Some(hero) = file.heroes.first()
        {
            return unfit("heroes", Some(self.line(hero.span().start)));
        }
        let format = match word {
            "round-robin" => Format::RoundRobin { cycles: count("cycles", &file.cycles, 1)? },
            "tables" => Format::Tables { rounds: count("rounds", &file.rounds, 10)? },
            "swiss" => Format::Swiss {
                rounds: file
                    .rounds
                    .as_ref()
                    .map(|rounds| self.within("rounds", rounds, 1..=1000))
                    .transpose()?,
            },
            "knockout" | "double-knockout" => Format::Knockout {
                double: word == "double-knockout",
                third_place: file.third_place.is_some_and(Spanned::into_inner),
            },
            "gauntlet" => Format::Gauntlet {
                heroes: self.heroes(&file.heroes, bots).map_err(|error| CupError {
                    line: error
                        .line
                        .or_else(|| file.format.as_ref().map(|format| self.line(format.span().start))),
                    ..error
                })?,
                cycles: count("cycles", &file.cycles, 1)?,
            },
            _ => {
                let format = file.format.as_ref().expect("a word that is not the default");
                return Err(self.error(
                    format,
                    format!(
                        "format: \"{word}\" is no format; write round-robin, tables, swiss, knockout, \
                         double-knockout or gauntlet"
                    ),
                ));
            }
        };
        let pairs_only = matches!(format, Format::Swiss { .. } | Format::Knockout { .. });
        let usual = if matches!(format, Format::Tables { .. }) { 4.min(max_seats) } else { 2 };
        let seats = match &file.seats {
            None => usual.max(min_seats),
            Some(seats) => self.within("seats", seats, min_seats.into()..=max_seats.into())? as u8,
        };
        if pairs_only && seats != 2 {
            let message = format!("seats: the format {word} is for two bots at a table");
            return Err(CupError { line: line(&file.seats), message });
        }
        let every_map = !matches!(format, Format::Tables { .. } | Format::Swiss { .. });
        let maps = match &file.maps {
            None if every_map => MapChoice::All,
            None => MapChoice::Each(1),
            Some(choice) => match choice.get_ref() {
                Value::String(word) if word == "all" => MapChoice::All,
                Value::Integer(n) if (1..=maps as i64).contains(n) => MapChoice::Each(*n as u32),
                _ => {
                    return Err(self.error(
                        choice,
                        format!("maps: write \"all\", or how many of the {maps} a meeting is played on"),
                    ));
                }
            },
        };
        let seatings = match &file.seatings {
            None if matches!(format, Format::Tables { .. }) => Seating::Drawn,
            None => Seating::All,
            Some(word) => match word.get_ref().as_str() {
                "drawn" => Seating::Drawn,
                "rotations" => Seating::Rotations,
                "all" => Seating::All,
                "elo" => Seating::Elo,
                other => {
                    return Err(self.error(
                        word,
                        format!("seatings: \"{other}\" is none; write all, rotations, drawn or elo"),
                    ));
                }
            },
        };
        if let (Some(take), 0) = (&file.take, index) {
            return Err(
                self.error(take, "take: the first stage has nobody before it to take from; leave it out")
            );
        }
        Ok(Stage {
            name: file.name.unwrap_or_else(|| format!("stage {}", index + 1)),
            format,
            seats,
            groups: count("groups", &file.groups, 1)?,
            take: file
                .take
                .as_ref()
                .map(|take| self.within("take", take, 2..=limits::BOTS as u32))
                .transpose()?,
            carry: file.carry,
            points: self.points(file.points)?,
            tie_breaks: self.tie_breaks(file.tie_breaks)?,
            maps,
            seatings,
            repeats: match &file.repeats {
                None => 1,
                Some(repeats) => self.within("repeats", repeats, 1..=10_000)?,
            },
        })
    }

    fn elo(&self, elo: &Spanned<EloSettings>) -> Result<EloSettings, CupError> {
        let EloSettings { start, k } = *elo.get_ref();
        if start.is_finite() && k.is_finite() && k > 0.0 {
            return Ok(*elo.get_ref());
        }
        Err(self.error(
            elo,
            format!("elo: start = {start} and k = {k} make no rating; write e.g. start = 1500, k = 32"),
        ))
    }

    fn heroes(
        &self,
        heroes: &[Spanned<String>],
        bots: &[(String, String, usize)],
    ) -> Result<Vec<String>, CupError> {
        if heroes.is_empty() {
            return Err(CupError::new("heroes: a gauntlet needs at least one, e.g. heroes = [\"my bot\"]"));
        }
        // An event knows who takes part only when a round begins.
        let known = |hero: &str| bots.is_empty() || bots.iter().any(|(name, _, _)| name == hero);
        for hero in heroes {
            if !known(hero.get_ref()) {
                return Err(self.error(hero, format!("heroes: \"{}\" is not among the bots", hero.get_ref())));
            }
        }
        Ok(heroes.iter().map(|hero| hero.get_ref().clone()).collect())
    }

    fn points(&self, rule: Option<Spanned<PointsFile>>) -> Result<PointRule, CupError> {
        let Some(rule) = rule else {
            return Ok(PointRule::Result { win: Points::whole(1), draw: Points(500), loss: Points::ZERO });
        };
        let limit = limits::MATCH_POINTS;
        let far = |points: &Points| points.0.abs() > limit.0;
        let bounded = |points: &[Points]| match points.iter().any(far) {
            true => Err(self.error(&rule, format!("points: a match brings at most {limit}"))),
            false => Ok(()),
        };
        match rule.get_ref() {
            PointsFile::Word(word) if word == "score" => Ok(PointRule::Score),
            PointsFile::Word(word) => Err(self.error(
                &rule,
                format!("points: \"{word}\" is no rule; write {{ win = 2, draw = 1 }}, [5, 3, 1] by place, or \"score\""),
            )),
            PointsFile::Places(places) => bounded(places).map(|()| PointRule::Places(places.clone())),
            PointsFile::Result(ResultPoints { win, draw, loss }) => bounded(&[*win, *draw, *loss])
                .map(|()| PointRule::Result { win: *win, draw: *draw, loss: *loss }),
        }
    }

    fn tie_breaks(&self, names: Option<Vec<Spanned<String>>>) -> Result<Vec<TieBreak>, CupError> {
        let Some(names) = names else {
            return Ok(vec![TieBreak::Score, TieBreak::Wins]);
        };
        names
            .iter()
            .map(|name| {
                name.get_ref()
                    .parse::<TieBreak>()
                    .map_err(|error| self.error(name, format!("tie_breaks: {error}")))
            })
            .collect()
    }
}
