//! Whose turn it is, who is out, and how that ends.

use palestra_core::{Digest, Fate, Message, Outcome, Seat};
use std::cmp::Reverse;

/// Rounds in which everybody still in the game has a turn, in the order of the seats, until the last round is over or no more
/// than one player is left. `R` is why a player is where it is at the end, or out before.
#[derive(Clone, Debug)]
pub struct Turns<R> {
    completed: u32,
    max_rounds: u32,
    /// Whether somebody has had a turn in the running round.
    begun: bool,
    to_move: Option<Seat>,
    /// Those in the game, a bit for each seat.
    playing: u64,
    latest_fall: u32,
    /// By seat.
    falls: Vec<Option<Fall<R>>>,
}

/// How a player fell out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fall<R> {
    /// 1 fell first; players that fell together have the same.
    pub order: u32,
    /// The round it happened in, counted from 1; 0 is before the first one.
    pub round: u32,
    /// Beaten, or disqualified.
    pub fate: Fate,
    /// Why.
    pub reason: R,
}

/// What can be said of a player that stayed until the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stayed<K> {
    /// Nobody else did.
    Alone,
    /// Somebody else was better.
    Behind,
    /// It is one of several best ones.
    Tied,
    /// It was better than the best of the others.
    Ahead {
        /// What it is ranked by.
        own: K,
        /// That of the best of the others.
        other: K,
    },
}

/// What decides between two players; greater is better. Those who fell are compared by how late that was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing<K> {
    Fell { order: u32 },
    Stayed(K),
}

impl<R> Turns<R> {
    /// The first turn of so many players.
    pub fn new(players: u8, max_rounds: u32) -> Turns<R> {
        assert!((1..=64).contains(&players), "a seat is a bit");
        Turns {
            completed: 0,
            max_rounds,
            begun: false,
            to_move: Some(Seat::new(1)),
            playing: u64::MAX >> (64 - players),
            latest_fall: 0,
            falls: (0..players).map(|_| None).collect(),
        }
    }

    /// Number of players at the start.
    #[inline]
    pub fn players(&self) -> u8 {
        self.falls.len() as u8
    }

    /// Completed rounds.
    #[inline]
    pub fn completed(&self) -> u32 {
        self.completed
    }

    /// The round after which the game ends.
    #[inline]
    pub fn max_rounds(&self) -> u32 {
        self.max_rounds
    }

    /// The number of the running round, counted from 1.
    #[inline]
    pub fn round(&self) -> u32 {
        self.completed + 1
    }

    /// The rounds so far, the running one included as soon as somebody has moved in it.
    #[inline]
    pub fn rounds(&self) -> u32 {
        self.completed + u32::from(self.begun)
    }

    /// Whose turn it is; `None` when the game is over.
    #[inline]
    pub fn to_move(&self) -> Option<Seat> {
        self.to_move
    }

    /// Whether a player has not fallen out.
    #[inline]
    pub fn is_in(&self, seat: Seat) -> bool {
        self.playing >> seat.index() & 1 == 1
    }

    /// Whether a player may still be asked.
    pub fn plays(&self, seat: Seat) -> bool {
        self.to_move.is_some() && self.is_in(seat)
    }

    /// How many have not fallen out.
    #[inline]
    pub fn left(&self) -> u32 {
        self.playing.count_ones()
    }

    /// How a player fell out, if it did.
    pub fn fall_of(&self, seat: Seat) -> Option<&Fall<R>> {
        self.falls[seat.index()].as_ref()
    }

    /// What became of a player so far.
    pub fn fate(&self, seat: Seat) -> Fate {
        self.fall_of(seat).map_or(Fate::Alive, |fall| fall.fate)
    }

    /// The turn of a player begins, unless it is somebody else's.
    #[inline]
    pub fn begin(&mut self, seat: Seat) {
        self.begun |= self.to_move == Some(seat);
    }

