//! Rounds of a tournament: drawn from what was before them, with what the log knows about their matches.

use super::{Contestant, Job, Past, Tournament, TournamentError, numbered, ranges};
use crate::event::{DrawnMeeting, Event, StageRound};
use crate::log::{End, Log, Outcome};
use crate::pairing::{BotNumber, PairingError};
use crate::stage::{Draw, OpenMeeting, OpenRound, ScheduledMatch, Settled, StageRun};

impl Tournament {
    /// Draws the next round of the running stage and looks up what the log knows about it.
    pub(super) fn draw(&mut self, store: &mut dyn Log, log: &mut Vec<Event>) -> Result<(), TournamentError> {
        let stage = self.stages.last_mut().expect("a stage is running");
        let place = StageRound { stage: stage.index, round: stage.drawn + 1 };
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
        self.past.latest = self.past.drawn.remove(&place).unwrap_or_default();
        let meetings = self.number(&draws, 0)?;
        self.past.log_drawing(place, &meetings, &byes, log);
        let open = self.recall(store, &draws, meetings)?;
        self.stages.last_mut().expect("a stage is running").open_round(open, byes);
        Ok(())
    }

    /// Lets those play on who are equal in the round of a knockout that was drawn last.
    pub(super) fn draw_deciders(
        &mut self,
        store: &mut dyn Log,
        log: &mut Vec<Event>,
        draws: &[Draw],
    ) -> Result<(), TournamentError> {
        let stage = self.stages.last().expect("a stage is running");
        let round = stage.open.back().expect("a round is open");
        let place = StageRound { stage: stage.index, round: round.number };
        let (mut all, byes) = (drawn_meetings(round), round.byes.clone());
        let meetings = self.number(draws, all.len())?;
        all.extend(meetings.iter().cloned());
        self.past.log_drawing(place, &all, &byes, log);
        let open = self.recall(store, draws, meetings)?;
        self.stages.last_mut().expect("a stage is running").open_deciders(open);
        Ok(())
    }

    /// Gives meetings the numbers of their matches; there are so many before them in their round.
    fn number(&mut self, draws: &[Draw], before: usize) -> Result<Vec<DrawnMeeting>, TournamentError> {
        let stage = self.stages.last().expect("a stage is running");
        let known = &self.past.latest;
        let mut meetings = Vec::with_capacity(draws.len());
        for (place, draw) in (before..).zip(draws) {
            let mut meeting = stage.meeting(draw);
            let same = |other: &&DrawnMeeting| other.is_like(&meeting);
            // Usually it is as the log has it, in the same place.
            let in_place = known.last().and_then(|known| known.get(place)).filter(same);
            // A meeting of an earlier drawing that is part of the round again keeps its matches, too.
            meeting.first = match in_place.or_else(|| known.iter().rev().flatten().find(same)) {
                Some(meeting) => meeting.first,
                None => {
                    let first = self.next_number;
                    self.next_number = numbered(first, meeting.matches)?;
                    first
                }
            };
            meetings.push(meeting);
        }
        Ok(meetings)
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
            let mut scheduled: Option<Vec<ScheduledMatch>> = None;
            for (at, number) in (drawn.first..drawn.first + drawn.matches).enumerate() {
                let rows = std::iter::from_fn(|| results.next_if(|row| row.number == number));
                let Known { settled, tainted } = self.known(number, &draw.players, rows)?;
                let settled = settled.or_else(|| self.walkover(number, &drawn.players));
                self.progress.tainted += u64::from(tainted);
                let stage = self.stages.last().expect("a stage is running");
                let mut scheduled = || {
                    let scheduled = scheduled.get_or_insert_with(|| stage.scheduled(draw));
                    let ScheduledMatch { players, map, seed } = &scheduled[at];
                    Job { number, tainted, players: players.clone(), map: *map, seed: *seed }
                };
                match &settled {
                    None => self.ready.push_back(scheduled()),
                    Some(settled) => self.progress.count(settled),
                }
                match &settled {
                    Some(Settled::Failed(why)) => {
                        let players = scheduled().players;
                        self.note_failure(number, players, why);
                    }
                    Some(Settled::Walkover(present)) => {
                        for absent in drawn.players.iter().filter(|player| !present.contains(player)) {
                            *self.missed.entry(*absent).or_default() += 1;
                        }
                    }
                    _ => {}
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
        players: &[BotNumber],
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

    /// Whether a match that nothing is known about is not to be played, because somebody was dropped: that was settled
    /// with the first who was. Whoever wants it played nevertheless says so afterwards.
    fn walkover(&self, number: u32, players: &[BotNumber]) -> Option<Settled> {
        let since = self.past.corrections.get(&number).map_or(0, |correction| correction.since);
        let dropped = |player: &&BotNumber| {
            self.bots[player.0 as usize]
                .dropped
                .as_ref()
                .map(|dropped| dropped.row)
                .filter(|row| *row > since)
        };
        let absent = players.iter().filter(|player| dropped(player).is_some()).min_by_key(dropped)?;
        Some(Settled::Walkover(players.iter().filter(|player| *player != absent).copied().collect()))
    }
}

impl Past {
    /// Adds a drawing to the log, unless the last one that it has begins so: whether the deciders in that one are still
    /// needed is known when the round is over.
    fn log_drawing(
        &mut self,
        place: StageRound,
        meetings: &[DrawnMeeting],
        byes: &[BotNumber],
        log: &mut Vec<Event>,
    ) {
        let begins_so = |logged: &&Vec<DrawnMeeting>| {
            let rest = logged.strip_prefix(meetings);
            rest.is_some_and(|rest| rest.iter().all(|meeting| meeting.decider > 0))
        };
        if self.latest.last().filter(begins_so).is_none() {
            self.log_anew(place, meetings.to_vec(), byes, log);
        }
    }

    /// Adds the drawing of a round that is over, unless the log has it: after a correction it may have deciders that are not
    /// needed any more.
    pub(super) fn log_whole(&mut self, place: StageRound, round: &OpenRound, log: &mut Vec<Event>) {
        let meetings = drawn_meetings(round);
        if self.latest.last() != Some(&meetings) {
            self.log_anew(place, meetings, &round.byes, log);
        }
    }

    fn log_anew(
        &mut self,
        place: StageRound,
        meetings: Vec<DrawnMeeting>,
        byes: &[BotNumber],
        log: &mut Vec<Event>,
    ) {
        self.latest.push(meetings.clone());
        let StageRound { stage, round } = place;
        log.push(Event::Drawn { stage, round, meetings, byes: byes.to_vec() });
    }
}

fn drawn_meetings(round: &OpenRound) -> Vec<DrawnMeeting> {
    round.meetings.iter().map(|meeting| meeting.drawn.clone()).collect()
}

/// What the log knows about a match.
#[derive(Default)]
struct Known {
    settled: Option<Settled>,
    /// How often it was tainted since it counts.
    tainted: u32,
}

/// Lets bots join and leave that were to do so before this round.
fn come_and_go(stage: &mut StageRun, bots: &[Contestant], round: u32) -> Result<(), PairingError> {
    for (number, bot) in bots.iter().enumerate() {
        let player = BotNumber(number as u32);
        let index = stage.index;
        let due = |place: StageRound| place.stage == index && (2..=round).contains(&place.round);
        if due(bot.from) && !stage.holds(player) {
            stage.join(player)?;
        }
        if bot.dropped.as_ref().is_some_and(|dropped| due(dropped.from)) {
            stage.leave(player);
        }
    }
    Ok(())
}
