//! One stage of a tournament while it is played: its rounds, the matches in them, and its table.
//!
//! Rounds are drawn in order and count in order, whichever match ends first; so the result depends on nothing but what
//! the matches brought.

mod decider;
mod meeting;

pub(crate) use meeting::{points_of, walkover};

use crate::event::{Counted, DrawnMeeting};
use crate::limits;
use crate::overview::BracketMeeting;
use crate::pairing::seating::{Games, MapChoice, SeatedGame};
use crate::pairing::{self, BotNumber, Meeting, MeetingResult, Pairing, PairingError, Points};
use crate::plan::{Format, PointRule, Seating, StagePlan};
use crate::standings::Standings;
use meeting::bye;
use palestra_core::Rng;
use std::collections::{BTreeMap, VecDeque};

pub(crate) struct StageRun {
    pub(crate) plan: StagePlan,
    pub(crate) index: u32,
    pub(crate) groups: Vec<Group>,
    /// Rounds drawn so far.
    pub(crate) drawn: u32,
    /// Rounds that were drawn and do not count yet, in order.
    pub(crate) open: VecDeque<OpenRound>,
    /// The first match of every meeting in them, with its round and its place there.
    by_number: BTreeMap<u32, (u32, usize)>,
    /// What the rounds that count have brought.
    pub(crate) table: Standings,
    /// Elo ratings when it began, by bot.
    elo: Vec<f64>,
    /// The same when it ended.
    elo_at_the_end: Option<Vec<f64>>,
    /// The meetings of a knockout, by round.
    pub(crate) bracket: Vec<Vec<BracketMeeting>>,
    seed: u64,
    maps: usize,
    /// How rounds are drawn; see [`crate::plan::DRAWING`].
    drawing: u32,
    meetings: u64,
    /// Matches beyond the planned ones.
    decider_matches: u64,
    exhausted: bool,
}

/// A part of the field that plays among itself.
pub(crate) struct Group {
    pub(crate) pairing: Pairing,
    /// In seeding order, those who left included.
    pub(crate) players: Vec<BotNumber>,
}

/// A round that has been drawn.
pub(crate) struct OpenRound {
    pub(crate) number: u32,
    pub(crate) meetings: Vec<OpenMeeting>,
    pub(crate) byes: Vec<BotNumber>,
    /// Matches in it that are not settled.
    missing: usize,
}

/// A meeting that has been drawn.
pub(crate) struct OpenMeeting {
    pub(crate) drawn: DrawnMeeting,
    /// What became of its matches, in order.
    pub(crate) games: Vec<Option<Settled>>,
}

/// A match of a meeting.
pub(crate) struct ScheduledMatch {
    /// By seat.
    pub(crate) players: Vec<BotNumber>,
    pub(crate) map: u32,
    pub(crate) seed: u64,
}

/// What became of a match.
#[derive(Clone, Debug)]
pub(crate) enum Settled {
    /// It was played, and counts.
    Played(Counted),
    /// The organiser took it out.
    Voided,
    /// It could not be played.
    Failed(String),
    /// It is not played, because somebody was dropped before; these were there for it.
    Walkover(Vec<BotNumber>),
}

/// Who meets in a field of these players, and how its seed decides that.
pub(crate) type Begin = fn(&pairing::Format, &[BotNumber], u64) -> Result<Pairing, PairingError>;

/// A meeting as the format gives it, before its matches have numbers.
pub(crate) struct Draw {
    pub(crate) group: u32,
    pub(crate) players: Vec<BotNumber>,
    /// Counts the meetings of the stage.
    pub(crate) number: u64,
    /// Which decider of a meeting that is equal, counted from 1; 0 for the meeting itself.
    pub(crate) decider: u32,
}

/// What a stage begins with.
pub(crate) struct Beginning<'a> {
    /// Its place among the stages.
    pub(crate) index: u32,
    /// In seeding order.
    pub(crate) players: &'a [BotNumber],
    /// Of a gauntlet.
    pub(crate) heroes: &'a [BotNumber],
    pub(crate) table: Standings,
    /// By bot.
    pub(crate) elo: Vec<f64>,
    pub(crate) seed: u64,
    pub(crate) maps: usize,
    /// How rounds are drawn; see [`crate::plan::DRAWING`].
    pub(crate) drawing: u32,
}

