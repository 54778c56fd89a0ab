//! What the arena's errors are as answers, and how bodies are read: every mistake is told as one sentence.

use crate::hub::Refused;
use crate::limits;
use crate::store::{AccountError, StoreError};
use crate::trouble::Trouble;
use crate::workshop::WorkshopError;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::StreamExt as _;
use palestra_server::problem::Problem;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        Problem::new(status(&trouble), trouble.to_string()).with_message(trouble.into())
    }
}

/// What a trouble is in HTTP.
fn status(trouble: &Trouble) -> StatusCode {
    use Trouble as T;
    match trouble {
        T::Unreadable { .. }
        | T::RequestCutOff {}
        | T::LabelTooLong { .. }
        | T::OwnBan {}
        | T::BadName { .. }
        | T::BadPassword { .. }
        | T::NameReserved { .. }
        | T::TableEncoding {}
        | T::TableDamaged { .. }
        | T::TableWithoutNames { .. }
        | T::TableColumns { .. }
        | T::TableTooLong { .. }
        | T::TableLine { .. }
        | T::EmptyAnnouncement {}
        | T::TextTooLong { .. }
        | T::ChallengeMatches { .. }
        | T::NoPlayerNumbers { .. }
        | T::ManySeen { .. } => StatusCode::BAD_REQUEST,
        T::NotSignedIn {} | T::NoSuchKey {} | T::WrongPassword {} => StatusCode::UNAUTHORIZED,
        T::OtherSite {}
        | T::OrganisersOnly {}
        | T::WrongOldPassword {}
        | T::RegistrationClosed {}
        | T::WrongInvite {}
        | T::MatchNotShown {}
        | T::HandPlayersOnly {}
        | T::NoHandPlay {}
        | T::NoChallenges {}
        | T::OthersChallenge {} => StatusCode::FORBIDDEN,
        T::NoAddress {}
        | T::NothingMeasured {}
        | T::NoKey { .. }
        | T::NoPlayer { .. }
        | T::NoGame { .. }
        | T::NoRound { .. }
        | T::NoMatch { .. }
        | T::NoMatchNumber {}
        | T::NoBot { .. }
        | T::NoVersion { .. }
        | T::NoKit {}
        | T::NoDownload {}
        | T::NoTable {}
        | T::NoChallenge { .. }
        | T::NoStep { .. }
        | T::NoSubmissions { .. } => StatusCode::NOT_FOUND,
        T::WrongMethod {} => StatusCode::METHOD_NOT_ALLOWED,
        T::RequestTooSlow {} => StatusCode::REQUEST_TIMEOUT,
        T::RequestTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        T::NotJson {} => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        T::TooOften {}
        | T::OthersSignIn {}
        | T::HandingIn {}
        | T::EnoughVersions { .. }
        | T::EnoughTrials { .. }
        | T::VersionsWait { .. }
        | T::EnoughSteps { .. }
        | T::ManySteps {}
        | T::NoRoom { .. } => StatusCode::TOO_MANY_REQUESTS,
        T::StoreAway {} | T::ShuttingDown {} | T::ManyHandIn {} | T::ManyDownloads {} => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        T::Broken { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        T::NameTaken { .. }
        | T::NameLooksLike { .. }
        | T::EnoughAccounts { .. }
        | T::EnoughKeys { .. }
        | T::EventOver {}
        | T::HandInOver {}
        | T::NoClients { .. }
        | T::ClientPlays {}
        | T::ShutOut {}
        | T::EventPaused {}
        | T::TooManyMatches {}
        | T::TableGone {}
        | T::EnoughTables { .. }
        | T::ManyGuests {}
        | T::TablesTaken {}
        | T::SitsAlready {}
        | T::MatchNotOver {}
        | T::AcceptFirst {}
        | T::WrongSeats { .. }
        | T::OneSeatForYourself {}
        | T::NoOpponent { .. }
        | T::NoMap { .. }
        | T::RoundGoesOn {}
        | T::RoundStands { .. }
        | T::MatchGoesOn {}
        | T::VoidAlready {}
        | T::NotPlayedAgain {}
        | T::RoundGone {}
        | T::RoundNotBegun {}
        | T::PlayedAgainSince {}
        | T::NotCorrected { .. }
        | T::EnoughChallenges { .. }
        | T::ManyChallenges {}
        | T::ChallengeOver {}
        | T::VersionAgainstItself {}
        | T::NothingToPlayWith {}
        | T::NoChallenged {}
        | T::OwnBot {}
        | T::OpponentGone {}
        | T::OpponentBroken { .. }
        | T::OpponentUntried { .. }
        | T::OpponentWithout { .. }
        | T::ChallengeBotGone {}
        | T::ChallengeFailed { .. }
        | T::EnoughFollows { .. }
        | T::NothingToCheck { .. }
        | T::VersionNotReady { .. } => StatusCode::CONFLICT,
        T::NotKept {} => StatusCode::GONE,
        T::NoFileName { .. }
        | T::EmptyFile { .. }
        | T::NoSource { .. }
        | T::TrialTooLarge { .. }
        | T::FileTooLarge { .. }
        | T::UnknownKind { .. }
        | T::NothingToStart { .. }
        | T::SeveralToStart { .. }
        | T::SeveralMains { .. }
        | T::TwiceInArchive {}
        | T::FileTwice { .. }
        | T::ArchiveDamaged { .. }
        | T::NeitherFileNorFolder { .. }
        | T::ArchiveTooLarge { .. }
        | T::ArchiveTooMany { .. }
        | T::NotUnpacked { .. }
        | T::BadPath { .. } => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        // What a database says is for those who run it.
        tracing::error!(%error, "the store failed");
        Trouble::StoreAway {}.into()
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        match error {
            AccountError::Store(error) => error.into(),
            error => Trouble::from(&error).into(),
        }
    }
}

impl From<WorkshopError> for Problem {
    fn from(error: WorkshopError) -> Problem {
        match error {
            WorkshopError::Store(error) => error.into(),
            error => Trouble::from(&error).into(),
        }
    }
}

impl From<Refused> for Problem {
    fn from(Refused(trouble): Refused) -> Problem {
        trouble.into()
    }
}

pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<JsonBody<T>, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes());
        if !kind.is_some_and(|kind| kind.starts_with(b"application/json")) {
            return Err(Trouble::NotJson {}.into());
        }
        let bytes = whole_body(request, limits::REQUEST_BYTES).await?;
        serde_json::from_slice(&bytes)
            .map(JsonBody)
            .map_err(|error| Trouble::Unreadable { why: error.to_string() }.into())
    }
}

