//! Where the queue of workers is, on the command line.

use crate::failure::Failure;
use palestra_queue::Address;
use std::path::PathBuf;

/// The queue.
#[derive(clap::Args)]
pub(crate) struct QueueArgs {
    /// The queue of workers on other machines: nats://host:4222, tls://..., or several servers of one, separated by commas
    #[arg(long, value_name = "URL")]
    queue: Option<String>,
    /// The file that says who we are there, as palestra event workers add writes it
    #[arg(long, value_name = "FILE", requires = "queue")]
    queue_creds: Option<PathBuf>,
    /// The certificate of the authority that its certificate is from, if this machine does not know it
    #[arg(long, value_name = "FILE", requires = "queue")]
    queue_ca: Option<PathBuf>,
}

impl QueueArgs {
    /// Where it is, if it was given.
    pub(crate) fn address(&self) -> Result<Option<Address>, Failure> {
        let Some(text) = &self.queue else { return Ok(None) };
        let mut address: Address = text.parse().map_err(Failure::usage)?;
        address.credentials.clone_from(&self.queue_creds);
        address.certificates.clone_from(&self.queue_ca);
        Ok(Some(address))
    }
}
