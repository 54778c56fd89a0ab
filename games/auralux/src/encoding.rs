//! Observations and actions as numbers. Sees views, never states.
//!
//! Places are planets, in the order of their numbers. A turn is as many orders as wanted, one action each, and an action that
//! ends it; an observation in the middle of a turn shows the planets as the orders given so far leave them.

use crate::Auralux;
use crate::map::Map;
use crate::reader::Knowledge;
use crate::settings::{Settings, TOP_LEVEL};
use crate::state::{Order, Planet, bit, bits};
use crate::view::View;
use palestra_core::Seat;
use palestra_core::encoding::{
    Decoded, Encoding, Extent, Observation, POWERS, Space, behind, narrow, powers_of,
};
use palestra_core::game::Setup as _;

/// What part of a planet's ships an order sends: all of them, or one of so many.
const SHARES: [u64; 3] = [1, 2, 4];
/// The names of the channels of ships that land in 1 turn, in 2, in 3 to 4, in 5 to 8, and so on; the last one has all others.
const ARRIVALS: [(&str, u32); 7] = [
    ("arrive_1", 100),
    ("arrive_2", 100),
    ("arrive_4", 100),
    ("arrive_8", 100),
    ("arrive_16", 100),
    ("arrive_32", 100),
    ("arrive_later", 100),
];
/// Counts of a planet before the arrivals.
const OWN_COUNTS: usize = 2;
/// The most planets that a map can have.
pub(crate) const MOST_PLANETS: usize = 128;

impl Encoding for Auralux {
    type Told = Knowledge;

    fn extent(map: &Map) -> Extent {
        Extent { rows: map.planets(), columns: 1, players: map.seats() }
    }

    fn space(settings: &Settings, extent: Extent) -> Space {
        Auralux::orders(settings, extent).end_turn()
    }

    fn exact_space(settings: &Settings, extent: Extent) -> Space {
        let planets = extent.places() as u32;
        Auralux::orders(settings, extent)
            .kind("one_ship", &[("from", planets), ("to", planets)])
            .kind("more_ships", &[("power_of_two", POWERS)])
            .end_turn()
    }

    fn observe(space: &Space, view: View<'_>, pending: &Vec<Order>, out: &mut Observation<'_>) {
        out.clear();
        let seat = view.seat().unwrap_or(Seat::new(1));
        let turn = Turn::after(view, seat, pending);
        let (map, players) = (view.map(), view.seats());
        let width = space.counts.len();
        for (number, planet) in turn.planets(view).iter().enumerate() {
            let own = planet.owner == seat.number();
            let other =
                if own || planet.owner == 0 { 0 } else { behind(seat.number(), planet.owner, players) };
            let settled = u8::from(turn.settled & bit(number) != 0);
            out.planes[number * space.planes.len()..][..space.planes.len()].copy_from_slice(&[
                1,
                own.into(),
                other,
                planet.level,
                settled,
            ]);
            let counts = &mut out.counts[number * width..][..width];
            counts[0] = narrow(planet.ships);
            counts[1] = narrow(planet.armor.into());
            let distances = OWN_COUNTS + ARRIVALS.len() * usize::from(space.extent.players);
            for (other, distance) in counts[distances..][..map.planets()].iter_mut().enumerate() {
                *distance = map.distance(number, other) as i32;
            }
        }
        let mut arrive = |owner: Seat, to: usize, turns: usize, ships: u32| {
            let player = usize::from(behind(seat.number(), owner.number(), players));
            let place = to * width + OWN_COUNTS + player * ARRIVALS.len() + window(turns);
            out.counts[place] = out.counts[place].saturating_add(narrow(ships.into()));
        };
        for owner in Seat::all(players) {
            for (turns, group) in view.flights(owner) {
                arrive(owner, group.to.into(), turns, group.ships);
            }
        }
        for order in pending.iter().filter(|order| order.from != order.to) {
            let (from, to) = (order.from as usize - 1, order.to as usize - 1);
            arrive(seat, to, map.distance(from, to), order.count as u32);
        }
        write_globals(view, seat, pending, out);
        turn.write_mask(space, view, seat, out.mask);
        if let Some([_, begin]) = exact_kinds(space) {
            for power in 0..POWERS {
                let does_something = more(view, seat, power, pending).is_some_and(|order| {
                    let (_, before) = pending.split_last().expect("it was added to");
                    let mut other = Turn::after(view, seat, before);
                    other.carry_out(view, order);
                    other.after != turn.after
                });
                out.mask[(begin + power) as usize] = does_something.into();
            }
        }
    }

    fn clear(pending: &mut Vec<Order>) {
        pending.clear();
    }

