//! What can begin at this moment: scored rounds and their matches first, then free matches, then the ladder.

use super::desk::{Client, Desk};
use super::lobby::{Pairing, Waiting, pair};
use super::matches::{By, Pick, Taken};
use super::rounds::{Entrant, Play, Round};
use super::{Refused, Ticket};
use crate::api::{Control, EventState, MatchKind, RoundState};
use crate::ids::{BotId, PlayerId, RoundId};
use crate::limits;
use crate::plan::Start;
use crate::store::{RoundRow, StoreError, now};
use palestra_league::rating::matchmaking::choose;
use palestra_league::rating::openskill::OpenSkillSettings;
use palestra_league::tournament::Job;
use std::time::{Duration, Instant};

/// Whether somebody can play now.
enum Ready {
    Yes(Taken),
    /// Busy, or there is no room for its program.
    Later,
    Absent(Taken),
}

impl Desk {
    /// Rounds that the store knows, and those that the plan has beside.
    pub(super) async fn load_rounds(&mut self) -> Result<(), StoreError> {
        for row in self.store.rounds().await? {
            let id = row.id;
            let round = Round::new(row, self.load_play(id).await?);
            if round.is_open() {
                self.open_rounds.insert(id);
            }
            self.rounds.insert(id, round);
            self.uncounted.insert(id);
            self.put_away(id);
        }
        for index in 0..self.plan.rounds.len() {
            if !self.rounds.values().any(|round| round.row.planned == index) {
                self.plan_round(index);
            }
        }
        Ok(())
    }

    /// A round as the store has it, if it has begun.
    async fn load_play(&mut self, id: RoundId) -> Result<Option<Play>, StoreError> {
        let events = self.store.round_events(id).await?;
        if events.is_empty() {
            return Ok(None);
        }
        let matches = self.store.round_matches(id).await?.into_iter().collect();
        let (play, added) = Play::reopen(events, matches).map_err(StoreError::Damaged)?;
        self.log_round(id, added);
        Ok(Some(play))
    }

    /// Lets a round be looked at and corrected, however long it is over.
    pub(super) async fn take_out(&mut self, id: RoundId) -> Result<(), StoreError> {
        if self.rounds.get(&id).is_some_and(Round::is_away)
            && let Some(play) = self.load_play(id).await?
            && let Some(round) = self.rounds.get_mut(&id)
        {
            round.take_out(play);
        }
        Ok(())
    }

    /// Keeps only what lists show of a round, if it is over.
    fn put_away(&mut self, id: RoundId) {
        self.count_points();
        if let Some(round) = self.rounds.get_mut(&id) {
            round.put_away(self.plan.rounds.get(round.row.planned));
        }
    }

    /// Adds a round of the plan; a repeated one once more.
    fn plan_round(&mut self, planned: usize) {
        let plan = &self.plan.rounds[planned];
        let starts = match plan.start {
            Start::ByHand | Start::Next => None,
            // A time that was over before the event began is not made up for by itself.
            Start::At(time) => Some(time).filter(|time| *time > now()),
            Start::Every(pause) => Some(now() + pause.as_millis() as i64),
        };
        let again = self.rounds.values().filter(|round| round.row.planned == planned).count();
        let name = if again == 0 { plan.name.clone() } else { format!("{} {}", plan.name, again + 1) };
        let id = self.rounds.keys().next_back().map_or(RoundId(1), |last| RoundId(last.0 + 1));
        let state = RoundState::Waiting;
        let row = RoundRow {
            id,
            planned,
            name,
            game: plan.game.clone(),
            state,
            starts,
            ended: None,
            bots: Vec::new(),
        };
        self.rounds.insert(id, Round::new(row, None));
        self.keep_round(id);
    }

    /// Has a round stored and shown as it stands now.
    pub(super) fn keep_round(&mut self, id: RoundId) {
        let round = &self.rounds[&id];
        self.changes.rounds.push(round.row.clone());
        match round.is_open() {
            true => self.open_rounds.insert(id),
            false => self.open_rounds.remove(&id),
        };
        self.dirty = true;
    }

