//! Every number that bounds what somebody can ask of an arena, or cost it.

use std::time::Duration;

// The plan.

/// Bytes of an event's plan.
pub(crate) const PLAN_BYTES: usize = 1 << 20;
/// Bytes of one text of a plan, in one language.
pub(crate) const PLAN_TEXT_BYTES: usize = 20_000;
/// Where the site listens unless the plan says otherwise.
pub const SITE_PORT: u16 = 8080;
/// Where the gateway listens unless the plan says otherwise.
pub(crate) const GATEWAY_PORT: u16 = 4242;
/// Rest after a match against a real opponent, unless the plan says otherwise.
pub(crate) const REST: Duration = Duration::from_secs(10);
/// How long a client that accepts others and the bot waits for others, unless the plan says otherwise.
pub(crate) const BOT_AFTER: Duration = Duration::from_secs(3);
/// How long a scored match waits for somebody, unless the plan says otherwise.
pub const GRACE: Duration = Duration::from_secs(60);
/// Between two pings, unless the plan says otherwise.
pub(crate) const PING: Duration = Duration::from_secs(60);
/// How late a match is shown that hides from its players what is stale within moments, unless the plan says otherwise.
pub(crate) const LIVE_DELAY: Duration = Duration::from_secs(30);
/// A match that is shown late is shown at least so many rounds late.
pub(crate) const DELAY_ROUNDS: u32 = 20;
/// The longest time that a plan may show matches late, short of their end.
pub(crate) const LONGEST_DELAY: Duration = Duration::from_secs(3600);
/// Replays of unscored matches kept, unless the plan says otherwise.
pub(crate) const REPLAYS_KEPT: i64 = 100_000;
/// Matches of programs at the same time, in a plan.
pub(crate) const PARALLEL: u32 = 1000;
/// The least of an invite code.
pub(crate) const INVITE_BYTES: usize = 4;

// Matches.

/// Messages that wait between a match and a session.
pub(crate) const CHANNEL_QUEUE: usize = 64;
/// A match begins at the latest so long after its players were told, whoever is ready.
pub const READY: Duration = Duration::from_secs(10);
/// Matches at the same time altogether.
pub const MATCHES: usize = 10_000;

// People who play by hand.

/// Tables at which people play, or wait for somebody, altogether.
pub(crate) const TABLES: usize = 200;
/// Those among them at which guests sit: there is always room for whoever is signed in.
pub(crate) const TABLES_OF_GUESTS: usize = 100;
/// Tables of one player.
pub const TABLES_OF_PLAYER: usize = 3;
/// Tables of guests from one address. A whole school may have one.
pub(crate) const TABLES_OF_ADDRESS: usize = 20;
/// Tables that one player may open in a minute.
pub(crate) const OPENED_BY_PLAYER: u32 = 20;
/// The same for guests from one address.
pub(crate) const OPENED_BY_ADDRESS: u32 = 60;
/// How long an invitation is good, and how long after a match its people can agree on another one.
pub(crate) const TABLE_KEPT: Duration = Duration::from_secs(15 * 60);
/// How long people may take for an answer, unless the plan says otherwise.
pub(crate) const HAND_TIME: Duration = Duration::from_secs(120);
/// How long a match of people may take altogether.
pub(crate) const HAND_MATCH: Duration = Duration::from_secs(2 * 3600);
/// Matches of people that are kept.
pub(crate) const HAND_KEPT: i64 = 5_000;

// Challenges.

/// Matches of one challenge.
pub(crate) const CHALLENGE_MATCHES: u32 = 20;
/// Challenges of one player that are not over.
pub const CHALLENGES_OF_PLAYER: usize = 3;
/// Challenges altogether that are not over.
pub(crate) const CHALLENGES: usize = 1_000;
/// Challenges that a player may ask for in an hour.
pub(crate) const CHALLENGES_AN_HOUR: u32 = 60;
/// Challenges in one answer.
pub(crate) const LISTED_CHALLENGES: i64 = 30;

// Courses.

