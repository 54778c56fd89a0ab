//! `palestra connect`: lets a bot of this machine play at an arena.

mod link;
mod secure;
mod show;
mod waiting;

use crate::failure::Failure;
use crate::games;
use crate::match_args::GuardArgs;
use crate::{console, shell, signals};
use link::{Begin, Counts, Link, Message, Over};
use palestra_core::{AnyGame, Catalog, Exit};
use palestra_runner::{Delegate, Guard, Interrupt, Launch, Outside, Workshop, wait};
use secure::Trust;
use serde_json::{Value, json};
use show::Show;
use std::io::{self, ErrorKind};
use std::net::ToSocketAddrs as _;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::{Duration, Instant};
use waiting::Waiting;

/// Let a bot of this machine play at an arena
///
/// The bot is started anew for every match, here, and everything it says and hears goes through the connection. When that
/// breaks, the match that is being played is lost, and it is made again. Ctrl-C leaves after the match that is being played,
/// a second one at once.
#[derive(clap::Args)]
#[command(after_help = "\
For example:
  palestra connect arena.school.org --tls --token KEY --game generals -- ./mybot.py
  palestra connect localhost:4242 --game rps --opponents bot --matches 3 -- ./mybot --fast

While nobody is there to play, the arena's own bot is: --opponents any,bot. A match against it is practice; one against
another player counts for the rating, and one of a round for that too.

Exit codes: 0 left, 2 usage, 3 the arena does not want this client, 4 the bot could not be started or compiled.")]
pub(crate) struct Args {
    /// The arena: its name or address, and its gateway's port [default port: 4242]
    #[arg(value_name = "HOST[:PORT]")]
    host: Host,
    /// Speak TLS, if the arena's plan has it: nobody on the way reads the key, or changes a move
    #[arg(long)]
    tls: bool,
    /// Your key, from your page at the arena's site [default: the environment variable PALESTRA_TOKEN]
    #[arg(long, value_name = "KEY")]
    token: Option<String>,
    /// The game
    #[arg(long)]
    game: String,
    /// Whom to play: any, bot (the arena's own), none, players' numbers, or several of them: 3,7,bot
    #[arg(long, value_name = "WHOM", default_value = "any", value_parser = opponents)]
    opponents: String,
    /// Leave after so many matches
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    matches: Option<u32>,
    /// Show what the bot writes to its standard error
    #[arg(long)]
    stderr: bool,
    #[command(flatten)]
    guard: GuardArgs,
    /// Print one JSON object for everything that happens, each in a line of its own
    #[arg(long)]
    json: bool,
    /// Tell nothing but results
    #[arg(long, short)]
    quiet: bool,
    /// The bot, as in `palestra play`, and its arguments
    #[arg(last = true, required = true, value_name = "BOT")]
    bot: Vec<String>,
}

/// Where an arena is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Host {
    name: String,
    port: u16,
}

const PORT: u16 = 4242;
/// Before a connection is made again: at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// How long what a bot is told at the start may be behind the news that a match begins.
const HELLO: Duration = Duration::from_millis(50);

impl FromStr for Host {
    type Err = String;

    fn from_str(text: &str) -> Result<Host, String> {
        let bad = || format!("write HOST or HOST:PORT, as in localhost:{PORT}");
        // An address of the new kind has colons of its own: behind a bracket comes a port.
        let (name, port) = match (text.strip_prefix('['), text.split_once(':')) {
            (Some(rest), _) => {
                let (name, port) = rest.split_once(']').ok_or_else(bad)?;
                (name, (!port.is_empty()).then_some(port.strip_prefix(':').ok_or_else(bad)))
            }
            (None, Some((name, port))) if !port.contains(':') => (name, Some(Ok(port))),
            (None, _) => (text, None),
        };
        let port = match port {
            None => PORT,
            Some(port) => port?.parse().map_err(|_| bad())?,
        };
        if name.is_empty() || name.contains(['/', '@', ' ']) {
            return Err(bad());
        }
        Ok(Host { name: name.to_owned(), port })
    }
}

