//! A tournament as it stands: its plan, and everything its log says.
//!
//! Going on after a stop, correcting a result and playing for the first time are one and the same here: rounds are drawn
//! from the plan and from what earlier rounds brought, the log is asked what became of their matches, and what is
//! missing is played. A drawing that comes out differently after a correction gives new matches; those that are no
//! longer part of it do not count.

use crate::cup::{Cup, Format};
use crate::event::{Counted, DrawnMeeting, Event, Finished, Identity, Place};
use crate::evidence::Evidence;
use crate::limits;
use crate::log::{End, Log, Outcome};
use crate::overview::Progress;
use crate::pairing::tiebreak::{Ranked, rank};
use crate::pairing::{PairingError, Player, Points};
use crate::stage::{Beginning, Draw, Fixture, OpenMeeting, Settled, StageRun};
use crate::store::StoreError;
use crate::table::{Rated, Table};
use std::collections::{BTreeMap, VecDeque};

/// Why a tournament cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Its folder says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its field does not fit its format.
    #[error("{stage}: {error}")]
    Pairing {
        /// The stage.
        stage: String,
        /// What is wrong.
        error: PairingError,
    },
    /// The folder holds something else.
    #[error("{0}")]
    Unfit(String),
}

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Contestant {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub identity: Identity,
    /// 1, and one more for every replacement.
    pub version: u32,
    /// From when on it plays.
    pub from: Place,
    /// The Elo rating it came with.
    pub rating: Option<f64>,
    /// From when on it does not play any more, and why.
    pub dropped: Option<(Place, String)>,
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its number.
    pub number: u32,
    /// How often it was tainted since it counts.
    pub tainted: u32,
    /// Who plays, by seat.
    pub players: Vec<Player>,
    /// The map's place in the plan.
    pub map: u32,
    /// The seed.
    pub seed: u64,
}

/// A tournament.
pub struct Tournament {
    pub(crate) cup: Cup,
    pub(crate) bots: Vec<Contestant>,
    past: Past,
    next_number: u32,
    pub(crate) stages: Vec<StageRun>,
    over: bool,
    ready: VecDeque<Job>,
    /// What rounds that count say about everybody.
    pub(crate) evidence: Evidence,
    pub(crate) progress: Progress,
    /// Matches that could not be played, and the first of them with all there is to say.
    failed: Vec<u32>,
    pub(crate) failures: Vec<(u32, Vec<Player>, String)>,
}

/// What the log said when it was opened.
#[derive(Default)]
struct Past {
    /// The last drawing of every round that has not been looked at yet.
    drawn: BTreeMap<Place, Vec<DrawnMeeting>>,
    /// Rounds drawn, by stage.
    rounds: BTreeMap<u32, u32>,
    corrections: BTreeMap<u32, Correction>,
    /// Matches with higher numbers are not in it.
    last_match: u32,
}

impl Past {
    /// Whether the log may have results of a stage's next round: what it has counts, however much waits before it.
    fn knows_next(&self, stage: &StageRun) -> bool {
        self.drawn.contains_key(&Place { stage: stage.index, round: stage.drawn + 1 })
    }
}

/// The organiser's last word about a match.
#[derive(Clone, Copy, Default)]
struct Correction {
    voided: bool,
    /// What the log has before this does not count.
    since: i64,
}

