//! How points came together, round by round: one line per bot, the best with colours and names.

use super::Field;
use super::ratings::round_step;
use super::words::points;
use crate::overview::StageView;
use crate::report::limits;
use maud::{Markup, html};

/// The height of the picture; its width is the page's.
const HEIGHT: f64 = 380.0;
/// The width of the picture in its own units, which stretch.
const WIDTH: f64 = 1000.0;
/// Between two names beside the picture.
const NAME_EVERY: f64 = 21.0;
/// Labels below the picture, at most.
const ROUND_LABELS: usize = 8;

/// A bot and its points after every round.
type Course = (usize, Vec<f64>);

/// The chart of a stage, over the whole width or beside something else; nothing if there are not two moments to draw a
/// line between.
pub(super) fn chart(field: &Field, stage: &StageView, whole: bool) -> Markup {
    let rounds = stage.course.iter().map(|(_, course)| course.len()).max().unwrap_or(0);
    if rounds < 2 {
        return html! {};
    }
    let all = || stage.course.iter().flat_map(|(_, course)| course).copied();
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max).max(1.0));
    let x = |round: usize| WIDTH * round as f64 / (rounds - 1) as f64;
    let y = |points: f64| HEIGHT * (1.0 - (points - low) / (high - low));
    let line = |course: &[f64]| {
        let corners =
            course.iter().enumerate().map(|(round, points)| format!("{:.1},{:.1}", x(round), y(*points)));
        corners.collect::<Vec<_>>().join(" ")
    };
    // The best are drawn last, above the others.
    let mut courses: Vec<&Course> = stage.course.iter().filter(|(_, course)| !course.is_empty()).collect();
    courses.sort_by(|a, b| last(a).total_cmp(&last(b)));
    let (rest, best): (Vec<&Course>, Vec<&Course>) =
        courses.into_iter().partition(|(bot, _)| field.rank(*bot) >= limits::COLOURED_BOTS);
    let step = round_step((high - low) / 5.0);
    let lines = ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|index| index as f64 * step);
    let every = (rounds - 1).div_ceil(ROUND_LABELS).max(1);
    html! {
        figure.course .whole[whole] {
            figcaption { "Points after each round" }
            div.plot style=(format!("height:{HEIGHT}px")) {
                @for value in lines {
                    span.level style=(format!("top:{:.1}px", y(value))) { (points(value)) }
                }
                svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) preserveAspectRatio="none" role="img"
                    aria-label="Points after each round; the table has the numbers" {
                    @for (bot, course) in rest.iter().chain(&best) {
                        @let rank = field.rank(*bot);
                        g data-bot=(bot) .rest[rank >= limits::COLOURED_BOTS] .second[(limits::SOLID_LINES..limits::COLOURED_BOTS).contains(&rank)] style={ "--c:" (field.colour(*bot)) }
                            data-tip={ (field.name(*bot)) "\n" (points(course.last().copied().unwrap_or_default())) " points" } {
                            polyline.reach points=(line(course)) {}
                            polyline points=(line(course)) {}
                        }
                    }
                }
                @for (top, bot, value) in names(&best, y) {
                    span.end data-bot=(bot) style=(format!("top:{top:.1}px;--c:{}", field.colour(bot))) {
                        bdi { (field.name(bot)) } " " b { (points(value)) }
                    }
                }
            }
            div.rounds aria-hidden="true" {
                @for round in (0..rounds).step_by(every) {
                    span style=(format!("left:{:.2}%", x(round) / WIDTH * 100.0)) { (round) }
                }
            }
        }
    }
}

fn last((_, course): &Course) -> f64 {
    course.last().copied().unwrap_or_default()
}

/// Where the names stand: as near to the ends of their lines as they can without covering each other.
fn names(courses: &[&Course], y: impl Fn(f64) -> f64) -> Vec<(f64, usize, f64)> {
    let mut names: Vec<(f64, usize, f64)> =
        courses.iter().rev().map(|course| (y(last(course)), course.0, last(course))).collect();
    for index in 1..names.len() {
        names[index].0 = names[index].0.max(names[index - 1].0 + NAME_EVERY);
    }
    let mut bottom = HEIGHT;
    for name in names.iter_mut().rev() {
        name.0 = name.0.min(bottom);
        bottom = name.0 - NAME_EVERY;
    }
    names
}
