//! Swiss: those who stand about equal meet.
//!
//! What matters about a pair is a list of numbers, the most important first; the round is the matching for which their
//! sums are least. So nobody meets twice while that can be avoided, and only then scores, seats and the place in the
//! score group count.

use super::field::{Field, Seats};
use super::matching::cheapest_matching;
use super::{Draw, Drawn, Ledger, Meeting, MeetingResult, PairingError, Points, limits};
use std::cmp::Reverse;
use std::collections::BTreeMap;

pub(super) struct Swiss {
    rounds: Option<u32>,
    bye: Points,
    drawn: u32,
    meetings: u64,
    /// Byes by player. Who joins later is taken to have had as many as those with the fewest.
    byes: Vec<u32>,
    ledger: Ledger,
    /// Points from before, by player.
    carried: BTreeMap<usize, Points>,
    seats: Seats,
    at_first: bool,
}

impl Swiss {
    pub(super) fn new(field: &Field, rounds: Option<u32>, bye: Points) -> Swiss {
        let byes = vec![0; field.len()];
        Swiss {
            rounds,
            bye,
            drawn: 0,
            meetings: 0,
            byes,
            ledger: Ledger::new(),
            carried: BTreeMap::new(),
            seats: Seats::default(),
            at_first: false,
        }
    }

    /// As many as a knockout would have, unless told.
    fn total(&self, field: &Field) -> u32 {
        self.rounds.unwrap_or_else(|| field.len().next_power_of_two().trailing_zeros())
    }

    fn points(&self, field: &Field, index: usize) -> Points {
        self.ledger.points(field.player(index)) + self.carried.get(&index).copied().unwrap_or_default()
    }

    /// Everybody who is present, best first.
    fn order(&self, field: &Field) -> Vec<usize> {
        let mut order = field.present();
        order.sort_by_key(|&index| Reverse(self.points(field, index)));
        order
    }

    /// Where these stand among themselves; the best come first.
    fn standings(&self, field: &Field, order: &[usize]) -> Vec<Standing> {
        let points = |index: usize| self.points(field, index);
        let groups = order.chunk_by(|&one, &other| points(one) == points(other)).enumerate();
        let standing = |group: usize, members: &[usize], position: usize| Standing {
            index: members[position],
            group,
            position,
            size: members.len(),
        };
        groups
            .flat_map(|(group, members)| {
                (0..members.len()).map(move |position| standing(group, members, position))
            })
            .collect()
    }

    /// Who sits out, by its place in this order: the last of those with the fewest byes. Only if others would have to meet
    /// again for that is it somebody before.
    fn sits_out(&self, field: &Field, order: &[usize]) -> usize {
        let fewest = order.iter().map(|&index| self.byes[index]).min();
        let candidates = (0..order.len()).rev().filter(|&place| Some(self.byes[order[place]]) == fewest);
        let mut best = (u32::MAX, 0);
        for place in candidates.take(limits::BYES_TRIED) {
            let others = [&order[..place], &order[place + 1..]].concat();
            let repeats = match 2 * (self.drawn as usize + 1) <= others.len() {
                // Everybody has met so few that there is a way; see below.
                true => 0,
                false => self.repeats(field, &self.standings(field, &others)),
            };
            if repeats < best.0 {
                best = (repeats, place);
            }
            if repeats == 0 {
                break;
            }
        }
        best.1
    }

    /// How many would meet again.
    fn repeats(&self, field: &Field, section: &[Standing]) -> u32 {
        let (pairs, _) = self.pair(field, section);
        let met = |pair: &[Standing; 2]| {
            let [one, other] = pair.map(|standing| field.player(standing.index));
            self.ledger.met(one, other)
        };
        pairs.iter().map(met).sum()
    }

    /// The field in parts that are matched one by one. In each, so many have not met that it has a matching without
    /// repeats: in a graph of n vertices one exists if each has at least n/2 neighbours (Dirac).
    fn sections(&self, mut standings: Vec<Standing>) -> Vec<Vec<Standing>> {
        let fewest = standings.iter().map(|standing| self.byes[standing.index]).min();
        let idle = standings.iter().rposition(|standing| Some(self.byes[standing.index]) == fewest);
        let bye = idle.filter(|_| !standings.len().is_multiple_of(2)).map(|place| standings.remove(place));
        standings.sort_by_key(|standing| (standing.group, standing.slot()));
        standings.extend(bye);
        let size = limits::SWISS_SECTION.max(2 * (self.drawn as usize + 1));
        let mut sections = Vec::new();
        while standings.len() >= 2 * size {
            let rest = standings.split_off(size);
            sections.push(std::mem::replace(&mut standings, rest));
        }
        sections.push(standings);
        sections
    }

    /// Pairs of a section, and who has no partner.
    fn pair(&self, field: &Field, section: &[Standing]) -> (Vec<[Standing; 2]>, Option<Standing>) {
        let vertices = section.len().next_multiple_of(2);
        let fewest = section.iter().map(|standing| self.byes[standing.index]).min().unwrap_or(0);
        let last_group = section.iter().map(|standing| standing.group).max().unwrap_or(0);
        let cost = |one: usize, other: usize| match section.get(one.max(other)) {
            Some(_) => self.cost(field, section[one.min(other)], section[one.max(other)]),
            None => self.cost_of_bye(section[one.min(other)], fewest, last_group),
        };
        let mates = cheapest_matching(vertices, weighted(vertices, cost));
        let mut pairs = Vec::new();
        let mut idle = None;
        for (one, &other) in mates.iter().enumerate().filter(|(one, other)| one < other) {
            match section.get(other) {
                Some(&partner) => pairs.push([section[one], partner]),
                None => idle = Some(section[one]),
            }
        }
        (pairs, idle)
    }