/// A body of at most so many bytes. Whoever sends more, or is too slow, is cut off.
pub(super) async fn whole_body(request: Request, limit: usize) -> Result<Bytes, Problem> {
    let too_large = || Trouble::RequestTooLarge { limit: limit as u64 }.into();
    if announced(request.headers()).is_some_and(|bytes| bytes > limit as u64) {
        return Err(too_large());
    }
    let mut pieces = request.into_body().into_data_stream();
    let mut body = Vec::new();
    let deadline = Instant::now() + limits::REQUEST_BODY;
    let (mut due, mut before) = (Instant::now() + limits::BODY_PACE, 0);
    loop {
        match timeout_at(due.min(deadline), pieces.next()).await {
            Ok(None) => return Ok(body.into()),
            Ok(Some(Err(_))) => return Err(Trouble::RequestCutOff {}.into()),
            Ok(Some(Ok(piece))) if body.len() + piece.len() > limit => return Err(too_large()),
            Ok(Some(Ok(piece))) => body.extend_from_slice(&piece),
            Err(_) => {}
        }
        // Whoever sends byte by byte is no faster than who sends nothing.
        let now = Instant::now();
        if now >= deadline || (now >= due && body.len() - before < limits::BODY_BYTES) {
            return Err(Trouble::RequestTooSlow {}.into());
        }
        if now >= due {
            (due, before) = (now + limits::BODY_PACE, body.len());
        }
    }
}

/// The request with a body that is there.
pub(super) async fn whole_request(request: Request, limit: usize) -> Result<Request, Problem> {
    let (parts, body) = request.into_parts();
    let mut taken = Request::new(body);
    *taken.headers_mut() = parts.headers.clone();
    Ok(Request::from_parts(parts, whole_body(taken, limit).await?.into()))
}

fn announced(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::whole_body;
    use crate::limits;
    use axum::body::{Body, Bytes};
    use axum::extract::Request;
    use axum::http::StatusCode;
    use futures_util::stream;
    use std::convert::Infallible;
    use std::time::Duration;

    /// A body of so many bytes at a time, one piece after each pause; it never ends if `pieces` is nothing.
    fn body(bytes: usize, pause: Duration, pieces: Option<usize>) -> Request {
        let pieces = stream::unfold(0, move |count| async move {
            tokio::time::sleep(pause).await;
            let more = pieces.is_none_or(|pieces| count < pieces);
            more.then(|| (Ok::<_, Infallible>(Bytes::from(vec![b'x'; bytes])), count + 1))
        });
        Request::new(Body::from_stream(pieces))
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_stalls_or_drips_is_cut_off_and_a_slow_one_is_not() {
        let second = Duration::from_secs(1);
        for stalled in [body(0, second, None), body(1, second / 1000, None), body(6_000, second, None)] {
            let began = tokio::time::Instant::now();
            let problem = whole_body(stalled, limits::UPLOAD_BYTES).await.unwrap_err();
            assert_eq!(problem.status(), StatusCode::REQUEST_TIMEOUT);
            assert!(began.elapsed() < limits::BODY_PACE + 2 * second, "{:?}", began.elapsed());
        }
        let slow = body(7_000, second, Some(50));
        assert_eq!(whole_body(slow, limits::UPLOAD_BYTES).await.unwrap().len(), 350_000);
        let endless = body(limits::BODY_BYTES, second, None);
        let began = tokio::time::Instant::now();
        assert_eq!(whole_body(endless, usize::MAX).await.unwrap_err().status(), StatusCode::REQUEST_TIMEOUT);
        assert!(began.elapsed() <= limits::REQUEST_BODY + second);
        let large = body(100, second, Some(2));
        assert_eq!(whole_body(large, 150).await.unwrap_err().status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
}