/// The words of a wish, as the arena reads them.
fn opponents(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
    let known = |word: &&str| matches!(*word, "any" | "bot") || word.parse::<u32>().is_ok();
    match words.as_slice() {
        ["none"] => Ok(String::new()),
        [] => Err("write any, bot, none, or players' numbers, as in 3,7,bot".to_owned()),
        words => match words.iter().find(|word| !known(word)) {
            None => Ok(words.join(" ")),
            Some(word) => Err(format!("\"{word}\" is neither any, bot, none nor a player's number")),
        },
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = games::find(&args.game)?;
    let token = token(args)?;
    let Host { name, port } = &args.host;
    if let Err(error) = (name.as_str(), *port).to_socket_addrs() {
        return Err(Failure::usage(format!("there is no host \"{name}\": {error}")));
    }
    let trust = args.tls.then(Trust::of_this_machine).transpose()?;
    let guard = args.guard.guard()?;
    let (name, mut launch) = find_bot(game, &args.bot, &guard, args.quiet || args.json)?;
    launch.own_stderr = !args.stderr;
    // Before anybody hears of it: a bot that cannot be started cannot play.
    drop(Delegate::start(&name, &launch, &guard)?);
    let interrupt = signals::interrupt()?;
    let show = Show::new(args.json, args.quiet);
    let mut client = Client {
        args,
        token,
        trust,
        bot: name,
        launch,
        guard: &guard,
        interrupt: &interrupt,
        show,
        played: 0,
        results: Results::default(),
        standing: None,
        waiting: Waiting::default(),
        playing: false,
        ended: false,
        leaving: false,
        welcomed: false,
        connected: false,
    };
    client.run()?;
    Ok(ExitCode::SUCCESS)
}

fn token(args: &Args) -> Result<String, Failure> {
    let token = args.token.clone().or_else(|| std::env::var("PALESTRA_TOKEN").ok()).unwrap_or_default();
    match token.is_empty() || token.contains(char::is_whitespace) {
        true => Err(Failure::usage(
            "give your key from your page at the arena's site: --token KEY, without blanks",
        )),
        false => Ok(token),
    }
}

/// The bot that these words mean: a file and its arguments, or a command line.
fn find_bot(
    game: &dyn AnyGame,
    words: &[String],
    guard: &Guard,
    quiet: bool,
) -> Result<(String, Launch), Failure> {
    let workshop = Workshop::open(guard)?;
    let mut tell = |text: &str| {
        if !quiet {
            console::remark(text);
        }
    };
    let (first, arguments) = words.split_first().expect("clap asks for one");
    let bot = if Path::new(first).exists() {
        workshop.file(Path::new(first), first, &mut tell)?
    } else if arguments.is_empty() {
        workshop.bot(game, first, &mut tell)?
    } else {
        workshop.bot(game, &shell::line(words), &mut tell)?
    };
    match bot.link {
        palestra_runner::Link::Program(mut launch) => {
            if Path::new(first).exists() {
                launch.command.extend(arguments.iter().map(Into::into));
            }
            Ok((bot.entrant.name, launch))
        }
        _ => Err(Failure::usage(format!(
            "{first} is a built-in player, which the arena has itself; name a program or a source file"
        ))),
    }
}

struct Client<'a> {
    args: &'a Args,
    token: String,
    /// Whom TLS is spoken with, if it is.
    trust: Option<Trust>,
    bot: String,
    launch: Launch,
    guard: &'a Guard,
    interrupt: &'a Interrupt,
    show: Show,
    played: u32,
    results: Results,
    standing: Option<String>,
    /// What the arena says that it waits for.
    waiting: Waiting,
    playing: bool,
    /// Whether the bot of this match has ended by itself.
    ended: bool,
    /// Somebody wants to stop.
    leaving: bool,
    /// Whether the arena has let it in since the connection was made.
    welcomed: bool,
    /// Whether there ever was a connection.
    connected: bool,
}