/// Steps of one player that wait to be checked.
pub(crate) const COURSE_CHECKS_OF_PLAYER: i64 = 3;
/// The same of everybody together.
pub(crate) const COURSE_CHECKS: i64 = 300;
/// Checks that a player may ask for in an hour.
pub(crate) const COURSE_CHECKS_AN_HOUR: u32 = 120;
/// How long the matches of one check may take together.
pub(crate) const COURSE_CHECK: Duration = Duration::from_secs(60);
/// Between two looks whether nothing else has a use for the machine.
pub(crate) const COURSE_PAUSE: Duration = Duration::from_millis(250);

// The hub.

/// Commands that wait for the hub.
pub(crate) const COMMANDS: usize = 10_000;
/// Commands and results taken at a time.
pub const BATCH: usize = 512;
/// Before the store is asked again after it said no.
pub(crate) const STORE_RETRY: Duration = Duration::from_millis(500);
/// Matches of former days that the ladder remembers.
pub(crate) const RECALLED: i64 = 20_000;
/// Matches of a round that wait for their players.
pub(crate) const ROUND_WAITING: usize = 1000;
/// Matches of built-in players alone on the ladder of one game, at the same time.
pub(crate) const HOUSE_MATCHES: usize = 1;
/// Between the beginnings of two such matches, at least: they would fill the database day and night.
pub const HOUSE_PAUSE: Duration = Duration::from_secs(1);
/// How often in a row a match with a bot may fail to begin before the bot sits out.
pub(crate) const STRIKES: u32 = 3;
/// Before the log is told the same remark again.
pub(crate) const TELL_AGAIN: Duration = Duration::from_secs(600);
/// Unscored matches between two looks for replays that are too old.
pub(crate) const FORGET_EVERY: i64 = 1000;
/// News of the workshop that wait for the hub.
pub const NEWS: usize = 100;
/// How long an arena may take to close.
pub const STOP: Duration = Duration::from_secs(5);
/// Between two times that measurements are counted.
pub(crate) const UPKEEP: Duration = Duration::from_secs(5);
/// Between two looks at what could begin.
pub const MOMENT: Duration = Duration::from_millis(50);
/// Between two snapshots of the whole for those who look on.
pub(crate) const SNAPSHOT: Duration = Duration::from_millis(250);
/// Running matches that a snapshot shows.
pub const SHOWN_RUNNING: usize = 50;
/// Rounds that are over, or were called off, which a snapshot shows: the latest.
pub const SHOWN_ROUNDS: usize = 12;
/// Results that a snapshot shows.
pub(crate) const SHOWN_LATEST: usize = 20;
/// Numbers of matches taken from the store at a time.
pub(crate) const NUMBER_BLOCK: i64 = 1000;

/// Matches that the machine has spoilt, of which it is remembered when that was.
pub(crate) const STALLS: usize = 1000;
/// For how long they are told.
pub(crate) const STALL_SPAN: Duration = Duration::from_secs(600);
/// Programs that want a core, for each core there is, beyond which a machine is busy.
pub(crate) const BUSY_LOAD: f64 = 1.5;
/// Versions that wait, beyond which the workshop is behind.
pub(crate) const BUSY_QUEUE: u32 = 20;

// Accounts.

