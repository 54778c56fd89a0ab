//! All scored rounds of an event: which are open, which are due, and what they have brought.

use super::outcome::Outcome;
use super::round::{Events, Play, Round};
use super::{Refused, WantedRounds};
use crate::api::{Control, RoundDetail, RoundList, RoundState, RoundView};
use crate::ids::{AccountId, BotId, MatchId, RoundId};
use crate::limits;
use crate::plan::{EventPlan, RoundPlan, Start};
use crate::store::RoundRow;
use crate::trouble::{RoundStanding, Trouble};
use palestra_league::event::{Event, Finished};
use palestra_league::pairing::Points;
use palestra_league::tournament::Job;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

#[derive(Default)]
pub(super) struct Rounds {
    rounds: BTreeMap<RoundId, Round>,
    /// Those that go on or are to come: few, however many there were.
    open: BTreeSet<RoundId>,
    /// Those that may have brought points which the standings do not have yet.
    uncounted: BTreeSet<RoundId>,
}

impl Rounds {
    /// Takes in a round that the store knows, with its log if it has begun.
    pub(super) fn load(&mut self, row: RoundRow, play: Option<(Play, Events)>, out: &mut Outcome) {
        let id = row.id;
        let play = play.map(|(play, added)| {
            log(id, added, out);
            play
        });
        let round = Round::new(row, play);
        if round.is_open() {
            self.open.insert(id);
        }
        self.rounds.insert(id, round);
        self.uncounted.insert(id);
    }

    /// Adds the rounds of the plan that are not there yet.
    pub(super) fn plan_missing(&mut self, plans: &[RoundPlan], now: i64, out: &mut Outcome) {
        for (planned, plan) in plans.iter().enumerate() {
            if !self.rounds.values().any(|round| round.row.planned == planned) {
                self.add(planned, plan, now, out);
            }
        }
    }

    /// Adds a round of the plan; a repeated one once more.
    fn add(&mut self, planned: usize, plan: &RoundPlan, now: i64, out: &mut Outcome) {
        let starts = match plan.start {
            Start::ByHand | Start::Next => None,
            // A time that was over before is not made up for by itself: nobody would expect it then.
            Start::At(time) => Some(time).filter(|time| *time > now),
            Start::Every(pause) => Some(now + pause.as_millis() as i64),
        };
        let again = self.rounds.values().filter(|round| round.row.planned == planned).count();
        let name = if again == 0 { plan.name.clone() } else { format!("{} {}", plan.name, again + 1) };
        let id = self.rounds.keys().next_back().map_or(RoundId(1), |last| RoundId(last.0 + 1));
        let row = RoundRow {
            id,
            planned,
            name,
            game: plan.game.clone(),
            state: RoundState::Waiting,
            starts,
            ended: None,
            bots: Vec::new(),
        };
        self.rounds.insert(id, Round::new(row, None));
        self.keep(id, out);
    }

    /// Has a round stored as it stands now.
    fn keep(&mut self, id: RoundId, out: &mut Outcome) {
        let round = &self.rounds[&id];
        out.changes.rounds.push(round.row.clone());
        match round.is_open() {
            true => self.open.insert(id),
            false => self.open.remove(&id),
        };
    }

    pub(super) fn get(&self, id: RoundId) -> Option<&Round> {
        self.rounds.get(&id)
    }

    pub(super) fn row(&self, id: RoundId) -> &RoundRow {
        &self.rounds[&id].row
    }

    pub(super) fn play_mut(&mut self, id: RoundId) -> Option<&mut Play> {
        self.rounds.get_mut(&id)?.play.as_mut()
    }

    /// The match that was last played for a number of the league's.
    pub(super) fn played(&self, id: RoundId, number: u32) -> Option<MatchId> {
        self.rounds.get(&id)?.play.as_ref()?.matches.get(&number).copied()
    }

    pub(super) fn open(&self) -> Vec<RoundId> {
        self.open.iter().copied().collect()
    }

    pub(super) fn is_open(&self, id: RoundId) -> bool {
        self.open.contains(&id)
    }

    fn any_open(&self, game: &str, is: impl Fn(&Round) -> bool) -> bool {
        self.open.iter().map(|id| &self.rounds[id]).any(|round| round.row.game == game && is(round))
    }

    /// Whether a round of a game has begun and is not over.
    pub(super) fn is_busy(&self, game: &str) -> bool {
        self.any_open(game, Round::is_running)
    }

    /// Whether a scored round has the game to itself.
    pub(super) fn reserve(&self, game: &str) -> bool {
        self.any_open(game, |round| round.row.state == RoundState::Running)
    }

