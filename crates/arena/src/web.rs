//! The site of an event and its API: everything that browsers and programs ask over HTTP. What is shown comes from the
//! hub's snapshot and from the store; whatever changes something goes through the hub, the workshop or the accounts.

#![allow(unused_qualifications, reason = "what utoipa makes of the types of parameters has them")]

mod account;
mod admin;
mod auth;
mod challenges;
mod course;
mod downloads;
mod editor;
mod event;
mod fair_queue;
mod follows;
mod gate;
mod kits;
mod login_backoff;
mod matches;
mod openapi;
mod own;
mod people;
mod play;
mod problem;
mod serve;
mod streams;
#[cfg(test)]
mod types;
mod versions;

pub use serve::serve;

use crate::api::play::PlayGame;
use crate::hub::Hub;
use crate::ids::MatchId;
use crate::plan::EventPlan;
use crate::play::workers::Workers;
use crate::store::Store;
use crate::trouble::Trouble;
use crate::tutor::Tutor;
use crate::workshop::Workshop;
use axum::Router;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use downloads::Downloads;
use gate::Gate;
use kits::Kits;
use matches::Sitting;
use metrics_exporter_prometheus::PrometheusHandle;
use palestra_core::AnyGame;
use palestra_server::problem::Problem;
use palestra_server::{Library, ReplaySource, Unreadable, match_routes};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use streams::News;
use tokio::runtime::Handle;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::Level;
use utoipa_axum::router::OpenApiRouter;

/// Nothing on the site comes from elsewhere, and the browser sees to it.
macro_rules! content_policy {
    ($frames:literal) => {
        concat!(
            "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; worker-src 'self' blob:; \
             object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors ",
            $frames
        )
    };
}
/// No page is shown inside another site,
const CONTENT_POLICY: &str = content_policy!("'none'");
/// but a match on its own, which has nothing that somebody could be led to click.
const EMBEDDED_POLICY: &str = content_policy!("*");

/// What the site works with.
pub(crate) struct Needs {
    /// The event.
    pub(crate) plan: Arc<EventPlan>,
    /// Where everything is kept.
    pub(crate) store: Store,
    /// Knows everything that changes.
    pub(crate) hub: Hub,
    /// Matches for browsers; see [`library`].
    pub(crate) library: Arc<Library>,
    /// Takes what people hand in.
    pub(crate) workshop: Workshop,
    /// Those who play matches on other machines, if there is a queue for them.
    pub(crate) workers: Option<Arc<Workers>>,
    /// What was measured, if this program measures.
    pub(crate) metrics: Option<PrometheusHandle>,
}

/// What every handler can reach.
struct Site {
    plan: Arc<EventPlan>,
    store: Store,
    hub: Hub,
    library: Arc<Library>,
    workshop: Workshop,
    workers: Option<Arc<Workers>>,
    metrics: Option<PrometheusHandle>,
    openapi: Arc<utoipa::openapi::OpenApi>,
    gate: Gate,
    kits: Kits,
    downloads: Downloads,
    news: News,
    sittings: Mutex<HashMap<MatchId, Arc<Sitting>>>,
    /// What people can play by hand.
    offer: Vec<PlayGame>,
    /// Checks steps of courses.
    tutor: Tutor,
}

/// The matches of an event: those that go on as the hub opens them, and those that are over from the store.
pub(crate) fn library(games: &'static [&'static dyn AnyGame], store: Store) -> Library {
    Library::with_source(games, Replays { store, runtime: Handle::current() }).redacting_faults()
}

struct Replays {
    store: Store,
    runtime: Handle,
}

impl ReplaySource for Replays {
    fn replay(&self, id: &str) -> Option<Result<Vec<u8>, Unreadable>> {
        let found = self.runtime.block_on(self.store.replay(id.parse().ok()?));
        found.map_err(|error| Unreadable::File(error.to_string())).transpose()
    }
}

/// All addresses of the site.
pub(crate) fn router(needs: Needs) -> Router {
    let (routes, described) = OpenApiRouter::with_openapi(openapi::base())
        .merge(event::routes())
        .merge(streams::routes())
        .merge(matches::routes())
        .merge(people::routes())
        .merge(play::routes())
        .merge(challenges::routes())
        .merge(course::routes())
        .merge(account::routes())
        .merge(versions::routes())
        .merge(own::routes())
        .merge(editor::routes())
        .merge(follows::routes())
        .merge(admin::routes())
        .merge(kits::routes())
        .merge(downloads::routes())
        .merge(openapi::routes())
        .split_for_parts();
    let tutor =
        Tutor::start(needs.store.clone(), Arc::clone(&needs.plan), needs.hub.clone(), needs.workshop.clone());
    let site = Arc::new(Site {
        kits: Kits::pack(&needs.plan),
        offer: play::games(&needs.plan),
        downloads: Downloads::new(&needs.plan),
        plan: needs.plan,
        store: needs.store,
        hub: needs.hub,
        library: needs.library,
        workshop: needs.workshop,
        workers: needs.workers,
        metrics: needs.metrics,
        openapi: Arc::new(openapi::complete(described)),
        gate: Gate::new(),
        news: News::default(),
        sittings: Mutex::default(),
        tutor,
    });
    let viewer =
        match_routes(Arc::clone(&site.library)).layer(from_fn_with_state(Arc::clone(&site), matches::watch));
    let nowhere = || async { Problem::from(Trouble::NoAddress {}) };
    let router = routes
        .with_state(Arc::clone(&site))
        .merge(viewer)
        .route("/api/{*rest}", axum::routing::any(nowhere))
        .method_not_allowed_fallback(|| async { Problem::from(Trouble::WrongMethod {}) })
        .fallback(page)
        .layer(from_fn(gate::same_site))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest));
    let secure = site.plan.tls.is_some();
    protected(router, secure).layer(from_fn_with_state(site, gate::pass)).layer(
        TraceLayer::new_for_http()
            .make_span_with(|request: &Request| {
                let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
                // Neither headers nor what is behind the question mark: both may hold secrets.
                tracing::debug_span!("request", method = %request.method(), path = request.uri().path(), peer = ?peer)
            })
            .on_response(DefaultOnResponse::new().level(Level::DEBUG)),
    )
}

/// Tells browsers to be strict.
fn protected(router: Router, secure: bool) -> Router {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let router = router
        .layer(header(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::CACHE_CONTROL, "no-store"));
    match secure {
        true => router.layer(header(header::STRICT_TRANSPORT_SECURITY, "max-age=31536000")),
        false => router,
    }
}

/// Whether this is a match to stand inside a page of somebody else.
fn is_embedded(uri: &Uri) -> bool {
    uri.path().starts_with("/matches/")
        && uri.query().is_some_and(|query| query.split('&').any(|part| part == "embed=1"))
}

/// The site's page, and the files that it needs.
async fn page(uri: Uri, headers: HeaderMap) -> Response {
    match palestra_server::site_is_there() {
        true if is_embedded(&uri) => {
            ([(header::CONTENT_SECURITY_POLICY, EMBEDDED_POLICY)], palestra_server::site(&uri, &headers))
                .into_response()
        }
        true => palestra_server::site(&uri, &headers),
        false => {
            let sentence = "this palestra was built without its site; run `make web` and build it again\n";
            (StatusCode::NOT_FOUND, sentence).into_response()
        }
    }
}
