//! Moves of any number of units and every building, in actions.

use palestra_core::{AnyGame, Parsed, PlanRequest, Rng};
use palestra_grifaki::Grifaki;

#[test]
fn every_move_and_every_building_can_be_said_exactly() {
    let mut rng = Rng::new(5);
    let plan = Grifaki.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 3 }).unwrap();
    let (exact, fixed) = (Grifaki.exact_space(&plan).unwrap(), Grifaki.space(&plan).unwrap());
    let own = exact.planes.iter().position(|channel| channel.name == "own").unwrap();
    let (rows, columns) = (exact.extent.rows as i64, exact.extent.columns as i64);
    let mut state = Grifaki.open(&plan).unwrap();
    let (mut page, mut beyond, mut built) = (exact.page(), 0, 0);
    for turn in 1..=3000 {
        let Some(seat) = state.to_move() else { break };
        state.observe(&exact, seat, &[], &mut page.open());
        let cells: Vec<usize> = (0..exact.extent.places())
            .filter(|cell| page.planes[cell * exact.planes.len() + own] == 1)
            .collect();
        let cell = *rng.pick(&cells).unwrap();
        let [row, column] = [cell as i64 / columns, cell as i64 % columns];
        let steps = [[0, 0], [-1, 0], [0, -1], [0, 1], [1, 0]];
        let build = rng.chance(1, 4);
        let [down, right] = *rng.pick(if build { &steps[..] } else { &steps[1..] }).unwrap();
        let to = [row + down, column + right];
        if !(0..rows).contains(&to[0]) || !(0..columns).contains(&to[1]) {
            continue;
        }
        let what = match build {
            true => (*rng.pick(&["WALL", "CITY"]).unwrap()).to_owned(),
            false => rng.between(1, page.counts[cell] as u32).to_string(),
        };
        let word = if build { "BUILD" } else { "MOVE" };
        let text = format!("{word} {row} {column} {} {} {what}\n", to[0], to[1]);
        assert!(matches!(state.parse(seat, text.as_bytes()), Parsed::Done { .. }), "{text}");
        beyond += u32::from(state.encode_actions(&fixed, seat).is_none());
        let actions = state.encode_actions(&exact, seat).expect("it can be said");
        built += u32::from(build);
        for said in 1..actions.len() {
            state.observe(&exact, seat, &actions[..said], &mut page.open());
            assert_eq!(page.mask[actions[said] as usize], 1, "turn {turn}: {text}");
        }
        assert!(state.decode_actions(&exact, seat, &actions));
        let mut again = Vec::new();
        state.write_answer(&mut again);
        assert_eq!(String::from_utf8(again).unwrap(), text, "turn {turn}");
        state.apply(seat, turn);
    }
    assert!(beyond > 100 && built > 100, "{beyond} moves are no parts, {built} buildings");
}
