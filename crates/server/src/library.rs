//! All matches of a server, by their ids.

use crate::feed::{Feed, FeedPublisher};
use crate::folder::{Folder, REPORT};
use crate::limits;
use crate::playback::Playback;
use crate::room::{Access, Person, Room, SeatedPerson};
use crate::spectator_delay::SpectatorDelay;
use crate::trouble::Trouble;
use palestra_core::{AnyGame, Catalog, Replay, ReplayError, Seat};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::PipeWriter;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The matches that a server shows.
pub struct Library {
    games: &'static [&'static dyn AnyGame],
    /// By the game's id, read once.
    english: BTreeMap<&'static str, Catalog>,
    rooms: RwLock<Rooms>,
    folder: OnceLock<Folder>,
    source: Option<Box<dyn ReplaySource>>,
    /// Whether of faults only the kinds are shown, and what bots wrote is for their authors.
    redact_faults: bool,
    /// Held while a replay is read, so that many who ask for one at the same time do not all read it.
    reading: Mutex<()>,
}

/// Where replays are that are only read when somebody asks. It may block.
pub trait ReplaySource: Send + Sync {
    /// The replay of this name; `None` if there is none.
    fn replay(&self, id: &str) -> Option<Result<Vec<u8>, Unreadable>>;
}

#[derive(Default)]
struct Rooms {
    by_name: HashMap<String, Listed>,
    came: u64,
    /// Names of files dropped onto the page, oldest first.
    dropped: VecDeque<String>,
    /// Names of replays that were only read because somebody asked, oldest first.
    opened: VecDeque<String>,
}

struct Listed {
    /// Tells the order in which they came.
    came: u64,
    room: Arc<Room>,
    /// The same match for those who play it, while everybody else sees it late.
    for_players: Option<Arc<Room>>,
}

impl Rooms {
    fn add(&mut self, room: Room, for_players: Option<Room>) -> Arc<Room> {
        let (room, for_players) = (Arc::new(room), for_players.map(Arc::new));
        self.came += 1;
        let listed = Listed { came: self.came, room: Arc::clone(&room), for_players };
        self.by_name.insert(room.id.clone(), listed);
        room
    }
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
    /// No format of the contests, and no replay of ours.
    #[error("{}", Trouble::NeitherReplayNorLog {})]
    Unknown,
}

/// A seat that a person can take.
#[derive(Clone, Debug)]
pub struct PersonSeat {
    /// The seat that the person plays on.
    pub seat: Seat,
    /// The end of its address: `/generals-7?play=1&key=…`.
    pub path: String,
}

