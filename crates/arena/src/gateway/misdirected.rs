//! Browsers and programs that look for the site at the gateway's port: they are told where it is.

use super::Disconnect;
use super::wire::Wire;
use crate::limits;
use crate::plan::EventPlan;
use tokio::time::timeout;

/// Whether this is the first line of a request: a method, what is asked for, the protocol. No client of ours shouts.
pub(super) fn speaks_http(line: &[u8]) -> bool {
    let mut words = line.trim_ascii_end().split(|byte| *byte == b' ');
    let method = words.next().unwrap_or_default();
    let is_method =
        !method.is_empty() && method.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'-');
    is_method && words.next_back().is_some_and(|protocol| protocol.starts_with(b"HTTP/"))
}

/// Says where the site is, and hears out what is still on its way: whoever is cut off while it speaks may not hear the answer.
pub(super) async fn redirect(mut wire: Wire, plan: &EventPlan) -> Disconnect {
    let text = format!("{}\n", directions(plan));
    let head = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close";
    let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{text}", text.len());
    if wire.send(answer.as_bytes()).is_ok() {
        wire.close();
        let _ = timeout(limits::STRAY_TIME, hear_out(&mut wire)).await;
    }
    Disconnect::Http
}

async fn hear_out(wire: &mut Wire) -> Result<(), Disconnect> {
    let mut heard = 0;
    while heard < limits::STRAY_BYTES {
        wire.wait().await?;
        heard += discard(wire)?;
    }
    Ok(())
}

fn discard(wire: &mut Wire) -> Result<usize, Disconnect> {
    let mut buffer = [0; limits::READ_BYTES];
    Ok(wire.read(&mut buffer)?.len())
}

/// Where the site is, as far as the arena knows.
fn directions(plan: &EventPlan) -> String {
    let port = plan.site.port();
    let site = match (plan.behind_proxy, &plan.tls) {
        (true, _) => "at the address that the organisers have given you".to_owned(),
        (false, None) => format!("at port {port}"),
        (false, Some(_)) => format!("at port {port}, with https://"),
    };
    format!("this port is the arena's gateway, for programs that play; its site is {site}")
}

#[cfg(test)]
mod tests {
    use super::speaks_http;

    #[test]
    fn requests_are_told_from_clients() {
        for line in [
            "GET / HTTP/1.1\r",
            "POST /api/bots/rps?file=a HTTP/1.0",
            "PRI * HTTP/2.0",
            "M-SEARCH * HTTP/1.1",
        ] {
            assert!(speaks_http(line.as_bytes()), "{line}");
        }
        for line in
            ["", "login secret", "login GET HTTP/1.1", "palestra-bridge 1", "GET", "GET /", " HTTP/1.1"]
        {
            assert!(!speaks_http(line.as_bytes()), "{line}");
        }
    }
}
