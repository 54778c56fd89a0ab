//! One page that shows a whole tournament: it needs nothing but itself, on a projector, a phone or paper.
//!
//! What is drawn is in the page as it is written; its script only filters, points out and lists matches. Every text
//! passes through the templates or through JSON, which both escape it.

mod bracket;
mod course;
mod cross;
mod matches;
mod ratings;
mod tables;
mod words;

use crate::overview::{MatchLine, Overview};
use crate::report::limits;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::io::{self, Write};
use words::{count, many};

/// Where the links of a page that was opened from disk look for replays: `palestra view --port 7700 FOLDER`.
pub const VIEW_PORT: u16 = 7700;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// Writes the page. Matches come in the order in which they were played; the newest are listed.
pub fn write(
    overview: &Overview,
    matches: impl Iterator<Item = MatchLine>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let field = Field::new(overview);
    let listed = matches::Listed::of(matches);
    let mut left = vec![tables::standings(&field)];
    let right = vec![ratings::section(&field), tables::faults(&field), tables::failures(&field)];
    let mut below = vec![tables::stages(&field), matches::section(&listed), tables::bots(&field)];
    // A small cross table fits beside; a large one needs the whole width.
    match overview.bots.len() <= limits::SMALL_CROSS_TABLE {
        true => left.push(cross::section(&field)),
        false => below.insert(0, cross::section(&field)),
    }
    let all = || left.iter().chain(&right).chain(&below).flatten();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (overview.name) " – Palestra" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (head(&field))
                nav aria-label="Sections" {
                    @for section in all() { a href={ "#" (section.id) } { (section.title) } }
                }
                main {
                    div.side-by-side {
                        div { @for section in left.iter().flatten() { (section.card()) } }
                        div { @for section in right.iter().flatten() { (section.card()) } }
                    }
                    @for section in below.iter().flatten() { (section.card()) }
                }
                footer {
                    "Seed " (overview.seed) " · written by Palestra · "
                    "an interval holds the true value in 95 of 100 cases"
                }
                div id="tip" role="tooltip" hidden {}
                (listed.data(&field))
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    out.write_all(page.into_string().as_bytes())
}

/// A part of the page with a place in its list of contents.
struct Section {
    id: &'static str,
    title: &'static str,
    body: Markup,
}

impl Section {
    fn card(&self) -> Markup {
        html! { section.card id=(self.id) { h2 { (self.title) } (self.body) } }
    }
}

/// Who takes part, in the order and the colours that every part of the page uses.
struct Field<'a> {
    overview: &'a Overview,
    /// Bots from the first place down; those without a place come last.
    order: Vec<usize>,
    /// The place in that order, by bot, counted from 0.
    ranks: Vec<usize>,
}

impl<'a> Field<'a> {
    fn new(overview: &'a Overview) -> Field<'a> {
        let bots = overview.bots.len();
        let mut order: Vec<usize> = Vec::with_capacity(bots);
        let mut seen = vec![false; bots];
        for bot in overview.standings.iter().map(|line| line.bot).chain(0..bots) {
            if bot < bots && !std::mem::replace(&mut seen[bot], true) {
                order.push(bot);
            }
        }
        let mut ranks = vec![0; bots];
        for (rank, bot) in order.iter().enumerate() {
            ranks[*bot] = rank;
        }
        Field { overview, order, ranks }
    }

    fn name(&self, bot: usize) -> &'a str {
        self.overview.bots.get(bot).map_or("?", |line| &line.name)
    }

    /// A bot's place in the order, counted from 0.
    fn rank(&self, bot: usize) -> usize {
        self.ranks.get(bot).copied().unwrap_or(usize::MAX)
    }

    /// The colour as the style sheet calls it; grey for all but the first few.
    fn colour(&self, bot: usize) -> String {
        match self.rank(bot) {
            rank if rank < limits::COLOURED_BOTS => format!("var(--c{rank})"),
            _ => "var(--grey)".to_owned(),
        }
    }

    /// A bot's name with its colour. Names may run from right to left.
    fn bot(&self, bot: usize) -> Markup {
        html! {
            span.bot data-bot=(bot) title=(self.name(bot)) {
                i.dot style={ "--c:" (self.colour(bot)) } {}
                bdi { (self.name(bot)) }
            }
        }
    }
}

/// The mark of the program.
const MARK: &str = "<svg viewBox='0 0 32 32' width='44' height='44' aria-hidden='true'>\
    <rect width='32' height='32' rx='8' fill='#12161c'/><path d='M16 5 27 11H5zM5 25h22v2.5H5z' fill='#ffd34d'/>\
    <path d='M8 13h4v10H8z' fill='#0072b2'/><path d='M14 13h4v10h-4z' fill='#d55e00'/>\
    <path d='M20 13h4v10h-4z' fill='#009e73'/></svg>";

fn head(field: &Field) -> Markup {
    let overview = field.overview;
    let progress = overview.progress;
    let share = match progress.planned {
        0 => f64::from(u8::from(overview.over)),
        planned => (progress.finished as f64 / planned as f64).min(1.0),
    };
    let remarks = [
        (progress.voided, "taken out of the count"),
        (progress.tainted, "played again after a stall of the host"),
        (progress.failed, "could not be played"),
    ];
    html! {
        header {
            (PreEscaped(MARK))
            div.title {
                h1 { (overview.name) }
                p.faint { (overview.game_title) " · " (many(overview.bots.len() as u64, "bot", "bots")) }
            }
            button.button #theme type="button" aria-label="Light or dark" title="Light or dark" { "◐" }
            div.progress {
                div.bar role="progressbar" aria-label="Matches played" aria-valuemin="0" aria-valuemax="100"
                    aria-valuenow=(format!("{:.0}", share * 100.0)) {
                    i style=(format!("width:{:.2}%", share * 100.0)) {}
                }
                p {
                    @if overview.over { strong { "Final result" } " after " } @else { strong { "Under way" } ": " }
                    (count(progress.finished))
                    @if !overview.over { " of " (count(progress.planned)) }
                    @if progress.finished == 1 && overview.over { " match" } @else { " matches" }
                    @for (number, what) in remarks.iter().filter(|(number, _)| *number > 0) {
                        span.faint { " · " (count(*number)) " " (what) }
                    }
                }
            }
        }
    }
}
