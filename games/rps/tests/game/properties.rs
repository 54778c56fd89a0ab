//! Whole matches of random and nonsensical answers, tick by tick against a slow version of the rules; and what must
//! hold in every match.

use crate::reference::Reference;
use palestra_core::{AnyGame, AnyState, Eye, Fault, Parsed, PlanRequest, Rng, Seat};
use palestra_rps::Rps;
use proptest::prelude::*;

/// How the answers of a match are made.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// Percent of units that get an order.
    busy: u32,
    /// Percent of orders that lead to the enemy's corner.
    bold: u32,
    /// Percent of answers with nonsense in them.
    noise: u32,
    /// Percent of answers that do not come in time.
    late: u32,
}

const NOISE: &[&str] = &[
    "prod X",
    "prod",
    "prod r",
    "prod R P",
    "0 up",
    "99999 left",
    "-1 up",
    "4294967296 up",
    "1",
    "1 north",
    "1 up up",
    "up 1",
    "?",
    "",
    " ",
    "pong",
    "opponent 3 7 bot",
    "opponent ",
    "login secret",
    ". .",
    "..",
    "é",
    "\u{0}",
    "tick 5",
    "finished victory",
    "+1 up",
    "01 up",
    "1\tright",
    "  2  down ",
    "prod\tS",
    "PROD R",
];

fn made_up_answer(reference: &Reference, style: Style, rng: &mut Rng) -> String {
    let mover = reference.mover();
    let mut lines = Vec::new();
    for unit in &reference.units {
        if unit.side == mover && rng.chance(style.busy, 100) {
            let way = if rng.chance(style.bold, 100) {
                *rng.pick(&["right", "down"]).unwrap()
            } else {
                *rng.pick(&["left", "right", "up", "down"]).unwrap()
            };
            lines.push(format!("{} {way}", unit.id));
        }
    }
    if rng.chance(1, 3) {
        rng.shuffle(&mut lines);
    }
    if rng.chance(1, 8) || reference.tick <= 2 {
        lines.push(format!("prod {}", rng.pick(&["R", "P", "S"]).unwrap()));
    }
    if rng.chance(style.noise, 100) {
        for _ in 0..rng.between(1, 4) {
            let line = if rng.chance(1, 2) {
                (*rng.pick(NOISE).unwrap()).to_owned()
            } else {
                // Any number there might be: own, the enemy's, one that has vanished.
                let id = rng.between(0, reference.last_id + 2);
                format!("{id} {}", rng.pick(&["left", "right", "up", "down"]).unwrap())
            };
            lines.insert(rng.below(lines.len() as u32 + 1) as usize, line);
        }
    }
    lines.join(if rng.chance(1, 4) { "\r\n" } else { "\n" })
}

fn open(reference: &Reference) -> Box<dyn AnyState> {
    let changes = [
        ("first_unit_ticks", reference.first_unit_ticks.to_string()),
        ("unit_ticks_growth", reference.growth.to_string()),
        ("factor_one_base", format!("{},{}", reference.one_base[0], reference.one_base[1])),
        ("factor_two_bases", format!("{},{}", reference.two_bases[0], reference.two_bases[1])),
        ("hold_ticks", reference.hold_ticks.to_string()),
        ("max_ticks", reference.max_ticks.to_string()),
        ("max_missed_answers", reference.max_missed.to_string()),
    ]
    .map(|(key, value)| (key.to_owned(), value));
    let map = format!("arena {}", reference.size);
    let request = PlanRequest { changes: &changes, map: Some(&map), players: 2, seed: 0 };
    Rps.open(&Rps.plan(&request).unwrap()).unwrap()
}

/// Plays a match to its end in both, and compares every packet to both seats.
fn compare(mut reference: Reference, style: Style, seed: u64) -> (u32, Option<usize>) {
    let mut rng = Rng::new(seed);
    let mut table = open(&reference);
    let packet = |table: &dyn AnyState, side: usize| {
        let mut text = Vec::new();
        table.ask(Seat::at(side), &mut text);
        String::from_utf8(text).unwrap()
    };
    while let Some(seat) = table.to_move() {
        let side = reference.mover();
        assert_eq!(seat, Seat::at(side));
        for side in [0, 1] {
            assert_eq!(packet(&*table, side), reference.packet(side));
        }
        let tick = reference.tick;
        if rng.chance(style.late, 100) {
            reference.play(None);
            table.fault(seat, tick, &Fault::OutOfTime);
        } else {
            let answer = made_up_answer(&reference, style, &mut rng);
            let text = format!("{answer}\n.\n");
            assert_eq!(table.parse(seat, text.as_bytes()), Parsed::Done { used: text.len() }, "{text:?}");
            reference.play(Some(&answer));
            table.apply(seat, tick);
        }
        assert_eq!(table.rounds(), tick);
        let frame = table.frame(Eye::Spectator);
        for (player, side) in frame["players"].as_array().unwrap().iter().zip(&reference.sides) {
            assert_eq!(player["ignored"], side.ignored);
            assert_eq!((&player["hold"], &player["missed"]), (&side.hold.into(), &side.missed.into()));
            assert_eq!(
                player["production"]["spent"],
                serde_json::json!([side.rock, side.paper, side.scissors])
            );
        }
    }
    for side in [0, 1] {
        let mut text = Vec::new();
        assert!(table.dismissal(Seat::at(side), &mut text));
        assert_eq!(String::from_utf8(text).unwrap(), reference.packet(side));
    }
    let winner = table.outcome().unwrap().winner.map(|seat| seat.index());
    assert_eq!(winner, reference.result.filter(|result| *result < 2));
    (reference.tick - 1, reference.result)
}

