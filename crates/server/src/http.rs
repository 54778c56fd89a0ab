//! The addresses of `docs/viewer.md`. Everything that plays games again runs on the blocking pool.

use crate::api::{Answer, List, Progress, Resignation, Rules, Summary};
use crate::assets;
use crate::folder::REPORT;
use crate::library::{Library, Unreadable};
use crate::limits;
use crate::playback::PlaybackError;
use crate::problem::{Problem, Query};
use crate::room::{Refusal, Room};
use crate::rules;
use crate::screenshots::Screenshots;
use crate::spectators::{CacheKey, Revision};
use crate::trouble::Trouble;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use futures_util::stream::{self, Stream};
use palestra_core::Seat;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;

/// Nothing on the page comes from elsewhere, and the browser sees to it.
const CONTENT_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; \
                              worker-src 'self' blob:; object-src 'none'; base-uri 'none'";

/// A report brings its own script along. It is a file from a folder, so it may do nothing but show itself and open
/// replays: it reaches neither other addresses nor what the page keeps.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                             base-uri 'none'; form-action 'none'; \
                             sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox";

/// What every handler can reach.
#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) library: Arc<Library>,
    pub(crate) screenshots: Arc<Screenshots>,
    work: Arc<Semaphore>,
}

impl AppState {
    pub(crate) fn new(library: Arc<Library>) -> AppState {
        let work = Arc::new(Semaphore::new(limits::WORK_AT_ONCE));
        AppState { library, screenshots: Arc::default(), work }
    }
}

/// What somebody who asks may see of a match beside the game itself. Whoever mounts [`match_routes`] puts it into the
/// extensions of requests; without it everything may be seen.
#[derive(Clone, Debug, Default)]
pub struct ViewerRights {
    /// The seats whose standard error and fault sentences may be read.
    pub private: Vec<Seat>,
    /// The seats that the asker plays.
    pub plays: Vec<Seat>,
}

impl ViewerRights {
    fn allows(rights: Option<&ViewerRights>, seat: Seat) -> bool {
        rights.is_none_or(|rights| rights.private.contains(&seat))
    }
}

/// The seats that whoever asks plays.
#[derive(Clone, Debug, Default)]
struct Plays(Vec<Seat>);

impl<S: Send + Sync> FromRequestParts<S> for Plays {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<Plays, Infallible> {
        let rights = parts.extensions.get::<ViewerRights>();
        Ok(Plays(rights.map(|rights| rights.plays.clone()).unwrap_or_default()))
    }
}

/// The addresses with which matches are looked at and played by hand: `docs/viewer.md`.
pub fn match_routes(library: Arc<Library>) -> Router {
    routes().with_state(AppState::new(library))
}

fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/matches/{id}", get(head))
        .route("/api/matches/{id}/frames", get(frames))
        .route("/api/matches/{id}/overview", get(overview))
        .route("/api/matches/{id}/defeats", get(defeats))
        .route("/api/matches/{id}/turns/{turn}", get(turn))
        .route("/api/matches/{id}/events", get(events))
        .route("/api/matches/{id}/replay", get(replay))
        .route("/api/matches/{id}/answer", post(answer))
        .route("/api/matches/{id}/resign", post(resign))
        .route("/api/games/{game}/rules", get(rule_book))
}

pub(crate) fn router(app: AppState) -> Router {
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    routes()
        .route("/api/matches", get(list).post(drop_file).layer(DefaultBodyLimit::max(limits::DROPPED_BYTES)))
        .route("/api/shots/{token}", post(screenshot).layer(DefaultBodyLimit::max(limits::SCREENSHOT_BYTES)))
        .route("/api/{*rest}", get(|| async { Problem::from(Trouble::NowhereHere {}) }))
        .route(&format!("/{REPORT}"), get(report))
        .fallback(|uri: Uri, headers: HeaderMap| async move { assets::serve(assets::VIEWER, &uri, &headers) })
        .layer(DefaultBodyLimit::max(limits::REQUEST_BYTES))
        .layer(CompressionLayer::new())
        .layer(header(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "no-referrer"))
        .layer(header(header::CACHE_CONTROL, "no-store"))
        .with_state(app)
}

async fn list(State(app): State<AppState>) -> Result<Json<List>, Problem> {
    let rooms = app.library.list();
    let matches = run_blocking(&app, move || Ok(rooms.iter().map(|room| room.summary()).collect())).await?;
    Ok(Json(List { matches }))
}

