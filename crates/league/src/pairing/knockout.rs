//! Knockout: who lost, or lost twice, is out.
//!
//! The bracket is laid out at the first round, as a list of duels that take their players from seeds and from duels
//! before. A duel with an empty side, or with somebody who left, is not played: the other one goes on.

mod bracket;

use super::decision::Contender;
use super::field::{Field, Seats};
use super::{DecidedBy, Decision, Draw, Drawn, Duel, MeetingResult, Origin, PairingError, Part, Side};
use bracket::{Bracket, Source};
use std::cmp::Reverse;

pub(super) struct Knockout {
    double: bool,
    third_place: bool,
    bracket: Option<Bracket>,
    /// By duel, once it is decided.
    ends: Vec<Option<End>>,
    /// By duel, once it is drawn: the round that was handed out, and its place there.
    met: Vec<Option<(u32, usize)>>,
    handed_out: u32,
    /// The bracket's round that was drawn last, and its duels that are played.
    round: usize,
    played: Vec<usize>,
    seats: Seats,
}

/// Who goes on from a duel, and who does not.
#[derive(Clone, Copy)]
struct End {
    winner: Option<usize>,
    loser: Option<usize>,
    decision: Decision,
}

impl Knockout {
    pub(super) fn new(double: bool, third_place: bool) -> Knockout {
        Knockout {
            double,
            third_place,
            bracket: None,
            ends: Vec::new(),
            met: Vec::new(),
            handed_out: 0,
            round: 0,
            played: Vec::new(),
            seats: Seats::default(),
        }
    }

    fn lay_out(&self, field: &Field) -> Bracket {
        match self.double {
            true => Bracket::double(field.len()),
            false => Bracket::single(field.len(), self.third_place),
        }
    }

    /// Whoever a side of a duel has come to.
    fn entrant(&self, source: Source) -> Option<usize> {
        let end = |duel: usize| self.ends[duel].expect("a duel comes after those it takes players from");
        match source {
            Source::Seed(index) => Some(index),
            Source::Nobody => None,
            Source::Winner(duel) => end(duel).winner,
            Source::Loser(duel) => end(duel).loser,
        }
    }

    /// Whoever a side of a duel has come to, as far as one can tell.
    fn known(&self, source: Source) -> Option<usize> {
        match source {
            Source::Seed(index) => Some(index),
            Source::Nobody => None,
            Source::Winner(duel) => self.ends[duel]?.winner,
            Source::Loser(duel) => self.ends[duel]?.loser,
        }
    }

    /// Decides what needs no game: the one who is present goes on.
    fn walk_over(&self, field: &Field, [one, other]: [Option<usize>; 2]) -> End {
        let worth = |side: Option<usize>| side.map(|index| field.is_present(index));
        let by = if one.is_some() && other.is_some() { DecidedBy::Absence } else { DecidedBy::Bye };
        let decision = Decision::unplayed(by);
        match worth(one) >= worth(other) {
            true => End { winner: one, loser: other, decision },
            false => End { winner: other, loser: one, decision },
        }
    }

    /// Draws one round of the bracket.
    fn draw_round(&mut self, field: &Field, bracket: &Bracket) -> Drawn {
        let mut drawn = Drawn { tables: Vec::new(), byes: Vec::new() };
        self.played.clear();
        for duel in bracket.round(self.round) {
            let sides = bracket.duels[duel].sides.map(|source| self.entrant(source));
            if bracket.reset == Some(duel) && self.is_settled(bracket) {
                // It was the first final that decided.
                let decision = self.ends[bracket.last - 1].expect("it was before this one").decision;
                self.ends[duel] = Some(End { winner: sides[0], loser: sides[1], decision });
                continue;
            }
            match sides {
                [Some(one), Some(other)] if field.is_present(one) && field.is_present(other) => {
                    let mut table = vec![one.min(other), one.max(other)];
                    self.seats.arrange(&mut table);
                    self.met[duel] = Some((self.handed_out + 1, drawn.tables.len()));
                    drawn.tables.push(table);
                    self.played.push(duel);
                }
                _ => {
                    let end = self.walk_over(field, sides);
                    self.ends[duel] = Some(end);
                    drawn.byes.extend(end.winner.filter(|&index| field.is_present(index)));
                }
            }
        }
        drawn
    }

    /// Whether the grand final was won by the one who never lost, so that there is no second one.
    fn is_settled(&self, bracket: &Bracket) -> bool {
        let first = bracket.last - 1;
        self.entrant(Source::Winner(first)) == self.entrant(bracket.duels[first].sides[0])
    }
}

impl Draw for Knockout {
    fn draw(&mut self, field: &Field) -> Option<Drawn> {
        let bracket = self.bracket.take().unwrap_or_else(|| self.lay_out(field));
        self.ends.resize(bracket.duels.len(), None);
        self.met.resize(bracket.duels.len(), None);
        let mut drawn = None;
        while drawn.is_none() && self.round < bracket.rounds {
            self.round += 1;
            drawn = Some(self.draw_round(field, &bracket)).filter(|drawn| !drawn.tables.is_empty());
        }
        self.handed_out += u32::from(drawn.is_some());
        self.bracket = Some(bracket);
        drawn
    }

