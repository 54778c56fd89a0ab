//! No turn takes memory: not the rules, not the built-in players, not the text for a bot.
#![allow(unsafe_code, reason = "counting allocations takes an allocator, and those are unsafe")]

mod support;

use palestra_auralux::{Auralux, Settings};
use palestra_core::play::play;
use palestra_core::{Eye, Game, Notes, Protocol, Seat};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

fn count_one() {
    COUNT.with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is handed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: the caller keeps to the same contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the same contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        // SAFETY: the caller keeps to the same contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn check(names: [&str; 4]) {
    let settings = Settings::default();
    let map = Auralux::MAPS.iter().find(|map| map.name == "four").unwrap();
    let setup = Auralux::read_setup(&settings, map.text).unwrap();
    let mut state = Auralux::start(&settings, &setup, 1).unwrap();
    let mut bots: Vec<_> = Seat::all(4).map(|seat| support::built_in(names[seat.index()], seat, 1)).collect();
    let mut notes = Notes::counted();
    // The list of orders is made inside `play`; the bots make their tables in their first turn.
    play::<Auralux>(&mut state, &mut bots, &mut notes, 2000);

    let mut text = Vec::with_capacity(1 << 16);
    let mut answer = Vec::with_capacity(1000);
    let before = COUNT.with(Cell::get);
    let mut turns = 0;
    while turns < 6000
        && let Some(seat) = Auralux::to_move(&state)
    {
        text.clear();
        let view = Auralux::view(&state, Eye::Seat(seat));
        Auralux::ask(view, &mut text);
        bots[seat.index()].act(view, &mut answer).unwrap();
        text.clear();
        Auralux::write_answer(&answer, &mut text);
        Auralux::parse(view, &text, &mut answer);
        Auralux::apply(&mut state, seat, palestra_core::Input::Answer(&answer), &mut notes);
        turns += 1;
    }
    assert_eq!(COUNT.with(Cell::get), before, "allocations in {turns} turns of {names:?}");
    assert!(turns > 1000, "{turns} turns of {names:?}");
}

#[test]
fn idle_games_take_no_memory() {
    check(["afk"; 4]);
    check(["upgrade_and_repair_main"; 4]);
}

#[test]
fn busy_games_take_no_memory() {
    check(["aggressive_expansion_nearest"; 4]);
    check(["aggressive_expansion_random_with_sort"; 4]);
}

#[test]
fn the_admiral_takes_no_memory() {
    check(["admiral"; 4]);
}
