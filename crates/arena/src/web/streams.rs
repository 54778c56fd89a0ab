//! News as they come. Everybody is told the same at the same time, from one text; a browser that does not listen is told
//! nothing, and costs nothing but its place.

use super::Site;
use super::auth::Visitor;
use super::gate::Caller;
use crate::api::LiveView;
use crate::connections::ConnectionLimit;
use crate::hub::Snapshot;
use crate::limits;
use crate::store::{Account, now};
use axum::body::Body;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use futures_util::{Stream, StreamExt as _, stream};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(live)).routes(routes!(news))
}

/// The event at this moment.
#[utoipa::path(get, path = "/api/live", tag = "event", responses((status = 200, body = LiveView)))]
async fn live(State(site): State<Arc<Site>>, Visitor(visitor): Visitor) -> Json<LiveView> {
    let snapshot = site.hub.snapshot();
    Json(site.live_view(&snapshot, visitor.as_ref()))
}

/// The event as it goes on: server-sent events, each a `LiveView`, when something has changed.
#[utoipa::path(
    get, path = "/api/stream", tag = "event",
    responses((status = 200, body = LiveView, content_type = "text/event-stream"))
)]
async fn news(
    State(site): State<Arc<Site>>,
    Extension(caller): Extension<Caller>,
    Visitor(visitor): Visitor,
) -> Response {
    let mut snapshots = site.hub.snapshots();
    snapshots.mark_changed();
    let streams = Arc::clone(&site.gate.streams);
    let messages =
        stream::unfold((site, snapshots, visitor, false), async |(site, mut snapshots, visitor, later)| {
            if later {
                tokio::time::sleep(site.pause()).await;
            }
            snapshots.changed().await.ok()?;
            let snapshot = Arc::clone(&snapshots.borrow_and_update());
            let text = site.news.text(&site, &snapshot, visitor.as_ref());
            Some((Event::default().data(&*text), (site, snapshots, visitor, true)))
        });
    counted(&streams, caller, async { told(messages).into_response() }).await
}

/// Messages as server-sent events.
pub(super) fn told(
    messages: impl Stream<Item = Event> + Send + 'static,
) -> impl axum::response::IntoResponse {
    let messages = messages.map(Ok::<Event, Infallible>);
    Sse::new(messages).keep_alive(KeepAlive::new().interval(limits::KEEP_ALIVE))
}

/// A stream that takes a place for as long as it lasts. There are only so many: it ends when it has to make room, and its
/// page comes back.
pub(super) async fn counted(
    listeners: &Arc<ConnectionLimit>,
    caller: Caller,
    response: impl Future<Output = Response>,
) -> Response {
    let mut listener = listeners.enter(caller.address);
    response.await.map(|body| {
        let ended = async move { listener.ended().await };
        Body::from_stream(body.into_data_stream().take_until(Box::pin(ended)))
    })
}

/// The latest snapshot as text, once for all who may see the same of it.
#[derive(Default)]
pub(super) struct News(Mutex<Option<Written>>);

struct Written {
    snapshot: Arc<Snapshot>,
    /// For strangers, and for whoever is signed in.
    texts: [Option<Arc<str>>; 2],
}

impl News {
    fn text(&self, site: &Site, snapshot: &Arc<Snapshot>, who: Option<&Account>) -> Arc<str> {
        let write = || -> Arc<str> {
            serde_json::to_string(&site.live_view(snapshot, who)).expect("views are plain data").into()
        };
        // Organisers, and those who play in what is shown, may see more than others.
        let shown = snapshot.live.matches.iter().chain(&snapshot.live.latest);
        let special = who.is_some_and(|who| {
            who.organiser
                || shown.flat_map(|view| &view.seats).any(|seat| seat.player == Some(who.id))
                || snapshot.settled.iter().any(|(player, _)| *player == who.id)
        });
        if special {
            return write();
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match &mut *known {
            Some(written) if Arc::ptr_eq(&written.snapshot, snapshot) => written,
            known => known.insert(Written { snapshot: Arc::clone(snapshot), texts: [None, None] }),
        };
        Arc::clone(written.texts[usize::from(who.is_some())].get_or_insert_with(write))
    }
}

impl Site {
    /// Between two pieces of news: the longer the more listen.
    fn pause(&self) -> Duration {
        let listeners = u32::try_from(self.gate.streams.count()).unwrap_or(u32::MAX);
        limits::NEWS_EVERY.max(limits::LISTENER_SHARE.saturating_mul(listeners))
    }

    fn live_view(&self, snapshot: &Snapshot, who: Option<&Account>) -> LiveView {
        let mut live = snapshot.live.clone();
        live.now = now();
        let own = snapshot.settled.iter().filter(|(player, _)| who.is_some_and(|who| who.id == *player));
        live.settled = own.map(|(_, version)| version.clone()).collect();
        for views in [&mut live.matches, &mut live.latest] {
            *views = std::mem::take(views).into_iter().map(|view| self.dressed(view, who)).collect();
        }
        live
    }
}