impl Tournament {
    /// Reads the log of a tournament and works out how it stands. Rounds that the log does not have yet are added to
    /// `log`.
    pub fn open(store: &mut dyn Log, log: &mut Vec<Event>) -> Result<Tournament, TournamentError> {
        let mut opened = None;
        let mut bots: Vec<Contestant> = Vec::new();
        let mut past = Past { last_match: store.last_match()?, ..Past::default() };
        let mut next_number = numbered(1, past.last_match)?;
        for (id, event) in store.course()? {
            match event {
                Event::Opened { cup, .. } => opened = Some(*cup),
                Event::BotAdded { name, identity, from, rating, .. } => {
                    bots.push(Contestant { name, identity, version: 1, from, rating, dropped: None });
                }
                Event::BotReplaced { bot, identity } => {
                    let contestant = known(&mut bots, bot, id)?;
                    contestant.identity = identity;
                    contestant.version += 1;
                }
                Event::BotDropped { bot, why, from } => {
                    known(&mut bots, bot, id)?.dropped = Some((from, why));
                }
                Event::Drawn { stage, round, meetings, .. } => {
                    for meeting in &meetings {
                        next_number = next_number.max(numbered(meeting.first, meeting.matches)?);
                    }
                    past.drawn.insert(Place { stage, round }, meetings);
                    let rounds = past.rounds.entry(stage).or_default();
                    *rounds = round.max(*rounds);
                }
                Event::Voided { number, .. } => past.corrections.entry(number).or_default().voided = true,
                Event::Rerun { number } => {
                    past.corrections.insert(number, Correction { voided: false, since: id });
                }
                _ => {}
            }
        }
        let Some(cup) = opened else {
            return Err(TournamentError::Unfit(format!(
                "{} holds a ladder; use palestra ladder for it",
                store.name()
            )));
        };
        let mut evidence = Evidence::new(cup.elo);
        bots.iter().for_each(|bot| evidence.add_bot(bot.rating));
        let mut tournament = Tournament {
            cup,
            bots,
            past,
            next_number,
            stages: Vec::new(),
            over: false,
            ready: VecDeque::new(),
            evidence,
            progress: Progress::default(),
            failed: Vec::new(),
            failures: Vec::new(),
        };
        tournament.advance(store, log, 1)?;
        Ok(tournament)
    }

    /// Whether bots with these names can play this plan.
    pub fn check(cup: &Cup, names: &[&str]) -> Result<(), TournamentError> {
        let mut count = names.len();
        for (index, plan) in (0..).zip(&cup.stages) {
            count = count.min(plan.take.map_or(usize::MAX, |take| take as usize));
            let mut players: Vec<Player> = (0..count as u32).map(Player).collect();
            let heroes: Vec<Player> = match &plan.format {
                Format::Gauntlet { heroes, .. } => {
                    let number = |hero: &String| names.iter().position(|name| name == hero);
                    heroes.iter().filter_map(number).map(|number| Player(number as u32)).collect()
                }
                _ => Vec::new(),
            };
            players.extend(heroes.iter().filter(|hero| hero.0 as usize >= count));
            let beginning = Beginning {
                index,
                players: &players,
                heroes: &heroes,
                table: Table::default(),
                elo: Vec::new(),
                seed: cup.seed,
                maps: cup.maps.len(),
            };
            StageRun::new(plan.clone(), beginning)
                .map_err(|error| TournamentError::Pairing { stage: plan.name.clone(), error })?;
        }
        Ok(())
    }

    /// The plan.
    pub fn cup(&self) -> &Cup {
        &self.cup
    }

    /// Everybody who takes or took part; a player's number is the place here.
    pub fn bots(&self) -> &[Contestant] {
        &self.bots
    }

    /// Whether everything has been played.
    pub fn over(&self) -> bool {
        self.over
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let Progress { finished, failed, voided, .. } = self.progress;
        let settled = finished + failed + voided;
        // What the stages to come will need is known when they begin, and some need less than they might.
        let planned = if self.over { settled } else { self.stages.iter().map(StageRun::matches).sum() };
        Progress { planned: planned.max(settled), ..self.progress }
    }

    /// What a match of the stage that is being played brings, by seat.
    pub fn award(&self, finished: &Finished) -> Vec<f64> {
        let stage = self.stages.last().expect("a match belongs to a stage");
        stage.plan.points.award(finished)
    }

    /// The numbers of all matches that could not be played.
    pub fn failed(&self) -> &[u32] {
        &self.failed
    }

    /// The first matches that could not be played, who should have played them, and why not.
    pub fn failures(&self) -> &[(u32, Vec<Player>, String)] {
        &self.failures
    }

    /// Whether the log knows a match of this number: it was played, or is in a round that was drawn.
    pub fn knows(&self, number: u32) -> bool {
        (1..self.next_number).contains(&number)
    }

