//! What a program measures, for Prometheus. An arena tells its own at an address of its site.

use axum::Router;
use axum::http::header;
use axum::routing::get;
use std::net::{SocketAddr, TcpListener};
use std::{io, thread};
use tokio::runtime::Builder;

/// Tells it at `http://ADDRESS/metrics` as long as the program runs.
pub fn tell_measures(
    address: SocketAddr,
    measured: impl Fn() -> String + Clone + Send + Sync + 'static,
) -> io::Result<()> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    let router = Router::new().route("/metrics", get(async move || (kind, measured())));
    let runtime = Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name("measures".to_owned()).spawn(move || {
        runtime.block_on(async { axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await })
    })?;
    Ok(())
}
