//! Batches of all games, through everything that a learner sees of them.

use palestra_core::batch::{Autoreset, Maps, ScenarioRequest};
use palestra_core::{AnyGame, PlanRequest};
use palestra_games::GAMES;
use palestra_testkit::allocations_of;
use palestra_train::{Batch, BatchError, Memory};

#[global_allocator]
static ALLOCATOR: palestra_testkit::Counting = palestra_testkit::Counting;

/// The observation and the mask of the seat to move.
fn page<'a>(memory: &'a Memory, batch: &Batch, env: usize) -> (&'a [u8], &'a [i32], &'a [i32], &'a [u8]) {
    let shape = batch.shape();
    let page = env * shape.pages + if shape.pages == 1 { 0 } else { memory.seat[env] as usize };
    (
        &memory.planes[page * shape.planes..][..shape.planes],
        &memory.counts[page * shape.counts..][..shape.counts],
        &memory.globals[page * shape.globals..][..shape.globals],
        &memory.mask[page * shape.actions..][..shape.actions],
    )
}

fn request<'a>() -> ScenarioRequest<'a> {
    ScenarioRequest {
        changes: &[],
        maps: Maps::Usual,
        map_pool: Some(512),
        players: 2,
        opponents: &[],
        per_seat: false,
        exact: false,
        autoreset: Autoreset::NextStep,
        max_steps: Some(150),
    }
}

fn batch(game: &dyn AnyGame, request: &ScenarioRequest<'_>, envs: usize, threads: usize) -> (Batch, Memory) {
    let mut batch = Batch::new(game.scenario(request).unwrap(), envs, threads, 7).unwrap();
    let mut memory = Memory::of(&batch);
    // What was there before does not matter.
    memory.planes.fill(9);
    memory.counts.fill(9);
    memory.globals.fill(9);
    memory.mask.fill(9);
    memory.rewards.fill(9.0);
    memory.terminated.fill(9);
    memory.truncated.fill(9);
    memory.alive.fill(9);
    memory.last_planes.fill(9);
    batch.reset(None, memory.open()).unwrap();
    (batch, memory)
}

/// Moves one batch by drawn actions.
fn step(batch: &mut Batch, memory: &mut Memory) -> Vec<i32> {
    let mut actions = vec![0; batch.envs()];
    batch.sample(&memory.mask, &mut actions).unwrap();
    batch.step(&actions, memory.open()).unwrap();
    actions
}

#[test]
fn the_same_seed_gives_the_same_stream_on_any_number_of_threads() {
    for game in GAMES {
        let name = game.built_ins()[1].name.to_owned();
        let opponents = [None, Some(name)];
        for opponents in [&[][..], &opponents[..]] {
            let request = ScenarioRequest { opponents, ..request() };
            let (mut alone, mut one) = batch(*game, &request, 300, 1);
            let (mut together, mut many) = batch(*game, &request, 300, 4);
            for number in 0..80 {
                assert!(one == many, "{} before step {number}", game.info().id);
                let actions = step(&mut alone, &mut one);
                assert_eq!(step(&mut together, &mut many), actions);
            }
            assert!(one == many);
        }
    }
}

/// Moves a batch whose observations are kept beside one that writes them anew, by the same actions.
fn compare(game: &dyn AnyGame, request: &ScenarioRequest<'_>, steps: usize) {
    const ENVS: usize = 8;
    let (mut full, mut whole) = batch(game, request, ENVS, 1);
    let (mut kept, mut pages) = batch(game, &ScenarioRequest { per_seat: true, ..*request }, ENVS, 1);
    for number in 0..steps {
        for env in 0..ENVS {
            assert!(
                page(&whole, &full, env) == page(&pages, &kept, env),
                "{}, {} players, environment {env} before step {number}",
                game.info().id,
                request.players
            );
        }
        assert_eq!((&whole.seat, &whole.rewards), (&pages.seat, &pages.rewards));
        let actions = step(&mut full, &mut whole);
        kept.step(&actions, pages.open()).unwrap();
    }
}

#[test]
fn what_is_kept_turn_by_turn_is_what_is_written_anew() {
    for game in GAMES {
        // With an opponent, the page of the only learner is kept in either way.
        for opponents in [vec![], vec![None, Some(game.built_ins()[1].name.to_owned())]] {
            let request = ScenarioRequest { max_steps: Some(900), opponents: &opponents, ..request() };
            compare(*game, &request, 1200);
        }
    }
}