/// Bytes of a player's name: the clients of old have no room for more.
pub const NAME_BYTES: usize = 28;
/// Letters that are looked at of what is said to be a name.
pub(crate) const NAME_LETTERS: usize = 200;
/// Marks above and below one letter of a name.
pub(crate) const NAME_MARKS: usize = 2;
/// Letters of a password that is made up.
pub(crate) const NEW_PASSWORD: usize = 12;
/// Letters of a key.
pub(crate) const KEY_LETTERS: usize = 40;
/// Connections to the database.
pub(crate) const CONNECTIONS: u32 = 8;
/// Between two looks of a standby whether the event is free.
pub(crate) const STANDBY_LOOK: Duration = Duration::from_millis(500);
/// Between two looks of a server whether it still has the event.
pub(crate) const LOCK_LOOK: Duration = Duration::from_secs(1);
/// How long the database may take to answer such a look.
pub(crate) const DATABASE_ANSWER: Duration = Duration::from_secs(5);
/// Between two looks whether the sessions of a former server are gone.
pub(crate) const SESSION_END: Duration = Duration::from_millis(20);
/// Workers that a page lists.
pub(crate) const SHOWN_WORKERS: usize = 200;
/// Matches at workers' that can be looked on at while they are played, at a time.
pub(crate) const SHOWN_REMOTE: usize = 64;
/// Bytes of the turns of one of them, with what its bots write to standard error.
pub(crate) const LIVE_BYTES: usize = 64 << 20;
/// Versions that are remembered as those that no worker could play.
pub(crate) const HOMEBOUND: usize = 10_000;
/// Bytes of packed programs that are kept at hand for workers.
pub(crate) const PACKS_BYTES: usize = 256 << 20;
/// Letters of the name of a server among those that share a database.
pub(crate) const SERVER_NAME: usize = 16;
/// Rows that one statement writes: no database takes more than some thousand values at a time.
pub(crate) const ROWS: usize = 100;
/// Bytes of a password.
pub(crate) const PASSWORD_BYTES: std::ops::RangeInclusive<usize> = 6..=200;
/// Accounts altogether.
pub const PLAYERS: i64 = 100_000;
/// Players in one file that is imported.
pub(crate) const IMPORTED_PLAYERS: usize = 5_000;
/// Bytes of an announcement, or of a reason.
pub const TEXT_BYTES: usize = 2_000;
/// Announcements shown.
pub(crate) const ANNOUNCEMENTS: i64 = 20;
/// How long somebody stays signed in.
pub(crate) const SIGNED_IN: Duration = Duration::from_secs(30 * 24 * 3600);
/// Keys for programs of one player.
pub const TOKENS: i64 = 20;

/// Bytes of one row in a backup.
pub(crate) const BACKUP_ROW_BYTES: usize = 512 << 20;

// Lists.

/// Matches in one answer.
pub(crate) const LISTED_MATCHES: i64 = 100;
/// Rounds in one answer.
pub(crate) const LISTED_ROUNDS: usize = 100;
/// Matches of one stage on the page of its round; in a larger stage those of the latest rounds.
pub const PAGE_MATCHES: usize = 20_000;
/// The page of a round that goes on is not made again before so many times as long have passed as that takes.
pub(crate) const PAGE_PAUSE: u32 = 20;
/// Points of a rating chart.
pub const CHART_POINTS: usize = 150;
/// Opponents listed on a bot's page.
pub(crate) const LISTED_OPPONENTS: i64 = 500;
/// Lines of the log in one answer.
pub(crate) const LOG_LINES: i64 = 100;
/// A player's own matches that are looked through for one answer; the next one goes on from there.
pub(crate) const OWN_MATCHES: i64 = 5_000;
/// Matches that are marked as seen at a time.
pub(crate) const SEEN_AT_ONCE: usize = 100;
/// Matches of which it is remembered one by one that a player has seen them: when there are more, everything up to the
/// oldest of these counts as seen.
pub(crate) const SEEN: i64 = 1_000;
/// Players that somebody follows, and that one list of matches is asked for.
pub const FOLLOWS: usize = 100;
/// Versions of a bot that are compared, the latest, and their opponents altogether.
pub(crate) const COMPARED_VERSIONS: i64 = 30;
/// See [`COMPARED_VERSIONS`].
pub(crate) const COMPARED_MEETINGS: i64 = 10_000;

// What is handed in.

