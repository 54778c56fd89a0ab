//! The configuration of a tournament: a line for each option, with commas between its fields. Planned out match by
//! match, the same way each time, so that an interrupted tournament goes on where it was.

use super::config::{bot, set};
use super::{SCORES_FILE, decimal, outputs};
use crate::map::shortened;
use palestra_core::legacy::{LegacyBot, LegacyGame, LegacyRun, LegacyTournament, PlayedGame};
use palestra_core::{Rng, SetupError};
use std::fmt::Write as _;

pub(super) const OPTIONS: &[&str] =
    &["TOURNAMENT_TYPE", "MAP", "PLAYER", "TOURNAMENT_STEPS", "TOURNAMENT_RESULT_FILE_PATH", "GAME_LOGS_DIR"];

/// Matches of one tournament.
const MAX_GAMES: u64 = 100_000;
/// Players at one table of a free-for-all.
const TABLE: usize = 4;
/// Rounds of a free-for-all unless set.
const DEFAULT_ROUNDS: u32 = 1000;

/// What was written, before it is planned.
#[derive(Default)]
struct Written {
    kind: Option<String>,
    rounds: Option<String>,
    result_file: Option<String>,
    logs_dir: Option<String>,
    maps: Vec<String>,
    names: Vec<String>,
    bots: Vec<LegacyBot>,
}

/// Reads it and plans every match.
pub(super) fn read(text: &str) -> Result<LegacyTournament, SetupError> {
    let mut written = Written::default();
    for (number, line) in (1..).zip(text.lines()) {
        if !line.trim().is_empty() {
            let line = line.trim();
            let fields: Vec<&str> =
                line.strip_suffix(',').unwrap_or(line).split(',').map(str::trim).collect();
            take_line(&mut written, &fields)
                .map_err(|error| SetupError::new(format!("line {number} of the configuration: {error}")))?;
        }
    }
    if written.maps.is_empty() {
        return Err(SetupError::new("the configuration names no map; write MAP, and the path of one"));
    }
    let fixtures = match written.kind.as_deref() {
        Some("ONE_VS_ONE_ALL") => every_pair(&written)?,
        Some("FREE_FOR_ALL") => free_for_all(&written)?,
        Some(other) => {
            return Err(SetupError::new(format!(
                "the tournament type is \"{}\", and must be ONE_VS_ONE_ALL or FREE_FOR_ALL",
                shortened(other)
            )));
        }
        None => {
            return Err(SetupError::new(
                "the configuration has no TOURNAMENT_TYPE; write TOURNAMENT_TYPE, ONE_VS_ONE_ALL or FREE_FOR_ALL",
            ));
        }
    };
    let logs_dir = written.logs_dir.as_deref().unwrap_or("logs");
    Ok(LegacyTournament {
        games: (1..)
            .zip(fixtures)
            .map(|(number, fixture)| game(number, fixture, &written, logs_dir))
            .collect(),
        players: written.names,
        result_file: written.result_file.unwrap_or_else(|| "tournament_result.csv".to_owned()),
        tells_result: |game| Scores::read(&game.scores, game.players.len()).is_some(),
        table: result_table,
    })
}

