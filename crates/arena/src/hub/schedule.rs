//! What can begin at this moment: scored rounds and their matches first, then free matches, then the ladder and challenges
//! in turn.

use super::event::{Event, Proposal};
use super::matches::{Participant, Running, Source};
use super::matchmaking::Pairing;
use super::outcome::Outcome;
use super::round::Play;
use super::{Refused, Ticket};
use crate::api::{Control, EventState, MatchKind, RoundState};
use crate::ids::{AccountId, BotId, RoundId};
use crate::limits;
use crate::store::now;
use crate::trouble::Trouble;
use palestra_league::rating::matchmaking::choose;
use palestra_league::rating::openskill::OpenSkillSettings;
use palestra_league::tournament::Job;
use std::time::{Duration, Instant};

/// What this machine and the workers have room for.
#[derive(Clone, Copy, Default)]
pub(super) struct Capacity {
    /// Matches of programs that could begin at once.
    pub(super) programs: usize,
    /// Those of them on this machine.
    pub(super) here: usize,
    /// Matches of programs that are played side by side.
    pub(super) places: usize,
    /// Those of them on this machine.
    pub(super) places_here: usize,
    /// Whether there is a queue for workers.
    pub(super) workers: bool,
    /// Whether suspects are being tried, alone.
    pub(super) quarantine: bool,
}

/// Whether somebody can play now.
enum Ready {
    Yes(Participant),
    /// Busy, or there is no room for its program.
    Later,
    Absent(Participant),
}

impl Event {
    /// Begins whatever can.
    pub(super) fn schedule(
        &mut self,
        capacity: Capacity,
        at: Instant,
        out: &mut Outcome,
    ) -> Result<(), String> {
        if self.state != EventState::Open {
            return Ok(());
        }
        self.programs.set_room(capacity);
        // A round that follows another one begins before any other match can; one that repeats itself waits its turn.
        for _ in 0..=self.plan.rounds.len() {
            if !self.advance_rounds(capacity, at, out)? {
                break;
            }
        }
        self.give_way(capacity, out);
        if self.matches.running.len() < limits::MATCHES {
            self.begin_free_matches(at, out);
            // Challenges and the ladder take turns where there is room for one of them only.
            let first = self.challenge_first && self.begin_challenge_match(capacity, out);
            let starting = out.starting();
            self.begin_ladder_matches(capacity, at, out);
            let second = !first && self.begin_challenge_match(capacity, out);
            self.challenge_first = match (first || second, out.starting() > starting) {
                (true, _) => false,
                (false, true) => true,
                (false, false) => self.challenge_first,
            };
        }
        Ok(())
    }

    /// Begins the rounds that are due and the matches of those that run; whether a round has ended by that.
    fn advance_rounds(&mut self, capacity: Capacity, at: Instant, out: &mut Outcome) -> Result<bool, String> {
        let open = self.rounds.open();
        for id in &open {
            let plan = self.plan.rounds.get(self.rounds.row(*id).planned);
            if self.rounds.is_due(*id, plan, now()) {
                self.begin_round(*id, out);
            }
        }
        let mut ended = false;
        for id in open {
            if self.rounds.row(id).state == RoundState::Running {
                self.play_round(id, capacity, at, out)?;
                ended |= !self.rounds.is_open(id);
            }
        }
        Ok(ended)
    }

    fn begin_round(&mut self, id: RoundId, out: &mut Outcome) {
        self.count_points();
        let row = self.rounds.row(id);
        let plan = self.plan.rounds.get(row.planned).zip(self.plan.game(&row.game));
        let (best, with_house) = plan.map_or((None, false), |(plan, game)| (plan.best, game.house_in_rounds));
        let field = self.roster.field(&row.game, best, with_house);
        let begun = match plan {
            Some((plan, game)) => Play::begin(plan, game, &field, self.seed_of(id)),
            None => Err("the plan does not have it any more".to_owned()),
        };
        let bots = field.iter().map(|entrant| entrant.bot).collect();
        self.rounds.begin(id, begun, bots, &self.plan.rounds, now(), out);
    }

