//! What a worker's credentials open at a real queue, and what they do not.

use crate::support::{GAMES, PATIENCE, RunningWorker, collect, file, options, order, submit};
use async_nats::jetstream::stream::Config;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions};
use palestra_queue::rights::{Member, authorization, new_worker};
use palestra_queue::streams::{OBJECTS, RESULTS, WORK, inbox, result, work};
use palestra_queue::{Address, Answer, Dispatcher, Offer, WORKER_LINE};
use palestra_testkit::NatsServer;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// A queue that knows a server and two workers; their files lie in the folder.
fn guarded(folder: &Path) -> NatsServer {
    let member = |name: &str| -> Member {
        let (member, credentials) = new_worker(name);
        std::fs::write(folder.join(name), credentials).unwrap();
        member
    };
    let workers = [member("pc1"), member("pc2")];
    NatsServer::start_with(Some(&authorization(&member("server"), &workers)))
}

fn address(nats: &NatsServer, credentials: PathBuf) -> Address {
    let mut address: Address = nats.address().parse().unwrap();
    address.credentials = Some(credentials);
    address
}

#[test]
fn a_worker_with_its_own_credentials_plays_and_its_turns_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let nats = guarded(folder.path());
    let dispatcher = Dispatcher::connect(&address(&nats, folder.path().join("server")), options()).unwrap();
    let _worker = RunningWorker::at(address(&nats, folder.path().join("pc1")), "pc1", 1, GAMES);
    // It thinks for a while, so that there is something to tell before the end.
    let slow = folder.path().join("slow.py");
    let text = include_str!("../../../../games/generals/kits/python/generals.py");
    let slowly = "import time; time.sleep(0.02); move = choose(board, me)";
    std::fs::write(&slow, text.replace("move = choose(board, me)", slowly)).unwrap();
    let mut order = order(1, [file(&slow), file(&slow)]);
    order.live = true;
    let mut turns = dispatcher.watch(1);
    let answers = submit(&dispatcher, [order]);
    let (_, answer) = collect(&answers, 1).remove(0);
    dispatcher.unwatch(1);
    let Answer::Played(played) = answer else { panic!("{answer:?}") };
    assert_eq!(played.worker, "pc1");
    let mut told = Vec::new();
    while let Ok(part) = turns.try_recv() {
        assert_eq!(part.from, told.last().copied().unwrap_or(0), "nothing is missing");
        told.push(part.tail.turns());
    }
    assert!(told.len() > 3 && told.last() <= Some(&played.played.replay.head.turns), "{told:?}");
}

/// Whether the queue answers.
async fn request(client: &Client, subject: String, body: &str) -> Result<String, String> {
    let asked = timeout(Duration::from_millis(700), client.request(subject, body.to_owned().into())).await;
    let answer = asked.map_err(|_| "no answer".to_owned())?.map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&answer.payload).into_owned();
    if text.contains("\"error\"") { Err(text) } else { Ok(text) }
}

async fn connect(nats: &NatsServer, credentials: &Path, inbox: &str) -> Client {
    let text = std::fs::read_to_string(credentials).unwrap();
    assert!(text.starts_with(WORKER_LINE));
    let seed = text.lines().nth(1).unwrap().to_owned();
    ConnectOptions::new().nkey(seed).custom_inbox_prefix(inbox).connect(nats.address()).await.unwrap()
}