#[test]
fn what_is_kept_is_right_on_every_board_that_ships() {
    for game in GAMES {
        for map in game.maps() {
            let wanted = PlanRequest { changes: &[], map: Some(map.text), players: 2, seed: 1 };
            let players = game.plan(&wanted).unwrap().seats;
            let maps = [map.text.to_owned()];
            let request =
                ScenarioRequest { maps: Maps::Given(&maps), players, max_steps: Some(600), ..request() };
            compare(*game, &request, 700);
        }
    }
}

/// The first, who has a city in reach, and the second, who has nothing but a capital, are neighbours; the third is too far away to
/// see it fall.
#[test]
fn what_falls_out_of_sight_is_kept_right() {
    let maps = ["1 9 3\n2 0 3 3 4 1 1 1 1 3\n".to_owned()];
    let game = palestra_games::by_id("generals").unwrap();
    let request = ScenarioRequest { maps: Maps::Given(&maps), players: 3, max_steps: Some(400), ..request() };
    compare(game, &request, 2000);
}

#[test]
fn an_episode_ends_once_and_its_rewards_are_shared_out() {
    for game in GAMES {
        for mode in [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled] {
            let weak = game.built_ins()[0].name.to_owned();
            let opponents = [None, Some(weak)];
            let request =
                ScenarioRequest { opponents: &opponents, autoreset: mode, max_steps: Some(40), ..request() };
            let (mut batch, mut memory) = batch(*game, &request, 4, 1);
            let mut ended = vec![0; 4];
            for _ in 0..200 {
                let before = memory.clone();
                step(&mut batch, &mut memory);
                for (env, ended) in ended.iter_mut().enumerate() {
                    let over = |memory: &Memory| memory.terminated[env] + memory.truncated[env];
                    assert!(over(&memory) <= 1);
                    let rewards = &memory.rewards[env * 2..][..2];
                    assert_eq!(rewards[0] + rewards[1], 0.0);
                    if over(&memory) == 0 || mode == Autoreset::Disabled && over(&before) == 1 {
                        assert_eq!(rewards, [0.0; 2], "only the end is worth something");
                    }
                    *ended += over(&memory);
                    match mode {
                        Autoreset::NextStep => {
                            assert!(over(&before) + over(&memory) < 2, "a step begins the next one");
                        }
                        Autoreset::SameStep => assert!(page(&memory, &batch, env).3.contains(&1)),
                        Autoreset::Disabled => assert!(over(&memory) >= over(&before), "it stays over"),
                    }
                }
            }
            assert!(ended.iter().all(|times| *times >= 4), "{}: {ended:?}", game.info().id);
        }
    }
}

#[test]
fn boards_of_several_sizes_share_one_space() {
    for game in GAMES {
        let maps: Vec<String> = game.maps().iter().map(|map| map.text.to_owned()).collect();
        let two: Vec<String> = maps
            .iter()
            .filter(|map| {
                game.scenario(&ScenarioRequest { maps: Maps::Given(std::slice::from_ref(*map)), ..request() })
                    .is_ok()
            })
            .cloned()
            .collect();
        assert!(two.len() > 1);
        let request = ScenarioRequest { maps: Maps::Given(&two), max_steps: Some(20), ..request() };
        let (mut batch, mut memory) = batch(*game, &request, 12, 1);
        for _ in 0..100 {
            step(&mut batch, &mut memory);
        }
        let error = game.scenario(&ScenarioRequest { players: 3, ..request }).err().unwrap().to_string();
        assert!(error.contains("there are 3"), "{error}");
    }
}

#[test]
fn bad_input_is_told_and_loses_nothing() {
    let game = GAMES[0];
    let (mut batch, mut memory) = batch(game, &request(), 4, 1);
    let before = memory.clone();
    let actions = batch.shape().actions as i32;
    for wrong in [-1, actions, i32::MIN] {
        let error = batch.step(&[0, 0, wrong, 0], memory.open()).unwrap_err();
        assert_eq!(error, BatchError::Action { env: 2, action: wrong, actions: actions as usize });
    }
    assert!(matches!(batch.step(&[0; 3], memory.open()), Err(BatchError::Buffer { name: "actions", .. })));
    let mut short = memory.clone();
    short.mask.pop();
    assert!(matches!(batch.reset(None, short.open()), Err(BatchError::Buffer { name: "mask", .. })));
    assert!(memory == before);
    let scenario =
        |request: ScenarioRequest<'_>| game.scenario(&request).err().map(|error| error.to_string());
    let all = [Some("random".to_owned()), Some("random".to_owned())];
    assert!(scenario(ScenarioRequest { opponents: &all, ..request() }).unwrap().contains("learns"));
    assert!(scenario(ScenarioRequest { opponents: &all[..1], ..request() }).unwrap().contains("for 2 seats"));
    assert!(scenario(ScenarioRequest { maps: Maps::Given(&[]), ..request() }).unwrap().contains("empty"));
    assert!(scenario(ScenarioRequest { map_pool: Some(0), ..request() }).unwrap().contains("pool of 0 maps"));
    let nobody = [None, Some("nobody".to_owned())];
    let scenario = game.scenario(&ScenarioRequest { opponents: &nobody, ..request() }).unwrap();
    assert!(Batch::new(scenario, 2, 1, 1).err().unwrap().to_string().contains("no built-in player"));
    let envs =
        |envs, threads| Batch::new(game.scenario(&request()).unwrap(), envs, threads, 1).err().unwrap();
    assert!(envs(0, 1).to_string().contains("0 environments"));
    assert!(envs(1, 0).to_string().contains("0 threads"));
}

