//! The page itself, from inside the program.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use flate2::read::GzDecoder;
use std::io::Read as _;

/// What `web/` was built into, in the order of the names, each file packed with gzip by the build script; nothing if it was not built.
static PAGE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

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
    packed(VIEWER).is_some()
}

/// Whether this program was built with the arena's site.
pub fn site_is_there() -> bool {
    packed(SITE).is_some()
}

/// The page that `palestra_league::report::page::write` puts a tournament into, if this program was built with it.
pub fn report_page() -> Option<String> {
    String::from_utf8(unpack(packed(REPORT)?)).ok()
}

/// A file of the arena's site. Every other address is the site itself, which knows what to show there.
pub fn site(uri: &Uri, headers: &HeaderMap) -> Response {
    serve(SITE, uri, headers)
}

/// A file that the page needs. Every other address is the page itself, which knows what to show there.
pub(crate) fn serve(page: &'static str, uri: &Uri, headers: &HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with(DOCS) || path == DOCS.trim_end_matches('/') {
        return documentation(path, headers);
    }
    let (name, file) = match packed(path) {
        Some(file) if ![VIEWER, SITE, REPORT, REPLAY].contains(&path) => (path, Some(file)),
        _ if path.starts_with("assets/") => (path, None),
        _ => (page, packed(page)),
    };
    match file {
        Some(file) => send(name, file, headers),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A page of the documentation, or a file that one needs.
fn documentation(path: &str, headers: &HeaderMap) -> Response {
    let folder = format!("{}/", path.trim_end_matches('/'));
    if packed(&format!("{folder}index.html")).is_some() {
        // Links of a page are relative to its folder.
        return match path == folder {
            true => documentation(&format!("{folder}index.html"), headers),
            false => Redirect::to(&format!("/{folder}")).into_response(),
        };
    }
    match (packed(path), packed("docs/404.html")) {
        (Some(file), _) => send(path, file, headers),
        (None, Some(missing)) => {
            (StatusCode::NOT_FOUND, send("docs/404.html", missing, headers)).into_response()
        }
        (None, None) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn send(name: &str, packed: &'static [u8], headers: &HeaderMap) -> Response {
    // Names of assets change with their content, so a browser may keep them for ever.
    let kept = name.trim_start_matches(DOCS).starts_with("assets/");
    let keep = if kept { "public, max-age=31536000, immutable" } else { "no-cache" };
    let kind = mime_guess::from_path(name).first_or_octet_stream().to_string();
    let described = [
        (header::CONTENT_TYPE, kind.as_str()),
        (header::CACHE_CONTROL, keep),
        (header::VARY, header::ACCEPT_ENCODING.as_str()),
    ];
    match takes_gzip(headers) {
        true => (described, [(header::CONTENT_ENCODING, "gzip")], packed).into_response(),
        false => (described, unpack(packed)).into_response(),
    }
}

fn packed(name: &str) -> Option<&'static [u8]> {
    let place = PAGE.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(PAGE[place].1)
}

fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut plain).expect("the build script packed it");
    plain
}

/// Whether a client names gzip among what it takes, with any weight but 0.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim().eq_ignore_ascii_case("gzip")
            && weight.trim().trim_start_matches("q=").parse::<f32>() != Ok(0.0)
    })
}
