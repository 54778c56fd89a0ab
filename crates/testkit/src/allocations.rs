//! Counts what a game takes from the heap.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use crate::players::seated;
use palestra_core::game::{ActionOf, SettingsOf, SetupOf, State as _};
use palestra_core::{Eye, Input, Notes, Progress, Protocol};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// Bytes that this thread has taken and not given back; what others took for it may make it negative.
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, with a count for each thread. A test makes it its `#[global_allocator]`.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.with(|held| held.set(held.get() - layout.size() as isize));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn count(bytes: isize) {
    ALLOCATIONS.with(|count| count.set(count.get() + 1));
    let held = HELD.with(|held| {
        held.set(held.get() + bytes);
        held.get()
    });
    PEAK.with(|peak| peak.set(peak.get().max(held)));
}

/// Does something, and says how many bytes of the heap this thread held at the most meanwhile, beyond what it held
/// before. Memory that C libraries take for themselves is not counted.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let done = work();
    (done, (PEAK.with(Cell::get) - before).unsigned_abs())
}

/// How many bytes of the heap this thread has taken and not given back. What others give back for it still counts.
pub fn held() -> isize {
    HELD.with(Cell::get)
}

/// Does something, and says how often this thread took something from the heap meanwhile.
pub fn allocations_of<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = ALLOCATIONS.with(Cell::get);
    let done = work();
    (done, ALLOCATIONS.with(Cell::get) - before)
}

/// Plays a whole game of built-in players, with every turn's text written and read, which takes nothing from the heap after
/// the first `warm_up` turns, in which players make their tables; gives its turns.
pub fn check_no_allocations<G: Protocol>(
    settings: &SettingsOf<G>,
    setup: &SetupOf<G>,
    names: &[&str],
    seed: u64,
    warm_up: u64,
) -> u64 {
    let mut buffers = Buffers::<G>::default();
    // Once to let the buffers that outlive a turn find their size, and once to count.
    play(settings, setup, names, seed, warm_up, &mut buffers);
    let (turns, allocations) = play(settings, setup, names, seed, warm_up, &mut buffers);
    assert_eq!(allocations, 0, "{names:?}, seed {seed}: in {turns} turns");
    turns
}

/// What a driver keeps from turn to turn.
struct Buffers<G: Protocol> {
    action: ActionOf<G>,
    ask: Vec<u8>,
    answer: Vec<u8>,
}

impl<G: Protocol> Default for Buffers<G> {
    fn default() -> Self {
        Buffers { action: ActionOf::<G>::default(), ask: Vec::new(), answer: Vec::new() }
    }
}

fn play<G: Protocol>(
    settings: &SettingsOf<G>,
    setup: &SetupOf<G>,
    names: &[&str],
    seed: u64,
    warm_up: u64,
    buffers: &mut Buffers<G>,
) -> (u64, u64) {
    let mut state = G::State::start(settings, setup, seed).expect("a sound start");
    let mut bots = seated::<G>(names, |_| seed);
    let mut notes = Notes::counted();
    let (mut turns, mut before) = (0, 0);
    while let Some(seat) = state.to_move() {
        if turns == warm_up {
            before = ALLOCATIONS.with(Cell::get);
        }
        let view = state.view(Eye::Seat(seat));
        buffers.ask.clear();
        G::ask(view, &mut buffers.ask);
        bots[seat.index()].act(view, &mut buffers.action).expect("it answers");
        buffers.answer.clear();
        G::write_answer(&buffers.action, &mut buffers.answer);
        G::parse(view, &buffers.answer, &mut Progress::default(), &mut buffers.action);
        state.apply(seat, Input::Answer(&buffers.action), &mut notes);
        turns += 1;
    }
    (turns, ALLOCATIONS.with(Cell::get) - before)
}