    /// The rounds that go on or are to come.
    pub(super) fn open_rounds(&self) -> impl Iterator<Item = &Round> {
        self.open_rounds.iter().map(|id| &self.rounds[id])
    }

    fn is_busy(&self, game: &str) -> bool {
        self.open_rounds().any(|round| round.row.game == game && round.is_running())
    }

    /// Begins whatever can.
    pub(super) fn schedule(&mut self) -> Result<(), String> {
        if self.state != EventState::Open {
            return Ok(());
        }
        // A round that follows another one begins before any other match can; one that repeats itself waits its turn.
        for _ in 0..=self.plan.rounds.len() {
            if !self.advance_rounds()? {
                break;
            }
        }
        if self.running.len() < limits::MATCHES {
            self.begin_free_matches();
            self.begin_ladder_matches();
        }
        Ok(())
    }

    /// Begins the rounds that are due and the matches of those that run; whether a round has ended by that.
    fn advance_rounds(&mut self) -> Result<bool, String> {
        let ids: Vec<RoundId> = self.open_rounds.iter().copied().collect();
        for id in &ids {
            self.begin_round_if_due(*id);
        }
        let mut ended = false;
        for id in ids {
            if self.rounds[&id].row.state == RoundState::Running {
                self.play_round(id)?;
                ended |= !self.rounds[&id].is_open();
            }
        }
        Ok(ended)
    }

    fn begin_round_if_due(&mut self, id: RoundId) {
        let round = &self.rounds[&id];
        if round.row.state != RoundState::Waiting {
            return;
        }
        let follows = self.plan.rounds.get(round.row.planned).is_some_and(|plan| plan.start == Start::Next)
            && self
                .rounds
                .range(..id)
                .next_back()
                .is_some_and(|(_, before)| before.row.state == RoundState::Over);
        let due = follows || round.row.starts.is_some_and(|starts| starts <= now());
        if due && !self.is_busy(&round.row.game) {
            self.begin_round(id);
        }
    }

    fn begin_round(&mut self, id: RoundId) {
        self.count_points();
        let round = &self.rounds[&id];
        let (planned, game) = (round.row.planned, round.row.game.clone());
        let plan = self.plan.rounds.get(planned).zip(self.plan.game(&game));
        let best = plan.and_then(|(plan, _)| plan.best).map_or(usize::MAX, |best| best as usize);
        // Whoever has ever logged in, played or handed something in for this game has a bot.
        let takes_part = |bot: &&super::roster::Entry| {
            self.roster.players.get(&bot.row.player).is_none_or(|account| !account.banned)
        };
        let field: Vec<Entrant> = self
            .roster
            .ranking(&game)
            .into_iter()
            .filter(takes_part)
            .take(best)
            .map(|bot| Entrant { bot: bot.row.id, name: self.roster.name(bot.row.player), elo: bot.row.elo })
            .collect();
        let seed = self.seeds.of_round(id);
        let begun = match plan {
            Some((plan, game)) => Play::begin(plan, game, &field, seed),
            None => Err("the plan does not have it any more".to_owned()),
        };
        let round = self.rounds.get_mut(&id).expect("it is there");
        round.row.starts = Some(round.row.starts.unwrap_or_else(now));
        let text = match begun {
            Ok((play, events)) => {
                round.row.state = RoundState::Running;
                round.row.bots = field.iter().map(|entrant| entrant.bot).collect();
                round.play = Some(play);
                self.uncounted.insert(id);
                self.changes
                    .round_events
                    .extend(events.into_iter().map(|(number, event)| (id, number, event)));
                format!("round {} began with {} players", round.row.name, field.len())
            }
            Err(why) => {
                (round.row.state, round.row.ended) = (RoundState::Cancelled, Some(now()));
                format!("round {} was called off: {why}", round.row.name)
            }
        };
        let cancelled = round.row.state == RoundState::Cancelled;
        self.keep_round(id);
        self.changes.log.push((None, text));
        if cancelled {
            self.repeat_round(planned);
        }
    }

