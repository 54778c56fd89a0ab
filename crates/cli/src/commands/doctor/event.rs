//! `palestra doctor --event`: what the plan of an event leaves open.

use super::Finding;
use crate::system;
use palestra_arena::plan::EventPlan;
use palestra_arena::store::DATABASE;
use palestra_arena::{ArenaError, ORGANISER_KEY};
use palestra_core::Hides;
use palestra_runner::{Guard, Level, modes};
use palestra_server::SpectatorDelay;
use std::path::Path;

/// An invite code that is shorter can be guessed in a night.
const INVITE_LETTERS: usize = 8;
/// Below this an event may run out of room for its replays.
const FREE_BYTES: u64 = 2 << 30;
/// Open files for some thousand clients.
const FILES: u64 = 10_000;

/// What is left open, and what is well.
pub(super) fn findings(file: &Path, plan: &EventPlan) -> Vec<Finding> {
    let mut findings = vec![
        transport(plan),
        gateway(plan),
        proxy(plan),
        sandbox(plan),
        shown(plan),
        invite(plan),
        files(plan),
        rights(),
        room(plan),
        open_files(),
    ];
    findings.extend(secrets(file, plan));
    findings.extend(hidden_things(plan));
    findings
}

fn finding(what: &str, ok: bool, finding: impl Into<String>) -> Finding {
    Finding { what: what.to_owned(), ok, finding: finding.into() }
}

fn transport(plan: &EventPlan) -> Finding {
    let local = plan.site.ip().is_loopback();
    match (&plan.tls, local, plan.behind_proxy) {
        (Some(_), ..) => finding("site, TLS", true, "the site itself speaks TLS"),
        (None, true, true) => {
            finding("site, TLS", true, "a proxy in front can add it; only this machine reaches the site")
        }
        (None, true, false) => finding("site, TLS", true, "only this machine reaches the site"),
        (None, false, _) => finding(
            "site, TLS",
            false,
            "passwords travel as they are; set tls in the plan, or let the site listen on 127.0.0.1 behind a proxy with TLS \
             (Caddy: reverse_proxy 127.0.0.1:8080) and set behind_proxy = true",
        ),
    }
}

fn gateway(plan: &EventPlan) -> Finding {
    match plan.gateway {
        None => finding("gateway", true, "there is none"),
        Some(address) if address.ip().is_loopback() => {
            finding("gateway", true, "only this machine reaches it")
        }
        Some(_) => {
            let old = plan.games.iter().any(|plan| plan.game.client_lines().is_some());
            let text = match (&plan.tls, old) {
                (Some(_), false) => "palestra connect --tls is safe; tell those who connect to use it",
                (Some(_), true) => {
                    "palestra connect --tls is safe; clients of old know no TLS: their passwords travel as they are; use \
                     those inside the room's network only"
                }
                (None, _) => {
                    "passwords and keys travel as they are; set tls in the plan for palestra connect --tls, and use clients \
                     of old, which know no TLS, inside the room's network only"
                }
            };
            finding("gateway", plan.tls.is_some() && !old, text)
        }
    }
}

fn proxy(plan: &EventPlan) -> Finding {
    match plan.behind_proxy && !plan.site.ip().is_loopback() {
        true => finding(
            "proxy",
            false,
            "the site believes X-Forwarded-For, and everybody reaches it; let it listen on 127.0.0.1",
        ),
        false => finding("proxy", true, "nobody can pretend to come from elsewhere"),
    }
}

fn sandbox(plan: &EventPlan) -> Finding {
    if plan.games.iter().all(|game| !game.submissions) {
        return finding("sandbox", true, "nothing is handed in");
    }
    match (plan.sandbox, Guard::new(Level::Strict)) {
        (Level::Strict, Ok(guard)) => match (guard.limits_memory(), plan.memory_by_process) {
            (true, _) => finding("sandbox", true, "what people hand in runs strictly apart"),
            (false, true) => finding(
                "sandbox",
                false,
                format!(
                    "what people hand in runs strictly apart, but memory is limited process by process, as memory_by_process \
                     accepts: a program with as many processes as it may have, {}, can take as many times the limit",
                    palestra_runner::limits::BOT.processes
                ),
            ),
            (false, false) => {
                let why = ArenaError::Memory(plan.file.clone());
                finding("sandbox", false, format!("the arena will not open: {why}"))
            }
        },
        (Level::Strict, Err(error)) => finding("sandbox", false, format!("the arena will not open: {error}")),
        (level, _) => finding(
            "sandbox",
            false,
            format!(
                "what people hand in runs at the level {level} and can read this machine's files; write sandbox = \"strict\""
            ),
        ),
    }
}

/// Whether bots are shown something of the event's own.
fn shown(plan: &EventPlan) -> Finding {
    match palestra_arena::exposed(plan, &Guard::off()) {
        Ok(None) => finding("bots", true, "are shown nothing of the event's own"),
        Ok(Some((path, by))) => {
            finding("bots", false, format!("the arena will not open: {}", ArenaError::Exposed { path, by }))
        }
        Err(error) => finding("bots", false, format!("what they are shown cannot be told: {error}")),
    }
}

fn invite(plan: &EventPlan) -> Finding {
    match &plan.invite {
        None => finding("accounts", true, "organisers make them"),
        Some(code) if code.len() < INVITE_LETTERS => finding(
            "accounts",
            false,
            format!("the invite code is short; take one of {INVITE_LETTERS} letters or more"),
        ),
        Some(_) => finding("accounts", true, "newcomers make their own with the invite code"),
    }
}