    fn cost(&self, field: &Field, one: Standing, other: Standing) -> Cost {
        let (upper, lower) = match (one.group, one.position) < (other.group, other.position) {
            true => (one, other),
            false => (other, one),
        };
        let met = self.ledger.met(field.player(upper.index), field.player(lower.index));
        let leads = [upper, lower].map(|standing| self.seats.lead(standing.index));
        let after = [leads[0].min(leads[1]) + 1, leads[0].max(leads[1]) - 1];
        let uneven: i64 = after.iter().map(|lead| (lead.abs() - 1).max(0)).sum();
        let offset = match upper.group == lower.group {
            true => square(upper.position + upper.size / 2, lower.position),
            false => square(upper.position + 1, upper.size) + square(lower.position, 0),
        };
        [0, met.into(), square(upper.group, lower.group), uneven.min(limits::SEAT_IMBALANCE), offset]
    }

    /// A bye is like meeting somebody below the last.
    fn cost_of_bye(&self, standing: Standing, fewest: u32, last_group: usize) -> Cost {
        let had = i64::from(self.byes[standing.index] - fewest);
        [had, 0, square(standing.group, last_group), 0, square(standing.position + 1, standing.size)]
    }
}

/// Where somebody stands.
#[derive(Clone, Copy)]
struct Standing {
    index: usize,
    /// Those with equal points are a group; the best is 0.
    group: usize,
    /// From 0 within the group, by seed.
    position: usize,
    /// Players in its group.
    size: usize,
}

impl Standing {
    /// The upper half of a group should meet the lower half: opponents have the same slot. An odd last one comes last.
    fn slot(&self) -> usize {
        let half = self.size / 2;
        if self.position < 2 * half { self.position % half } else { half }
    }
}

/// Byes too many, earlier meetings, difference in score groups, uneven seats, distance from the place where the opponent
/// should stand.
type Cost = [i64; 5];

fn square(one: usize, other: usize) -> i64 {
    (one.abs_diff(other) as i64).pow(2)
}

/// One number for each pair, so that comparing sums is comparing sums of the most important first.
fn weighted(vertices: usize, cost: impl Fn(usize, usize) -> Cost) -> impl Fn(usize, usize) -> i128 {
    let pairs = || (0..vertices).flat_map(|one| (0..one).map(move |other| (one, other)));
    let costs: Vec<Cost> = pairs().map(|(one, other)| cost(one, other)).collect();
    let mut weights = [1_i128; 5];
    for tier in (1..weights.len()).rev() {
        let most = costs.iter().map(|cost| cost[tier]).max().unwrap_or(0);
        weights[tier - 1] = weights[tier] * (i128::from(most) * vertices as i128 / 2 + 1);
    }
    let sum =
        move |cost: &Cost| cost.iter().zip(weights).map(|(&cost, weight)| i128::from(cost) * weight).sum();
    let sums: Vec<i128> = costs.iter().map(sum).collect();
    move |one: usize, other: usize| {
        let (low, high) = (one.min(other), one.max(other));
        sums[high * (high - 1) / 2 + low]
    }
}

impl Draw for Swiss {
    fn draw(&mut self, field: &Field) -> Option<Drawn> {
        let mut order = self.order(field);
        if self.drawn >= self.total(field) || order.len() < 2 {
            return None;
        }
        let mut pairs = Vec::new();
        let mut byes = Vec::new();
        if !order.len().is_multiple_of(2) && !self.at_first {
            byes.push(order.remove(self.sits_out(field, &order)));
        }
        let standings = self.standings(field, &order);
        for section in self.sections(standings) {
            let (paired, idle) = self.pair(field, &section);
            pairs.extend(paired);
            byes.extend(idle.map(|standing| standing.index));
        }
        for pair in &mut pairs {
            pair.sort_by_key(|standing| (standing.group, standing.position));
        }
        pairs.sort_by_key(|pair| pair.map(|standing| (standing.group, standing.position)));
        let mut tables: Vec<Vec<usize>> =
            pairs.iter().map(|pair| pair.iter().map(|standing| standing.index).collect()).collect();
        for (board, table) in tables.iter_mut().enumerate() {
            // Where nothing else decides, the better one sits first at every other board only.
            if board % 2 == 1 {
                table.reverse();
            }
            self.seats.arrange(table);
        }
        byes.iter().for_each(|&index| self.byes[index] += 1);
        self.drawn += 1;
        self.meetings += tables.len() as u64;
        Some(Drawn { tables, byes })
    }

    fn add(&mut self, field: &Field) -> Result<(), PairingError> {
        let fewest = field.present().into_iter().map(|index| self.byes[index]).min();
        self.byes.push(fewest.unwrap_or(0));
        Ok(())
    }

    fn rounds(&self, field: &Field) -> Option<u32> {
        Some(self.total(field))
    }

    fn meetings(&self, field: &Field) -> u64 {
        let pairs = field.present().len() as u64 / 2;
        self.meetings + u64::from(self.total(field).saturating_sub(self.drawn)) * pairs
    }

    fn draw_as_at_first(&mut self) {
        self.at_first = true;
    }

    fn carry(&mut self, points: BTreeMap<usize, Points>) {
        self.carried = points;
    }

    fn needs_results(&self) -> bool {
        true
    }

    fn report(&mut self, field: &Field, drawn: &Drawn, results: &[MeetingResult]) {
        for (table, result) in drawn.tables.iter().zip(results) {
            self.ledger.record(&Meeting { players: field.named(table) }, result);
        }
        for &index in &drawn.byes {
            self.ledger.record_bye(field.player(index), self.bye);
        }
    }

    fn ledger(&self) -> Option<&Ledger> {
        Some(&self.ledger)
    }
}
