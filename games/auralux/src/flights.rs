//! Groups in flight of one player: a ring of turns, and for each turn the groups that land then, in the order
//! they were sent. One pool holds them all, so flying takes no memory of its own.

/// A group in flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// How many ships.
    pub ships: u32,
    /// Where it comes from, counted from 0.
    pub from: u8,
    /// Where it lands, counted from 0.
    pub to: u8,
}

/// All groups in flight of one player.
#[derive(Clone, Debug)]
pub struct Flights {
    /// The groups that land in the same turn, for the coming turns in a circle.
    ring: Vec<Queue>,
    /// The place in the ring of the player's current turn.
    now: usize,
    pool: Vec<Slot>,
    /// The first slot of the pool that is free for use again.
    free: u32,
    groups: u32,
    ships: u64,
}

/// No slot.
const NONE: u32 = u32::MAX;
/// Groups that fit without asking for memory; more make the pool grow once.
const POOL: u32 = 1024;

#[derive(Clone, Copy, Debug)]
struct Queue {
    first: u32,
    last: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    group: Group,
    next: u32,
}

const EMPTY: Queue = Queue { first: NONE, last: NONE };

impl Flights {
    /// None yet, on a map whose longest distance is `longest`.
    pub(crate) fn new(longest: usize, limit: u32) -> Flights {
        Flights {
            ring: vec![EMPTY; longest + 1],
            now: 0,
            pool: Vec::with_capacity(limit.min(POOL) as usize),
            free: NONE,
            groups: 0,
            ships: 0,
        }
    }

    /// Sends a group over a distance.
    pub(crate) fn send(&mut self, group: Group, distance: usize) {
        let slot = Slot { group, next: NONE };
        let index = if self.free == NONE {
            self.pool.push(slot);
            self.pool.len() as u32 - 1
        } else {
            let index = self.free;
            self.free = self.pool[index as usize].next;
            self.pool[index as usize] = slot;
            index
        };
        debug_assert!((1..self.ring.len()).contains(&distance));
        let mut place = self.now + distance;
        if place >= self.ring.len() {
            place -= self.ring.len();
        }
        let queue = &mut self.ring[place];
        if queue.first == NONE {
            queue.first = index;
        } else {
            self.pool[queue.last as usize].next = index;
        }
        queue.last = index;
        self.groups += 1;
        self.ships += u64::from(group.ships);
    }

    /// The player's next turn: every group comes one turn closer.
    #[inline]
    pub(crate) fn come_closer(&mut self) {
        debug_assert!(self.ring[self.now].first == NONE, "everybody who arrived has landed");
        self.now += 1;
        if self.now == self.ring.len() {
            self.now = 0;
        }
    }

    /// Takes out the next group that has arrived.
    #[inline]
    pub(crate) fn arrived(&mut self) -> Option<Group> {
        let queue = &mut self.ring[self.now];
        let index = queue.first;
        if index == NONE {
            return None;
        }
        let slot = &mut self.pool[index as usize];
        queue.first = slot.next;
        slot.next = self.free;
        self.free = index;
        let group = slot.group;
        self.groups -= 1;
        self.ships -= u64::from(group.ships);
        Some(group)
    }

    /// How many groups there are.
    #[inline]
    pub fn groups(&self) -> u32 {
        self.groups
    }

    /// How many ships they have.
    pub fn ships(&self) -> u64 {
        self.ships
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.groups == 0
    }

    /// All groups with the number of turns until they land, those that land first in front; groups that land
    /// together are in the order they were sent.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Group)> + '_ {
        // Without groups there is no need to walk round the ring.
        let turns = if self.is_empty() { 0 } else { self.ring.len() };
        (1..turns).flat_map(move |turns| {
            let mut place = self.now + turns;
            if place >= self.ring.len() {
                place -= self.ring.len();
            }
            let mut index = self.ring[place].first;
            std::iter::from_fn(move || {
                let slot = self.pool.get(index as usize)?;
                index = slot.next;
                Some((turns, slot.group))
            })
        })
    }
}