fn take_line(written: &mut Written, fields: &[&str]) -> Result<(), SetupError> {
    let error = |sentence: String| Err(SetupError::new(sentence));
    let option = fields[0];
    if let Some(empty) = fields.iter().position(|field| field.is_empty()) {
        return error(format!("field {} of {option} is empty", empty + 1));
    }
    let only_value = || match fields {
        [_, value] => Ok((*value).to_owned()),
        _ => Err(SetupError::new(format!(
            "{} takes one value behind a comma, and {} are there",
            shortened(option),
            fields.len() - 1
        ))),
    };
    match option {
        "TOURNAMENT_TYPE" => set(&mut written.kind, option, only_value()?),
        "TOURNAMENT_STEPS" => set(&mut written.rounds, option, only_value()?),
        "TOURNAMENT_RESULT_FILE_PATH" => set(&mut written.result_file, option, only_value()?),
        "GAME_LOGS_DIR" => set(&mut written.logs_dir, option, only_value()?),
        "MAP" => {
            written.maps.push(only_value()?);
            Ok(())
        }
        "PLAYER" => {
            // The kind and the name behind it may share a field or have one each.
            let player = match fields {
                [_, name, kind, value] => Some((*name, *kind, *value)),
                [_, name, rest] => rest
                    .split_once(|c: char| c.is_ascii_whitespace())
                    .map(|(kind, value)| (*name, kind, value.trim())),
                _ => None,
            };
            let Some((name, kind, value)) = player else {
                return error(
                    "a player is written PLAYER, name, DEFAULT x or PLAYER, name, PROCESS path".to_owned(),
                );
            };
            if written.names.iter().any(|other| other == name) {
                return error(format!(
                    "there are two players \"{}\"; give each its own name",
                    shortened(name)
                ));
            }
            written.bots.push(bot(kind, value)?);
            written.names.push(name.to_owned());
            Ok(())
        }
        other => {
            error(format!("there is no option \"{}\"; there are {}", shortened(other), OPTIONS.join(", ")))
        }
    }
}

/// Who plays on which map.
struct Fixture {
    map: usize,
    players: Vec<usize>,
    /// In which round of a free-for-all.
    round: Option<u32>,
}

/// Every pair on every map, both seatings. Map by map: one that is added leaves the numbers of all others as they are.
fn every_pair(written: &Written) -> Result<Vec<Fixture>, SetupError> {
    if written.rounds.is_some() {
        return Err(SetupError::new(
            "TOURNAMENT_STEPS goes with FREE_FOR_ALL only; leave it out of ONE_VS_ONE_ALL",
        ));
    }
    let players = written.names.len();
    if players < 2 {
        return Err(SetupError::new(format!("ONE_VS_ONE_ALL has {players} players, and needs at least 2")));
    }
    let pairs = players as u64 * (players as u64 - 1);
    check_size(pairs * written.maps.len() as u64)?;
    let mut fixtures = Vec::new();
    for map in 0..written.maps.len() {
        for one in 0..players {
            for other in one + 1..players {
                for players in [vec![one, other], vec![other, one]] {
                    fixtures.push(Fixture { map, players, round: None });
                }
            }
        }
    }
    Ok(fixtures)
}

/// Rounds in which the players are shuffled into tables of four, each on a random map.
fn free_for_all(written: &Written) -> Result<Vec<Fixture>, SetupError> {
    let players = written.names.len();
    if players == 0 || !players.is_multiple_of(TABLE) {
        return Err(SetupError::new(format!(
            "FREE_FOR_ALL has {players} players, and their number must be divisible by {TABLE}"
        )));
    }
    let rounds = match &written.rounds {
        None => DEFAULT_ROUNDS,
        Some(text) => match text.parse::<u32>() {
            Ok(rounds) if rounds > 0 => rounds,
            _ => {
                return Err(SetupError::new(format!(
                    "TOURNAMENT_STEPS is \"{}\", and must be a positive number of rounds",
                    shortened(text)
                )));
            }
        },
    };
    check_size(u64::from(rounds) * (players / TABLE) as u64)?;
    // Each round from the names and its own number: a restart plans the same matches, with more rounds or maps too.
    let names = written.names.join("\n");
    let mut fixtures = Vec::new();
    for round in 0..rounds {
        let mut rng = Rng::stream(0, &names, u64::from(round));
        let mut order: Vec<usize> = (0..players).collect();
        rng.shuffle(&mut order);
        for table in order.chunks(TABLE) {
            let map = rng.below(written.maps.len() as u32) as usize;
            fixtures.push(Fixture { map, players: table.to_vec(), round: Some(round) });
        }
    }
    Ok(fixtures)
}

fn check_size(games: u64) -> Result<(), SetupError> {
    if games > MAX_GAMES {
        return Err(SetupError::new(format!(
            "the tournament has {games} matches, and may have {MAX_GAMES}; take fewer maps, players or rounds"
        )));
    }
    Ok(())
}

