//! Where the queue of workers is, on the command line.

use crate::failure::Failure;
use palestra_queue::Address;
use std::path::PathBuf;

/// The queue.
#[derive(clap::Args)]
pub(crate) struct QueueAddress {
    /// The queue of workers on other machines: the address of a NATS server with JetStream, nats://host:4222 or tls://host:4222;
    /// several servers of one cluster are separated by commas
    #[arg(long, value_name = "ADDRESS")]
    queue: Option<String>,
    /// How we show the queue who we are: a file of credentials, as palestra event workers add writes it
    #[arg(long, value_name = "FILE")]
    queue_creds: Option<PathBuf>,
    /// Certificates of authorities that may vouch for the queue, instead of the system's
    #[arg(long, value_name = "FILE")]
    queue_ca: Option<PathBuf>,
}

impl QueueAddress {
    /// Where it is, if that was said here or in a plan.
    pub(crate) fn settle(&self, planned: Option<Address>) -> Result<Option<Address>, Failure> {
        let given = self.queue.as_deref().map(str::parse::<Address>).transpose().map_err(Failure::usage)?;
        let Some(mut address) = given.or(planned) else {
            return match self.queue_creds.is_some() || self.queue_ca.is_some() {
                true => Err(Failure::usage("there is no queue; say where it is with --queue")),
                false => Ok(None),
            };
        };
        if self.queue_creds.is_some() {
            address.credentials.clone_from(&self.queue_creds);
        }
        if self.queue_ca.is_some() {
            address.certificates.clone_from(&self.queue_ca);
        }
        Ok(Some(address))
    }
}
