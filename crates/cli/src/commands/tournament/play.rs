//! Plays a tournament, or goes on with it.

use super::plan::{self, Wanted};
use super::{Args, admin};
use crate::bots;
use crate::console;
use crate::failure::{self, Failure};
use crate::games;
use crate::queue;
use crate::report::counted;
use crate::signals;
use crate::standings;
use crate::status::StatusDisplay;
use palestra_core::{AnyGame, Catalog};
use palestra_league::event::{Event, Identity, StageRound, opening};
use palestra_league::log::Log as _;
use palestra_league::log_writer::{Batch, LogWriter};
use palestra_league::match_runner::{MatchRunner, MatchSetup};
use palestra_league::pairing::BotNumber;
use palestra_league::plan::TournamentPlan;
use palestra_league::store::Store;
use palestra_league::tournament::Tournament;
use palestra_league::tournament_run::TournamentRun;
use palestra_league::worker_pool::{self, Elsewhere};
use palestra_queue::{Field, FieldOptions};
use palestra_runner::{Cores, Guard, Interrupt};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::RwLock;

pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let wanted = plan::wanted(args)?;
    let mut store = Store::open(&wanted.folder)?;
    admin::tell_rebuilt(&store);
    let known = admin::plan_of(&mut store)?;
    let plan = match (&known, &wanted.plan) {
        (Some(plan), None) => plan.clone(),
        (Some(plan), Some(_)) => wanted.agrees_with(plan, &mut store)?,
        (None, Some((plan, _))) => plan.clone(),
        (None, None) => return Err(Failure::usage("there is no tournament to go on with")),
    };
    let game = games::find(&plan.game)?;
    let guard = args.pool.guard.guard_unless(wanted.sandbox)?;
    let interrupt = signals::interrupt()?;
    let run = || queue::run_of(store.folder());
    let queue = args.pool.queue.connect(wanted.queue.as_deref(), run, wanted.parallel)?;
    let field = queue.as_ref().map(|dispatcher| {
        let options = FieldOptions {
            game,
            setup: MatchSetup::of(&plan, game),
            sandbox: args.pool.guard.sandbox_elsewhere(wanted.sandbox),
            cores: plan.cores as u16,
            replays: true,
            only_elsewhere: wanted.parallel == Some(0),
        };
        Field::new(dispatcher, options)
    });
    let preparation = Preparation {
        game,
        field: field.as_ref(),
        guard: &guard,
        interrupt: &interrupt,
        places: worker_pool::worker_cores(plan.cores, wanted.parallel),
        without_broken: args.without_broken,
        quiet: args.pool.quiet(),
        file: wanted.file.as_deref(),
    };
    let runner = preparation.runner(&plan);
    match &wanted.plan {
        Some((plan, bots)) if known.is_none() => {
            if let Err(failure) = preparation.begin(&runner, plan, bots, &mut store) {
                store.discard();
                return Err(failure);
            }
        }
        _ => {}
    }
    let mut log = Vec::new();
    let mut tournament = Tournament::open(&mut store, &mut log)?;
    if known.is_some() && !tournament.over() {
        preparation.call_up(&runner, &mut tournament, &mut store, &mut log)?;
    }
    let mut status =
        StatusDisplay::new(game.info(), &tournament.plan().name, preparation.quiet, queue.as_ref());
    let mut run = TournamentRun {
        tournament,
        log_writer: LogWriter::begin(store.folder())?,
        store,
        batch: Batch::from(log),
        interrupt: &interrupt,
        observer: &mut status,
    };
    let elsewhere = field.as_ref().map(|field| field as &dyn Elsewhere<_, _>);
    let played =
        worker_pool::run_with(&mut run, &preparation.places, elsewhere, |job, cores| runner.play(job, cores));
    let TournamentRun { tournament, mut store, mut log_writer, batch, .. } = run;
    // Whatever stopped it: what was played is kept.
    log_writer.append(batch)?;
    log_writer.end()?;
    played?;
    status.finish();
    conclude(args, game, &tournament, &mut store)
}