    /// Whether a round is to begin now.
    pub(super) fn is_due(&self, id: RoundId, plan: Option<&RoundPlan>, now: i64) -> bool {
        let round = &self.rounds[&id];
        let before = || self.rounds.range(..id).next_back();
        let follows = plan.is_some_and(|plan| plan.start == Start::Next)
            && before().is_some_and(|(_, before)| before.row.state == RoundState::Over);
        round.row.state == RoundState::Waiting
            && (follows || round.row.starts.is_some_and(|starts| starts <= now))
            && !self.is_busy(&round.row.game)
    }

    /// Begins a round between these bots, or calls it off.
    pub(super) fn begin(
        &mut self,
        id: RoundId,
        begun: Result<(Play, Events), String>,
        bots: Vec<BotId>,
        plans: &[RoundPlan],
        now: i64,
        out: &mut Outcome,
    ) {
        let Some(round) = self.rounds.get_mut(&id) else { return };
        round.row.starts = Some(round.row.starts.unwrap_or(now));
        let (text, planned) = match begun {
            Ok((play, events)) => {
                round.row.state = RoundState::Running;
                let text = match bots.len() {
                    1 => format!("round {} began with 1 player", round.row.name),
                    players => format!("round {} began with {players} players", round.row.name),
                };
                (round.row.bots, round.play) = (bots, Some(play));
                self.uncounted.insert(id);
                log(id, events, out);
                (text, None)
            }
            Err(why) => {
                (round.row.state, round.row.ended) = (RoundState::Cancelled, Some(now));
                (format!("round {} was called off: {why}", round.row.name), Some(round.row.planned))
            }
        };
        self.keep(id, out);
        out.changes.log.push((None, text));
        if let Some(planned) = planned {
            self.repeat(planned, plans, now, out);
        }
    }

    fn repeat(&mut self, planned: usize, plans: &[RoundPlan], now: i64, out: &mut Outcome) {
        if let Some(plan) = plans.get(planned).filter(|plan| matches!(plan.start, Start::Every(_))) {
            self.add(planned, plan, now, out);
        }
    }

    /// Draws what can be drawn of a round that runs; whether it is over.
    pub(super) fn advance(&mut self, id: RoundId, at: Instant, out: &mut Outcome) -> Result<bool, String> {
        let Some(play) = self.play_mut(id) else { return Ok(false) };
        let events = play.advance(at)?;
        let over = play.over();
        // Who has a bye in a round that was just drawn may have points for it.
        if !events.is_empty() {
            self.uncounted.insert(id);
        }
        log(id, events, out);
        Ok(over)
    }

    /// Ends a round; gives the rounds that are over for so long that only lists show them.
    pub(super) fn end(
        &mut self,
        id: RoundId,
        plans: &[RoundPlan],
        now: i64,
        out: &mut Outcome,
    ) -> Vec<RoundId> {
        let Some(round) = self.rounds.get_mut(&id) else { return Vec::new() };
        (round.row.state, round.row.ended) = (RoundState::Over, Some(now));
        round.name_best();
        let planned = round.row.planned;
        out.changes.log.push((None, format!("round {} is over", round.row.name)));
        self.keep(id, out);
        self.repeat(planned, plans, now, out);
        self.settled().skip(limits::SHOWN_ROUNDS).collect()
    }

    /// Those that are not open, newest first.
    fn settled(&self) -> impl Iterator<Item = RoundId> {
        self.rounds.keys().rev().copied().filter(|id| !self.open.contains(id))
    }

    /// Keeps only what lists show of a round, if it is over. Its points have been counted.
    pub(super) fn put_away(&mut self, id: RoundId, plans: &[RoundPlan]) {
        if let Some(round) = self.rounds.get_mut(&id) {
            round.put_away(plans.get(round.row.planned));
        }
    }

    /// Goes on with a round that was put away.
    pub(super) fn take_out(&mut self, id: RoundId, (play, added): (Play, Events), out: &mut Outcome) {
        if let Some(round) = self.rounds.get_mut(&id) {
            round.take_out(play);
            log(id, added, out);
        }
    }

    /// What rounds have brought since they were last counted.
    pub(super) fn count(&mut self) -> Vec<(BotId, Points)> {
        let mut points = Vec::new();
        for id in std::mem::take(&mut self.uncounted) {
            if let Some(round) = self.rounds.get_mut(&id)
                && let Some(play) = &mut round.play
            {
                points.extend(round.row.bots.iter().copied().zip(play.count()));
            }
        }
        points
    }

