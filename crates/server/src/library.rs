//! All matches of a server, by their names.

use crate::feed::{Feed, Reporter};
use crate::film::Film;
use crate::folder::{Folder, REPORT};
use crate::limits;
use crate::show::{Person, Show};
use palestra_core::{AnyGame, Replay, ReplayError, Seat};
use std::io::PipeWriter;
use std::path::Path;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The matches that a server shows.
pub struct Library {
    games: &'static [&'static dyn AnyGame],
    shows: RwLock<Shows>,
    folder: OnceLock<Folder>,
}

#[derive(Default)]
struct Shows {
    list: Vec<Arc<Show>>,
    /// Names of files dropped onto the page, oldest first.
    dropped: Vec<String>,
    /// Names of replays that were opened from the folder, oldest first.
    opened: Vec<String>,
}

/// A file that cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is a replay, and something is wrong with it.
    #[error("{0}")]
    Replay(#[from] ReplayError),
    /// It is a log, and something is wrong with it.
    #[error("{0}")]
    Log(String),
    /// It cannot be read at all.
    #[error("{0}")]
    File(String),
    /// It is neither.
    #[error("this is neither a replay of palestra nor a log that one of its games knows")]
    Unknown,
}

/// A seat that a person can take.
#[derive(Clone, Debug)]
pub struct PersonSeat {
    /// The seat.
    pub seat: Seat,
    /// The end of its address: `/generals-7?play=1&key=…`.
    pub path: String,
}

