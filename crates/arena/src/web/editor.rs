//! For the editor on the site: what it needs to know, and trying a source before it is handed in.

use super::Site;
use super::auth::SignedIn;
use crate::api::{EditorLanguage, EditorView, Starter, VersionView};
use crate::limits;
use crate::trouble::Trouble;
use axum::Json;
use axum::extract::{Request, State};
use palestra_server::problem::{Path, Problem, Query};
use serde::Deserialize;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(editor)).routes(routes!(try_out))
}

/// What sources can be in, what they can be tried against, and what to begin with.
#[utoipa::path(
    get, path = "/api/games/{game}/editor", tag = "versions", params(("game" = String, Path,)),
    responses((status = 200, body = EditorView))
)]
async fn editor(
    State(site): State<Arc<Site>>,
    Path(game): Path<String>,
) -> Result<Json<EditorView>, Problem> {
    let plan = site.plan.game(&game).filter(|plan| plan.submissions);
    let plan = plan.ok_or_else(|| Problem::from(Trouble::NoSubmissions { game: game.clone() }))?;
    let languages = site.workshop.languages().iter();
    let languages: Vec<EditorLanguage> = languages
        .map(|(name, endings)| EditorLanguage { name: name.clone(), endings: endings.clone() })
        .collect();
    let starters = plan.game.info().folder.starters.iter();
    let starters =
        starters.map(|(file, text)| Starter { file: (*file).to_owned(), text: (*text).to_owned() });
    let built_ins = plan.game.built_ins();
    let is_house = |name: &str| plan.house.is_empty() || plan.house.iter().any(|house| house == name);
    let opponents = built_ins.iter().map(|player| player.name).filter(|name| is_house(name));
    Ok(Json(EditorView {
        languages,
        opponents: opponents.map(str::to_owned).collect(),
        starters: starters.collect(),
    }))
}

#[derive(Deserialize)]
struct Asked {
    file: String,
    opponent: String,
}

/// Compiles a source file and lets it play a built-in player once, in a match that counts for nothing. What comes of it is
/// told like that of a version that was handed in.
#[utoipa::path(
    post, path = "/api/games/{game}/trials", tag = "versions",
    params(
        ("game" = String, Path,),
        ("file" = String, Query, description = "The file's name: its ending says what it is."),
        ("opponent" = String, Query, description = "A built-in player."),
    ),
    request_body(content = [u8], content_type = "application/octet-stream"),
    responses((status = 200, body = VersionView))
)]
async fn try_out(
    State(site): State<Arc<Site>>,
    SignedIn(account): SignedIn,
    Path(game): Path<String>,
    Query(asked): Query<Asked>,
    request: Request,
) -> Result<Json<VersionView>, Problem> {
    let content = site.upload(&account, request, limits::TRIAL_BYTES).await?;
    let tried = site.workshop.try_against(account.id, &game, &asked.file, content.into(), &asked.opponent);
    Ok(Json(tried.await?))
}
