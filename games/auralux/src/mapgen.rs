//! Makes maps that are fair: exactly symmetric for two and four players, with the same distances for each of three, as fair as
//! many tries make it otherwise.

use crate::map::{Map, check_counts, rounded_root};
use crate::settings::Settings;
use palestra_core::game::Setup as _;
use palestra_core::{Rng, SetupError};

/// Planets for each player of a match without a map, and the fewest in all.
pub(crate) const PLANETS_PER_PLAYER: u32 = 5;
pub(crate) const FEWEST_PLANETS: u32 = 10;

/// Maps that are tried before a request counts as impossible.
const TRIES: u32 = 400;
/// Complete maps to choose the fairest from, where none can be exactly fair.
const CANDIDATES: u32 = 60;
/// Places that are tried for one planet.
const THROWS: u32 = 200;

/// A map of so many planets and players.
pub(crate) fn generate(
    settings: &Settings,
    [planets, players]: [u32; 2],
    seed: u64,
) -> Result<Map, SetupError> {
    check_counts(settings, i64::from(planets), i64::from(players))?;
    if is_uneven(planets, players) {
        return Err(SetupError::new(format!(
            "no map of {planets} planets is as good for each of {players} players: one planet is nobody's counterpart; ask for \
             {} or {}",
            planets - 1,
            planets + 1
        )));
    }
    let mut rng = Rng::stream(seed, "map", 0);
    let symmetry = Symmetry::of(players, planets);
    let mut fairest: Option<(u64, Map)> = None;
    let mut candidates = 0;
    for attempt in 0..TRIES {
        let sketch = Sketch::new(settings, planets, symmetry, attempt % (TRIES / 2), attempt < TRIES / 2);
        let Some(places) = sketch.draw(&mut rng) else {
            continue;
        };
        let starts: Vec<i64> = (1..=i64::from(players)).collect();
        let Ok(map) = Map::placed(settings, &starts, &places) else {
            continue;
        };
        let unfair = unfairness(&map);
        if fairest.as_ref().is_none_or(|(least, _)| unfair < *least) {
            fairest = Some((unfair, map));
        }
        candidates += 1;
        if candidates == CANDIDATES || fairest.as_ref().is_some_and(|(least, _)| *least == 0) {
            break;
        }
    }
    match fairest {
        Some((_, map)) => Ok(map),
        None => Err(SetupError::new(format!(
            "no map of {planets} planets for {players} players was found with distances up to {}; ask for fewer \
             planets or raise the setting max_distance",
            settings.max_distance
        ))),
    }
}

/// Whether one planet could be equally far from all three players only in the centre, where another one is.
pub(crate) fn is_uneven(planets: u32, players: u32) -> bool {
    players == 3 && planets % 3 == 2
}

/// What the players' views of the map differ by: nothing, if everybody has the same distances.
fn unfairness(map: &Map) -> u64 {
    let players = usize::from(map.seats());
    let mut rows: Vec<Vec<u16>> = Vec::with_capacity(players);
    for start in 0..players {
        let mut row = map.distances_from(start).to_vec();
        row[..players].sort_unstable();
        row[players..].sort_unstable();
        rows.push(row);
    }
    (0..map.planets())
        .map(|rank| {
            let column = || rows.iter().map(|row| u64::from(row[rank]));
            column().max().unwrap_or(0) - column().min().unwrap_or(0)
        })
        .sum()
}

/// What a map looks the same under; every planet has an image for each player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    /// Half a turn.
    HalfTurn,
    /// A quarter turn, for four players.
    QuarterTurn,
    /// Mirrors along both axes, for four players: leaves room for pairs of planets on an axis.
    Mirrors,
    /// A turn by one of so many parts, rounded to whole coordinates.
    Turn(u32),
}

/// Cosine and sine of one part of a full turn, in thousandths of a thousandth, from 3 parts to 8.
const PART_OF_TURN: [(i64, i64); 6] = [
    (-500_000, 866_025),
    (0, 1_000_000),
    (309_017, 951_057),
    (500_000, 866_025),
    (623_490, 781_831),
    (707_107, 707_107),
];

impl Symmetry {
    fn of(players: u32, planets: u32) -> Symmetry {
        match players {
            2 => Symmetry::HalfTurn,
            4 if planets % 4 < 2 => Symmetry::QuarterTurn,
            4 => Symmetry::Mirrors,
            _ => Symmetry::Turn(players),
        }
    }

    /// A place and its images.
    fn orbit(self, place: (i64, i64)) -> Vec<(i64, i64)> {
        let (x, y) = place;
        match self {
            Symmetry::HalfTurn => vec![(x, y), (-x, -y)],
            Symmetry::QuarterTurn => vec![(x, y), (-y, x), (-x, -y), (y, -x)],
            Symmetry::Mirrors => vec![(x, y), (-x, y), (-x, -y), (x, -y)],
            Symmetry::Turn(parts) => {
                let (cosine, sine) = PART_OF_TURN[parts as usize - 3];
                let mut orbit = vec![place];
                let (mut x, mut y) = (x * 1_000_000, y * 1_000_000);
                for _ in 1..parts {
                    (x, y) = ((x * cosine - y * sine) / 1_000_000, (x * sine + y * cosine) / 1_000_000);
                    orbit.push((rounded(x), rounded(y)));
                }
                orbit
            }
        }
    }