impl Library {
    /// Without any matches yet.
    pub fn new(games: &'static [&'static dyn AnyGame]) -> Library {
        Library { games, shows: RwLock::default(), folder: OnceLock::new() }
    }

    pub(crate) fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games
    }

    /// Adds a replay or a contest's log; says its name in addresses.
    pub fn add_file(&self, name: &str, bytes: &[u8]) -> Result<String, Unreadable> {
        let (game, film, names) = self.read(bytes)?;
        Ok(self.add(name, |id| Show::recorded(id, game, film, names)))
    }

    /// Shows a tournament's folder: its report, and its replays as `replays~0~17`. Says whether it is the first; there
    /// can only be one.
    pub fn set_folder(&self, path: &Path) -> bool {
        self.folder.set(Folder::new(path)).is_ok()
    }

    /// The folder's report, if there is one.
    pub(crate) fn report(&self) -> Option<Result<Vec<u8>, Unreadable>> {
        self.folder.get()?.report()
    }

    /// Opens a replay of the folder, if there is one of this name. Only so many are kept open.
    pub(crate) fn open(&self, id: &str) -> Option<Result<Arc<Show>, Unreadable>> {
        let bytes = self.folder.get()?.replay(id)?;
        Some(bytes.and_then(|bytes| self.read(&bytes)).map(|(game, film, names)| {
            let mut shows = self.shows.write().unwrap_or_else(PoisonError::into_inner);
            // Somebody else may have been faster.
            if let Some(show) = shows.list.iter().find(|show| show.id == id) {
                return Arc::clone(show);
            }
            let show = Arc::new(Show::recorded(id.to_owned(), game, film, names));
            shows.list.push(Arc::clone(&show));
            shows.opened.push(id.to_owned());
            if shows.opened.len() > limits::OPEN_REPLAYS {
                let oldest = shows.opened.remove(0);
                shows.list.retain(|show| show.id != oldest);
            }
            show
        }))
    }

    /// Adds a file that was dropped onto the page. Only so many are kept.
    pub(crate) fn add_dropped(&self, name: &str, bytes: &[u8]) -> Result<String, Unreadable> {
        let id = self.add_file(name, bytes)?;
        let mut shows = self.shows.write().unwrap_or_else(PoisonError::into_inner);
        shows.dropped.push(id.clone());
        if shows.dropped.len() > limits::DROPPED_FILES {
            let oldest = shows.dropped.remove(0);
            shows.list.retain(|show| show.id != oldest);
        }
        Ok(id)
    }

    fn read(&self, bytes: &[u8]) -> Result<(&'static dyn AnyGame, Film, Vec<String>), Unreadable> {
        match Replay::from_bytes(bytes) {
            Ok(replay) => {
                let game = self.games.iter().find(|game| game.info().id == replay.game);
                let game = *game.ok_or_else(|| ReplayError::OtherGame {
                    found: replay.game.clone(),
                    wanted: "a game that this palestra knows".to_owned(),
                })?;
                let names = replay.bots.clone();
                Ok((game, Film::of_replay(game, replay, true)?, names))
            }
            Err(ReplayError::Foreign) => self.read_log(bytes),
            Err(error) => Err(error.into()),
        }
    }

    fn read_log(&self, bytes: &[u8]) -> Result<(&'static dyn AnyGame, Film, Vec<String>), Unreadable> {
        let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::Unknown)?;
        let found = self.games.iter().find_map(|game| Some((*game, game.read_log(text)?)));
        let (game, log) = found.ok_or(Unreadable::Unknown)?;
        let log = log.map_err(|error| Unreadable::Log(error.to_string()))?;
        let names = Seat::all(log.seats()).map(|seat| format!("player {seat}")).collect();
        Ok((game, Film::of_log(game, log), names))
    }

    /// Adds a match that is about to begin, from its empty recording; `open` lets spectators look on. Says who
    /// must be told of its turns, and where its people play.
    pub fn add_live(
        &self,
        game: &'static dyn AnyGame,
        start: Replay,
        people: Vec<(Seat, PipeWriter)>,
        open: bool,
    ) -> Result<(String, Reporter, Vec<PersonSeat>), ReplayError> {
        let name = format!("{}-{}", start.game, start.plan.seed);
        let (names, seats) = (start.bots.clone(), start.plan.seats);
        let mut film = Film::of_replay(game, start, false)?;
        let feed = Arc::new(Feed::new(film.first_to_move()));
        let reporter = Reporter::new(Arc::clone(&feed), seats);
        let people: Vec<Person> =
            people.into_iter().map(|(seat, answers)| Person::new(seat, new_key(), answers)).collect();
        let keys: Vec<(Seat, String)> =
            people.iter().map(|person| (person.seat, person.key.clone())).collect();
        let id = self.add(&name, |id| Show::live(id, game, film, names, feed, people, open));
        let seats = keys
            .into_iter()
            .map(|(seat, key)| PersonSeat { seat, path: format!("/{id}?play={seat}&key={key}") })
            .collect();
        Ok((id, reporter, seats))
    }

    /// How many turns and seats a match has.
    pub fn size(&self, id: &str) -> Option<(u32, u8)> {
        let show = self.find(id)?;
        let film = show.film();
        Some((film.turns(), film.seats()))
    }

    fn add(&self, name: &str, show: impl FnOnce(String) -> Show) -> String {
        let mut shows = self.shows.write().unwrap_or_else(PoisonError::into_inner);
        let base = address_name(name);
        let taken = |id: &str| shows.list.iter().any(|show| show.id == id);
        let numbered = (2_u32..).map(|number| format!("{base}-{number}"));
        let id = std::iter::once(base.clone())
            .chain(numbered)
            .find(|id| !taken(id))
            .expect("there is always another number");
        shows.list.push(Arc::new(show(id.clone())));
        id
    }

    pub(crate) fn list(&self) -> Vec<Arc<Show>> {
        self.shows.read().unwrap_or_else(PoisonError::into_inner).list.clone()
    }

    pub(crate) fn find(&self, id: &str) -> Option<Arc<Show>> {
        self.list().into_iter().find(|show| show.id == id)
    }
}

/// A file's name as it can stand in an address: without folders and ending, and with nothing that needs escaping.
fn address_name(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let kept = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let id: String = stem.chars().map(kept).take(80).collect();
    // The names of the page's own addresses are taken.
    match id.trim_matches(['-', '.']) {
        "" | "api" | "rules" | "assets" | REPORT => format!("match-{id}"),
        good => good.to_owned(),
    }
}

/// A secret that cannot be guessed.
pub(crate) fn new_key() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::address_name;

    #[test]
    fn names_of_files_become_names_in_addresses() {
        for (file, name) in [
            ("replays/generals-7.replay", "generals-7"),
            ("C:\\logs\\game_visualizer.log", "game_visualizer"),
            ("my match (2).replay", "my-match--2"),
            ("../../etc/passwd", "passwd"),
            ("api.replay", "match-api"),
            ("...", "match-.."),
            ("дуэль.replay", "match------"),
        ] {
            assert_eq!(address_name(file), name);
        }
    }
}