    /// A match was played, or lost by who did not come; gives its points, by seat.
    pub(super) fn finish(
        &mut self,
        id: RoundId,
        finished: &Finished,
        number: MatchId,
        out: &mut Outcome,
    ) -> Option<Vec<f64>> {
        let play = self.play_mut(id)?;
        let points = play.award(finished);
        let events = play.finish(finished.clone(), number);
        log(id, events, out);
        self.uncounted.insert(id);
        points
    }

    /// Has a match played again because the machine was at fault; gives it back if that was done often enough.
    pub(super) fn retry(
        &mut self,
        id: RoundId,
        job: &Job,
        finished: Finished,
        out: &mut Outcome,
    ) -> Option<Finished> {
        match self.play_mut(id).filter(|play| job.tainted < play.retries()) {
            Some(play) => {
                let events = play.taint(job, finished);
                log(id, events, out);
                None
            }
            None => Some(finished),
        }
    }

    pub(super) fn fail(&mut self, id: RoundId, job: &Job, why: String, out: &mut Outcome) {
        if let Some(play) = self.play_mut(id) {
            let events = play.fail(job, why);
            log(id, events, out);
        }
    }

    /// Takes a match out of the count, or has it played again.
    pub(super) fn correct(
        &mut self,
        id: RoundId,
        number: MatchId,
        correction: Event,
        out: &mut Outcome,
    ) -> Result<(), Refused> {
        let Some(round) = self.rounds.get_mut(&id) else {
            return Err(Refused(Trouble::RoundGone {}));
        };
        let Some(play) = round.play.as_mut() else {
            return Err(Refused(Trouble::RoundNotBegun {}));
        };
        if correction.number().and_then(|number| play.matches.get(&number)) != Some(&number) {
            return Err(Refused(Trouble::PlayedAgainSince {}));
        }
        let rerun = matches!(correction, Event::Rerun { .. });
        let was_over = play.tournament.over();
        let events = play.correct(correction).map_err(|why| Refused(Trouble::NotCorrected { why }))?;
        // Two of a knockout may be equal now, and those of later rounds may be others.
        let goes_on = rerun || (was_over && !play.tournament.over());
        round.name_best();
        if goes_on && matches!(round.row.state, RoundState::Over | RoundState::Cancelled) {
            (round.row.state, round.row.ended) = (RoundState::Running, None);
            self.keep(id, out);
        }
        log(id, events, out);
        self.uncounted.insert(id);
        Ok(())
    }

    /// What an organiser wants of a round. One that is to start has been begun before, if it was waiting.
    pub(super) fn control(
        &mut self,
        who: Option<AccountId>,
        id: RoundId,
        control: Control,
        now: i64,
        out: &mut Outcome,
    ) -> Result<(), Refused> {
        let Some(round) = self.rounds.get_mut(&id) else {
            return Err(Refused(Trouble::NoRound { round: id.0 }));
        };
        let row = &mut round.row;
        let name = row.name.clone();
        let text = match (row.state, control) {
            (RoundState::Running, Control::Pause) => {
                row.state = RoundState::Paused;
                format!("paused round {name}")
            }
            (RoundState::Paused, Control::Resume | Control::Start) => {
                row.state = RoundState::Running;
                format!("let round {name} go on")
            }
            (RoundState::Waiting, Control::Close) => {
                (row.state, row.ended) = (RoundState::Cancelled, Some(now));
                format!("called round {name} off")
            }
            (RoundState::Running | RoundState::Paused, Control::Close) => {
                (row.state, row.ended) = (RoundState::Over, Some(now));
                round.name_best();
                format!("ended round {name} early")
            }
            (RoundState::Cancelled, Control::Start | Control::Resume) if round.play.is_none() => {
                (row.state, row.ended, row.starts) = (RoundState::Waiting, None, Some(now));
                format!("started round {name} after all")
            }
            (state, _) => {
                return Err(Refused(Trouble::RoundStands { round: name, state: standing(state) }));
            }
        };
        self.keep(id, out);
        out.changes.log.push((who, text));
        Ok(())
    }

    fn view(&self, id: RoundId, plan: &EventPlan) -> RoundView {
        let round = &self.rounds[&id];
        round.view(plan.rounds.get(round.row.planned))
    }

    /// Those that go on or are to come, and the latest of the others.
    pub(super) fn views(&self, plan: &EventPlan) -> Vec<RoundView> {
        let mut shown: Vec<RoundId> =
            self.settled().take(limits::SHOWN_ROUNDS).chain(self.open.iter().copied()).collect();
        shown.sort_unstable();
        shown.into_iter().map(|id| self.view(id, plan)).collect()
    }

