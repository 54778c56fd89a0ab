//! What a match needs of a worker, and what a worker offers: a worker is given only what it can play.

use crate::limits;
use crate::messages::{BotOrder, FORMAT, Hash, Sandbox};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is needed to play some matches. All of the same need wait in one line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Need {
    /// The version of the messages.
    pub format: u16,
    /// The game's id.
    pub game: String,
    /// The version of its rules.
    pub rules_version: u32,
    /// The sandbox.
    pub sandbox: String,
    /// Cores of a match.
    pub cores: u16,
    /// Toolchains of its sources.
    pub toolchains: BTreeSet<String>,
    /// For programs that are started as they are: the system they were made for.
    pub system: Option<String>,
    /// The only worker that is to play it, if it is not any.
    pub worker: Option<String>,
}

/// The kind of system that programs are made for.
pub fn own_system() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

impl Need {
    /// Of matches of this game between these.
    pub fn new<'a>(
        (game, rules_version): (&str, u32),
        sandbox: &Sandbox,
        cores: u16,
        bots: impl IntoIterator<Item = &'a BotOrder>,
    ) -> Need {
        let mut need = Need {
            format: FORMAT,
            game: game.to_owned(),
            rules_version,
            sandbox: sandbox.level.clone(),
            cores,
            toolchains: BTreeSet::new(),
            system: None,
            worker: None,
        };
        for bot in bots {
            match bot {
                BotOrder::BuiltIn(_) => {}
                BotOrder::Program { toolchain: Some(toolchain), .. } => {
                    need.toolchains.insert(toolchain.clone());
                }
                BotOrder::Program { toolchain: None, .. } => need.system = Some(own_system()),
            }
        }
        need
    }

    /// What its line is called: the same for the same need, on every machine.
    pub fn line(&self) -> String {
        let text = serde_json::to_vec(self).expect("a need is plain data");
        Hash::of(&text).to_string()[..16].to_owned()
    }
}

/// What a worker says about itself, again and again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Offer {
    /// What it is called.
    pub name: String,
    /// Its process: another one when it was started again.
    #[serde(default)]
    pub session: u64,
    /// The build of the program.
    pub version: String,
    /// The version of the messages.
    pub format: u16,
    /// The versions of the rules, by game.
    pub rules: BTreeMap<String, u32>,
    /// What its tools say about their versions, by toolchain.
    pub toolchains: BTreeMap<String, String>,
    /// The levels of the sandbox that it can give.
    pub sandboxes: Vec<String>,
    /// The system that programs must be made for.
    pub system: String,
    /// Matches that it plays at a time.
    pub places: u32,
    /// How fast it is: turns between built-in players in a second, on one core.
    pub speed: f64,
    /// Messages of work that it is at now.
    pub playing: u32,
    /// Matches that it has played.
    pub played: u64,
}

/// What a worker lacks for some matches.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lack {
    /// It speaks another version of the messages.
    Format {
        /// The format that the server writes.
        needed: u16,
        /// The format that the worker reads.
        has: u16,
    },
    /// It has another version of the rules.
    Rules {
        /// The game.
        game: String,
        /// The server's version.
        needed: u32,
        /// The worker's; none if it does not have the game.
        has: Option<u32>,
    },
    /// It has no such toolchain.
    Toolchain(String),
    /// It has no such sandbox.
    Sandbox(String),
    /// Programs were made for another system.
    System(String),
    /// It has too few places for one match.
    Cores(u16),
    /// Somebody else is meant.
    OtherWorker,
}

impl Lack {
    /// Whether a newer program would help.
    pub fn is_old(&self) -> bool {
        matches!(self, Lack::Format { .. } | Lack::Rules { .. })
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Format { needed, has } => write!(
                f,
                "the server speaks version {needed} of the queue's messages and this worker version {has}; update palestra \
                 so that both are the same"
            ),
            Lack::Rules { game, needed, has: Some(has) } => write!(
                f,
                "the server plays version {needed} of the rules of {game} and this worker has version {has}; update palestra \
                 so that both are the same"
            ),
            Lack::Rules { game, has: None, .. } => {
                write!(f, "the server plays {game}, which this worker does not have; update palestra")
            }
            Lack::Toolchain(name) => write!(f, "bots in {name} cannot be played here: no toolchain for it"),
            Lack::Sandbox(level) => write!(f, "the sandbox {level} cannot be had here; see palestra doctor"),
            Lack::System(system) => write!(f, "programs made for {system} do not run here"),
            Lack::Cores(cores) => write!(f, "a match takes {cores} places, and there are fewer"),
            Lack::OtherWorker => f.write_str("another worker is to play it"),
        }
    }
}