    /// An order that cannot be written down, from a planet without ships or beyond the limit of orders, ends the turn; so do ships
    /// that are not there to be added.
    fn decode(space: &Space, view: View<'_>, action: u32, pending: &mut Vec<Order>) -> Decoded {
        let seat = view.seat().unwrap_or(Seat::new(1));
        let said = match Said::of(space, action) {
            Said::Order { from, to, share } => ordered(view, seat, [from, to], share, pending),
            Said::More { power } => more(view, seat, power, pending)
                .map(|order| *pending.last_mut().expect("it was added to") = order),
            Said::End => None,
        };
        if said.is_some() { Decoded::More } else { Decoded::Turn }
    }

    fn encode(space: &Space, view: View<'_>, answer: &Vec<Order>, out: &mut Vec<u32>) -> bool {
        let seat = view.seat().unwrap_or(Seat::new(1));
        let planets = view.planets().len();
        let begin = out.len();
        let mut turn = Turn::after(view, seat, &[]);
        for order in answer {
            let place =
                |number: i32| usize::try_from(number).ok()?.checked_sub(1).filter(|place| *place < planets);
            let (Some(from), Some(to)) = (place(order.from), place(order.to)) else {
                out.truncate(begin);
                return false;
            };
            let planet = turn.planets(view)[from];
            let share = (0..SHARES.len()).find(|share| part(planet.ships, *share) == order.count);
            let there =
                planet.owner == seat.number() && order.count > 0 && order.count as u64 <= planet.ships;
            let way = (from * space.extent.places() + to) as u32;
            match (share, exact_kinds(space)) {
                (Some(share), _) if there => out.push(way * SHARES.len() as u32 + share as u32),
                (None, Some([one, more])) if there => {
                    out.push(one + way);
                    out.extend(powers_of(order.count as u32 - 1).map(|power| more + power));
                }
                _ => {
                    out.truncate(begin);
                    return false;
                }
            }
            turn.carry_out(view, *order);
        }
        out.push(space.actions - 1);
        true
    }
}

impl Auralux {
    /// What is seen, and the orders that every space has.
    fn orders(settings: &Settings, extent: Extent) -> Space {
        let others = u32::from(extent.players).saturating_sub(1).max(1);
        let planets = extent.places();
        let distances: Vec<String> = (1..=planets).map(|planet| format!("distance_{planet}")).collect();
        let distances: Vec<(&str, u32)> =
            distances.iter().map(|name| (name.as_str(), settings.max_distance)).collect();
        let armor = settings.full_armor(TOP_LEVEL).max(1);
        let steps = settings.max_steps.max(1);
        Space::of_places(extent)
            .planes(&[
                ("board", 1),
                ("own", 1),
                ("other", others),
                ("level", TOP_LEVEL.into()),
                ("settled", 1),
            ])
            .counts(&[("ships", 200), ("armor", armor)])
            .counts_by_player(&ARRIVALS)
            .counts(&distances)
            .globals(&[
                ("step", steps),
                ("max_steps", steps),
                ("players", others + 1),
                ("seat", others),
                ("orders", 20),
            ])
            .globals_by_player(&[
                ("ships", 1000),
                ("planets", planets as u32),
                ("production", 20),
                ("groups", 20),
            ])
            .kind(
                "order",
                &[("from", planets as u32), ("to", planets as u32), ("share", SHARES.len() as u32)],
            )
    }
}

/// The ships of an order, as an order can name them.
fn part(ships: u64, share: usize) -> i32 {
    narrow(ships / SHARES[share])
}

/// Where the actions of an exact space begin that a fixed one does not have: orders of one ship, and more ships.
fn exact_kinds(space: &Space) -> Option<[u32; 2]> {
    match &space.kinds[..] {
        [_, one, more, _] => Some([one.start, more.start]),
        _ => None,
    }
}

/// What an action says.
enum Said {
    /// An order of a share, or of one ship.
    Order {
        from: usize,
        to: usize,
        share: Option<usize>,
    },
    /// This power of two more ships for the latest order.
    More {
        power: u32,
    },
    End,
}

impl Said {
    fn of(space: &Space, action: u32) -> Said {
        let (planets, shares) = (space.extent.places(), SHARES.len());
        let order = |way: usize, share| Said::Order { from: way / planets, to: way % planets, share };
        match exact_kinds(space) {
            _ if action + 1 >= space.actions => Said::End,
            Some([_, more]) if action >= more => Said::More { power: action - more },
            Some([one, _]) if action >= one => order((action - one) as usize, None),
            _ => order(action as usize / shares, Some(action as usize % shares)),
        }
    }
}

