//! The courses of the event's games: everybody may read them, and players have their bots checked.

use super::Site;
use super::auth::SignedIn;
use crate::api::EventState;
use crate::api::course::{CourseResult, CourseStep, CourseView};
use crate::ids::AccountId;
use crate::limits;
use crate::plan::GamePlan;
use crate::store::{CourseRow, QueueFull, Version};
use crate::trouble::Trouble;
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use palestra_core::Course;
use palestra_server::problem::{Path, Problem};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(course)).routes(routes!(check_step))
}

/// The course of a game, and how far whoever asks has come in it.
#[utoipa::path(
    get, path = "/api/games/{game}/course", tag = "event", params(("game" = String, Path,)),
    responses((status = 200, body = CourseView))
)]
async fn course(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Result<Json<CourseView>, Problem> {
    let plan = site.game_plan(&game)?;
    let player = site.whose(&headers).await?.map(|account| account.id);
    Ok(Json(site.course_view(plan, player).await?))
}

/// Has a step checked with the version that plays, as soon as nothing else has a use for the machine.
#[utoipa::path(
    post, path = "/api/games/{game}/course/{step}", tag = "event",
    params(("game" = String, Path,), ("step" = String, Path,)), responses((status = 200, body = CourseView))
)]
async fn check_step(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path((game, step)): Path<(String, String)>,
) -> Result<Json<CourseView>, Problem> {
    let plan = site.game_plan(&game)?;
    if !plan.submissions {
        return Err(Trouble::NoSubmissions { game }.into());
    }
    if site.hub.snapshot().state == EventState::Closed {
        return Err(Trouble::EventOver {}.into());
    }
    if Course::of(plan.game.info()).step(&step).is_none() {
        return Err(Trouble::NoStep { step }.into());
    }
    let version = site.playing_version(account.id, &game).await?;
    let version = version.ok_or_else(|| Problem::from(Trouble::NothingToCheck { game: game.clone() }))?;
    site.gate.courses.take(&account.id)?;
    match site.store.ask_for_step(account.id, &game, &step, version.id).await? {
        Ok(()) => {}
        Err(QueueFull::OfPlayer) => {
            return Err(Trouble::EnoughSteps { limit: limits::COURSE_CHECKS_OF_PLAYER as u64 }.into());
        }
        Err(QueueFull::OfAll) => return Err(Trouble::ManySteps {}.into()),
    }
    site.tutor.look();
    Ok(Json(site.course_view(plan, Some(account.id)).await?))
}

impl Site {
    fn game_plan(&self, game: &str) -> Result<&GamePlan, Problem> {
        self.plan.game(game).ok_or_else(|| Trouble::NoGame { game: game.to_owned() }.into())
    }

    /// The version of a player's bot that plays.
    async fn playing_version(&self, player: AccountId, game: &str) -> Result<Option<Version>, Problem> {
        let Some(bot) = self.store.bot_number(player, game).await? else { return Ok(None) };
        let Some(active) = self.store.bot(bot).await?.and_then(|bot| bot.active) else { return Ok(None) };
        Ok(self.store.version(active).await?)
    }

    async fn course_view(&self, plan: &GamePlan, player: Option<AccountId>) -> Result<CourseView, Problem> {
        let info = plan.game.info();
        let (mut rows, mut version) = (Vec::new(), None);
        if let Some(player) = player {
            rows = self.store.course_of(player, info.id).await?;
            version = self.playing_version(player, info.id).await?.map(|version| version.number);
        }
        let mut steps = Vec::new();
        for step in Course::of(info).steps {
            let row = rows.iter().find(|row| row.step == step.name);
            steps.push(CourseStep {
                matches: step.matches.len() as u32,
                need: step.needed() as u32,
                name: step.name,
                result: match row {
                    Some(row) => Some(self.course_result(row).await?),
                    None => None,
                },
            });
        }
        Ok(CourseView { steps, version })
    }

    async fn course_result(&self, row: &CourseRow) -> Result<CourseResult, Problem> {
        Ok(CourseResult {
            state: row.state,
            passed: row.passed,
            version: self.store.version(row.version).await?.map(|version| version.number),
            at: row.at,
            matches: row.matches.clone(),
        })
    }
}
