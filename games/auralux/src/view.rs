//! What one pair of eyes may know, and what is drawn of it. The only place that hides things.
//!
//! Little is hidden in Auralux: planets are open, and every launch is reported, so groups in flight are known too.
//! Nobody tells a player, though, whether another one was disqualified or merely does nothing, nor why.

use crate::flights::Group;
use crate::map::Map;
use crate::outcome;
use crate::settings::Settings;
use crate::state::{Launch, Planet, Standing, State};
use palestra_core::game::{self, State as _};
use palestra_core::{Counter, Eye, Fate, Message, Seat};
use serde::Serialize;

/// A moment of the game as seen by one player or a spectator.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    state: &'a State,
    eye: Eye,
}

impl<'a> View<'a> {
    /// Whose eyes these are; `None` for a spectator.
    #[inline]
    pub fn seat(self) -> Option<Seat> {
        match self.eye {
            Eye::Seat(seat) => Some(seat),
            Eye::Spectator => None,
        }
    }

    /// How many players began the game.
    pub fn seats(self) -> u8 {
        self.state.seats()
    }

    /// Whether the game is over.
    pub fn is_over(self) -> bool {
        self.state.is_over()
    }

    /// Completed steps.
    pub fn steps(self) -> u32 {
        self.state.steps()
    }

    /// The constants of this game.
    #[inline]
    pub fn settings(self) -> &'a Settings {
        self.state.settings()
    }

    /// The map.
    #[inline]
    pub fn map(self) -> &'a Map {
        self.state.map()
    }

    /// The planets, by number.
    #[inline]
    pub fn planets(self) -> &'a [Planet] {
        self.state.planets()
    }

    /// Planets with this player in their owner field, one bit each.
    #[inline]
    pub fn owned(self, seat: Seat) -> u128 {
        self.state.owned(seat)
    }

    /// Those of them with level 1 or more.
    #[inline]
    pub fn producing(self, seat: Seat) -> u128 {
        self.state.producing(seat)
    }

    /// Ships that a player's planets produce in a turn.
    pub fn production(self, seat: Seat) -> u64 {
        self.state.production(seat)
    }

    /// All ships of a player, those in flight included.
    pub fn ships(self, seat: Seat) -> u64 {
        self.state.ships(seat)
    }

    /// A player's groups in flight, with the number of that player's turns until they land. Every launch was
    /// reported to everybody, so this only spares the bookkeeping.
    pub fn flights(self, seat: Seat) -> impl Iterator<Item = (usize, Group)> + 'a {
        self.state.flights(seat).iter()
    }

    /// How many groups a player has in flight.
    #[inline]
    pub fn groups(self, seat: Seat) -> u32 {
        self.state.flights(seat).groups()
    }

    /// The launches of a player's latest turn, in the order they were made.
    #[inline]
    pub fn launches(self, seat: Seat) -> &'a [Launch] {
        self.state.launches(seat)
    }

    /// Where a player stands; `None` if these eyes cannot know. A spectator knows, everybody knows about himself
    /// and about players with neither planet nor group, and everybody knows everything after the end.
    pub fn standing(self, seat: Seat) -> Option<&'a Standing> {
        let open = self.is_over() || self.seat().is_none_or(|own| own == seat);
        let standing = self.state.standing(seat);
        (open || matches!(standing, Standing::Dead { .. })).then_some(standing)
    }
}

impl View<'_> {
    /// The game as far as these eyes know it, to be played on in thought: whoever may be in the game is.
    pub(crate) fn imagine(self) -> State {
        let mut state = self.state.clone();
        for seat in Seat::all(self.seats()).filter(|seat| self.standing(*seat).is_none()) {
            state.presume_alive(seat);
        }
        state
    }
}

