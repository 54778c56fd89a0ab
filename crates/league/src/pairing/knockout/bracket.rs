//! The layout of a knockout: which duels there are, and where their players come from.

use std::ops::Range;

/// All duels, by round.
pub(super) struct Bracket {
    pub(super) duels: Vec<Duel>,
    pub(super) rounds: usize,
    /// The duel that decides who has won.
    pub(super) last: usize,
    /// The second grand final, played only if the first was lost by the one who had not lost before.
    pub(super) reset: Option<usize>,
    pub(super) third_place: Option<usize>,
    /// By duel, whether its loser plays on.
    second_chances: Vec<bool>,
}

pub(super) struct Duel {
    /// The round of the bracket, counted from 1.
    pub(super) round: usize,
    pub(super) sides: [Source; 2],
}

/// Where a side of a duel comes from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Seed(usize),
    /// There are fewer players than places: the best seeds meet nobody at first.
    Nobody,
    Winner(usize),
    Loser(usize),
}

impl Bracket {
    /// Who lost is out.
    pub(super) fn single(players: usize, third_place: bool) -> Bracket {
        let mut plan = Plan::default();
        let levels = plan.winners(players);
        let rounds = levels.len();
        let last = levels[rounds - 1][0];
        let half_finals = levels.len().checked_sub(2).map(|level| [levels[level][0], levels[level][1]]);
        let third_place = half_finals
            .filter(|_| third_place)
            .map(|half_finals| plan.duel(rounds, half_finals.map(Source::Loser)));
        plan.bracket(last, None, third_place)
    }

    /// Who lost twice is out. Losers of the first round meet each other; from then on those who are left meet, in turn,
    /// the losers of the next round above and each other.
    pub(super) fn double(players: usize) -> Bracket {
        let mut plan = Plan::default();
        let levels = plan.winners(players);
        let champion = Source::Winner(levels[levels.len() - 1][0]);
        let mut round = 2;
        let mut left: Vec<Source> = levels[0].iter().copied().map(Source::Loser).collect();
        for (depth, level) in levels.iter().enumerate().skip(1) {
            left = plan.among(round, &left);
            let mut fallen: Vec<Source> = level.iter().copied().map(Source::Loser).collect();
            // From the other end of the bracket, so that they do not soon meet again.
            if depth % 2 == 1 {
                fallen.reverse();
            }
            let duels = left.iter().zip(&fallen).map(|(&one, &other)| [other, one]);
            left = duels.map(|sides| Source::Winner(plan.duel(round + 1, sides))).collect();
            round += 2;
        }
        let first = plan.duel(round, [champion, left[0]]);
        let second = plan.duel(round + 1, [Source::Winner(first), Source::Loser(first)]);
        plan.bracket(second, Some(second), None)
    }

    /// The duels of a round.
    pub(super) fn round(&self, round: usize) -> Range<usize> {
        let first = |round| self.duels.partition_point(|duel| duel.round < round);
        first(round)..first(round + 1)
    }

    /// Whether the loser of a duel plays on.
    pub(super) fn goes_on(&self, duel: usize) -> bool {
        self.second_chances[duel]
    }
}

/// A bracket in the making: duels in any order of rounds.
#[derive(Default)]
struct Plan(Vec<Duel>);

impl Plan {
    fn duel(&mut self, round: usize, sides: [Source; 2]) -> usize {
        self.0.push(Duel { round, sides });
        self.0.len() - 1
    }

    /// Neighbours meet.
    fn among(&mut self, round: usize, entrants: &[Source]) -> Vec<Source> {
        entrants.chunks(2).map(|sides| Source::Winner(self.duel(round, [sides[0], sides[1]]))).collect()
    }

    /// The duels of those who have not lost, by round. The best two seeds can meet only in the last one, the best four only
    /// in the last two, and so on.
    fn winners(&mut self, players: usize) -> Vec<Vec<usize>> {
        let places = players.next_power_of_two();
        let mut seeds = vec![0];
        while seeds.len() < places {
            let sum = 2 * seeds.len() - 1;
            seeds = seeds.into_iter().flat_map(|seed| [seed, sum - seed]).collect();
        }
        let source = |seed| if seed < players { Source::Seed(seed) } else { Source::Nobody };
        let mut entrants: Vec<Source> = seeds.into_iter().map(source).collect();
        let mut levels = Vec::new();
        while entrants.len() > 1 {
            let first = self.0.len();
            entrants = self.among(levels.len() + 1, &entrants);
            levels.push((first..self.0.len()).collect());
        }
        levels
    }

    /// Sorted by round, with everything that refers to a duel.
    fn bracket(self, last: usize, reset: Option<usize>, third_place: Option<usize>) -> Bracket {
        let mut order: Vec<usize> = (0..self.0.len()).collect();
        order.sort_by_key(|&duel| self.0[duel].round);
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let moved = |source| match source {
            Source::Winner(duel) => Source::Winner(place[duel]),
            Source::Loser(duel) => Source::Loser(place[duel]),
            other => other,
        };
        let duels: Vec<Duel> = order
            .iter()
            .map(|&duel| Duel { round: self.0[duel].round, sides: self.0[duel].sides.map(moved) })
            .collect();
        let mut second_chances = vec![false; duels.len()];
        for source in duels.iter().flat_map(|duel| duel.sides) {
            if let Source::Loser(duel) = source {
                second_chances[duel] = true;
            }
        }
        let rounds = duels.last().map_or(0, |duel| duel.round);
        let place = |duel: usize| place[duel];
        Bracket {
            duels,
            rounds,
            last: place(last),
            reset: reset.map(place),
            third_place: third_place.map(place),
            second_chances,
        }
    }
}