    fn add(&mut self, _field: &Field) -> Result<(), PairingError> {
        match self.bracket {
            Some(_) => Err(PairingError::Begun),
            None => Ok(()),
        }
    }

    fn rounds(&self, field: &Field) -> Option<u32> {
        let rounds =
            self.bracket.as_ref().map_or_else(|| self.lay_out(field).rounds, |bracket| bracket.rounds);
        Some(rounds as u32)
    }

    fn meetings(&self, field: &Field) -> u64 {
        let losses = (field.len() - 1) as u64;
        match self.double {
            true => 2 * losses + 1,
            false => losses + u64::from(self.third_place && field.len() > 3),
        }
    }

    fn needs_results(&self) -> bool {
        true
    }

    fn report(&mut self, field: &Field, drawn: &Drawn, results: &[MeetingResult]) {
        for ((&duel, table), result) in self.played.iter().zip(&drawn.tables).zip(results) {
            let side = |index: usize| Contender { seed: index, present: field.is_present(index) };
            let (winner, decision) = Decision::of([side(table[0]), side(table[1])], result);
            let (winner, loser) = (Some(table[winner]), Some(table[1 - winner]));
            self.ends[duel] = Some(End { winner, loser, decision });
        }
    }

    fn bracket(&self, field: &Field) -> Vec<Duel> {
        let Some(bracket) = &self.bracket else { return Vec::new() };
        let mut duels: Vec<Duel> = Vec::with_capacity(bracket.duels.len());
        for (number, duel) in bracket.duels.iter().enumerate() {
            let sides = duel.sides.map(|source| Side {
                from: origin(source, &duels),
                player: self.known(source).map(|index| field.player(index)),
            });
            let below = |source: &Source| match source {
                Source::Loser(_) => true,
                Source::Winner(duel) => duels[*duel].part == Part::Lower,
                Source::Seed(_) | Source::Nobody => false,
            };
            let part = match number {
                number if Some(number) == bracket.third_place => Part::ThirdPlace,
                number if Some(number) == bracket.reset => Part::SecondFinal,
                number if number + usize::from(bracket.reset.is_some()) == bracket.last => Part::Final,
                _ if duel.sides.iter().any(below) => Part::Lower,
                _ => Part::Upper,
            };
            duels.push(Duel {
                part,
                round: duel.round as u32,
                sides,
                winner: self.ends[number].and_then(|end| end.winner).map(|index| field.player(index)),
                decision: self.ends[number].map(|end| end.decision),
                meeting: self.met[number],
            });
        }
        // A second final that was not needed is none.
        if bracket.reset.is_some_and(|reset| self.ends[reset].is_some() && self.met[reset].is_none()) {
            duels.pop();
        }
        duels
    }

    fn places(&self, field: &Field) -> Option<Vec<(u32, usize)>> {
        // How far everybody came: the round in which they were out, and whether that duel was for a place.
        let mut reached: Vec<(usize, u8)> = vec![(usize::MAX, 0); field.len()];
        if let Some(bracket) = &self.bracket {
            for (duel, end) in self.ends.iter().enumerate().filter_map(|(duel, end)| Some((duel, (*end)?))) {
                let round = bracket.duels[duel].round;
                match (end.loser, end.winner) {
                    (Some(loser), _) if duel == bracket.last => reached[loser] = (round, 2),
                    (loser, winner) if Some(duel) == bracket.third_place => {
                        winner.into_iter().for_each(|index| reached[index] = (round, 1));
                        loser.into_iter().for_each(|index| reached[index] = (round, 0));
                    }
                    (Some(loser), _) if !bracket.goes_on(duel) => reached[loser] = (round, 0),
                    _ => {}
                }
            }
        }
        let mut order: Vec<usize> = (0..field.len()).collect();
        order.sort_by_key(|&index| Reverse(reached[index]));
        let mut places = Vec::with_capacity(order.len());
        for group in order.chunk_by(|&one, &other| reached[one] == reached[other]) {
            let place = places.len() as u32 + 1;
            places.extend(group.iter().map(|&index| (place, index)));
        }
        Some(places)
    }
}

/// Where a side comes from; from a duel that has nobody, or nobody to lose, comes nobody.
fn origin(source: Source, before: &[Duel]) -> Origin {
    let there = |duel: usize| before[duel].sides.iter().filter(|side| side.from != Origin::Nobody).count();
    match source {
        Source::Seed(_) => Origin::Field,
        Source::Winner(duel) if there(duel) > 0 => Origin::Winner(duel),
        Source::Loser(duel) if there(duel) > 1 => Origin::Loser(duel),
        _ => Origin::Nobody,
    }
}
