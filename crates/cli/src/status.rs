//! What is told while a field plays: how it stands, the last results, and what went wrong.

use crate::live::{Live, Snapshot};
use crate::report::{counted, score};
use palestra_core::{Catalog, Info};
use palestra_league::duel::DuelReport;
use palestra_league::event::Finished;
use palestra_league::ladder::Ladder;
use palestra_league::overview::{Progress, Standing};
use palestra_league::tournament::{Job, Tournament};
use palestra_league::tournament_run::TournamentObserver;
use palestra_queue::Dispatcher;
use std::collections::VecDeque;
use std::time::Instant;

/// Results that are kept to be shown.
const RESULTS: usize = 8;
/// Lines of the table that are made ready; a terminal shows as many as fit.
const TABLE: usize = 20;

/// Tells how a field plays.
pub(crate) struct StatusDisplay<'q> {
    live: Live,
    quiet: bool,
    /// Where other machines play, if some do.
    queue: Option<&'q Dispatcher>,
    start: Instant,
    /// Matches played since then.
    played: u64,
    results: VecDeque<String>,
    faults: u64,
    english: Catalog,
}

impl<'q> StatusDisplay<'q> {
    pub(crate) fn new(
        game: &Info,
        title: &str,
        quiet: bool,
        queue: Option<&'q Dispatcher>,
    ) -> StatusDisplay<'q> {
        StatusDisplay {
            live: Live::new(title, quiet),
            quiet,
            queue,
            start: Instant::now(),
            played: 0,
            results: VecDeque::new(),
            faults: 0,
            english: Catalog::english(game),
        }
    }

    pub(crate) fn result(&mut self, finished: &Finished, name: impl Fn(usize) -> String) {
        self.played += 1;
        self.faults += finished.faults.len() as u64;
        let mut seats: Vec<usize> = (0..finished.players.len()).collect();
        seats.sort_by_key(|seat| finished.places[*seat]);
        let best = finished.places.iter().filter(|place| **place == 1).count();
        let names: Vec<String> = seats.iter().map(|seat| name(finished.players[*seat].0 as usize)).collect();
        let (winners, others) = names.split_at(best);
        let text = match others {
            [] => format!("{} draw", winners.join(" and ")),
            others => format!("{} beat {}", winners.join(" and "), others.join(", ")),
        };
        let fault = finished.faults.first().map(|fault| {
            format!(
                "; {}: {}",
                name(finished.players[usize::from(fault.seat)].0 as usize),
                self.english.say(&fault.what)
            )
        });
        self.results.push_back(format!("{}: {text}{}", finished.number, fault.unwrap_or_default()));
        if self.results.len() > RESULTS {
            self.results.pop_front();
        }
    }

    /// What there is to tell about workers on other machines.
    fn tell_of_workers(&self) {
        let notices = self.queue.map(Dispatcher::notices).unwrap_or_default();
        for notice in notices.into_iter().filter(|notice| !self.quiet || notice.is_trouble()) {
            self.live.log(&notice.to_string());
        }
    }

    /// Something that should stay to be read.
    pub(crate) fn say(&self, text: &str) {
        self.live.log(text);
    }

    /// Shows how it stands; the standings are only asked for if they are shown.
    pub(crate) fn show(
        &mut self,
        progress: Progress,
        endless: bool,
        standings: impl FnOnce() -> Vec<Standing>,
        name: impl Fn(usize) -> String,
    ) {
        self.tell_of_workers();
        if !self.live.due() {
            return;
        }
        let standings = standings();
        let mut table = vec![["", "bot", "points", "played", "won", "lost"].map(str::to_owned).to_vec()];
        table.extend(standings.iter().take(TABLE).map(|line| {
            let counts = [line.played, line.won, line.lost].map(|count| count.to_string());
            let mut row = vec![line.place.to_string(), name(line.bot), score(line.points)];
            row.extend(counts);
            row
        }));
        self.live.update(&Snapshot {
            done: progress.finished,
            total: (!endless).then_some(progress.planned),
            rate: self.rate(),
            first: standings.first().map(|line| format!("{} {}", name(line.bot), score(line.points))),
            table,
            results: self.results.iter().cloned().collect(),
            faults: (self.faults > 0).then(|| counted(self.faults, "fault")),
        });
    }

    /// Shows how a duel stands.
    pub(crate) fn show_duel(&mut self, report: &DuelReport) {
        self.tell_of_workers();
        if !self.live.due() {
            return;
        }
        self.played = report.games;
        let head = ["", "", "Elo", "from", "to", "evidence", "of"].map(str::to_owned).to_vec();
        let number = |value: f64| format!("{value:+.0}");
        let (low, high) = report.bounds;
        let row = vec![
            String::new(),
            format!("{} won, {} drawn, {} lost", report.wins, report.draws, report.losses),
            number(report.elo.value),
            number(report.elo.low),
            number(report.elo.high),
            format!("{:.2}", report.llr),
            format!("{low:.2} to {high:.2}"),
        ];
        self.live.update(&Snapshot {
            done: report.games,
            total: None,
            rate: self.rate(),
            first: Some(format!("{} Elo, evidence {:.2}", number(report.elo.value), report.llr)),
            table: vec![head, row],
            ..Snapshot::default()
        });
    }

    /// Takes the picture away.
    pub(crate) fn finish(self) {
        self.tell_of_workers();
        self.live.finish();
    }

    fn rate(&self) -> f64 {
        self.played as f64 / self.start.elapsed().as_secs_f64().max(0.001)
    }
}

impl TournamentObserver for StatusDisplay<'_> {
    fn result(&mut self, tournament: &Tournament, finished: &Finished, again: bool) {
        if again {
            let number = finished.number;
            self.say(&format!(
                "match {number} is played again: a bot ran out of time while this machine was busy"
            ));
            return;
        }
        StatusDisplay::result(self, finished, |bot| tournament.bots()[bot].name.clone());
    }

    fn failed(&mut self, _: &Tournament, job: &Job, why: &str) {
        self.say(&format!("match {} was not played: {why}", job.number));
    }

    fn tick(&mut self, tournament: &Tournament, _: usize) {
        let name = |bot: usize| tournament.bots()[bot].name.clone();
        self.show(tournament.progress(), false, || tournament.standings(), name);
    }
}

/// Tells how a ladder goes.
pub(crate) fn show_ladder(status: &mut StatusDisplay<'_>, ladder: &Ladder) {
    let name = |bot: usize| ladder.entries()[bot].name.clone();
    status.show(ladder.progress(), true, || ladder.standings(), name);
}
