//! What matches do to the bots in them, strikes and marks in the store, and who is shown them when.

use super::{By, Ended, Pick, Taken, delay_of};
use crate::api::{MatchKind, VersionState};
use crate::hub::Ticket;
use crate::hub::desk::Desk;
use crate::ids::{MatchId, VersionId};
use crate::limits;
use crate::plan;
use crate::play::hall::Hall;
use crate::play::{Chair, Fixture, local};
use crate::store::{NewAccount, Store};
use crate::web;
use crate::workshop::Workshop;
use palestra_core::{AnyGame, PlanRequest, TimeControl};
use palestra_runner::{Cores, Guard, Interrupt, Played};
use palestra_server::Delay;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

const GAME: &dyn AnyGame = &palestra_rps::Rps;
const EVENT: &str = "name = 'x'\nsandbox = 'off'\n[[game]]\nid = 'rps'\nhouse = ['bot']\n";

/// A desk with two players' versions on the ladder, and a built-in player.
struct Stand {
    desk: Desk,
    versions: [VersionId; 2],
    seats: Vec<Taken>,
    _reports: mpsc::UnboundedReceiver<Ended>,
    _folder: TempDir,
}

impl Stand {
    async fn new() -> Stand {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("event.toml");
        std::fs::write(&file, EVENT).unwrap();
        let plan = Arc::new(plan::read(&file, |_| Ok(GAME)).unwrap());
        let store = Store::open(&folder.path().join("data"), None).await.unwrap();
        let (mut versions, mut seats) = (Vec::new(), Vec::new());
        for name in ["anna", "bela"] {
            let new = NewAccount { name: name.to_owned(), password: None, organiser: false };
            let player = store.add_player(new).await.unwrap().0.id;
            let bot = store.bot_of(player, "rps", None, 1500.0).await.unwrap();
            let version = store.add_version(&bot, "bot.py", b"pass".to_vec()).await.unwrap();
            assert!(store.settle_version(version, VersionState::Ready, "", None, 0).await.unwrap());
            versions.push(version);
            let by = By::Version(version, 1);
            seats.push(Taken { player: Some(player), bot: Some(bot.id), name: name.to_owned(), by });
        }
        let (news, _) = mpsc::channel(limits::NEWS);
        let guard = Arc::new(Guard::off());
        let workshop = Workshop::start(store.clone(), Arc::clone(&plan), Arc::clone(&guard), news);
        let hall = Hall::new(vec![Cores::Any; 4], guard, Handle::current()).unwrap();
        let library = Arc::new(web::library(&[], store.clone()));
        let (sender, reports) = mpsc::unbounded_channel();
        let workshop = workshop.await.unwrap();
        while workshop.in_quarantine() {
            tokio::task::yield_now().await;
        }
        let desk = Desk::open(plan, store, library, hall, workshop, sender).await.unwrap();
        let versions = versions.try_into().unwrap();
        Stand { desk, versions, seats, _reports: reports, _folder: folder }
    }

    /// Begins a match between the two, which nobody plays.
    fn begin(&mut self) -> MatchId {
        let pick =
            Pick { game: "rps".to_owned(), kind: MatchKind::Ladder, seats: self.seats.clone(), round: None };
        let number = self.desk.begin(pick);
        self.desk.effects.clear();
        number
    }

    fn end(&mut self, number: MatchId, report: Result<Box<Played>, String>) {
        self.desk.match_over(Ended { number, report, at: std::time::Instant::now(), packed: None });
    }

    fn sits_out(&self) -> [bool; 2] {
        [0, 1].map(|seat: usize| self.desk.roster.bots[&self.seats[seat].bot.unwrap()].broken)
    }
}