    fn repeat_round(&mut self, planned: usize) {
        if matches!(self.plan.rounds.get(planned).map(|plan| plan.start), Some(Start::Every(_))) {
            self.plan_round(planned);
        }
    }

    /// Starts the matches of a round that can be played, and ends it after the last.
    fn play_round(&mut self, id: RoundId) -> Result<(), String> {
        let at = Instant::now();
        let round = self.rounds.get_mut(&id).expect("it is there");
        let play = round.play.as_mut().expect("it runs");
        let events = play.advance(at)?;
        let over = play.over();
        // Who has a bye in a round that was just drawn may have points for it.
        if !events.is_empty() {
            self.uncounted.insert(id);
        }
        self.log_round(id, events);
        if over {
            return self.end_round(id);
        }
        let play = self.rounds.get_mut(&id).and_then(|round| round.play.as_mut()).expect("it runs");
        let mut kept = Vec::new();
        for (job, mut since) in std::mem::take(&mut play.waiting) {
            let seats = self.seats_of(id, &job);
            let later = seats.iter().any(|seat| matches!(seat, Ready::Later));
            let absent: Vec<bool> = seats.iter().map(|seat| matches!(seat, Ready::Absent(_))).collect();
            // Nobody is waited for while somebody else is busy.
            if later {
                since = at;
            }
            let patient = absent.contains(&true) && since.elapsed() < self.plan.grace;
            if later || patient {
                kept.push((job, since));
                continue;
            }
            let taken = seats.into_iter().filter_map(|seat| match seat {
                Ready::Yes(taken) | Ready::Absent(taken) => Some(taken),
                Ready::Later => None,
            });
            let pick = Pick {
                game: self.rounds[&id].row.game.clone(),
                kind: MatchKind::Scored,
                seats: taken.collect(),
                round: Some((id, job.clone())),
            };
            if absent.contains(&true) {
                self.forfeit(pick, &absent);
                continue;
            }
            let number = self.begin(pick);
            let play = self.rounds.get_mut(&id).and_then(|round| round.play.as_mut()).expect("it runs");
            play.in_flight.insert(job.number, number);
        }
        let play = self.rounds.get_mut(&id).and_then(|round| round.play.as_mut()).expect("it runs");
        play.waiting.extend(kept);
        Ok(())
    }

    /// Who plays a scored match: the connected client, else what was handed in.
    fn seats_of(&self, round: RoundId, job: &Job) -> Vec<Ready> {
        let row = &self.rounds[&round].row;
        let room = self.room();
        let seat = |bot: BotId| {
            let Some(entry) = self.roster.bots.get(&bot) else {
                let taken = Taken {
                    player: None,
                    bot: Some(bot),
                    name: String::new(),
                    by: By::BuiltIn(String::new()),
                };
                return Ready::Absent(taken);
            };
            let player = entry.row.player;
            let taken =
                |by: By| Taken { player: Some(player), bot: Some(bot), name: self.roster.name(player), by };
            if let Some(ticket) = self.tickets.get(&(player, row.game.clone())) {
                return match self.clients[ticket].can_play_since() {
                    Some(_) => Ready::Yes(taken(By::Client(*ticket))),
                    None => Ready::Later,
                };
            }
            match (&entry.row.built_in, entry.row.active, entry.version) {
                (Some(name), ..) => Ready::Yes(taken(By::BuiltIn(name.clone()))),
                (None, Some(version), Some(number)) if !entry.broken => match room {
                    0 => Ready::Later,
                    _ => Ready::Yes(taken(By::Version(version, number))),
                },
                _ => Ready::Absent(taken(By::BuiltIn(String::new()))),
            }
        };
        job.players.iter().map(|player| seat(row.bots[player.0 as usize])).collect()
    }

