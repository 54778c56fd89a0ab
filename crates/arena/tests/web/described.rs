//! The description of the API, against what really answers.

use crate::stand::Stand;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Every address that the site and programs are promised.
const PROMISED: &[(&str, &str)] = &[
    ("get", "/api/event"),
    ("get", "/api/live"),
    ("get", "/api/stream"),
    ("get", "/api/games/{game}/standings"),
    ("get", "/api/games/{game}/rules"),
    ("get", "/api/matches"),
    ("get", "/api/matches/{id}/info"),
    ("get", "/api/matches/{id}"),
    ("get", "/api/matches/{id}/frames"),
    ("get", "/api/matches/{id}/overview"),
    ("get", "/api/matches/{id}/defeats"),
    ("get", "/api/matches/{id}/turns/{turn}"),
    ("get", "/api/matches/{id}/events"),
    ("get", "/api/matches/{id}/replay"),
    ("post", "/api/matches/{id}/answer"),
    ("post", "/api/matches/{id}/resign"),
    ("post", "/api/challenges"),
    ("get", "/api/challenges"),
    ("get", "/api/challenges/{id}"),
    ("delete", "/api/challenges/{id}"),
    ("get", "/api/games/{game}/course"),
    ("post", "/api/games/{game}/course/{step}"),
    ("get", "/api/play"),
    ("post", "/api/play"),
    ("get", "/api/play/table"),
    ("post", "/api/play/accept"),
    ("post", "/api/play/again"),
    ("post", "/api/play/leave"),
    ("get", "/api/players"),
    ("get", "/api/players/{id}"),
    ("get", "/api/bots/{id}"),
    ("get", "/api/rounds"),
    ("get", "/api/rounds/{id}"),
    ("get", "/kits/{game}/{file}"),
    ("get", "/api/downloads"),
    ("get", "/downloads/{file}"),
    ("get", "/api/openapi.json"),
    ("get", "/metrics"),
    ("get", "/health"),
    ("post", "/api/login"),
    ("post", "/api/logout"),
    ("post", "/api/register"),
    ("post", "/api/me/password"),
    ("get", "/api/me/tokens"),
    ("post", "/api/me/tokens"),
    ("delete", "/api/me/tokens/{id}"),
    ("get", "/api/me/bots"),
    ("post", "/api/games/{game}/versions"),
    ("get", "/api/versions/{id}"),
    ("get", "/api/versions/{id}/log"),
    ("post", "/api/versions/{id}/activate"),
    ("post", "/api/versions/{id}/note"),
    ("get", "/api/versions/{id}/source"),
    ("get", "/api/versions/{id}/file"),
    ("get", "/api/bots/{id}/comparison"),
    ("get", "/api/games/{game}/editor"),
    ("post", "/api/games/{game}/trials"),
    ("get", "/api/me/matches"),
    ("post", "/api/me/seen"),
    ("get", "/api/me/follows"),
    ("post", "/api/me/follows/{id}"),
    ("delete", "/api/me/follows/{id}"),
    ("post", "/api/admin/event"),
    ("post", "/api/admin/rounds/{id}"),
    ("post", "/api/admin/matches/{id}/void"),
    ("post", "/api/admin/matches/{id}/rerun"),
    ("post", "/api/admin/announce"),
    ("delete", "/api/admin/announcements/{id}"),
    ("get", "/api/admin/players"),
    ("post", "/api/admin/players"),
    ("post", "/api/admin/players/import"),
    ("post", "/api/admin/players/import/preview"),
    ("post", "/api/admin/players/{id}/reset"),
    ("post", "/api/admin/players/{id}/ban"),
    ("get", "/api/admin/log"),
    ("get", "/api/admin/machine"),
    ("get", "/api/admin/workers"),
];

#[tokio::test]
async fn every_address_is_described_and_answers() {
    let stand = Stand::open().await;
    let document = stand.get("/api/openapi.json").await.json();
    let paths = document["paths"].as_object().unwrap();
    let described: BTreeSet<(&str, &str)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (method.as_str(), path.as_str()))
        })
        .collect();
    assert_eq!(described, PROMISED.iter().copied().collect());
    for (method, path) in described {
        // Nothing of this is there, and nobody is signed in; but it is not "no such address" either.
        let address = path
            .replace("{id}", "0")
            .replace("{game}", "chess")
            .replace("{turn}", "0")
            .replace("{file}", "x");
        let request =
            Request::builder().method(method.to_uppercase().as_str()).uri(&address).header("x-palestra", "1");
        let response = tower::ServiceExt::oneshot(stand.router.clone(), request.body(Body::empty()).unwrap());
        let response = response.await.unwrap();
        assert_ne!(response.status(), StatusCode::METHOD_NOT_ALLOWED, "{method} {path}");
        if response.status() == StatusCode::NOT_FOUND {
            let answer = stand
                .send(
                    Request::builder()
                        .method(method.to_uppercase().as_str())
                        .uri(&address)
                        .header("x-palestra", "1")
                        .body(Body::empty())
                        .unwrap(),
                )
                .await;
            assert!(!answer.error().contains("no such address"), "{method} {path}");
        }
    }
}

/// The reference in the documentation is made of it, also where no arena is.
#[tokio::test]
async fn golden_description_for_the_documentation() {
    let stand = Stand::open().await;
    let document = stand.get("/api/openapi.json").await.json();
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    palestra_testkit::compare(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json"), &text);
}

/// Everything that the document refers to is in it, and its basic parts are as OpenAPI 3.1 wants them.
#[tokio::test]
async fn the_description_holds_together() {
    let stand = Stand::open().await;
    let document = stand.get("/api/openapi.json").await.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"), "{}", document["openapi"]);
    assert!(document["info"]["title"].is_string() && document["info"]["version"].is_string());
    let mut names = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let about = format!("{method} {path}");
            if let Some(name) = operation["operationId"].as_str() {
                assert!(names.insert(name.to_owned()), "{about}: two operations are called {name}");
            }
            assert!(operation["summary"].is_string() || operation["description"].is_string(), "{about}");
            let answers = operation["responses"].as_object().unwrap();
            assert!(
                answers.contains_key("default") && answers.keys().any(|status| status.starts_with('2')),
                "{about}"
            );
            assert!(answers.values().all(|answer| answer["description"].is_string()), "{about}");
            let no_parameters = Vec::new();
            let parameters = operation["parameters"].as_array().unwrap_or(&no_parameters);
            let in_path: Vec<&str> = parameters
                .iter()
                .filter(|parameter| parameter["in"] == "path")
                .map(|parameter| parameter["name"].as_str().unwrap())
                .collect();
            let wanted: Vec<&str> =
                path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
            assert_eq!(in_path, wanted, "{about}");
            assert!(parameters.iter().all(|parameter| parameter["schema"].is_object()), "{about}");
        }
    }
    check_references(&document, &document);
}

fn check_references(document: &Value, part: &Value) {
    match part {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get("$ref") {
                let pointer = reference.strip_prefix('#').expect("everything is in one document");
                assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
            }
            fields.values().for_each(|field| check_references(document, field));
        }
        Value::Array(items) => items.iter().for_each(|item| check_references(document, item)),
        _ => {}
    }
}