    pub(super) fn control_round(
        &mut self,
        who: Option<AccountId>,
        id: RoundId,
        control: Control,
        out: &mut Outcome,
    ) -> Result<(), Refused> {
        let waits = self.rounds.get(id).filter(|round| round.row.state == RoundState::Waiting);
        let Some(round) = waits.filter(|_| control == Control::Start) else {
            return self.rounds.control(who, id, control, now(), out);
        };
        if self.rounds.is_busy(&round.row.game) {
            return Err(Refused(Trouble::RoundGoesOn {}));
        }
        let text = format!("started round {}", round.row.name);
        self.begin_round(id, out);
        out.changes.log.push((who, text));
        Ok(())
    }

    /// Starts the matches of a round that can be played, and ends it after the last.
    fn play_round(
        &mut self,
        id: RoundId,
        capacity: Capacity,
        at: Instant,
        out: &mut Outcome,
    ) -> Result<(), String> {
        if self.rounds.advance(id, at, out)? {
            for old in self.rounds.end(id, &self.plan.rounds, now(), out) {
                self.put_away(old);
            }
            return Ok(());
        }
        let Some(play) = self.rounds.play_mut(id) else { return Ok(()) };
        let mut kept = Vec::new();
        for (job, mut since) in std::mem::take(&mut play.waiting) {
            let seats = self.seats_of(id, &job, capacity, out);
            let later = seats.iter().any(|seat| matches!(seat, Ready::Later));
            let absent: Vec<bool> = seats.iter().map(|seat| matches!(seat, Ready::Absent(_))).collect();
            // Nobody is waited for while somebody else is busy.
            if later {
                since = at;
            }
            let patient = absent.contains(&true) && at.duration_since(since) < self.plan.grace;
            if later || patient {
                kept.push((job, since));
                continue;
            }
            let seats = seats.into_iter().filter_map(|seat| match seat {
                Ready::Yes(participant) | Ready::Absent(participant) => Some(participant),
                Ready::Later => None,
            });
            let proposal = Proposal {
                game: self.rounds.row(id).game.clone(),
                kind: MatchKind::Scored,
                seats: seats.collect(),
                round: Some((id, job.clone())),
                apart: None,
            };
            if absent.contains(&true) {
                self.forfeit(proposal, &absent, out);
                continue;
            }
            let number = self.begin(proposal, out);
            if let Some(play) = self.rounds.play_mut(id) {
                play.in_flight.insert(job.number, number);
            }
        }
        if let Some(play) = self.rounds.play_mut(id) {
            play.waiting.extend(kept);
        }
        Ok(())
    }

    /// Who plays a scored match: the connected client, else what was handed in.
    fn seats_of(&self, round: RoundId, job: &Job, capacity: Capacity, out: &Outcome) -> Vec<Ready> {
        let row = self.rounds.row(round);
        let room = self.room(capacity, out);
        let nothing = || Source::BuiltIn(String::new());
        let seat = |bot: BotId| {
            let Some(entry) = self.roster.bots.get(&bot) else {
                return Ready::Absent(self.roster.participant(bot, nothing()));
            };
            match (self.clients.of(entry.row.player, &row.game), self.roster.source(bot)) {
                (Some((_, false)), _) => Ready::Later,
                (Some((ticket, true)), _) => Ready::Yes(self.roster.participant(bot, Source::Client(ticket))),
                (None, Some(source @ Source::Version(..))) if !entry.broken => match room {
                    0 => Ready::Later,
                    _ => Ready::Yes(self.roster.participant(bot, source)),
                },
                (None, Some(source @ Source::BuiltIn(_))) => Ready::Yes(self.roster.participant(bot, source)),
                (None, _) => Ready::Absent(self.roster.participant(bot, nothing())),
            }
        };
        job.players.iter().map(|player| seat(row.bots[player.0 as usize])).collect()
    }