#[test]
fn another_seed_is_another_stream_and_the_same_one_begins_it_again() {
    for game in GAMES {
        let request = ScenarioRequest { map_pool: [None, Some(3)][game.info().id.len() % 2], ..request() };
        let (mut batch, mut memory) = batch(*game, &request, 16, 1);
        let mut stream = |seed: u64| {
            batch.reset(Some(seed), memory.open()).unwrap();
            (0..60).map(|_| step(&mut batch, &mut memory)).collect::<Vec<_>>()
        };
        let first = stream(1);
        assert_ne!(stream(2), first);
        assert_eq!(stream(1), first);
    }
}

#[test]
fn a_step_within_an_episode_takes_nothing_from_the_heap() {
    for game in GAMES {
        for per_seat in [true, false] {
            let request =
                ScenarioRequest { per_seat, max_steps: None, autoreset: Autoreset::Disabled, ..request() };
            let (mut batch, mut memory) = batch(*game, &request, 4, 1);
            let mut actions = vec![0; 4];
            let (mut counted, mut took) = (0, 0);
            for number in 0..2000 {
                if memory.terminated.contains(&1) {
                    batch.reset(None, memory.open()).unwrap();
                }
                let ((), taken) = allocations_of(|| {
                    batch.sample(&memory.mask, &mut actions).unwrap();
                    batch.step(&actions, memory.open()).unwrap();
                });
                if number >= 200 && !memory.terminated.contains(&1) {
                    counted += 1;
                    took += u32::from(taken > 0);
                }
            }
            // Lists grow with what is on the board, by doubling: a few times in a whole game.
            let id = game.info().id;
            assert!(counted > 0 && took * 100 <= counted, "{id}: {took} of {counted} steps");
        }
    }
}

#[test]
fn what_was_seen_at_the_end_is_there_when_another_episode_begins_in_the_same_step() {
    for game in GAMES {
        for per_seat in [true, false] {
            let stays = ScenarioRequest {
                per_seat,
                autoreset: Autoreset::Disabled,
                max_steps: Some(60),
                ..request()
            };
            let goes_on = ScenarioRequest { autoreset: Autoreset::SameStep, ..stays };
            let (mut first, mut end) = batch(*game, &stays, 6, 1);
            let (mut second, mut next) = batch(*game, &goes_on, 6, 3);
            assert!(end.last_planes.is_empty() && next.last_planes.len() == next.planes.len());
            let mut over = [false; 6];
            for _ in 0..60 {
                let mut actions = vec![0; 6];
                first.sample(&end.mask, &mut actions).unwrap();
                second.sample(&next.mask, &mut [0; 6]).unwrap();
                first.step(&actions, end.open()).unwrap();
                second.step(&actions, next.open()).unwrap();
                let shape = first.shape();
                for (env, over) in over.iter_mut().enumerate().filter(|(_, over)| !**over) {
                    if end.terminated[env] + end.truncated[env] == 0 {
                        continue;
                    }
                    *over = true;
                    assert_eq!(next.terminated[env] + next.truncated[env], 1);
                    let part =
                        |channels: usize| env * shape.pages * channels..(env + 1) * shape.pages * channels;
                    assert_eq!(next.last_planes[part(shape.planes)], end.planes[part(shape.planes)]);
                    assert_eq!(next.last_counts[part(shape.counts)], end.counts[part(shape.counts)]);
                    assert_eq!(next.last_globals[part(shape.globals)], end.globals[part(shape.globals)]);
                    let new = next.planes[part(shape.planes)] != end.planes[part(shape.planes)]
                        || next.globals[part(shape.globals)] != end.globals[part(shape.globals)];
                    assert!(new, "{}: another episode has begun", game.info().id);
                }
                if over.contains(&true) {
                    break;
                }
            }
            assert!(over.contains(&true), "{}", game.info().id);
        }
    }
}
