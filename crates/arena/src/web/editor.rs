//! For the editor on the site: what it needs to know, and trying a source before it is handed in.

use super::Site;
use super::versions::Upload;
use crate::api::{EditorLanguage, EditorView, Starter, VersionView};
use crate::limits;
use crate::trouble::Trouble;
use axum::Json;
use axum::extract::State;
use palestra_server::problem::{Path, Problem};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;
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
    let mut opponents = plan.all_built_ins();
    opponents.retain(|name| plan.house.is_empty() || plan.house.contains(name));
    Ok(Json(EditorView {
        languages,
        levels: plan.levels(&opponents),
        opponents,
        starters: starters.collect(),
    }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Asked {
    /// The file's name: its ending says what it is.
    file: String,
    /// A built-in player.
    opponent: String,
}

/// Compiles a source file and lets it play a built-in player once, in a match that counts for nothing. What comes of it is
/// told like that of a version that was handed in.
#[utoipa::path(
    post, path = "/api/games/{game}/trials", tag = "versions", 
    params(("game" = String, Path,), Asked),
    request_body(content = [u8], content_type = "application/octet-stream"),
    responses((status = 200, body = VersionView))
)]
async fn try_out(
    State(site): State<Arc<Site>>,
    Upload { player, game, asked, content }: Upload<Asked, { limits::TRIAL_BYTES }>,
) -> Result<Json<VersionView>, Problem> {
    Ok(Json(site.workshop.try_against(player, &game, &asked.file, content, &asked.opponent).await?))
}
