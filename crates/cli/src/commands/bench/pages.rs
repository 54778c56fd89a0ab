//! The pages of the site, from a database full of matches.

use super::stand::Stand;
use super::{Row, grouped};
use crate::console;
use crate::failure::Failure;
use crate::games::GAMES;
use palestra_arena::api::{MatchKind, MatchState};
use palestra_arena::ids::MatchId;
use palestra_arena::store::{BotRow, Changes, MatchRow, SeatRow, Store};
use palestra_core::Rng;
use std::time::Instant;
use tokio::runtime::Runtime;

/// The first games of the list, whichever they are.
fn games() -> [&'static str; 2] {
    [0, 1].map(|place| GAMES[place].info().id)
}

fn plan() -> String {
    let head =
        "name = \"A long event\"\nsite = \"127.0.0.1:0\"\ngateway = \"127.0.0.1:0\"\nfolder = \"event\"\n";
    let game = |id: &str| format!("\n[[game]]\nid = \"{id}\"\nsubmissions = false\n");
    head.to_owned() + &games().map(game).concat()
}

const PLAYERS: u32 = 500;
/// Matches that are stored at a time.
const BATCH: u32 = 5_000;
/// Times that each page is asked for.
const ASKED: usize = 200;
/// The goal, in milliseconds: a page takes single ones.
const PAGE: f64 = 10.0;

pub(super) fn pages(runtime: &Runtime, matches: u32) -> Result<Vec<Row>, Failure> {
    console::remark(&format!("{matches} matches are stored, which takes a while"));
    let (stand, opened) = Stand::open(runtime, &plan(), async |store| {
        fill(store, matches).await?;
        Ok(Instant::now())
    })?;
    let opened = opened.elapsed().as_secs_f64();
    let mut rng = Rng::stream(7, "pages", 0);
    let mut pages = Vec::new();
    for (name, address) in addresses() {
        let mut times = Vec::new();
        for _ in 0..ASKED {
            let number = |rng: &mut Rng, most: u32| (1 + rng.below(most)).to_string();
            let address = address
                .replace("{game}", games()[0])
                .replace("{match}", &number(&mut rng, matches))
                .replace("{bot}", &number(&mut rng, PLAYERS))
                .replace("{player}", &number(&mut rng, PLAYERS));
            let start = Instant::now();
            stand.page(&address)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        pages.push((name, times[times.len() / 2], times[times.len() * 99 / 100]));
    }
    let stored = grouped(matches.into());
    let mut rows: Vec<Row> = pages
        .into_iter()
        .map(|(name, median, worst)| Row {
            what: format!("{stored} matches stored: {name}"),
            ours: format!("{median:.1} ms, 99th percentile {worst:.1} ms"),
            against: format!("{PAGE:.0} ms"),
            ratio: worst / PAGE,
            goal: "1 or less",
        })
        .collect();
    rows.push(Row {
        what: format!("{stored} matches stored: from the start to an open arena"),
        ours: format!("{opened:.2} s"),
        against: "5 s".to_owned(),
        ratio: opened / 5.0,
        goal: "1 or less",
    });
    Ok(rows)
}

/// What the site asks for, page by page.
fn addresses() -> [(&'static str, &'static str); 10] {
    [
        ("the site itself", "/"),
        ("the start page", "/api/event"),
        ("a leaderboard", "/api/games/{game}/standings"),
        ("the newest matches", "/api/matches"),
        ("matches somewhere in the middle", "/api/matches?before={match}"),
        ("those of one game and kind", "/api/matches?game={game}&kind=ladder&before={match}"),
        ("those of one player", "/api/matches?player={player}&before={match}"),
        ("a match", "/api/matches/{match}/info"),
        ("a player", "/api/players/{player}"),
        ("a bot with its chart and everybody it met", "/api/bots/{bot}"),
    ]
}

/// Players who have played each other all the time.
async fn fill(store: &Store, matches: u32) -> Result<(), Failure> {
    let mut bots: Vec<Vec<(BotRow, String)>> = vec![Vec::new(); games().len()];
    for number in 0..PLAYERS {
        let name = format!("player-{number}");
        let (account, _) = store.add_program(&name).await.map_err(Failure::input)?;
        let game = number as usize % games().len();
        let bot = store.bot_of(account.id, games()[game], None, 1500.0).await.map_err(Failure::input)?;
        bots[game].push((bot, name));
    }
    let mut rng = Rng::stream(7, "matches", 0);
    let mut stored = 0;
    while stored < matches {
        let upto = matches.min(stored + BATCH);
        let changes = Changes {
            matches: (stored..upto).map(|number| one(i64::from(number) + 1, &mut bots, &mut rng)).collect(),
            bots: bots.iter().flatten().map(|(bot, _)| bot.clone()).collect(),
            ..Changes::default()
        };
        store.commit(&changes).await.map_err(Failure::input)?;
        stored = upto;
    }
    Ok(())
}

/// A match of two bots of one game, and what it does to them.
fn one(number: i64, bots: &mut [Vec<(BotRow, String)>], rng: &mut Rng) -> MatchRow {
    const KINDS: [MatchKind; 3] = [MatchKind::Free, MatchKind::Ladder, MatchKind::Ladder];
    let game = rng.below(games().len() as u32) as usize;
    let bots = &mut bots[game];
    let first = rng.below(bots.len() as u32) as usize;
    let second = (first + 1 + rng.below(bots.len() as u32 - 1) as usize) % bots.len();
    let change = rng.below(16) as f64;
    let mut seat = |index: usize, place: u32, change: f64| {
        let (bot, name) = &mut bots[index];
        bot.elo += change;
        bot.played += 1;
        *(if place == 1 { &mut bot.won } else { &mut bot.lost }) += 1;
        SeatRow {
            player: Some(bot.player),
            bot: Some(bot.id),
            name: name.clone(),
            place,
            elo: Some((bot.elo, change)),
            ..SeatRow::default()
        }
    };
    MatchRow {
        id: MatchId(number),
        counted: number,
        game: games()[game].to_owned(),
        kind: KINDS[rng.below(3) as usize],
        round: None,
        challenge: None,
        state: MatchState::Finished,
        started: number * 1_000,
        ended: number * 1_000 + 500,
        turns: 400,
        seed: rng.bits(),
        seats: vec![seat(first, 1, change), seat(second, 2, -change)],
        replay: false,
        why: None,
        worker: None,
    }
}