/// Bytes of a file that is handed in.
pub const UPLOAD_BYTES: usize = 16 << 20;
/// Files in an archive.
pub const ARCHIVE_FILES: usize = 1_000;
/// Bytes of an archive's files, counted while they are unpacked.
pub const UNPACKED_BYTES: u64 = 64 << 20;
/// Bytes of a path in an archive, and of the name of a file that is handed in.
pub(crate) const PATH_BYTES: usize = 200;
/// Folders inside each other in an archive.
pub(crate) const ARCHIVE_DEPTH: usize = 10;
/// Versions that are compiled and tried at the same time, at most: one for each core, and one for each player.
pub(crate) const WORKERS: usize = 4;
/// Versions of one player that wait, or are being tried.
pub const WAITING_VERSIONS: i64 = 3;
/// Versions that a player may hand in within `HAND_IN_SPAN`.
pub const HANDED_IN: i64 = 30;
/// The time for that.
pub(crate) const HAND_IN_SPAN: Duration = Duration::from_secs(3600);
/// Versions of a bot whose files are kept, the active one aside.
pub const KEPT_VERSIONS: i64 = 20;
/// Bytes of a player's kept files and of what was made of them. The oldest that do not play go first.
pub const PLAYER_BYTES: i64 = 512 << 20;
/// Bytes of what is told about a version.
pub const VERSION_LOG_BYTES: usize = 128 << 10;
/// Bytes of an author's note on a version.
pub const NOTE_BYTES: usize = 500;
/// Bytes of sources that are shown; the others can be downloaded.
pub(crate) const SHOWN_SOURCE_BYTES: u64 = 1 << 20;
/// Bytes of a source that is tried without being handed in.
pub const TRIAL_BYTES: usize = 256 << 10;
/// Sources that a player may try within `HAND_IN_SPAN`.
pub(crate) const TRIALS: i64 = 60;
/// Versions that are settled of which the feed tells, the latest.
pub(crate) const SHOWN_SETTLED: usize = 100;
/// Places in a source file that are shown of what a compiler complains about.
pub(crate) const COMPLAINTS: usize = 50;
/// Bytes of one complaint.
pub(crate) const COMPLAINT_BYTES: usize = 400;
/// How long a first match may take, all tries together; it is broken off then, and whoever made no mistake so far has
/// passed: a bot that sleeps, or thinks, is no reason to let others wait.
pub(crate) const SMOKE: Duration = Duration::from_secs(30);
/// First matches in which a bot may run out of time because this machine was busy, before that counts.
pub(crate) const SMOKE_TRIES: u32 = 3;
/// Deaths of the arena in a row at which a program was at work, and no other, before it is set aside.
pub(crate) const DEATHS_ALONE: u32 = 2;
/// The same where others were at work. After one fewer, programs play one match at a time.
pub(crate) const DEATHS: u32 = 3;
/// Between two tries of something that needs the store while that is out of reach.
pub(crate) const STORE_PAUSE: Duration = Duration::from_secs(5);
/// How long a client's last words may take on their way out of a match.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(1);

// The gateway.