async fn messages(context: &Context, stream: &str) -> u64 {
    context.get_stream(stream).await.unwrap().cached_info().state.messages
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let nats = guarded(folder.path());
    let server_file = folder.path().join("server");
    let run = "event".to_owned();
    let dispatcher = tokio::task::spawn_blocking({
        let (address, run) = (address(&nats, server_file.clone()), run.clone());
        move || Dispatcher::connect(&address, palestra_queue::DispatchOptions { run, ..options() }).unwrap()
    });
    let dispatcher = dispatcher.await.unwrap();
    let server = connect(&nats, &server_file, "_INBOX").await;
    let context = jetstream::new(server.clone());
    let store = context.get_object_store(OBJECTS).await.unwrap();
    store.put("abc", &mut &b"a program"[..]).await.unwrap();
    // Of another run, so that nobody takes it away.
    context
        .publish(result("other", "pc2"), "a result of another worker".into())
        .await
        .unwrap()
        .await
        .unwrap();

    let worker = connect(&nats, &folder.path().join("pc1"), &inbox("pc1")).await;
    let refused = [
        // Work.
        (work("line", "event"), "work".to_owned()),
        // Others' names.
        (result("event", "pc2"), "a result".to_owned()),
        ("palestra.worker.pc2".to_owned(), "{}".to_owned()),
        ("palestra.live.event.pc2.1".to_owned(), "turns".to_owned()),
        ("palestra.told.pc2".to_owned(), "be gone".to_owned()),
        ("palestra.news".to_owned(), "there is work".to_owned()),
        // Streams, lines, objects.
        (format!("$JS.API.STREAM.CREATE.{WORK}2"), format!("{{\"name\":\"{WORK}2\",\"subjects\":[\"x\"]}}")),
        (format!("$JS.API.STREAM.UPDATE.{WORK}"), format!("{{\"name\":\"{WORK}\",\"subjects\":[\"x\"]}}")),
        (format!("$JS.API.STREAM.DELETE.{WORK}"), String::new()),
        (format!("$JS.API.STREAM.PURGE.{RESULTS}"), String::new()),
        (format!("$JS.API.STREAM.DELETE.OBJ_{OBJECTS}"), String::new()),
        (format!("$JS.API.STREAM.MSG.DELETE.OBJ_{OBJECTS}"), "{\"seq\":1}".to_owned()),
        (format!("$O.{OBJECTS}.C.forged"), "a program".to_owned()),
        (format!("$JS.API.CONSUMER.DELETE.{WORK}.line"), String::new()),
        // Others' results and work that is not asked for line by line.
        (format!("$JS.API.STREAM.MSG.GET.{RESULTS}"), "{\"seq\":1}".to_owned()),
        (format!("$JS.API.STREAM.MSG.GET.{WORK}"), "{\"seq\":1}".to_owned()),
        (format!("$JS.API.DIRECT.GET.{RESULTS}"), "{\"seq\":1}".to_owned()),
        (format!("$JS.API.CONSUMER.MSG.NEXT.{RESULTS}.run-event"), "{\"batch\":1}".to_owned()),
        (
            format!("$JS.API.CONSUMER.CREATE.{RESULTS}.mine"),
            format!(
                "{{\"stream_name\":\"{RESULTS}\",\"config\":{{\"name\":\"mine\",\"deliver_subject\":\"palestra.told.pc1\"}}}}"
            ),
        ),
        // A consumer would deliver past these rights.
        (
            format!("$JS.API.CONSUMER.CREATE.OBJ_{OBJECTS}.mine"),
            format!(
                "{{\"stream_name\":\"OBJ_{OBJECTS}\",\"config\":{{\"name\":\"mine\",\"deliver_subject\":\"palestra.work.a.b\"}}}}"
            ),
        ),
    ];
    for (subject, body) in refused {
        let answer = request(&worker, subject.clone(), &body).await;
        assert!(answer.is_err(), "{subject}: {answer:?}");
    }
    for subject in
        ["palestra.result.>", "palestra.work.>", "palestra.told.pc2", "palestra.live.>", ">", "_INBOX.>"]
    {
        let mut heard = worker.subscribe(subject.to_owned()).await.unwrap();
        worker.flush().await.unwrap();
        server.publish("palestra.told.pc2", "a secret".into()).await.unwrap();
        server.flush().await.unwrap();
        let heard = timeout(Duration::from_millis(200), futures_util::StreamExt::next(&mut heard)).await;
        assert!(heard.is_err() || heard.unwrap().is_none(), "{subject}");
    }
    // Nothing has changed by all that.
    assert_eq!((messages(&context, WORK).await, messages(&context, RESULTS).await), (0, 1));
    assert!(context.get_stream(format!("{WORK}2")).await.is_err());
    assert_eq!(store.info("abc").await.unwrap().size, 9);
    let one_more =
        Config { name: "BY_SERVER".to_owned(), subjects: vec!["x".to_owned()], ..Config::default() };
    context.create_stream(one_more).await.expect("a server may");

    // And what it may do works, with the same credentials.
    worker.publish("palestra.worker.pc1", serde_json::to_vec(&offer()).unwrap().into()).await.unwrap();
    worker.flush().await.unwrap();
    let deadline = Instant::now() + PATIENCE;
    while dispatcher.workers().is_empty() {
        assert!(Instant::now() < deadline, "its offer is heard");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(ConnectOptions::new().connect(nats.address()).await.is_err(), "nobody comes without credentials");
    tokio::task::spawn_blocking(move || drop(dispatcher)).await.unwrap();
}

fn offer() -> Offer {
    Offer {
        name: "pc1".to_owned(),
        version: "test".to_owned(),
        format: palestra_queue::messages::FORMAT,
        rules: [].into(),
        toolchains: [].into(),
        sandboxes: vec!["off".to_owned()],
        system: palestra_queue::own_system(),
        places: 1,
        speed: 1.0,
        playing: 0,
        played: 0,
    }
}
