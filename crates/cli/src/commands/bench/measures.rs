//! What an arena says of itself, in the text of Prometheus.

use palestra_arena::play::remote::{LATE, TURNAROUND};

/// What was counted up to some moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measures {
    /// Matches that are being played.
    pub(super) running: u64,
    /// Answers called late.
    pub(super) late: u64,
    /// Turns up to each length in seconds, the last one without an end.
    turns: Vec<(f64, u64)>,
}

impl Measures {
    pub(super) fn read(text: &str) -> Measures {
        let mut measures = Measures::default();
        let bucket = format!("{TURNAROUND}_bucket");
        for line in text.lines() {
            let Some((name, value)) = line.rsplit_once(' ') else { continue };
            let count = value.parse::<f64>().unwrap_or(0.0) as u64;
            let (name, labels) = name.split_once('{').unwrap_or((name, ""));
            match name {
                "palestra_matches_running" => measures.running = count,
                _ if name == LATE => measures.late += count,
                _ if name == bucket => {
                    let end = labels.split_once("le=\"").and_then(|(_, rest)| rest.split_once('"'));
                    let end = end.and_then(|(end, _)| end.parse().ok()).unwrap_or(f64::INFINITY);
                    measures.turns.push((end, count));
                }
                _ => {}
            }
        }
        measures
    }

    /// What was counted since.
    pub(super) fn since(&self, before: &Measures) -> Measures {
        let was =
            |end: f64| before.turns.iter().find(|(other, _)| *other == end).map_or(0, |(_, count)| *count);
        Measures {
            running: self.running,
            late: self.late - before.late,
            turns: self.turns.iter().map(|(end, count)| (*end, count - was(*end))).collect(),
        }
    }

    /// Turns that were timed.
    pub(super) fn turns(&self) -> u64 {
        self.turns.last().map_or(0, |(_, count)| *count)
    }

    /// How long the arena's own share of a turn was, in seconds, for this part of all turns; within a bucket as if they
    /// were spread evenly.
    pub(super) fn share(&self, part: f64) -> f64 {
        let wanted = self.turns() as f64 * part;
        let (mut start, mut before) = (0.0, 0.0);
        for (end, count) in &self.turns {
            let count = *count as f64;
            if count >= wanted && count > before {
                return if end.is_finite() {
                    start + (end - start) * (wanted - before) / (count - before)
                } else {
                    start
                };
            }
            (start, before) = (*end, count);
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::Measures;

    const TEXT: &str = "\
# TYPE palestra_turnaround_seconds histogram
palestra_turnaround_seconds_bucket{le=\"0.001\"} 50
palestra_turnaround_seconds_bucket{le=\"0.002\"} 90
palestra_turnaround_seconds_bucket{le=\"+Inf\"} 100
palestra_turnaround_seconds_sum 0.1
palestra_turnaround_seconds_count 100
palestra_matches_running 12
palestra_late_answers_total{game=\"rps\"} 3
palestra_late_answers_total{game=\"generals\"} 1
";

    #[test]
    fn shares_are_found_within_their_buckets() {
        let measures = Measures::read(TEXT);
        assert_eq!((measures.running, measures.late, measures.turns()), (12, 4, 100));
        let close = |share: f64, expected: f64| assert!((share - expected).abs() < 1e-9, "{share}");
        close(measures.share(0.25), 0.0005);
        close(measures.share(0.5), 0.001);
        close(measures.share(0.7), 0.0015);
        close(measures.share(0.99), 0.002);
        assert_eq!(Measures::default().share(0.99), 0.0);
    }

    #[test]
    fn what_was_counted_before_does_not_count() {
        let now =
            Measures::read(&TEXT.replace("} 90", "} 95").replace("} 100", "} 110").replace("} 3", "} 5"));
        let since = now.since(&Measures::read(TEXT));
        assert_eq!((since.late, since.turns(), since.running), (2, 10, 12));
        assert!((since.share(0.25) - 0.0015).abs() < 1e-9);
        assert_eq!(now.since(&Measures::default()), now, "an arena that has just opened has counted nothing");
    }
}