    /// The page of a round.
    pub(super) fn detail(&mut self, id: RoundId, plan: &EventPlan) -> Option<Arc<RoundDetail>> {
        let round = self.rounds.get_mut(&id)?;
        Some(round.detail(plan.rounds.get(round.row.planned)))
    }

    /// A page of the list of all rounds, newest first.
    pub(super) fn list(&self, wanted: &WantedRounds, plan: &EventPlan) -> RoundList {
        let fits = |game: &String| wanted.game.as_ref().is_none_or(|wanted| wanted == game);
        let before = self.rounds.range(..wanted.before).rev().filter(|(_, round)| fits(&round.row.game));
        // One more tells whether there are older ones.
        let mut ids: Vec<RoundId> = before.take(wanted.limit + 1).map(|(id, _)| *id).collect();
        let more = ids.len() > wanted.limit;
        ids.truncate(wanted.limit);
        RoundList {
            older: ids.last().filter(|_| more).copied(),
            rounds: ids.into_iter().map(|id| self.view(id, plan)).collect(),
        }
    }
}

fn standing(state: RoundState) -> RoundStanding {
    match state {
        RoundState::Waiting => RoundStanding::RoundWaiting {},
        RoundState::Running => RoundStanding::RoundRunning {},
        RoundState::Paused => RoundStanding::RoundPaused {},
        RoundState::Over => RoundStanding::RoundOver {},
        RoundState::Cancelled => RoundStanding::RoundCancelled {},
    }
}

