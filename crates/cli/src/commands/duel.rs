//! `palestra duel`: is A better than B?

use crate::bots::{self, MapArgs, PoolArgs};
use crate::console;
use crate::failure::{self, Failure};
use crate::games;
use crate::match_args;
use crate::report::plural;
use crate::signals;
use crate::status::StatusDisplay;
use palestra_core::Catalog;
use palestra_league::duel::{A, B, Duel, DuelPlan, DuelReport};
use palestra_league::limits;
use palestra_league::match_runner::{MapCache, MatchRunner, MatchSetup};
use palestra_league::rating::Estimate;
use palestra_league::rating::limits::ELO_SHOWN;
use palestra_league::rating::sprt::SprtSettings;
use palestra_league::worker_pool::{self, Elsewhere};
use palestra_queue::{Field, FieldOptions};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::RwLock;

/// Find out whether bot A is better than bot B
///
/// Plays pairs of games (the same map and seed, seats exchanged; with more seats, A sits in every one of them once) and
/// stops as soon as it knows: a sequential probability ratio test, whose errors stay below the rates asked for. See
/// docs/tournaments.md for how it works.
#[derive(clap::Args)]
#[command(after_help = "\
For example:
  palestra duel generals ./v2.py ./v1.py
  palestra duel auralux new.cpp old.cpp --seats 4 --map maps/ring.txt --elo1 50

Exit codes: 0 A is better, 1 it is not (or not known), 2 usage, 3 bad input file,
4 a bot does not start or compile.")]
pub(crate) struct Args {
    /// The game
    game: String,
    /// The bot in question
    a: String,
    /// The bot it is compared with
    b: String,
    /// Seats of a match: one for A, the others for B
    #[arg(long, default_value_t = 2, value_name = "N")]
    seats: u8,
    #[command(flatten)]
    maps: MapArgs,
    /// Not better: A's advantage is this many Elo points or fewer
    #[arg(long, default_value_t = SprtSettings::default().elo0, value_name = "ELO", allow_negative_numbers = true)]
    elo0: f64,
    /// Better: A's advantage is this many Elo points or more
    #[arg(long, default_value_t = SprtSettings::default().elo1, value_name = "ELO", allow_negative_numbers = true)]
    elo1: f64,
    /// How often a bot that is not better may be called better
    #[arg(long, default_value_t = SprtSettings::default().alpha, value_name = "RATE")]
    alpha: f64,
    /// How often a bot that is better may be called not better
    #[arg(long, default_value_t = SprtSettings::default().beta, value_name = "RATE")]
    beta: f64,
    /// Stop after so many games, whatever is known
    #[arg(long, default_value_t = limits::DUEL_GAMES, value_name = "N")]
    max_games: u64,
    #[command(flatten)]
    pool: PoolArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = games::find(&args.game)?;
    let guard = args.pool.guard.guard()?;
    let interrupt = signals::interrupt()?;
    let seed = args.maps.seed.unwrap_or_else(match_args::new_seed);
    let maps = args.maps.maps(game)?;
    let plan = DuelPlan {
        seats: args.seats,
        maps: maps.len() as u32,
        seed,
        test: SprtSettings {
            elo0: args.elo0,
            elo1: args.elo1,
            alpha: args.alpha,
            beta: args.beta,
            ..SprtSettings::default()
        },
        max_games: args.max_games,
        retries: limits::RETRIES,
    };
    let time = args.maps.game.time.unwrap_or(game.info().time);
    let generated = MapCache::default();
    let setup = MatchSetup { settings: args.maps.game.settings.clone(), time, maps, seed, generated };
    for map in 0..plan.maps {
        setup.plan(game, map, args.seats, seed).map_err(Failure::usage)?;
    }
    let new_run = || Ok(palestra_queue::new_run());
    let queue = args.pool.queue.connect(None, new_run, args.pool.parallel)?;
    let field = queue.as_ref().map(|dispatcher| {
        let options = FieldOptions {
            game,
            setup: setup.clone(),
            sandbox: args.pool.guard.sandbox_elsewhere(None),
            cores: 1,
            replays: false,
            only_elsewhere: args.pool.parallel == Some(0),
        };
        Field::new(dispatcher, options)
    });
    let runner = MatchRunner {
        game,
        setup,
        guard: &guard,
        interrupt: &interrupt,
        replays: false,
        roster: RwLock::default(),
    };
    let places = worker_pool::worker_cores(1, args.pool.parallel);
    let quiet = args.pool.quiet();
    for (player, source) in [(A, &args.a), (B, &args.b)] {
        let identity = bots::identify(game, source, Path::new(""));
        bots::prepare(
            &runner,
            field.as_ref(),
            (player, source.as_str()),
            &identity,
            args.seats,
            &places,
            quiet,
        )
        .map_err(|why| Failure::bot(format!("{source} cannot play: {why}")))?;
    }
    let mut status =
        StatusDisplay::new(game.info(), &format!("{} against {}", args.a, args.b), quiet, queue.as_ref());
    let mut watch = |report: &DuelReport| status.show_duel(report);
    let mut duel = Duel::new(plan, &interrupt, &mut watch).map_err(Failure::usage)?;
    let elsewhere = field.as_ref().map(|field| field as &dyn Elsewhere<_, _>);
    worker_pool::run_with(&mut duel, &places, elsewhere, |job, cores| runner.play(job, cores))
        .map_err(Failure::bot)?;
    let report = duel.report();
    status.finish();
    let english = Catalog::english(game.info());
    let examples = report.examples.each_ref().map(|fault| fault.as_ref().map(|fault| english.say(fault)));
    if args.pool.json {
        let mut json = serde_json::to_value(&report).expect("a report is plain data");
        json["examples"] = json!(examples);
        console::print_json(&json)?;
    } else {
        console::print(&text(&report, &examples, args))?;
    }
    let stopped = interrupt.raised() && report.verdict == "undecided";
    Ok(match (report.verdict, stopped) {
        ("better", _) => ExitCode::SUCCESS,
        (_, true) => ExitCode::from(failure::INTERRUPTED),
        _ => ExitCode::from(failure::NOT_SO),
    })
}