async fn played() -> Box<Played> {
    let plan = GAME.plan(&PlanRequest { changes: &[], map: None, players: 2, seed: 1 }).unwrap();
    let chairs = ["bot", "greedy"].map(Chair::built_in).into();
    let time = TimeControl::Unlimited;
    let fixture = Fixture { game: GAME, plan, time, chairs, reporter: None, pace: None };
    let runtime = Handle::current();
    let play = move || {
        local::play(fixture, &Guard::off(), &Cores::Any, &Interrupt::new().unwrap(), &runtime).unwrap()
    };
    tokio::task::spawn_blocking(play).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_failures_in_a_row_let_a_bot_sit_out() {
    let mut stand = Stand::new().await;
    for round in 0..3 {
        for _ in 1..limits::STRIKES {
            let number = stand.begin();
            stand.end(number, Err("it cannot be started".to_owned()));
        }
        assert_eq!(stand.sits_out(), [false; 2], "after {round} matches that were played");
        let number = stand.begin();
        stand.end(number, Ok(played().await));
    }
    for _ in 0..limits::STRIKES {
        let number = stand.begin();
        stand.end(number, Err("it cannot be started".to_owned()));
    }
    assert_eq!(stand.sits_out(), [true; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_plays_is_in_the_store_before_it_begins_and_until_it_ends() {
    let mut stand = Stand::new().await;
    let store = stand.desk.store.clone();
    let deaths = async || store.count_death().await.unwrap().iter().map(|s| s.deaths).collect::<Vec<_>>();
    let [first, second] = [stand.begin(), stand.begin()];
    stand.desk.flush().await.unwrap();
    assert_eq!(deaths().await, [1, 1], "both would be suspects");
    stand.end(first, Err("it cannot be started".to_owned()));
    stand.desk.flush().await.unwrap();
    store.begin_work(stand.versions[0], false).await.unwrap();
    assert_eq!(deaths().await, [2, 1], "they play another match");
    stand.end(second, Ok(played().await));
    stand.desk.effects.clear();
    stand.desk.flush().await.unwrap();
    assert_eq!(deaths().await, [0; 0], "they have come through it");
    // Closing is no death.
    stand.begin();
    stand.desk.flush().await.unwrap();
    store.close_work().await.unwrap();
    assert_eq!(deaths().await, [0; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn suspects_play_one_match_at_a_time_and_never_each_other() {
    let mut stand = Stand::new().await;
    stand.desk.suspects.extend(stand.versions);
    for _ in 0..20 {
        for _ in 0..5 {
            stand.desk.last_ladder.clear();
            stand.desk.schedule().unwrap();
            stand.desk.effects.clear();
        }
        let with_programs: Vec<Vec<VersionId>> = stand
            .desk
            .running
            .values()
            .map(|running| {
                let version = |taken: &Taken| match taken.by {
                    By::Version(version, _) => Some(version),
                    _ => None,
                };
                running.seats.iter().filter_map(version).collect::<Vec<VersionId>>()
            })
            .filter(|versions| !versions.is_empty())
            .collect();
        assert!(
            with_programs.len() <= 1 && with_programs.iter().all(|one| one.len() == 1),
            "{with_programs:?}"
        );
        let over: Vec<MatchId> = stand.desk.running.keys().copied().collect();
        for number in over {
            stand.end(number, Err("the test ends it".to_owned()));
        }
        // They are no suspects any more once they have come through a match, which this test does not want.
        stand.desk.suspects.extend(stand.versions);
        stand.desk.roster.bots.values_mut().for_each(|entry| entry.broken = false);
    }
}

#[test]
fn a_match_is_shown_late_if_somebody_in_it_could_look() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("event.toml");
    let find = |id: &str| -> Result<&'static dyn AnyGame, String> {
        Ok(if id == "auralux" { &palestra_auralux::Auralux } else { &palestra_generals::Generals })
    };
    let taken = |by: By| Taken { player: None, bot: None, name: String::new(), by };
    let client = || taken(By::Client(Ticket(1)));
    let program = || taken(By::Version(VersionId(1), 1));
    let house = || taken(By::BuiltIn("rest".to_owned()));
    for (sandbox, game, seats, late) in [
        ("strict", "generals", [client(), client()], true),
        ("strict", "generals", [client(), house()], true),
        ("strict", "generals", [program(), client()], true),
        ("strict", "generals", [program(), program()], false),
        ("auto", "generals", [program(), program()], true),
        ("off", "generals", [program(), house()], true),
        ("off", "generals", [house(), house()], false),
        ("off", "auralux", [client(), client()], false),
    ] {
        let text = format!("name = 'x'\nsandbox = '{sandbox}'\n[[game]]\nid = '{game}'\n");
        std::fs::write(&file, text).unwrap();
        let plan = plan::read(&file, find).unwrap();
        let delay = delay_of(&plan, &plan.games[0], &seats);
        assert_eq!(delay, late.then_some(Delay::UntilEnd), "{sandbox} {game}");
    }
}
