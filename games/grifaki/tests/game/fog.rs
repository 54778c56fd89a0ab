//! What is hidden stays hidden: changing it changes nothing that a seat is sent or shown.

use palestra_core::{AnyGame, AnyState, Eye, PlanRequest, Seat};
use palestra_grifaki::Grifaki;
use proptest::prelude::*;

/// All that reaches a seat.
fn sent(table: &dyn AnyState, seat: Seat) -> String {
    let mut bytes = Vec::new();
    table.hello(seat, &mut bytes);
    table.ask(seat, &mut bytes);
    table.dismissal(seat, &mut bytes);
    String::from_utf8(bytes).unwrap() + &table.frame(Eye::Seat(seat)).to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn what_is_hidden_changes_no_byte(seed: u64, players in 2_u8..5, turns in 0_u32..600, five: bool) {
        let changes = [
            ("height".to_owned(), "12".to_owned()),
            ("five_word_seats".to_owned(), if five { "1".to_owned() } else { String::new() }),
        ];
        let plan = Grifaki.plan(&PlanRequest { changes: &changes, map: None, players, seed }).unwrap();
        let play = || {
            let mut table = Grifaki.open(&plan).unwrap();
            let names = ["warlord", "expander", "random", "expander"];
            for (seat, name) in Seat::all(players).zip(names) {
                table.seat_built_in(seat, name, seed).unwrap();
            }
            for turn in 1..=turns {
                let Some(seat) = table.to_move() else {
                    break;
                };
                table.think(seat).unwrap();
                table.apply(seat, turn);
            }
            table
        };
        for seat in Seat::all(players) {
            let mut table = play();
            let (before, digest) = (sent(&*table, seat), table.digest());
            if table.disturb_hidden(seat, seed) {
                prop_assert_ne!(table.digest(), digest, "something was changed");
                prop_assert_eq!(sent(&*table, seat), before);
            } else {
                prop_assert_eq!(table.digest(), digest, "nothing was changed");
            }
        }
    }
}
