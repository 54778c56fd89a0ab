//! Starts a match, in a task of its own. Whatever computes for a while is done beside the threads that talk.

use super::Order;
use super::matches::{Participant, Source};
use super::programs::Place;
use crate::ids::MatchId;
use crate::limits;
use crate::play::background::Background;
use crate::play::pool::WorkerPool;
use crate::play::workers::{Claim, NobodyPlays, RemoteMatch, Workers};
use crate::play::{self, BotLink, ClientChannel, PreparedMatch, Report, SeatedBot, SessionChannel};
use crate::store::Store;
use crate::workshop::Workshop;
use palestra_core::{AnyGame, Entrant, Plan, Rng, Seat, TimeControl};
use palestra_league::match_runner::MatchSetup;
use palestra_queue::PortableBot;
use palestra_server::{Library, SeatedPerson, SpectatorDelay};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

/// What protocols call the server's own bot, whichever built-in player it is.
const PRACTICE_BOT: &str = "bot";

/// Everything that a match needs to begin.
pub(super) struct StartMatch {
    pub(super) number: MatchId,
    pub(super) game: &'static dyn AnyGame,
    pub(super) setup: MatchSetup,
    pub(super) map: Option<u32>,
    pub(super) seed: u64,
    pub(super) time: TimeControl,
    /// Clients with their channels.
    pub(super) seats: Vec<(Participant, Option<ClientChannel>)>,
    pub(super) pace: Option<Duration>,
    pub(super) delay: Option<SpectatorDelay>,
    /// Whether it makes room for others.
    pub(super) gives_way: bool,
    /// To the sessions of the clients.
    pub(super) orders: Vec<(mpsc::Sender<Order>, SessionChannel)>,
    /// Those who play by hand, by seat.
    pub(super) people: Vec<SessionChannel>,
    /// Where it is played.
    pub(super) place: Place,
}

/// A match that is over.
pub(super) struct Ended {
    pub(super) number: MatchId,
    /// Nothing if it was for the workers, and none of them can play it.
    pub(super) report: Result<Report, NobodyPlays>,
    /// The clients' rest begins then, however long it takes to be stored.
    pub(super) at: Instant,
    pub(super) replay: Option<Vec<u8>>,
}

/// What matches are started with.
#[derive(Clone)]
pub(super) struct Starter {
    pub(super) pool: Arc<WorkerPool>,
    /// Those on other machines, if there is a queue for them.
    pub(super) workers: Option<Arc<Workers>>,
    pub(super) library: Arc<Library>,
    pub(super) workshop: Workshop,
    pub(super) store: Store,
    /// Where matches of people are played.
    pub(super) background: Arc<Background>,
    pub(super) reports: mpsc::UnboundedSender<Ended>,
}

impl Starter {
    pub(super) fn start(&self, mut start: StartMatch) {
        for (orders, session) in start.orders.drain(..) {
            // A session that is gone drops its end of the channel, and the match hears of it.
            let _ = orders.try_send(Order::Play(session));
        }
        let starter = self.clone();
        // Counted from now on, whatever it takes to get there.
        let remote = match (&self.workers, start.place) {
            (Some(workers), Place::Workers) => Some((Arc::clone(workers), workers.claim())),
            _ => None,
        };
        tokio::spawn(async move {
            let number = start.number;
            let report = match remote {
                Some((workers, claim)) => starter.play_elsewhere(start, &workers, claim).await,
                None => Ok(starter.play(start).await),
            };
            let at = Instant::now();
            let (report, replay) = match report {
                Ok(report) => {
                    let (report, replay) = pack(report).await;
                    (Ok(report), replay)
                }
                Err(nobody) => (Err(nobody), None),
            };
            // The hub ends last.
            let _ = starter.reports.send(Ended { number, report, at, replay });
        });
    }

    /// Has programs, and built-in players among them, play at a worker's.
    async fn play_elsewhere(
        &self,
        start: StartMatch,
        workers: &Workers,
        claim: Claim,
    ) -> Result<Report, NobodyPlays> {
        match self.prepare_elsewhere(start).await {
            Ok(wanted) => workers.play(wanted, claim).await,
            Err(why) => Ok(Err(why)),
        }
    }

