//! Everything left to chance in an event. A plan may be public, so that nothing can be predicted from it: seeds are made
//! with the event's own secret, and come out the same again wherever that is restored.

use crate::ids::{ChallengeId, MatchId, RoundId, VersionId};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// A seed fits a number of JavaScript, and is long enough that nobody tries all of them.
const BITS: u32 = 53;

/// The seeds of an event.
#[derive(Clone)]
pub(crate) struct Seeds {
    secret: [u8; 32],
    plan: u64,
}

impl Seeds {
    /// From the event's secret, and the number that its plan has for this.
    pub(crate) fn new(secret: [u8; 32], plan: u64) -> Seeds {
        Seeds { secret, plan }
    }

    /// Of a match that no round asks for.
    pub(crate) fn of_match(&self, number: MatchId) -> u64 {
        self.seed("match", &[number.0 as u64])
    }

    /// Of a scored round: pairings, and the order of maps.
    pub(crate) fn of_round(&self, round: RoundId) -> u64 {
        self.seed("round", &[round.0.into()])
    }

    /// Of a match of a round. Matches that the league gives the same seed have the same here; one that is played again
    /// after everybody could see it has a new one.
    pub(crate) fn of_round_match(&self, round: RoundId, league: u64, before: Option<MatchId>) -> u64 {
        self.seed("round match", &[round.0.into(), league, before.map_or(0, |before| before.0 as u64)])
    }

    /// Of those matches of a challenge in which every seat is taken once.
    pub(crate) fn of_challenge(&self, challenge: ChallengeId, unit: u32) -> u64 {
        self.seed("challenge", &[challenge.0 as u64, unit.into()])
    }

    /// Of the first match of a version.
    pub(crate) fn of_first_match(&self, version: VersionId) -> u64 {
        self.seed("first match", &[version.0 as u64])
    }

    /// Of a game's generated maps, which are played on again and again.
    pub(crate) fn of_maps(&self, game: &str) -> u64 {
        self.seed(&format!("maps {game}"), &[])
    }

    /// Of what the ladder and the lobby choose, from this match on.
    pub(crate) fn of_choices(&self, number: MatchId) -> u64 {
        self.seed("choices", &[number.0 as u64])
    }

    fn seed(&self, purpose: &str, numbers: &[u64]) -> u64 {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.secret).expect("keys of any length are taken");
        // Nobody's password begins like this: those are fingerprinted with the same secret.
        mac.update(b"\0seed\0");
        mac.update(purpose.as_bytes());
        for number in std::iter::once(&self.plan).chain(numbers) {
            mac.update(b"\0");
            mac.update(&number.to_le_bytes());
        }
        let digest = mac.finalize().into_bytes();
        u64::from_le_bytes(digest[..8].try_into().expect("eight bytes")) >> (u64::BITS - BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::Seeds;
    use crate::ids::{ChallengeId, MatchId, RoundId, VersionId};
    use crate::store::Store;
    use std::collections::HashSet;

    fn all(seeds: &Seeds) -> Vec<u64> {
        let mut list = vec![seeds.of_maps("generals"), seeds.of_maps("grifaki")];
        for number in 1..100 {
            let (one, round) = (MatchId(number), RoundId(number as u32));
            list.extend([
                seeds.of_match(one),
                seeds.of_first_match(VersionId(number)),
                seeds.of_choices(one),
            ]);
            list.extend([seeds.of_round(round), seeds.of_round_match(round, 7, None)]);
            list.extend([
                seeds.of_round_match(RoundId(1), 1000 + number as u64, None),
                seeds.of_round_match(RoundId(1), 7, Some(one)),
                seeds.of_challenge(ChallengeId(number), 0),
                seeds.of_challenge(ChallengeId(1), number as u32),
            ]);
        }
        list
    }

    #[test]
    fn nothing_follows_from_the_plan_and_no_two_purposes_share_a_seed() {
        let seeds = [Seeds::new([1; 32], 1), Seeds::new([2; 32], 1), Seeds::new([1; 32], 2)];
        let lists: Vec<Vec<u64>> = seeds.iter().map(all).collect();
        let together: HashSet<u64> = lists.iter().flatten().copied().collect();
        assert_eq!(together.len(), lists.iter().map(Vec::len).sum::<usize>());
        assert!(together.iter().all(|seed| *seed < 1 << super::BITS));
        assert_eq!(all(&seeds[0]), lists[0]);
    }

    #[tokio::test]
    async fn a_restored_event_goes_on_with_the_same_seeds() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        let store = Store::open(&first, None).await.unwrap();
        let (seeds, other) = (all(&store.seeds(1)), Store::open(&second, None).await.unwrap());
        assert!(
            all(&other.seeds(1)).iter().all(|seed| !seeds.contains(seed)),
            "another event with the same plan"
        );
        let file = folder.path().join("event.backup");
        store.back_up(&file).await.unwrap();
        let third = folder.path().join("c");
        Store::restore(&third, None, &file).await.unwrap();
        assert_eq!(all(&Store::beside(&third, None).await.unwrap().seeds(1)), seeds);
    }
}
