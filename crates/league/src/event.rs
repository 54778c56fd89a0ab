//! What happens in a tournament. The log of these is all there is; everything else is computed from it.

use crate::pairing::BotNumber;
use crate::plan::TournamentPlan;
use palestra_core::Message;
use palestra_runner::Played;
use serde::{Deserialize, Serialize};

/// One thing that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Event {
    /// A tournament was opened, with this plan.
    Opened {
        /// The program that opened it.
        program: String,
        /// The plan.
        #[serde(rename = "cup")]
        plan: Box<TournamentPlan>,
    },
    /// A ladder was opened, with this plan.
    LadderOpened {
        /// The program that opened it.
        program: String,
        /// The plan.
        ladder: Box<crate::ladder::LadderPlan>,
    },
    /// Somebody takes part from some round on.
    BotAdded {
        /// Bots are numbered from 0 in the order in which they come.
        bot: BotNumber,
        /// What it is called.
        name: String,
        /// What its program is, so that another one is noticed.
        identity: Identity,
        /// The first round that it can be drawn for.
        from: StageRound,
        /// The Elo rating it comes with; the plan's start unless given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rating: Option<f64>,
    },
    /// Another program under the same name, from the next match on.
    BotReplaced {
        /// Its number.
        bot: BotNumber,
        /// What it is now.
        identity: Identity,
    },
    /// Somebody plays no longer.
    BotDropped {
        /// Its number.
        bot: BotNumber,
        /// The reason that people are told.
        why: String,
        /// The first round that is drawn without it.
        from: StageRound,
    },
    /// The meetings of a round; a later drawing of the same round takes the place of an earlier one.
    Drawn {
        /// The stage, counted from 0.
        stage: u32,
        /// The round, counted from 1.
        round: u32,
        /// Those who meet in it.
        meetings: Vec<DrawnMeeting>,
        /// Who sits out.
        byes: Vec<BotNumber>,
    },
    /// A match was begun.
    Started {
        /// Its number.
        #[serde(rename = "match")]
        number: u32,
        /// Who plays it.
        players: Vec<BotNumber>,
    },
    /// A match was played.
    Finished(Finished),
    /// A match was played, and a bot ran out of time while it hardly had the processor: it is played again.
    Tainted(Finished),
    /// A match could not be played.
    Failed {
        /// Its number.
        #[serde(rename = "match")]
        number: u32,
        /// Who should have played.
        players: Vec<BotNumber>,
        /// What went wrong: one sentence.
        why: String,
    },
    /// The organiser took a match out of the count.
    Voided {
        /// Its number.
        #[serde(rename = "match")]
        number: u32,
        /// The organiser's reason.
        why: String,
    },
    /// The organiser wants a match to be played again; what it brought before does not count.
    Rerun {
        /// Its number.
        #[serde(rename = "match")]
        number: u32,
    },
}

/// What a tournament's log begins with: its plan, and these bots with what each of them is.
pub fn opening(plan: &TournamentPlan, bots: &[(String, Identity)]) -> Vec<Event> {
    let program = format!("palestra {}", env!("CARGO_PKG_VERSION"));
    let opened = Event::Opened { program, plan: Box::new(plan.clone()) };
    let added = (0..).map(BotNumber).zip(bots).map(|(bot, (name, identity))| Event::BotAdded {
        bot,
        name: name.clone(),
        identity: identity.clone(),
        from: StageRound { stage: 0, round: 1 },
        rating: None,
    });
    std::iter::once(opened).chain(added).collect()
}

/// A point in the course of a tournament: before this round of this stage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct StageRound {
    /// The stage, counted from 0.
    pub stage: u32,
    /// The round, counted from 1.
    pub round: u32,
}

/// What a bot is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// A built-in player, a file, a command line.
    pub source: String,
    /// The fingerprint of its file, if it is one.
    pub fingerprint: Option<String>,
}

/// Some players who meet in one round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawnMeeting {
    /// The group, counted from 0.
    #[serde(rename = "g")]
    pub group: u32,
    /// Who; the first match seats them in this order.
    #[serde(rename = "p")]
    pub players: Vec<BotNumber>,
    /// The number of its first match; the others follow.
    #[serde(rename = "n")]
    pub first: u32,
    /// How many it has.
    #[serde(rename = "m")]
    pub matches: u32,
    /// Where ratings decide who sits where: the players by seat.
    #[serde(rename = "s", default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<BotNumber>,
    /// Where maps are played in rotation: how far it has come.
    #[serde(rename = "r", default, skip_serializing_if = "is_zero")]
    pub rotation: u32,
    /// Of further matches of a knockout's meeting that was equal: which of its deciders, counted from 1.
    #[serde(rename = "d", default, skip_serializing_if = "is_zero")]
    pub decider: u32,
}

impl DrawnMeeting {
    /// Whether both are the same matches.
    pub(crate) fn is_like(&self, other: &DrawnMeeting) -> bool {
        (self.group, &self.players, &self.seats, self.rotation, self.decider)
            == (other.group, &other.players, &other.seats, other.rotation, other.decider)
    }

