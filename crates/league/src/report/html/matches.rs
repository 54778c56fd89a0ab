//! The list of matches: rows as compact JSON, made into a table by the page's script, which also filters them.

use super::words::count;
use super::{Field, Section, VIEW_PORT};
use crate::overview::MatchLine;
use crate::report::limits;
use maud::{Markup, PreEscaped, html};
use serde_json::{Value, json};
use std::collections::VecDeque;

/// The newest matches, as many as a page holds.
pub(super) struct Listed {
    /// Oldest first.
    matches: VecDeque<MatchLine>,
    total: u64,
}

impl Listed {
    pub(super) fn of(all: impl Iterator<Item = MatchLine>) -> Listed {
        let mut listed = Listed { matches: VecDeque::new(), total: 0 };
        for line in all {
            if listed.matches.len() == limits::PAGE_MATCHES {
                listed.matches.pop_front();
            }
            listed.matches.push_back(line);
            listed.total += 1;
        }
        listed
    }

    /// What the script needs to know. No `<` is left that could end the element.
    pub(super) fn data(&self, field: &Field) -> Markup {
        let overview = field.overview;
        let mut maps: Vec<&str> = self.matches.iter().map(|line| line.map.as_str()).collect();
        maps.sort_unstable();
        maps.dedup();
        let data = json!({
            "bots": overview.bots.iter().map(|bot| &bot.name).collect::<Vec<_>>(),
            "colours": (0..overview.bots.len()).map(|bot| field.colour(bot)).collect::<Vec<_>>(),
            "order": field.order,
            "stages": overview.stages.iter().map(|stage| &stage.name).collect::<Vec<_>>(),
            "port": VIEW_PORT,
            "rows": self.matches.iter().rev().map(|line| row(line, &maps)).collect::<Vec<_>>(),
            "maps": maps,
        });
        let text = data.to_string().replace('<', "\\u003c");
        html! { script #data type="application/json" { (PreEscaped(text)) } }
    }
}

/// `[number, stage, round, map, turns, millis, replay, marks, [[bot, place, score, points, fault], ...]]`
fn row(line: &MatchLine, maps: &[&str]) -> Value {
    let seats = line.seats.iter().map(|seat| {
        json!([
            seat.bot,
            seat.place,
            short(seat.score),
            short(seat.points),
            seat.fault.as_deref().unwrap_or_default()
        ])
    });
    let marks = u8::from(line.voided) + 2 * u8::from(line.tainted);
    let map = maps.binary_search(&line.map.as_str()).unwrap_or_default();
    let replay = line.replay.as_deref().map(address);
    json!([
        line.number,
        line.stage,
        line.round,
        map,
        line.turns,
        line.millis,
        replay,
        marks,
        seats.collect::<Vec<_>>()
    ])
}

/// A number with as few characters as it needs.
fn short(value: f64) -> Value {
    let rounded = (value * 1000.0).round() / 1000.0;
    match rounded == rounded.trunc() && rounded.abs() < 1e15 {
        true => json!(rounded as i64),
        false => json!(rounded),
    }
}

/// The name under which `palestra view FOLDER` shows a replay: its path without the ending, as one word.
fn address(path: &str) -> String {
    path.strip_suffix(".replay").unwrap_or(path).replace('/', "~")
}

/// An empty list and its filters; the script fills both.
pub(super) fn section(listed: &Listed) -> Option<Section> {
    let left_out = listed.total - listed.matches.len() as u64;
    let body = html! {
        form.filters #filters {
            label { span.faint { "Bot" } select.field name="a" {} }
            label { span.faint { "against" } select.field name="b" {} }
            label { span.faint { "Stage" } select.field name="stage" {} }
            label.check { input type="checkbox" name="faults"; " with faults only" }
            button.button type="reset" { "Show all" }
            output.faint #found {}
        }
        p.note #serve hidden {}
        @if left_out > 0 {
            p.note {
                "These are the newest " (count(listed.matches.len() as u64)) " of " (count(listed.total))
                " matches; the CSV export has them all."
            }
        }
        noscript { p.note { "The list of matches needs JavaScript." } }
        div.list #list {}
        button.button #more type="button" hidden { "Show more" }
    };
    (listed.total > 0).then_some(Section { id: "matches", title: "Matches", body })
}
