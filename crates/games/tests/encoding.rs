//! What every game must pass that is told in numbers: these tests walk the list of games and know none by name.

use palestra_core::encoding::{Page, Space, pick};
use palestra_core::replay::{Cursor, Recorded};
use palestra_core::{
    AnyGame, AnyState, Entrant, Hides, Match, Next, Parsed, Plan, PlanRequest, Replay, Rng, Seat, TimeControl,
};
use palestra_games::GAMES;
use palestra_testkit::Readings;

/// A match of two players of this game, and what it looks like in numbers: with the usual actions, and with exact ones.
fn opened(game: &dyn AnyGame, seed: u64) -> ([Space; 2], Box<dyn AnyState>) {
    let plan = game.plan(&PlanRequest { changes: &[], map: None, players: 2, seed }).unwrap();
    let state = game.open(&plan).unwrap();
    (spaces(game, &plan), state)
}

fn spaces(game: &dyn AnyGame, plan: &Plan) -> [Space; 2] {
    [game.space(plan).unwrap(), game.exact_space(plan).unwrap()]
}

fn page(state: &dyn AnyState, space: &Space, seat: Seat, said: &[u32]) -> Page {
    // Whatever is in a page before, everything is written.
    let mut page = space.page();
    page.planes.fill(0xaa);
    page.counts.fill(-7);
    page.globals.fill(-7);
    page.mask.fill(0xaa);
    state.observe(space, seat, said, &mut page.open());
    page
}

/// Actions of one turn, drawn at random from those that are allowed, a few orders at most.
fn turn(state: &dyn AnyState, space: &Space, seat: Seat, rng: &mut Rng) -> Vec<u32> {
    let mut said = Vec::new();
    let orders = rng.below(6) as usize;
    loop {
        let mask = page(state, space, seat, &said).mask;
        assert!(mask.iter().all(|allowed| *allowed <= 1));
        let drawn = pick(&mask, rng).expect("something is always allowed");
        let enough = space.several && said.len() >= orders;
        said.push(if enough { space.actions - 1 } else { drawn });
        if state.fork().decode_actions(space, seat, &said) {
            return said;
        }
    }
}

#[test]
fn an_action_is_what_the_text_of_the_protocol_says() {
    for game in GAMES {
        let mut rng = Rng::new(5);
        for seed in 0..20 {
            let (spaces, mut by_number) = opened(*game, seed);
            let space = &spaces[seed as usize % 2];
            let mut by_text = by_number.fork();
            for number in 1..400 {
                let Some(seat) = by_number.to_move() else { break };
                let said = turn(&*by_number, space, seat, &mut rng);
                assert!(by_number.decode_actions(space, seat, &said));
                let (mut text, mut answer) = (Vec::new(), Vec::new());
                by_number.write_answer(&mut text);
                by_number.encode_answer(&mut answer);
                assert_eq!(by_text.parse(seat, &text), Parsed::Done { used: text.len() });
                assert!(by_text.answer_is(&answer), "{}: {said:?}", game.info().id);
                // And back: other actions may say the same, but they say the same.
                let again = by_number.encode_actions(space, seat).expect("an answer out of actions");
                assert!(by_number.decode_actions(space, seat, &again) && by_number.answer_is(&answer));
                by_number.apply(seat, number);
                by_text.apply(seat, number);
                assert_eq!(by_number.digest(), by_text.digest());
                assert_eq!(by_number.notes().count(seat), 0, "{}: {said:?} was allowed", game.info().id);
            }
        }
    }
}

#[test]
fn what_the_mask_leaves_out_is_not_allowed_or_does_nothing() {
    for game in GAMES {
        let mut rng = Rng::new(6);
        for space in opened(*game, 3).0 {
            let (_, mut state) = opened(*game, 3);
            let last = space.actions - 1;
            for number in 1..300 {
                let Some(seat) = state.to_move() else { break };
                let mask = page(&*state, &space, seat, &[]).mask;
                // Of a game without an action that does nothing, only whether it is allowed can be asked.
                let mut idle = state.fork();
                assert!(space.rest.is_none() || idle.decode_actions(&space, seat, &[last]));
                idle.apply(seat, number);
                for _ in 0..20 {
                    let action = rng.below(space.actions);
                    if mask[action as usize] == 1 {
                        continue;
                    }
                    let mut tried = state.fork();
                    let whole = tried.decode_actions(&space, seat, &[action])
                        || tried.decode_actions(&space, seat, &[action, last]);
                    assert!(whole, "every number means something");
                    tried.apply(seat, number);
                    let refused = tried.notes().count(seat) > 0;
                    assert!(
                        refused || (space.rest.is_some() && tried.digest() == idle.digest()),
                        "{}: {action} in turn {number}",
                        game.info().id
                    );
                }
                let said = turn(&*state, &space, seat, &mut rng);
                assert!(state.decode_actions(&space, seat, &said));
                state.apply(seat, number);
            }
        }
    }
}

/// Plays built-in players against each other to the end.
fn play(game: &dyn AnyGame, bots: [&str; 2], seed: u64) -> Replay {
    let plan = game.plan(&PlanRequest { changes: &[], map: None, players: 2, seed }).unwrap();
    let entrants = bots.map(Entrant::built_in);
    let mut running = Match::new(game, plan, &entrants, TimeControl::Unlimited).unwrap();
    while running.next() != Next::Over {}
    running.finish(Vec::new()).unwrap().1
}