#[derive(Default)]
struct Results {
    won: u32,
    drawn: u32,
    other: u32,
}

enum End {
    /// As it should.
    Left,
    /// It is to be made again.
    Lost(String),
}

/// Why a connection was not used any further.
enum Stop {
    Lost(String),
    Failed(Failure),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        match error.kind() {
            // It would say the same again.
            ErrorKind::InvalidData => Stop::Failed(Failure::input(error)),
            _ => Stop::Lost(error.to_string()),
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failed(failure)
    }
}

impl Client<'_> {
    /// Connects, and connects again, until it is time to leave.
    fn run(&mut self) -> Result<(), Failure> {
        let mut pause = FIRST_PAUSE;
        loop {
            self.show.state(format!("connecting to {}", self.args.host.name));
            let why = match self.connect()? {
                End::Left => return Ok(()),
                End::Lost(why) => why,
            };
            if std::mem::take(&mut self.welcomed) {
                pause = FIRST_PAUSE;
            }
            let seconds = pause.as_secs();
            let event = json!({ "event": "lost", "why": why, "again_in_seconds": seconds });
            self.show.say(&format!("{why}; connecting again in {seconds} s"), event)?;
            self.show.state(format!("{why}; connecting again"));
            let outside = Outside {
                socket: None,
                writing: false,
                interrupt: Some(self.interrupt),
                timeout: Some(pause),
            };
            wait(None, outside);
            if self.interrupt.raised() {
                return Ok(());
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn connect(&mut self) -> Result<End, Failure> {
        let Host { name, port } = &self.args.host;
        let mut link = match Link::open(&self.args.host, self.trust.as_ref()) {
            Ok(link) => link,
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(Failure::input(error)),
            // An arena that did speak TLS is only not there again yet.
            Err(error) if error.kind() == ErrorKind::Unsupported && !self.connected => {
                return Err(Failure::input(error));
            }
            Err(error) => return Ok(End::Lost(format!("no connection to {name} port {port}: {error}"))),
        };
        self.connected = true;
        match self.stay(&mut link) {
            Ok(()) => {
                link.finish();
                Ok(End::Left)
            }
            Err(Stop::Lost(why)) => Ok(End::Lost(why)),
            Err(Stop::Failed(failure)) => Err(failure),
        }
    }

    /// Logs in, waits for matches and plays them, until it leaves.
    fn stay(&mut self, link: &mut Link) -> Result<(), Stop> {
        let login = format!("login {} {}\n", self.args.game, self.token);
        link.send(format!("{login}opponent {}\n", self.args.opponents).as_bytes())?;
        loop {
            while let Some(message) = link.next()? {
                match message {
                    Message::Begin(begin) => {
                        (self.playing, self.ended) = (true, false);
                        let played = self.play(link, &begin);
                        self.playing = false;
                        played?;
                        self.show_waiting();
                    }
                    message => self.hear(link, message)?,
                }
            }
            if self.has_enough() {
                link.send(b"bye\n")?;
                return Ok(());
            }
            self.wait(link, None, None);
            link.receive()?;
        }
    }

    fn has_enough(&self) -> bool {
        self.leaving || self.args.matches.is_some_and(|matches| self.played >= matches)
    }

    /// What an arena says at any time.
    fn hear(&mut self, link: &mut Link, message: Message) -> Result<(), Stop> {
        match message {
            Message::Ping => link.send(b"pong\n")?,
            Message::Welcome { player, name } => {
                self.welcomed = true;
                let event = json!({ "event": "connected", "player": player, "name": name });
                let text = format!("connected to {} as {name}, player {player}", self.args.host.name);
                self.show.say(&text, event)?;
                self.show_waiting();
            }
            Message::Standing { place, of, points, elo } => {
                let text = format!("place {place} of {of}, {points} points, rating {elo}");
                let event =
                    json!({ "event": "standing", "place": place, "of": of, "points": points, "rating": elo });
                self.show.say(&text, event)?;
                self.standing = Some(text);
                self.show_waiting();
            }
            Message::Waiting(waits_for) => {
                let event = Waiting::event(&waits_for);
                let hint = !self.wishes_bot();
                let text = self.waiting.learn(waits_for, hint);
                self.tell_waiting(text, event)?;
            }
            Message::Next { name, seconds } => {
                let event = json!({ "event": "next", "round": name, "in_seconds": seconds });
                let text = self.waiting.learn_next(name, seconds);
                self.tell_waiting(Some(text), event)?;
            }
            Message::Bye { why, again: true } => return Err(Stop::Lost(why)),
            Message::Bye { why, again: false } => return Err(Stop::Failed(Failure::input(why))),
            // What belongs to a match that is over here.
            Message::Bytes(_) | Message::Over(_) | Message::Begin(_) => {}
        }
        Ok(())
    }

    fn play(&mut self, link: &mut Link, begin: &Begin) -> Result<(), Stop> {
        let versus = versus(begin);
        let event = json!({
            "event": "begin", "match": begin.number, "seat": begin.seat, "scored": begin.counts == Counts::Scored,
            "rated": begin.counts != Counts::Practice, "names": begin.names,
        });
        let counts = match begin.counts {
            Counts::Scored => "it counts for the round and the rating",
            Counts::Free => "it counts for the rating",
            Counts::Practice => "it is practice, and counts for nothing",
        };
        let text = format!("match {}{versus} begins; {counts}", begin.number);
        self.show.say(&text, event)?;
        self.show.state(format!("match {}{versus}", begin.number));
        let mut bot = Delegate::start(&self.bot, &self.launch, self.guard)
            .map_err(|error| Stop::Failed(error.into()))?;
        if let Some(over) = self.get_ready(link, &mut bot)? {
            return self.finish(link, begin, bot, &over);
        }
        link.send(b"ready\n")?;
        loop {
            while let Some(message) = link.next()? {
                match message {
                    Message::Bytes(bytes) => bot.tell(&bytes),
                    Message::Over(over) => return self.finish(link, begin, bot, &over),
                    message => self.hear(link, message)?,
                }
            }
            self.wait(link, Some(&mut bot), None);
            link.receive()?;
        }
    }

    /// Waits until the bot has started, and has read what it is told at the start. The match may be over by then.
    fn get_ready(&mut self, link: &mut Link, bot: &mut Delegate) -> Result<Option<Over>, Stop> {
        let deadline = Instant::now() + HELLO;
        let mut told = false;
        while !told && Instant::now() < deadline {
            while let Some(message) = link.next()? {
                match message {
                    Message::Bytes(bytes) => {
                        bot.tell(&bytes);
                        told = true;
                    }
                    Message::Over(over) => return Ok(Some(over)),
                    message => self.hear(link, message)?,
                }
            }
            if !told {
                self.wait(link, None, Some(deadline));
                link.receive()?;
            }
        }
        bot.get_ready(told, None);
        Ok(None)
    }

    fn finish(&mut self, link: &mut Link, begin: &Begin, mut bot: Delegate, over: &Over) -> Result<(), Stop> {
        self.played += 1;
        let Over { result, words } = over;
        match result.as_str() {
            "won" => self.results.won += 1,
            "drawn" => self.results.drawn += 1,
            _ => self.results.other += 1,
        }
        let event = json!({ "event": "over", "match": begin.number, "result": words, "result_data": result });
        self.show.result(&format!("match {}{}: {words}", begin.number, versus(begin)), event)?;
        // Many end with the last packet, as they should.
        if self.ended && result == "disqualified" {
            self.mourn(&mut bot)?;
        }
        bot.end();
        // Whoever is about to leave is not free for another match.
        if !self.has_enough() {
            link.send(b"done\n")?;
        }
        Ok(())
    }

    /// Waits until something happens, and carries what the bot wrote to the arena.
    fn wait(&mut self, link: &mut Link, bot: Option<&mut Delegate>, until: Option<Instant>) {
        let until = until.unwrap_or_else(|| link.silent_at());
        let outside = Outside {
            socket: Some(link.socket()),
            writing: link.is_writing(),
            interrupt: (!self.leaving).then_some(self.interrupt),
            timeout: Some(until.saturating_duration_since(Instant::now())),
        };
        let woken = wait(bot.filter(|_| !link.is_full()), outside);
        // A connection that does not take it is found to be broken when it is read.
        if !woken.output.is_empty() {
            let _ = link.send_piece(&woken.output);
        }
        if woken.ended {
            let _ = link.send(b"ended\n");
            self.ended = true;
        }
        if woken.interrupted && self.interrupt.raised() {
            self.leaving = true;
            if self.playing {
                let text = "leaving after this match; Ctrl-C again leaves at once";
                let _ = self.show.say(text, json!({ "event": "leaving" }));
            }
        }
    }

    /// A bot that ends before its match does has something to say about that, or its author wants to know.
    fn mourn(&self, bot: &mut Delegate) -> Result<(), Failure> {
        let (exit, lines) = bot.last_words();
        let how = Catalog::core("en").say(&exit.unwrap_or(Exit::ClosedOutput).message());
        for line in std::iter::once(format!("the bot {how} before the match was over")).chain(lines) {
            self.show.say(&line, json!({ "event": "bot", "text": line }))?;
        }
        Ok(())
    }

    fn show_waiting(&self) {
        let Results { won, drawn, other } = &self.results;
        let results = match self.played {
            0 => String::new(),
            _ => format!(" · {won} won, {drawn} drawn, {other} not"),
        };
        let standing = self.standing.as_ref().map(|standing| format!(" · {standing}")).unwrap_or_default();
        self.show.state(format!("{}{results}{standing}", self.waiting));
    }

    /// Whether the arena's own bot is among those wished for.
    fn wishes_bot(&self) -> bool {
        self.args.opponents.split(' ').any(|word| word == "bot")
    }

    fn tell_waiting(&self, text: Option<String>, event: Value) -> Result<(), Failure> {
        if self.args.json || text.is_some() {
            self.show.say(text.as_deref().unwrap_or_default(), event)?;
        }
        self.show_waiting();
        Ok(())
    }
}

/// " against X and Y", everybody but the own seat.
fn versus(begin: &Begin) -> String {
    let others = begin.names.iter().enumerate().filter(|(index, _)| index + 1 != begin.seat);
    let others: Vec<&str> = others.map(|(_, name)| name.as_str()).collect();
    if others.is_empty() { String::new() } else { format!(" against {}", others.join(" and ")) }
}

#[cfg(test)]
mod tests {
    use super::{Host, opponents};

    #[test]
    fn hosts_are_read_in_every_spelling() {
        let host = |text: &str| text.parse::<Host>().map(|host| (host.name, host.port));
        for (text, name, port) in [
            ("arena", "arena", 4242),
            ("arena:80", "arena", 80),
            ("::1", "::1", 4242),
            ("[::1]", "::1", 4242),
            ("[::1]:80", "::1", 80),
        ] {
            assert_eq!(host(text), Ok((name.to_owned(), port)), "{text}");
        }
        for text in ["", ":80", "arena:", "arena:x", "arena:99999", "[::1", "[::1]80", "http://arena"] {
            assert!(host(text).unwrap_err().contains("HOST:PORT"), "{text}");
        }
    }

    #[test]
    fn opponents_are_read_as_the_arena_reads_them() {
        assert_eq!(opponents("any"), Ok("any".to_owned()));
        assert_eq!(opponents("none"), Ok(String::new()));
        assert_eq!(opponents("3,7, bot"), Ok("3 7 bot".to_owned()));
        for text in ["", "anna", "none,3", "-1", "3;7"] {
            assert!(opponents(text).is_err(), "{text}");
        }
    }
}
