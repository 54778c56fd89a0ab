//! The bracket of a knockout: boxes for meetings, from left to right, and lines along which winners go on.
//!
//! Who may still lose is told from the meetings themselves: those who have not lost yet meet above, those who have
//! lost once meet below, and where the two come together is the final.

use super::Field;
use super::words::points;
use crate::overview::{BracketMeeting, StageState, StageView};
use crate::report::limits;
use maud::{Markup, html};

/// One line of a box: a name and its points.
const LINE: f64 = 28.0;
const BOX_WIDTH: f64 = 200.0;
const COLUMN: f64 = 252.0;
/// Between two boxes in a column.
const GAP: f64 = 18.0;
/// Room above a side for the names of its rounds.
const HEAD: f64 = 34.0;

/// Which part of the bracket a meeting belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Upper,
    Lower,
    Final,
    Third,
}

/// A meeting with its place in the picture.
struct Box<'a> {
    meeting: &'a BracketMeeting,
    side: Side,
    /// Counted from 0.
    round: usize,
    /// The boxes that its players won before.
    feeders: Vec<usize>,
    column: usize,
    /// The middle.
    y: f64,
}

impl Box<'_> {
    fn height(&self) -> f64 {
        LINE * self.meeting.players.len().max(1) as f64
    }

    fn x(&self) -> f64 {
        self.column as f64 * COLUMN
    }
}

/// The bracket as a picture.
pub(super) fn drawing(field: &Field, stage: &StageView) -> Markup {
    let mut boxes = boxes(stage);
    let height = arrange(&mut boxes);
    let columns = boxes.iter().map(|found| found.column).max().unwrap_or(0);
    let width = columns as f64 * COLUMN + BOX_WIDTH;
    html! {
        div.scroll {
            svg.bracket viewBox=(format!("-2 0 {} {}", width + 4.0, height + 2.0)) role="img" aria-label="Bracket"
                style=(format!("min-width:{width}px;max-width:{:.0}px", width * 1.35)) {
                @for (x, y, text) in heads(&boxes, stage) { text.head x=(x) y=(y) { (text) } }
                @for found in &boxes {
                    @for feeder in &found.feeders { path.way d=(way(&boxes[*feeder], found)) {} }
                }
                @for found in &boxes { (drawn(field, found)) }
            }
        }
    }
}

fn drawn(field: &Field, found: &Box) -> Markup {
    let meeting = found.meeting;
    let numbers: Vec<String> = meeting.matches.iter().map(u32::to_string).collect();
    let top = found.y - found.height() / 2.0;
    html! {
        a href={ "#only-" (numbers.join("-")) } {
            rect.box x=(found.x()) y=(top) width=(BOX_WIDTH) height=(found.height()) rx="6" {}
            @for (index, bot) in meeting.players.iter().enumerate() {
                @let y = top + LINE * index as f64;
                g data-bot=(bot) .winner[meeting.winner == Some(*bot)] .out[meeting.winner.is_some_and(|winner| winner != *bot)] {
                    title { (field.name(*bot)) }
                    rect.line x=(found.x()) y=(y) width=(BOX_WIDTH) height=(LINE) rx="6" {}
                    rect x=(found.x() + 8.0) y=(y + 9.0) width="10" height="10" rx="3" style={ "fill:" (field.colour(*bot)) } {}
                    text x=(found.x() + 26.0) y=(y + 19.0) { (shortened(field.name(*bot))) }
                    text.points x=(found.x() + BOX_WIDTH - 10.0) y=(y + 19.0) {
                        @if let [_] = meeting.players[..] { "bye" }
                        @else if let Some(value) = meeting.points.get(index) { (points(*value)) }
                    }
                }
            }
        }
    }
}

