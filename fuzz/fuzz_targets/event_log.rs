//! See `palestra_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| palestra_fuzz::event_log(bytes));