    /// The turn of a player is over, if it was its turn: goes on to the next one. Says whether that ended a round.
    #[inline]
    pub fn finish(&mut self, seat: Seat) -> bool {
        if self.left() <= 1 {
            self.to_move = None;
        }
        // Who has left while it was not to move has ended nobody's turn.
        if self.to_move != Some(seat) {
            return false;
        }
        // Shifted twice: the last of 64 seats has nobody behind it.
        let behind = self.playing & u64::MAX << seat.index() << 1;
        self.to_move = first(behind);
        if self.to_move.is_some() {
            return false;
        }
        self.completed += 1;
        self.begun = false;
        if self.completed < self.max_rounds {
            self.to_move = first(self.playing);
        }
        true
    }

    /// A player falls out.
    pub fn fall(&mut self, seat: Seat, fate: Fate, reason: R) {
        self.fall_together(fate, [(seat, reason)]);
    }

    /// Players fall out, none of them before the others.
    pub fn fall_together(&mut self, fate: Fate, fallen: impl IntoIterator<Item = (Seat, R)>) {
        let order = self.latest_fall + 1;
        for (seat, reason) in fallen {
            self.latest_fall = order;
            self.playing &= !(1 << seat.index());
            self.falls[seat.index()] = Some(Fall { order, round: self.round(), fate, reason });
        }
    }

    /// Players that could not be started are out together before the first turn.
    pub fn withdraw(&mut self, absent: &[Seat], reason: impl Fn() -> R) {
        self.fall_together(Fate::Disqualified, absent.iter().map(|seat| (*seat, reason())));
        for fall in self.falls.iter_mut().flatten() {
            fall.round = 0;
        }
        self.to_move = first(self.playing).filter(|_| self.left() > 1);
    }

    /// Adds whose turn it is to a fingerprint.
    pub fn digest(&self, digest: &mut Digest) {
        digest.number(u64::from(self.completed));
        digest.number(u64::from(self.begun));
        digest.number(self.to_move.map_or(0, |seat| u64::from(seat.number())));
    }

    /// Adds how a player fell out to a fingerprint.
    pub fn digest_fall(&self, seat: Seat, digest: &mut Digest) {
        let Some(fall) = self.fall_of(seat) else { return digest.number(0) };
        digest.number(u64::from(fall.order));
        digest.number(u64::from(fall.round));
        digest.former_sentence(seat, |reason| reason);
    }

    /// How it ended, once nobody is to move: those who stayed, ranked by `key`, are before those who fell. `why` gives the
    /// reason for who stayed.
    pub fn outcome<K: Ord + Copy>(
        &self,
        key: impl Fn(Seat) -> K,
        why: impl Fn(Stayed<K>) -> R,
    ) -> Option<Outcome>
    where
        R: Clone + Into<Message>,
    {
        if self.to_move.is_some() {
            return None;
        }
        let standing = |seat| match self.fall_of(seat) {
            Some(fall) => Standing::Fell { order: fall.order },
            None => Standing::Stayed(key(seat)),
        };
        let standings: Vec<Standing<K>> = Seat::all(self.players()).map(standing).collect();
        let mut keys: Vec<K> = Seat::all(self.players()).filter(|seat| self.is_in(*seat)).map(key).collect();
        keys.sort_unstable_by_key(|key| Reverse(*key));
        Some(Outcome::by_rank(&standings, |index, place, top| match &self.falls[index] {
            Some(fall) => (fall.fate, fall.reason.clone()),
            None => (
                Fate::Alive,
                why(match keys[..] {
                    [_] => Stayed::Alone,
                    _ if place > 1 => Stayed::Behind,
                    [own, other, ..] if top == 1 => Stayed::Ahead { own, other },
                    _ => Stayed::Tied,
                }),
            ),
        }))
    }
}

/// The first seat of some, a bit for each.
#[inline]
fn first(seats: u64) -> Option<Seat> {
    (seats != 0).then(|| Seat::at(seats.trailing_zeros() as usize))
}

#[cfg(test)]
mod tests {
    use super::{Stayed, Turns};
    use palestra_core::{Fate, Message, Seat};

    fn turns(players: u8, max_rounds: u32) -> Turns<Message> {
        Turns::new(players, max_rounds)
    }