/// Adds an order to a turn, if it can be given.
fn ordered(
    view: View<'_>,
    seat: Seat,
    [from, to]: [usize; 2],
    share: Option<usize>,
    pending: &mut Vec<Order>,
) -> Option<()> {
    let turn = Turn::after(view, seat, pending);
    let planet = turn.planets(view).get(from).filter(|planet| planet.owner == seat.number())?;
    let count = share.map_or(planet.ships.min(1) as i32, |share| part(planet.ships, share));
    let fits = (pending.len() as u64) < u64::from(view.settings().max_orders_per_turn);
    (fits && count > 0 && to < view.planets().len())
        .then(|| pending.push(Order { from: from as i32 + 1, to: to as i32 + 1, count }))
}

/// The latest order of a turn with more ships, if they are there.
fn more(view: View<'_>, seat: Seat, power: u32, pending: &[Order]) -> Option<Order> {
    let (latest, before) = pending.split_last()?;
    let there = Turn::after(view, seat, before).planets(view)[latest.from as usize - 1].ships;
    let count = latest.count.checked_add(1 << power).filter(|count| *count as u64 <= there)?;
    Some(Order { count, ..*latest })
}

/// The channel of ships that land in so many turns.
fn window(turns: usize) -> usize {
    (turns.max(1).next_power_of_two().ilog2() as usize).min(ARRIVALS.len() - 1)
}

/// The own planets as the orders given so far leave them.
struct Turn {
    after: [Planet; MOST_PLANETS],
    /// Planets that were captured or raised in this turn.
    settled: u128,
    /// Groups that were sent in it.
    sent: u32,
    orders: u32,
}

impl Turn {
    fn after(view: View<'_>, seat: Seat, pending: &[Order]) -> Turn {
        debug_assert!(
            pending.iter().all(|order| order.count > 0),
            "only orders that can be carried out are kept for {seat}"
        );
        let mut turn = Turn { after: [Planet::default(); MOST_PLANETS], settled: 0, sent: 0, orders: 0 };
        turn.after[..view.planets().len()].copy_from_slice(view.planets());
        pending.iter().for_each(|order| turn.carry_out(view, *order));
        turn
    }

    fn planets(&self, view: View<'_>) -> &[Planet] {
        &self.after[..view.planets().len()]
    }

    /// An order from an own planet, of ships that are there.
    fn carry_out(&mut self, view: View<'_>, order: Order) {
        self.orders += 1;
        let from = order.from as usize - 1;
        let planet = &mut self.after[from];
        if order.from != order.to {
            planet.ships -= order.count as u64;
            if planet.level == 0 && planet.ships == 0 {
                planet.owner = 0;
            }
            self.sent += 1;
        } else if self.settled & bit(from) == 0 && planet.spend(view.settings(), order.count as u32).raised {
            self.settled |= bit(from);
        }
    }

    fn write_mask(&self, space: &Space, view: View<'_>, seat: Seat, mask: &mut [u8]) {
        let settings = view.settings();
        mask[space.actions as usize - 1] = 1;
        if self.orders >= settings.max_orders_per_turn {
            return;
        }
        let may_send = view.groups(seat) + self.sent < settings.max_groups_in_space;
        let planets = view.planets().len();
        for from in bits(view.owned(seat)) {
            let planet = self.after[from];
            if planet.owner != seat.number() || planet.ships == 0 {
                continue;
            }
            for to in 0..planets {
                let way = from * space.extent.places() + to;
                let does_something = |count: i32| {
                    count > 0
                        && if to == from {
                            self.settled & bit(from) == 0 && spending_changes(planet, settings, count as u32)
                        } else {
                            may_send
                        }
                };
                let shares = &mut mask[way * SHARES.len()..][..SHARES.len()];
                for (share, allowed) in shares.iter_mut().enumerate() {
                    *allowed = does_something(part(planet.ships, share)).into();
                }
                if let Some([one, _]) = exact_kinds(space) {
                    mask[one as usize + way] = does_something(1).into();
                }
            }
        }
    }
}

fn spending_changes(planet: Planet, settings: &Settings, count: u32) -> bool {
    let mut after = planet;
    after.spend(settings, count);
    after != planet
}

fn write_globals(view: View<'_>, seat: Seat, pending: &[Order], out: &mut Observation<'_>) {
    let players = view.seats();
    let head = [
        narrow(view.steps().into()),
        narrow(view.settings().max_steps.into()),
        players.into(),
        seat.index() as i32,
        pending.len() as i32,
    ];
    let by_player =
        (0..players).map(|player| Seat::at((seat.index() + usize::from(player)) % usize::from(players)));
    let totals = by_player.flat_map(|seat| {
        [
            narrow(view.ships(seat)),
            view.producing(seat).count_ones() as i32,
            narrow(view.production(seat)),
            narrow(view.groups(seat).into()),
        ]
    });
    out.write_globals(head.into_iter().chain(totals));
}
