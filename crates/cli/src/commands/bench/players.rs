//! How clearly each built-in player of the sparring ladder beats the one below: the tables of the rule books.

use crate::commands::duel::Meeting;
use crate::console;
use crate::failure::Failure;
use crate::games::{self, GAMES};
use crate::report::new_table;
use crate::signals;
use comfy_table::CellAlignment;
use palestra_core::AnyGame;
use palestra_league::duel::{DuelPlan, DuelReport};
use palestra_league::limits;
use palestra_league::match_runner::{MapCache, MatchSetup};
use palestra_league::plan::Map;
use palestra_league::rating::sprt::SprtSettings;
use palestra_runner::{Guard, Interrupt};
use serde::Serialize;
use std::process::ExitCode;

/// Play each built-in player against the one a level below
///
/// Paired games on new maps, as `palestra duel --games` plays them: the tables in the rule books. The same seed gives the
/// same numbers on every machine.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  palestra bench players                      every game, a thousand games for each level
  palestra bench players rps --games 100      a look at one of them")]
pub(crate) struct Args {
    /// Games to look at; all if none is named
    #[arg(value_name = "GAME")]
    games_named: Vec<String>,
    /// Games for each pair of players
    #[arg(long = "games", value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    count: u64,
    /// Decides everything left to chance
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The figures as one JSON object on standard output
    #[arg(long)]
    json: bool,
}

/// One player against the one below.
#[derive(Serialize)]
struct Row {
    game: &'static str,
    level: u8,
    player: &'static str,
    against: &'static str,
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let named = args.games_named.iter().map(|name| games::find(name)).collect::<Result<Vec<_>, _>>()?;
    let interrupt = signals::interrupt()?;
    let mut rows = Vec::new();
    for game in if named.is_empty() { GAMES.to_vec() } else { named } {
        let players = game.sparring_ladder();
        for (below, player) in players.iter().zip(&players[1..]) {
            let report = duel(game, [player.name, below.name], args, &interrupt)?;
            rows.push(Row {
                game: game.info().id,
                level: player.level.unwrap_or(0),
                player: player.name,
                against: below.name,
                games: report.games,
                won: report.wins,
                drawn: report.draws,
                lost: report.losses,
            });
        }
    }
    match args.json {
        true => console::print_json(&serde_json::json!({ "rows": rows }))?,
        false => console::print(&table(&rows))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn duel(
    game: &'static dyn AnyGame,
    bots: [&str; 2],
    args: &Args,
    interrupt: &Interrupt,
) -> Result<DuelReport, Failure> {
    let seats = game.info().min_seats.max(2);
    let setup = MatchSetup {
        settings: Vec::new(),
        time: game.info().time,
        maps: vec![Map::Fresh],
        seed: args.seed,
        generated: MapCache::default(),
    };
    let plan = DuelPlan {
        seats,
        maps: 1,
        seed: args.seed,
        test: SprtSettings::default(),
        max_games: args.count,
        all_games: true,
        retries: limits::RETRIES,
    };
    let guard = Guard::off();
    Meeting { game, bots, plan, setup, guard: &guard, parallel: None, workers: None, quiet: args.json }
        .play(interrupt)
}

fn table(rows: &[Row]) -> String {
    let mut table = new_table();
    table.set_header(["game", "level", "player", "against", "won", "drawn", "lost", "share"]);
    for row in rows {
        let share = format!("{:.1} %", 100.0 * row.won as f64 / row.games.max(1) as f64);
        let numbers = [row.won, row.drawn, row.lost].map(|count| count.to_string());
        let [won, drawn, lost] = &numbers;
        let level = row.level.to_string();
        table.add_row([row.game, &level, row.player, row.against, won, drawn, lost, &share]);
    }
    for column in [1, 4, 5, 6, 7] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{}\n", table.trim_fmt())
}