    /// Extra planets beyond whole orbits: some at the centre, some of an orbit of two on an axis, some anywhere.
    fn extras(self, left_over: u32) -> Vec<Extra> {
        let mut extras = Vec::new();
        match self {
            Symmetry::Mirrors => {
                extras.push(Extra::AxisPair);
                extras.extend((left_over == 3).then_some(Extra::Centre));
            }
            _ => {
                extras.extend((left_over > 0).then_some(Extra::Centre));
                extras.extend((1..left_over).map(|_| Extra::Anywhere));
            }
        }
        extras
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Extra {
    Centre,
    AxisPair,
    Anywhere,
}

fn rounded(millionths: i64) -> i64 {
    (millionths + 500_000).div_euclid(1_000_000)
}

/// One attempt at a map: how large it is and how close planets may come.
struct Sketch {
    symmetry: Symmetry,
    planets: usize,
    radius: i64,
    spacing: i64,
    /// Whether all players must have the same distances to every planet and its images; turns are rounded.
    exact: bool,
}

impl Sketch {
    fn new(settings: &Settings, planets: u32, symmetry: Symmetry, attempt: u32, exact: bool) -> Sketch {
        // More planets take more room, up to what the longest distance allows.
        let radius = (12 + 6 * planets.isqrt()).min(settings.max_distance / 2);
        let spacing = i64::from(radius) / i64::from(planets.isqrt().max(1));
        Sketch {
            symmetry,
            planets: planets as usize,
            radius: i64::from(radius),
            // The longer it does not work out, the closer planets may come.
            spacing: (spacing - i64::from(attempt / 20)).max(1),
            exact: exact && symmetry == Symmetry::Turn(3),
        }
    }

    /// The places of all planets, those of the players first.
    fn draw(&self, rng: &mut Rng) -> Option<Vec<(i64, i64)>> {
        let mut places = Vec::with_capacity(self.planets);
        let orbit = self.symmetry.orbit((0, 0)).len();
        let whole = self.planets / orbit;
        // The players stand well apart: in the outer part, and not next to each other.
        self.add(&mut places, self.spacing * 2, || {
            let place = self.throw(rng);
            let outer = 9 * (place.0 * place.0 + place.1 * place.1) >= 4 * self.radius * self.radius;
            outer.then(|| self.symmetry.orbit(place))
        })?;
        for extra in self.symmetry.extras((self.planets % orbit) as u32) {
            self.add(&mut places, self.spacing, || {
                let (x, y) = self.throw(rng);
                Some(match extra {
                    Extra::Centre => vec![(0, 0)],
                    Extra::AxisPair if y % 2 == 0 => vec![(x, 0), (-x, 0)],
                    Extra::AxisPair => vec![(0, x), (0, -x)],
                    Extra::Anywhere => vec![(x, y)],
                })
            })?;
        }
        for _ in 1..whole {
            self.add(&mut places, self.spacing, || Some(self.symmetry.orbit(self.throw(rng))))?;
        }
        // No negative numbers in the file: people draw maps on paper.
        for place in &mut places {
            *place = (place.0 + self.radius + 1, place.1 + self.radius + 1);
        }
        Some(places)
    }

    /// Adds the first planets made that are far enough from each other and from all others.
    fn add(
        &self,
        places: &mut Vec<(i64, i64)>,
        spacing: i64,
        mut make: impl FnMut() -> Option<Vec<(i64, i64)>>,
    ) -> Option<()> {
        let before = places.len();
        for _ in 0..THROWS {
            for place in make().into_iter().flatten() {
                places.push(place);
            }
            let apart = |(index, one): (usize, &(i64, i64))| {
                places[..before + index]
                    .iter()
                    .all(|other| (one.0 - other.0).pow(2) + (one.1 - other.1).pow(2) >= spacing * spacing)
            };
            let added = &places[before..];
            if !added.is_empty() && added.iter().enumerate().all(apart) && self.is_even(places, added) {
                return Some(());
            }
            places.truncate(before);
        }
        None
    }

    /// Whether every player has the same distances to these.
    fn is_even(&self, places: &[(i64, i64)], added: &[(i64, i64)]) -> bool {
        let outlook = |start: &(i64, i64)| {
            let distance = |to: &(i64, i64)| rounded_root((start.0 - to.0).pow(2) + (start.1 - to.1).pow(2));
            let mut distances: Vec<i64> = added.iter().map(distance).collect();
            distances.sort_unstable();
            distances
        };
        let mut outlooks = places.iter().take(3).map(outlook);
        let first = outlooks.next();
        !self.exact || outlooks.all(|outlook| Some(outlook) == first)
    }

    /// A place within the circle.
    fn throw(&self, rng: &mut Rng) -> (i64, i64) {
        loop {
            let width = 2 * self.radius as u32 + 1;
            let x = i64::from(rng.below(width)) - self.radius;
            let y = i64::from(rng.below(width)) - self.radius;
            if x * x + y * y <= self.radius * self.radius {
                return (x, y);
            }
        }
    }
}
