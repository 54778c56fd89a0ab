//! The description of the API at `/api/openapi.json`, made from the code that answers.

use super::Site;
use crate::api::Wrong;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use std::sync::Arc;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, Content, OpenApi, Ref, RefOr, Required, SecurityRequirement};
use utoipa::{OpenApi as _, ToSchema as _};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Palestra arena",
        description = "Everything that the site shows. Errors are a status and `{\"error\": \"one sentence\"}`, most with the same as a code and its values under `message`. Requests that \
                       change something need a key (`Authorization: Bearer KEY`), or the cookie of a browser and the \
                       header `X-Palestra: 1`.",
    ),
    components(schemas(Wrong))
)]
struct Base;

/// What is true of every address.
pub(super) fn base() -> OpenApi {
    Base::openapi()
}

pub(super) fn routes() -> OpenApiRouter<Arc<Site>> {
    OpenApiRouter::new().routes(routes!(document))
}

/// This description.
#[utoipa::path(get, path = "/api/openapi.json", tag = "operation", responses((status = 200, body = Object)))]
async fn document(State(site): State<Arc<Site>>) -> Response {
    Json(&*site.openapi).into_response()
}

/// The addresses of the viewer, whose answers `docs/viewer.md` describes: address, what it tells, kind of answer, and
/// what can be asked with it.
const VIEWER: &[(&str, &str, &str, &[&str])] = &[
    ("/api/matches/{id}", "What does not change from turn to turn.", JSON, &[]),
    (
        "/api/matches/{id}/frames",
        "128 moments: the first whole, the others as changes.",
        JSON,
        &["every", "chunk", "after", "seat"],
    ),
    ("/api/matches/{id}/overview", "The whole match at a glance: charts and marks.", JSON, &["seat"]),
    (
        "/api/matches/{id}/defeats",
        "Why everybody lost who did: when the balance tipped, faults and time, and how to see it again.",
        JSON,
        &[],
    ),
    (
        "/api/matches/{id}/turns/{turn}",
        "The last turn of seat `of` up to this one, raw. Standard error is for the author.",
        JSON,
        &["of"],
    ),
    ("/api/matches/{id}/events", "How far it has come, as server-sent events.", "text/event-stream", &[]),
    (
        "/api/matches/{id}/replay",
        "The replay file. Standard error of others is left out.",
        "application/octet-stream",
        &[],
    ),
    (
        "/api/games/{game}/rules",
        "The rule book: `title` and `html`; in English, if it is not there in the language.",
        JSON,
        &["language"],
    ),
];

/// Those with which people play by hand, and the fields of what they send.
const HANDS: &[(&str, &str, &[&str])] = &[
    ("/api/matches/{id}/answer", "A person's answer for a turn.", &["seat", "key", "turn", "text"]),
    ("/api/matches/{id}/resign", "A person gives up.", &["seat", "key"]),
];

const JSON: &str = "application/json";

/// Adds what the routes do not say themselves: the viewer's addresses, how keys are sent, and how errors look.
pub(super) fn complete(mut api: OpenApi) -> OpenApi {
    for (address, summary, kind, asked) in VIEWER {
        api.paths.add_path_operation(
            *address,
            vec![HttpMethod::Get],
            viewer_operation(address, summary, kind, asked),
        );
    }
    for (address, summary, fields) in HANDS {
        let mut operation = viewer_operation(address, summary, JSON, &[]);
        operation.request_body = Some(RefOr::T(hand_body(fields)));
        api.paths.add_path_operation(*address, vec![HttpMethod::Post], operation);
    }
    let components = api.components.get_or_insert_with(Components::new);
    let key = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(super::auth::COOKIE)));
    components.add_security_scheme("key", key);
    components.add_security_scheme("cookie", cookie);
    let nobody = SecurityRequirement::default();
    let by = |name: &str| SecurityRequirement::new(name, [] as [&str; 0]);
    api.security = Some(vec![nobody, by("key"), by("cookie")]);
    let wrong = ResponseBuilder::new()
        .description("Something went wrong: one sentence.")
        .content(JSON, Content::new(Some(Ref::from_schema_name(Wrong::name()))))
        .build();
    for item in api.paths.paths.values_mut() {
        for operation in [&mut item.get, &mut item.post, &mut item.delete].into_iter().flatten() {
            for answer in operation.responses.responses.values_mut() {
                if let RefOr::T(answer) = answer
                    && answer.description.is_empty()
                {
                    answer.description = "It is done, or this is it.".to_owned();
                }
            }
            operation.responses.responses.insert("default".to_owned(), wrong.clone().into());
        }
    }
    api
}

fn viewer_operation(address: &str, summary: &str, kind: &str, asked: &[&str]) -> Operation {
    let in_path = address.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let content = Content::new(Some(ObjectBuilder::new().build()));
    let answer = ResponseBuilder::new().description("See docs/viewer.md.").content(kind, content);
    OperationBuilder::new()
        .tag("viewer")
        .summary(Some(summary))
        .parameters(Some(in_path.map(|name| parameter(name, ParameterIn::Path))))
        .parameters(Some(asked.iter().map(|name| parameter(name, ParameterIn::Query))))
        .response("200", answer)
        .build()
}

fn hand_body(fields: &[&str]) -> RequestBody {
    let kind = |name: &str| if ["key", "text"].contains(&name) { Type::String } else { Type::Integer };
    let body = fields.iter().fold(ObjectBuilder::new(), |body, name| {
        body.property(*name, ObjectBuilder::new().schema_type(kind(name))).required(*name)
    });
    RequestBodyBuilder::new()
        .content(JSON, Content::new(Some(body.build())))
        .required(Some(Required::True))
        .build()
}

fn parameter(name: &str, place: ParameterIn) -> Parameter {
    let kind = if ["game", "language"].contains(&name) { Type::String } else { Type::Integer };
    let needed = matches!(place, ParameterIn::Path) || ["every", "chunk", "of"].contains(&name);
    ParameterBuilder::new()
        .name(name)
        .parameter_in(place)
        .required(if needed { Required::True } else { Required::False })
        .schema(Some(ObjectBuilder::new().schema_type(kind)))
        .build()
}
