//! What the queue of workers leaves open.

use super::{Finding, finding};
use palestra_queue::{Address, Inspection, inspect};
use serde_json::Value;
use std::time::Duration;

/// Earlier ones lose what they have written when their machine dies.
const GOOD_VERSION: [u32; 3] = [2, 10, 23];
/// Clocks that differ by more make logs hard to read, and certificates invalid.
const CLOCKS: i64 = 1_000;
/// Where nats-server tells about itself, if it does.
const MONITOR: u16 = 8222;
/// How long it may take to.
const ASK: Duration = Duration::from_secs(3);

pub(super) fn findings(address: &Address) -> Vec<Finding> {
    let what = format!("queue {address}");
    match inspect(address) {
        Err(error) => vec![finding(&what, Err(error.to_string()))],
        Ok(found) => {
            let mut list = vec![finding(&what, Ok(format!("nats-server {} answers", found.version)))];
            list.extend([version(&found.version), jetstream(&found), credentials(&found), rights(&found)]);
            list.extend([encryption(address, &found), clock(&found), sync_interval(address)]);
            list
        }
    }
}

fn version(found: &str) -> Finding {
    let numbers: Vec<u32> = found.split(['.', '-']).map_while(|number| number.parse().ok()).take(3).collect();
    let good = GOOD_VERSION.map(|number| number.to_string()).join(".");
    finding(
        "queue, version",
        match numbers[..] >= GOOD_VERSION[..] {
            true => Ok(format!("{found}; {good} or newer keeps what it has written")),
            false => Err(format!(
                "{found} loses what it has written when its machine dies, which is then sent again; update nats-server to \
                 {good} or newer"
            )),
        },
    )
}

fn jetstream(found: &Inspection) -> Finding {
    finding(
        "queue, JetStream",
        match &found.jetstream {
            Ok(()) => Ok("it keeps matches until they are played".to_owned()),
            Err(why) => Err(format!("it keeps nothing ({why}); start nats-server with -js")),
        },
    )
}

fn credentials(found: &Inspection) -> Finding {
    finding(
        "queue, credentials",
        match found.lets_in_anybody {
            false => Ok("nobody is let in without".to_owned()),
            true => Err(
                "whoever reaches it can hand in results and programs; `palestra event workers add` writes a \
                         configuration with users"
                    .to_owned(),
            ),
        },
    )
}

fn rights(found: &Inspection) -> Finding {
    let result = match (&found.worker, &found.makes_streams) {
        (None, Ok(_)) => Ok("these credentials are a server's: they may make streams".to_owned()),
        (Some(worker), Err(_)) => {
            Ok(format!("these credentials are those of the worker {worker}, and may make nothing"))
        }
        (Some(worker), Ok(_)) => Err(format!(
            "the worker {worker} may make streams, and so do everything; have nats-server read the configuration that \
             `palestra event workers add` writes"
        )),
        (None, Err(why)) => Err(format!(
            "these credentials may not make streams ({why}), which a server must; use server.creds, --queue-creds FILE"
        )),
    };
    finding("queue, rights", result)
}

fn encryption(address: &Address, found: &Inspection) -> Finding {
    let here = address
        .hosts()
        .iter()
        .all(|host| matches!(host.as_str(), "localhost" | "127.0.0.1" | "[::1]" | "::1"));
    finding(
        "queue, TLS",
        match (found.encrypted, here) {
            (true, _) => Ok("what servers and workers say is encrypted".to_owned()),
            (false, true) => Ok("none, and it stays on this machine".to_owned()),
            (false, false) => Err(
                "none: everybody on the way reads programs and results; `palestra event workers add --certificate FILE --key \
                 FILE`, then tls:// instead of nats://"
                    .to_owned(),
            ),
        },
    )
}

fn clock(found: &Inspection) -> Finding {
    let result = match found.makes_streams {
        Ok(ahead) if ahead.abs() <= CLOCKS => Ok(format!("{ahead} ms apart from this machine's")),
        Ok(ahead) => Err(format!(
            "{ahead} ms apart from this machine's: no match suffers, but logs and certificates do; let both follow a time \
             server"
        )),
        Err(_) => Ok("asked with a server's credentials only".to_owned()),
    };
    finding("queue, clock", result)
}

/// How often it makes sure that what it has written is on the disk. It says so to whoever looks at it, not to clients.
fn sync_interval(address: &Address) -> Finding {
    let told = address.hosts().into_iter().find_map(|host| {
        let config = ureq::Agent::config_builder().timeout_global(Some(ASK)).build();
        let answer = ureq::Agent::new_with_config(config)
            .get(format!("http://{host}:{MONITOR}/jsz?config=true"))
            .call();
        let text = answer.ok()?.body_mut().read_to_string().ok()?;
        let told: Value = serde_json::from_str(&text).ok()?;
        told["config"]["sync_interval"].as_u64().map(Duration::from_nanos)
    });
    finding(
        "queue, sync_interval",
        match told {
            Some(interval) => Ok(format!(
                "{} s: so much can be lost when its machine dies, and is sent again by the server",
                interval.as_secs_f64()
            )),
            None => Err(format!(
                "not known; start nats-server with -m {MONITOR}, where it tells (a server sends again what the queue loses)"
            )),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_that_lose_data_are_told() {
        for (text, good) in [
            ("2.15.1", true),
            ("2.10.23", true),
            ("2.11.0-RC.1", true),
            ("2.10.22", false),
            ("2.9.25", false),
            ("2.10", false),
            ("strange", false),
        ] {
            assert_eq!(version(text).ok, good, "{text}");
        }
    }
}
