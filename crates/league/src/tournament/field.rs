//! Who takes part from when on: bots that join and leave.

use super::{Tournament, TournamentError, ranges};
use crate::event::StageRound;
use crate::log::Log;
use crate::pairing::{BotNumber, PairingError};
use crate::plan::check_name;
use crate::stage::StageRun;

impl Tournament {
    /// The next round that has not been drawn: from there on, bots come and go.
    pub(crate) fn next_place(&self) -> StageRound {
        let Some(stage) = self.stages.last() else {
            return StageRound { stage: 0, round: 1 };
        };
        if stage.over() {
            return StageRound { stage: stage.index + 1, round: 1 };
        }
        self.next_round(stage)
    }

    fn next_round(&self, stage: &StageRun) -> StageRound {
        // The log may be ahead of what has been looked at.
        let logged = self.past.rounds.get(&stage.index).copied().unwrap_or(0);
        StageRound { stage: stage.index, round: logged.max(stage.drawn) + 1 }
    }

    /// From when on somebody is not paired who leaves now: the first round of which nothing has been played, and is drawn
    /// again. What is missing of the rounds before is not played.
    pub fn leaving_place(&self, store: &mut dyn Log) -> Result<StageRound, TournamentError> {
        let mut place = self.next_place();
        let Some(stage) = self.stages.last().filter(|stage| stage.index == place.stage) else {
            return Ok(place);
        };
        while place.round > stage.drawn + 1 {
            // After a correction the log may be ahead; what it has there may still count.
            let before = StageRound { round: place.round - 1, ..place };
            let meetings = self.past.drawn.get(&before).and_then(|drawings| drawings.last());
            for (first, end) in ranges(meetings.into_iter().flatten()) {
                if !store.outcomes(first, end - 1)?.is_empty() {
                    return Ok(place);
                }
            }
            place = before;
        }
        Ok(StageRound { round: stage.first_untouched(), ..place })
    }

    /// How many matches of rounds that were drawn are not played because this bot was dropped.
    pub fn missed_by(&self, player: BotNumber) -> u32 {
        self.missed.get(&player).copied().unwrap_or(0)
    }

    /// Somebody new: from when on it takes part, or why it cannot. It does when the log says so and is opened again: this
    /// tournament is of no further use.
    pub fn welcome(&mut self, name: &str) -> Result<(BotNumber, StageRound), TournamentError> {
        check_name(name).map_err(TournamentError::Unfit)?;
        if self.bots.iter().any(|bot| bot.name == name) {
            return Err(TournamentError::Unfit(format!(
                "\"{name}\" already takes part; choose another name, or use replace-bot"
            )));
        }
        let player = BotNumber(self.bots.len() as u32);
        let place = self.next_place();
        if place.stage as usize >= self.plan.stages.len() {
            return self.welcome_after_the_end(player);
        }
        let stage = self.stages.last_mut().filter(|stage| stage.index == place.stage);
        match stage.map(|stage| stage.join(player)) {
            None | Some(Ok(())) => Ok((player, place)),
            // A stage that takes nobody in: the next one may.
            Some(Err(PairingError::Begun)) if (place.stage as usize) + 1 < self.plan.stages.len() => {
                Ok((player, StageRound { stage: place.stage + 1, round: 1 }))
            }
            Some(Err(error)) => {
                let stage = self.plan.stages[place.stage as usize].name.clone();
                Err(TournamentError::Pairing { stage, error })
            }
        }
    }

    /// Where everybody meets everybody, whoever comes after the end has all its matches still to play.
    fn welcome_after_the_end(
        &mut self,
        player: BotNumber,
    ) -> Result<(BotNumber, StageRound), TournamentError> {
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
}