/// Where one side won everything, only how much it is at least can be told.
fn difference(elo: &Estimate) -> String {
    let (value, low, high) = (elo.value, elo.low, elo.high);
    match (value >= ELO_SHOWN, value <= -ELO_SHOWN) {
        (true, _) => format!("difference: more than {low:+.0} Elo (95 %), as everything was won"),
        (_, true) => format!("difference: less than {high:+.0} Elo (95 %), as everything was lost"),
        _ => format!("difference: {value:+.0} Elo, between {low:+.0} and {high:+.0} (95 %)"),
    }
}

fn text(report: &DuelReport, examples: &[Option<String>; 2], args: &Args) -> String {
    let (a, b) = (&args.a, &args.b);
    let mut text = match report.verdict {
        "better" => format!(
            "\x1b[1m{a} is better than {b}\x1b[0m: by {:.0} Elo or more, rather than {:.0}\n",
            args.elo1, args.elo0
        ),
        "not_better" => format!(
            "\x1b[1m{a} is not better than {b}\x1b[0m: by {:.0} Elo or less, rather than {:.0}\n",
            args.elo0, args.elo1
        ),
        _ => format!(
            "\x1b[1mnot known yet\x1b[0m whether {a} is better than {b}; play on with more --max-games\n"
        ),
    };
    let games = |count: u64| format!("{count} {}", plural(count.min(2) as u32, "game"));
    let lines = [
        difference(&report.elo),
        format!("likelihood that it is better at all: {:.1} %", 100.0 * report.likelihood_of_superiority),
        format!(
            "{}: {} won, {} drawn, {} lost",
            games(report.games),
            report.wins,
            report.draws,
            report.losses
        ),
    ];
    for line in lines {
        writeln!(text, "{line}").expect("writing to a string");
    }
    if report.tainted > 0 {
        writeln!(text, "{} played again, because a time out was this machine's fault", games(report.tainted))
            .expect("writing to a string");
    }
    for (bot, faults, example) in [(a, &report.faults_a, &examples[0]), (b, &report.faults_b, &examples[1])] {
        for (kind, count) in faults {
            writeln!(text, "faults of {bot}: {kind} in {}", games(*count)).expect("writing to a string");
        }
        if let Some(example) = example {
            writeln!(text, "  the first: {example}").expect("writing to a string");
        }
    }
    text
}
