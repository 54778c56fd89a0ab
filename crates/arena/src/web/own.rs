//! What authors look at and write down: their matches, notes, sources, and how their versions compare.

use super::Site;
use super::auth::SignedIn;
use super::matches::Page;
use super::problem::JsonBody;
use super::versions::no_version;
use crate::api::{
    MatchResult, OwnMatch, OwnMatchList, Seen, SourceView, VersionComparison, VersionNote, VersionView,
};
use crate::comparison::compare;
use crate::ids::{AccountId, BotId, VersionId};
use crate::limits;
use crate::store::{MatchRow, OwnFilter};
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
        .routes(routes!(my_matches))
        .routes(routes!(mark_seen))
        .routes(routes!(note))
        .routes(routes!(source))
        .routes(routes!(version_file))
        .routes(routes!(comparison))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// Of this game.
    game: Option<String>,
    /// That count, and ended so.
    result: Option<MatchResult>,
    /// Played by the version of this number.
    version: Option<u32>,
    /// With this player, too.
    #[param(value_type = Option<i64>)]
    opponent: Option<AccountId>,
    /// Only those that were not looked at.
    unseen: Option<bool>,
}

/// One's own matches that are over, newest first, without first matches of what was handed in.
#[utoipa::path(
    get, path = "/api/me/matches", tag = "account", params(Asked, Page), responses((status = 200, body = OwnMatchList))
)]
async fn my_matches(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Query(asked): Query<Asked>,
    Query(page): Query<Page>,
) -> Result<Json<OwnMatchList>, Problem> {
    let filter = OwnFilter {
        game: asked.game,
        result: asked.result,
        version: asked.version,
        opponent: asked.opponent,
        unseen: asked.unseen.unwrap_or(false),
    };
    let (page, unseen_losses) = tokio::try_join!(
        site.store.own_matches(account.id, &filter, page.before(), page.limit()),
        site.store.unseen_losses(account.id)
    )?;
    let own = |(row, unseen): (MatchRow, bool)| {
        let seat = row.seats.iter().position(|seat| seat.player == Some(account.id)).unwrap_or(0);
        let best = row.seats.iter().filter(|seat| seat.place == 1).count();
        let result = match row.seats[seat].place {
            1 if best == 1 => MatchResult::Won,
            1 => MatchResult::Drawn,
            _ => MatchResult::Lost,
        };
        OwnMatch { game: site.dressed(row.into(), Some(&account)), seat, result, unseen }
    };
    let matches = page.matches.into_iter().map(own).collect();
    Ok(Json(OwnMatchList { matches, older: page.older, unseen_losses }))
}

/// Remembers that one has looked at matches of one's own.
#[utoipa::path(post, path = "/api/me/seen", tag = "account", request_body = Seen, responses((status = 204)))]
async fn mark_seen(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    JsonBody(seen): JsonBody<Seen>,
) -> Result<StatusCode, Problem> {
    if seen.matches.len() > limits::SEEN_AT_ONCE {
        return Err(Trouble::ManySeen { limit: limits::SEEN_AT_ONCE as u64 }.into());
    }
    site.store.mark_seen(account.id, &seen.matches).await?;
    if let Some(until) = seen.until {
        site.store.mark_seen_until(account.id, until).await?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Notes something about a version of one's own, for oneself.
#[utoipa::path(
    post, path = "/api/versions/{id}/note", tag = "versions", params(("id" = i64, Path,)),
    request_body = VersionNote, responses((status = 200, body = VersionView))
)]
async fn note(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<VersionId>,
    JsonBody(note): JsonBody<VersionNote>,
) -> Result<Json<VersionView>, Problem> {
    let text = note.text.trim().replace('\0', "\u{fffd}");
    if text.len() > limits::NOTE_BYTES {
        return Err(Trouble::TextTooLong { limit: limits::NOTE_BYTES as u64 }.into());
    }
    if !site.store.set_note(account.id, id, &text).await? {
        return Err(no_version(id));
    }
    Ok(Json(site.own_version(&account, id).await?.into()))
}

/// What was handed in, to read: for its author and the organisers.
#[utoipa::path(
    get, path = "/api/versions/{id}/source", tag = "versions", params(("id" = i64, Path,)),
    responses((status = 200, body = SourceView))
)]
async fn source(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<VersionId>,
) -> Result<Json<SourceView>, Problem> {
    let version = site.own_version(&account, id).await?;
    site.gate.sources.take(&account.id)?;
    Ok(Json(SourceView { files: site.workshop.sources(&version).await? }))
}

/// What was handed in, as it was: for its author and the organisers.
#[utoipa::path(
    get, path = "/api/versions/{id}/file", tag = "versions", params(("id" = i64, Path,)),
    responses((status = 200, body = [u8], content_type = "application/octet-stream"))
)]
async fn version_file(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(id): Path<VersionId>,
) -> Result<Response, Problem> {
    let version = site.own_version(&account, id).await?;
    site.gate.sources.take(&account.id)?;
    let gone = || Problem::from(Trouble::NotKept {});
    let content = site.store.upload(id).await?.ok_or_else(gone)?;
    let name = format!("attachment; filename*=UTF-8''{}", percent_encoded(&version.file));
    let headers =
        [(header::CONTENT_TYPE, "application/octet-stream".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, content).into_response())
}

/// A name as headers write it: letters that are not plain are bytes.
fn percent_encoded(name: &str) -> String {
    let letter = |byte: u8| match byte {
        b'.' | b'-' | b'_' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    name.bytes().map(letter).collect()
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Compared {
    /// The version to compare with; the one that plays unless given.
    base: Option<u32>,
}

/// How the versions of a bot did, each beside one of them against the same opponents.
#[utoipa::path(
    get, path = "/api/bots/{id}/comparison", tag = "players", params(("id" = i64, Path,), Compared),
    responses((status = 200, body = VersionComparison))
)]
async fn comparison(
    State(site): State<Arc<Site>>,
    Path(id): Path<BotId>,
    Query(asked): Query<Compared>,
) -> Result<Json<VersionComparison>, Problem> {
    let bot = site.store.bot(id).await?.ok_or_else(|| Problem::from(Trouble::NoBot { bot: id.0 }))?;
    let base = match (asked.base, bot.active) {
        (Some(base), _) => Some(base),
        (None, Some(active)) => site.store.version(active).await?.map(|version| version.number),
        (None, None) => None,
    };
    Ok(Json(compare(&site.store.version_meetings(id).await?, base)))
}

#[cfg(test)]
mod tests {
    use super::percent_encoded;

    #[test]
    fn names_of_files_say_nothing_else_in_a_header() {
        assert_eq!(percent_encoded("my bot-2.tar.gz"), "my%20bot-2.tar.gz");
        assert_eq!(percent_encoded("\"; űr\r\n"), "%22%3B%20%C5%B1r%0D%0A");
    }
}