    /// How many matches of programs can begin now. While some program may have killed the arena, one at a time.
    fn room(&self) -> usize {
        if self.programs_wait() {
            return 0;
        }
        let waiting =
            self.effects.iter().filter(|effect| matches!(effect, super::desk::Effect::Begin(_))).count();
        self.hall.room().saturating_sub(waiting)
    }

    fn end_round(&mut self, id: RoundId) -> Result<(), String> {
        let round = self.rounds.get_mut(&id).expect("it is there");
        (round.row.state, round.row.ended) = (RoundState::Over, Some(now()));
        let (text, planned) = (format!("round {} is over", round.row.name), round.row.planned);
        self.changes.log.push((None, text));
        self.keep_round(id);
        self.repeat_round(planned);
        // The latest are often looked at.
        let settled = self.rounds.keys().rev().filter(|id| !self.open_rounds.contains(id));
        for id in settled.skip(limits::SHOWN_ROUNDS).copied().collect::<Vec<RoundId>>() {
            self.put_away(id);
        }
        Ok(())
    }

    /// Counts what rounds have brought since they were last counted.
    pub(super) fn count_points(&mut self) {
        for id in std::mem::take(&mut self.uncounted) {
            let Some(round) = self.rounds.get_mut(&id) else { continue };
            let Some(play) = &mut round.play else { continue };
            for (bot, more) in round.row.bots.iter().zip(play.count()) {
                if let Some(entry) = self.roster.bots.get_mut(bot) {
                    entry.points += more;
                }
            }
        }
    }

    pub(super) fn control_round(
        &mut self,
        who: Option<PlayerId>,
        id: RoundId,
        control: Control,
    ) -> Result<(), Refused> {
        let Some(round) = self.rounds.get_mut(&id) else {
            return Err(Refused(format!("there is no round {id}")));
        };
        let name = round.row.name.clone();
        let text = match (round.row.state, control) {
            (RoundState::Waiting, Control::Start) => {
                let game = round.row.game.clone();
                if self.is_busy(&game) {
                    return Err(Refused(
                        "another round of this game is being played; end it first".to_owned(),
                    ));
                }
                self.begin_round(id);
                format!("started round {name}")
            }
            (RoundState::Running, Control::Pause) => {
                round.row.state = RoundState::Paused;
                format!("paused round {name}")
            }
            (RoundState::Paused, Control::Resume | Control::Start) => {
                round.row.state = RoundState::Running;
                format!("let round {name} go on")
            }
            (RoundState::Waiting, Control::Close) => {
                (round.row.state, round.row.ended) = (RoundState::Cancelled, Some(now()));
                format!("called round {name} off")
            }
            (RoundState::Running | RoundState::Paused, Control::Close) => {
                (round.row.state, round.row.ended) = (RoundState::Over, Some(now()));
                format!("ended round {name} early")
            }
            (RoundState::Cancelled, Control::Start | Control::Resume) if round.play.is_none() => {
                (round.row.state, round.row.ended, round.row.starts) =
                    (RoundState::Waiting, None, Some(now()));
                format!("started round {name} after all")
            }
            (state, _) => {
                let state = crate::store::word(state);
                return Err(Refused(format!("round {name} is {state}, and that cannot be done to it")));
            }
        };
        self.keep_round(id);
        self.changes.log.push((who, text));
        Ok(())
    }

    /// Whether a scored round has the game to itself.
    fn reserved(&self, game: &str) -> bool {
        self.open_rounds().any(|round| round.row.game == game && round.row.state == RoundState::Running)
    }

