//! What a queue is like, for those who look after it.

use crate::address::{Address, QueueError};
use crate::dispatch::new_run;
use crate::limits;
use async_nats::jetstream::context::ContextBuilder;
use async_nats::jetstream::stream::{Config, StorageType};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::Builder;

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inspection {
    /// The version of nats-server.
    pub version: String,
    /// Whether it keeps what it is given, or what it says.
    pub jetstream: Result<(), String>,
    /// Whether what we say and hear is encrypted.
    pub encrypted: bool,
    /// Whether it lets in whoever comes without credentials.
    pub lets_in_anybody: bool,
    /// Whether we may make streams, as servers must and workers must not: what it says otherwise. By how many milliseconds its
    /// clock is ahead of ours, if we may.
    pub makes_streams: Result<i64, String>,
    /// The worker that the credentials were made for.
    pub worker: Option<String>,
}

/// Looks at a queue. It makes a stream, and takes it away again.
pub fn inspect(address: &Address) -> Result<Inspection, QueueError> {
    let own = |error: std::io::Error| QueueError::Own(error.to_string());
    let runtime = Builder::new_current_thread().enable_all().build().map_err(own)?;
    let worker = address.worker()?;
    runtime.block_on(async {
        let inbox = worker.as_deref().map_or_else(|| "_INBOX".to_owned(), crate::streams::inbox);
        let client = address.connect("palestra doctor", &inbox).await?;
        let info = client.server_info();
        let lets_in_anybody = address.anonymous().connect("palestra doctor", &inbox).await.is_ok();
        let context = ContextBuilder::new().timeout(limits::REQUEST).build(client);
        let subject = format!("palestra.doctor.{}", new_run());
        let config = Config {
            name: format!("PALESTRA_DOCTOR_{}", new_run()),
            subjects: vec![subject],
            storage: StorageType::Memory,
            ..Config::default()
        };
        let before = now();
        let made = context.create_stream(config.clone()).await;
        let makes_streams = match made {
            Ok(stream) => {
                let (after, created) = (now(), stream.cached_info().created.unix_timestamp_nanos());
                let _ = context.delete_stream(&config.name).await;
                // Somewhere between asking and being told.
                Ok((created / 1_000_000) as i64 - i64::midpoint(before, after))
            }
            Err(error) => Err(error.to_string()),
        };
        let jetstream = match (&makes_streams, &worker) {
            // A worker cannot ask; its lines say whether there is something to take from.
            (Err(_), Some(_)) if info.jetstream => Ok(()),
            _ => context.query_account().await.map(drop).map_err(|error| error.to_string()),
        };
        Ok(Inspection {
            version: info.version,
            jetstream,
            encrypted: address.is_tls() || info.tls_required,
            lets_in_anybody,
            makes_streams,
            worker,
        })
    })
}

fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}
