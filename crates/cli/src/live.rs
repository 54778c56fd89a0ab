//! How a long run of matches goes: a picture at the bottom of a terminal, a plain line now and then elsewhere.
//!
//! It shows whatever it is told and counts nothing itself; tournaments, duels and ladders use it alike.

use crate::console;
use crate::report::counted;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};
use terminal_size::{Height, Width, terminal_size_of};
use unicode_width::UnicodeWidthChar as _;

/// Pictures a second, at most.
const PICTURES_PER_SECOND: u8 = 8;
/// Between two plain lines, if a tenth of the matches takes longer.
const PLAIN_EVERY: Duration = Duration::from_secs(30);
/// A terminal that does not tell its size.
const USUAL_SIZE: (usize, usize) = (80, 24);
/// The widest picture: beyond that, eyes lose the line.
const WIDEST: usize = 120;
/// Lines of a table, and of the last results.
const TABLE_LINES: usize = 10;
const RESULT_LINES: usize = 5;

/// How it stands. All texts are shown as they are, without line breaks.
#[derive(Clone, Default, Debug)]
pub(crate) struct Snapshot {
    /// Matches that are over.
    pub(crate) done: u64,
    /// Matches altogether, if there is an end.
    pub(crate) total: Option<u64>,
    /// Matches a second.
    pub(crate) rate: f64,
    /// Who leads: "greedy 41.5".
    pub(crate) first: Option<String>,
    /// A table, its head first. The second column is a name and stands on the left, the others on the right.
    pub(crate) table: Vec<Vec<String>>,
    /// The last results, newest last.
    pub(crate) results: Vec<String>,
    /// Faults so far, in a few words.
    pub(crate) faults: Option<String>,
}

/// Shows how a run goes, on standard error.
pub(crate) struct Live {
    title: String,
    quiet: bool,
    bar: Option<ProgressBar>,
    paint: Paint,
    told: Instant,
    tenths: u64,
}

impl Live {
    /// Draws if there is a terminal; `quiet` shows nothing but what is logged.
    pub(crate) fn new(title: &str, quiet: bool) -> Live {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(PICTURES_PER_SECOND);
            let style = ProgressStyle::with_template("{msg}").expect("a fixed template");
            ProgressBar::with_draw_target(None, target).with_style(style)
        });
        let colour = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
        Live { title: title.to_owned(), quiet, bar, paint: Paint { colour }, told: Instant::now(), tenths: 0 }
    }

    /// Whether it is time for another picture, so that nobody prepares one in vain. A plain line may be due with any
    /// match.
    pub(crate) fn due(&self) -> bool {
        let pause = Duration::from_secs(1) / u32::from(PICTURES_PER_SECOND);
        !self.quiet && (self.bar.is_none() || self.told.elapsed() >= pause)
    }

    pub(crate) fn update(&mut self, now: &Snapshot) {
        if !self.due() {
            return;
        }
        match &self.bar {
            Some(bar) => {
                let size = terminal_size_of(std::io::stderr());
                let size = size.map_or(USUAL_SIZE, |(Width(w), Height(h))| (w.into(), h.into()));
                bar.set_message(picture(&self.title, now, size, self.paint).join("\n"));
                bar.tick();
            }
            None => {
                let tenths = now.total.filter(|total| *total > 0).map_or(0, |total| now.done * 10 / total);
                if tenths <= self.tenths && self.told.elapsed() < PLAIN_EVERY {
                    return;
                }
                self.tenths = tenths;
                console::remark(&plain_line(now));
            }
        }
        self.told = Instant::now();
    }

    /// Says something that stays, above the picture.
    pub(crate) fn log(&self, line: &str) {
        match &self.bar {
            Some(bar) if self.paint.colour => bar.println(line),
            Some(bar) => bar.println(anstream::adapter::strip_str(line).to_string()),
            None => console::remark(line),
        }
    }

    /// Takes the picture away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// "137 of 400 matches, 12/s, 22 s left; first: greedy 41.5"
fn plain_line(now: &Snapshot) -> String {
    let mut line = match now.total {
        Some(total) => format!("{} of {}", now.done, counted(total, "match")),
        None => counted(now.done, "match"),
    };
    if let Some(rate) = rate(now) {
        line += &format!(", {rate}");
    }
    if let Some(left) = time_left(now) {
        line += &format!(", {left}");
    }
    if let Some(first) = &now.first {
        line += &format!("; first: {}", harmless(first));
    }
    line
}

