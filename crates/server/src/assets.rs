//! The page itself, from inside the program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// Built from `web/`; see the build script for what happens if it was not.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

const INDEX: &str = "index.html";

/// Whether this program was built with its page.
pub(crate) fn there() -> bool {
    Page::get(INDEX).is_some()
}

/// A file of the page. Every other address is the page itself, which knows what to show there.
pub(crate) async fn serve(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let (name, file) = match Page::get(path) {
        Some(file) if path != INDEX => (path, Some(file)),
        _ if path.starts_with("assets/") => (path, None),
        _ => (INDEX, Page::get(INDEX)),
    };
    let Some(file) = file else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // Names of assets change with their content, so a browser may keep them for ever.
    let keep = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = file.metadata.mimetype().to_owned();
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep.to_owned())], file.data.into_owned())
        .into_response()
}
