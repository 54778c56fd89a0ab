//! What a bot is sent, in numbers. A packet tells all but what is produced, how many units were finished, and for how long factories
//! have been held: that follows from one's own ticks, played again by the rules.

use crate::Rps;
use crate::action::Action;
use crate::map::Arena;
use crate::settings::Settings;
use crate::state::{Kind, Packet, State, Unit};
use crate::view::View;
use palestra_core::encoding::{Decoded, Encoding, Extent, Observation, Space, Told, Unread, number, word};
use palestra_core::game::State as _;
use palestra_core::text::Words;
use palestra_core::{Eye, Fault, Input, Notes, Parsed, Progress, Protocol, Seat};

/// What one bot was told.
pub struct Knowledge {
    /// As it was before the tick.
    state: State,
    /// From the first packet on.
    me: Option<Seat>,
    /// To that packet.
    answer: Action,
}

impl Knowledge {
    fn view(&self) -> View<'_> {
        self.state.view(Eye::Seat(self.seat()))
    }

    /// The match after the own tick, if these can be what the packet behind it tells: an answer may have come too late.
    fn played(&self, me: Seat, packet: &Packet) -> State {
        let after = |input: Input<'_, Action>| {
            let mut state = self.state.clone();
            state.apply(me, input, &mut Notes::counted());
            state
        };
        let answered = after(Input::Answer(&self.answer));
        if answered.allows(me, packet) { answered } else { after(Input::Fault(&Fault::OutOfTime)) }
    }
}

impl Told<Rps> for Knowledge {
    fn begin(settings: &Settings, _words: &mut Words<'_>) -> Result<Knowledge, Unread> {
        let arena = Arena::new(settings.size).map_err(|_| Unread::Foreign)?;
        let state = State::start(settings, &arena, 0).map_err(|_| Unread::Foreign)?;
        Ok(Knowledge { state, me: None, answer: Action::default() })
    }

    fn turn(&mut self, words: &mut Words<'_>) -> Result<bool, Unread> {
        let (packet, seat, over) = packet(words, &self.state, self.me)?;
        if over {
            return Ok(false);
        }
        if let Some(me) = self.me {
            self.state = self.played(me, &packet);
        }
        self.state.follow(seat, &packet);
        (self.me, self.answer) = (Some(seat), Action::default());
        Ok(true)
    }

    fn extent(&self) -> Extent {
        let size = self.state.size().into();
        Extent { rows: size, columns: size, players: 2 }
    }

    fn seat(&self) -> Seat {
        self.me.expect("a turn was read")
    }

    fn observe(&self, space: &Space, pending: &Action, out: &mut Observation<'_>) {
        Rps::observe(space, self.view(), pending, out);
    }

    fn decode(&self, space: &Space, action: u32, pending: &mut Action) -> Decoded {
        Rps::decode(space, self.view(), action, pending)
    }

    fn answered(&mut self, text: &[u8]) {
        let mut answer = Action::default();
        let parsed = Rps::parse(self.view(), text, &mut Progress::default(), &mut answer);
        if let Parsed::Done { .. } = parsed {
            self.answer = answer;
        }
    }
}

/// Reads a packet, for whom it is, and whether the match is over. The first one says who begins.
fn packet(words: &mut Words<'_>, state: &State, me: Option<Seat>) -> Result<(Packet, Seat, bool), Unread> {
    says(words, b"tick")?;
    let tick: u32 = number(words)?;
    let me = me.unwrap_or(Seat::new(2 - (tick % 2) as u8));
    says(words, b"versus")?;
    word(words)?;
    says(words, b"soldiers")?;
    let count: usize = number(words)?;
    let mut units: Vec<(u32, Unit)> = Vec::new();
    for _ in 0..count {
        let id = number(words)?;
        let owner = [(b"A", me), (b"E", crate::state::other(me))];
        let side = one_of(words, &owner.map(|(word, seat)| (&word[..], seat)))?;
        let kind = one_of(words, &[(b"R", Kind::Rock), (b"P", Kind::Paper), (b"S", Kind::Scissors)])?;
        let unit = state.unit_at(me, [number(words)?, number(words)?], kind, side);
        let last = units.last().map_or(0, |(last, _)| *last);
        if !(last + 1..=state.most_ids()).contains(&id) {
            return Err(Unread::Foreign);
        }
        units.push((id, unit.ok_or(Unread::Foreign)?));
    }
    let mut bases = [None; 2];
    for (base, name) in bases.iter_mut().zip([b"r", b"d"]) {
        says(words, b"base")?;
        says(words, name)?;
        let enemy = Some(crate::state::other(me));
        *base = one_of(words, &[(b"N", None), (b"A", Some(me)), (b"E", enemy)])?;
    }
    if me.index() == 1 {
        bases.reverse();
    }
    says(words, b"prod")?;
    let unit_ticks = number(words)?;
    let spent = [number(words)?, number(words)?, number(words)?];
    let over = match word(words)? {
        b"." => false,
        b"finished" => {
            word(words)?;
            says(words, b".")?;
            true
        }
        _ => return Err(Unread::Foreign),
    };
    Ok((Packet { tick, units, bases, unit_ticks, spent }, me, over))
}

/// Reads a word that is always there.
fn says(words: &mut Words<'_>, expected: &[u8]) -> Result<(), Unread> {
    one_of(words, &[(expected, ())])
}

/// Reads one of some words, for what it means.
fn one_of<T: Copy>(words: &mut Words<'_>, meanings: &[(&[u8], T)]) -> Result<T, Unread> {
    let word = word(words)?;
    meanings
        .iter()
        .find(|(expected, _)| *expected == word)
        .map(|(_, meaning)| *meaning)
        .ok_or(Unread::Foreign)
}