impl StageRun {
    /// [`Pairing::new`] for a plan that must fit its field, [`Pairing::of_those_left`] for one that is being played.
    pub(crate) fn new(
        plan: StagePlan,
        beginning: Beginning<'_>,
        begin: Begin,
    ) -> Result<StageRun, PairingError> {
        let Beginning { index, players, heroes, table, elo, seed, maps, drawing } = beginning;
        let count = (plan.groups as usize).clamp(1, players.len().max(1));
        let mut fields: Vec<Vec<BotNumber>> = vec![Vec::new(); count];
        for (place, player) in players.iter().enumerate() {
            // Like a snake: 1 2 3, 3 2 1, 1 2 3, so that groups are of like strength.
            let (row, column) = (place / count, place % count);
            fields[if row % 2 == 0 { column } else { count - 1 - column }].push(*player);
        }
        check(&plan)?;
        let games = games_of(&plan, drawing).check(plan.seats.into(), maps)?;
        let format = format(&plan, heroes, games);
        let mut groups = Vec::with_capacity(count);
        for (number, players) in fields.into_iter().enumerate() {
            let seed = Rng::stream(seed, "pairing", u64::from(index) << 32 | number as u64).bits();
            let mut pairing = begin(&format, &players, seed)?;
            if drawing < 2 {
                pairing.draw_as_at_first();
            } else {
                let carried = players.iter().map(|player| (*player, table.line(*player).carried));
                pairing.carry(&carried.collect::<Vec<_>>());
            }
            groups.push(Group { pairing, players });
        }
        Ok(StageRun {
            plan,
            index,
            groups,
            drawn: 0,
            open: VecDeque::new(),
            by_number: BTreeMap::new(),
            table,
            elo,
            elo_at_the_end: None,
            bracket: Vec::new(),
            seed,
            maps,
            drawing,
            meetings: 0,
            decider_matches: 0,
            exhausted: false,
        })
    }

    /// Whether the next round can be drawn now.
    pub(crate) fn can_draw(&self) -> bool {
        let waits = self.groups.iter().any(|group| group.pairing.needs_results());
        let waiting: usize = self.open.iter().map(|round| round.meetings.len()).sum();
        !self.exhausted && (self.open.is_empty() || (!waits && waiting < limits::MEETINGS_OPEN))
    }

    /// Whether everything has been played.
    pub(crate) fn over(&self) -> bool {
        self.exhausted && self.open.is_empty()
    }

    /// Everything has been played, and these are the Elo ratings by bot.
    pub(crate) fn end(&mut self, elo: Vec<f64>) {
        self.elo_at_the_end.get_or_insert(elo);
    }

    /// Elo ratings when it ended, by bot.
    pub(crate) fn elo_at_the_end(&self) -> Option<&Vec<f64>> {
        self.elo_at_the_end.as_ref()
    }

    /// Matches altogether, as things stand.
    pub(crate) fn matches(&self) -> u64 {
        let meetings: u64 = self.groups.iter().map(|group| group.pairing.total_meetings()).sum();
        meetings * self.games_per_meeting() + self.decider_matches
    }

    /// Rounds altogether, if one can tell.
    pub(crate) fn rounds(&self) -> Option<u32> {
        self.groups.iter().map(|group| group.pairing.total_rounds()).max().flatten()
    }

    /// Somebody takes part from the next round on, in the smallest group.
    pub(crate) fn join(&mut self, player: BotNumber) -> Result<(), PairingError> {
        let group = self.groups.iter_mut().min_by_key(|group| group.players.len()).expect("there is a group");
        group.pairing.add(player)?;
        group.players.push(player);
        self.table.join(player);
        (self.exhausted, self.elo_at_the_end) = (false, None);
        Ok(())
    }

    /// Somebody is not paired any more.
    pub(crate) fn leave(&mut self, player: BotNumber) {
        for group in &mut self.groups {
            // Whoever is not in the group cannot leave it.
            let _ = group.pairing.drop(player);
        }
    }

    pub(crate) fn holds(&self, player: BotNumber) -> bool {
        self.groups.iter().any(|group| group.players.contains(&player))
    }

    /// Draws the next round: its meetings and who sits out. `None` when there is none.
    pub(crate) fn draw(&mut self) -> Option<(Vec<Draw>, Vec<BotNumber>)> {
        let (mut pairs, mut byes) = (Vec::new(), Vec::new());
        for (number, group) in self.groups.iter_mut().enumerate() {
            if let Some(round) = group.pairing.next_round() {
                pairs.extend(round.meetings.into_iter().map(|meeting| (number as u32, meeting)));
                byes.extend(round.byes);
            }
        }
        if pairs.is_empty() && byes.is_empty() {
            self.exhausted = true;
            return None;
        }
        self.drawn += 1;
        let numbered = pairs.into_iter().zip(self.meetings..);
        let meetings: Vec<Draw> = numbered
            .map(|((group, meeting), number)| Draw { group, players: meeting.players, number, decider: 0 })
            .collect();
        self.meetings += meetings.len() as u64;
        Some((meetings, byes))
    }

