//! Which cells each player owns.

/// A list of cells for each player, kept move by move. Those that are added to the front of a list (cities, say) come before
/// all others; otherwise the order is that of the moves.
#[derive(Clone, Debug)]
pub struct Owned {
    /// The room of each list: that of the whole board.
    room: usize,
    /// The lists one after the other, each with its room.
    cells: Vec<u16>,
    /// By cell: its place in its owner's list.
    slots: Vec<u16>,
    counts: Vec<Count>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Count {
    all: u32,
    front: u32,
}

impl Owned {
    /// Empty lists of so many players, on a board of so many cells with so many indexes.
    pub fn new(players: usize, area: usize, indexes: usize) -> Owned {
        Owned {
            room: area,
            cells: vec![0; players * area],
            slots: vec![0; indexes],
            counts: vec![Count::default(); players],
        }
    }

    /// The cells of a player, counted from 0.
    #[inline]
    pub fn of(&self, player: usize) -> &[u16] {
        &self.cells[player * self.room..][..self.counts[player].all as usize]
    }

    /// Those of them that are in front.
    #[inline]
    pub fn front_of(&self, player: usize) -> &[u16] {
        &self.cells[player * self.room..][..self.counts[player].front as usize]
    }

    /// How many cells a player owns.
    #[inline]
    pub fn count(&self, player: usize) -> u32 {
        self.counts[player].all
    }

    /// How many of them are in front.
    #[inline]
    pub fn front_count(&self, player: usize) -> u32 {
        self.counts[player].front
    }

    /// Puts a cell on the list of a player: at its end, or behind those in front.
    #[inline]
    pub fn add(&mut self, player: usize, at: usize, in_front: bool) {
        let count = &mut self.counts[player];
        let (begin, mut slot) = (player * self.room, count.all as usize);
        count.all += 1;
        if in_front {
            let behind = count.front as usize;
            count.front += 1;
            if behind != slot {
                self.put(begin, slot, self.cells[begin + behind]);
            }
            slot = behind;
        }
        self.put(begin, slot, at as u16);
    }

    /// Takes a cell off the list of its owner, and closes the gap with the last one.
    #[inline]
    pub fn remove(&mut self, player: usize, at: usize) {
        let count = &mut self.counts[player];
        let (begin, mut gap) = (player * self.room, usize::from(self.slots[at]));
        count.all -= 1;
        let last = count.all as usize;
        if gap < count.front as usize {
            count.front -= 1;
            let last_in_front = count.front as usize;
            self.put(begin, gap, self.cells[begin + last_in_front]);
            gap = last_in_front;
        }
        if gap != last {
            self.put(begin, gap, self.cells[begin + last]);
        }
    }

    #[inline]
    fn put(&mut self, begin: usize, slot: usize, at: u16) {
        self.cells[begin + slot] = at;
        self.slots[usize::from(at)] = slot as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::Owned;
    use proptest::prelude::*;

    proptest! {
        /// Against lists that are searched.
        #[test]
        fn every_cell_is_on_the_list_of_its_owner_once(moves in proptest::collection::vec((0_usize..9, 0_usize..3, any::<bool>()), 0..60)) {
            let mut owned = Owned::new(2, 9, 9);
            let mut owners = [None; 9];
            for (at, owner, in_front) in moves {
                if let Some((player, _)) = owners[at].take() {
                    owned.remove(player, at);
                }
                if owner < 2 {
                    owned.add(owner, at, in_front);
                    owners[at] = Some((owner, in_front));
                }
                for player in 0..2 {
                    let is = |at: usize, front: Option<bool>| owners[at].is_some_and(|(owner, in_front)| owner == player && front.is_none_or(|front| front == in_front));
                    let sorted = |cells: &[u16]| { let mut cells = cells.to_vec(); cells.sort_unstable(); cells };
                    let expected = |front: Option<bool>| (0..9).filter(|at| is(*at, front)).map(|at| at as u16).collect::<Vec<_>>();
                    prop_assert_eq!(sorted(owned.of(player)), expected(None));
                    prop_assert_eq!(sorted(owned.front_of(player)), expected(Some(true)));
                    prop_assert_eq!(owned.count(player) as usize, expected(None).len());
                    prop_assert_eq!(owned.front_count(player) as usize, expected(Some(true)).len());
                }
            }
        }
    }
}
