//! How strong everybody is: a dot and its interval per bot, on one scale, with the other ratings beside.

use super::words::{difference, points, rating};
use super::{Field, Section};
use crate::overview::{Estimate, RatingLine};
use maud::{Markup, html};

/// The chart, and what the first seat is worth.
pub(super) fn section(field: &Field) -> Option<Section> {
    let lines = &field.overview.ratings;
    let scale = Scale::of(lines);
    let body = html! {
        @if let Some(worth) = field.overview.first_mover { (first_mover(worth)) }
        div.scroll {
            table.ratings {
                thead {
                    tr {
                        th.name { "Bot" }
                        th.chart {
                            div.axis aria-hidden="true" {
                                @for tick in scale.ticks() { span style=(format!("left:{:.2}%", scale.at(tick))) { (rating(tick)) } }
                            }
                        }
                        th.number.value { abbr title="Bradley-Terry, in Elo points, with its 95 % interval" { "Strength" } }
                        th.number.elo { "Elo" }
                        th.number.skill { abbr title="OpenSkill (Weng-Lin): mean ± deviation" { "OpenSkill" } }
                        th.number.games { "Matches" }
                    }
                }
                tbody {
                    @for line in lines {
                        tr data-bot=(line.bot) {
                            td.name { (field.bot(line.bot)) }
                            td.chart { (whisker(&scale, line.strength, &field.colour(line.bot))) }
                            td.number.value {
                                b { (rating(line.strength.value)) }
                                small.faint { (rating(line.strength.low)) " … " (rating(line.strength.high)) }
                            }
                            td.number.elo { (rating(line.elo)) }
                            td.number.skill { (points(round(line.openskill.0))) " ± " (points(round(line.openskill.1))) }
                            td.number.games { (line.games) }
                        }
                    }
                }
            }
        }
    };
    (!lines.is_empty()).then_some(Section { id: "ratings", title: "Strength", body })
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn first_mover(worth: Estimate) -> Markup {
    let verdict = match (worth.low > 0.0, worth.high < 0.0) {
        (true, _) => "whoever moves first has an advantage",
        (_, true) => "whoever moves first has a disadvantage",
        _ => "no advantage that could be told from chance",
    };
    html! {
        p.first-mover {
            "The first seat is worth " b { (difference(worth.value)) } " Elo points ("
            (difference(worth.low)) " … " (difference(worth.high)) "): " (verdict) "."
        }
    }
}

/// An estimate on the scale. An end that is not bounded runs out of the picture.
fn whisker(scale: &Scale, estimate: Estimate, colour: &str) -> Markup {
    let percent = |value: f64| format!("{:.2}%", scale.at(value));
    let (low, high) = (percent(estimate.low), percent(estimate.high));
    html! {
        svg width="100%" height="28" role="img" style={ "--c:" (colour) }
            aria-label={ (rating(estimate.value)) ", from " (rating(estimate.low)) " to " (rating(estimate.high)) } {
            @for tick in scale.ticks() {
                line.grid x1=(percent(tick)) x2=(percent(tick)) y1="0" y2="28" {}
            }
            line.whisker x1=(low) x2=(high) y1="14" y2="14" {}
            @if estimate.low.is_finite() { line.whisker x1=(low) x2=(low) y1="9" y2="19" {} }
            @if estimate.high.is_finite() { line.whisker x1=(high) x2=(high) y1="9" y2="19" {} }
            circle cx=(percent(estimate.value)) cy="14" r="5.5" {}
        }
    }
}

/// Elo points from left to right.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    fn of(lines: &[RatingLine]) -> Scale {
        let ends = lines.iter().flat_map(|line| [line.strength.low, line.strength.value, line.strength.high]);
        let (low, high) = ends
            .filter(|end| end.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
        if low > high {
            return Scale { low: -100.0, high: 100.0, step: 100.0 };
        }
        let step = round_step((high - low).max(20.0) / 4.0);
        let air = 0.04 * (high - low).max(20.0);
        Scale { low: low - air, high: high + air, step }
    }

    /// The place of a value, in percent; what is beyond the scale stands at its end.
    fn at(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low) * 100.0).clamp(0.0, 100.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> + use<> {
        let (first, last, step) =
            ((self.low / self.step).ceil() as i64, (self.high / self.step).floor() as i64, self.step);
        (first..=last).map(move |tick| tick as f64 * step)
    }
}

/// The next of 1, 2, 5, 10, 20, 50... that is no smaller.
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least).unwrap_or(10.0);
    factor * power
}