    /// How many matches a meeting has.
    pub(crate) fn games_per_meeting(&self) -> u64 {
        games_of(&self.plan, self.drawing).check(self.plan.seats.into(), self.maps).unwrap_or(0)
    }

    /// A meeting of the round that was drawn last, as the log keeps it.
    pub(crate) fn meeting(&self, draw: &Draw) -> DrawnMeeting {
        let games = self.games(draw);
        DrawnMeeting {
            group: draw.group,
            players: draw.players.clone(),
            first: 0,
            matches: games.check(draw.players.len(), self.maps).unwrap_or(0) as u32,
            seats: if self.is_seated_by_rating(draw) { self.seated_by_rating(draw) } else { Vec::new() },
            rotation: match games.maps {
                MapChoice::All => 0,
                MapChoice::Each(each) => (draw.number * u64::from(each) % self.maps as u64) as u32,
            },
            decider: draw.decider,
        }
    }

    fn games(&self, draw: &Draw) -> Games {
        if draw.decider > 0 { decider::GAMES } else { games_of(&self.plan, self.drawing) }
    }

    fn is_seated_by_rating(&self, draw: &Draw) -> bool {
        self.plan.seatings == Seating::Elo && draw.decider == 0
    }

    fn seated_by_rating(&self, draw: &Draw) -> Vec<BotNumber> {
        let mut seated = draw.players.clone();
        // Equal ratings: at random.
        Rng::stream(self.seed, &self.purpose(draw), 0).shuffle(&mut seated);
        let elo = |player: &BotNumber| self.elo.get(player.0 as usize).copied().unwrap_or(0.0);
        seated.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
        seated
    }

    /// Tells the chance of one meeting from that of any other.
    fn purpose(&self, draw: &Draw) -> String {
        let names: Vec<String> = draw.players.iter().map(|player| player.0.to_string()).collect();
        let decider = if draw.decider > 0 { format!(" decider {}", draw.decider) } else { String::new() };
        format!("match {} {} {} {}{decider}", self.index, self.drawn, draw.group, names.join(" "))
    }

    /// The matches of a meeting of the round that was drawn last.
    pub(crate) fn scheduled(&self, draw: &Draw) -> Vec<ScheduledMatch> {
        let by_rating = self.is_seated_by_rating(draw);
        let players = if by_rating { self.seated_by_rating(draw) } else { draw.players.clone() };
        let (seated, purpose) = (Meeting { players }, self.purpose(draw));
        let games = self.games(draw);
        let each = games.check(draw.players.len(), self.maps).unwrap_or(1) / u64::from(games.repeats);
        let games = games.of(&seated, draw.number, self.maps, self.seed);
        let scheduled = |(at, game): (usize, SeatedGame)| {
            // The same for every seating, so that nobody has the better luck; short enough to type again.
            let pair = (game.map as u64) << 32 | (at as u64 / each);
            let seed = Rng::stream(self.seed, &purpose, pair + 1).bits() % 1_000_000_000;
            ScheduledMatch { players: game.seats, map: game.map as u32, seed }
        };
        games.enumerate().map(scheduled).collect()
    }

    /// Takes in a round whose matches have numbers.
    pub(crate) fn open_round(&mut self, meetings: Vec<OpenMeeting>, byes: Vec<BotNumber>) {
        self.open.push_back(OpenRound { number: self.drawn, meetings: Vec::new(), byes, missing: 0 });
        self.extend_round(meetings);
    }

    /// Adds meetings to the round that was drawn last.
    fn extend_round(&mut self, meetings: Vec<OpenMeeting>) {
        let round = self.open.back_mut().expect("a round is open");
        for (place, meeting) in (round.meetings.len()..).zip(&meetings) {
            self.by_number.insert(meeting.drawn.first, (round.number, place));
            round.missing += meeting.games.iter().filter(|game| game.is_none()).count();
        }
        round.meetings.extend(meetings);
    }