/// Connections altogether.
pub(crate) const GATEWAY_CONNECTIONS: usize = 20_000;
/// Connections altogether that have not logged in: beyond that, one of them makes room for a newcomer.
pub(crate) const STRANGERS: usize = 4_000;
/// Connections of one address that have not logged in. Who has logged in is counted by players, not by addresses: a whole
/// school may have one.
pub const STRANGERS_OF_ADDRESS: usize = 1_000;
/// Connections that wait to be taken, at the gateway and at the site: everybody may come back at the same moment.
pub(crate) const BACKLOG: u32 = 4_096;
/// Between two tries to take a connection when the system has no room for it.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How long somebody may take to log in.
pub(crate) const LOGIN_TIME: Duration = Duration::from_secs(60);
/// Tries to log in on one connection.
pub const LOGIN_TRIES: u32 = 5;
/// How long a failed try is not answered.
pub(crate) const LOGIN_PAUSE: Duration = Duration::from_secs(1);
/// Bytes of one line.
pub const LINE_BYTES: usize = 4 << 10;
/// Bytes that a client may send between two pings, or two packets of a match, which are for no match.
pub(crate) const IDLE_BYTES: usize = 64 << 10;
/// Lines that a client may send between two pings which ask something of the hub.
pub(crate) const WISHES: u32 = 100;
/// Players that one wish may name.
pub(crate) const WISHED_PLAYERS: usize = 500;
/// Bytes taken from a connection at a time.
pub const READ_BYTES: usize = 16 << 10;
/// Bytes of a piece that is small: it costs more to be woken for it than to read it.
pub(crate) const SMALL_PIECE_BYTES: usize = 256;
/// Small pieces that are taken one by one as they come in.
pub(crate) const SMALL_PIECES: u32 = 256;
/// Those that are forgiven with everything that a client is sent: its answer may have some lines.
pub(crate) const SMALL_PIECES_OF_ANSWER: u32 = 4;
/// Between two small pieces beyond that: what comes in meanwhile is one piece.
pub(crate) const SMALL_PIECE_PAUSE: Duration = Duration::from_millis(1);
/// Bytes that may wait for a client that does not read.
pub const UNSENT_BYTES: usize = 1 << 20;
/// How long they may wait.
pub(crate) const UNSENT_TIME: Duration = Duration::from_secs(10);
/// Pings without a line in answer, after which a client is gone.
pub const UNANSWERED_PINGS: u32 = 3;
/// Players in the list that clients of old are sent, best first.
pub(crate) const LISTED_PLAYERS: usize = 1_000;
/// How long after a match its client is told how it stands: the hub has counted it by then.
pub(crate) const NEWS_PAUSE: Duration = Duration::from_secs(1);
/// Between two lists of players for one client.
pub(crate) const LIST_PAUSE: Duration = Duration::from_secs(10);
/// Bytes of one piece of what a bot at the other end of a bridge wrote.
pub const PIECE_BYTES: usize = 64 << 10;
/// How long a bridge may take to end its bot after a match.
pub(crate) const BRIDGE_DONE: Duration = Duration::from_secs(15);
/// How long somebody who has lost the way to the site may take to say everything, and how many bytes that may be: a file
/// that is handed in at the wrong port.
pub(crate) const STRAY_TIME: Duration = Duration::from_secs(5);
/// See [`STRAY_TIME`].
pub(crate) const STRAY_BYTES: usize = UPLOAD_BYTES + REQUEST_HEAD_BYTES;
/// Orders that wait for a session.
pub(crate) const ORDERS: usize = 4;
/// How long a match waits for a session to look once more.
pub const LOOK: Duration = Duration::from_secs(5);
/// How long a match of built-in players may keep a thread to itself.
pub(crate) const HOG: Duration = Duration::from_millis(1);

// Downloads.

/// Files that the folder of downloads may hold; of more, the first by name are offered.
pub(crate) const DOWNLOADS: usize = 200;
/// Bytes of one of them; larger ones are not offered.
pub(crate) const DOWNLOAD_BYTES: u64 = 4 << 30;
/// Bytes of one of their names.
pub(crate) const DOWNLOAD_NAME_BYTES: usize = 120;
/// Bytes that are read from one at a time.
pub(crate) const DOWNLOAD_PIECE_BYTES: usize = 128 << 10;
/// Downloads at the same time: each keeps a file open.
pub(crate) const DOWNLOADS_AT_ONCE: usize = 500;
/// Between two looks into the folder.
pub(crate) const DOWNLOADS_LOOK: Duration = Duration::from_secs(2);

// The site.