/// Tells how far it has come, or what it came to.
fn conclude(
    args: &Args,
    game: &dyn AnyGame,
    tournament: &Tournament,
    store: &mut Store,
) -> Result<ExitCode, Failure> {
    if !tournament.over() {
        let progress = tournament.progress();
        console::remark(&format!(
            "stopped after {} of {}; start the same command again to go on",
            progress.finished,
            counted(progress.planned, "match")
        ));
        return Ok(ExitCode::from(failure::INTERRUPTED));
    }
    let overview = tournament.overview(&Catalog::english(game.info()));
    admin::write_reports(tournament, &overview, store)?;
    if args.pool.json {
        console::print_json(&overview)?;
    } else {
        console::print(&standings::closing(&overview, store.folder()))?;
    }
    let all_played = tournament.failures().is_empty();
    Ok(if all_played { ExitCode::SUCCESS } else { ExitCode::from(failure::NOT_SO) })
}

/// Where and how the matches are played.
struct Preparation<'a> {
    game: &'static dyn AnyGame,
    /// Those who are played on other machines, if some are.
    field: Option<&'a Field<'a>>,
    guard: &'a Guard,
    interrupt: &'a Interrupt,
    places: Vec<Cores>,
    without_broken: bool,
    quiet: bool,
    /// The file that the plan was read from, if there is one.
    file: Option<&'a Path>,
}

impl<'a> Preparation<'a> {
    fn runner(&self, plan: &TournamentPlan) -> MatchRunner<'a> {
        MatchRunner {
            game: self.game,
            setup: MatchSetup::of(plan, self.game),
            guard: self.guard,
            interrupt: self.interrupt,
            replays: true,
            roster: RwLock::default(),
        }
    }

    /// Makes everybody ready and opens the tournament.
    fn begin(
        &self,
        runner: &MatchRunner<'_>,
        plan: &TournamentPlan,
        bots: &[(String, Identity)],
        store: &mut Store,
    ) -> Result<(), Failure> {
        // Maps that do not fit are found before anybody has played.
        for (number, map) in (0..).zip(&plan.maps) {
            for stage in &plan.stages {
                runner.setup.plan(self.game, number, stage.seats, plan.seed).map_err(|error| {
                    Failure::input(format!("{}: the map {}: {error}", stage.name, map.name()))
                })?;
            }
        }
        let mut ready = Vec::new();
        for (name, identity) in bots {
            // Numbers are given without gaps, so whoever cannot play has none.
            let player = BotNumber(ready.len() as u32);
            match self.prepare(runner, player, name, identity, plan.stages[0].seats) {
                Ok(()) => ready.push((name.clone(), identity.clone())),
                Err(broken) => broken.tell_or_fail(self.without_broken)?,
            }
        }
        let names: Vec<&str> = ready.iter().map(|(name, _)| name.as_str()).collect();
        let checked = Tournament::check(plan, &names).map_err(Failure::from);
        checked.map_err(|failure| match self.file {
            Some(file) => failure.blamed_on(file),
            None => failure,
        })?;
        Ok(store.append(&opening(plan, &ready))?)
    }

    /// Makes those ready who take part in a tournament that goes on.
    fn call_up(
        &self,
        runner: &MatchRunner<'_>,
        tournament: &mut Tournament,
        store: &mut Store,
        log: &mut Vec<Event>,
    ) -> Result<(), Failure> {
        let seats = tournament.plan().stages[0].seats;
        let from = tournament.leaving_place(store)?;
        let mut dropped = Vec::new();
        for (number, bot) in tournament.bots().iter().enumerate() {
            let player = BotNumber(number as u32);
            let now = bots::identify(self.game, &bot.identity.source, Path::new(""));
            if bot.dropped.is_none()
                && now.fingerprint != bot.identity.fingerprint
                && now.fingerprint.is_some()
            {
                return Err(Failure::usage(format!(
                    "{} has changed since it last played; let the new one play from now on with palestra tournament \
                     replace-bot {:?} {:?} --dir {}",
                    bot.name,
                    bot.name,
                    bot.identity.source,
                    store.folder().display()
                )));
            }
            if let Err(broken) = self.prepare(runner, player, &bot.name, &bot.identity, seats)
                && bot.dropped.is_none()
            {
                broken.tell_or_fail(self.without_broken)?;
                dropped.push(Event::BotDropped { bot: player, why: broken.why, from });
            }
        }
        if !dropped.is_empty() {
            store.append(&dropped)?;
            log.clear();
            *tournament = Tournament::open(store, log)?;
        }
        Ok(())
    }

    /// Makes a bot ready and lets it answer once.
    fn prepare(
        &self,
        runner: &MatchRunner<'_>,
        player: BotNumber,
        name: &str,
        identity: &Identity,
        seats: u8,
    ) -> Result<(), Broken> {
        bots::prepare(runner, self.field, (player, name), identity, seats, &self.places, self.quiet)
            .map_err(|why| Broken { name: name.to_owned(), why, file: self.file.map(Path::to_owned) })
    }
}

