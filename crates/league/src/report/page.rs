//! One page that shows a whole tournament and needs nothing but itself: the page that was built from `web/src/report`, with
//! the tournament as JSON inside.
//!
//! Pages are bounded: of very many matches the newest are listed, of very many rounds some are drawn.

use super::limits;
use crate::overview::{
    BotLine, BracketMeeting, Estimate, FailureLine, FaultLine, MatchLine, Overview, Progress, RatingLine,
    StageState, StageView, Standing,
};
use crate::pairing::{self, Decision, Origin, Part};
use crate::plan::{Format, StageFormat};
use serde::Serialize;
use std::collections::{BTreeSet, VecDeque};
use std::io::{self, Write};

/// Where the links of a page that was opened from disk look for replays: `palestra view --port 7700 FOLDER`.
pub(crate) const VIEW_PORT: u16 = 7700;

/// Behind this in the built page stands the tournament.
const PLACE: &str = "<script id=\"data\" type=\"application/json\">";

/// Writes the page. Matches come in the order in which they were played; the newest are listed.
pub fn write(
    page: &str,
    overview: &Overview,
    matches: impl Iterator<Item = MatchLine>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (head, tail) = page
        .split_once(PLACE)
        .ok_or_else(|| io::Error::other("the page of reports has no place for the tournament"))?;
    // Nothing in it can end the element.
    let data = serde_json::to_string(&Report::new(overview, matches))?.replace('<', "\\u003c");
    [head, PLACE, &data, tail].iter().try_for_each(|part| out.write_all(part.as_bytes()))
}

/// Everything that the page of a report shows. Bots are named by their places in `bots`.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct Report<'a> {
    /// What the tournament is called.
    name: &'a str,
    /// The game's id, by which its words are found.
    game: &'a str,
    /// The game's name for people.
    game_title: &'a str,
    /// Decides everything left to chance; a string, as it may be too long for a number of JavaScript.
    seed: String,
    /// Whether the last match has been played.
    over: bool,
    /// How far it has come.
    progress: Progress,
    /// Everybody who takes or took part.
    bots: &'a [BotLine],
    /// Its stages, in order.
    stages: Vec<ReportStage<'a>>,
    /// How it stands.
    standings: &'a [Standing],
    /// How strong everybody is, best first.
    ratings: &'a [RatingLine],
    /// What the first seat is worth, in Elo points.
    first_mover: Option<Estimate>,
    /// Everybody who met.
    pairs: Vec<Pair>,
    /// Faults by bot and kind, most frequent first.
    faults: &'a [FaultLine],
    /// Matches that could not be played.
    failures: &'a [FailureLine],
    /// The names of the maps of the listed matches.
    maps: Vec<String>,
    /// The newest matches, newest first.
    matches: Vec<Row>,
    /// How many matches there are altogether.
    total: u64,
    /// The port at which a page from disk looks for replays.
    port: u16,
}

/// A stage of a tournament.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ReportStage<'a> {
    /// What it is called.
    name: &'a str,
    /// Who meets whom.
    format: StageFormat,
    /// How many times everybody meets, or how many rounds the plan says.
    times: Option<u32>,
    /// Those who play against everybody else in a gauntlet.
    heroes: &'a [String],
    /// Where it stands.
    state: StageState,
    /// Rounds drawn so far.
    round: u32,
    /// Rounds altogether, if one can tell.
    rounds: Option<u32>,
    /// Its tables: one, or one per group.
    groups: &'a [Vec<Standing>],
    /// Points of each bot, beginning with those carried over, after every so many rounds.
    course: Vec<(usize, Vec<f64>)>,
    /// Rounds from one value of `course` to the next.
    every: usize,
    /// The meetings of a knockout, by round.
    bracket: &'a [Vec<BracketMeeting>],
    /// The duels of a knockout, by group.
    duels: Vec<Vec<Duel>>,
}

/// A duel of a knockout. Duels are named by their places in their bracket.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Duel {
    /// Which part of the bracket it belongs to.
    part: Part,
    /// The round of the bracket, counted from 1.
    round: u32,
    /// The two sides.
    sides: [DuelSide; 2],
    /// Who goes on, once that is settled.
    winner: Option<u32>,
    /// What settled it.
    decision: Option<Decision>,
    /// The place in the lists of meetings of the round that it was drawn in, counted from 0.
    drawn: Option<u32>,
}

/// A side of a duel.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct DuelSide {
    /// Who is on it, once that is settled.
    player: Option<u32>,
    /// The duel whose winner it is.
    winner_of: Option<usize>,
    /// The duel whose loser it is.
    loser_of: Option<usize>,
    /// There is nobody, and there will be nobody.
    nobody: bool,
}

/// Two who met: the first and the second; wins, draws and losses of the first; its share of the score, and the limits
/// of that share's interval.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Pair(usize, usize, u32, u32, u32, f64, f64, f64);

/// A match: number, stage, round, map, turns, milliseconds, what its replay is called, marks (1: void, 2: tainted), seats.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Row(u32, usize, u32, usize, u32, u64, Option<String>, u8, Vec<Seat>);