/// Connections of browsers and programs altogether: beyond that, an idle one makes room for a newcomer.
pub(crate) const SITE_CONNECTIONS: usize = 10_000;
/// Connections of one address. A whole school may have one.
pub const SITE_CONNECTIONS_OF_ADDRESS: usize = 4_000;
/// How long a browser may take to say who it is, in TLS.
pub(crate) const HANDSHAKE: Duration = Duration::from_secs(10);
/// How long a browser may take to say what it wants, and how long a connection may be idle.
pub(crate) const REQUEST_HEAD: Duration = Duration::from_secs(30);
/// Bytes of the head of a request.
pub const REQUEST_HEAD_BYTES: usize = 16 << 10;
/// How long the body of a request may take.
pub(crate) const REQUEST_BODY: Duration = Duration::from_secs(120);
/// Bytes of a body that have to come within [`BODY_PACE`] while it has not ended.
pub(crate) const BODY_BYTES: usize = 64 << 10;
/// See [`BODY_BYTES`].
pub(crate) const BODY_PACE: Duration = Duration::from_secs(10);
/// How long a browser may take nothing of what it is sent.
pub(crate) const STUCK: Duration = Duration::from_secs(30);
/// How long browsers may go on when the arena ends.
pub(crate) const LAST_REQUESTS: Duration = Duration::from_secs(2);
/// Bytes of a body of JSON.
pub const REQUEST_BYTES: usize = 64 << 10;
/// Bytes of a list of players that is imported.
pub const IMPORT_BYTES: usize = 1 << 20;
/// Requests a second from one address.
pub(crate) const REQUESTS_OF_ADDRESS: u32 = 5_000;
/// Accounts that are registered a minute from one address.
pub(crate) const REGISTERED_OF_ADDRESS: u32 = 120;
/// Tries to sign in to one account on one lane (an address, or a browser that was there before) without a pause.
pub const GUESSES_OF_LANE: u32 = 5;
/// Tries to sign in to one account, wherever they come from, before others have to wait for it.
pub(crate) const GUESSES_OF_ACCOUNT: u32 = 20;
/// Tries to sign in from one address before others there have to wait for it. A whole school may have one.
pub(crate) const GUESSES_OF_ADDRESS: u32 = 100;
/// The first pause after too many of them; every further one is twice as long.
pub const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause between two tries at one account on one lane.
pub(crate) const LANE_PAUSE: Duration = Duration::from_secs(4);
/// The longest that somebody waits for others who guess at the same account or address.
pub(crate) const CROWD_PAUSE: Duration = Duration::from_secs(3);
/// How long tries at one account on one lane may wait for each other; further ones are sent away.
pub(crate) const GUESS_QUEUE: Duration = Duration::from_secs(20);
/// After this time one try is forgotten.
pub(crate) const GUESS_FORGOTTEN: Duration = Duration::from_secs(60);
/// How long a browser that has signed in is known to have done so.
pub(crate) const DEVICE_KNOWN: Duration = Duration::from_secs(365 * 24 * 3600);
/// Files handed in a minute by one player.
pub const UPLOADS_OF_PLAYER: u32 = 6;
/// Sources looked at a minute by one person.
pub(crate) const SOURCES_OF_PLAYER: u32 = 60;
/// Files handed in at the same time by everybody; each player hands in one at a time.
pub(crate) const UPLOADS_AT_ONCE: usize = 32;
/// Passwords that are looked at or made at the same time: each takes memory and time, on purpose.
pub(crate) const PASSWORDS_AT_ONCE: usize = 2;
/// Addresses, names or players that a limit remembers before it forgets those that it need not know.
pub(crate) const REMEMBERED: usize = 10_000;
/// Streams of news altogether: beyond that, the longest of them makes room for another.
pub(crate) const STREAMS: usize = 8_000;
/// Streams of news to one address.
pub const STREAMS_OF_ADDRESS: usize = 2_000;
/// Between two pieces of news to one browser.
pub(crate) const NEWS_EVERY: Duration = Duration::from_millis(500);
/// For each who listens, that much longer between two pieces of news to any of them.
pub(crate) const LISTENER_SHARE: Duration = Duration::from_millis(1);
/// A stream that has nothing to say says so this often.
pub const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Matches of which it is remembered who sits where.
pub(crate) const SITTINGS: usize = 20_000;
/// How long the store may take to say that it is well.
pub(crate) const HEALTH: Duration = Duration::from_secs(5);
/// Letters of what a key is for.
pub(crate) const LABEL_BYTES: usize = 100;
/// Places of a round that is over whose owners are named wherever the round is.
pub(crate) const PODIUM_PLACES: u32 = 3;
/// Names there, if many share a place.
pub(crate) const PODIUM_LINES: usize = 12;