/// A bot that cannot play.
struct Broken {
    name: String,
    why: String,
    /// The plan that names it.
    file: Option<PathBuf>,
}

impl Broken {
    fn tell_or_fail(&self, go_on: bool) -> Result<(), Failure> {
        let Broken { name, why, file } = self;
        let place = file.as_ref().map(|file| format!("{}: ", file.display())).unwrap_or_default();
        if go_on {
            console::remark(&format!("going on without {name}: {why}"));
            return Ok(());
        }
        Err(Failure::bot(format!(
            "{place}{name} cannot play: {why}; mend it, or go on without it: --without-broken"
        )))
    }
}

impl Wanted {
    /// A plan is written down once; what was asked for must be the same.
    fn agrees_with(&self, known: &TournamentPlan, store: &mut Store) -> Result<TournamentPlan, Failure> {
        let Some((plan, bots)) = &self.plan else {
            return Ok(known.clone());
        };
        let folder = store.folder().display().to_string();
        let mut plan = plan.clone();
        if !self.seeded {
            plan.seed = known.seed;
        }
        let changed = known.differences(&plan);
        if !changed.is_empty() {
            return Err(Failure::usage(format!(
                "{folder} holds a tournament with another plan ({} changed); go on with it by palestra tournament {folder}, \
                 or begin the new one in another folder with --dir",
                changed.join(", ")
            )));
        }
        same_bots(bots, store)?;
        Ok(plan)
    }
}

/// Who takes part changes by commands; a plan that says something else is refused, never passed over.
fn same_bots(planned: &[(String, Identity)], store: &mut Store) -> Result<(), Failure> {
    let folder = store.folder().display().to_string();
    let mut been: BTreeMap<BotNumber, Vec<String>> = BTreeMap::new();
    for (_, event) in store.course()? {
        if let Event::BotAdded { bot, identity, .. } | Event::BotReplaced { bot, identity } = event {
            been.entry(bot).or_default().push(identity.source);
        }
    }
    let mut wrong = Vec::new();
    let tournament = Tournament::open(store, &mut Vec::new())?;
    for (number, bot) in (0..).map(BotNumber).zip(tournament.bots()) {
        let name = &bot.name;
        // Whoever joined later or left is not expected in the plan.
        let expected = bot.from == StageRound { stage: 0, round: 1 } && bot.dropped.is_none();
        match planned.iter().find(|(planned, _)| planned == name) {
            None if expected => wrong.push(format!(
                "{name} is not in it any more (palestra tournament drop-bot {name:?} --dir {folder} drops it)"
            )),
            Some((_, identity)) if !been[&number].contains(&identity.source) => wrong.push(format!(
                "{name} is another program (palestra tournament replace-bot {name:?} {:?} --dir {folder} lets that play)",
                identity.source
            )),
            _ => {}
        }
    }
    if !wrong.is_empty() {
        return Err(Failure::usage(format!(
            "{folder} holds a tournament with other bots than the plan: {}; palestra tournament {folder} goes on as it \
             was",
            wrong.join(", ")
        )));
    }
    for (name, _) in planned {
        // It may have been left out because it was broken.
        if !tournament.bots().iter().any(|bot| bot.name == *name) {
            console::remark(&format!(
                "{name} does not take part in the tournament in {folder}; let it join with palestra tournament add-bot"
            ));
        }
    }
    Ok(())
}
