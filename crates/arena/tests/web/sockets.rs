//! The site on a real socket.

use crate::stand::Stand;
use http_body_util::BodyExt as _;
use palestra_arena::tls::Tls;
use palestra_arena::{limits, web};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The site on a port of its own; ends when the sender is dropped.
pub(crate) async fn listening(
    stand: &Stand,
    tls: Option<Tls>,
) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let stopped = async {
        let _ = stopped.await;
    };
    (address, stop, tokio::spawn(web::serve(listener, stand.router.clone(), tls, stopped)))
}

async fn whole_answer(mut stream: TcpStream) -> String {
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn news_come_as_they_happen() {
    let stand = Stand::open().await;
    let (address, stop, served) = listening(&stand, None).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /api/stream HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let mut lines = BufReader::new(stream).lines();
    let mut states = Vec::new();
    let olga = stand.key("olga").await;
    while let Some(line) = lines.next_line().await.unwrap() {
        let Some(data) = line.strip_prefix("data: ") else { continue };
        let live: serde_json::Value = serde_json::from_str(data).unwrap();
        states.push(live["state"].as_str().unwrap().to_owned());
        match states.last().map(String::as_str) {
            Some("open") if states.len() == 1 => {
                let paused = stand.post_as(&olga, "/api/admin/event", serde_json::json!("pause")).await;
                assert_eq!(paused.status.as_u16(), 204);
            }
            Some("paused") => break,
            _ => {}
        }
    }
    // A stream that nobody ends does not hold the arena up.
    drop(stop);
    served.await.unwrap();
}

#[tokio::test]
async fn whoever_talks_nonsense_is_cut_off_and_others_are_served() {
    let stand = Stand::open().await;
    let (address, _stop, _served) = listening(&stand, None).await;
    let mut half = TcpStream::connect(address).await.unwrap();
    half.write_all(b"GET /health HT").await.unwrap();
    let _silent = TcpStream::connect(address).await.unwrap();
    let head = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(2 * limits::REQUEST_HEAD_BYTES));
    let mut long = TcpStream::connect(address).await.unwrap();
    let _ = long.write_all(head.as_bytes()).await;
    let answer = whole_answer(long).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431"), "{answer}");
    let mut garbage = TcpStream::connect(address).await.unwrap();
    garbage.write_all(&[0xff; 1000]).await.unwrap();
    let answer = whole_answer(garbage).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400"), "{answer}");
    let mut good = TcpStream::connect(address).await.unwrap();
    good.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
    assert!(whole_answer(good).await.starts_with("HTTP/1.1 200"));
    half.write_all(b"TP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
    assert!(whole_answer(half).await.starts_with("HTTP/1.1 200"), "slow is not wrong");
}

#[tokio::test]
async fn one_address_has_so_many_streams_and_no_more() {
    let stand = Stand::open().await;
    let mut open = Vec::new();
    for _ in 0..limits::STREAMS_OF_ADDRESS {
        let request = axum::http::Request::get("/api/stream").body(axum::body::Body::empty()).unwrap();
        open.push(tower::ServiceExt::oneshot(stand.router.clone(), request).await.unwrap());
    }
    assert!(open.iter().all(|answer| answer.status().as_u16() == 200));
    assert_eq!(stand.get("/api/live").await.status.as_u16(), 200, "asking is not listening");
    assert_eq!(stand.get("/api/matches/1/events").await.status.as_u16(), 200);
    // The one that has listened longest makes room, and its page comes back.
    let mut open = open.into_iter();
    open.next().unwrap().into_body().collect().await.unwrap();
    let next = open.next().unwrap().into_body().collect();
    assert!(timeout(Duration::from_millis(100), next).await.is_err(), "the others go on listening");
}

/// A certificate for localhost that is of no use elsewhere, and its key.
fn certificate() -> (std::path::PathBuf, std::path::PathBuf) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/web/tls");
    (folder.join("certificate.pem"), folder.join("key.pem"))
}

#[tokio::test]
async fn tls_needs_nothing_in_front() {
    let (file, key) = certificate();
    let stand = Stand::with(&format!("tls = {{ certificate = {file:?}, key = {key:?} }}")).await;
    let (address, _stop, _served) = listening(&stand, Some(Tls::read(&file, &key).unwrap())).await;
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(&file).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connector = TlsConnector::from(Arc::new(config));
    let plain = TcpStream::connect(address).await.unwrap();
    let mut stream = connector.connect("localhost".try_into().unwrap(), plain).await.unwrap();
    let body = r#"{"name": "anna", "password": "anna-secret"}"#;
    let request = format!(
        "POST /api/login HTTP/1.1\r\nhost: localhost\r\nx-palestra: 1\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(
        answer.contains("; Secure") && answer.contains("strict-transport-security: max-age="),
        "{answer}"
    );
    let mut plain = TcpStream::connect(address).await.unwrap();
    plain.write_all(b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    assert!(!whole_answer(plain).await.contains("200 OK"), "without TLS nothing is told");
    let swapped = Tls::read(&key, &file).err().expect("a key is no certificate");
    assert!(swapped.to_string().contains("needs a certificate and its key as PEM files"), "{swapped}");
}
