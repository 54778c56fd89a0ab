//! The event as a whole: what it is, how everybody stands, its rounds, and whether the arena is well.

use super::Site;
use super::auth::Visitor;
use crate::api::{Announcement, EventView, GameView, Me, Registration, RoundDetail, RoundList, StandingLine};
use crate::hub::{Snapshot, WantedRounds};
use crate::ids::RoundId;
use crate::limits;
use crate::plan::GamePlan;
use crate::store::now;
use crate::trouble::Trouble;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use palestra_server::problem::{Path, Problem, Query};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(event))
        .routes(routes!(standings))
        .routes(routes!(rounds))
        .routes(routes!(round))
        .routes(routes!(measures))
        .routes(routes!(health))
}

/// The event at a glance.
#[utoipa::path(get, path = "/api/event", tag = "event", responses((status = 200, body = EventView)))]
async fn event(State(site): State<Arc<Site>>, Visitor(visitor): Visitor) -> Result<Json<EventView>, Problem> {
    let (plan, snapshot) = (&site.plan, site.hub.snapshot());
    let announcements = site.store.announcements().await?;
    Ok(Json(EventView {
        name: plan.name.clone(),
        name_in: plan.name_in.clone(),
        about: plan.about.clone(),
        about_in: plan.about_in.clone(),
        now: now(),
        state: snapshot.state,
        games: plan.games.iter().map(|game| site.game_view(game, &snapshot)).collect(),
        rounds: snapshot.live.rounds.clone(),
        announcements: announcements.into_iter().map(Announcement::from).collect(),
        challenges: plan.challenges,
        registration: if plan.invite.is_some() { Registration::Invite } else { Registration::Closed },
        gateway: plan.gateway.map(|address| address.port()),
        gateway_tls: plan.tls.is_some(),
        online: snapshot.live.online,
        me: visitor.as_ref().map(Me::from),
    }))
}

impl Site {
    fn game_view(&self, plan: &GamePlan, snapshot: &Snapshot) -> GameView {
        let info = plan.game.info();
        let fewest = plan.seats.iter().min().copied().unwrap_or(info.min_seats);
        let most = plan.seats.iter().max().copied().unwrap_or(info.max_seats);
        GameView {
            id: info.id.to_owned(),
            title: info.title.to_owned(),
            summary: info.summary.to_owned(),
            seats: (fewest, most),
            time: plan.time().to_string(),
            time_message: plan.time().message(),
            submissions: plan.submissions,
            free_play: plan.free_play,
            bots: snapshot.standings.get(info.id).map_or(0, |lines| lines.len() as u32),
            live: snapshot.running.get(info.id).copied().unwrap_or_default(),
            kits: self.kits.of(info.id),
        }
    }
}

/// Everybody's place in a game, by points, then Elo.
#[utoipa::path(
    get, path = "/api/games/{game}/standings", tag = "event", params(("game" = String, Path,)),
    responses((status = 200, body = [StandingLine]))
)]
async fn standings(State(site): State<Arc<Site>>, Path(game): Path<String>) -> Result<Response, Problem> {
    let snapshot = site.hub.snapshot();
    match snapshot.standings.get(&game) {
        Some(lines) => Ok(Json(&**lines).into_response()),
        None if site.plan.game(&game).is_some() => Ok(Json(Vec::<StandingLine>::new()).into_response()),
        None => Err(Trouble::NoGame { game }.into()),
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// Of this game.
    game: Option<String>,
    /// Older than this round.
    #[param(value_type = Option<u32>)]
    before: Option<RoundId>,
    /// At most so many, up to 100.
    #[param(value_type = Option<u32>)]
    limit: Option<usize>,
}

/// Scored rounds, newest first.
#[utoipa::path(
    get, path = "/api/rounds", tag = "event", params(Asked), responses((status = 200, body = RoundList))
)]
async fn rounds(State(site): State<Arc<Site>>, Query(asked): Query<Asked>) -> Json<RoundList> {
    let limit = asked.limit.unwrap_or(limits::LISTED_ROUNDS).clamp(1, limits::LISTED_ROUNDS);
    let wanted = WantedRounds { game: asked.game, before: asked.before.unwrap_or(RoundId(u32::MAX)), limit };
    Json(site.hub.rounds(wanted).await)
}

/// A scored round: its table, its stages, and what became of every match.
#[utoipa::path(
    get, path = "/api/rounds/{id}", tag = "event", params(("id" = u32, Path,)),
    responses((status = 200, body = RoundDetail))
)]
async fn round(State(site): State<Arc<Site>>, Path(id): Path<RoundId>) -> Result<Response, Problem> {
    let round = site.hub.round(id).await.ok_or(Trouble::NoRound { round: id.0 })?;
    Ok(Json(&*round).into_response())
}

/// Measurements for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operation", responses((status = 200, body = String)))]
async fn measures(State(site): State<Arc<Site>>) -> Result<Response, Problem> {
    let measured = site.metrics.as_ref().ok_or(Trouble::NothingMeasured {})?;
    metrics::gauge!("palestra_streams").set(site.gate.streams.count() as f64);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], measured.render()).into_response())
}

/// Whether the arena is well: 200 if so, 503 if not.
#[utoipa::path(get, path = "/health", tag = "operation", responses((status = 200, body = String)))]
async fn health(State(site): State<Arc<Site>>) -> (StatusCode, &'static str) {
    let store = tokio::time::timeout(limits::HEALTH, site.store.is_well()).await.unwrap_or(false);
    match (store, site.hub.snapshots().has_changed().is_ok()) {
        (true, true) => (StatusCode::OK, "well\n"),
        (false, _) => (StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n"),
        (_, false) => (StatusCode::SERVICE_UNAVAILABLE, "the hub has ended\n"),
    }
}
