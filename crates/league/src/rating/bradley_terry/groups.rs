//! Which bots are linked by games, directly or over others.

use crate::rating::tally::Comparison;

/// The groups in order of their first bot, and their bots in order.
pub(super) fn of(bots: usize, met: &[Comparison]) -> Vec<Vec<usize>> {
    // Every bot points to one before it in its group, or to itself.
    let mut leader: Vec<usize> = (0..bots).collect();
    for met in met {
        let (a, b) = (find(&mut leader, met.earlier), find(&mut leader, met.later));
        leader[a.max(b)] = a.min(b);
    }
    let mut group_of = vec![None; bots];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for bot in 0..bots {
        let leader = find(&mut leader, bot);
        let group = *group_of[leader].get_or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(bot);
    }
    groups
}

fn find(leader: &mut [usize], mut bot: usize) -> usize {
    while leader[bot] != bot {
        leader[bot] = leader[leader[bot]];
        bot = leader[bot];
    }
    bot
}