    /// Notes what became of a match; whether it was still missing.
    pub(crate) fn settle(&mut self, number: u32, settled: Settled) -> bool {
        let Some((_, (round, place))) = self.by_number.range(..=number).next_back() else {
            return false;
        };
        let first = self.open.front().map_or(0, |round| round.number);
        let round = &mut self.open[(*round - first) as usize];
        let meeting = &mut round.meetings[*place];
        let game = meeting.games.get_mut((number - meeting.drawn.first) as usize);
        let Some(game) = game.filter(|game| game.is_none()) else {
            return false;
        };
        *game = Some(settled);
        round.missing -= 1;
        true
    }

    /// The first of the rounds at the end of which nothing has become of any match; one more than were drawn if there is
    /// none.
    pub(crate) fn first_untouched(&self) -> u32 {
        let untouched = |round: &&OpenRound| {
            round.meetings.iter().flat_map(|meeting| &meeting.games).all(Option::is_none)
        };
        self.drawn + 1 - self.open.iter().rev().take_while(untouched).count() as u32
    }

    /// The next round in order, once nothing in it is missing. It counts from now on.
    pub(crate) fn close_round(&mut self) -> Option<OpenRound> {
        if self.open.front()?.missing > 0 {
            return None;
        }
        let round = self.open.pop_front()?;
        for meeting in &round.meetings {
            self.by_number.remove(&meeting.drawn.first);
        }
        let knockout = self.is_knockout();
        let mut bracket = Vec::new();
        for (group, run) in self.groups.iter_mut().enumerate() {
            if let Some(awaited) = run.pairing.awaited() {
                let of_group = round.meetings.iter().filter(|meeting| meeting.drawn.group as usize == group);
                let planned = of_group.clone().filter(|meeting| meeting.drawn.decider == 0);
                let results: Vec<MeetingResult> =
                    planned.clone().map(|meeting| round.result(&self.plan, meeting)).collect();
                // Whoever did not come to a duel has lost it, whatever it won before.
                for player in of_group.filter(|_| knockout).flat_map(OpenMeeting::absent) {
                    // Somebody may be absent from several matches of a meeting.
                    let _ = run.pairing.drop(player);
                }
                run.pairing.report(awaited, &results).expect("the results are those of the round it drew");
                if knockout {
                    let decided = decider::decided(&run.pairing, awaited);
                    let meetings = planned.zip(&results).enumerate();
                    bracket.extend(meetings.map(|(place, (meeting, result))| {
                        round.bracket_meeting(meeting, result, decided.get(&place).copied())
                    }));
                }
            }
        }
        if knockout {
            self.bracket.push(bracket);
        }
        self.table.record(&self.plan, &round, self.bye_points());
        self.table.end_round(round.number);
        Some(round)
    }

    pub(crate) fn bye_points(&self) -> Points {
        walkover(&self.plan) * self.games_per_meeting() as u32
    }
}

/// What the reader of plans makes sure of: a log has the plan too, and may be anybody's.
fn check(plan: &StagePlan) -> Result<(), PairingError> {
    if matches!(plan.format, Format::Swiss { .. } | Format::Knockout { .. }) {
        PairingError::within("the number of seats", plan.seats.into(), 2, 2)?;
    }
    let points: &[Points] = match &plan.points {
        PointRule::Score => &[][..],
        PointRule::Places(places) => places,
        PointRule::Result { win, draw, loss } => &[*win, *draw, *loss],
    };
    for points in points {
        let most = limits::MATCH_POINTS.0.unsigned_abs();
        PairingError::within("thousandths of points", points.0.unsigned_abs(), 0, most)?;
    }
    Ok(())
}

fn games_of(plan: &StagePlan, drawing: u32) -> Games {
    Games { maps: plan.maps, seatings: plan.seatings.deal(drawing), repeats: plan.repeats }
}

fn format(plan: &StagePlan, heroes: &[BotNumber], games: u64) -> pairing::Format {
    let seats = plan.seats;
    match &plan.format {
        Format::RoundRobin { cycles } => pairing::Format::RoundRobin { seats, cycles: *cycles },
        Format::Tables { rounds } => pairing::Format::Tables { seats, rounds: *rounds },
        Format::Swiss { rounds } => pairing::Format::Swiss { rounds: *rounds, bye: bye(&plan.points, games) },
        Format::Knockout { double, third_place, .. } => {
            pairing::Format::Knockout { double: *double, third_place: *third_place }
        }
        Format::Gauntlet { cycles, .. } => {
            pairing::Format::Gauntlet { heroes: heroes.to_vec(), seats, cycles: *cycles }
        }
    }
}
