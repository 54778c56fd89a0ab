//! A player that looks one move ahead: it takes the best cell it can take now. When there is none, its largest army
//! walks towards the nearest cell that is not its own. It always leaves a unit behind, and never builds.

use super::{step, takes};
use crate::Grifaki;
use crate::action::Action;
use crate::kind::Kind;
use crate::view::{Seen, View};
use palestra_core::{Bot, BotSeat, Fault, Rng};

/// Not reached.
const UNKNOWN: u16 = u16::MAX;

struct Expander {
    rng: Rng,
    /// By cell: the cell before it on the way there. Made in the first turn, as the queue is.
    back: Vec<u16>,
    queue: Vec<u16>,
}

/// Makes one.
pub(super) fn make(seat: BotSeat<'_>) -> Result<Box<dyn Bot<Grifaki>>, String> {
    seat.without_argument()?;
    Ok(Box::new(Expander { rng: Rng::new(seat.seed), back: Vec::new(), queue: Vec::new() }))
}

impl Bot<Grifaki> for Expander {
    fn act(&mut self, view: View<'_>, action: &mut Action) -> Result<(), Fault> {
        if self.back.len() != view.indexes() {
            self.back = vec![UNKNOWN; view.indexes()];
            self.queue = Vec::with_capacity(view.indexes());
        }
        let found = self.best_capture(view).or_else(|| self.walk_to_border(view));
        *action = match found {
            Some((from, to)) => step(view, from, to, units(view, from) - 1),
            None => Action::Empty,
        };
        Ok(())
    }
}

fn units(view: View<'_>, at: usize) -> u32 {
    match view.cell(at) {
        Seen::Clear { units, .. } => units,
        Seen::Hidden { .. } => 0,
    }
}

impl Expander {
    fn best_capture(&mut self, view: View<'_>) -> Option<(usize, usize)> {
        let me = view.seat()?.number();
        // Equal cells are chosen between by chance, so that it does not always go the same way. One number a turn is
        // spread over all of them.
        let chance = self.rng.bits() | 1;
        let mut best = None;
        let mut best_value = 0;
        for &from in view.own_cells() {
            let from = usize::from(from);
            let Seen::Clear { units: present @ 2.., .. } = view.cell(from) else {
                continue;
            };
            for to in view.neighbours(from) {
                let Seen::Clear { kind, owner, units, wall, .. } = view.cell(to) else {
                    continue;
                };
                if owner == me || kind == Kind::Mountain || !takes(view, present - 1, units, wall) {
                    continue;
                }
                let worth: u64 = match (kind, owner) {
                    (Kind::Capital, _) => 5,
                    (Kind::City | Kind::FallenCapital, _) => 4,
                    (_, 1..) => 3,
                    _ => 2,
                };
                let value = worth << 32 | (chance.wrapping_mul((from * to) as u64 + 1) >> 32);
                if value > best_value {
                    best_value = value;
                    best = Some((from, to));
                }
            }
        }
        best
    }

    fn walk_to_border(&mut self, view: View<'_>) -> Option<(usize, usize)> {
        let me = view.seat()?.number();
        let largest = view.own_cells().iter().copied().max_by_key(|at| units(view, usize::from(*at)))?;
        if units(view, usize::from(largest)) < 2 {
            return None;
        }
        // From the army outwards over own land; the first foreign cell met is the nearest.
        self.back.fill(UNKNOWN);
        self.queue.clear();
        self.queue.push(largest);
        self.back[usize::from(largest)] = largest;
        let mut head = 0;
        while let Some(&at) = self.queue.get(head) {
            head += 1;
            for next in view.neighbours(usize::from(at)) {
                if self.back[next] != UNKNOWN {
                    continue;
                }
                let Seen::Clear { kind, owner, .. } = view.cell(next) else {
                    continue;
                };
                if kind == Kind::Mountain {
                    continue;
                }
                self.back[next] = at;
                if owner != me {
                    return self.first_step(next, me, view).map(|to| (usize::from(largest), to));
                }
                self.queue.push(next as u16);
            }
        }
        None
    }

    /// Back along the way that was found, to its first step; none if that is an attack, which would fail.
    fn first_step(&self, mut at: usize, me: u8, view: View<'_>) -> Option<usize> {
        loop {
            let before = usize::from(self.back[at]);
            if usize::from(self.back[before]) == before {
                let own = matches!(view.cell(at), Seen::Clear { owner, .. } if owner == me);
                return own.then_some(at);
            }
            at = before;
        }
    }
}