    fn begin_free_matches(&mut self) {
        let at = Instant::now();
        let opened = self.opened;
        let millis = |at: Instant| at.saturating_duration_since(opened).as_millis() as i64;
        // The bot is for those who have waited in vain since before this moment.
        let bot_before = millis(at) - self.plan.bot_after.as_millis() as i64;
        for index in 0..self.plan.games.len() {
            let game = self.plan.games[index].cup.game.clone();
            if self.reserved(&game) {
                continue;
            }
            let resting = self.rests_until.get(&game);
            let waits = |(ticket, client): (&Ticket, &Client)| {
                let free = client.can_play_since().filter(|_| client.game == game)?;
                let rested = resting.and_then(|resting| resting.get(&client.player));
                let since = rested.map_or(free, |rested| free.max(*rested));
                (since <= at).then(|| Waiting {
                    ticket: *ticket,
                    player: client.player,
                    wish: client.wish.clone(),
                    since: millis(since),
                    elo: self.roster.bots[&client.bot].row.elo,
                })
            };
            let waiting: Vec<Waiting> = self.clients.iter().filter_map(waits).collect();
            for pairing in pair(waiting, &self.met, bot_before) {
                self.begin_pairing(&game, pairing);
            }
        }
    }

    fn begin_pairing(&mut self, game: &str, pairing: Pairing) {
        let client = |ticket: Ticket| {
            let client = &self.clients[&ticket];
            Taken {
                player: Some(client.player),
                bot: Some(client.bot),
                name: self.roster.name(client.player),
                by: By::Client(ticket),
            }
        };
        let (kind, mut seats) = match pairing {
            Pairing::Two(a, b) => (MatchKind::Free, vec![client(a), client(b)]),
            Pairing::Practice(ticket) => {
                let name = self.plan.game(game).expect("a game of the event").bot.clone();
                let bot = Taken { player: None, bot: None, name: name.clone(), by: By::BuiltIn(name) };
                (MatchKind::Practice, vec![client(ticket), bot])
            }
        };
        self.rng.shuffle(&mut seats);
        self.begin(Pick { game: game.to_owned(), kind, seats, round: None });
    }

    fn begin_ladder_matches(&mut self) {
        for index in 0..self.plan.games.len() {
            let plan = &self.plan.games[index];
            let game = plan.cup.game.clone();
            let since = self.last_ladder.get(&game).map_or(Duration::MAX, Instant::elapsed);
            if since < plan.pause || self.reserved(&game) {
                continue;
            }
            let seats = usize::from(*self.rng.pick(&plan.seats).expect("a match has some seats"));
            let (mut candidates, tally) = self.roster.candidates(&game);
            if self.room() == 0 {
                candidates.retain(|candidate| {
                    self.roster.bots[&BotId(candidate.bot as i64)].row.built_in.is_some()
                });
            }
            let candidates = self.keep_suspects_apart(candidates, seats);
            let settings = OpenSkillSettings::default();
            let players = choose(&candidates, seats, &settings, tally, &mut self.rng);
            let taken = |bot: &usize| {
                let bot = BotId(*bot as i64);
                let entry = &self.roster.bots[&bot];
                let by = match (&entry.row.built_in, entry.row.active, entry.version) {
                    (Some(name), ..) => By::BuiltIn(name.clone()),
                    (None, Some(version), Some(number)) => By::Version(version, number),
                    _ => return None,
                };
                let player = entry.row.player;
                Some(Taken { player: Some(player), bot: Some(bot), name: self.roster.name(player), by })
            };
            let Some(seats) =
                players.iter().map(taken).collect::<Option<Vec<Taken>>>().filter(|s| !s.is_empty())
            else {
                continue;
            };
            // Built-in players alone would keep the machine busy for nothing but to look at.
            let house = seats.iter().all(|taken| matches!(taken.by, By::BuiltIn(_)));
            let shown = self
                .running
                .values()
                .filter(|running| running.game == game && running.kind == MatchKind::Ladder)
                .filter(|running| running.seats.iter().all(|taken| matches!(taken.by, By::BuiltIn(_))))
                .count();
            if house && (shown >= limits::HOUSE_MATCHES || since < limits::HOUSE_PAUSE) {
                continue;
            }
            self.last_ladder.insert(game.clone(), Instant::now());
            self.begin(Pick { game, kind: MatchKind::Ladder, seats, round: None });
        }
    }
}
