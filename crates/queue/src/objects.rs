//! Programs and large maps at the queue, sealed: only who knows the SHA-256 of one can find and read it.
//!
//! The name that it lies under and the key that it is sealed with both follow from its SHA-256, and neither leads back. A
//! worker learns the SHA-256 with the match that it plays. Rights alone do not do: nats-server answers a direct get whose
//! subject is a wildcard. Sealing the same bytes gives the same bytes, so that they may be put there again at any time.

use crate::limits;
use crate::messages::{Hash, Trouble};
use crate::streams::{self, OBJECTS};
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{PublishAckFuture, PublishError};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use std::collections::VecDeque;

/// Puts these bytes where they are found by their hash, whatever is there.
pub(crate) async fn put(context: &Context, hash: Hash, bytes: &[u8]) -> Result<(), PublishError> {
    let (name, sealed) = (name(hash).to_string(), seal(hash, bytes));
    // A chunk that is not full is the last one.
    let end = sealed.len().is_multiple_of(limits::PART_BYTES).then_some(&[][..]);
    let mut on_their_way = VecDeque::<PublishAckFuture>::new();
    for (number, chunk) in sealed.chunks(limits::PART_BYTES).chain(end).enumerate() {
        if on_their_way.len() == limits::CHUNKS_AHEAD
            && let Some(first) = on_their_way.pop_front()
        {
            first.await?;
        }
        on_their_way.push_back(context.publish(streams::object(&name, number), chunk.to_vec().into()).await?);
    }
    for chunk in on_their_way {
        chunk.await?;
    }
    Ok(())
}

/// Fetches what has this hash.
pub(crate) async fn get(context: &Context, hash: Hash) -> Result<Vec<u8>, Trouble> {
    let (missing, wrong) = (|| Trouble::Missing(hash), || Trouble::WrongObject(hash));
    let stream = context.get_stream_no_info(OBJECTS).await.map_err(|_| missing())?;
    let name = name(hash).to_string();
    let mut sealed = Vec::new();
    for number in 0.. {
        let chunk = stream.direct_get_last_for_subject(streams::object(&name, number)).await;
        let chunk = chunk.map_err(|_| missing())?.payload;
        sealed.extend_from_slice(&chunk);
        if chunk.len() < limits::PART_BYTES {
            break;
        }
        if sealed.len() > limits::OBJECT_BYTES {
            return Err(wrong());
        }
    }
    open(hash, sealed).ok_or_else(wrong)
}

/// What follows from a hash for one purpose, and does not lead back to it.
fn derived(purpose: &str, hash: Hash) -> Hash {
    Hash::of(&[purpose.as_bytes(), &hash.0].concat())
}

fn name(hash: Hash) -> Hash {
    derived("palestra object name", hash)
}

fn key(hash: Hash) -> LessSafeKey {
    let Hash(bytes) = derived("palestra object key", hash);
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, &bytes).expect("a SHA-256 is as long as a key"))
}

/// Always the same: a key seals nothing but what it was made from.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

fn seal(hash: Hash, bytes: &[u8]) -> Vec<u8> {
    let mut sealed = bytes.to_vec();
    let done = key(hash).seal_in_place_append_tag(nonce(), Aad::empty(), &mut sealed);
    done.expect("an object is shorter than what a key can seal");
    sealed
}

/// What was sealed, if it is what has this hash: others who know the hash could seal something else.
fn open(hash: Hash, mut sealed: Vec<u8>) -> Option<Vec<u8>> {
    let length = key(hash).open_in_place(nonce(), Aad::empty(), &mut sealed).ok()?.len();
    sealed.truncate(length);
    (Hash::of(&sealed) == hash).then_some(sealed)
}

#[cfg(test)]
mod tests {
    use super::{Hash, name, open, seal};

    #[test]
    fn only_who_knows_the_hash_reads_it_and_only_what_has_it() {
        let (program, other) = (b"print('my best idea')", b"print('quite another')");
        let hash = Hash::of(program);
        let sealed = seal(hash, program);
        assert_eq!(open(hash, sealed.clone()).as_deref(), Some(&program[..]));
        assert_eq!(seal(hash, program), sealed, "who puts it there again changes nothing");
        assert!(!sealed.windows(4).any(|window| program.windows(4).any(|piece| piece == window)));
        assert_eq!(open(name(hash), sealed.clone()), None, "its name is no key");
        assert_eq!(open(Hash::of(other), sealed.clone()), None);
        assert_eq!(open(hash, seal(hash, other)), None, "sealed with the right key, and another program");
        assert_eq!(open(hash, sealed[1..].to_vec()), None);
        assert_eq!(open(hash, Vec::new()), None);
    }
}
