//! Puts the answers of workers together that come in parts, within limits.

use crate::limits;
use crate::messages::{BatchId, Parcel, Part, decode};
use std::collections::HashMap;

/// The worker, the batch and the parcel.
type Source = (String, BatchId, u64);
/// What has come of a parcel, by part.
type Slots = Vec<Option<Vec<u8>>>;

/// Parts that have come, of parcels that are not complete.
#[derive(Default)]
pub(crate) struct Parts {
    partial: HashMap<Source, Slots>,
    bytes: usize,
}

impl Parts {
    /// A part has come: the parcel, if that completes it. What cannot be read is told.
    pub(crate) fn add(&mut self, worker: &str, bytes: &[u8]) -> Result<Option<(BatchId, Parcel)>, String> {
        let Part { batch, parcel, part, parts, bytes } = decode(bytes).map_err(|error| error.to_string())?;
        if parts == 0 || parts > limits::PARTS || part >= parts || bytes.len() > limits::PART_BYTES {
            return Err("it is a part of nothing".to_owned());
        }
        if parts == 1 {
            return decode(&bytes).map(|parcel| Some((batch, parcel))).map_err(|error| error.to_string());
        }
        let key = (worker.to_owned(), batch, parcel);
        let slots = self.partial.entry(key.clone()).or_insert_with(|| vec![None; parts as usize]);
        let Some(slot) = slots.get_mut(part as usize) else {
            return Err("its parts do not fit together".to_owned());
        };
        if slot.is_none() {
            self.bytes += bytes.len();
            *slot = Some(bytes);
        }
        if slots.iter().any(Option::is_none) {
            self.bound();
            return Ok(None);
        }
        let whole: Vec<u8> = self.remove(&key).into_iter().flatten().flatten().collect();
        decode(&whole).map(|parcel| Some((batch, parcel))).map_err(|error| error.to_string())
    }

    fn remove(&mut self, key: &Source) -> Slots {
        let slots = self.partial.remove(key).unwrap_or_default();
        self.bytes -= slots.iter().flatten().map(Vec::len).sum::<usize>();
        slots
    }

    /// Whoever sends beginnings without ends loses them: the matches come again.
    fn bound(&mut self) {
        while self.bytes > limits::PARTIAL_BYTES {
            let held = |slots: &Slots| slots.iter().flatten().map(Vec::len).sum::<usize>();
            let Some(largest) =
                self.partial.iter().max_by_key(|(_, slots)| held(slots)).map(|(key, _)| key.clone())
            else {
                return;
            };
            self.remove(&largest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;
    use crate::messages::{BatchId, MatchReply, Parcel, Part, ReplyKind, encode};

    #[test]
    fn parts_come_in_any_order_and_more_than_once() {
        let parcel = Parcel(vec![MatchReply { number: 1, attempt: 0, what: ReplyKind::Returned }; 100]);
        let whole = encode(&parcel);
        let batch = BatchId { session: 1, number: 2 };
        let chunks: Vec<&[u8]> = whole.chunks(100).collect();
        let part = |at: usize| {
            let (part, parts, bytes) = (at as u32, chunks.len() as u32, chunks[at].to_vec());
            encode(&Part { batch, parcel: 0, part, parts, bytes })
        };
        let mut all = Parts::default();
        for at in (1..chunks.len()).rev() {
            assert_eq!(all.add("a", &part(at)).unwrap(), None);
            assert_eq!(all.add("a", &part(at)).unwrap(), None);
            assert_eq!(all.add("b", &part(at)).unwrap(), None);
        }
        assert_eq!(all.add("a", &part(0)).unwrap(), Some((batch, parcel)));
        assert!(all.add("a", &whole).is_err(), "something else");
        assert!(all.partial.len() == 1 && all.bytes > 0, "what b has sent is its own");
    }
}