fn log(round: RoundId, events: Events, out: &mut Outcome) {
    out.changes.round_events.extend(events.into_iter().map(|(id, event)| (round, id, event)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::matches::tests::finished;
    use crate::hub::round::Entrant;
    use crate::hub::tests::event_plan;

    const PLAN: &str = "[[round]]\nname = 'a'\nevery = '5min'\n[[round]]\nname = 'b'\nstart = 'next'\n";
    const MINUTES: i64 = 60_000;

    struct Stand {
        plan: EventPlan,
        rounds: Rounds,
        out: Outcome,
        now: i64,
    }

    impl Stand {
        fn new() -> Stand {
            let (plan, mut out, now) = (event_plan(PLAN), Outcome::default(), 1_000_000);
            let mut rounds = Rounds::default();
            rounds.plan_missing(&plan.rounds, now, &mut out);
            Stand { plan, rounds, out, now }
        }

        fn begin(&mut self, id: RoundId, players: u32) {
            let entrant =
                |number: u32| Entrant { bot: BotId(number.into()), name: format!("p{number}"), elo: 1500.0 };
            let field: Vec<Entrant> = (1..=players).map(entrant).collect();
            let begun = Play::begin(&self.plan.rounds[0], &self.plan.games[0], &field, 7);
            let bots = field.iter().map(|entrant| entrant.bot).collect();
            self.rounds.begin(id, begun, bots, &self.plan.rounds, self.now, &mut self.out);
        }

        fn is_due(&self, id: RoundId) -> bool {
            let row = self.rounds.row(id);
            self.rounds.is_due(id, self.plan.rounds.get(row.planned), self.now)
        }

        /// Plays everything that waits; whoever sits first wins.
        fn play(&mut self, id: RoundId) {
            let at = Instant::now();
            let mut number = 0;
            while !self.rounds.advance(id, at, &mut self.out).unwrap() {
                let waiting = std::mem::take(&mut self.rounds.play_mut(id).unwrap().waiting);
                for (job, _) in waiting {
                    number += 1;
                    let won = Finished { number: job.number, players: job.players, ..finished(&[1, 2]) };
                    let points = self.rounds.finish(id, &won, MatchId(number), &mut self.out);
                    assert_eq!(points, Some(vec![1.0, 0.0]));
                }
            }
        }

        fn states(&self) -> Vec<(String, RoundState)> {
            let views = self.rounds.views(&self.plan).into_iter();
            views.map(|view| (view.name, view.state)).collect()
        }
    }

    fn named(states: &[(&str, RoundState)]) -> Vec<(String, RoundState)> {
        states.iter().map(|(name, state)| ((*name).to_owned(), *state)).collect()
    }

    #[test]
    fn a_start_that_is_over_is_told_until_the_round_begins() {
        let mut stand = Stand::new();
        let mut plan = stand.plan.rounds[0].clone();
        plan.start = Start::At(stand.now - MINUTES);
        stand.plan.rounds = vec![plan];
        stand.rounds = Rounds::default();
        stand.rounds.plan_missing(&stand.plan.rounds, stand.now, &mut stand.out);
        let missed = |stand: &Stand| stand.rounds.views(&stand.plan)[0].missed;
        stand.now += 5 * MINUTES;
        assert!(!stand.is_due(RoundId(1)), "it waits for an organiser");
        assert_eq!(missed(&stand), Some(stand.now - 6 * MINUTES));
        stand.begin(RoundId(1), 3);
        assert_eq!(missed(&stand), None);
    }

    #[test]
    fn a_round_begins_in_time_is_played_and_comes_again() {
        let (first, next) = (RoundId(1), RoundId(2));
        let mut stand = Stand::new();
        assert!(!stand.is_due(first) && !stand.is_due(next));
        stand.now += 5 * MINUTES;
        assert!(stand.is_due(first) && !stand.is_due(next), "the second follows the first");
        stand.begin(first, 3);
        assert!(stand.rounds.reserve("rps") && !stand.rounds.reserve("generals"));
        stand.play(first);
        let points: Points = stand.rounds.count().into_iter().fold(Points::ZERO, |sum, (_, more)| sum + more);
        assert_eq!(points, Points(6000), "a point for each match, and for each bye");
        assert_eq!(stand.rounds.count(), [], "counted once");
        assert_eq!(
            stand.rounds.end(first, &stand.plan.rounds, stand.now, &mut stand.out),
            [],
            "all are shown"
        );
        use RoundState::{Over, Waiting};
        assert_eq!(stand.states(), named(&[("a", Over), ("b", Waiting), ("a 2", Waiting)]));
        assert!(stand.is_due(next) && !stand.is_due(RoundId(3)));
        // Everything that happened is to be stored: rows, the round's log, and two lines for people.
        assert_eq!(stand.out.changes.log.len(), 2);
        assert!(stand.out.changes.rounds.len() >= 4 && stand.out.changes.round_events.len() >= 7);
    }

    #[test]
    fn a_round_without_enough_players_is_called_off_and_comes_again() {
        let mut stand = Stand::new();
        stand.begin(RoundId(1), 1);
        use RoundState::{Cancelled, Waiting};
        assert_eq!(stand.states(), named(&[("a", Cancelled), ("b", Waiting), ("a 2", Waiting)]));
        assert!(!stand.rounds.is_busy("rps"));
        assert!(
            stand.out.changes.log[0].1.starts_with("round a was called off: "),
            "{:?}",
            stand.out.changes.log
        );
    }

    #[test]
    fn organisers_pause_and_close_rounds_and_are_told_what_cannot_be_done() {
        let mut stand = Stand::new();
        let id = RoundId(1);
        let control = |stand: &mut Stand, control: Control| {
            stand.rounds.control(Some(AccountId(9)), id, control, stand.now, &mut stand.out)
        };
        assert!(control(&mut stand, Control::Pause).unwrap_err().to_string().contains("round a is waiting"));
        stand.begin(id, 3);
        control(&mut stand, Control::Pause).unwrap();
        assert!(stand.rounds.is_busy("rps") && !stand.rounds.reserve("rps"));
        control(&mut stand, Control::Resume).unwrap();
        control(&mut stand, Control::Close).unwrap();
        assert!(!stand.rounds.is_open(id));
        assert_eq!(stand.out.changes.log.last().unwrap().0, Some(AccountId(9)));
        let missing = stand.rounds.control(None, RoundId(99), Control::Start, 0, &mut stand.out);
        assert_eq!(missing, Err(Refused(Trouble::NoRound { round: 99 })));
    }

    #[test]
    fn a_match_that_is_voided_takes_its_points_along_and_one_that_is_played_again_opens_the_round() {
        let mut stand = Stand::new();
        let id = RoundId(1);
        stand.begin(id, 2);
        stand.play(id);
        stand.rounds.end(id, &stand.plan.rounds, stand.now, &mut stand.out);
        stand.rounds.count();
        let number = 1;
        let correct = |stand: &mut Stand, number: MatchId, correction: Event| {
            stand.rounds.correct(id, number, correction, &mut stand.out)
        };
        let void = Event::Voided { number, why: "a test".to_owned() };
        assert!(
            correct(&mut stand, MatchId(77), void.clone()).unwrap_err().to_string().contains("later match")
        );
        correct(&mut stand, MatchId(1), void).unwrap();
        let lost: Points = stand.rounds.count().into_iter().fold(Points::ZERO, |sum, (_, more)| sum + more);
        assert_eq!((lost, stand.rounds.is_open(id)), (Points(-1000), false));
        correct(&mut stand, MatchId(1), Event::Rerun { number }).unwrap();
        assert!(stand.rounds.is_open(id));
        assert!(!stand.rounds.advance(id, Instant::now(), &mut stand.out).unwrap());
    }
}