#[test]
fn usual_matches_are_as_the_slow_rules_have_them() {
    let style = Style { busy: 80, bold: 60, noise: 20, late: 2 };
    let mut ends = [0; 3];
    for seed in 0..12 {
        let mut reference = Reference::usual(20);
        reference.max_ticks = 1500;
        let (_, result) = compare(reference, style, seed);
        ends[result.unwrap()] += 1;
    }
    assert!(ends[0] + ends[1] > 0, "{ends:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn matches_of_every_kind_are_as_the_slow_rules_have_them(
        seed in any::<u64>(),
        size in 4..14_i32,
        first_unit_ticks in 1..8_u64,
        growth in 0..3_u64,
        one_base in [1..5_u64, 1..5_u64],
        two_bases in [1..5_u64, 1..5_u64],
        hold_ticks in 1..25_u32,
        max_ticks in 1..500_u32,
        max_missed in 1..6_u32,
        busy in 30..101_u32,
        bold in 0..101_u32,
        noise in 0..60_u32,
        late in 0..30_u32,
    ) {
        let reference = Reference {
            first_unit_ticks, growth, one_base, two_bases, hold_ticks, max_ticks, max_missed,
            ..Reference::usual(size)
        };
        compare(reference, Style { busy, bold, noise, late }, seed);
    }

    /// Turned by half a turn and with the answers given by the other one, a tick is the same: the far player has
    /// neither gain nor loss from being mirrored.
    #[test]
    fn the_arena_is_the_same_from_both_corners(seed in any::<u64>(), size in 4..12_i32) {
        let mut rng = Rng::new(seed);
        let mut reference = Reference { max_ticks: 400, first_unit_ticks: 3, ..Reference::usual(size) };
        // Both tables play the same answers, the second one a tick later and so by the other player.
        let (mut near, mut far) = (open(&reference), open(&reference));
        far.parse(Seat::new(1), b".\n");
        far.apply(Seat::new(1), 1);
        while let (Some(seat), Some(other)) = (near.to_move(), far.to_move()) {
            prop_assert_ne!(seat, other);
            let (mut one, mut two) = (Vec::new(), Vec::new());
            near.ask(seat, &mut one);
            far.ask(other, &mut two);
            let body = |text: Vec<u8>| String::from_utf8(text).unwrap().split_once("soldiers").unwrap().1.to_owned();
            prop_assert_eq!(body(one), body(two));
            let answer = made_up_answer(&reference, Style { busy: 90, bold: 50, noise: 20, late: 0 }, &mut rng);
            let text = format!("{answer}\n.\n");
            reference.play(Some(&answer));
            for (table, seat) in [(&mut near, seat), (&mut far, other)] {
                table.parse(seat, text.as_bytes());
                table.apply(seat, 1);
            }
        }
    }

    /// Whatever a client writes up to its point is an answer, and is kept and written back as what it means.
    #[test]
    fn every_text_is_an_answer_once_it_has_its_point(
        lines in prop::collection::vec(prop_oneof![
            "[ -~]{0,20}",
            "[0-9]{1,11} (left|right|up|down)",
            "prod [RPSX]",
            prop::sample::select(NOISE).prop_map(str::to_owned),
        ], 0..20),
        more in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let text: String = lines.iter().filter(|line| line.trim() != ".").map(|line| format!("{line}\n")).collect();
        let mut bytes = format!("{text}.\n").into_bytes();
        let used = bytes.len();
        let seat = Seat::new(1);
        let mut table = open(&Reference::usual(20));
        for cut in 0..used {
            prop_assert_eq!(table.parse(seat, &bytes[..cut]), Parsed::NeedMore);
        }
        bytes.extend_from_slice(&more);
        prop_assert_eq!(table.parse(seat, &bytes), Parsed::Done { used });
        let mut recorded = Vec::new();
        table.encode_answer(&mut recorded);
        let mut written = Vec::new();
        table.write_answer(&mut written);
        let mut again = open(&Reference::usual(20));
        prop_assert_eq!(again.parse(seat, &written), Parsed::Done { used: written.len() });
        prop_assert!(again.answer_is(&recorded));
        prop_assert_eq!(again.decode_answer(&recorded), Some(recorded.len()));
        prop_assert!(again.answer_is(&recorded));
    }
}
