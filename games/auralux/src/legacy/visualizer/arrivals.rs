//! How long flights take on a map without places: found by watching ships arrive.
//!
//! In a player's turn only its own ships land, so what a turn has done to a planet tells how many did. Every launch that
//! can have been among them speaks for the way taking the turns since. The right number hears the most voices.

use crate::settings::Settings;
use crate::state::{Launch, Planet};
use palestra_core::Seat;

/// The longest way that is looked for: the default of the setting `max_distance`.
const LONGEST: usize = 100;
/// Launches between two planets that are watched; more would not change the picture.
const WATCHED: u16 = 200;
/// How much louder a launch speaks that is exactly what landed.
const EXACT: u32 = 8;

pub(super) struct Arrivals<'a> {
    settings: &'a Settings,
    /// As the last turn left them.
    planets: Vec<Planet>,
    /// By seat.
    players: Vec<Player>,
    /// For each pair of planets, the lower number in front: launches watched so far.
    watched: Vec<u16>,
    /// For each of these pairs and each number of turns.
    voices: Vec<u32>,
}

#[derive(Clone, Default)]
struct Player {
    turns: usize,
    /// What may be in flight, with the turn it was sent in.
    sent: Vec<(usize, Launch)>,
}

impl<'a> Arrivals<'a> {
    pub(super) fn new(settings: &'a Settings, start: &[Planet], seats: u8) -> Arrivals<'a> {
        let pairs = start.len() * start.len();
        Arrivals {
            settings,
            planets: start.to_vec(),
            players: vec![Player::default(); usize::from(seats)],
            watched: vec![0; pairs],
            voices: vec![0; pairs * LONGEST],
        }
    }

    /// The next turn: what was launched in it, and the planets at its end.
    pub(super) fn watch(&mut self, seat: Seat, launches: &[Launch], planets: &[Planet]) {
        let width = planets.len();
        let player = &mut self.players[seat.index()];
        let now = player.turns;
        player.turns += 1;
        player.sent.retain(|(turn, _)| now - turn <= LONGEST);
        let mut left = vec![0; width];
        for launch in launches {
            left[usize::from(launch.from)] += u64::from(launch.ships);
        }
        let changes = self.planets.iter().zip(planets).zip(left);
        let landed: Vec<u64> = changes
            .map(|((before, after), left)| landed(self.settings, seat, now > 0, before, after, left))
            .collect();
        for (turn, launch) in &player.sent {
            let (ships, landed) = (u64::from(launch.ships), landed[usize::from(launch.to)]);
            if ships <= landed {
                let voice = if ships == landed { EXACT } else { 1 };
                self.voices[pair(width, launch) * LONGEST + now - turn - 1] += voice;
            }
        }
        for launch in launches {
            let watched = &mut self.watched[pair(width, launch)];
            if *watched < WATCHED {
                *watched += 1;
                player.sent.push((now, *launch));
            }
        }
        self.planets.copy_from_slice(planets);
    }

    /// The way between two planets; `None` if nobody was seen to arrive.
    pub(super) fn distance(&self, from: usize, to: usize) -> Option<u16> {
        let pair = from.min(to) * self.planets.len() + from.max(to);
        let voices = &self.voices[pair * LONGEST..][..LONGEST];
        let loudest = voices.iter().max().filter(|voices| **voices > 0)?;
        voices.iter().position(|voices| voices == loudest).map(|index| index as u16 + 1)
    }
}

fn pair(width: usize, launch: &Launch) -> usize {
    let (from, to) = (usize::from(launch.from), usize::from(launch.to));
    from.min(to) * width + from.max(to)
}

/// How many ships of a player have landed on a planet in its turn, in which `left` were launched from there.
fn landed(
    settings: &Settings,
    seat: Seat,
    produces: bool,
    before: &Planet,
    after: &Planet,
    left: u64,
) -> u64 {
    let own = seat.number();
    let spent = if before.level == 0 || before.owner != own {
        if after.level > 0 && after.owner == own { settings.capture_cost } else { 0 }
    } else if after.level > before.level {
        let missing = settings.full_armor(before.level).saturating_sub(before.armor);
        settings.cost_to_raise(before.level).unwrap_or(0) + missing
    } else {
        after.armor.saturating_sub(before.armor)
    };
    let gone = left + u64::from(spent);
    if before.owner == own {
        let multiplier = if produces { u64::from(settings.production_multiplier) } else { 0 };
        let had = before.ships + multiplier * u64::from(before.level);
        (after.ships + gone).saturating_sub(had)
    } else if after.owner == before.owner && before.owner != 0 {
        before.ships.saturating_sub(after.ships) + u64::from(before.armor.saturating_sub(after.armor))
    } else {
        let kept = if after.owner == own { after.ships } else { 0 };
        before.ships + u64::from(before.armor) + kept + gone
    }
}