    /// The next round that has not been drawn: from there on, bots come and go.
    pub fn next_place(&self) -> Place {
        let Some(stage) = self.stages.last() else {
            return Place { stage: 0, round: 1 };
        };
        if stage.over() {
            return Place { stage: stage.index + 1, round: 1 };
        }
        self.next_round(stage)
    }

    fn next_round(&self, stage: &StageRun) -> Place {
        // The log may be ahead of what has been looked at.
        let logged = self.past.rounds.get(&stage.index).copied().unwrap_or(0);
        Place { stage: stage.index, round: logged.max(stage.drawn) + 1 }
    }

    /// Somebody new: from when on it takes part, or why it cannot. It does when the log says so and is opened again: this
    /// tournament is of no further use.
    pub fn welcome(&mut self, name: &str) -> Result<(Player, Place), TournamentError> {
        if self.bots.iter().any(|bot| bot.name == name) {
            return Err(TournamentError::Unfit(format!(
                "\"{name}\" already takes part; choose another name, or use replace-bot"
            )));
        }
        let player = Player(self.bots.len() as u32);
        let place = self.next_place();
        if place.stage as usize >= self.cup.stages.len() {
            return self.welcome_after_the_end(player);
        }
        let stage = self.stages.last_mut().filter(|stage| stage.index == place.stage);
        match stage.map(|stage| stage.join(player)) {
            None | Some(Ok(())) => Ok((player, place)),
            // A stage that takes nobody in: the next one may.
            Some(Err(PairingError::Begun)) if (place.stage as usize) + 1 < self.cup.stages.len() => {
                Ok((player, Place { stage: place.stage + 1, round: 1 }))
            }
            Some(Err(error)) => {
                let stage = self.cup.stages[place.stage as usize].name.clone();
                Err(TournamentError::Pairing { stage, error })
            }
        }
    }

    /// Where everybody meets everybody, whoever comes after the end has all its matches still to play.
    fn welcome_after_the_end(&mut self, player: Player) -> Result<(Player, Place), TournamentError> {
        let place = self.next_round(self.stages.last().expect("it was played"));
        let stage = self.stages.last_mut().expect("it was played");
        match stage.join(player).map(|()| stage.draw()) {
            Ok(Some(_)) => Ok((player, place)),
            Ok(None) => Err(TournamentError::Unfit(
                "the tournament is over, without a round left for somebody new; nobody can join any more"
                    .to_owned(),
            )),
            Err(error) => Err(TournamentError::Pairing { stage: stage.plan.name.clone(), error }),
        }
    }

    /// At most so many matches that can be played now. What was drawn for them is added to `log`.
    pub fn next(
        &mut self,
        store: &mut dyn Log,
        log: &mut Vec<Event>,
        room: usize,
    ) -> Result<Vec<Job>, TournamentError> {
        self.advance(store, log, room)?;
        let count = room.min(self.ready.len());
        Ok(self.ready.drain(..count).collect())
    }

    /// A match was played, and counts.
    pub fn finish(&mut self, finished: &Finished) {
        self.settle(finished.number, Settled::Played(Counted::from(finished)));
    }

    /// A match could not be played.
    pub fn fail(&mut self, job: &Job, why: String) {
        self.note_failure(job.number, job.players.clone(), &why);
        self.settle(job.number, Settled::Failed(why));
    }

    /// A match was played, and is to be played again.
    pub fn taint(&mut self, job: &Job) {
        self.progress.tainted += 1;
        self.ready.push_front(Job { tainted: job.tainted + 1, ..job.clone() });
    }

    fn note_failure(&mut self, number: u32, players: Vec<Player>, why: &str) {
        self.failed.push(number);
        if self.failures.len() < limits::FAILURES_KEPT {
            self.failures.push((number, players, why.to_owned()));
        }
    }

    fn settle(&mut self, number: u32, settled: Settled) {
        let stage = self.stages.last_mut().expect("matches belong to a stage");
        self.progress.count(&settled);
        stage.settle(number, settled);
    }

