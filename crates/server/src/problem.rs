//! Requests that cannot be answered, here and in an arena: every mistake is told as one sentence.

use axum::Json;
use axum::extract::FromRequestParts;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use palestra_core::Message;
use serde_json::json;

/// A request that cannot be answered: a status and one sentence.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    sentence: String,
    message: Option<Message>,
}

impl Problem {
    /// One with this status and sentence, without a code.
    pub fn new(status: StatusCode, sentence: impl Into<String>) -> Problem {
        Problem { status, sentence: sentence.into(), message: None }
    }

    /// The same as data, for a page that tells it in another language.
    #[must_use]
    pub fn with_message(self, message: Message) -> Problem {
        Problem { message: Some(message), ..self }
    }

    /// The request makes no sense.
    pub fn bad(sentence: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// There is no such thing.
    pub fn missing(sentence: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, sentence)
    }

    /// Not for whoever asks.
    pub fn forbidden(sentence: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, sentence)
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = match &self.message {
            Some(message) => json!({ "error": self.sentence, "message": message }),
            None => json!({ "error": self.sentence }),
        };
        (self.status, Json(body)).into_response()
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Problem {
        Problem::new(rejection.status(), format!("the request cannot be read: {}", rejection.body_text()))
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Problem {
        Problem::bad(format!("the address cannot be read: {}", rejection.body_text()))
    }
}

impl From<PathRejection> for Problem {
    fn from(_: PathRejection) -> Problem {
        Problem::missing("there is no such address; numbers in addresses are whole numbers")
    }
}

/// The part of an address behind the question mark; a mistake in it is told like any other.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub struct Query<T>(pub T);

/// A part of an address; a mistake in it is told like any other.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub struct Path<T>(pub T);