    fn said(what: &str) -> Message {
        Message::Sentence(what.to_owned())
    }

    /// Whose turns they are, until it is over.
    fn order(turns: &mut Turns<Message>) -> Vec<u8> {
        std::iter::from_fn(|| {
            let seat = turns.to_move()?;
            turns.begin(seat);
            turns.finish(seat);
            Some(seat.number())
        })
        .collect()
    }

    #[test]
    fn everybody_has_a_turn_in_every_round_until_the_last_one_is_over() {
        let mut few = turns(3, 2);
        assert_eq!(order(&mut few), [1, 2, 3, 1, 2, 3]);
        assert_eq!((few.completed(), few.rounds()), (2, 2));
        let all: Vec<u8> = (1..=64).collect();
        assert_eq!(order(&mut turns(64, 1)), all);
    }

    #[test]
    fn who_is_out_has_no_turn_and_the_last_one_left_ends_it() {
        let mut turns = turns(4, 9);
        turns.fall(Seat::new(1), Fate::Out, said("beaten"));
        assert!(!turns.finish(Seat::new(1)), "the turn of the one who fell ends no round");
        assert_eq!((turns.to_move(), turns.is_in(Seat::new(1))), (Some(Seat::new(2)), false));
        turns.fall(Seat::new(4), Fate::Disqualified, said("left"));
        assert!(!turns.finish(Seat::new(4)));
        assert_eq!(turns.to_move(), Some(Seat::new(2)), "it was not its turn");
        turns.fall_together(Fate::Out, [(Seat::new(2), said("spent"))]);
        assert!(!turns.finish(Seat::new(2)));
        assert_eq!(turns.to_move(), None);
        let order = |seat| turns.fall_of(Seat::new(seat)).map(|fall| (fall.order, fall.round));
        assert_eq!(
            [order(1), order(2), order(3), order(4)],
            [Some((1, 1)), Some((3, 1)), None, Some((2, 1))]
        );
        let outcome = turns.outcome(|_| 0, |stayed| said(&format!("{stayed:?}"))).unwrap();
        let told: Vec<(u32, String)> =
            outcome.placings.iter().map(|placing| (placing.place, placing.reason.to_text())).collect();
        let expected = [(4, "beaten"), (2, "spent"), (1, "Alone"), (3, "left")];
        assert_eq!(told, expected.map(|(place, reason)| (place, reason.to_owned())));
    }

    #[test]
    fn who_could_not_be_started_is_out_before_the_first_round() {
        let mut some = turns(4, 9);
        some.withdraw(&[Seat::new(1), Seat::new(3)], || said("absent"));
        assert_eq!(some.to_move(), Some(Seat::new(2)));
        let fall = some.fall_of(Seat::new(3)).unwrap();
        assert_eq!((fall.order, fall.round, fall.fate), (1, 0, Fate::Disqualified));
        some.fall(Seat::new(2), Fate::Out, said("beaten"));
        assert_eq!(some.fall_of(Seat::new(2)).map(|fall| fall.order), Some(2));
        let mut alone = turns(2, 9);
        alone.withdraw(&[Seat::new(2)], || said("absent"));
        assert_eq!(alone.to_move(), None);
    }

    #[test]
    fn those_who_stayed_are_told_why_they_are_where_they_are() {
        let end = |keys: [u32; 3]| {
            let mut turns = turns(3, 1);
            order(&mut turns);
            let outcome = turns.outcome(|seat| keys[seat.index()], |stayed| said(&format!("{stayed:?}")));
            outcome.unwrap().placings.iter().map(|placing| placing.reason.to_text()).collect::<Vec<_>>()
        };
        assert_eq!(end([3, 7, 5]), ["Behind", "Ahead { own: 7, other: 5 }", "Behind"]);
        assert_eq!(end([7, 7, 5]), ["Tied", "Tied", "Behind"]);
        assert_eq!(turns(2, 1).outcome(|_| 0, |_: Stayed<u32>| said("")), None, "it goes on");
    }
}
