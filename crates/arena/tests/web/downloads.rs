//! What can be downloaded: listed with size and checksum, sent as it is, and nothing else is.

use crate::stand::Stand;
use axum::http::{StatusCode, header};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

/// A folder with files, and an event that offers them.
async fn offering(files: &[(&str, &[u8])]) -> (TempDir, Stand) {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    let stand = Stand::with(&format!("downloads = '{}'", folder.path().display())).await;
    (folder, stand)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn listed(stand: &Stand) -> Vec<Value> {
    stand.get("/api/downloads").await.json()["files"].as_array().unwrap().clone()
}

#[tokio::test]
async fn every_file_that_is_listed_is_sent_as_it_was_listed() {
    let large = vec![7; 300_000];
    let (_folder, stand) = offering(&[
        ("palestra-1.0-x86_64-linux.tar.gz", &large),
        ("palestra-1.0-arm64-macos.zip", b"mac"),
        ("rules (printed).pdf", b"%PDF"),
        ("empty.txt", b""),
    ])
    .await;
    let files = listed(&stand).await;
    let of = |name: &str| {
        files.iter().find(|file| file["file"] == name).unwrap_or_else(|| panic!("{name}: {files:#?}"))
    };
    assert_eq!(of("palestra-1.0-x86_64-linux.tar.gz")["kind"]["system"], "linux");
    assert_eq!(of("palestra-1.0-arm64-macos.zip")["kind"]["processor"], "arm64");
    assert_eq!(of("rules (printed).pdf")["kind"]["kind"], "other");
    let programs = files.iter().filter(|file| file["kind"]["kind"] == "program").count();
    assert_eq!(
        programs, 2,
        "there is one for this system, so that this program itself is not offered: {files:#?}"
    );
    assert!(files.iter().filter(|file| file["kind"]["kind"] == "kit").count() >= 4, "{files:#?}");
    for file in &files {
        let answer = stand.get(file["href"].as_str().unwrap()).await;
        assert_eq!(answer.status, StatusCode::OK, "{file}");
        assert_eq!(file["bytes"], answer.bytes.len(), "{file}");
        assert_eq!(file["sha256"], sha256(&answer.bytes), "{file}");
        let header = |name| answer.headers[name].to_str().unwrap();
        assert!(header(header::CONTENT_DISPOSITION).starts_with("attachment; filename="), "{file}");
        assert_eq!(header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
    }
    let answer = stand.get("/downloads/palestra-1.0-x86_64-linux.tar.gz").await;
    assert_eq!(answer.headers[header::CONTENT_TYPE], "application/gzip");
    assert_eq!(answer.headers[header::CONTENT_LENGTH], "300000", "browsers show how much is to come");
}

#[tokio::test]
async fn nothing_but_the_files_of_the_folder_is_sent() {
    let (folder, stand) = offering(&[("a.zip", b"a"), (".secret", b"s"), ("page.html", b"<script>")]).await;
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::write(outside.path(), "outside").unwrap();
    symlink(outside.path(), folder.path().join("link.zip")).unwrap();
    fs::create_dir(folder.path().join("folder.zip")).unwrap();
    for address in [
        "/downloads/.secret",
        "/downloads/link.zip",
        "/downloads/folder.zip",
        "/downloads/..%2Fevent.toml",
        "/downloads/%2Fetc%2Fpasswd",
        "/downloads/a.zip%00",
        "/downloads/A.ZIP",
        "/downloads/%C3%A1",
    ] {
        let answer = stand.get(address).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{address}");
        assert_eq!(answer.json()["message"]["code"], "no_download", "{address}");
    }
    // Not a file of the site either, but its page.
    assert!(!stand.get("/downloads/../event.toml").await.bytes.starts_with(b"name"));
    let page = stand.get("/downloads/page.html").await;
    assert_eq!(page.headers[header::CONTENT_TYPE], "application/octet-stream", "no page of strangers");
}

#[tokio::test]
async fn a_file_that_is_replaced_is_not_sent_under_the_checksum_of_the_old_one() {
    let (folder, stand) = offering(&[("a.zip", b"old")]).await;
    assert_eq!(stand.get("/downloads/a.zip").await.bytes, b"old");
    fs::remove_file(folder.path().join("a.zip")).unwrap();
    fs::write(folder.path().join("a.zip"), "newer").unwrap();
    // Either it has been looked at anew, or it is not there for a moment.
    let answer = stand.get("/downloads/a.zip").await;
    match answer.status {
        StatusCode::OK => assert_eq!(answer.headers[header::ETAG], format!("\"{}\"", sha256(b"newer"))),
        status => assert_eq!(status, StatusCode::NOT_FOUND),
    }
}

#[tokio::test]
async fn without_a_folder_this_program_is_offered_to_machines_like_this_one() {
    let stand = Stand::open().await;
    let files = listed(&stand).await;
    let program = files.iter().find(|file| file["kind"]["kind"] == "program").expect("a program");
    assert_eq!(program["kind"]["archive"], false);
    assert!(program["file"].as_str().unwrap().starts_with("palestra-"), "{program}");
    let own = fs::read(std::env::current_exe().unwrap()).unwrap();
    assert_eq!((&program["bytes"], &program["sha256"]), (&own.len().into(), &sha256(&own).into()));
    let nothing = Stand::with("downloads = false").await;
    assert!(listed(&nothing).await.iter().all(|file| file["kind"]["kind"] == "kit"));
    let missing = Stand::with("downloads = 'nowhere'").await;
    assert!(!listed(&missing).await.is_empty(), "a folder that is not there yet may come");
}