/// Whether others on this machine can read what they should not.
fn files(plan: &EventPlan) -> Finding {
    let shared = [DATABASE, "secret.key", ORGANISER_KEY].into_iter().filter(|name| {
        let metadata = std::fs::metadata(plan.folder.join(name));
        metadata.is_ok_and(|metadata| modes::of(&metadata) & 0o077 != 0)
    });
    let shared: Vec<&str> = shared.collect();
    match shared.is_empty() {
        true => finding("files", true, "only their owner reads them"),
        false => {
            let folder = plan.folder.display();
            finding(
                "files",
                false,
                format!(
                    "others on this machine can read {}, until palestra serve opens it: chmod 700 {folder}",
                    shared.join(", ")
                ),
            )
        }
    }
}

fn secrets(file: &Path, plan: &EventPlan) -> Option<Finding> {
    let secret = plan.database.as_ref().is_some_and(|address| address.contains('@')) || plan.invite.is_some();
    let open = std::fs::metadata(file).is_ok_and(|metadata| modes::of(&metadata) & 0o044 != 0);
    (secret && open).then(|| {
        let file = file.display();
        finding(
            "plan",
            false,
            format!("it holds secrets, and others on this machine can read it: chmod 600 {file}"),
        )
    })
}

fn rights() -> Finding {
    match system::is_root() {
        true => finding("rights", false, "this is root; make a user for the arena, it needs no rights"),
        false => finding("rights", true, "an ordinary user"),
    }
}

/// What the games hide from players, and when others see it.
fn hidden_things(plan: &EventPlan) -> Vec<Finding> {
    let who = match plan.programs_reach_the_site() && plan.games.iter().any(|game| game.submissions) {
        true => "connected clients, or programs that are not strictly apart,",
        false => "connected clients",
    };
    let found = plan.games.iter().map(|game| game.game.info()).filter_map(|info| {
        let game = info.title;
        let (ok, text) = match (info.hides, plan.live_delay.of(info)) {
            (Hides::Nothing, _) => return None,
            (_, Some(SpectatorDelay::UntilEnd)) => {
                (true, format!("matches of {game} with {who} are shown to others when they are over"))
            }
            (hides, Some(SpectatorDelay::Behind { time, rounds })) => {
                let late =
                    format!("matches of {game} with {who} are shown {} s and {rounds} rounds late", time.as_secs());
                match hides {
                    Hides::Board => (
                        false,
                        format!(
                            "{late}: what does not move, such as a capital, can still be of use to a player who looks; \
                             write live_delay = \"end\" to show them when they are over"
                        ),
                    ),
                    Hides::Nothing | Hides::Choices => (true, late),
                }
            }
            (_, None) => (
                false,
                format!(
                    "matches of {game} are shown as they are played: a player sees what is hidden in a second browser; \
                     remove live_delay"
                ),
            ),
        };
        Some(finding("hidden things", ok, text))
    });
    found.collect()
}

fn room(plan: &EventPlan) -> Finding {
    let folder = plan.folder.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
    let free = system::free_bytes(folder).unwrap_or(0);
    let text = format!("{:.1} GB free for replays and uploads", free as f64 / 1e9);
    finding("room", free >= FREE_BYTES, text)
}

fn open_files() -> Finding {
    let (_, files) = system::open_files();
    let text = match files >= FILES {
        true => "enough for ten thousand clients".to_owned(),
        false => format!("{files} at most: so many clients and browsers can be connected; raise ulimit -Hn"),
    };
    finding("open files", files >= FILES, text)
}

#[cfg(test)]
mod tests {
    use super::hidden_things;
    use crate::games::by_id;
    use palestra_arena::plan;

    /// What is said about hidden things in an event with this plan: whether all is well, and the sentence.
    fn said(text: &str) -> Option<(bool, String)> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.toml");
        std::fs::write(&file, format!("name = 'x'\n{text}")).unwrap();
        let plan = plan::read(&file, |id| by_id(id).ok_or_else(|| id.to_owned())).unwrap();
        hidden_things(&plan).into_iter().next().map(|finding| (finding.ok, finding.finding))
    }

    /// The tests of the arena's site ask the same plans, as players and spectators do.
    #[test]
    fn what_a_plan_leaves_open_is_said() {
        let generals = "[[game]]\nid = 'generals'\n";
        assert_eq!(said("[[game]]\nid = 'auralux'\n"), None, "nothing is hidden there");
        let (ok, text) = said("[[game]]\nid = 'rps'\n").unwrap();
        assert!(ok && text.contains("30 s and 20 rounds late"), "{text}");
        let (ok, text) = said(generals).unwrap();
        assert!(ok && text.contains("when they are over") && !text.contains("programs"), "{text}");
        let (ok, text) = said(&format!("sandbox = 'off'\n{generals}")).unwrap();
        assert!(ok && text.contains("programs"), "{text}");
        let (ok, text) = said(&format!("live_delay = '45s'\n{generals}")).unwrap();
        assert!(!ok && text.contains("45 s and 20 rounds late") && text.contains("capital"), "{text}");
        let (ok, text) = said(&format!("live_delay = '0s'\n{generals}")).unwrap();
        assert!(!ok && text.contains("second browser"), "{text}");
    }
}
