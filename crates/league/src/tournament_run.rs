//! Plays a tournament: hands its matches to the worker pool and logs the results.

use crate::bundle::Packed;
use crate::event::{Event, Finished};
use crate::log_writer::{Batch, LogWriter};
use crate::match_runner::MatchOutcome;
use crate::store::Store;
use crate::tournament::{Job, Tournament, TournamentError};
use crate::worker_pool::Scheduler;
use palestra_runner::Interrupt;
use std::mem;

/// What somebody who looks on is told.
pub trait TournamentObserver {
    /// A match is over.
    fn result(&mut self, tournament: &Tournament, finished: &Finished, again: bool);
    /// A match could not be played.
    fn failed(&mut self, tournament: &Tournament, job: &Job, why: &str);
    /// Called at every tick of the worker pool.
    fn tick(&mut self, tournament: &Tournament, running: usize);
}

/// A tournament, its log, and who looks on.
pub struct TournamentRun<'a> {
    /// As it stands.
    pub tournament: Tournament,
    /// Where it is kept.
    pub store: Store,
    /// Writes down what happens.
    pub log_writer: LogWriter,
    /// What happened since the last tick.
    pub batch: Batch,
    /// Raised by whoever wants it to stop.
    pub interrupt: &'a Interrupt,
    /// Who looks on.
    pub observer: &'a mut dyn TournamentObserver,
}

impl Scheduler for TournamentRun<'_> {
    type Job = Job;
    type Report = MatchOutcome;
    type Error = TournamentError;

    fn next(&mut self, room: usize) -> Result<Vec<Job>, TournamentError> {
        let mut drawn = Vec::new();
        let jobs = self.tournament.next(&mut self.store, &mut drawn, room)?;
        self.batch.extend(drawn);
        self.batch.extend(
            jobs.iter().map(|job| Event::Started { number: job.number, players: job.players.clone() }),
        );
        Ok(jobs)
    }

    fn done(&mut self, job: Job, report: Result<MatchOutcome, String>) -> Result<(), TournamentError> {
        let failed = match report {
            Ok(MatchOutcome::Interrupted) => return Ok(()),
            Ok(MatchOutcome::Tainted(finished, replay)) if job.tainted < self.tournament.plan().retries => {
                self.observer.result(&self.tournament, &finished, true);
                self.batch.push_played(Event::Tainted(finished), replay);
                self.tournament.taint(&job);
                return Ok(());
            }
            Ok(MatchOutcome::Tainted(finished, replay)) => {
                self.finish(Finished { tainted: true, ..finished }, replay);
                return Ok(());
            }
            Ok(MatchOutcome::Played(finished, replay)) => {
                self.finish(finished, replay);
                return Ok(());
            }
            Ok(MatchOutcome::Failed(why)) => why,
            Err(panic) => format!("the game came to a halt: {panic}"),
        };
        self.observer.failed(&self.tournament, &job, &failed);
        self.batch.push(Event::Failed {
            number: job.number,
            players: job.players.clone(),
            why: failed.clone(),
        });
        self.tournament.fail(&job, failed);
        Ok(())
    }

    fn tick(&mut self, running: usize) -> Result<(), TournamentError> {
        self.log_writer.append(mem::take(&mut self.batch))?;
        self.observer.tick(&self.tournament, running);
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.interrupt.raised()
    }
}

impl TournamentRun<'_> {
    fn finish(&mut self, finished: Finished, replay: Option<Packed>) {
        self.observer.result(&self.tournament, &finished, false);
        self.tournament.finish(&finished);
        self.batch.push_played(Event::Finished(finished), replay);
    }
}
