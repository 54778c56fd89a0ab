//! Plans of every kind, small enough to be played thousands of times.

use palestra_league::pairing::Points;
use palestra_league::pairing::seating::MapChoice;
use palestra_league::pairing::tiebreak::TieBreak;
use palestra_league::plan::{DRAWING, Format, Map, PointRule, Seating, StagePlan, TournamentPlan};
use palestra_league::rating::elo::EloSettings;
use proptest::prelude::*;

/// Fewest bots; enough for two groups with a full table each.
pub(crate) const BOTS: u32 = 6;
const MAPS: u32 = 3;

/// A plan, and how many bots play it.
pub(crate) fn any_plan() -> impl Strategy<Value = (TournamentPlan, u32)> {
    let stages = prop::collection::vec(stage(), 1..=3);
    (stages, any::<u64>(), BOTS..=BOTS + 3).prop_map(|(mut stages, seed, bots)| {
        for (index, stage) in stages.iter_mut().enumerate() {
            stage.name = format!("stage {}", index + 1);
            if index > 0 {
                stage.take = Some(BOTS);
            }
            if let Format::Gauntlet { cycles, .. } = stage.format {
                // Its heroes play in no group but one, and may not reach a later stage.
                stage.groups = 1;
                if index > 0 {
                    stage.format = Format::RoundRobin { cycles };
                }
            }
        }
        (plan_of(stages, seed), bots)
    })
}

/// A plan with these stages.
pub(crate) fn plan_of(stages: Vec<StagePlan>, seed: u64) -> TournamentPlan {
    TournamentPlan {
        name: "cup".to_owned(),
        game: "none".to_owned(),
        seed,
        settings: Vec::new(),
        time: None,
        maps: (0..MAPS).map(Map::Generated).collect(),
        stages,
        retries: 3,
        cores: 1,
        elo: EloSettings::default(),
        drawing: DRAWING,
    }
}

/// A stage of this format with one match to a meeting.
pub(crate) fn stage_of(format: Format, seats: u8) -> StagePlan {
    StagePlan {
        name: "stage".to_owned(),
        format,
        seats,
        groups: 1,
        take: None,
        carry: false,
        points: PointRule::Result { win: Points::whole(2), draw: Points::whole(1), loss: Points::ZERO },
        tie_breaks: vec![TieBreak::Elo],
        maps: MapChoice::Each(1),
        seatings: Seating::Drawn,
        repeats: 1,
    }
}

fn stage() -> impl Strategy<Value = StagePlan> {
    let format = prop_oneof![
        2 => (1_u32..=2).prop_map(|cycles| (Format::RoundRobin { cycles }, 2)),
        1 => Just((Format::RoundRobin { cycles: 1 }, 3)),
        1 => (1_u32..=4).prop_map(|rounds| (Format::Tables { rounds }, 3)),
        4 => (2_u32..=4).prop_map(|rounds| (Format::Swiss { rounds: Some(rounds) }, 2)),
        3 => (0_u32..3, prop::option::of(0_u32..=3)).prop_map(|(kind, deciders)| {
            (Format::Knockout { double: kind == 0, third_place: kind == 1, deciders }, 2)
        }),
        1 => (1_u32..=2).prop_map(|cycles| (Format::Gauntlet { heroes: vec!["bot 0".to_owned()], cycles }, 2)),
    ];
    let seatings =
        prop_oneof![Just(Seating::Drawn), Just(Seating::Rotations), Just(Seating::All), Just(Seating::Elo),];
    let maps = prop_oneof![Just(MapChoice::All), Just(MapChoice::Each(1)), Just(MapChoice::Each(2))];
    let points = prop_oneof![
        Just(PointRule::Result { win: Points::whole(2), draw: Points::whole(1), loss: Points::ZERO }),
        Just(PointRule::Places(vec![Points::whole(5), Points::whole(2), Points::whole(1)])),
        Just(PointRule::Score),
    ];
    let tie_breaks = Just(TieBreak::ALL.to_vec()).prop_shuffle();
    (format, 1_u32..=2, any::<bool>(), points, tie_breaks, maps, seatings, 1_u32..=2).prop_map(
        |((format, seats), groups, carry, points, tie_breaks, maps, seatings, repeats)| StagePlan {
            name: String::new(),
            format,
            seats,
            groups,
            take: None,
            carry,
            points,
            tie_breaks,
            maps,
            seatings,
            repeats,
        },
    )
}
