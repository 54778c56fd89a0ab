//! What people hand in, and what became of it.

use super::Site;
use super::auth::{SignedIn, Visitor};
use super::gate::Caller;
use super::people::for_eyes;
use super::problem::whole_body;
use super::streams::{counted, told};
use crate::api::{EventState, VersionState, VersionView};
use crate::ids::{AccountId, VersionId};
use crate::limits;
use crate::store::{Account, Version};
use crate::trouble::Trouble;
use crate::workshop::Update;
use axum::extract::{FromRequest, Request, State};
use axum::response::sse::Event;
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json, RequestExt as _};
use futures_util::StreamExt as _;
use palestra_server::problem::{Path, Problem, Query};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::sync::Arc;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new()
        .routes(routes!(hand_in))
        .routes(routes!(version))
        .routes(routes!(follow))
        .routes(routes!(activate))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Named {
    /// The file's name: its ending says what it is.
    file: String,
}

/// Hands in a source file, an archive or a program, as the body of the request.
#[utoipa::path(
    post, path = "/api/games/{game}/versions", tag = "versions",
    params(("game" = String, Path,), Named),
    request_body(content = [u8], content_type = "application/octet-stream"),
    responses((status = 200, body = VersionView))
)]
async fn hand_in(
    State(site): State<Arc<Site>>,
    Upload { player, game, asked, content }: Upload<Named, { limits::UPLOAD_BYTES }>,
) -> Result<Json<VersionView>, Problem> {
    Ok(Json(site.workshop.hand_in(player, &game, &asked.file, content).await?))
}

/// Something that somebody hands in for a game, of at most so many bytes, if it may be now.
pub(super) struct Upload<Q, const LIMIT: usize> {
    pub(super) player: AccountId,
    pub(super) game: String,
    /// What its address says behind the question mark.
    pub(super) asked: Q,
    pub(super) content: Vec<u8>,
}

impl<Q: DeserializeOwned + Send + 'static, const LIMIT: usize> FromRequest<Arc<Site>> for Upload<Q, LIMIT> {
    type Rejection = Problem;

    async fn from_request(mut request: Request, site: &Arc<Site>) -> Result<Self, Problem> {
        let SignedIn(Account { id: player, .. }) = request.extract_parts_with_state(site).await?;
        let Path(game) = request.extract_parts_with_state(site).await?;
        let Query(asked) = request.extract_parts_with_state(site).await?;
        if site.hub.snapshot().state == EventState::Closed {
            return Err(Trouble::HandInOver {}.into());
        }
        site.gate.uploads.take(&player)?;
        let uploading = &site.gate.uploading;
        let _place = uploading.take(player).ok_or_else(|| match uploading.holds(player) {
            true => Trouble::HandingIn {},
            false => Trouble::ManyHandIn {},
        })?;
        let content = whole_body(request, LIMIT).await?.into();
        Ok(Upload { player, game, asked, content })
    }
}

impl Site {
    /// A version of somebody's own, or any for an organiser; for others it is not there.
    pub(super) async fn own_version(&self, who: &Account, id: VersionId) -> Result<Version, Problem> {
        let version = self.store.version(id).await?.filter(|version| is_own(who, version));
        version.ok_or_else(|| no_version(id))
    }
}

/// Something that was handed in. Its log is for its author.
#[utoipa::path(
    get, path = "/api/versions/{id}", tag = "versions", params(("id" = i64, Path,)),
    responses((status = 200, body = VersionView))
)]
async fn version(
    State(site): State<Arc<Site>>,
    Visitor(visitor): Visitor,
    Path(id): Path<VersionId>,
) -> Result<Json<VersionView>, Problem> {
    let version = site.store.version(id).await?.ok_or_else(|| no_version(id))?;
    let own = visitor.is_some_and(|who| is_own(&who, &version));
    if !own && (version.state != VersionState::Ready || version.trial.is_some()) {
        return Err(no_version(id));
    }
    Ok(Json(for_eyes(version.into(), own)))
}

/// What the compiler and the first match say, as they say it, for the author: server-sent events, `log` with a update of
/// text as a JSON string, and `state` with a `VersionView`. It ends when the version is settled.
#[utoipa::path(
    get, path = "/api/versions/{id}/log", tag = "versions", params(("id" = i64, Path,)),
    responses((status = 200, body = String, content_type = "text/event-stream"))
)]
async fn follow(
    State(site): State<Arc<Site>>,
    Extension(caller): Extension<Caller>,
    SignedIn(account): SignedIn,
    Path(id): Path<VersionId>,
) -> Result<Response, Problem> {
    site.own_version(&account, id).await?;
    let messages = site.workshop.follow(id).map(|update| match update {
        Update::Log(text) => Event::default().event("log").data(json!(text).to_string()),
        Update::State(view) => Event::default().event("state").data(json!(view).to_string()),
    });
    Ok(counted(&site.gate.streams, caller, async { told(messages).into_response() }).await)
}

/// Lets another version play, older or newer.
#[utoipa::path(
    post, path = "/api/versions/{id}/activate", tag = "versions", params(("id" = i64, Path,)),
    responses((status = 200, body = VersionView))
)]
async fn activate(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<VersionId>,
) -> Result<Json<VersionView>, Problem> {
    Ok(Json(site.workshop.activate(id, account.id).await?))
}

fn is_own(who: &Account, version: &Version) -> bool {
    who.organiser || who.id == version.player
}

pub(super) fn no_version(id: VersionId) -> Problem {
    Trouble::NoVersion { version: id.0 }.into()
}
