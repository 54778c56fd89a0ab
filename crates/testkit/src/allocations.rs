//! Counts what a game takes from the heap.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use palestra_core::{Bot, BotSeat, Eye, Input, Notes, Protocol, Seat};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with a count for each thread. A test makes it its `#[global_allocator]`.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Plays a whole game of built-in players, with every turn's text written and read; gives its turns, and what it took
/// from the heap after the first `warm_up` of them, in which players and buffers find their size.
pub fn allocations_of_a_game<G: Protocol>(
    settings: &G::Settings,
    setup: &G::Setup,
    names: &[&str],
    seed: u64,
    warm_up: u64,
) -> (u64, u64) {
    let mut state = G::start(settings, setup, seed).expect("a sound start");
    let mut bots: Vec<Box<dyn Bot<G>>> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let built_in =
                G::BUILT_INS.iter().find(|built_in| built_in.name == *name).expect("a built-in player");
            (built_in.make)(BotSeat { seat: Seat::at(index), seed, argument: None })
                .expect("it needs no argument")
        })
        .collect();
    let mut notes = Notes::counted();
    let mut action = G::Action::default();
    let mut text = Vec::with_capacity(1 << 20);
    let mut answer = Vec::with_capacity(1 << 16);
    let (mut turns, mut before) = (0, 0);
    while let Some(seat) = G::to_move(&state) {
        if turns == warm_up {
            before = ALLOCATIONS.with(Cell::get);
        }
        let view = G::view(&state, Eye::Seat(seat));
        text.clear();
        G::ask(view, &mut text);
        bots[seat.index()].act(view, &mut action).expect("it answers");
        answer.clear();
        G::write_answer(&action, &mut answer);
        G::parse(view, &answer, &mut action);
        G::apply(&mut state, seat, Input::Answer(&action), &mut notes);
        turns += 1;
    }
    (turns, ALLOCATIONS.with(Cell::get) - before)
}