    /// Lets complete rounds count, begins stages and draws rounds, until `room` matches wait or nothing more can be
    /// done before some are played.
    fn advance(
        &mut self,
        store: &mut dyn Log,
        log: &mut Vec<Event>,
        room: usize,
    ) -> Result<(), TournamentError> {
        while !self.over {
            let Some(stage) = self.stages.last_mut() else {
                self.begin_stage()?;
                continue;
            };
            if let Some(round) = stage.close_round() {
                for finished in round.meetings.iter().flat_map(OpenMeeting::played) {
                    self.evidence.record(finished);
                }
            } else if stage.over() {
                self.begin_stage()?;
            } else if (self.ready.len() < room || self.past.knows_next(stage)) && stage.can_draw() {
                self.draw(store, log)?;
            } else {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Begins the stage behind the last one, or ends the tournament.
    fn begin_stage(&mut self) -> Result<(), TournamentError> {
        let index = self.stages.len();
        let Some(plan) = self.cup.stages.get(index).cloned() else {
            self.over = true;
            return Ok(());
        };
        let place = Place { stage: index as u32, round: 1 };
        let mut players = match self.stages.last() {
            None => Vec::new(),
            Some(before) => self.ranking(before).into_iter().map(|ranked| ranked.player).collect(),
        };
        players.retain(|player| self.stays(*player, place));
        players.truncate(plan.take.map_or(usize::MAX, |take| take as usize));
        // A gauntlet without its heroes is none: they take part wherever they came in.
        let hero = |bot: &Contestant| matches!(&plan.format, Format::Gauntlet { heroes, .. } if heroes.contains(&bot.name));
        for (number, bot) in (0..).map(Player).zip(&self.bots) {
            let comes = bot.from == place || (hero(bot) && bot.from < place);
            if comes && self.stays(number, place) && !players.contains(&number) {
                players.push(number);
            }
        }
        let carried = |player: &Player| match self.stages.last() {
            Some(before) if plan.carry => before.table.line(*player).points,
            _ => Points::ZERO,
        };
        let heroes: Vec<Player> = match &plan.format {
            Format::Gauntlet { heroes, .. } => {
                let named = |player: &&Player| heroes.contains(&self.bots[player.0 as usize].name);
                players.iter().filter(named).copied().collect()
            }
            _ => Vec::new(),
        };
        let beginning = Beginning {
            index: place.stage,
            players: &players,
            heroes: &heroes,
            table: Table::new(&plan, players.iter().map(|player| (*player, carried(player)))),
            elo: (0..self.bots.len()).map(|bot| self.evidence.elo.rating(bot)).collect(),
            seed: self.cup.seed,
            maps: self.cup.maps.len(),
        };
        let name = plan.name.clone();
        let stage = StageRun::new(plan, beginning)
            .map_err(|error| TournamentError::Pairing { stage: name, error })?;
        self.stages.push(stage);
        Ok(())
    }

    /// Draws the next round of the running stage and looks up what the log knows about it.
    fn draw(&mut self, store: &mut dyn Log, log: &mut Vec<Event>) -> Result<(), TournamentError> {
        let stage = self.stages.last_mut().expect("a stage is running");
        let place = Place { stage: stage.index, round: stage.drawn + 1 };
        let mut drawn = come_and_go(stage, &self.bots, place.round).map(|()| stage.draw());
        if let Ok(None) = drawn {
            // Whoever was to join later than there are rounds joins now.
            drawn = come_and_go(stage, &self.bots, u32::MAX).map(|()| stage.draw());
        }
        let drawn =
            drawn.map_err(|error| TournamentError::Pairing { stage: stage.plan.name.clone(), error })?;
        let Some((draws, byes)) = drawn else {
            return Ok(());
        };
        let known = self.past.drawn.remove(&place);
        let mut meetings = Vec::with_capacity(draws.len());
        for draw in &draws {
            let mut meeting = stage.meeting(draw);
            let same = |other: &&DrawnMeeting| other.is_like(&meeting);
            // Usually it is as the log has it, in the same place.
            let in_place = known.as_ref().and_then(|known| known.get(meetings.len())).filter(same);
            meeting.first = match in_place.or_else(|| known.iter().flatten().find(same)) {
                Some(meeting) => meeting.first,
                None => {
                    let first = self.next_number;
                    self.next_number = numbered(first, meeting.matches)?;
                    first
                }
            };
            meetings.push(meeting);
        }
        if known.as_ref() != Some(&meetings) {
            let (meetings, byes) = (meetings.clone(), byes.clone());
            log.push(Event::Drawn { stage: place.stage, round: place.round, meetings, byes });
        }
        let open = self.recall(store, &draws, meetings)?;
        self.stages.last_mut().expect("a stage is running").open_round(open, byes);
        Ok(())
    }

    /// Looks up what became of the matches of a round; the others are ready to be played.
    fn recall(
        &mut self,
        store: &mut dyn Log,
        draws: &[Draw],
        meetings: Vec<DrawnMeeting>,
    ) -> Result<Vec<OpenMeeting>, TournamentError> {
        let mut results = Vec::new();
        for (first, end) in ranges(meetings.iter().filter(|meeting| meeting.first <= self.past.last_match)) {
            results.extend(store.outcomes(first, end - 1)?);
        }
        // Rows come in the order of the matches.
        let mut results = results.into_iter().peekable();
        let mut open = Vec::with_capacity(meetings.len());
        for (draw, drawn) in draws.iter().zip(meetings) {
            let mut games = Vec::with_capacity(drawn.matches as usize);
            let mut fixtures: Option<Vec<Fixture>> = None;
            for (at, number) in (drawn.first..drawn.first + drawn.matches).enumerate() {
                let rows = std::iter::from_fn(|| results.next_if(|row| row.number == number));
                let Known { settled, tainted } = self.known(number, &draw.players, rows)?;
                self.progress.tainted += u64::from(tainted);
                let stage = self.stages.last().expect("a stage is running");
                let mut fixture = || {
                    let fixtures = fixtures.get_or_insert_with(|| stage.fixtures(draw));
                    let Fixture { players, map, seed } = &fixtures[at];
                    Job { number, tainted, players: players.clone(), map: *map, seed: *seed }
                };
                match &settled {
                    None => self.ready.push_back(fixture()),
                    Some(settled) => self.progress.count(settled),
                }
                if let Some(Settled::Failed(why)) = &settled {
                    let players = fixture().players;
                    self.note_failure(number, players, why);
                }
                games.push(settled);
            }
            open.push(OpenMeeting { drawn, games });
        }
        Ok(open)
    }

    /// What the log's rows about a match of these players come to.
    fn known(
        &self,
        number: u32,
        players: &[Player],
        rows: impl Iterator<Item = Outcome>,
    ) -> Result<Known, TournamentError> {
        let correction = self.past.corrections.get(&number).copied().unwrap_or_default();
        let mut known = Known::default();
        for row in rows {
            let counts = row.id > correction.since;
            match row.end {
                End::Played(counted) if !counted.is_of(players) => {
                    return Err(TournamentError::Unfit(format!(
                        "row {} of the log is no result of those who play match {number}; it is damaged",
                        row.id
                    )));
                }
                End::Played(counted) => known.settled = counts.then_some(Settled::Played(counted)),
                End::Tainted => known.tainted += u32::from(counts),
                End::Failed(why) => known.settled = counts.then_some(Settled::Failed(why)),
            }
        }
        if correction.voided {
            known.settled = Some(Settled::Voided);
        }
        Ok(known)
    }

    /// How a stage stands, with what its open rounds have brought so far.
    pub(crate) fn current(&self, stage: &StageRun) -> Table {
        let mut table = stage.table.clone();
        for round in &stage.open {
            table.record(&stage.plan, round, stage.bye_points());
        }
        table
    }

    /// Everybody in a stage from the best to the last: in several groups all the first, then all the second, and so on.
    pub(crate) fn ranking(&self, stage: &StageRun) -> Vec<Ranked> {
        let table = self.current(stage);
        let elo = |player: Player| self.evidence.elo.rating(player.0 as usize);
        let numbers = Rated { table: &table, elo: &elo };
        let groups: Vec<Vec<Ranked>> =
            (0..stage.groups.len()).map(|group| self.group_ranking(stage, group, &numbers)).collect();
        if let [only] = &groups[..] {
            return only.clone();
        }
        let mut by_rank: BTreeMap<u32, Vec<Player>> = BTreeMap::new();
        for ranked in groups.iter().flatten() {
            by_rank.entry(ranked.rank).or_default().push(ranked.player);
        }
        let mut all: Vec<Ranked> = Vec::new();
        for players in by_rank.values() {
            let before = all.len() as u32;
            all.extend(
                rank(players, &stage.plan.tie_breaks, &numbers)
                    .into_iter()
                    .map(|ranked| Ranked { rank: before + ranked.rank, player: ranked.player }),
            );
        }
        all
    }

    /// One group of a stage from the best to the last. In a knockout it counts how far somebody came.
    pub(crate) fn group_ranking(&self, stage: &StageRun, group: usize, numbers: &Rated<'_>) -> Vec<Ranked> {
        let group = &stage.groups[group];
        match group.pairing.places() {
            Some(places) => places.into_iter().map(|(rank, player)| Ranked { rank, player }).collect(),
            None => rank(&group.players, &stage.plan.tie_breaks, numbers),
        }
    }

    /// Whether this row of the log, about this match, is of any account; if so, whether the match was voided.
    pub(crate) fn counts(&self, number: u32, id: i64) -> Option<bool> {
        let correction = self.past.corrections.get(&number).copied().unwrap_or_default();
        (id > correction.since).then_some(correction.voided)
    }

    fn stays(&self, player: Player, place: Place) -> bool {
        self.bots[player.0 as usize].dropped.as_ref().is_none_or(|(from, _)| *from > place)
    }
}

impl Progress {
    pub(crate) fn count(&mut self, settled: &Settled) {
        match settled {
            Settled::Played(_) => self.finished += 1,
            Settled::Voided => self.voided += 1,
            Settled::Failed(_) => self.failed += 1,
        }
    }
}

/// The bot that a row of the log is about.
fn known(bots: &mut [Contestant], bot: Player, row: i64) -> Result<&mut Contestant, TournamentError> {
    let why = || {
        TournamentError::Unfit(format!(
            "row {row} of the log is about a bot that never took part; it is damaged"
        ))
    };
    bots.get_mut(bot.0 as usize).ok_or_else(why)
}

/// The number behind those of so many matches from this one on.
fn numbered(first: u32, matches: u32) -> Result<u32, TournamentError> {
    first.checked_add(matches).filter(|next| *next <= limits::MATCHES).ok_or_else(|| {
        let why = format!("it has more than {} matches; plan fewer, or its log is damaged", limits::MATCHES);
        TournamentError::Unfit(why)
    })
}

/// What the log knows about a match.
#[derive(Default)]
struct Known {
    settled: Option<Settled>,
    /// How often it was tainted since it counts.
    tainted: u32,
}

/// The places of players in lists by bot.
pub(crate) fn indices(players: &[Player]) -> Vec<usize> {
    players.iter().map(|player| player.0 as usize).collect()
}

/// Lets bots join and leave that were to do so before this round.
fn come_and_go(stage: &mut StageRun, bots: &[Contestant], round: u32) -> Result<(), PairingError> {
    for (number, bot) in bots.iter().enumerate() {
        let player = Player(number as u32);
        let index = stage.index;
        let due = |place: Place| place.stage == index && (2..=round).contains(&place.round);
        if due(bot.from) && !stage.holds(player) {
            stage.join(player)?;
        }
        if bot.dropped.as_ref().is_some_and(|(from, _)| due(*from)) {
            stage.leave(player);
        }
    }
    Ok(())
}

/// The numbers of these meetings' matches, as ranges without their ends. Meetings that follow each other are one range:
/// usually that is a whole round.
pub(crate) fn ranges<'a>(meetings: impl IntoIterator<Item = &'a DrawnMeeting>) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for meeting in meetings {
        let end = meeting.first + meeting.matches;
        match ranges.last_mut() {
            Some((_, before)) if *before == meeting.first => *before = end,
            _ => ranges.push((meeting.first, end)),
        }
    }
    ranges
}
