//! A queue that speaks TLS, with a certificate of an authority that only this event knows.

use crate::support::{GAMES, RunningWorker, built_ins, collect, options, order, played, submit};
use palestra_queue::{Address, Dispatcher};
use palestra_testkit::{Authority, NatsServer};
use std::path::PathBuf;

fn address(nats: &NatsServer, scheme: &str, authority: Option<PathBuf>) -> Address {
    let mut address: Address = nats.address().replace("nats://", scheme).parse().unwrap();
    address.certificates = authority;
    address
}

#[test]
fn matches_are_played_over_tls() {
    let authority = Authority::new();
    let nats = NatsServer::start_with_tls(&authority);
    let trusting = |scheme: &str| address(&nats, scheme, Some(authority.certificate()));
    let server = Dispatcher::connect(&trusting("tls://"), options()).unwrap();
    // Who does not insist on TLS speaks it where the queue does, and looks at the certificate as well.
    let _worker = RunningWorker::at(trusting("nats://"), "one", 1, GAMES);
    let answers = submit(&server, [order(1, built_ins())]);
    assert_eq!(played(collect(&answers, 1).remove(0).1).worker, "one");
}

#[test]
fn a_queue_that_nobody_vouches_for_is_refused_with_what_to_do() {
    let (authority, other) = (Authority::new(), Authority::new());
    let nats = NatsServer::start_with_tls(&authority);
    let refused = |scheme: &str, authority: Option<PathBuf>| {
        Dispatcher::connect(&address(&nats, scheme, authority), options()).err().expect("refused").to_string()
    };
    for scheme in ["tls://", "nats://"] {
        for authority in [Some(other.certificate()), None] {
            let why = refused(scheme, authority);
            assert!(
                why.contains("shows a certificate that is not accepted") && why.contains("--queue-ca"),
                "{why}"
            );
        }
    }
    let (_, key) = authority.server();
    let why = refused("tls://", Some(key.clone()));
    assert!(why.contains(&key.display().to_string()) && why.contains("no certificate"), "{why}");
    let why = refused("tls://", Some(key.with_file_name("nothing.pem")));
    assert!(why.contains("nothing.pem"), "{why}");
    // A queue without TLS is not spoken to where TLS is asked for.
    let open = NatsServer::start();
    let address = address(&open, "tls://", Some(authority.certificate()));
    assert!(Dispatcher::connect(&address, options()).is_err());
}
