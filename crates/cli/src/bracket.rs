//! The brackets of a tournament's knockouts, as lines for a terminal: who went on, and what decided that.

use crate::report::score as number;
use palestra_league::overview::{BracketMeeting, Overview, StageView};
use palestra_league::pairing::{DecidedBy, Decision, Duel, Part};

/// Duels of one bracket that are told; the report has all of them.
const DUELS_TOLD: usize = 15;

/// The duels that were decided, of every knockout that has begun; the last ones, where there are very many.
pub(crate) fn brackets(overview: &Overview) -> String {
    let mut text = String::new();
    for stage in &overview.stages {
        for (group, duels) in stage.duels.iter().enumerate() {
            let lines: Vec<String> =
                duels.iter().filter_map(|duel| line(overview, stage, duels, duel)).collect();
            if lines.is_empty() {
                continue;
            }
            let group = if stage.duels.len() > 1 { format!(", group {}", group + 1) } else { String::new() };
            text += &format!("{}{group}:\n", stage.name);
            let hidden = lines.len().saturating_sub(DUELS_TOLD);
            if hidden > 0 {
                text += &format!("  {hidden} duels before; the report shows them\n");
            }
            text += &lines[hidden..].concat();
        }
    }
    text
}

/// Who won, if the last match has been played.
pub(crate) fn winners(overview: &Overview) -> String {
    let first = overview.standings.iter().filter(|line| overview.over && line.place == 1);
    let names: Vec<&str> = first.map(|line| overview.bots[line.bot].name.as_str()).collect();
    match &names[..] {
        [] => String::new(),
        [winner] => format!("winner: {winner}\n"),
        several => format!("winners, equal in everything: {}\n", several.join(", ")),
    }
}

fn line(overview: &Overview, stage: &StageView, duels: &[Duel], duel: &Duel) -> Option<String> {
    let [one, other] = duel.sides.map(|side| side.player);
    let (one, other, winner, decision) = (one?, other?, duel.winner?, duel.decision?);
    let loser = if winner == one { other } else { one };
    let name = |bot: usize| &overview.bots[bot].name;
    let (winner, loser) = (winner.0 as usize, loser.0 as usize);
    let points = duel.meeting.and_then(|(round, _)| {
        let meetings = stage.bracket.get(round as usize - 1)?;
        let meeting = meetings
            .iter()
            .find(|meeting| meeting.players.contains(&winner) && meeting.players.contains(&loser))?;
        Some([of(meeting, winner)?, of(meeting, loser)?])
    });
    let points = points.map_or_else(String::new, |points| format!(", {}", pair(points)));
    let (title, winner, loser) = (title(duels, duel), name(winner), name(loser));
    Some(match decision.by {
        DecidedBy::Bye => return None,
        DecidedBy::Absence => format!("  {title}: {winner} goes on, {loser} was not there\n"),
        _ => format!("  {title}: {winner} beat {loser}{points}{}\n", reason(decision)),
    })
}

/// What decided, where it was not the points of the planned matches.
fn reason(Decision { by, deciders, numbers }: Decision) -> String {
    let seeds = numbers.map_or_else(String::new, |[winner, loser]| format!("{winner} before {loser}"));
    let numbers = numbers.map_or_else(String::new, |[winner, loser]| format!("{winner} : {loser}"));
    let equal = match deciders {
        0 => "equal".to_owned(),
        deciders => format!("equal after {deciders} further matches"),
    };
    match by {
        DecidedBy::Bye | DecidedBy::Absence | DecidedBy::Points => String::new(),
        DecidedBy::Deciders => format!("; {deciders} further matches decided, {numbers}"),
        DecidedBy::Score => format!("; {equal}, the games' scores decided, {numbers}"),
        DecidedBy::Seed => format!("; {equal}, the better seed goes on ({seeds})"),
    }
}

/// What people call a duel.
fn title(duels: &[Duel], duel: &Duel) -> String {
    let rounds = |part: Part| {
        let mut rounds: Vec<u32> =
            duels.iter().filter(|duel| duel.part == part).map(|duel| duel.round).collect();
        rounds.dedup();
        rounds
    };
    let of_part = rounds(duel.part);
    let step = of_part.iter().position(|round| *round == duel.round).unwrap_or(0);
    let double = duels.iter().any(|duel| duel.part == Part::Lower);
    match duel.part {
        Part::Final => "final".to_owned(),
        Part::SecondFinal => "second final".to_owned(),
        Part::ThirdPlace => "third place".to_owned(),
        Part::Lower => format!("losers' round {}", step + 1),
        Part::Upper if double => format!("winners' round {}", step + 1),
        Part::Upper => match of_part.len() - step {
            1 => "semi-final".to_owned(),
            2 => "quarter-final".to_owned(),
            _ => format!("round {}", step + 1),
        },
    }
}

fn of(meeting: &BracketMeeting, bot: usize) -> Option<f64> {
    let place = meeting.players.iter().position(|player| *player == bot)?;
    meeting.points.get(place).copied()
}

fn pair([winner, loser]: [f64; 2]) -> String {
    format!("{} : {}", number(winner), number(loser))
}
