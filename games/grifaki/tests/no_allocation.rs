//! The rules, the views and the text of a turn take no memory from the heap.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use palestra_core::{Bot, BotSeat, Eye, Game, Input, Notes, Protocol, Seat};
use palestra_grifaki::{Action, Grifaki, Settings};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

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

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Plays a whole game of built-in players on a 24 x 24 board; gives its turns and what it took from the heap after
/// the first turns, in which players make their buffers.
fn play(names: &[&str], seed: u64) -> (u64, u64) {
    const WARM_UP: u64 = 50;
    let settings = Settings { max_game_duration: 3000, ..Settings::default() };
    let map = Grifaki::generate(&settings, &[24, 24, names.len() as u32], seed).unwrap();
    let mut state = Grifaki::start(&settings, &map, seed).unwrap();
    let mut bots: Vec<Box<dyn Bot<Grifaki>>> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let built_in = Grifaki::BUILT_INS.iter().find(|bot| bot.name == *name).unwrap();
            (built_in.make)(BotSeat { seat: Seat::at(index), seed, argument: None }).unwrap()
        })
        .collect();
    let mut notes = Notes::counted();
    let mut action = Action::default();
    let mut text = Vec::with_capacity(1 << 16);
    let mut answer = Vec::with_capacity(100);
    let (mut turns, mut before) = (0, 0);
    while let Some(seat) = Grifaki::to_move(&state) {
        if turns == WARM_UP {
            before = ALLOCATIONS.with(Cell::get);
        }
        let view = Grifaki::view(&state, Eye::Seat(seat));
        text.clear();
        Grifaki::ask(view, &mut text);
        bots[seat.index()].act(view, &mut action).unwrap();
        answer.clear();
        Grifaki::write_answer(&action, &mut answer);
        Grifaki::parse(view, &answer, &mut action);
        Grifaki::apply(&mut state, seat, Input::Answer(&action), &mut notes);
        turns += 1;
    }
    (turns, ALLOCATIONS.with(Cell::get) - before)
}

fn check(names: &[&str], least_turns: u64) {
    let mut all = 0;
    for seed in 1..4 {
        let (turns, allocations) = play(names, seed);
        assert_eq!(allocations, 0, "{names:?}, seed {seed}: in {turns} turns");
        all += turns;
    }
    assert!(all >= least_turns, "{names:?}: only {all} turns");
}

#[test]
fn a_turn_takes_nothing_from_the_heap() {
    check(&["random", "random"], 10_000);
    // With captures of capitals.
    check(&["expander", "random", "expander"], 3_000);
}

#[test]
fn the_warlord_only_uses_its_own_buffers() {
    check(&["warlord", "warlord", "expander"], 1_000);
}