fn shortened(name: &str) -> String {
    match name.chars().count() > limits::BRACKET_LETTERS {
        true => name.chars().take(limits::BRACKET_LETTERS - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

fn way(from: &Box, to: &Box) -> String {
    let (start, end) = (from.x() + BOX_WIDTH, to.x());
    let bend = end - (COLUMN - BOX_WIDTH) / 2.0;
    format!("M{start} {}H{bend}V{}H{end}", from.y, to.y)
}

/// The names of the rounds above their columns.
fn heads(boxes: &[Box], stage: &StageView) -> Vec<(f64, f64, String)> {
    let double = boxes.iter().any(|found| found.side == Side::Lower);
    let mut heads: Vec<(f64, f64, String)> = Vec::new();
    let mut known: Vec<(bool, usize)> = Vec::new();
    for found in boxes {
        let below = matches!(found.side, Side::Lower | Side::Third);
        if known.contains(&(below, found.column)) {
            continue;
        }
        known.push((below, found.column));
        let same = boxes.iter().filter(|other| other.side == found.side);
        let top = same.map(|other| other.y - other.height() / 2.0).fold(f64::INFINITY, f64::min);
        let left = stage.rounds.map(|rounds| (rounds as usize).saturating_sub(found.round));
        let text = match (found.side, left) {
            (Side::Final, _) => "Final".to_owned(),
            (Side::Third, _) => "Third place".to_owned(),
            (Side::Lower, _) => format!("Lower bracket, round {}", found.column + 1),
            (Side::Upper, _) if double => format!("Upper bracket, round {}", found.column + 1),
            (Side::Upper, Some(1)) => "Final".to_owned(),
            (Side::Upper, Some(2)) => "Semi-finals".to_owned(),
            (Side::Upper, Some(3)) => "Quarter-finals".to_owned(),
            (Side::Upper, _) => format!("Round {}", found.round + 1),
        };
        let y = if found.side == Side::Final { HEAD - 14.0 } else { top - 14.0 };
        heads.push((found.x(), y, text));
    }
    heads
}

/// All meetings with their sides and where their players come from.
fn boxes(stage: &StageView) -> Vec<Box<'_>> {
    let mut boxes: Vec<Box> = Vec::new();
    let mut losses: Vec<(usize, u32)> = Vec::new();
    for (round, meetings) in stage.bracket.iter().enumerate() {
        let before = losses.clone();
        let lost = |bot: usize| before.iter().find(|(known, _)| *known == bot).map_or(0, |(_, times)| *times);
        let first = boxes.len();
        for meeting in meetings {
            let times: Vec<u32> = meeting.players.iter().map(|bot| lost(*bot)).collect();
            let finals = boxes.iter().any(|found| found.side == Side::Final);
            let side = match (times.iter().min(), times.iter().max()) {
                _ if finals => Side::Final,
                (Some(0), Some(0)) | (None, _) => Side::Upper,
                (Some(0), _) => Side::Final,
                _ => Side::Lower,
            };
            let came_from = |bot: &usize| {
                let before = boxes[..first].iter().rposition(|found| found.meeting.players.contains(bot))?;
                (boxes[before].meeting.winner == Some(*bot)).then_some(before)
            };
            let mut feeders: Vec<usize> = meeting.players.iter().filter_map(came_from).collect();
            feeders.sort_unstable();
            feeders.dedup();
            boxes.push(Box { meeting, side, round, feeders, column: 0, y: 0.0 });
            for bot in
                meeting.players.iter().filter(|bot| meeting.winner.is_some_and(|winner| winner != **bot))
            {
                match losses.iter_mut().find(|(known, _)| known == bot) {
                    Some((_, times)) => *times += 1,
                    None => losses.push((*bot, 1)),
                }
            }
        }
    }
    // Losers who meet in the last round only do not play on: they play for the third place.
    let last = stage.bracket.len().saturating_sub(1);
    let lower_before = boxes.iter().any(|found| found.side == Side::Lower && found.round < last);
    let may_go_on = stage.state != StageState::Over && stage.rounds.is_none();
    if !lower_before && !may_go_on {
        for found in boxes.iter_mut().filter(|found| found.side == Side::Lower) {
            found.side = Side::Third;
            found.feeders.clear();
        }
    }
    boxes
}

/// Gives every box its place; says how high the picture is.
fn arrange(boxes: &mut [Box]) -> f64 {
    let mut top = 0.0;
    for below in [false, true] {
        let mine: Vec<usize> = (0..boxes.len())
            .filter(|index| matches!(boxes[*index].side, Side::Lower | Side::Third) == below)
            .collect();
        if mine.is_empty() {
            continue;
        }
        let mut rounds: Vec<usize> = mine.iter().map(|index| boxes[*index].round).collect();
        rounds.dedup();
        for index in &mine {
            boxes[*index].column = rounds.iter().take_while(|round| **round < boxes[*index].round).count();
        }
        let mut bottom = top + HEAD;
        let mut placed = vec![false; boxes.len()];
        // From the last meetings back to where their players come from, so that no two lines cross.
        for index in mine.iter().rev() {
            place(boxes, *index, &mut placed, &mut bottom);
        }
        top = bottom;
    }
    // The final stands behind everything that leads to it.
    let behind = boxes.iter().filter(|found| found.side != Side::Final).map(|found| found.column + 1).max();
    let first = boxes.iter().filter(|found| found.side == Side::Final).map(|found| found.column).min();
    if let (Some(behind), Some(first)) = (behind, first) {
        for found in boxes.iter_mut().filter(|found| found.side == Side::Final) {
            found.column += behind.saturating_sub(first);
        }
    }
    let last = boxes.iter().filter(|found| found.side == Side::Upper).map(|found| found.column).max();
    for found in boxes.iter_mut().filter(|found| found.side == Side::Third) {
        found.column = last.unwrap_or(0);
    }
    top - GAP
}

fn place(boxes: &mut [Box], index: usize, placed: &mut [bool], bottom: &mut f64) {
    if std::mem::replace(&mut placed[index], true) {
        return;
    }
    let below = |side: Side| matches!(side, Side::Lower | Side::Third);
    let feeders: Vec<usize> = boxes[index]
        .feeders
        .iter()
        .copied()
        .filter(|feeder| below(boxes[*feeder].side) == below(boxes[index].side))
        .collect();
    for feeder in &feeders {
        place(boxes, *feeder, placed, bottom);
    }
    let height = boxes[index].height();
    match (feeders.first(), feeders.last()) {
        (Some(first), Some(last)) => boxes[index].y = (boxes[*first].y + boxes[*last].y) / 2.0,
        _ => {
            boxes[index].y = *bottom + height / 2.0;
            *bottom += height + GAP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BOX_WIDTH, Box, COLUMN, Side, arrange, boxes};
    use crate::report::samples;

    fn sides(boxes: &[Box]) -> [usize; 4] {
        [Side::Upper, Side::Lower, Side::Final, Side::Third]
            .map(|side| boxes.iter().filter(|found| found.side == side).count())
    }

    #[test]
    fn sides_are_told_from_who_has_lost() {
        let double = samples::double_knockout();
        assert_eq!(sides(&boxes(&double.overview.stages[0])), [7, 6, 1, 0]);
        let single = samples::knockout();
        assert_eq!(sides(&boxes(&single.overview.stages[0])), [15, 0, 0, 1]);
    }

    #[test]
    fn boxes_do_not_touch_and_lead_to_the_right() {
        for sample in [samples::double_knockout(), samples::knockout()] {
            let mut boxes = boxes(&sample.overview.stages[0]);
            let height = arrange(&mut boxes);
            for (index, a) in boxes.iter().enumerate() {
                assert!(a.y - a.height() / 2.0 >= 0.0 && a.y + a.height() / 2.0 <= height + 0.01);
                for b in &boxes[..index] {
                    let apart = (a.y - b.y).abs() - (a.height() + b.height()) / 2.0;
                    assert!(a.column != b.column || apart > 0.0);
                }
                for feeder in &a.feeders {
                    assert!(boxes[*feeder].x() + BOX_WIDTH < a.x() && a.x() - boxes[*feeder].x() >= COLUMN);
                }
            }
        }
    }
}