/// Everything, in lines that fit.
fn picture(title: &str, now: &Snapshot, (width, height): (usize, usize), paint: Paint) -> Vec<String> {
    // The last column stays free: some terminals break the line there.
    let width = width.saturating_sub(1).clamp(1, WIDEST);
    let mut lines = vec![paint.bold(&cut(&harmless(title), width)), progress(now, width, paint)];
    let mut room = height.saturating_sub(lines.len() + 1);
    let mut add = |part: Vec<String>| {
        let part: Vec<String> = part.into_iter().take(room).collect();
        room -= part.len();
        lines.extend(part);
    };
    add(table(&now.table, width, paint));
    if let Some(faults) = &now.faults {
        add(vec![paint.red(&cut(&format!("faults: {}", harmless(faults)), width))]);
    }
    let newest = now.results.iter().rev().take(RESULT_LINES);
    add(newest.map(|line| paint.faint(&cut(&harmless(line), width))).collect());
    lines
}

/// A bar and what can be said beside it; on a narrow terminal the bar goes first.
fn progress(now: &Snapshot, width: usize, paint: Paint) -> String {
    let mut said = match now.total {
        Some(total) => format!("{} of {total}", now.done),
        None => counted(now.done, "match"),
    };
    for more in [rate(now), time_left(now)].into_iter().flatten() {
        said += &format!("  {more}");
    }
    let Some(total) = now.total else {
        return cut(&said, width);
    };
    let bar = width.saturating_sub(said.chars().count() + 2).min(50);
    if bar < 8 {
        return cut(&said, width);
    }
    let share = if total == 0 { 1.0 } else { (now.done as f64 / total as f64).min(1.0) };
    let full = (bar as f64 * share) as usize;
    format!("{}{}  {said}", paint.green(&"━".repeat(full)), paint.faint(&"─".repeat(bar - full)))
}

/// Columns as wide as they need to be; a name that is too long gives way.
fn table(rows: &[Vec<String>], width: usize, paint: Paint) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .take(TABLE_LINES + 1)
        .map(|row| row.iter().map(|text| harmless(text)).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| wide(text)).max();
    let mut widths: Vec<usize> = (0..columns).map(|column| widest(column).unwrap_or(0)).collect();
    let all: usize = widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1);
    if let Some(name) = widths.get_mut(1) {
        *name = name.saturating_sub(all.saturating_sub(width)).max(8.min(*name));
    }
    let line = |row: &Vec<String>| {
        let cells = row.iter().enumerate().map(|(column, text)| {
            let text = cut(text, widths[column]);
            let pad = " ".repeat(widths[column] - wide(&text));
            if column == 1 { text + &pad } else { pad + &text }
        });
        cut(cells.collect::<Vec<_>>().join("  ").trim_end(), width)
    };
    rows.iter()
        .enumerate()
        .map(|(index, row)| if index == 0 { paint.faint(&line(row)) } else { line(row) })
        .collect()
}

fn rate(now: &Snapshot) -> Option<String> {
    match now.rate {
        rate if !rate.is_finite() || rate <= 0.0 => None,
        rate if rate >= 10.0 => Some(format!("{rate:.0}/s")),
        rate if rate >= 1.0 => Some(format!("{rate:.1}/s")),
        rate => Some(format!("{:.1}/min", rate * 60.0)),
    }
}

fn time_left(now: &Snapshot) -> Option<String> {
    let left = now.total?.saturating_sub(now.done);
    if left == 0 || !now.rate.is_finite() || now.rate <= 0.0 {
        return None;
    }
    let seconds = (left as f64 / now.rate).ceil() as u64;
    Some(match seconds {
        0..=99 => format!("{seconds} s left"),
        100..=5999 => format!("{} min left", seconds.div_ceil(60)),
        _ => format!("{} h {:02} min left", seconds / 3600, seconds % 3600 / 60),
    })
}

/// Names are strangers' words: nothing in them moves the cursor or changes colours.
fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '·' } else { c }).collect()
}

