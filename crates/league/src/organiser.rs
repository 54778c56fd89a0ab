//! Plays a tournament: hands its matches to the workers of a hall and puts down what they bring.

use crate::bundle::Packed;
use crate::event::{Event, Finished};
use crate::hall::Director;
use crate::journal::{Batch, Journal};
use crate::referee::Verdict;
use crate::store::Store;
use crate::tournament::{Job, Tournament, TournamentError};
use palestra_runner::Interrupt;
use std::mem;

/// What somebody who looks on is told.
pub trait Audience {
    /// A match is over.
    fn result(&mut self, tournament: &Tournament, finished: &Finished, again: bool);
    /// A match could not be played.
    fn failed(&mut self, tournament: &Tournament, job: &Job, why: &str);
    /// Called every moment.
    fn moment(&mut self, tournament: &Tournament, running: usize);
}

/// A tournament, its log, and who looks on.
pub struct Organiser<'a> {
    /// As it stands.
    pub tournament: Tournament,
    /// Where it is kept.
    pub store: Store,
    /// Writes down what happens.
    pub journal: Journal,
    /// What happened since the last moment.
    pub batch: Batch,
    /// Stops it.
    pub interrupt: &'a Interrupt,
    /// Who looks on.
    pub audience: &'a mut dyn Audience,
}

impl Director for Organiser<'_> {
    type Job = Job;
    type Report = Verdict;
    type Error = TournamentError;

    fn next(&mut self, room: usize) -> Result<Vec<Job>, TournamentError> {
        let mut drawn = Vec::new();
        let jobs = self.tournament.next(&mut self.store, &mut drawn, room)?;
        self.batch.extend(drawn);
        self.batch.extend(jobs.iter().map(|job| Event::Started {
            number: job.number,
            players: job.players.clone(),
            worker: "local".to_owned(),
        }));
        Ok(jobs)
    }

    fn done(&mut self, job: Job, report: Result<Verdict, String>) -> Result<(), TournamentError> {
        let failed = match report {
            Ok(Verdict::Interrupted) => return Ok(()),
            Ok(Verdict::Tainted(finished, replay)) if job.tainted < self.tournament.cup().retries => {
                self.audience.result(&self.tournament, &finished, true);
                self.batch.push_played(Event::Tainted(finished), replay);
                self.tournament.taint(&job);
                return Ok(());
            }
            Ok(Verdict::Tainted(finished, replay)) => {
                self.finish(Finished { tainted: true, ..finished }, replay);
                return Ok(());
            }
            Ok(Verdict::Played(finished, replay)) => {
                self.finish(finished, replay);
                return Ok(());
            }
            Ok(Verdict::Failed(why)) => why,
            Err(panic) => format!("the game came to a halt: {panic}"),
        };
        self.audience.failed(&self.tournament, &job, &failed);
        self.batch.push(Event::Failed {
            number: job.number,
            players: job.players.clone(),
            why: failed.clone(),
        });
        self.tournament.fail(&job, failed);
        Ok(())
    }

    fn moment(&mut self, running: usize) -> Result<(), TournamentError> {
        self.journal.append(mem::take(&mut self.batch))?;
        self.audience.moment(&self.tournament, running);
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.interrupt.raised()
    }
}

impl Organiser<'_> {
    fn finish(&mut self, finished: Finished, replay: Option<Packed>) {
        self.audience.result(&self.tournament, &finished, false);
        self.tournament.finish(&finished);
        self.batch.push_played(Event::Finished(finished), replay);
    }
}
