//! The page itself, from inside the program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

/// Built from `web/`; see the build script for what happens if it was not.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Page;

/// The page of `palestra view`, and that of an arena.
pub(crate) const VIEWER: &str = "index.html";
const SITE: &str = "site.html";
/// The page of a tournament's report, without the tournament.
const REPORT: &str = "report.html";
/// The documentation: pages of their own, below an address of their own.
const DOCS: &str = "docs/";

/// The page that a notebook shows a replay in, without the replay.
const REPLAY: &str = "replay.html";

/// Whether this program was built with its page.
pub(crate) fn there() -> bool {
    Page::get(VIEWER).is_some()
}

/// Whether this program was built with the arena's site.
pub fn site_is_there() -> bool {
    Page::get(SITE).is_some()
}

/// The page that `palestra_league::report::page::write` puts a tournament into, if this program was built with it.
pub fn report_page() -> Option<String> {
    String::from_utf8(Page::get(REPORT)?.data.into_owned()).ok()
}

/// A file of the arena's site. Every other address is the site itself, which knows what to show there.
pub fn site(uri: &Uri) -> Response {
    serve(SITE, uri)
}

/// A file that the page needs. Every other address is the page itself, which knows what to show there.
pub(crate) fn serve(page: &'static str, uri: &Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with(DOCS) || path == DOCS.trim_end_matches('/') {
        return documentation(path);
    }
    let (name, file) = match Page::get(path) {
        Some(file) if ![VIEWER, SITE, REPORT, REPLAY].contains(&path) => (path, Some(file)),
        _ if path.starts_with("assets/") => (path, None),
        _ => (page, Page::get(page)),
    };
    match file {
        Some(file) => send(name, file),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A page of the documentation, or a file that one needs.
fn documentation(path: &str) -> Response {
    let folder = format!("{}/", path.trim_end_matches('/'));
    if Page::get(&format!("{folder}index.html")).is_some() {
        // Links of a page are relative to its folder.
        return match path == folder {
            true => documentation(&format!("{folder}index.html")),
            false => Redirect::to(&format!("/{folder}")).into_response(),
        };
    }
    match (Page::get(path), Page::get("docs/404.html")) {
        (Some(file), _) => send(path, file),
        (None, Some(missing)) => (StatusCode::NOT_FOUND, send("docs/404.html", missing)).into_response(),
        (None, None) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn send(name: &str, file: EmbeddedFile) -> Response {
    // Names of assets change with their content, so a browser may keep them for ever.
    let kept = name.trim_start_matches(DOCS).starts_with("assets/");
    let keep = if kept { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = file.metadata.mimetype().to_owned();
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep.to_owned())], file.data.into_owned())
        .into_response()
}
