//! The map generator. An arena has a size and nothing else, so the seed decides nothing here.

use crate::map::Arena;
use crate::settings::Settings;
use palestra_core::SetupError;

/// The seats of every match.
pub(crate) const SEATS: u8 = 2;

/// An arena of the size asked for.
pub(crate) fn generate(numbers: &[u32]) -> Result<Arena, SetupError> {
    let &[size] = numbers else {
        return Err(SetupError::new("an arena is made from one number: its size"));
    };
    Arena::new(size)
}

/// The arena of a match for which none was given.
pub(crate) fn default_arena(settings: &Settings, players: u8) -> Result<Arena, SetupError> {
    if players != SEATS {
        return Err(SetupError::new(format!(
            "Rock Paper Scissor is for {SEATS} players, and there are {players}; name {SEATS}"
        )));
    }
    Arena::new(settings.size)
}

#[cfg(test)]
mod tests {
    use super::{default_arena, generate};
    use crate::settings::Settings;

    #[test]
    fn the_size_is_what_was_asked_for() {
        assert_eq!(generate(&[12]).unwrap().size(), 12);
        let settings = Settings { size: 30, ..Settings::default() };
        assert_eq!(default_arena(&settings, 2).unwrap().size(), 30);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(generate(&[3]).is_err() && generate(&[101]).is_err() && generate(&[u32::MAX]).is_err());
        assert!(generate(&[]).is_err() && generate(&[12, 12]).is_err());
        for players in [0, 1, 3, 64] {
            let error = default_arena(&Settings::default(), players).unwrap_err().to_string();
            assert!(error.contains(&format!("there are {players};")), "{error}");
        }
    }
}
