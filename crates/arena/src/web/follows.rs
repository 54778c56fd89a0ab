//! Whom somebody follows.

use super::Site;
use super::auth::SignedIn;
use crate::ids::AccountId;
use crate::limits;
use crate::trouble::Trouble;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use palestra_server::problem::{Path, Problem};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(follows)).routes(routes!(follow_player, unfollow_player))
}

/// The numbers of the players whom one follows.
#[utoipa::path(get, path = "/api/me/follows", tag = "account", responses((status = 200, body = [i64])))]
async fn follows(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
) -> Result<Json<Vec<AccountId>>, Problem> {
    Ok(Json(site.store.follows(account.id).await?))
}

/// Follows a player.
#[utoipa::path(
    post, path = "/api/me/follows/{id}", tag = "account", params(("id" = i64, Path,)), responses((status = 204))
)]
async fn follow_player(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<AccountId>,
) -> Result<StatusCode, Problem> {
    let known = site.store.account(id).await?.is_some_and(|player| !player.banned);
    if !known {
        return Err(Trouble::NoPlayer { name: id.to_string() }.into());
    }
    let followed = site.store.follows(account.id).await?;
    if followed.len() >= limits::FOLLOWS && !followed.contains(&id) {
        return Err(Trouble::EnoughFollows { limit: limits::FOLLOWS as u64 }.into());
    }
    site.store.follow(account.id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Follows a player no more.
#[utoipa::path(
    delete, path = "/api/me/follows/{id}", tag = "account", params(("id" = i64, Path,)), responses((status = 204))
)]
async fn unfollow_player(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<AccountId>,
) -> Result<StatusCode, Problem> {
    site.store.unfollow(account.id, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