#[derive(Deserialize)]
struct Dropped {
    name: String,
}

async fn drop_file(
    State(app): State<AppState>,
    Query(dropped): Query<Dropped>,
    SameSite: SameSite,
    Body(bytes): Body,
) -> Result<Json<Summary>, Problem> {
    let library = Arc::clone(&app.library);
    run_blocking(&app, move || {
        let id = library.add_dropped(&dropped.name, &bytes)?;
        Ok(Json(library.find(&id).ok_or_else(|| no_match(&id))?.summary()))
    })
    .await
}

async fn head(
    State(app): State<AppState>,
    Path(id): Path<String>,
    plays: Plays,
) -> Result<Response, Problem> {
    let room = find(&app, &id, &plays).await?;
    let eye = room.own_eye(&plays.0);
    cached(&app, room, CacheKey::Head(eye), move |room| Ok(room.head(eye))).await
}

#[derive(Deserialize)]
struct ViewerQuery {
    seat: Option<u8>,
    key: Option<String>,
}

#[derive(Deserialize)]
struct Frames {
    every: u32,
    chunk: u32,
    #[serde(default)]
    after: u32,
    seat: Option<u8>,
    key: Option<String>,
}

async fn frames(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Query(asked): Query<Frames>,
    plays: Plays,
) -> Result<Response, Problem> {
    let room = find(&app, &id, &plays).await?;
    let eye = room.eye(asked.seat, asked.key.as_deref(), &plays.0)?;
    let Frames { every, chunk, after, .. } = asked;
    let key = CacheKey::Frames { eye, every, chunk, after };
    cached(&app, room, key, move |room| Ok(room.playback().chunk(eye, every, chunk, after)?)).await
}

async fn overview(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Query(viewer): Query<ViewerQuery>,
    plays: Plays,
) -> Result<Response, Problem> {
    let room = find(&app, &id, &plays).await?;
    let eye = room.eye(viewer.seat, viewer.key.as_deref(), &plays.0)?;
    let key = CacheKey::Overview(eye);
    cached(&app, room, key, move |room| Ok(room.playback().overview(eye)?)).await
}

async fn defeats(
    State(app): State<AppState>,
    Path(id): Path<String>,
    plays: Plays,
) -> Result<Response, Problem> {
    let room = find(&app, &id, &plays).await?;
    cached(&app, room, CacheKey::Defeats, move |room| Ok(room.defeats()?)).await
}

#[derive(Deserialize)]
struct TurnOf {
    of: u8,
    key: Option<String>,
}

async fn turn(
    State(app): State<AppState>,
    Path((id, turn)): Path<(String, u32)>,
    Query(asked): Query<TurnOf>,
    plays: Plays,
    rights: Option<Extension<ViewerRights>>,
) -> Result<Response, Problem> {
    let room = find(&app, &id, &plays).await?;
    run_blocking(&app, move || {
        // What a bot was told is what its seat saw.
        room.eye(Some(asked.of), asked.key.as_deref(), &plays.0)?;
        let seat = Seat::new(asked.of);
        let own = ViewerRights::allows(rights.as_deref(), seat);
        Ok(Json(room.playback().turn_detail(seat, turn, own)?).into_response())
    })
    .await
}

async fn events(
    State(app): State<AppState>,
    Path(id): Path<String>,
    plays: Plays,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let room = find(&app, &id, &plays).await?;
    let spectator = room.spectators.join();
    let messages = stream::unfold((spectator, None), move |(spectator, seen): (_, Option<Progress>)| {
        let room = Arc::clone(&room);
        async move {
            let progress = match seen {
                None => room.revision().map_or_else(|| room.progress(), |revision| revision.progress),
                Some(seen) => later(&room, seen).await?,
            };
            let event = Event::default().data(json!(progress).to_string());
            Some((Ok(event), (spectator, Some(progress))))
        }
    });
    Ok(Sse::new(messages).keep_alive(KeepAlive::new().interval(limits::KEEP_ALIVE)))
}

/// The next progress to tell after this; nothing if the match is over.
async fn later(room: &Room, seen: Progress) -> Option<Progress> {
    let feed = room.feed.as_ref().filter(|_| !seen.over)?;
    loop {
        // A match may take a hundred thousand turns a second; nobody can look at so many.
        tokio::time::sleep(room.spectators.progress_interval()).await;
        feed.wait(seen).await;
        let progress = room.spectators.revision(feed).progress;
        if progress != seen {
            return Some(progress);
        }
    }
}