    /// How many matches of programs can begin now. While some program may have killed the arena, one at a time.
    pub(super) fn room(&self, capacity: Capacity, out: &Outcome) -> usize {
        let games = self.plan.games.iter().map(|game| game.tournament.game.as_str());
        match capacity.quarantine || self.programs.wait(&self.roster, games) {
            true => 0,
            false => capacity.programs.saturating_sub(out.starting()),
        }
    }

    fn begin_free_matches(&mut self, at: Instant, out: &mut Outcome) {
        for index in 0..self.plan.games.len() {
            let game = self.plan.games[index].tournament.game.clone();
            if self.rounds.reserve(&game) {
                continue;
            }
            let pairings = self.clients.pairings(&game, at, self.plan.bot_after, |bot| self.roster.elo(bot));
            for pairing in pairings {
                self.begin_pairing(&game, pairing, out);
            }
        }
    }

    fn begin_pairing(&mut self, game: &str, pairing: Pairing, out: &mut Outcome) {
        let client =
            |ticket: Ticket| self.roster.participant(self.clients.bot_of(ticket), Source::Client(ticket));
        let (kind, mut seats) = match pairing {
            Pairing::Two(one, other) => (MatchKind::Free, vec![client(one), client(other)]),
            Pairing::Practice(ticket) => {
                let bot = &self.plan.game(game).expect("a game of the event").bot;
                (MatchKind::Practice, vec![client(ticket), Participant::built_in(bot)])
            }
        };
        self.rng.shuffle(&mut seats);
        self.begin(Proposal { game: game.to_owned(), kind, seats, round: None, apart: None }, out);
    }

    fn begin_ladder_matches(&mut self, capacity: Capacity, at: Instant, out: &mut Outcome) {
        for index in 0..self.plan.games.len() {
            let plan = &self.plan.games[index];
            let game = plan.tournament.game.clone();
            let since = self.last_ladder.get(&game).map_or(Duration::MAX, |last| at.duration_since(*last));
            if since < plan.pause || self.rounds.reserve(&game) {
                continue;
            }
            let seats = usize::from(*self.rng.pick(&plan.seats).expect("a match has some seats"));
            let (mut candidates, tally) = self.roster.candidates(&game);
            if self.room(capacity, out) == 0 {
                let built_in = |bot: usize| self.roster.bots[&BotId(bot as i64)].row.built_in.is_some();
                candidates.retain(|candidate| built_in(candidate.bot));
            }
            let candidates = self.programs.keep_apart(&self.roster, candidates, seats);
            let settings = OpenSkillSettings::default();
            let chosen = choose(&candidates, seats, &settings, tally, &mut self.rng);
            let participant = |bot: &usize| {
                let bot = BotId(*bot as i64);
                Some(self.roster.participant(bot, self.roster.source(bot)?))
            };
            let seats: Option<Vec<Participant>> = chosen.iter().map(participant).collect();
            let Some(seats) = seats.filter(|seats| !seats.is_empty()) else {
                continue;
            };
            // Built-in players alone would keep the machine busy for nothing but to look at.
            let of_built_ins = seats.iter().all(|seat| matches!(seat.source, Source::BuiltIn(_)));
            let is_shown = |running: &&Running| {
                running.game == game && running.kind == MatchKind::Ladder && running.is_of_built_ins()
            };
            let shown = self.matches.running.values().filter(is_shown).count();
            if of_built_ins && (shown >= limits::HOUSE_MATCHES || since < limits::HOUSE_PAUSE) {
                continue;
            }
            self.last_ladder.insert(game.clone(), at);
            self.begin(Proposal { game, kind: MatchKind::Ladder, seats, round: None, apart: None }, out);
        }
    }
}
