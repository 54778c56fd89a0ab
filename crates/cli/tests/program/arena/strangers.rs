//! Clients that mean no good, all the while: from an address of their own, because the arena shuts out whole addresses.

use palestra_core::Rng;
use rustix::net::{AddressFamily, SocketType, bind, connect, socket};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

const HOME: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(127, 0, 0, 2), 0);
const PAUSE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_millis(200);
/// Connections that are held open.
const HELD: usize = 300;
/// Bytes sent by those who send without end.
const FLOOD: usize = 4 << 20;

/// What a stranger does; whether the connection is to be held open afterwards.
type Trick = fn(&mut TcpStream, &mut Rng) -> io::Result<bool>;

const AT_THE_GATEWAY: [Trick; 6] = [silence, noise, half_a_login, guesses, no_line_end, nonsense_of_a_bridge];
const AT_THE_SITE: [Trick; 6] = [silence, noise, slow_head, long_head, huge_login, many_logins];
const TRICKS: usize = AT_THE_GATEWAY.len() + AT_THE_SITE.len();

pub(super) struct Strangers {
    enough: Arc<AtomicBool>,
    /// How often each trick was played to its end.
    tried: Arc<[AtomicU32; TRICKS]>,
    thread: Option<JoinHandle<()>>,
}

impl Strangers {
    pub(super) fn at(site: SocketAddr, gateway: SocketAddr) -> Strangers {
        let enough = Arc::new(AtomicBool::new(false));
        let tried: Arc<[AtomicU32; TRICKS]> = Arc::default();
        let (stop, count) = (Arc::clone(&enough), Arc::clone(&tried));
        let thread = spawn(move || {
            let mut rng = Rng::new(7);
            let mut held: Vec<TcpStream> = Vec::new();
            let tricks = AT_THE_GATEWAY.map(|trick| (gateway, trick)).into_iter();
            let tricks = tricks.chain(AT_THE_SITE.map(|trick| (site, trick)));
            for (number, (address, trick)) in tricks.enumerate().cycle() {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                // The arena may be away, or cut the connection at any moment.
                if let Ok(mut stream) = come(address) {
                    let hold = trick(&mut stream, &mut rng).unwrap_or(false);
                    count[number].fetch_add(1, Ordering::Relaxed);
                    held.extend(hold.then_some(stream));
                }
                // A little more now and then, so that it looks as if there was more to come.
                if let Some(stream) = held.get_mut(rng.below(HELD as u32) as usize) {
                    let _ = stream.write(b"x");
                }
                if held.len() > HELD {
                    held.remove(0);
                }
                sleep(PAUSE);
            }
        });
        Strangers { enough, tried, thread: Some(thread) }
    }

    pub(super) fn check_all_were_there(&self) {
        let tried: Vec<u32> = self.tried.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        assert!(tried.iter().all(|count| *count > 1), "{tried:?}");
    }
}

impl Drop for Strangers {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn come(to: SocketAddr) -> io::Result<TcpStream> {
    let socket = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    bind(&socket, &HOME)?;
    connect(&socket, &to)?;
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn silence(_: &mut TcpStream, _: &mut Rng) -> io::Result<bool> {
    Ok(true)
}

fn noise(stream: &mut TcpStream, rng: &mut Rng) -> io::Result<bool> {
    let bytes: Vec<u8> = (0..20_000).map(|_| rng.bits() as u8).collect();
    stream.write_all(&bytes).map(|()| true)
}

fn half_a_login(stream: &mut TcpStream, _: &mut Rng) -> io::Result<bool> {
    stream.write_all(b"login abc").map(|()| true)
}

fn guesses(stream: &mut TcpStream, rng: &mut Rng) -> io::Result<bool> {
    for _ in 0..3 {
        stream.write_all(format!("login {}\n", rng.bits()).as_bytes())?;
    }
    Ok(true)
}

fn no_line_end(stream: &mut TcpStream, _: &mut Rng) -> io::Result<bool> {
    stream.write_all(b"login ")?;
    flood(stream)
}

fn nonsense_of_a_bridge(stream: &mut TcpStream, _: &mut Rng) -> io::Result<bool> {
    stream.write_all(
        b"palestra-bridge 1\nbytes 99999999999\nready\nlogin rps wrong\nlogin chess \xff\nbye\n",
    )?;
    Ok(true)
}

fn slow_head(stream: &mut TcpStream, _: &mut Rng) -> io::Result<bool> {
    stream.write_all(b"GET /api/live HTTP/1.1\r\nHost: arena\r\nX-Slow: ").map(|()| true)
}

fn long_head(stream: &mut TcpStream, _: &mut Rng) -> io::Result<bool> {
    stream.write_all(b"GET /api/live HTTP/1.1\r\nHost: arena\r\nX-Long: ")?;
    flood(stream)
}

fn huge_login(stream: &mut TcpStream, _: &mut Rng) -> io::Result<bool> {
    let head = "POST /api/login HTTP/1.1\r\nHost: arena\r\nX-Palestra: 1\r\nContent-Type: application/json\r\n\
                Content-Length: 1073741824\r\n\r\n{\"name\": \"";
    stream.write_all(head.as_bytes())?;
    flood(stream)
}

fn many_logins(stream: &mut TcpStream, rng: &mut Rng) -> io::Result<bool> {
    for _ in 0..3 {
        let body = format!("{{\"name\": \"cpp-1\", \"password\": \"{}\"}}", rng.bits());
        let length = body.len();
        let request = format!(
            "POST /api/login HTTP/1.1\r\nHost: arena\r\nX-Palestra: 1\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes())?;
    }
    Ok(stream.read(&mut [0; 4096])? > 0)
}

/// Sends until nobody takes it any more.
fn flood(stream: &mut TcpStream) -> io::Result<bool> {
    let piece = [b'x'; 1 << 16];
    for _ in 0..FLOOD / piece.len() {
        stream.write_all(&piece)?;
    }
    Ok(false)
}