async fn replay(
    State(app): State<AppState>,
    Path(id): Path<String>,
    plays: Plays,
    rights: Option<Extension<ViewerRights>>,
) -> Result<Response, Problem> {
    let room = find(&app, &id, &plays).await?;
    run_blocking(&app, move || {
        let Some(unredacted) = room.playback().unredacted() else {
            return Err(Trouble::NoReplay {}.into());
        };
        let mut replay = match &rights {
            None => unredacted,
            Some(Extension(rights)) => unredacted
                .with_fault_kinds_only(room.game(), |seat| rights.private.contains(&seat))
                .map_err(PlaybackError::from)?,
        };
        for (index, pieces) in replay.head.stderr.iter_mut().enumerate() {
            if !ViewerRights::allows(rights.as_deref(), Seat::at(index)) {
                pieces.clear();
            }
        }
        let name = format!("attachment; filename=\"{}.replay\"", room.id);
        let headers = [
            (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
            (header::CONTENT_DISPOSITION, name),
        ];
        Ok((headers, replay.to_bytes().map_err(PlaybackError::from)?).into_response())
    })
    .await
}

async fn answer(
    State(app): State<AppState>,
    Path(id): Path<String>,
    SameSite: SameSite,
    JsonBody(answer): JsonBody<Answer>,
) -> Result<Response, Problem> {
    let room = find(&app, &id, &Plays::default()).await?;
    let library = Arc::clone(&app.library);
    run_blocking(&app, move || {
        let english = library.english(room.game());
        room.answer(answer.seat, &answer.key, answer.turn, &answer.text, english)?;
        Ok(Json(json!({})).into_response())
    })
    .await
}

async fn resign(
    State(app): State<AppState>,
    Path(id): Path<String>,
    SameSite: SameSite,
    JsonBody(who): JsonBody<Resignation>,
) -> Result<Response, Problem> {
    find(&app, &id, &Plays::default()).await?.resign(who.seat, &who.key)?;
    Ok(Json(json!({})).into_response())
}

#[derive(Deserialize)]
struct Reader {
    #[serde(default)]
    language: String,
}

async fn rule_book(
    State(app): State<AppState>,
    Path(game): Path<String>,
    Query(reader): Query<Reader>,
) -> Result<Json<Rules>, Problem> {
    let found = app.library.games().iter().find(|known| known.info().id == game);
    let info = found.ok_or(Trouble::NoGameHere {})?.info();
    let (language, book) = info.folder.rule_book_in(&reader.language);
    Ok(Json(Rules { title: info.title, language, html: rules::page(book) }))
}

#[derive(Deserialize)]
struct ScreenshotResult {
    #[serde(default)]
    error: u8,
}

async fn screenshot(
    State(app): State<AppState>,
    Path(token): Path<String>,
    Query(result): Query<ScreenshotResult>,
    SameSite: SameSite,
    Body(bytes): Body,
) -> Result<Response, Problem> {
    let screenshot = match result.error {
        0 => Ok(bytes.to_vec()),
        _ => Err(String::from_utf8_lossy(&bytes).into_owned()),
    };
    match app.screenshots.deliver(&token, screenshot) {
        true => Ok(Json(json!({})).into_response()),
        false => Err(Trouble::NoPicture {}.into()),
    }
}

async fn report(State(app): State<AppState>) -> Result<Response, Problem> {
    let library = Arc::clone(&app.library);
    run_blocking(&app, move || {
        let report = library.report();
        let report = report.ok_or(Trouble::NoReport {})??;
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
        ];
        Ok((headers, report).into_response())
    })
    .await
}

/// A match that is there, in the folder, or where the source has it.
async fn find(app: &AppState, id: &str, plays: &Plays) -> Result<Arc<Room>, Problem> {
    if let Some(room) = app.library.find_for(id, &plays.0) {
        return Ok(room);
    }
    let (library, id) = (Arc::clone(&app.library), id.to_owned());
    run_blocking(app, move || Ok(library.open(&id).ok_or_else(|| no_match(&id))??)).await
}

fn no_match(id: &str) -> Problem {
    Trouble::NoMatchHere { id: id.to_owned() }.into()
}