    async fn prepare_elsewhere(&self, start: StartMatch) -> Result<RemoteMatch, String> {
        let StartMatch { number, game, setup, map, seed, time, delay, .. } = start;
        let (mut bots, mut entrants, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (Participant { player, name, source, .. }, _) in start.seats {
            let label = player.map_or_else(|| PRACTICE_BOT.to_owned(), |id| id.to_string());
            let (bot, entrant) = match source {
                Source::BuiltIn(built_in) => {
                    (PortableBot::BuiltIn(built_in.clone()), Entrant::built_in(built_in))
                }
                Source::Version(version, _) => {
                    (self.workshop.portable(version).await?, Entrant::outside(name))
                }
                Source::Client(_) | Source::Person => return Err("a client plays where it is".to_owned()),
            };
            let entrant = entrant.known_as(label.clone());
            names.push((entrant.name.clone(), label));
            entrants.push(SeatedBot { entrant, link: BotLink::BuiltIn });
            bots.push(bot);
        }
        let library = Arc::clone(&self.library);
        let prepared = spawn_blocking(move || {
            let plan = settle_plan(game, &setup, map, entrants.len() as u8, seed)?;
            let prepared =
                PreparedMatch::new(game, plan, time, entrants).map_err(|error| error.to_string())?;
            let empty = prepared.game.recorded().clone();
            let reporter = library.open_live(&number.to_string(), game, empty, delay).ok();
            Ok::<_, String>(PreparedMatch { reporter, ..prepared })
        });
        let prepared = prepared.await.map_err(|_| "the game could not be set up".to_owned())??;
        Ok(RemoteMatch { number: number.0 as u64, game, prepared, names, bots })
    }

    async fn play(&self, start: StartMatch) -> Report {
        let StartMatch { number, game, setup, map, seed, time, pace, delay, people, gives_way, .. } = start;
        let mut bots = Vec::with_capacity(start.seats.len());
        for (Participant { player, name, source, .. }, channel) in start.seats {
            let label = player.map_or_else(|| PRACTICE_BOT.to_owned(), |id| id.to_string());
            bots.push(match (source, channel) {
                (Source::BuiltIn(name), _) => {
                    SeatedBot { entrant: Entrant::built_in(name).known_as(label), link: BotLink::BuiltIn }
                }
                (Source::Version(version, _), _) => {
                    SeatedBot::program(name, label, self.workshop.launch(version).await?)
                }
                (Source::Client(_), Some(channel)) => SeatedBot::client(name, label, channel),
                (Source::Person, Some(channel)) => {
                    let entrant = Entrant::person(name, true).known_as(label);
                    SeatedBot { entrant, link: BotLink::Client(channel) }
                }
                (Source::Client(_) | Source::Person, None) => return Err("a client has left".to_owned()),
            });
        }
        let by_hand = !people.is_empty();
        let people: Vec<SeatedPerson> =
            people.into_iter().map(|session| self.seat_person(number, session)).collect();
        let library = Arc::clone(&self.library);
        let prepared = spawn_blocking(move || {
            let plan = settle_plan(game, &setup, map, bots.len() as u8, seed)?;
            let prepared = PreparedMatch::new(game, plan, time, bots).map_err(|error| error.to_string())?;
            // A match goes on without anybody who looks.
            let empty = prepared.game.recorded().clone();
            let name = number.to_string();
            let reporter = match by_hand {
                true => library.open_live_with_people(&name, game, empty, people, delay.is_none()).ok(),
                false => library.open_live(&name, game, empty, delay).ok(),
            };
            Ok::<_, String>(PreparedMatch { reporter, pace, ..prepared })
        });
        let prepared = prepared.await.map_err(|_| "the game could not be set up".to_owned())??;
        match prepared.is_remote() {
            true if by_hand => {
                let played = self.background.handle().spawn(play::remote::play(prepared)).await;
                played.unwrap_or_else(|_| Err("the match was broken off".to_owned()))
            }
            true => play::remote::play(prepared).await,
            false => {
                let report = match gives_way {
                    true => self.pool.play_giving_way(prepared).await,
                    false => self.pool.play(prepared).await,
                };
                report.unwrap_or_else(|_| Err("the arena is shutting down".to_owned()))
            }
        }
    }
}

impl Starter {
    /// Lets somebody play by hand who has the key of the seat.
    fn seat_person(&self, number: MatchId, session: SessionChannel) -> SeatedPerson {
        let seat = session.start.seat;
        let answers = play::person::sit_down(session, limits::HAND_MATCH);
        let key = self.store.seat_key(number, seat);
        SeatedPerson { seat: Seat::new(seat), key, answers: Box::new(answers) }
    }
}

/// A report, and the replay as it is stored.
async fn pack(report: Report) -> (Report, Option<Vec<u8>>) {
    let Ok(played) = report else {
        return (report, None);
    };
    let packing = spawn_blocking(move || {
        let packed = played.replay.to_bytes();
        (played, packed)
    });
    match packing.await {
        Ok((played, Ok(packed))) => (Ok(played), Some(packed)),
        Ok((played, Err(error))) => {
            tracing::warn!(%error, "a match has no replay");
            (Ok(played), None)
        }
        Err(_) => (Err("its replay could not be packed".to_owned()), None),
    }
}

/// A map for so many players: the one that is wanted, or any of those that fit.
fn settle_plan(
    game: &dyn AnyGame,
    setup: &MatchSetup,
    map: Option<u32>,
    seats: u8,
    seed: u64,
) -> Result<Plan, String> {
    let mut maps: Vec<u32> = match map {
        Some(map) => vec![map],
        None => (0..setup.maps.len() as u32).collect(),
    };
    Rng::stream(seed, "map", 0).shuffle(&mut maps);
    let mut refused = String::new();
    for map in maps {
        match setup.plan(game, map, seats, seed) {
            Ok(plan) => return Ok(plan),
            Err(error) => refused = error.to_string(),
        }
    }
    Err(refused)
}
