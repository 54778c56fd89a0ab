//! Arrays of the caller that steps are written to. The only place of this package that reads and writes memory by its address.
//!
//! The arrays are looked at once, when they are handed over: they are contiguous, writable, and do not overlap. From then on
//! they are kept alive, and only their addresses are used: a step asks Python for nothing.
#![allow(unsafe_code, reason = "arrays of Python are memory that others may look at, too")]

use crate::value_error;
use numpy::{Element, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use palestra_core::batch;
use pyo3::prelude::*;
use std::ops::Range;

/// One array.
struct Held<T> {
    _array: Py<PyArray1<T>>,
    start: *mut T,
    len: usize,
}

// SAFETY: the memory belongs to an array that is kept alive, and not to a thread.
unsafe impl<T: Send> Send for Held<T> {}
// SAFETY: nothing is done with a shared one.
unsafe impl<T: Send> Sync for Held<T> {}

impl<T: Element> Held<T> {
    fn new(name: &str, array: &Bound<'_, PyArray1<T>>, taken: &mut Vec<Range<usize>>) -> PyResult<Held<T>> {
        if !array.is_c_contiguous() {
            return Err(value_error(format!("the buffer {name} is not contiguous")));
        }
        // Fails for an array that must not be written to.
        let writable = array
            .try_readwrite()
            .map_err(|error| value_error(format!("the buffer {name} cannot be written to: {error}")))?;
        let (start, len) = (array.data(), array.len());
        drop(writable);
        let bytes = start as usize..start as usize + len * size_of::<T>();
        if len > 0 && taken.iter().any(|other| bytes.start < other.end && other.start < bytes.end) {
            return Err(value_error(format!("the buffer {name} shares memory with another one")));
        }
        taken.push(bytes);
        Ok(Held { _array: array.clone().unbind(), start, len })
    }
}

impl<T> Held<T> {
    fn open(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: `start` and `len` are those of a contiguous, writable array that is alive as long as `self`, and that shares
        // no memory with the others; `&mut self` keeps other steps away. NumPy asks its users not to look at an array while
        // another thread writes to it.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

/// All arrays of a batch, each as one row of numbers.
pub(crate) struct Buffers {
    planes: Held<u8>,
    counts: Held<i32>,
    globals: Held<i32>,
    mask: Held<u8>,
    rewards: Held<f32>,
    terminated: Held<u8>,
    truncated: Held<u8>,
    seat: Held<i32>,
    alive: Held<u8>,
    last_planes: Held<u8>,
    last_counts: Held<i32>,
    last_globals: Held<i32>,
}

/// The arrays by the names of [`Buffers`].
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Arrays<'py> {
    planes: Bound<'py, PyArray1<u8>>,
    counts: Bound<'py, PyArray1<i32>>,
    globals: Bound<'py, PyArray1<i32>>,
    mask: Bound<'py, PyArray1<u8>>,
    rewards: Bound<'py, PyArray1<f32>>,
    terminated: Bound<'py, PyArray1<u8>>,
    truncated: Bound<'py, PyArray1<u8>>,
    seat: Bound<'py, PyArray1<i32>>,
    alive: Bound<'py, PyArray1<u8>>,
    last_planes: Bound<'py, PyArray1<u8>>,
    last_counts: Bound<'py, PyArray1<i32>>,
    last_globals: Bound<'py, PyArray1<i32>>,
}

impl Buffers {
    pub(crate) fn new(arrays: &Arrays<'_>) -> PyResult<Buffers> {
        let mut taken = Vec::new();
        Ok(Buffers {
            planes: Held::new("planes", &arrays.planes, &mut taken)?,
            counts: Held::new("counts", &arrays.counts, &mut taken)?,
            globals: Held::new("globals", &arrays.globals, &mut taken)?,
            mask: Held::new("mask", &arrays.mask, &mut taken)?,
            rewards: Held::new("rewards", &arrays.rewards, &mut taken)?,
            terminated: Held::new("terminated", &arrays.terminated, &mut taken)?,
            truncated: Held::new("truncated", &arrays.truncated, &mut taken)?,
            seat: Held::new("seat", &arrays.seat, &mut taken)?,
            alive: Held::new("alive", &arrays.alive, &mut taken)?,
            last_planes: Held::new("last_planes", &arrays.last_planes, &mut taken)?,
            last_counts: Held::new("last_counts", &arrays.last_counts, &mut taken)?,
            last_globals: Held::new("last_globals", &arrays.last_globals, &mut taken)?,
        })
    }

    pub(crate) fn open(&mut self) -> batch::Buffers<'_> {
        batch::Buffers {
            planes: self.planes.open(),
            counts: self.counts.open(),
            globals: self.globals.open(),
            mask: self.mask.open(),
            rewards: self.rewards.open(),
            terminated: self.terminated.open(),
            truncated: self.truncated.open(),
            seat: self.seat.open(),
            alive: self.alive.open(),
            last_planes: self.last_planes.open(),
            last_counts: self.last_counts.open(),
            last_globals: self.last_globals.open(),
        }
    }

    pub(crate) fn masks(&mut self) -> &[u8] {
        self.mask.open()
    }
}
