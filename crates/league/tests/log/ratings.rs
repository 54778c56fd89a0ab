//! Ratings that bots bring along count from the first round on.

use palestra_league::event::{Event, Identity, StageRound};
use palestra_league::log::MemoryLog;
use palestra_league::pairing::seating::MapChoice;
use palestra_league::pairing::tiebreak::TieBreak;
use palestra_league::pairing::{BotNumber, Points};
use palestra_league::plan::{DRAWING, Format, Map, PointRule, Seating, StagePlan, TournamentPlan};
use palestra_league::rating::elo::EloSettings;
use palestra_league::tournament::Tournament;

const RATINGS: [Option<f64>; 4] = [None, Some(1712.5), Some(1200.25), Some(1600.0)];
/// Who is better by them; whoever has none starts with the plan's rating.
const ORDER: [u32; 4] = [1, 3, 0, 2];

fn plan() -> TournamentPlan {
    TournamentPlan {
        name: "cup".to_owned(),
        game: "none".to_owned(),
        seed: 1,
        settings: Vec::new(),
        time: None,
        maps: vec![Map::Generated(0)],
        stages: vec![StagePlan {
            name: "final".to_owned(),
            format: Format::RoundRobin { cycles: 1 },
            seats: 2,
            groups: 1,
            take: None,
            carry: false,
            points: PointRule::Result { win: Points::whole(2), draw: Points::whole(1), loss: Points::ZERO },
            tie_breaks: vec![TieBreak::Elo],
            maps: MapChoice::All,
            seatings: Seating::Elo,
            repeats: 1,
        }],
        retries: 3,
        cores: 1,
        elo: EloSettings { start: 1500.0, ..EloSettings::default() },
        drawing: DRAWING,
    }
}

#[test]
fn a_rating_that_a_bot_comes_with_decides_seats_and_ties() {
    let opened = Event::Opened { program: "a test".to_owned(), plan: Box::new(plan()) };
    let added = (0..).zip(RATINGS).map(|(bot, rating)| Event::BotAdded {
        bot: BotNumber(bot),
        name: format!("bot {bot}"),
        identity: Identity { source: "none".to_owned(), fingerprint: None },
        from: StageRound { stage: 0, round: 1 },
        rating,
    });
    let mut log = MemoryLog::new((1..).zip(std::iter::once(opened).chain(added)).collect());
    let mut tournament = Tournament::open(&mut log, &mut Vec::new()).expect("it opens");
    assert_eq!(tournament.bots().iter().map(|bot| bot.rating).collect::<Vec<_>>(), RATINGS);
    let standing: Vec<u32> = tournament.standings().iter().map(|line| line.bot as u32).collect();
    assert_eq!(standing, ORDER, "nobody has points");
    let jobs = tournament.next(&mut log, &mut Vec::new(), 6).expect("matches");
    assert_eq!(jobs.len(), 6);
    let rank = |player: &BotNumber| ORDER.iter().position(|bot| *bot == player.0);
    for job in jobs {
        assert!(rank(&job.players[0]) < rank(&job.players[1]), "the higher rating moves first: {job:?}");
    }
}

#[test]
fn an_event_without_a_rating_is_written_as_before() {
    let event = Event::BotAdded {
        bot: BotNumber(0),
        name: "bot".to_owned(),
        identity: Identity { source: "none".to_owned(), fingerprint: None },
        from: StageRound::default(),
        rating: None,
    };
    let text = serde_json::to_string(&event).expect("plain data");
    assert!(!text.contains("rating"), "{text}");
    assert_eq!(serde_json::from_str::<Event>(&text).expect("it is read"), event);
}
