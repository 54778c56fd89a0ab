//! Who is there, as the server sees it.

use crate::limits;
use crate::need::{Need, Offer};
use crate::notice::Notice;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// The workers that were heard of.
#[derive(Default)]
pub(crate) struct Workers {
    /// Those who are counted on.
    known: BTreeMap<String, Known>,
    aside: BTreeMap<String, Aside>,
}

/// Why nothing of a worker counts any more.
struct Aside {
    why: String,
    /// The session that could not play, where another one may. Nothing makes up for a result that does not hold.
    until_after: Option<u64>,
}

struct Known {
    offer: Offer,
    heard: Instant,
    /// Matches in a row that it could not play.
    troubles: u32,
    /// Lines that it was told to be unfit for.
    told: BTreeSet<Need>,
}

impl Workers {
    /// A worker says what it offers, and some matches need this.
    pub(crate) fn offered<'a>(
        &mut self,
        offer: Offer,
        now: Instant,
        needs: impl Iterator<Item = &'a Need>,
    ) -> Vec<Notice> {
        let mut notices = Vec::new();
        let name = offer.name.clone();
        if let Some(Aside { until_after, .. }) = self.aside.get(&name) {
            if until_after.is_none_or(|session| session == offer.session) {
                return notices;
            }
            self.aside.remove(&name);
        }
        if !self.known.contains_key(&name) {
            if self.known.len() >= limits::WORKERS {
                return notices;
            }
            let (places, version) = (offer.places, offer.version.clone());
            notices.push(Notice::Came { worker: name.clone(), places, version });
            let (troubles, told) = (0, BTreeSet::new());
            self.known.insert(name.clone(), Known { offer: offer.clone(), heard: now, troubles, told });
        }
        let known = self.known.get_mut(&name).expect("it is known now");
        (known.offer, known.heard) = (offer, now);
        for need in needs {
            if let Some(lack) = known.offer.lacks(need)
                && known.told.insert(need.clone())
            {
                notices.push(Notice::Lacks { worker: name.clone(), lack });
            }
        }
        notices
    }

    /// Forgets those who have not been heard for long.
    pub(crate) fn sweep(&mut self, now: Instant) -> Vec<Notice> {
        let gone = |known: &Known| now.duration_since(known.heard) > limits::WORKER_GONE;
        let names: Vec<String> =
            self.known.iter().filter(|(_, known)| gone(known)).map(|(name, _)| name.clone()).collect();
        names.iter().for_each(|name| drop(self.known.remove(name)));
        names.into_iter().map(|worker| Notice::Went { worker }).collect()
    }

    fn counted_on(&self) -> impl Iterator<Item = &Offer> {
        self.known.values().map(|known| &known.offer)
    }

    /// Matches that can be played at a time.
    pub(crate) fn places(&self) -> usize {
        self.counted_on().map(|offer| offer.places as usize).sum()
    }

    /// What everybody offers who is counted on.
    pub(crate) fn offers(&self) -> Vec<Offer> {
        self.counted_on().cloned().collect()
    }

    /// Whether somebody can play this.
    pub(crate) fn can_play(&self, need: &Need) -> bool {
        self.counted_on().any(|offer| offer.lacks(need).is_none())
    }

    /// Somebody who can play this and is none of these.
    pub(crate) fn other_than(&self, names: &[String], need: &Need) -> Option<String> {
        let fits = |offer: &&Offer| !names.contains(&offer.name) && offer.lacks(need).is_none();
        // The one with the least to do.
        let load = |offer: &&Offer| (offer.playing / offer.places.max(1), offer.name.clone());
        self.counted_on().filter(fits).min_by_key(load).map(|offer| offer.name.clone())
    }

    pub(crate) fn is_there(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Why nothing of it counts any more, if that is so.
    pub(crate) fn why_aside(&self, name: &str) -> Option<&str> {
        self.aside.get(name).map(|aside| aside.why.as_str())
    }

    /// Counts nothing of it any more; whether that is new. Started again it has another chance if it was only useless.
    pub(crate) fn set_aside(&mut self, name: &str, notice: &Notice) -> bool {
        let session = self.known.remove(name).map(|known| known.offer.session);
        let until_after = session.filter(|_| matches!(notice, Notice::Useless { .. }));
        let aside = Aside { why: notice.to_string(), until_after };
        self.aside.insert(name.to_owned(), aside).is_none()
    }

    /// It could not play a match: how many in a row that makes.
    pub(crate) fn troubled(&mut self, name: &str) -> u32 {
        let Some(known) = self.known.get_mut(name) else { return 0 };
        known.troubles += 1;
        known.troubles
    }

    /// It played a match.
    pub(crate) fn played(&mut self, name: &str) {
        if let Some(known) = self.known.get_mut(name) {
            known.troubles = 0;
        }
    }
}
