//! What a meeting is made of: games, each on a map and with an order of seats.

use super::{BotNumber, Meeting, PairingError, limits};
use palestra_core::Rng;
use serde::{Deserialize, Serialize};

/// On which maps a meeting is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MapChoice {
    /// On every one.
    All,
    /// On so many, in rotation: meetings one after the other go through all maps in an order that the seed decides.
    Each(u32),
}

/// In which orders the players of a meeting take their seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seatings {
    /// As drawn.
    AsDrawn,
    /// As drawn, and moved on by one seat with every repeat.
    InTurn,
    /// Everybody sits in every seat once.
    Rotations,
    /// In every order there is.
    All,
}

/// The games of a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Games {
    /// On which maps.
    pub maps: MapChoice,
    /// In which orders of seats.
    pub seatings: Seatings,
    /// How often all of that.
    pub repeats: u32,
}

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatedGame {
    /// Which of the maps, from 0.
    pub map: usize,
    /// Who sits where.
    pub seats: Vec<BotNumber>,
}

impl Games {
    /// Whether meetings of so many players can be played so on so many maps, and in how many games.
    pub fn check(&self, seats: usize, maps: usize) -> Result<u64, PairingError> {
        PairingError::within("the number of seats", seats as u64, 1, limits::SEATS as u64)?;
        PairingError::within("the number of maps", maps as u64, 1, limits::GAMES)?;
        PairingError::within("the number of repeats", self.repeats.into(), 1, limits::GAMES)?;
        if let MapChoice::Each(each) = self.maps {
            PairingError::within("the number of maps of a meeting", each.into(), 1, maps as u64)?;
        }
        let factors = [self.seatings.count(seats), self.maps.count(maps) as u64, self.repeats.into()];
        match factors.into_iter().fold(1, u64::saturating_mul) {
            games if games > limits::GAMES => Err(PairingError::Games(games)),
            games => Ok(games),
        }
    }

    /// The games of the stage's meeting with this number (from 0), in the order in which they are counted: repeats, within
    /// them maps, within them seatings. The settings must have passed [`Games::check`].
    pub fn of(
        &self,
        meeting: &Meeting,
        number: u64,
        maps: usize,
        seed: u64,
    ) -> impl Iterator<Item = SeatedGame> + use<> {
        let maps = self.maps.choose(number, maps, seed);
        let orders = self.seatings.orders(&meeting.players);
        let (map_count, order_count) = (maps.len(), orders.len());
        let (repeated, moves) = (map_count * order_count, self.seatings == Seatings::InTurn);
        (0..repeated * self.repeats as usize).map(move |game| {
            let mut seats = orders[game % order_count].clone();
            if moves {
                let by = game / repeated % seats.len();
                seats.rotate_left(by);
            }
            SeatedGame { map: maps[game / order_count % map_count], seats }
        })
    }
}

impl MapChoice {
    fn count(self, maps: usize) -> usize {
        match self {
            MapChoice::All => maps,
            MapChoice::Each(each) => each as usize,
        }
    }

    fn choose(self, number: u64, maps: usize, seed: u64) -> Vec<usize> {
        let mut rotation: Vec<usize> = (0..maps).collect();
        if let MapChoice::Each(each) = self {
            Rng::stream(seed, "maps", 0).shuffle(&mut rotation);
            let first = (u128::from(number) * u128::from(each) % maps as u128) as usize;
            rotation.rotate_left(first);
            rotation.truncate(each as usize);
        }
        rotation
    }
}

impl Seatings {
    fn count(self, seats: usize) -> u64 {
        match self {
            Seatings::AsDrawn | Seatings::InTurn => 1,
            Seatings::Rotations => seats as u64,
            Seatings::All => (1..=seats as u64).fold(1, u64::saturating_mul),
        }
    }

    /// The orders, beginning with the one that was drawn.
    fn orders(self, players: &[BotNumber]) -> Vec<Vec<BotNumber>> {
        let rotated = |by: usize| [&players[by..], &players[..by]].concat();
        match self {
            Seatings::AsDrawn | Seatings::InTurn => vec![players.to_vec()],
            Seatings::Rotations => (0..players.len()).map(rotated).collect(),
            Seatings::All => permutations(players),
        }
    }
}

