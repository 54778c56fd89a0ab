//! Clients that are connected and do nothing: what does each cost?

use super::clients::Crowd;
use super::crowd::keys;
use super::stand::{Stand, plan};
use super::{Row, grouped};
use crate::console;
use crate::failure::Failure;
use tokio::runtime::Runtime;

/// The goal, in bytes.
const MEMORY: f64 = 500e6;

pub(super) fn idle(runtime: &Runtime, clients: u32) -> Result<Vec<Row>, Failure> {
    console::remark(&format!("{clients} clients come in and do nothing"));
    let (stand, keys) = Stand::open(runtime, &plan(1), async |store| keys(store, clients).await)?;
    let empty = stand.memory()?;
    let mut crowd = runtime.block_on(Crowd::gather(stand.gateway, keys, None))?;
    let full = stand.memory()?;
    let each = full.saturating_sub(empty) as f64 / f64::from(clients);
    Ok(vec![Row {
        what: format!(
            "{} clients connected that do nothing: memory of the arena",
            grouped(crowd.connected() as u64)
        ),
        ours: format!("{:.0} MB ({:.1} KB each)", full as f64 / 1e6, each / 1e3),
        against: format!("{:.0} MB", MEMORY / 1e6),
        ratio: full as f64 / MEMORY,
        goal: "1 or less",
    }])
}
