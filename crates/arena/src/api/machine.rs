//! How busy the arena's machine is, for organisers.

use serde::Serialize;
use utoipa::ToSchema;

/// How busy the machine is, and whether that hurts.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MachineView {
    /// Its processor cores.
    pub cores: u32,
    /// How many programs want a core, on average over the last minute; nothing where the system does not tell.
    pub load: Option<f64>,
    /// Matches of the last minutes in which a bot ran out of time because it was kept from the processor.
    pub stalled: u32,
    /// How many minutes these are.
    pub stalled_minutes: u32,
    /// Versions that wait to be compiled and tried.
    pub waiting_versions: u32,
    /// Whether organisers should do something.
    pub busy: bool,
}
