//! What the arena's errors are as answers, and how bodies are read: every mistake is told as one sentence.

use crate::hub::Refused;
use crate::limits;
use crate::store::{AccountError, StoreError};
use crate::workshop::WorkshopError;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use futures_util::StreamExt as _;
use palestra_server::problem::Problem;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout_at};

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        // What a database says is for those who run it.
        tracing::error!(%error, "the store failed");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the store does not answer; try again in a moment")
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        let status = match error {
            AccountError::Unfit(_) | AccountError::Reserved(_) => StatusCode::BAD_REQUEST,
            AccountError::Taken(_) | AccountError::LooksLike { .. } | AccountError::TooMany => {
                StatusCode::CONFLICT
            }
            AccountError::Unknown(_) => StatusCode::NOT_FOUND,
            AccountError::Store(error) => return error.into(),
        };
        Problem::new(status, error.to_string())
    }
}

impl From<WorkshopError> for Problem {
    fn from(error: WorkshopError) -> Problem {
        let status = match error {
            WorkshopError::NoGame(_) | WorkshopError::NoVersion(_) => StatusCode::NOT_FOUND,
            WorkshopError::NotKept => StatusCode::GONE,
            WorkshopError::Unfit(_) => StatusCode::UNPROCESSABLE_ENTITY,
            WorkshopError::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
            WorkshopError::NotReady { .. } => StatusCode::CONFLICT,
            WorkshopError::Toolchains(_) | WorkshopError::Failed(_) => StatusCode::INTERNAL_SERVER_ERROR,
            WorkshopError::Store(error) => return error.into(),
        };
        Problem::new(status, error.to_string())
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Problem {
        Problem::new(StatusCode::CONFLICT, refused.0)
    }
}

pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &S) -> Result<JsonBody<T>, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes());
        if !kind.is_some_and(|kind| kind.starts_with(b"application/json")) {
            let sentence = "the request has to be JSON; send it with content-type: application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
        }
        let bytes = whole_body(request, limits::REQUEST_BYTES).await?;
        serde_json::from_slice(&bytes)
            .map(JsonBody)
            .map_err(|error| Problem::bad(format!("the request cannot be read: {error}")))
    }
}

/// A body of at most so many bytes. Whoever sends more, or is too slow, is cut off.
pub(super) async fn whole_body(request: Request, limit: usize) -> Result<Bytes, Problem> {
    let too_large = || {
        let sentence = format!("the request has more than {limit} bytes, and no more are taken");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    };
    if announced(request.headers()).is_some_and(|bytes| bytes > limit as u64) {
        return Err(too_large());
    }
    let too_slow = || Problem::new(StatusCode::REQUEST_TIMEOUT, "the request took too long; try again");
    let mut pieces = request.into_body().into_data_stream();
    let mut body = Vec::new();
    let deadline = Instant::now() + limits::REQUEST_BODY;
    let (mut due, mut before) = (Instant::now() + limits::BODY_PACE, 0);
    loop {
        match timeout_at(due.min(deadline), pieces.next()).await {
            Ok(None) => return Ok(body.into()),
            Ok(Some(Err(_))) => return Err(Problem::bad("the request was cut off")),
            Ok(Some(Ok(piece))) if body.len() + piece.len() > limit => return Err(too_large()),
            Ok(Some(Ok(piece))) => body.extend_from_slice(&piece),
            Err(_) => {}
        }
        // Whoever sends byte by byte is no faster than who sends nothing.
        let now = Instant::now();
        if now >= deadline || (now >= due && body.len() - before < limits::BODY_BYTES) {
            return Err(too_slow());
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