/// How many columns a text takes.
fn wide(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// As much of a text as fits.
fn cut(text: &str, width: usize) -> String {
    if wide(text) <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let needed = c.width().unwrap_or(0);
        let fits = needed <= left;
        left = left.saturating_sub(needed);
        fits
    };
    let mut kept: String = text.chars().take_while(fits).collect();
    if width > 0 {
        kept.push('…');
    }
    kept
}

/// Colours, where they are wanted.
#[derive(Clone, Copy)]
struct Paint {
    colour: bool,
}

impl Paint {
    fn with(self, code: u8, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.with(1, text)
    }

    fn faint(self, text: &str) -> String {
        self.with(2, text)
    }

    fn red(self, text: &str) -> String {
        self.with(31, text)
    }

    fn green(self, text: &str) -> String {
        self.with(32, text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Live, Paint, Snapshot, picture, plain_line, wide};
    use proptest::prelude::*;

    const PLAIN: Paint = Paint { colour: false };

    fn sample() -> Snapshot {
        let row = |texts: [&str; 4]| texts.map(str::to_owned).to_vec();
        Snapshot {
            done: 137,
            total: Some(400),
            rate: 12.0,
            first: Some("greedy 41.5".to_owned()),
            table: vec![
                row(["#", "bot", "points", "faults"]),
                row(["1", "greedy", "41.5", "0"]),
                row(["2", "a bot with a very long name indeed", "9", "2"]),
            ],
            results: vec!["match 136: hunter won".to_owned(), "match 137: a draw".to_owned()],
            faults: Some("2 out of time".to_owned()),
        }
    }

    #[test]
    fn a_picture_has_everything() {
        let lines = picture("Winter cup", &sample(), (60, 24), PLAIN);
        assert_eq!(lines[0], "Winter cup");
        assert_eq!(lines[1], format!("{}{}  137 of 400  12/s  22 s left", "━".repeat(10), "─".repeat(20)));
        let expected = [
            "#  bot                                 points  faults",
            "1  greedy                                41.5       0",
            "2  a bot with a very long name indeed       9       2",
            "faults: 2 out of time",
            "match 137: a draw",
            "match 136: hunter won",
        ];
        assert_eq!(lines[2..], expected);
    }

    #[test]
    fn a_narrow_terminal_shortens_names_before_numbers() {
        let lines = picture("Winter cup", &sample(), (32, 24), PLAIN);
        assert_eq!(lines[1], "137 of 400  12/s  22 s left");
        assert_eq!(lines[4], "2  a bot with …       9       2");
    }

    #[test]
    fn a_plain_line_says_what_matters() {
        assert_eq!(plain_line(&sample()), "137 of 400 matches, 12/s, 22 s left; first: greedy 41.5");
        let ladder = Snapshot { done: 5, total: None, rate: 0.05, ..Snapshot::default() };
        assert_eq!(plain_line(&ladder), "5 matches, 3.0/min");
        let long = Snapshot { done: 0, total: Some(10_000), rate: 0.5, ..Snapshot::default() };
        assert_eq!(plain_line(&long), "0 of 10000 matches, 30.0/min, 5 h 33 min left");
        assert_eq!(plain_line(&Snapshot { total: Some(3), ..Snapshot::default() }), "0 of 3 matches");
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        let painted = picture("cup", &sample(), (60, 24), Paint { colour: true }).join("\n");
        assert!(painted.contains("\x1b[1mcup\x1b[0m"));
        assert!(!picture("cup", &sample(), (60, 24), PLAIN).join("\n").contains('\x1b'));
    }

    #[test]
    fn without_a_terminal_or_quiet_nothing_is_drawn() {
        let mut live = Live::new("cup", true);
        assert!(!live.due());
        live.update(&sample());
        live.log("a remark");
        live.finish();
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal_and_none_too_many(
            width in 0_usize..140,
            height in 0_usize..40,
            name in "\\PC{0,40}|[\\x00-\\x1f日ñ]{0,20}",
            done in 0_u64..1000,
        ) {
            let mut now = sample();
            now.done = done;
            now.table[1][1] = name.clone();
            now.table[2].pop();
            now.results.push(name.clone());
            let lines = picture(&name, &now, (width, height), PLAIN);
            prop_assert!(lines.len() < height.max(3));
            for line in lines {
                prop_assert!(wide(&line) < width.max(2), "{line:?}");
                prop_assert!(!line.chars().any(char::is_control));
            }
        }
    }
}
