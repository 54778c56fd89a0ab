//! The rules, the views and the text of a turn take no memory from the heap.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use palestra_core::{Bot, BotSeat, Eye, Game, Input, Notes, Protocol, Seat};
use palestra_rps::{Action, Arena, Rps, Settings};
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

/// Plays a match of built-in players a second time with the buffers of the first one; gives its ticks and what it took
/// from the heap after its start.
fn play(names: [&str; 2], settings: &Settings) -> (u64, u64) {
    let mut action = Action::default();
    let (mut text, mut answer) = (Vec::new(), Vec::new());
    let mut bots: Vec<Box<dyn Bot<Rps>>> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let built_in = Rps::BUILT_INS.iter().find(|bot| bot.name == *name).unwrap();
            (built_in.make)(BotSeat { seat: Seat::at(index), seed: 5, argument: None }).unwrap()
        })
        .collect();
    let mut measured = (0, 0);
    for seed in 0..2 {
        let mut state = Rps::start(settings, &Arena::new(settings.size).unwrap(), seed).unwrap();
        let mut notes = Notes::counted();
        // What counts the remarks makes its room at the first one.
        notes.add(Seat::new(2), String::new);
        let before = ALLOCATIONS.with(Cell::get);
        let mut ticks = 0;
        while let Some(seat) = Rps::to_move(&state) {
            let view = Rps::view(&state, Eye::Seat(seat));
            text.clear();
            Rps::ask(view, &mut text);
            bots[seat.index()].act(view, &mut action).unwrap();
            answer.clear();
            Rps::write_answer(&action, &mut answer);
            Rps::parse(view, &answer, &mut action);
            Rps::apply(&mut state, seat, Input::Answer(&action), &mut notes);
            ticks += 1;
        }
        measured = (ticks, ALLOCATIONS.with(Cell::get) - before);
        // Whatever the first match was like, the second one may come to more units.
        let most = settings.max_ticks as usize;
        action.orders.reserve(most);
        text.reserve(most * 20);
        answer.reserve(most * 20);
    }
    measured
}

#[test]
fn a_tick_takes_nothing_from_the_heap() {
    let long = Settings { hold_ticks: 100_000, ..Settings::default() };
    let crowded = Settings {
        first_unit_ticks: 1,
        unit_ticks_growth: 0,
        max_ticks: 2000,
        size: 30,
        ..Settings::default()
    };
    for (names, settings) in [
        (["random", "random"], &long),
        (["bot", "random"], &long),
        (["greedy", "random"], &long),
        (["marshal", "greedy"], &long),
        (["marshal", "random"], &long),
        (["random", "random"], &crowded),
        (["bot", "bot"], &Settings::default()),
    ] {
        let (ticks, allocations) = play(names, settings);
        assert_eq!(allocations, 0, "{names:?}: in {ticks} ticks");
        assert!(ticks > 50, "{names:?}: {ticks}");
    }
}
