//! Checks steps of courses with what players have handed in: short matches in the sandbox, one after the other, when nothing
//! else has a use for the machine. What waits is in the store, so that nothing is lost when the arena ends.

use crate::api::course::CourseMatch;
use crate::api::{EventState, RoundState, VersionState};
use crate::hub::Hub;
use crate::limits;
use crate::model::CourseState;
use crate::plan::{EventPlan, GamePlan};
use crate::play::{PreparedMatch, SeatedBot};
use crate::store::{CourseRow, Store, StoreError, Version};
use crate::workshop::Workshop;
use palestra_core::Course;
use palestra_core::course::{Exercise, Step};
use palestra_runner::{Launch, Played, host_at_fault};
use std::sync::Arc;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// The way to whoever checks steps. Dropping it ends that; what waits is taken up again.
pub(crate) struct Tutor {
    asked: Arc<Notify>,
    _worker: JoinSet<()>,
}

impl Tutor {
    pub(crate) fn start(store: Store, plan: Arc<EventPlan>, hub: Hub, workshop: Workshop) -> Tutor {
        let asked = Arc::new(Notify::new());
        let mut worker = JoinSet::new();
        worker.spawn(Work { store, plan, hub, workshop }.go_on(Arc::clone(&asked)));
        Tutor { asked, _worker: worker }
    }

    /// There is something to check.
    pub(crate) fn look(&self) {
        self.asked.notify_one();
    }
}

struct Work {
    store: Store,
    plan: Arc<EventPlan>,
    hub: Hub,
    workshop: Workshop,
}

/// Why a check came to nothing: not the bot's fault, as far as one can tell.
enum Broken {
    Store(StoreError),
    Other(String),
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Broken {
        Broken::Store(error)
    }
}

impl From<String> for Broken {
    fn from(why: String) -> Broken {
        Broken::Other(why)
    }
}

impl Work {
    async fn go_on(self, asked: Arc<Notify>) {
        loop {
            match self.next().await {
                Ok(true) => {}
                Ok(false) => asked.notified().await,
                Err(error) => {
                    tracing::error!(%error, "a step of a course could not be checked; trying again");
                    sleep(limits::STORE_PAUSE).await;
                }
            }
        }
    }

    /// Checks what waits longest; false if nothing does.
    async fn next(&self) -> Result<bool, StoreError> {
        if self.store.next_step_to_check().await?.is_none() {
            return Ok(false);
        }
        self.calm().await;
        // Who waited may have asked for something else meanwhile.
        let Some(row) = self.store.next_step_to_check().await? else { return Ok(false) };
        let (state, matches) = match self.check(&row).await {
            Ok((true, matches)) => (CourseState::Passed, matches),
            Ok((false, matches)) => (CourseState::Missed, matches),
            Err(Broken::Store(error)) => return Err(error),
            Err(Broken::Other(why)) => {
                tracing::warn!(%why, version = %row.version, step = row.step, "a step of a course could not be checked");
                (CourseState::Failed, Vec::new())
            }
        };
        self.store.settle_step(&row, state, &matches).await?;
        Ok(true)
    }

    /// Waits until nothing that counts is played, and nothing that was handed in waits.
    async fn calm(&self) {
        loop {
            let snapshot = self.hub.snapshot();
            let scored = snapshot.live.rounds.iter().any(|round| round.state == RoundState::Running);
            let open = snapshot.state == EventState::Open;
            if open && !scored && !self.workshop.in_quarantine() && self.workshop.waiting() == 0 {
                return;
            }
            sleep(limits::COURSE_PAUSE).await;
        }
    }

    /// Whether the step is passed, and what came of its matches.
    async fn check(&self, row: &CourseRow) -> Result<(bool, Vec<CourseMatch>), Broken> {
        let gone = |what: &str| Broken::Other(format!("{what} is gone"));
        let game = self.plan.game(&row.game).ok_or_else(|| gone("the game"))?;
        let course = Course::of(game.game.info());
        let (_, step) = course.step(&row.step).ok_or_else(|| gone("the step"))?;
        let version = self.store.version(row.version).await?;
        let ready = |version: &Version| version.state == VersionState::Ready;
        let version = version.filter(ready).ok_or_else(|| gone("the version"))?;
        self.store.begin_work(version.id, false).await?;
        let played = self.play(game, step, &version).await;
        self.store.end_work(version.id).await?;
        let matches = played?;
        let held = matches.iter().filter(|played| played.missed.is_empty()).count();
        Ok((held >= step.needed(), matches))
    }

    async fn play(
        &self,
        game: &GamePlan,
        step: &Step,
        version: &Version,
    ) -> Result<Vec<CourseMatch>, Broken> {
        let launch = self.workshop.launch(version.id).await?;
        let deadline = Instant::now() + limits::COURSE_CHECK;
        let mut matches = Vec::new();
        for exercise in &step.matches {
            let played = self.play_one(game, exercise, version, &launch, deadline).await?;
            let missed = exercise.judge(game.game, &step.goals, &played.replay);
            let missed = missed.map_err(|error| error.to_string())?;
            let mut why = Vec::new();
            if !missed.is_empty() {
                let defeats =
                    palestra_core::defeats(game.game, &played.replay).map_err(|error| error.to_string())?;
                let own = defeats.into_iter().find(|defeat| defeat.seat == exercise.own());
                why.extend(
                    own.into_iter().flat_map(|defeat| defeat.balance.into_iter().chain([defeat.conduct])),
                );
            }
            matches.push(CourseMatch { opponents: exercise.opponents.clone(), missed, why });
        }
        Ok(matches)
    }

    /// One match; played again if this machine kept the bot from answering.
    async fn play_one(
        &self,
        game: &GamePlan,
        exercise: &Exercise,
        version: &Version,
        launch: &Launch,
        deadline: Instant,
    ) -> Result<Box<Played>, Broken> {
        for tries_left in (0..limits::SMOKE_TRIES).rev() {
            let bots = exercise.seats().into_iter().map(|seat| match seat {
                Some(name) => SeatedBot::built_in(name),
                None => SeatedBot::program(version.name.clone(), version.player.to_string(), launch.clone()),
            });
            let plan = exercise.plan(game.game).map_err(|error| error.to_string())?;
            let prepared = PreparedMatch::new(game.game, plan, game.time(), bots.collect());
            let prepared = prepared.map_err(|error| error.to_string())?;
            let played = self.workshop.play_until(prepared, deadline).await?;
            let played = played.ok_or_else(|| "it took too long".to_owned())?;
            if tries_left == 0 || !host_at_fault(&played.faults) {
                return Ok(played);
            }
        }
        unreachable!("the last try counts")
    }
}
