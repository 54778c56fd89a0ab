//! What a bot is sent, in numbers. The text tells the planets and what others have launched; who is under way follows from that and
//! from one's own answers, carried out by the rules.

use crate::Auralux;
use crate::encoding::MOST_PLANETS;
use crate::map::Map;
use crate::settings::Settings;
use crate::state::{Launch, Order, Planet, State};
use crate::view::View;
use palestra_core::encoding::{Decoded, Encoding, Extent, Observation, Space, Told, Unread, number};
use palestra_core::game::State as _;
use palestra_core::text::Words;
use palestra_core::{Eye, Notes, Parsed, Progress, Protocol, Seat};

/// What one bot was told.
pub struct Knowledge {
    settings: Settings,
    me: Seat,
    extent: Extent,
    /// Row by row.
    distances: Vec<i64>,
    /// The game as far as it follows from that; from the first turn on.
    state: Option<State>,
}

impl Knowledge {
    fn view(&self) -> View<'_> {
        self.state.as_ref().expect("a turn was read").view(Eye::Seat(self.me))
    }

    /// The start of the game, in which everybody holds one planet.
    fn start(&self, planets: &[Planet]) -> Option<State> {
        let start_of = |seat: Seat| {
            planets.iter().position(|planet| planet.owner == seat.number()).map(|planet| planet as i64 + 1)
        };
        let starts: Option<Vec<i64>> = Seat::all(self.extent.players).map(start_of).collect();
        let map = Map::matrix(&self.settings, &starts?, self.extent.places(), &self.distances).ok()?;
        State::start(&self.settings, &map, 0).ok()
    }
}

impl Told<Auralux> for Knowledge {
    fn begin(settings: &Settings, words: &mut Words<'_>) -> Result<Knowledge, Unread> {
        let [me, players, planets]: [u8; 3] = [number(words)?, number(words)?, number(words)?];
        if !(1..=players).contains(&me) || usize::from(planets) > MOST_PLANETS {
            return Err(Unread::Foreign);
        }
        // How many there may be is told, too.
        let settings =
            Settings { max_players: players.into(), max_planets: planets.into(), ..settings.clone() };
        let extent = Extent { rows: planets.into(), columns: 1, players };
        let distances = (0..extent.places() * extent.places()).map(|_| number(words));
        let distances = distances.collect::<Result<_, _>>()?;
        Ok(Knowledge { settings, me: Seat::new(me), extent, distances, state: None })
    }

    fn turn(&mut self, words: &mut Words<'_>) -> Result<bool, Unread> {
        let count: i64 = number(words)?;
        if count < 0 {
            return Ok(false);
        }
        let mut launches = Vec::new();
        for _ in 0..count {
            launches.push(launch(words, self.extent)?);
        }
        let mut planets = Vec::with_capacity(self.extent.places());
        for _ in 0..self.extent.places() {
            let (owner, ships) = (number(words)?, number(words)?);
            let planet = Planet { owner, ships, level: number(words)?, armor: number(words)? };
            if owner > self.extent.players || planet.level > crate::TOP_LEVEL {
                return Err(Unread::Foreign);
            }
            planets.push(planet);
        }
        let first = self.state.is_none();
        if first {
            self.state = Some(self.start(&planets).ok_or(Unread::Foreign)?);
        }
        let state = self.state.as_mut().expect("it has begun");
        state.follow(self.me, first, &launches, &planets);
        Ok(true)
    }

    fn extent(&self) -> Extent {
        self.extent
    }

    fn seat(&self) -> Seat {
        self.me
    }

    fn observe(&self, space: &Space, pending: &Vec<Order>, out: &mut Observation<'_>) {
        Auralux::observe(space, self.view(), pending, out);
    }

    fn decode(&self, space: &Space, action: u32, pending: &mut Vec<Order>) -> Decoded {
        Auralux::decode(space, self.view(), action, pending)
    }

    fn answered(&mut self, text: &[u8]) {
        let mut orders = Vec::new();
        let parsed = Auralux::parse(self.view(), text, &mut Progress::default(), &mut orders);
        if let (Parsed::Done { .. }, Some(state)) = (parsed, &mut self.state) {
            state.execute(self.me.index(), &orders, &mut Notes::counted());
        }
    }
}

/// A line `player from to count`.
fn launch(words: &mut Words<'_>, extent: Extent) -> Result<(Seat, Launch), Unread> {
    let [player, from, to]: [u8; 3] = [number(words)?, number(words)?, number(words)?];
    let ships = number(words)?;
    let planets = 1..=extent.rows as u8;
    let fits = (1..=extent.players).contains(&player) && planets.contains(&from) && planets.contains(&to);
    if !fits || from == to {
        return Err(Unread::Foreign);
    }
    Ok((Seat::new(player), Launch { ships, from: from - 1, to: to - 1 }))
}