/// What is drawn of one moment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// Completed steps.
    pub step: u32,
    /// The last step.
    pub max_steps: u32,
    /// Who is to move; nobody when the game is over.
    pub to_move: Option<u8>,
    /// Whether the map says where its planets are; otherwise they stand on a grid.
    pub placed: bool,
    /// What it costs to capture a neutral planet, and to raise one of level 1 and of level 2.
    pub costs: [u32; 3],
    /// By seat.
    pub players: Vec<PlayerFrame>,
    /// By number.
    pub planets: Vec<PlanetFrame>,
    /// By seat, those that land first in front.
    pub groups: Vec<GroupFrame>,
}

/// One player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields))]
pub struct PlayerFrame {
    /// All ships, those in flight included.
    pub ships: u64,
    /// Planets of level 1 and more.
    pub planets: u32,
    /// Ships produced in a turn.
    pub production: u64,
    /// Alive, out or disqualified; not there if these eyes cannot know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<Fate>,
    /// Why it fell out; not there if these eyes cannot know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Message>,
}

/// One planet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlanetFrame {
    /// Where it is drawn.
    pub x: i32,
    /// Where it is drawn.
    pub y: i32,
    /// A seat, or 0 for nobody.
    pub owner: u8,
    /// Ships on it.
    pub ships: u64,
    /// 0 is neutral.
    pub level: u8,
    /// Armor left.
    pub armor: u32,
    /// Armor when whole.
    pub full_armor: u32,
}

/// One group in flight.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GroupFrame {
    /// Whose it is.
    pub owner: u8,
    /// From this planet, counted from 1.
    pub from: u8,
    /// To this planet, counted from 1.
    pub to: u8,
    /// How many ships.
    pub ships: u32,
    /// How many turns the whole way takes.
    pub distance: u32,
    /// How many of them are left.
    pub turns_left: u32,
}

impl<'a> game::View<'a> for View<'a> {
    const COUNTERS: &'static [Counter] = &[
        Counter { key: "ships", marked: false },
        Counter { key: "planets", marked: true },
        Counter { key: "production", marked: false },
    ];

    type State = State;
    type Frame = Frame;

    #[inline]
    fn new(state: &'a State, eye: Eye) -> View<'a> {
        View { state, eye }
    }

    fn frame(self) -> Frame {
        let (map, settings) = (self.map(), self.settings());
        let players = Seat::all(self.seats()).map(|seat| PlayerFrame {
            ships: self.ships(seat),
            planets: self.producing(seat).count_ones(),
            production: self.production(seat),
            fate: self.standing(seat).map(Standing::fate),
            reason: self.standing(seat).and_then(outcome::fall_reason).map(Message::from),
        });
        let planets = self.planets().iter().enumerate().map(|(number, planet)| {
            let (x, y) = map.place(number);
            PlanetFrame {
                x,
                y,
                owner: planet.owner,
                ships: planet.ships,
                level: planet.level,
                armor: planet.armor,
                full_armor: settings.full_armor(planet.level),
            }
        });
        let groups = Seat::all(self.seats()).flat_map(|seat| {
            self.flights(seat).map(move |(turns_left, group)| GroupFrame {
                owner: seat.number(),
                from: group.from + 1,
                to: group.to + 1,
                ships: group.ships,
                distance: map.distance(usize::from(group.from), usize::from(group.to)) as u32,
                turns_left: turns_left as u32,
            })
        });
        Frame {
            step: self.steps(),
            max_steps: settings.max_steps,
            to_move: self.state.to_move().map(Seat::number),
            placed: map.has_places(),
            costs: settings.costs(),
            players: players.collect(),
            planets: planets.collect(),
            groups: groups.collect(),
        }
    }

    fn count(self, seat: Seat, counter: usize) -> Option<u64> {
        match counter {
            0 => Some(self.ships(seat)),
            1 => Some(u64::from(self.producing(seat).count_ones())),
            2 => Some(self.production(seat)),
            _ => None,
        }
    }
}

#[cfg(test)]
palestra_testkit::golden_frame!(Frame);