    /// Whether it decides another meeting of the same round.
    pub(crate) fn decides(&self, planned: &DrawnMeeting) -> bool {
        self.decider > 0 && (self.group, &self.players) == (planned.group, &planned.players)
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What a match brought.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Its number.
    #[serde(rename = "match")]
    pub number: u32,
    /// Who played, by seat.
    pub players: Vec<BotNumber>,
    /// The map's place in the plan.
    pub map: u32,
    /// The seed.
    pub seed: u64,
    /// By seat; 1 is the best.
    pub places: Vec<u32>,
    /// The game's own score by seat, as numerator and denominator.
    pub scores: Vec<(u64, u64)>,
    /// Turns played.
    pub turns: u32,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// Wall time and processor time of every seat, in microseconds.
    pub spent: Vec<(u64, Option<u64>)>,
    /// The largest memory of every seat in bytes, where it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Option<u64>>,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<LoggedFault>,
    /// Its replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<StoredReplay>,
    /// A fault may have been the host's, and the match had been played too often to try again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tainted: bool,
    /// The worker that played it; nothing if that was this machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
}

/// The part of a result that counts. Standings and ratings are computed from very many of them.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Counted {
    pub(crate) number: u32,
    pub(crate) seats: Vec<CountedSeat>,
    pub(crate) faults: Vec<LoggedFault>,
}

/// What a match brought one seat.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct CountedSeat {
    pub(crate) player: BotNumber,
    /// 1 is the best.
    pub(crate) place: u32,
    /// The game's own score, as numerator and denominator.
    pub(crate) score: (u64, u64),
}

impl Counted {
    pub(crate) fn new(
        number: u32,
        players: &[BotNumber],
        places: &[u32],
        scores: &[(u64, u64)],
        faults: Vec<LoggedFault>,
    ) -> Counted {
        let seats = players.iter().zip(places).zip(scores);
        let seat = |((player, place), score): ((&BotNumber, &u32), &(u64, u64))| CountedSeat {
            player: *player,
            place: *place,
            score: *score,
        };
        Counted { number, seats: seats.map(seat).collect(), faults }
    }

    /// Whether it is a result of these players, each of them once.
    pub(crate) fn is_of(&self, players: &[BotNumber]) -> bool {
        let has = |player: &BotNumber| self.seats.iter().any(|seat| seat.player == *player);
        let sound = |seat: &CountedSeat| seat.place > 0 && seat.score.1 > 0;
        self.seats.len() == players.len() && players.iter().all(has) && self.seats.iter().all(sound)
    }

    /// How many share the best place.
    pub(crate) fn best(&self) -> usize {
        self.seats.iter().filter(|seat| seat.place == 1).count()
    }

    /// Whether the bot in this seat, counted from 0, had a fault.
    pub(crate) fn faulty(&self, seat: usize) -> bool {
        self.faults.iter().any(|fault| usize::from(fault.seat) == seat)
    }
}

impl From<&Finished> for Counted {
    fn from(finished: &Finished) -> Counted {
        let Finished { number, players, places, scores, faults, .. } = finished;
        Counted::new(*number, players, places, scores, faults.clone())
    }
}

/// A fault, as the log keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoggedFault {
    /// The seat, counted from 0.
    pub seat: u8,
    /// The turn of the match, counted from 1.
    pub turn: u32,
    /// The word for it.
    pub kind: String,
    /// What there is to tell about it; logs of versions up to 3 have a sentence, under `text`.
    #[serde(alias = "text")]
    pub what: Message,
}

/// A replay beside the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StoredReplay {
    /// The path of its file inside the tournament's folder.
    pub path: String,
    /// Where it begins in a file with several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// Its length.
    pub bytes: u64,
    /// Its fingerprint.
    pub sha256: String,
}

impl Event {
    /// What it is called in the log.
    pub fn kind(&self) -> &'static str {
        match self {
            Event::Opened { .. } => "opened",
            Event::LadderOpened { .. } => "ladder-opened",
            Event::BotAdded { .. } => "bot-added",
            Event::BotReplaced { .. } => "bot-replaced",
            Event::BotDropped { .. } => "bot-dropped",
            Event::Drawn { .. } => "drawn",
            Event::Started { .. } => "started",
            Event::Finished(_) => "finished",
            Event::Tainted(_) => "tainted",
            Event::Failed { .. } => "failed",
            Event::Voided { .. } => "voided",
            Event::Rerun { .. } => "rerun",
        }
    }

    /// The match it is about.
    pub fn number(&self) -> Option<u32> {
        match self {
            Event::Started { number, .. }
            | Event::Failed { number, .. }
            | Event::Voided { number, .. }
            | Event::Rerun { number } => Some(*number),
            Event::Finished(finished) | Event::Tainted(finished) => Some(finished.number),
            _ => None,
        }
    }
}

impl Finished {
    /// What the log keeps of a match.
    pub fn new(number: u32, players: Vec<BotNumber>, map: u32, millis: u64, played: &Played) -> Finished {
        let micros = |duration: std::time::Duration| duration.as_micros() as u64;
        let memory: Vec<Option<u64>> = played.used.iter().map(|used| used.memory_peak).collect();
        Finished {
            number,
            players,
            map,
            seed: played.replay.head.plan.seed,
            places: played.outcome.placings.iter().map(|placing| placing.place).collect(),
            scores: played.outcome.placings.iter().map(|placing| placing.score.parts()).collect(),
            turns: played.replay.head.turns,
            millis,
            spent: played.usage.iter().map(|usage| (micros(usage.wall), usage.cpu.map(micros))).collect(),
            memory: if memory.iter().all(Option::is_none) { Vec::new() } else { memory },
            faults: played
                .faults
                .iter()
                .take(crate::limits::FAULTS_LOGGED)
                .map(|report| LoggedFault {
                    seat: report.seat.index() as u8,
                    turn: report.turn,
                    kind: report.fault.kind().to_owned(),
                    what: report.fault.message(),
                })
                .collect(),
            replay: None,
            tainted: false,
            worker: played.worker.clone(),
        }
    }
}