/// The response to a query, worked out once for all who make it at the same revision.
async fn cached<T: Serialize>(
    app: &AppState,
    room: Arc<Room>,
    key: CacheKey,
    work: impl FnOnce(&Room) -> Result<T, Problem> + Send + 'static,
) -> Result<Response, Problem> {
    if let Some(known) = room.cached(key) {
        return Ok(json_bytes(known));
    }
    let spectators = Arc::clone(&room.spectators);
    let _single_flight = spectators.single_flight.lock().await;
    // While this one waited somebody may have worked it out.
    if let Some(known) = room.cached(key) {
        return Ok(json_bytes(known));
    }
    let answer = run_blocking(app, move || {
        let revision = room.revision().map_or(0, Revision::number);
        let answer = serde_json::to_vec(&work(&room)?).expect("what is told can be written as JSON");
        let answer = Bytes::from(answer);
        room.spectators.keep(revision, key, &answer);
        Ok(answer)
    });
    Ok(json_bytes(answer.await?))
}

fn json_bytes(bytes: Bytes) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], bytes).into_response()
}

/// Runs work that takes a while on the blocking pool, so much at a time.
async fn run_blocking<T: Send + 'static>(
    app: &AppState,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let _room = app.work.acquire().await;
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Trouble::BrokenInside {}.into()))
}

impl From<PlaybackError> for Problem {
    fn from(error: PlaybackError) -> Problem {
        match error {
            PlaybackError::Replay(error) => Unreadable::Replay(error).into(),
            PlaybackError::NoTurn { asked, last } => Trouble::NoTurn { asked, last }.into(),
            // Only a program asks for what makes no sense.
            PlaybackError::BadRequest(why) => Problem::bad(why),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let status = match refusal {
            Refusal::Playback(error) => return error.into(),
            Refusal::NotYours(trouble) => return trouble.into(),
            Refusal::TooLate(_) => StatusCode::CONFLICT,
            Refusal::NotAllowed { message, sentence } => {
                return Problem::new(StatusCode::UNPROCESSABLE_ENTITY, sentence).with_message(message);
            }
        };
        Problem::new(status, refusal.to_string())
    }
}

impl From<Unreadable> for Problem {
    fn from(error: Unreadable) -> Problem {
        match error {
            Unreadable::Replay(error) => Trouble::ReplayFault { why: error.to_string() },
            Unreadable::Log(why) => Trouble::LogFault { why },
            Unreadable::File(why) => Trouble::FileFault { why },
            Unreadable::Unknown => Trouble::NeitherReplayNorLog {},
        }
        .into()
    }
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        let status = match &trouble {
            Trouble::NowhereHere {}
            | Trouble::NoMatchHere { .. }
            | Trouble::NoGameHere {}
            | Trouble::NoReplay {}
            | Trouble::NoReport {}
            | Trouble::NoPicture {} => StatusCode::NOT_FOUND,
            Trouble::NoTurn { .. } => StatusCode::BAD_REQUEST,
            Trouble::BrokenInside {} => StatusCode::INTERNAL_SERVER_ERROR,
            Trouble::FileTooLarge {} => StatusCode::PAYLOAD_TOO_LARGE,
            Trouble::OtherSite {}
            | Trouble::WrongSeatKey {}
            | Trouble::PeoplePlay {}
            | Trouble::OwnSeatOnly {}
            | Trouble::HiddenYet {}
            | Trouble::NotYourSeat {} => StatusCode::FORBIDDEN,
            Trouble::NeitherReplayNorLog {}
            | Trouble::ReplayFault { .. }
            | Trouble::LogFault { .. }
            | Trouble::FileFault { .. } => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Problem::new(status, trouble.to_string()).with_message(trouble.into())
    }
}

/// A body of JSON; a mistake in it is told like any other.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Problem))]
struct JsonBody<T>(T);

/// A body of bytes; one that is too large is told like any other mistake.
struct Body(Bytes);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Problem;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Body, Problem> {
        let bytes = Bytes::from_request(request, state).await;
        bytes.map(Body).map_err(|_| Trouble::FileTooLarge {}.into())
    }
}

/// A request of this page, and not of another that happens to be open in the same browser.
struct SameSite;

impl<S: Send + Sync> FromRequestParts<S> for SameSite {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut axum::http::request::Parts, _: &S) -> Result<SameSite, Problem> {
        match parts.headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
            None | Some(b"same-origin" | b"none") => Ok(SameSite),
            Some(_) => Err(Trouble::OtherSite {}.into()),
        }
    }
}
