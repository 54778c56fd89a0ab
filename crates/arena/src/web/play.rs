//! Playing by hand: what is offered, and tables at which people wait for each other. The match itself is looked at and
//! played through the addresses of the viewer.

use super::Site;
use super::auth::Visitor;
use super::gate::Caller;
use super::problem::JsonBody;
use crate::GUEST;
use crate::api::play::{OpenTable, PlayGame, PlayMap, PlayOffer, TableToken, TableView};
use crate::hub::{Guest, TableCommand};
use crate::plan::{EventPlan, GamePlan, HandPlay};
use crate::store::Account;
use crate::trouble::Trouble;
use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::{Json, RequestPartsExt as _};
use palestra_core::PlanRequest;
use palestra_league::plan::Map;
use palestra_server::problem::Problem;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// With the secret of a place at a table. In the address it would be in every log on the way.
const TABLE_HEADER: &str = "x-palestra-table";

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(offer))
        .routes(routes!(open))
        .routes(routes!(table))
        .routes(routes!(accept))
        .routes(routes!(again))
        .routes(routes!(leave))
}

/// What can be played by hand, and against whom.
#[utoipa::path(get, path = "/api/play", tag = "play", responses((status = 200, body = PlayOffer)))]
async fn offer(State(site): State<Arc<Site>>, Visitor(visitor): Visitor) -> Json<PlayOffer> {
    Json(PlayOffer {
        allowed: may_play(&site.plan, visitor.as_ref()).is_ok(),
        seconds: site.plan.hand_time.as_secs_f64().ceil() as u32,
        games: site.offer.clone(),
    })
}

/// Opens a table. If nobody is invited a match begins at once; its number comes with the table, as soon as it can be
/// looked at.
#[utoipa::path(
    post, path = "/api/play", tag = "play", request_body = OpenTable, responses((status = 200, body = TableView))
)]
async fn open(
    State(site): State<Arc<Site>>,
    guest: Guest,
    JsonBody(table): JsonBody<OpenTable>,
) -> Result<Json<TableView>, Problem> {
    site.table(TableCommand::Open { table, guest }).await
}

/// A table as whoever has this token sees it.
#[utoipa::path(
    get, path = "/api/play/table", tag = "play",
    params(("X-Palestra-Table" = String, Header, description = "The secret of a place at the table.")),
    responses((status = 200, body = TableView))
)]
async fn table(State(site): State<Arc<Site>>, headers: HeaderMap) -> Result<Json<TableView>, Problem> {
    let token = headers.get(TABLE_HEADER).and_then(|token| token.to_str().ok()).unwrap_or_default();
    site.table(TableCommand::Look { token: token.to_owned() }).await
}

/// Accepts an invitation, once. The place has another token from then on.
#[utoipa::path(
    post, path = "/api/play/accept", tag = "play", request_body = TableToken,
    responses((status = 200, body = TableView))
)]
async fn accept(
    State(site): State<Arc<Site>>,
    guest: Guest,
    JsonBody(TableToken { token }): JsonBody<TableToken>,
) -> Result<Json<TableView>, Problem> {
    site.table(TableCommand::Accept { invitation: token, guest }).await
}

/// Wants another match at the same table. It begins when everybody there does.
#[utoipa::path(
    post, path = "/api/play/again", tag = "play", request_body = TableToken,
    responses((status = 200, body = TableView))
)]
async fn again(
    State(site): State<Arc<Site>>,
    _guest: Guest,
    JsonBody(TableToken { token }): JsonBody<TableToken>,
) -> Result<Json<TableView>, Problem> {
    site.table(TableCommand::Again { token }).await
}

/// Leaves a table at which nothing is being played, or declines an invitation: nobody waits there any longer.
#[utoipa::path(post, path = "/api/play/leave", tag = "play", request_body = TableToken, responses((status = 200)))]
async fn leave(
    State(site): State<Arc<Site>>,
    JsonBody(TableToken { token }): JsonBody<TableToken>,
) -> Result<(), Problem> {
    site.hub.table(TableCommand::Leave { token }).await?;
    Ok(())
}

fn may_play(plan: &EventPlan, who: Option<&Account>) -> Result<(), Problem> {
    match (plan.hand, who) {
        (HandPlay::Everybody, _) | (HandPlay::Players, Some(_)) => Ok(()),
        (HandPlay::Players, None) => Err(Trouble::HandPlayersOnly {}.into()),
        (HandPlay::Nobody, _) => Err(Trouble::NoHandPlay {}.into()),
    }
}

/// Whoever wants to play, if that is allowed and not too often.
impl FromRequestParts<Arc<Site>> for Guest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Guest, Problem> {
        let Visitor(visitor) = parts.extract_with_state(site).await?;
        let caller = parts.extensions.get::<Caller>().expect("everybody comes through the gate");
        may_play(&site.plan, visitor.as_ref())?;
        match &visitor {
            Some(account) => site.gate.tables_of_player.take(&account.id)?,
            None => site.gate.tables_of_address.take(&caller.address)?,
        }
        let account = visitor.as_ref().map(|account| account.id);
        let name = visitor.map_or_else(|| GUEST.to_owned(), |account| account.name);
        Ok(Guest { account, name, address: caller.address })
    }
}

impl Site {
    async fn table(&self, command: TableCommand) -> Result<Json<TableView>, Problem> {
        let view = self.hub.table(command).await?;
        let mut view = view.ok_or(Trouble::NoTable {})?;
        // The number is told when there is something to see under it.
        if let Some(number) = view.latest {
            let there =
                self.library.is_live(&number.to_string()) || self.store.match_row(number).await?.is_some();
            match there {
                true => view.key = Some(self.store.seat_key(number, view.seat)),
                false => view.latest = None,
            }
        }
        Ok(Json(view))
    }
}

/// What people can play in this event.
pub(super) fn games(plan: &EventPlan) -> Vec<PlayGame> {
    let game = |plan: &GamePlan| {
        let info = plan.game.info();
        let opponents = plan.hand_opponents();
        PlayGame {
            id: info.id.to_owned(),
            seats: (info.min_seats, info.max_seats),
            levels: plan.levels(&opponents),
            opponents,
            maps: plan.hand_maps().iter().map(|map| play_map(plan, map)).collect(),
        }
    };
    plan.games.iter().map(game).collect()
}

/// A map, and for how many players it is: generated ones are for any number.
fn play_map(plan: &GamePlan, map: &Map) -> PlayMap {
    let info = plan.game.info();
    let fits = |players: &u8| match map {
        Map::Text { text, .. } => {
            let settings = &plan.tournament.settings;
            let request = PlanRequest { changes: settings, map: Some(text), players: *players, seed: 1 };
            plan.game.plan(&request).is_ok_and(|plan| plan.seats == *players)
        }
        Map::Generated(_) | Map::Fresh => true,
    };
    PlayMap { name: map.name(), seats: (info.min_seats..=info.max_seats).filter(fits).collect() }
}
