//! What the matches of a field say about its bots: ratings, who beats whom, faults. Grows with bots, not with matches.

use crate::event::Counted;
use crate::rating::elo::{Elo, EloSettings};
use crate::rating::openskill::{OpenSkill, OpenSkillSettings};
use crate::rating::tally::Tally;
use palestra_core::Message;
use std::collections::BTreeMap;

/// How a bot's matches ended.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Record {
    pub(crate) played: u32,
    /// Matches in which it alone was best.
    pub(crate) won: u32,
    /// Shared the best place.
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
    pub(crate) faults: u32,
}

impl Record {
    /// One more match: the place, how many share the best one, and whether there was a fault.
    pub(crate) fn count(&mut self, place: u32, best: usize, faulty: bool) {
        self.played += 1;
        match (place, best) {
            (1, 1) => self.won += 1,
            (1, _) => self.drawn += 1,
            _ => self.lost += 1,
        }
        self.faults += u32::from(faulty);
    }
}

/// What is known about a field.
#[derive(Clone, Debug)]
pub(crate) struct Statistics {
    /// The public number.
    pub(crate) elo: Elo,
    /// For more than two players.
    pub(crate) skill: OpenSkill,
    /// Who beat whom how often.
    pub(crate) tally: Tally,
    /// By bot: what its matches brought.
    records: Vec<Record>,
    /// By bot and kind: how often, a match that shows it, and what there is to tell of that one.
    pub(crate) faults: BTreeMap<(usize, String), (u32, u32, Message)>,
    /// Who played the match that is taken in, and what came of it: kept only to be used again.
    players: Vec<usize>,
    places: Vec<u32>,
}

impl Statistics {
    pub(crate) fn new(elo: EloSettings) -> Statistics {
        Statistics {
            elo: Elo::new(elo),
            skill: OpenSkill::new(OpenSkillSettings::default()),
            tally: Tally::new(0),
            records: Vec::new(),
            faults: BTreeMap::new(),
            players: Vec::new(),
            places: Vec::new(),
        }
    }

    /// One more bot, with the Elo rating it comes with.
    pub(crate) fn add_bot(&mut self, rating: Option<f64>) {
        match rating {
            Some(rating) => self.elo.add_bot_at(rating),
            None => self.elo.add_bot(),
        };
        self.skill.add_bot();
        self.records.push(Record::default());
    }

    pub(crate) fn record(&mut self, finished: &Counted) {
        let Statistics { players, places, .. } = self;
        players.clear();
        players.extend(finished.seats.iter().map(|seat| seat.player.0 as usize));
        places.clear();
        places.extend(finished.seats.iter().map(|seat| seat.place));
        self.elo.record(players, places);
        self.skill.record(players, places);
        self.tally.record(players, places);
        let best = finished.best();
        for (seat, (player, place)) in players.iter().zip(places).enumerate() {
            self.records[*player].count(*place, best, finished.faulty(seat));
        }
        let mut told = Vec::new();
        for fault in &finished.faults {
            let key = (self.players[usize::from(fault.seat)], fault.kind.clone());
            // A bot that goes on after a fault may have many in one match.
            if told.contains(&key) {
                continue;
            }
            let entry =
                self.faults.entry(key.clone()).or_insert_with(|| (0, finished.number, fault.what.clone()));
            entry.0 += 1;
            told.push(key);
        }
    }

    /// How a bot's matches ended.
    pub(crate) fn record_of(&self, bot: usize) -> Record {
        self.records[bot]
    }
}