/// Every order, as in a dictionary in which the players are letters.
fn permutations(players: &[BotNumber]) -> Vec<Vec<BotNumber>> {
    if players.is_empty() {
        return vec![Vec::new()];
    }
    let begun_by = |first: usize| {
        let rest = [&players[..first], &players[first + 1..]].concat();
        permutations(&rest).into_iter().map(move |order| [&[players[first]], order.as_slice()].concat())
    };
    (0..players.len()).flat_map(begun_by).collect()
}

#[cfg(test)]
mod tests {
    use super::{BotNumber, Games, MapChoice, Meeting, PairingError, SeatedGame, Seatings};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn games(games: Games, players: u32, number: u64, maps: usize) -> Vec<SeatedGame> {
        let meeting = Meeting { players: (1..=players).map(BotNumber).collect() };
        games.of(&meeting, number, maps, 7).collect()
    }

    proptest! {
        #[test]
        fn as_many_games_as_told_and_every_seat_as_often(
            players in 2_u32..=5, maps in 1_usize..=4, repeats in 1_u32..=2, all in any::<bool>(), each in 0_u32..=4,
        ) {
            let choice = if each == 0 { MapChoice::All } else { MapChoice::Each(each.min(maps as u32)) };
            let seatings = if all { Seatings::All } else { Seatings::Rotations };
            let plan = Games { maps: choice, seatings, repeats };
            let list = games(plan, players, 3, maps);
            prop_assert_eq!(plan.check(players as usize, maps), Ok(list.len() as u64));
            for seat in 0..players as usize {
                for player in 1..=players {
                    let times = list.iter().filter(|game| game.seats[seat] == BotNumber(player)).count();
                    prop_assert_eq!(times * players as usize, list.len());
                }
            }
            let different: BTreeSet<_> = list.iter().map(|game| (game.map, game.seats.clone())).collect();
            prop_assert_eq!(different.len() * repeats as usize, list.len());
        }

        #[test]
        fn maps_in_rotation_are_used_evenly(maps in 1_usize..=7, each in 1_u32..=7, meetings in 1_u64..=30) {
            let plan = Games { maps: MapChoice::Each(each.min(maps as u32)), seatings: Seatings::AsDrawn, repeats: 1 };
            let mut used = vec![0; maps];
            (0..meetings).flat_map(|number| games(plan, 2, number, maps)).for_each(|game| used[game.map] += 1);
            prop_assert!(used.iter().max().unwrap() - used.iter().min().unwrap() <= 1, "{:?}", used);
        }
    }

    #[test]
    fn drawn_seats_move_on_with_every_repeat() {
        let plan = Games { maps: MapChoice::All, seatings: Seatings::InTurn, repeats: 3 };
        let seats: Vec<Vec<u32>> = games(plan, 3, 0, 1)
            .iter()
            .map(|game| game.seats.iter().map(|player| player.0).collect())
            .collect();
        assert_eq!(seats, [[1, 2, 3], [2, 3, 1], [3, 1, 2]]);
    }

    #[test]
    fn the_order_of_games_is_fixed() {
        let plan = Games { maps: MapChoice::All, seatings: Seatings::All, repeats: 1 };
        let told: Vec<(usize, Vec<u32>)> = games(plan, 3, 0, 2)
            .into_iter()
            .map(|game| (game.map, game.seats.iter().map(|player| player.0).collect()))
            .collect();
        let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
        let expected: Vec<(usize, Vec<u32>)> =
            (0..2).flat_map(|map| orders.map(|order| (map, order.to_vec()))).collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn too_much_is_refused_before_it_is_made() {
        let plan = Games { maps: MapChoice::All, seatings: Seatings::All, repeats: 1 };
        assert_eq!(plan.check(8, 1), Ok(40_320));
        assert!(matches!(plan.check(9, 1), Err(PairingError::Games(362_880))));
        assert!(matches!(plan.check(64, 1), Err(PairingError::Games(u64::MAX))));
        assert!(plan.check(2, 0).is_err());
        let plan = Games { maps: MapChoice::Each(3), ..plan };
        let error = plan.check(2, 2).unwrap_err().to_string();
        assert_eq!(error, "the number of maps of a meeting is 3: it must be from 1 to 2");
    }
}