impl Offer {
    /// What is lacking for these matches; nothing, if they can be played.
    pub fn lacks(&self, need: &Need) -> Option<Lack> {
        if need.worker.as_ref().is_some_and(|worker| *worker != self.name) {
            return Some(Lack::OtherWorker);
        }
        if need.format != self.format {
            return Some(Lack::Format { needed: need.format, has: self.format });
        }
        let has = self.rules.get(&need.game).copied();
        if has != Some(need.rules_version) {
            return Some(Lack::Rules { game: need.game.clone(), needed: need.rules_version, has });
        }
        if let Some(toolchain) = need.toolchains.iter().find(|name| !self.toolchains.contains_key(*name)) {
            return Some(Lack::Toolchain(toolchain.clone()));
        }
        if !self.sandboxes.contains(&need.sandbox) {
            return Some(Lack::Sandbox(need.sandbox.clone()));
        }
        if let Some(system) = need.system.as_ref().filter(|system| **system != self.system) {
            return Some(Lack::System(system.clone()));
        }
        (u32::from(need.cores) > self.places).then_some(Lack::Cores(need.cores))
    }

    /// Whether it is what a worker of this name may say.
    pub(crate) fn is_sound(&self, name: &str) -> bool {
        self.name == name && self.places as usize <= limits::PLACES && self.speed.is_finite()
    }
}

/// A name that a worker can have: a part of a subject, and fit to be shown.
pub fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=limits::NAME_BYTES).contains(&name.len()) && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::{Lack, Need, Offer, is_name, own_system};
    use crate::messages::{BotOrder, FORMAT, Hash, Sandbox};

    fn offer() -> Offer {
        Offer {
            name: "pc1".to_owned(),
            session: 1,
            version: "1".to_owned(),
            format: FORMAT,
            rules: [("a".to_owned(), 2)].into(),
            toolchains: [("C".to_owned(), "gcc 12".to_owned())].into(),
            sandboxes: vec!["off".to_owned(), "auto".to_owned()],
            system: own_system(),
            places: 2,
            speed: 1e6,
            playing: 0,
            played: 0,
        }
    }

    fn program(toolchain: Option<&str>) -> BotOrder {
        let toolchain = toolchain.map(str::to_owned);
        BotOrder::Program { pack: Hash::of(b""), entry: "main.c".to_owned(), toolchain }
    }

    /// What a match needs in which these and a built-in player play.
    fn need(game: &str, rules: u32, level: &str, cores: u16, bots: &[BotOrder]) -> Need {
        let sandbox = Sandbox { level: level.to_owned(), memory_bytes: None, processes: None };
        Need::new((game, rules), &sandbox, cores, &[bots, &[BotOrder::BuiltIn("idle".to_owned())]].concat())
    }

    #[test]
    fn a_worker_is_given_what_it_can_play() {
        let offer = offer();
        assert_eq!(offer.lacks(&need("a", 2, "auto", 1, &[program(Some("C"))])), None);
        assert_eq!(offer.lacks(&need("a", 2, "off", 2, &[program(None)])), None);
        let has = Some(2);
        let cases = [
            (need("a", 3, "off", 1, &[]), Lack::Rules { game: "a".to_owned(), needed: 3, has }),
            (need("b", 1, "off", 1, &[]), Lack::Rules { game: "b".to_owned(), needed: 1, has: None }),
            (need("a", 2, "strict", 1, &[]), Lack::Sandbox("strict".to_owned())),
            (need("a", 2, "off", 1, &[program(Some("Go"))]), Lack::Toolchain("Go".to_owned())),
            (need("a", 2, "off", 3, &[]), Lack::Cores(3)),
            (Need { worker: Some("pc2".to_owned()), ..need("a", 2, "off", 1, &[]) }, Lack::OtherWorker),
            (Need { format: 9, ..need("a", 2, "off", 1, &[]) }, Lack::Format { needed: 9, has: FORMAT }),
            (
                Need { system: Some("toaster".to_owned()), ..need("a", 2, "off", 1, &[]) },
                Lack::System("toaster".to_owned()),
            ),
        ];
        for (need, lack) in cases {
            assert_eq!(offer.lacks(&need), Some(lack));
        }
    }

    #[test]
    fn the_same_need_has_the_same_line() {
        assert_eq!(need("a", 2, "auto", 1, &[]).line(), need("a", 2, "auto", 1, &[]).line());
        assert_ne!(need("a", 2, "auto", 1, &[]).line(), need("a", 2, "off", 1, &[]).line());
        assert!(is_name(&need("a", 2, "auto", 1, &[]).line()));
    }

    #[test]
    fn names_are_parts_of_subjects() {
        assert!(
            is_name("pc-12_b")
                && !is_name("")
                && !is_name("a.b")
                && !is_name("a*")
                && !is_name(&"x".repeat(65))
        );
    }
}
