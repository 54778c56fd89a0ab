//! Buffers with their own memory, for whoever has none to bring.

use crate::Batch;
use palestra_core::batch::Buffers;

/// What a batch writes; see [`Buffers`].
#[allow(missing_docs, reason = "they are those of Buffers")]
#[derive(Clone, PartialEq, Debug)]
pub struct Memory {
    pub planes: Vec<u8>,
    pub counts: Vec<i32>,
    pub globals: Vec<i32>,
    pub mask: Vec<u8>,
    pub rewards: Vec<f32>,
    pub terminated: Vec<u8>,
    pub truncated: Vec<u8>,
    pub seat: Vec<i32>,
    pub alive: Vec<u8>,
    pub last_planes: Vec<u8>,
    pub last_counts: Vec<i32>,
    pub last_globals: Vec<i32>,
}

impl Memory {
    /// Room for a batch, all zeros.
    pub fn of(batch: &Batch) -> Memory {
        let (shape, envs) = (batch.shape(), batch.envs());
        let (pages, players) = (envs * shape.pages, envs * shape.players);
        let lasts = envs * shape.lasts;
        Memory {
            planes: vec![0; pages * shape.planes],
            counts: vec![0; pages * shape.counts],
            globals: vec![0; pages * shape.globals],
            mask: vec![0; pages * shape.actions],
            rewards: vec![0.0; players],
            terminated: vec![0; envs],
            truncated: vec![0; envs],
            seat: vec![0; envs],
            alive: vec![0; players],
            last_planes: vec![0; lasts * shape.planes],
            last_counts: vec![0; lasts * shape.counts],
            last_globals: vec![0; lasts * shape.globals],
        }
    }

    /// To be written to.
    pub fn open(&mut self) -> Buffers<'_> {
        Buffers {
            planes: &mut self.planes,
            counts: &mut self.counts,
            globals: &mut self.globals,
            mask: &mut self.mask,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            seat: &mut self.seat,
            alive: &mut self.alive,
            last_planes: &mut self.last_planes,
            last_counts: &mut self.last_counts,
            last_globals: &mut self.last_globals,
        }
    }
}