/// A seat of a match: bot, place, score, points, and the kind of its fault.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Seat(usize, u32, f64, f64, Option<String>);

impl<'a> Report<'a> {
    fn new(overview: &'a Overview, matches: impl Iterator<Item = MatchLine>) -> Report<'a> {
        let mut newest = VecDeque::new();
        let mut total = 0;
        for line in matches {
            if newest.len() == limits::PAGE_MATCHES {
                newest.pop_front();
            }
            newest.push_back(line);
            total += 1;
        }
        let maps: BTreeSet<&str> = newest.iter().map(|line| line.map.as_str()).collect();
        let maps: Vec<String> = maps.into_iter().map(str::to_owned).collect();
        Report {
            name: &overview.name,
            game: &overview.game,
            game_title: &overview.game_title,
            seed: overview.seed.to_string(),
            over: overview.over,
            progress: overview.progress,
            bots: &overview.bots,
            stages: overview.stages.iter().map(ReportStage::new).collect(),
            standings: &overview.standings,
            ratings: &overview.ratings,
            first_mover: overview.first_mover,
            pairs: pairs(overview),
            faults: &overview.faults,
            failures: &overview.failures,
            matches: newest.into_iter().rev().map(|line| Row::new(line, &maps)).collect(),
            maps,
            total,
            port: VIEW_PORT,
        }
    }
}

impl<'a> ReportStage<'a> {
    fn new(stage: &'a StageView) -> ReportStage<'a> {
        let longest = stage.course.iter().map(|(_, points)| points.len()).max().unwrap_or(0);
        let every = longest.div_ceil(limits::COURSE_POINTS).max(1);
        // The last one counts, wherever it stands.
        let thinned = |points: &Vec<f64>| {
            let last = points.len().saturating_sub(1);
            let kept = points.iter().enumerate().filter(|(round, _)| round % every == 0 || *round == last);
            kept.map(|(_, points)| *points).collect()
        };
        let times = match stage.format {
            Format::RoundRobin { cycles } | Format::Gauntlet { cycles, .. } => Some(cycles),
            Format::Tables { rounds } => Some(rounds),
            Format::Swiss { rounds } => rounds,
            Format::Knockout { .. } => None,
        };
        ReportStage {
            name: &stage.name,
            format: stage.format.kind(),
            times,
            heroes: match &stage.format {
                Format::Gauntlet { heroes, .. } => heroes,
                _ => &[],
            },
            state: stage.state,
            round: stage.round,
            rounds: stage.rounds,
            groups: &stage.groups,
            course: stage.course.iter().map(|(bot, points)| (*bot, thinned(points))).collect(),
            every,
            bracket: &stage.bracket,
            duels: stage.duels.iter().map(|group| group.iter().map(Duel::from).collect()).collect(),
        }
    }
}

impl From<&pairing::Duel> for Duel {
    fn from(duel: &pairing::Duel) -> Duel {
        let sides = duel.sides.map(|side| {
            let (winner_of, loser_of) = match side.from {
                Origin::Winner(duel) => (Some(duel), None),
                Origin::Loser(duel) => (None, Some(duel)),
                Origin::Field | Origin::Nobody => (None, None),
            };
            let player = side.player.map(|player| player.0);
            DuelSide { player, winner_of, loser_of, nobody: side.from == Origin::Nobody }
        });
        Duel {
            part: duel.part,
            round: duel.round,
            sides,
            winner: duel.winner.map(|winner| winner.0),
            decision: duel.decision,
            drawn: duel.meeting.map(|(round, _)| round - 1),
        }
    }
}

fn pairs(overview: &Overview) -> Vec<Pair> {
    let rows = overview.cross.iter().enumerate();
    let cells =
        rows.flat_map(|(row, cells)| cells.iter().enumerate().map(move |(column, cell)| (row, column, cell)));
    let met = cells.filter(|(row, column, _)| row < column).filter_map(|(row, column, cell)| {
        let cell = cell.as_ref()?;
        let score = [cell.score.value, cell.score.low, cell.score.high].map(short);
        Some(Pair(row, column, cell.wins, cell.draws, cell.losses, score[0], score[1], score[2]))
    });
    met.collect()
}

impl Row {
    fn new(line: MatchLine, maps: &[String]) -> Row {
        let marks = u8::from(line.voided) + 2 * u8::from(line.tainted);
        let map = maps.binary_search(&line.map).unwrap_or_default();
        let replay = line.replay.as_deref().map(address);
        let seats = line.seats.into_iter();
        let seats =
            seats.map(|seat| Seat(seat.bot, seat.place, short(seat.score), short(seat.points), seat.fault));
        Row(line.number, line.stage, line.round, map, line.turns, line.millis, replay, marks, seats.collect())
    }
}

/// A number with as few characters as it needs.
fn short(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The name under which `palestra view FOLDER` shows a replay: its path without the ending, as one word.
fn address(path: &str) -> String {
    path.strip_suffix(".replay").unwrap_or(path).replace('/', "~")
}
