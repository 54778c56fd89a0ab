//! Orders of any number of ships, in actions.

use crate::support::orders;
use palestra_auralux::{Auralux, Order};
use palestra_core::{AnyGame, Parsed, PlanRequest, Rng};

/// Some orders that can be carried out one after the other, if nothing is spent on the spot.
fn some_orders(own: &[(usize, i32)], planets: usize, rng: &mut Rng) -> Vec<Order> {
    let mut list = Vec::new();
    for &(from, ships) in own {
        let mut left = ships;
        while left > 0 && rng.chance(2, 3) {
            let count = rng.between(1, left as u32) as i32;
            let to = rng.below(planets as u32) as i32 + 1;
            if to != from as i32 + 1 {
                list.push((from as i32 + 1, to, count));
                left -= count;
            }
        }
    }
    orders(&list)
}

#[test]
fn every_order_can_be_said_exactly() {
    let mut rng = Rng::new(5);
    let plan = Auralux.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 3 }).unwrap();
    let (exact, fixed) = (Auralux.exact_space(&plan).unwrap(), Auralux.space(&plan).unwrap());
    let channel = |name: &str| exact.counts.iter().position(|channel| channel.name == name).unwrap();
    let (ships, width, planets) = (channel("ships"), exact.counts.len(), exact.extent.places());
    let mut state = Auralux.open(&plan).unwrap();
    let (mut page, mut beyond) = (exact.page(), 0);
    for turn in 1..=400 {
        let Some(seat) = state.to_move() else { break };
        state.observe(&exact, seat, &[], &mut page.open());
        let own: Vec<(usize, i32)> = (0..planets)
            .filter(|planet| page.planes[planet * exact.planes.len() + 1] == 1)
            .map(|planet| (planet, page.counts[planet * width + ships]))
            .collect();
        let list = some_orders(&own, planets, &mut rng);
        let mut text = format!("{}\n", list.len());
        for order in &list {
            text += &format!("{} {} {}\n", order.from, order.to, order.count);
        }
        assert_eq!(state.parse(seat, text.as_bytes()), Parsed::Done { used: text.len() });
        beyond += u32::from(state.encode_actions(&fixed, seat).is_none());
        let actions = state.encode_actions(&exact, seat).expect("it can be said");
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
    assert!(beyond > 50, "{beyond} answers are no shares");
}

#[test]
fn ships_that_are_not_there_are_not_added() {
    let plan = Auralux.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 3 }).unwrap();
    let exact = Auralux.exact_space(&plan).unwrap();
    let mut state = Auralux.open(&plan).unwrap();
    let seat = state.to_move().unwrap();
    let more = exact.kinds[2].start;
    assert!(state.decode_actions(&exact, seat, &[more + 3]), "there is no order yet: the turn ends");
    let one = exact.kinds[1].start;
    let mut page = exact.page();
    state.observe(&exact, seat, &[], &mut page.open());
    let first = (one..more).find(|action| page.mask[*action as usize] == 1).unwrap();
    assert!(state.decode_actions(&exact, seat, &[first, more + 30]), "so many are nowhere: the turn ends");
    let mut text = Vec::new();
    state.write_answer(&mut text);
    assert!(text.starts_with(b"1\n") && text.ends_with(b" 1\n"), "{}", String::from_utf8_lossy(&text));
}
