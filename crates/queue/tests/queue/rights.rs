//! What a worker's credentials open at a real queue, and what they do not.

use crate::support::{GAMES, PATIENCE, RunningWorker, collect, file, offer, options, order, submit};
use async_nats::jetstream::stream::Config;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions};
use palestra_queue::rights::{Member, authorization, new_worker};
use palestra_queue::streams::{OBJECTS, RESULTS, WORK, inbox, object, result, work};
use palestra_queue::{Address, Answer, Dispatcher, WORKER_LINE};
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
        (format!("$JS.API.STREAM.DELETE.{OBJECTS}"), String::new()),
        (format!("$JS.API.STREAM.MSG.DELETE.{OBJECTS}"), "{\"seq\":1}".to_owned()),
        (object("forged", 0), "a program".to_owned()),
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
            format!("$JS.API.CONSUMER.CREATE.{OBJECTS}.mine"),
            format!(
                "{{\"stream_name\":\"{OBJECTS}\",\"config\":{{\"name\":\"mine\",\"deliver_subject\":\"palestra.work.a.b\"}}}}"
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
    assert_eq!(messages(&context, OBJECTS).await, 0);
    let one_more =
        Config { name: "BY_SERVER".to_owned(), subjects: vec!["x".to_owned()], ..Config::default() };
    context.create_stream(one_more).await.expect("a server may");

    // And what it may do works, with the same credentials.
    worker.publish("palestra.worker.pc1", serde_json::to_vec(&offer("pc1")).unwrap().into()).await.unwrap();
    worker.flush().await.unwrap();
    let deadline = Instant::now() + PATIENCE;
    while dispatcher.workers().is_empty() {
        assert!(Instant::now() < deadline, "its offer is heard");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(ConnectOptions::new().connect(nats.address()).await.is_err(), "nobody comes without credentials");
    tokio::task::spawn_blocking(move || drop(dispatcher)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_is_read_by_who_knows_its_hash_and_by_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let nats = guarded(folder.path());
    let worker = connect(&nats, &folder.path().join("pc1"), &inbox("pc1")).await;
    let mut overheard = Vec::new();
    for subject in ["palestra.object.>", "palestra.object.*.*", ">"] {
        overheard.push(worker.subscribe(subject.to_owned()).await.unwrap());
    }
    worker.flush().await.unwrap();
    let secret = "print('the best idea of anna, who has never met this worker')\n";
    let path = folder.path().join("secret.py");
    std::fs::write(&path, secret.repeat(9)).unwrap();
    let program = tokio::task::spawn_blocking(move || file(&path)).await.unwrap();
    let hash = program.hash().unwrap().to_string();
    let server_address = address(&nats, folder.path().join("server"));
    let (dispatcher, answers) = tokio::task::spawn_blocking(move || {
        let dispatcher = Dispatcher::connect(&server_address, options()).unwrap();
        let answers = submit(&dispatcher, [order(1, [program.clone(), program])]);
        (dispatcher, answers)
    })
    .await
    .unwrap();
    let context = jetstream::new(connect(&nats, &folder.path().join("server"), "_INBOX").await);
    let deadline = Instant::now() + PATIENCE;
    while messages(&context, WORK).await == 0 {
        assert!(Instant::now() < deadline, "the match is sent, and its program before");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(messages(&context, OBJECTS).await, 1);

    let by_subject = |rest: &str| format!("$JS.API.DIRECT.GET.{OBJECTS}.palestra.object.{rest}");
    let consumer = |config: &str| format!("{{\"stream_name\":\"{OBJECTS}\",\"config\":{{{config}}}}}");
    let nothing_comes_back = [
        // By number, and everything at once.
        (format!("$JS.API.DIRECT.GET.{OBJECTS}"), "{\"seq\":1}".to_owned()),
        (format!("$JS.API.DIRECT.GET.{OBJECTS}"), "{\"seq\":1,\"batch\":9}".to_owned()),
        (format!("$JS.API.DIRECT.GET.{OBJECTS}"), "{\"multi_last\":[\"palestra.object.>\"]}".to_owned()),
        (format!("$JS.API.DIRECT.GET.{OBJECTS}"), "{\"next_by_subj\":\">\",\"seq\":1}".to_owned()),
        (format!("$JS.API.DIRECT.GET.{OBJECTS}"), "{\"last_by_subj\":\"palestra.object.>\"}".to_owned()),
        (format!("$JS.API.STREAM.MSG.GET.{OBJECTS}"), "{\"seq\":1}".to_owned()),
        (format!("$JS.API.STREAM.MSG.GET.{OBJECTS}"), "{\"last_by_subj\":\"palestra.object.>\"}".to_owned()),
        // The same, asked for where one may ask.
        (by_subject("0.0"), "{\"seq\":1}".to_owned()),
        (by_subject("0.0"), "{\"seq\":1,\"batch\":9}".to_owned()),
        (by_subject("0.0"), "{\"multi_last\":[\"palestra.object.>\"]}".to_owned()),
        (by_subject("0.0"), "{\"next_by_subj\":\">\",\"seq\":1}".to_owned()),
        (by_subject("0.0"), "{\"last_by_subj\":\"palestra.object.>\"}".to_owned()),
        // By the hash alone: it is not the name.
        (by_subject(&format!("{hash}.0")), String::new()),
        // What there is.
        (format!("$JS.API.STREAM.INFO.{OBJECTS}"), "{\"subjects_filter\":\">\"}".to_owned()),
        ("$JS.API.STREAM.LIST".to_owned(), String::new()),
        ("$JS.API.STREAM.NAMES".to_owned(), String::new()),
        (format!("$JS.API.CONSUMER.LIST.{OBJECTS}"), String::new()),
        // Somebody who delivers.
        (format!("$JS.API.CONSUMER.CREATE.{OBJECTS}"), consumer("\"deliver_subject\":\"palestra.told.pc1\"")),
        (format!("$JS.API.CONSUMER.CREATE.{OBJECTS}.mine"), consumer("\"name\":\"mine\"")),
        (
            format!("$JS.API.CONSUMER.CREATE.{OBJECTS}.mine.palestra.object.>"),
            consumer("\"name\":\"mine\",\"filter_subject\":\"palestra.object.>\""),
        ),
        (format!("$JS.API.CONSUMER.DURABLE.CREATE.{OBJECTS}.mine"), consumer("\"durable_name\":\"mine\"")),
        (format!("$JS.API.CONSUMER.MSG.NEXT.{OBJECTS}.mine"), "{\"batch\":9}".to_owned()),
        // Elsewhere.
        (
            format!("$JS.API.STREAM.SNAPSHOT.{OBJECTS}"),
            "{\"deliver_subject\":\"palestra.told.pc1\"}".to_owned(),
        ),
        (by_subject(">"), String::new()),
        (format!("$JS.API.DIRECT.GET.{OBJECTS}.>"), String::new()),
        (format!("$JS.API.DIRECT.GET.*.palestra.object.{hash}.0"), String::new()),
        ("$JS.API.DIRECT.GET.>".to_owned(), String::new()),
    ];
    for (subject, body) in nothing_comes_back {
        let answer = request(&worker, subject.clone(), &body).await.unwrap_or_default();
        assert_eq!(answer, "", "{subject} {body}");
    }
    // These the queue does answer. What comes tells nothing.
    for wildcard in ["*.0", "*.*"] {
        let got = worker.request(by_subject(wildcard), "".into()).await.unwrap();
        let headers = format!("{:?}", got.headers);
        assert!(!headers.contains(&hash), "{headers}");
        let known = |piece: &[u8]| got.payload.windows(piece.len()).any(|window| window == piece);
        assert!(!got.payload.is_empty() && !known(b"best idea") && !known(b"secret.py"), "{wildcard}");
    }
    for mut heard in overheard {
        let heard = timeout(Duration::from_millis(200), futures_util::StreamExt::next(&mut heard)).await;
        assert!(heard.is_err() || heard.unwrap().is_none());
    }

    // Who is given the match can read it, with the same rights.
    let worker_address = address(&nats, folder.path().join("pc1"));
    let answer = tokio::task::spawn_blocking(move || {
        let _worker = RunningWorker::at(worker_address, "pc1", 1, GAMES);
        let answer = collect(&answers, 1).remove(0).1;
        drop(dispatcher);
        answer
    });
    let Answer::Played(played) = answer.await.unwrap() else { panic!("it is played") };
    assert!(!played.played.faults.is_empty(), "by this program, which knows no rules");
}
