//! The formats of a stage.

use super::circle::Circle;
use super::combinations::Combinations;
use super::field::Field;
use super::knockout::Knockout;
use super::swiss::Swiss;
use super::tables::Tables;
use super::{BotNumber, Draw, PairingError, Points, limits};

/// How a stage is paired.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// Every pair, or every table of so many seats, meets so many times.
    RoundRobin {
        /// Players of a meeting.
        seats: u8,
        /// How many times each of them meets.
        cycles: u32,
    },
    /// Rounds in tables. Who plays whom and who sits where is balanced; who does not fit into a full table has a bye, and
    /// nobody has a second one before all had one.
    Tables {
        /// Players of a table.
        seats: u8,
        /// How many rounds.
        rounds: u32,
    },
    /// Two who stand about equal meet, and nobody the same opponent twice while that can be avoided.
    Swiss {
        /// How many rounds; by default as many as a knockout would have.
        rounds: Option<u32>,
        /// What a bye brings.
        bye: Points,
    },
    /// A seeded bracket of two: who lost is out.
    Knockout {
        /// Whether one may lose once.
        double: bool,
        /// Whether those who lost half-finals play for the third place.
        third_place: bool,
    },
    /// Every hero meets everybody who is none, or every group of others that fits at a table, so many times. Heroes do not
    /// meet each other.
    Gauntlet {
        /// Who plays against everybody else.
        heroes: Vec<BotNumber>,
        /// Players of a meeting: a hero and others.
        seats: u8,
        /// How many times each of these meetings takes place.
        cycles: u32,
    },
}

impl Format {
    /// The draw of a stage, if it can be played.
    pub(super) fn begin(&self, field: &Field, seed: u64) -> Result<Box<dyn Draw>, PairingError> {
        let enough = |need: usize| match field.len() >= need {
            true => Ok(()),
            false => Err(PairingError::TooFew { have: field.len(), need }),
        };
        let seats_fit =
            |seats: u8| PairingError::within("the number of seats", seats.into(), 2, limits::SEATS as u64);
        let cycles_fit = |cycles: u32| {
            PairingError::within("the number of cycles", cycles.into(), 1, limits::CYCLES.into())
        };
        match self {
            Format::RoundRobin { seats, cycles } => {
                seats_fit(*seats)?;
                cycles_fit(*cycles)?;
                enough((*seats).into())?;
                Ok(match seats {
                    2 => Box::new(Circle::new(field.len(), *cycles)?),
                    _ => Box::new(Combinations::round_robin(field, (*seats).into(), *cycles)?),
                })
            }
            Format::Gauntlet { heroes, seats, cycles } => {
                seats_fit(*seats)?;
                cycles_fit(*cycles)?;
                if heroes.is_empty() {
                    return Err(PairingError::NoHero);
                }
                enough(heroes.len() + usize::from(*seats) - 1)?;
                Ok(Box::new(Combinations::gauntlet(field, heroes, (*seats).into(), *cycles)?))
            }
            Format::Tables { seats, rounds } => {
                seats_fit(*seats)?;
                PairingError::within("the number of rounds", (*rounds).into(), 1, limits::ROUNDS.into())?;
                enough((*seats).into())?;
                Ok(Box::new(Tables::new(field, (*seats).into(), *rounds, seed)?))
            }
            Format::Swiss { rounds, bye } => {
                if let Some(rounds) = *rounds {
                    PairingError::within(
                        "the number of rounds",
                        rounds.into(),
                        1,
                        limits::SWISS_ROUNDS.into(),
                    )?;
                }
                enough(2)?;
                Ok(Box::new(Swiss::new(field, *rounds, *bye)))
            }
            Format::Knockout { double: true, third_place: true } => Err(PairingError::ThirdPlace),
            Format::Knockout { double, third_place } => {
                enough(2)?;
                Ok(Box::new(Knockout::new(*double, *third_place)))
            }
        }
    }
}
