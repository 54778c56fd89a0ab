//! Which version of a bot did better, as far as matches that were played anyway can tell.
//!
//! Versions meet different opponents, and a version that met weaker ones scores more. So two versions are compared only
//! against those whom both have met, and each of these weighs the same for both: as much as the rarer of the two meetings
//! allows (the weights of Mantel and Haenszel).

use crate::api::{ScoreView, SharedScores, VersionComparison, VersionScore};
use crate::ids::BotId;
use crate::store::VersionMeeting;
use palestra_league::rating::share_estimate;
use std::collections::BTreeMap;

/// By opponent: matches, and the share of points in them.
type Scores = BTreeMap<BotId, (f64, f64)>;

/// Compares all versions with this one, or with the newest.
pub(crate) fn compare(meetings: &[VersionMeeting], base: Option<u32>) -> VersionComparison {
    let mut versions: BTreeMap<u32, Scores> = BTreeMap::new();
    for meeting in meetings {
        let played = f64::from(meeting.won + meeting.drawn + meeting.lost);
        if played > 0.0 {
            let share = (f64::from(meeting.won) + f64::from(meeting.drawn) / 2.0) / played;
            versions.entry(meeting.version).or_default().insert(meeting.opponent, (played, share));
        }
    }
    let newest = versions.keys().next_back().copied();
    let base = base.filter(|base| versions.contains_key(base)).or(newest);
    let against = base.and_then(|base| versions.get(&base));
    let line = |(version, scores): (&u32, &Scores)| VersionScore {
        version: *version,
        played: scores.values().map(|(played, _)| played).sum::<f64>() as u32,
        all: weighted(scores.values().map(|(played, share)| (*played, *played, *share))),
        shared: against.filter(|_| Some(*version) != base).and_then(|against| shared(scores, against)),
    };
    VersionComparison { base, versions: versions.iter().rev().map(line).collect() }
}

fn shared(own: &Scores, base: &Scores) -> Option<SharedScores> {
    let both: Vec<_> = own
        .iter()
        .filter_map(|(opponent, (played, share))| {
            let (base_played, base_share) = base.get(opponent)?;
            let weight = played * base_played / (played + base_played);
            Some(((weight, *played, *share), (weight, *base_played, *base_share)))
        })
        .collect();
    (!both.is_empty()).then(|| SharedScores {
        opponents: both.len() as u32,
        own: weighted(both.iter().map(|(own, _)| *own)),
        base: weighted(both.iter().map(|(_, base)| *base)),
    })
}

/// The mean of shares, each with its weight and the matches that it comes from.
fn weighted(shares: impl Iterator<Item = (f64, f64, f64)>) -> ScoreView {
    let (mut weights, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for (weight, played, share) in shares {
        weights += weight;
        sum += weight * share;
        squares += weight * weight / played;
    }
    // So many matches with equal weights would tell as much.
    let matches = weights * weights / squares;
    let estimate = share_estimate(sum / weights, matches);
    ScoreView { value: estimate.value, low: estimate.low, high: estimate.high }
}

#[cfg(test)]
mod tests {
    use super::compare;
    use crate::ids::BotId;
    use crate::store::VersionMeeting;

    fn met(version: u32, opponent: i64, won: u32, drawn: u32, lost: u32) -> VersionMeeting {
        VersionMeeting { version, opponent: BotId(opponent), won, drawn, lost }
    }

    #[test]
    fn who_met_weaker_opponents_is_not_taken_for_better() {
        // Both win 20 % against the strong one and 80 % against the weak one, whom the second met nine times as often.
        let meetings = [met(1, 7, 18, 0, 72), met(1, 8, 8, 0, 2), met(2, 7, 2, 0, 8), met(2, 8, 72, 0, 18)];
        let comparison = compare(&meetings, Some(1));
        let [second, first] = &comparison.versions[..] else { panic!("two versions") };
        assert_eq!((comparison.base, second.version, first.version), (Some(1), 2, 1));
        assert!(second.all.value > 0.7 && first.all.value < 0.3, "all together they look different");
        let shared = second.shared.as_ref().unwrap();
        assert!((shared.own.value - shared.base.value).abs() < 1e-9, "{shared:?}");
        assert_eq!(shared.opponents, 2);
        assert!(shared.own.low < 0.5 && shared.own.high > 0.5);
        assert!(first.shared.is_none(), "a version is not compared with itself");
    }

    #[test]
    fn intervals_are_narrow_only_where_there_are_matches() {
        let comparison = compare(&[met(1, 7, 3, 0, 0), met(2, 7, 300, 0, 0), met(3, 9, 1, 2, 1)], None);
        assert_eq!(comparison.base, Some(3), "the newest");
        let [third, second, first] = &comparison.versions[..] else { panic!("three versions") };
        assert!(first.all.low < 0.5 && second.all.low > 0.98, "{first:?} {second:?}");
        assert_eq!((first.all.high, third.all.value, third.played), (1.0, 0.5, 4));
        assert!(first.shared.is_none(), "they have met nobody in common");
        assert_eq!(compare(&[], Some(4)).base, None);
    }
}