fn nth_name(game: &dyn AnyGame, number: usize) -> &'static str {
    let built_ins = game.built_ins();
    built_ins[number % built_ins.len()].name
}

#[test]
fn what_is_hidden_changes_no_number_that_a_seat_is_shown() {
    for game in GAMES {
        let replay = play(*game, [nth_name(*game, 2), nth_name(*game, 3)], 8);
        let space = game.space(&replay.head.plan).unwrap();
        let mut disturbed = 0;
        let step = (replay.head.turns as usize / 25).max(1);
        for (seed, stop) in (0..replay.head.turns).step_by(step).enumerate() {
            for seat in Seat::all(replay.head.plan.seats) {
                let mut cursor = Cursor::start(*game, &replay).unwrap();
                for _ in 0..stop {
                    cursor.advance(&replay).unwrap();
                }
                let before = page(cursor.state(), &space, seat, &[]);
                if cursor.state_mut().disturb_hidden(seat, seed as u64) {
                    disturbed += 1;
                    assert!(page(cursor.state(), &space, seat, &[]) == before, "turn {stop}, seat {seat}");
                }
            }
        }
        // A game that hides something must have been put to the test.
        assert_eq!(disturbed > 10, game.info().hides != Hides::Nothing, "{}", game.info().id);
    }
}

#[test]
fn recorded_answers_that_can_be_said_in_numbers_are_played_by_them() {
    for game in GAMES {
        let (mut said, mut all) = ([0, 0], 0);
        for seed in 0..10 {
            let replay = play(*game, [nth_name(*game, 1), nth_name(*game, seed as usize)], seed);
            let spaces = spaces(*game, &replay.head.plan);
            let mut cursor = Cursor::start(*game, &replay).unwrap();
            while let Some(turn) = cursor.peek(&replay).unwrap() {
                if let Recorded::Answer(recorded) = turn.input {
                    all += 1;
                    for (space, said) in spaces.iter().zip(&mut said) {
                        if let Some(actions) = cursor.state().encode_actions(space, turn.seat) {
                            *said += 1;
                            assert!(cursor.state_mut().decode_actions(space, turn.seat, &actions));
                            assert!(cursor.state().answer_is(recorded), "{}: {actions:?}", game.info().id);
                        }
                    }
                }
                cursor.advance(&replay).unwrap();
            }
        }
        let [usual, exact] = said;
        assert!(usual * 10 > all && exact * 100 > 99 * all, "{}: {said:?} of {all}", game.info().id);
    }
}

#[test]
fn what_a_bot_is_sent_says_all_that_its_seat_sees() {
    for game in GAMES {
        let info = game.info();
        for players in (info.min_seats..=info.max_seats).take(2) {
            for (seed, piece) in [(1, 1000), (2, 1 << 16)] {
                let readings = Readings { changes: &[], map: None, players, seed, late: 0 };
                assert!(readings.check_drawn(*game, piece) > 10, "{}", info.id);
                Readings { late: 30, ..readings }.check_drawn(*game, piece);
            }
            let names: Vec<&str> = (1..=players.into()).map(|number| nth_name(*game, number)).collect();
            let readings = Readings { changes: &[], map: None, players, seed: 3, late: 0 };
            assert!(readings.check_played(*game, &names) > 10, "{}", info.id);
        }
    }
}

#[test]
fn a_space_says_what_its_numbers_are() {
    for game in GAMES {
        let ([space, _], state) = opened(*game, 1);
        let page = page(&*state, &space, Seat::new(1), &[]);
        assert_eq!(page.planes.len(), space.board.iter().product::<usize>() * space.planes.len());
        assert_eq!(space.board.iter().product::<usize>(), space.extent.places());
        assert!(!space.globals.is_empty() && space.actions > 1);
        let channels = [&space.planes, &space.counts, &space.globals];
        for list in channels {
            assert!(list.iter().all(|channel| channel.scale > 0 && !channel.name.is_empty()));
            let mut names: Vec<&str> = list.iter().map(|channel| channel.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), list.len(), "{}: a name is used twice", game.info().id);
        }
        let ends = space.kinds.iter().map(|kind| kind.start + kind.size());
        assert!(ends.eq(space.kinds.iter().skip(1).map(|kind| kind.start).chain([space.actions])));
    }
}

#[test]
fn every_channel_and_every_action_is_documented() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for game in GAMES {
        let folders =
            ["games", "crates/cli/tests/fixtures"].map(|folder| root.join(folder).join(game.info().id));
        let folder = folders.iter().find(|folder| folder.is_dir()).expect("a game is a folder");
        let text =
            std::fs::read_to_string(folder.join("observations.md")).expect("its numbers are documented");
        let ([space, exact], _) = opened(*game, 1);
        let channels = [&space.planes, &space.counts, &space.globals].into_iter().flatten();
        let names = channels.map(|channel| channel.name.as_str());
        let kinds = [&space.kinds, &exact.kinds]
            .into_iter()
            .flatten()
            .flat_map(|kind| [kind.name].into_iter().chain(kind.factors.iter().map(|(name, _)| *name)));
        for name in names.chain(kinds) {
            // Of every player, or of every place, one stands for all.
            let short = name.strip_prefix("own_").or_else(|| name.strip_prefix("other_1_")).unwrap_or(name);
            let numbered = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
            let first = format!("`{numbered}1`");
            let told =
                [format!("`{name}`"), format!("`{short}`"), first].iter().any(|word| text.contains(word));
            assert!(told, "{}: nothing is said of {name}", game.info().id);
        }
    }
}
