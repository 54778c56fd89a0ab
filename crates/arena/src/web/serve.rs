//! Takes connections and hands their requests to the router. Whoever connects too often, says nothing, speaks slowly or
//! does not listen is cut off by a limit that has a name.

use crate::connections::{Busy, Connection, ConnectionLimit, Slot};
use crate::limits;
use crate::tls::Tls;
use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

/// Serves until `stop` comes; requests that are on the way then may go on for a moment.
pub async fn serve(listener: TcpListener, router: Router, tls: Option<Tls>, stop: impl Future<Output = ()>) {
    let crowd = ConnectionLimit::new(limits::SITE_CONNECTIONS, limits::SITE_CONNECTIONS_OF_ADDRESS);
    let mut connections = JoinSet::new();
    let mut stop = pin!(stop);
    let (goodbye, leaving) = watch::channel(false);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let member = crowd.enter(peer.ip());
                let (router, tls, leaving) = (router.clone(), tls.clone(), leaving.clone());
                connections.spawn(connection(stream, peer, member, router, tls, leaving));
            }
            // A connection that is gone already, or the system has no room for one.
            Err(_) => {
                crowd.make_room();
                sleep(limits::ACCEPT_PAUSE).await;
            }
        }
    }
    let _ = goodbye.send(true);
    let _ = timeout(limits::LAST_REQUESTS, async { while connections.join_next().await.is_some() {} }).await;
}

async fn connection(
    stream: TcpStream,
    peer: SocketAddr,
    mut member: Connection,
    router: Router,
    tls: Option<Tls>,
    leaving: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let slot = member.slot();
    let stream = Patient { stream, stuck: None };
    let spoken = async {
        match tls {
            None => speak(stream, peer, slot, router, leaving).await,
            Some(tls) => {
                let accepted = TlsAcceptor::from(tls.config()).accept(stream);
                if let Ok(Ok(stream)) = timeout(limits::HANDSHAKE, accepted).await {
                    speak(stream, peer, slot, router, leaving).await;
                }
            }
        }
    };
    tokio::select! {
        () = spoken => {}
        () = member.ended() => {}
    }
}

/// One connection, from its first request to its last.
async fn speak<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    peer: SocketAddr,
    slot: Arc<Slot>,
    router: Router,
    mut leaving: watch::Receiver<bool>,
) {
    let service = tower::service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        // From the first request to the end of its answer.
        let busy = slot.busy();
        let answer = router.clone().oneshot(request.map(axum::body::Body::new));
        async move { answer.await.map(|answer| answer.map(|body| Answer { body, _busy: busy })) }
    });
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits::REQUEST_HEAD)
            .max_buf_size(limits::REQUEST_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service))
    );
    // How a connection ends is of interest to nobody: browsers come and go.
    tokio::select! {
        _ = &mut connection => return,
        _ = leaving.wait_for(|leaving| *leaving) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// The body of an answer: its connection is busy until it has been sent.
struct Answer {
    body: axum::body::Body,
    _busy: Busy,
}

impl Body for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection that fails when the other end takes nothing for too long.
struct Patient<S> {
    stream: S,
    stuck: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    /// Looks at the clock as long as nothing can be written.
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let deadline = Instant::now() + limits::STUCK;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(deadline)));
        match stuck.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::{ConnectionLimit, Patient, SocketAddr, speak};
    use axum::Router;
    use axum::body::{Body, Bytes};
    use axum::routing::get;
    use std::convert::Infallible;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
    use tokio::sync::watch;
    use tokio::task::JoinHandle;

    /// A connection to a small site. Its clock goes forward whenever nothing else can happen.
    fn connected() -> (DuplexStream, JoinHandle<()>, watch::Sender<bool>) {
        let endless = || async {
            let piece = || async { Some((Ok::<_, Infallible>(Bytes::from_static(&[b'x'; 1000])), ())) };
            Body::from_stream(futures_util::stream::unfold((), move |()| piece()))
        };
        let router = Router::new().route("/short", get(|| async { "short" })).route("/endless", get(endless));
        let (near, far) = tokio::io::duplex(10_000);
        let (goodbye, leaving) = watch::channel(false);
        let peer: SocketAddr = "10.0.0.1:1".parse().unwrap();
        let stream = Patient { stream: far, stuck: None };
        let member = ConnectionLimit::new(1, 1).enter(peer.ip());
        let served = async move { speak(stream, peer, member.slot(), router, leaving).await };
        (near, tokio::spawn(served), goodbye)
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_says_nothing_or_never_ends_a_sentence_is_cut_off() {
        for beginning in ["", "GET /short HTTP/1.1\r\nhost: ", "GET /short HTTP/1.1\r\nhost: x\r\n\r\n"] {
            let (mut near, served, _goodbye) = connected();
            near.write_all(beginning.as_bytes()).await.unwrap();
            let mut answer = Vec::new();
            near.read_to_end(&mut answer).await.unwrap();
            assert_eq!(answer.ends_with(b"short"), beginning.ends_with("\r\n\r\n"), "{beginning:?}");
            served.await.unwrap();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_does_not_listen_is_cut_off() {
        let (mut near, served, _goodbye) = connected();
        near.write_all(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        served.await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_listener_is_not_cut_off_and_a_goodbye_ends_what_is_idle() {
        let (mut near, served, goodbye) = connected();
        near.write_all(b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
        let mut piece = [0; 20_000];
        for _ in 0..10 {
            tokio::time::sleep(crate::limits::STUCK / 2).await;
            near.read_exact(&mut piece).await.unwrap();
        }
        assert!(!served.is_finished());
        drop(near);
        served.await.unwrap();
        let (_near, served, goodbye_too) = connected();
        goodbye_too.send(true).unwrap();
        served.await.unwrap();
        drop(goodbye);
    }
}