impl Library {
    /// Without any matches yet.
    pub fn new(games: &'static [&'static dyn AnyGame]) -> Library {
        let (rooms, folder) = (RwLock::default(), OnceLock::new());
        let english = games.iter().map(|game| (game.info().id, Catalog::english(game.info()))).collect();
        Library { games, english, rooms, folder, source: None, redact_faults: false, reading: Mutex::new(()) }
    }

    /// With the matches that a source has.
    pub fn with_source(
        games: &'static [&'static dyn AnyGame],
        source: impl ReplaySource + 'static,
    ) -> Library {
        Library { source: Some(Box::new(source)), ..Library::new(games) }
    }

    /// Of faults everybody is told the kind only; the rest is for those whose [`ViewerRights`](crate::ViewerRights) says so.
    #[must_use]
    pub fn redacting_faults(self) -> Library {
        Library { redact_faults: true, ..self }
    }

    /// What a game of this library says in English.
    pub(crate) fn english(&self, game: &dyn AnyGame) -> &Catalog {
        &self.english[game.info().id]
    }

    pub(crate) fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games
    }

    /// Adds a replay or a contest's log; says its name in addresses.
    pub fn add_file(&self, name: &str, bytes: &[u8]) -> Result<String, Unreadable> {
        let (game, playback, names) = self.read(bytes)?;
        Ok(self.add(name, |id| Room::recorded(id, game, playback, names)))
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

    /// Opens a replay of the folder or the source, if there is one of this name. Only so many are kept open.
    pub(crate) fn open(&self, id: &str) -> Option<Result<Arc<Room>, Unreadable>> {
        let _one_at_a_time = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        // Somebody else may have been faster.
        if let Some(room) = self.find(id) {
            return Some(Ok(room));
        }
        let in_folder = self.folder.get().and_then(|folder| folder.replay(id));
        let bytes = in_folder.or_else(|| self.source.as_ref()?.replay(id))?;
        Some(bytes.and_then(|bytes| self.read(&bytes)).map(|(game, playback, names)| {
            let mut rooms = self.rooms_mut();
            let room = rooms.add(Room::recorded(id.to_owned(), game, playback, names), None);
            rooms.opened.push_back(id.to_owned());
            if rooms.opened.len() > limits::OPEN_REPLAYS
                && let Some(oldest) = rooms.opened.pop_front()
            {
                rooms.by_name.remove(&oldest);
            }
            room
        }))
    }

    /// Adds a file that was dropped onto the page. Only so many are kept.
    pub(crate) fn add_dropped(&self, name: &str, bytes: &[u8]) -> Result<String, Unreadable> {
        let id = self.add_file(name, bytes)?;
        let mut rooms = self.rooms_mut();
        rooms.dropped.push_back(id.clone());
        if rooms.dropped.len() > limits::DROPPED_FILES
            && let Some(oldest) = rooms.dropped.pop_front()
        {
            rooms.by_name.remove(&oldest);
        }
        Ok(id)
    }

    pub(crate) fn read(
        &self,
        bytes: &[u8],
    ) -> Result<(&'static dyn AnyGame, Playback, Vec<String>), Unreadable> {
        match Replay::from_bytes(bytes) {
            Ok(replay) => {
                let game = self.games.iter().find(|game| game.info().id == replay.head.game);
                let game = *game.ok_or_else(|| ReplayError::OtherGame {
                    found: replay.head.game.clone(),
                    wanted: "a game that this palestra knows".to_owned(),
                })?;
                let names = replay.head.bots.clone();
                Ok((game, Playback::of_replay(game, replay, true, self.redact_faults)?, names))
            }
            Err(ReplayError::Foreign) => self.read_log(bytes),
            Err(error) => Err(error.into()),
        }
    }

    fn read_log(&self, bytes: &[u8]) -> Result<(&'static dyn AnyGame, Playback, Vec<String>), Unreadable> {
        let text = std::str::from_utf8(bytes).map_err(|_| Unreadable::Unknown)?;
        let found = self.games.iter().find_map(|game| Some((*game, game.read_log(text)?)));
        let (game, log) = found.ok_or(Unreadable::Unknown)?;
        let log = log.map_err(|error| Unreadable::Log(error.to_string()))?;
        let names = Seat::all(log.seats()).map(|seat| format!("player {seat}")).collect();
        Ok((game, Playback::of_log(game, log), names))
    }

    /// Adds a match that is about to begin, from its empty recording; `open` lets spectators look on. Says who
    /// must be told of its turns, and where its people play.
    pub fn add_live(
        &self,
        game: &'static dyn AnyGame,
        start: Replay,
        people: Vec<(Seat, PipeWriter)>,
        open: bool,
    ) -> Result<(String, FeedPublisher, Vec<PersonSeat>), ReplayError> {
        // The seed tells the whole map, and an address is in everybody's hands.
        let name = match open {
            true => format!("{}-{}", start.head.game, start.head.plan.seed),
            false => start.head.game.clone(),
        };
        let seated = |(seat, answers)| SeatedPerson { seat, key: new_key(), answers: Box::new(answers) };
        let people: Vec<SeatedPerson> = people.into_iter().map(seated).collect();
        let keys: Vec<(Seat, String)> =
            people.iter().map(|person| (person.seat, person.key.clone())).collect();
        let (room, publisher) = self.room_of_people(game, start, people, open)?;
        let id = self.add(&name, room);
        let seats = keys
            .into_iter()
            .map(|(seat, key)| PersonSeat { seat, path: format!("/{id}?play={seat}&key={key}") })
            .collect();
        Ok((id, publisher, seats))
    }

    /// Adds a match that is about to begin under a name of the caller's, from its empty recording. Says who must be told
    /// of its turns. When the match is over and its replay is where the source finds it, close it again.
    ///
    /// With a delay, those who play it (see [`ViewerRights`](crate::ViewerRights)) see it through their own seats, and everybody
    /// else sees it so late.
    pub fn open_live(
        &self,
        id: &str,
        game: &'static dyn AnyGame,
        start: Replay,
        delay: Option<SpectatorDelay>,
    ) -> Result<FeedPublisher, ReplayError> {
        let seats = start.head.plan.seats;
        let room = |access: Access, delay: Option<SpectatorDelay>| {
            let names = start.head.bots.clone();
            let mut playback = Playback::of_replay(game, start.clone(), false, self.redact_faults)?;
            let first = playback.first_to_move().filter(|_| delay.is_none());
            let feed = Arc::new(Feed::delayed(first, delay));
            let room =
                Room::live(id.to_owned(), game, playback, names, Arc::clone(&feed), Vec::new(), access);
            Ok::<_, ReplayError>((room, feed))
        };
        let Some(delay) = delay else {
            let (room, feed) = room(Access::Everybody, None)?;
            self.rooms_mut().add(room, None);
            return Ok(FeedPublisher::new(vec![feed], seats));
        };
        let (for_players, at_once) = room(Access::Players, None)?;
        let (late, later) = room(Access::Delayed(delay), Some(delay))?;
        self.rooms_mut().add(late, Some(for_players));
        Ok(FeedPublisher::new(vec![at_once, later], seats))
    }

    /// The same for a match that people play by hand, each with a key. While it goes on, `open` lets anybody look on;
    /// otherwise each of them sees it through its own seat, and nobody else sees it.
    pub fn open_live_with_people(
        &self,
        id: &str,
        game: &'static dyn AnyGame,
        start: Replay,
        people: Vec<SeatedPerson>,
        open: bool,
    ) -> Result<FeedPublisher, ReplayError> {
        let (room, publisher) = self.room_of_people(game, start, people, open)?;
        self.rooms_mut().add(room(id.to_owned()), None);
        Ok(publisher)
    }

    fn room_of_people(
        &self,
        game: &'static dyn AnyGame,
        start: Replay,
        people: Vec<SeatedPerson>,
        open: bool,
    ) -> Result<(impl FnOnce(String) -> Room, FeedPublisher), ReplayError> {
        let (names, seats) = (start.head.bots.clone(), start.head.plan.seats);
        let mut playback = Playback::of_replay(game, start, false, self.redact_faults)?;
        let feed = Arc::new(Feed::new(playback.first_to_move()));
        let publisher = FeedPublisher::new(vec![Arc::clone(&feed)], seats);
        let people = people.into_iter().map(Person::new).collect();
        let access = if open { Access::Everybody } else { Access::People };
        let room = move |id| Room::live(id, game, playback, names, feed, people, access);
        Ok((room, publisher))
    }

    /// Forgets a match that was opened with [`Library::open_live`] or [`Library::open_live_with_people`]. Whoever looks on hears the end of it.
    pub fn close_live(&self, id: &str) {
        let mut rooms = self.rooms_mut();
        if rooms.by_name.get(id).is_some_and(|listed| listed.room.feed.is_some()) {
            rooms.by_name.remove(id);
        }
    }

    /// Whether a match of this name goes on, or is about to be closed.
    pub fn is_live(&self, id: &str) -> bool {
        self.find(id).is_some_and(|room| room.feed.is_some())
    }

    /// Whether a match that goes on is shown to those who play it otherwise than to everybody else.
    pub fn is_delayed(&self, id: &str) -> bool {
        self.rooms().by_name.get(id).is_some_and(|listed| listed.for_players.is_some())
    }

    /// How many turns of a match everybody may see; nothing if it is not on show.
    pub fn turns(&self, id: &str) -> Option<u32> {
        Some(self.find(id)?.progress().turns)
    }

    /// How many turns and seats a match has.
    pub fn size(&self, id: &str) -> Option<(u32, u8)> {
        let room = self.find(id)?;
        let playback = room.playback();
        Some((playback.turns(), playback.seats()))
    }

    fn add(&self, name: &str, room: impl FnOnce(String) -> Room) -> String {
        let mut rooms = self.rooms_mut();
        let base = address_name(name);
        let numbered = (2_u32..).map(|number| format!("{base}-{number}"));
        let id = std::iter::once(base.clone())
            .chain(numbered)
            .find(|id| !rooms.by_name.contains_key(id))
            .expect("there is always another number");
        rooms.add(room(id.clone()), None);
        id
    }

    /// All matches, in the order in which they came.
    pub(crate) fn list(&self) -> Vec<Arc<Room>> {
        let rooms = self.rooms();
        let mut list: Vec<&Listed> = rooms.by_name.values().collect();
        list.sort_unstable_by_key(|listed| listed.came);
        list.into_iter().map(|listed| Arc::clone(&listed.room)).collect()
    }

    /// As everybody may see it.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Room>> {
        self.find_for(id, &[])
    }

    /// As somebody may see it who plays these seats.
    pub(crate) fn find_for(&self, id: &str, plays: &[Seat]) -> Option<Arc<Room>> {
        let rooms = self.rooms();
        let listed = rooms.by_name.get(id)?;
        let own = listed.for_players.as_ref().filter(|_| !plays.is_empty());
        Some(Arc::clone(own.unwrap_or(&listed.room)))
    }

    fn rooms(&self) -> RwLockReadGuard<'_, Rooms> {
        self.rooms.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn rooms_mut(&self) -> RwLockWriteGuard<'_, Rooms> {
        self.rooms.write().unwrap_or_else(PoisonError::into_inner)
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
