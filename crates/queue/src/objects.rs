//! Programs and large maps, fetched by what they are: whoever changes one cannot pass it off as the same.

use crate::limits;
use crate::messages::{Hash, Trouble};
use crate::streams::OBJECTS;
use async_nats::jetstream::Context;

/// Puts these bytes where they are found by their hash, unless they are there.
pub(crate) async fn put(context: &Context, hash: Hash, bytes: &[u8]) -> Result<(), String> {
    let store = context.get_object_store(OBJECTS).await.map_err(|error| error.to_string())?;
    let name = hash.to_string();
    let there = store.info(&name).await.is_ok_and(|info| info.size == bytes.len() && !info.deleted);
    if there {
        return Ok(());
    }
    replace(context, hash, bytes).await
}

/// Puts these bytes there whatever was there before.
pub(crate) async fn replace(context: &Context, hash: Hash, mut bytes: &[u8]) -> Result<(), String> {
    let store = context.get_object_store(OBJECTS).await.map_err(|error| error.to_string())?;
    store.put(hash.to_string().as_str(), &mut bytes).await.map(drop).map_err(|error| error.to_string())
}

/// Fetches what has this hash, message by message: a worker may not make the consumer that the client's own way takes.
pub(crate) async fn get(context: &Context, hash: Hash) -> Result<Vec<u8>, Trouble> {
    let missing = || Trouble::Missing(hash);
    let store = context.get_object_store(OBJECTS).await.map_err(|_| missing())?;
    let info = store.info(hash.to_string()).await.map_err(|_| missing())?;
    let stream = context.get_stream(format!("OBJ_{OBJECTS}")).await.map_err(|_| missing())?;
    if info.size as u64 > limits::PROGRAM_BYTES + (1 << 20) {
        return Err(Trouble::WrongObject(hash));
    }
    let (mut bytes, mut next) = (Vec::with_capacity(info.size), None);
    while bytes.len() < info.size {
        let chunk = format!("$O.{OBJECTS}.C.{}", info.nuid);
        let chunk = stream.direct_get_next_for_subject(chunk, next).await.map_err(|_| missing())?;
        bytes.extend_from_slice(&chunk.payload);
        next = Some(chunk.sequence + 1);
    }
    if Hash::of(&bytes) != hash {
        return Err(Trouble::WrongObject(hash));
    }
    Ok(bytes)
}