fn game(number: u32, fixture: Fixture, written: &Written, logs_dir: &str) -> LegacyGame {
    let Fixture { map, players, round } = fixture;
    let mut folder = format!("{logs_dir}/game_{number:05}");
    // A random map is not part of the name: whoever adds one keeps what was played on the others.
    if round.is_none() {
        let _ = write!(folder, "_map_{}", map + 1);
    }
    folder.push_str("_players");
    for player in &players {
        let _ = write!(folder, "_{}", player + 1);
    }
    let mut what: Vec<&str> = players.iter().map(|&player| written.names[player].as_str()).collect();
    what.push(&written.maps[map]);
    LegacyGame {
        run: LegacyRun {
            map: Some(written.maps[map].clone()),
            bots: players.iter().map(|&player| written.bots[player].clone()).collect(),
            outputs: outputs(&folder, true),
            ..LegacyRun::default()
        },
        seed: Rng::stream(0, &what.join("\n"), u64::from(round.unwrap_or(0))).bits(),
        players,
        scores: format!("{folder}/{SCORES_FILE}"),
    }
}

/// What one player came to.
#[derive(Clone, Default)]
struct Tally {
    games: u128,
    /// In units of [`decimal::UNIT`].
    points: u128,
    won: u32,
    alive: u32,
    dead: u32,
    disqualified: u32,
}

impl Tally {
    /// 100 times the mean score, as a fraction.
    fn score(&self) -> (u128, u128) {
        (100 * self.points, decimal::UNIT * self.games.max(1))
    }
}

/// The table of results: best mean score first; equal ones in the order of the configuration.
fn result_table(names: &[String], games: &[PlayedGame]) -> Result<String, SetupError> {
    let mut tallies = vec![Tally::default(); names.len()];
    for (number, game) in (1..).zip(games) {
        let result = Scores::read(&game.scores, game.players.len()).ok_or_else(|| {
            SetupError::new(format!(
                "the scores of match {number} cannot be read; delete its {SCORES_FILE} to play it again"
            ))
        })?;
        for (index, &player) in game.players.iter().enumerate() {
            let Some(tally) = tallies.get_mut(player) else {
                return Err(SetupError::new(format!(
                    "match {number} has a player that the tournament does not have"
                )));
            };
            let seat = index as u32 + 1;
            tally.games += 1;
            tally.points += result.points[index];
            if result.winner == Some(seat) {
                tally.won += 1;
            } else if result.disqualified.contains(&seat) {
                tally.disqualified += 1;
            } else if result.dead.contains(&seat) {
                tally.dead += 1;
            } else {
                tally.alive += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&one, &other| {
        let ((a, b), (c, d)) = (tallies[one].score(), tallies[other].score());
        (c * b).cmp(&(a * d))
    });
    let mut text = "Name\tScore\tAbsoluteWinner\tAliveInDraw\tDead\tDisqualified\n".to_owned();
    for player in order {
        let tally = &tallies[player];
        let (points, games) = tally.score();
        let _ = writeln!(
            text,
            "{}\t{}\t{}\t{}\t{}\t{}",
            names[player],
            decimal::write(points, games),
            tally.won,
            tally.alive,
            tally.dead,
            tally.disqualified
        );
    }
    Ok(text)
}

/// A match's scores file.
struct Scores {
    winner: Option<u32>,
    points: Vec<u128>,
    disqualified: Vec<u32>,
    dead: Vec<u32>,
}

impl Scores {
    fn read(text: &str, players: usize) -> Option<Scores> {
        let mut words = text.split_ascii_whitespace();
        let seats = 1..=players as u32;
        let winner = match words.next()? {
            "-1" => None,
            word => Some(word.parse().ok().filter(|seat| seats.contains(seat))?),
        };
        let points = (0..players).map(|_| decimal::read(words.next()?)).collect::<Option<Vec<u128>>>()?;
        let mut list = || {
            let count: usize = words.next()?.parse().ok().filter(|count| *count <= players)?;
            (0..count)
                .map(|_| words.next()?.parse().ok().filter(|seat| seats.contains(seat)))
                .collect::<Option<Vec<u32>>>()
        };
        let (disqualified, dead) = (list()?, list()?);
        words.next().is_none().then_some(Scores { winner, points, disqualified, dead })
    }
}
