//! `palestra submit` against `palestra serve`: what an author sees of a bot that is good, and of everything that is not.

use crate::arena::stand::{Stand, until};
use crate::support::{fails, palestra, project, run};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use tempfile::{TempDir, tempdir};

/// In which nobody runs out of time, however busy the machine is.
const EVENT: &str =
    "name = \"Test\"\n[[game]]\nid = \"generals\"\nmaps = [\"duel\"]\ntime = \"1min/answer\"\n";

/// A language whose sources are what the compiler does.
pub(crate) const RECIPES: &str = "[[toolchain]]\nname = \"Recipe\"\nextensions = [\"recipe\"]\ntools = [\"sh\"]\n\
                       compile = [\"{tool}\", \"{source}\"]\nrun = [\"{out}\"]\nhint = \"install a shell\"\n";

/// An arena, and somebody who hands in there.
struct Author {
    dir: TempDir,
    stand: Stand,
    key: String,
}

impl Author {
    fn new() -> Author {
        let dir = tempdir().unwrap();
        fs::write(dir.path().join("no-toolchains-of-mine.toml"), RECIPES).unwrap();
        let mut stand = Stand::new(dir.path(), "event", EVENT);
        let players = stand.add_players(&["anna".to_owned()]);
        let key = stand.key(&players[0]);
        stand.open();
        Author { dir, stand, key }
    }

    fn dir(&self) -> &Path {
        self.dir.path()
    }

    fn host(&self) -> String {
        self.stand.site.to_string()
    }

    /// Writes a file and hands it in.
    fn submit(&self, file: &str, content: impl AsRef<[u8]>, more: &[&str]) -> Output {
        fs::write(self.dir().join(file), content).unwrap();
        run(self.dir(), &[&["submit", &self.host(), "generals", file, "--token", &self.key], more].concat())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn an_author_sees_what_becomes_of_a_bot() {
    let author = Author::new();
    let wrong = author.submit("wrong.cpp", "int main() { return nonsense; }\n", &[]);
    let told = text(&wrong.stdout);
    assert_eq!((wrong.status.code(), text(&wrong.stderr).as_str()), (Some(1), "handed in as version 1\n"));
    let first = "version 1 was rejected while it was compiled: wrong.cpp:1:21: error: ";
    assert!(
        told.starts_with(first) && told.lines().next().is_some_and(|line| line.contains("nonsense")),
        "{told}"
    );
    assert!(told.contains("\nwrong.cpp:1:21: error: "), "the whole output is below: {told}");
    assert!(told.ends_with("\nrejected: wrong.cpp does not compile (C++)\n"), "{told}");
    assert!(!told.contains("\n\n"), "{told}");

    let script = "import sys\nprint('it was the cat', file=sys.stderr)\nraise KeyError('map')\n";
    let crash = author.submit("crash.py", script, &["--watch"]);
    let told = text(&crash.stdout);
    assert_eq!(crash.status.code(), Some(1), "{told}");
    assert!(told.contains("    stderr: it was the cat\n"), "{told}");
    assert!(told.contains("\nrejected: it failed in its first match: "), "{told}");
    assert!(told.ends_with("\nversion 2 was rejected in its first match: KeyError: 'map'\n"), "{told}");
    assert_eq!(told.matches("rejected: ").count(), 1, "what was watched is not told again: {told}");

    let good = fs::read(project().join("games/generals/kits/python/generals.py")).unwrap();
    let ready = author.submit("good.py", &good, &[]);
    assert!(ready.status.success(), "{ready:?}");
    assert_eq!(text(&ready.stdout), "version 3 is ready and plays\n");
    let again = author.submit("good.py", &good, &["--json"]);
    let view: Value = serde_json::from_slice(&again.stdout).expect("exactly one JSON object");
    assert_eq!(
        (&view["state"], &view["active"], &view["number"]),
        (&"ready".into(), &true.into(), &4.into())
    );
    assert!(again.status.success() && again.stderr.is_empty(), "{again:?}");
    let bad = author.submit("crash.py", script, &["--json"]);
    let view: Value = serde_json::from_slice(&bad.stdout).expect("exactly one JSON object");
    assert_eq!((bad.status.code(), &view["state"]), (Some(1), &"rejected".into()));
    let rejection = &view["rejection"];
    assert_eq!((&rejection["step"], &rejection["line"]), (&"first-match".into(), &"KeyError: 'map'".into()));
    assert_eq!(rejection["places"][0]["line"], 3, "{rejection}");
    fs::create_dir(author.dir().join("nothing")).unwrap();
    let nothing =
        run(author.dir(), &["submit", &author.host(), "generals", "nothing", "--token", &author.key]);
    assert_eq!(nothing.status.code(), Some(1));
    let told = text(&nothing.stdout);
    assert!(
        told.starts_with("version 6 was rejected while it was unpacked: the archive holds no program"),
        "{told}"
    );
}

#[test]
fn a_compiler_is_watched_while_it_runs() {
    let author = Author::new();
    // It cannot end before its first line was seen.
    let recipe = "echo the cat is on the table\nuntil [ -e go ]; do sleep 0.01; done\nprintf 'off\\n\\nit goes'\nexit 1";
    fs::write(author.dir().join("slow.recipe"), recipe).unwrap();
    let mut command = palestra(author.dir());
    command.args(["submit", &author.host(), "generals", "slow.recipe", "--watch"]);
    let mut submit = command
        .env("PALESTRA_TOKEN", &author.key)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(submit.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while line != "the cat is on the table\n" {
        line.clear();
        assert_ne!(told.read_line(&mut line).unwrap(), 0, "it ended before the compiler");
    }
    fs::write(compiling(author.dir()).join("made/go"), "").unwrap();
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert_eq!(
        rest,
        "off\n\nit goes\nrejected: slow.recipe does not compile (Recipe)\nversion 1 was rejected while it was compiled: it goes\n"
    );
    assert_eq!(submit.wait().unwrap().code(), Some(1));
}

/// The folder in which something is being compiled.
fn compiling(dir: &Path) -> PathBuf {
    let mut found = None;
    until("a folder of the compiler", || {
        let mut folders = vec![dir.to_owned()];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            folders.extend(entries.map(|entry| entry.path()).filter(|path| path.is_dir()));
            if folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(".compiling-")) {
                found = Some(folder);
            }
        }
        found.is_some()
    });
    found.expect("it was found")
}

#[test]
fn what_cannot_be_handed_in_is_said_in_a_sentence() {
    let author = Author::new();
    let (dir, host, key) = (author.dir(), author.host(), author.key.as_str());
    fs::write(dir.join("bot.py"), "print(1)\n").unwrap();
    fs::write(dir.join("bot.exe"), "MZ").unwrap();
    fs::write(dir.join("empty.py"), "").unwrap();
    File::create(dir.join("large.py")).unwrap().set_len((16 << 20) + 1).unwrap();
    let refused = |host: &str, game: &str, file: &str, key: &str, code: i32| {
        let said = fails(dir, &["submit", host, game, file, "--token", key], code);
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    };
    for (game, file, key, why) in [
        ("generals", "bot.py", "wrong", "error: this key opens nothing; make one on your page"),
        ("chess", "bot.py", key, "error: no bots are handed in for chess in this event"),
        ("generals", "missing.py", key, "error: failed to read missing.py: No such file"),
        ("generals", "large.py", key, "error: large.py is larger than 16777216 bytes"),
        ("generals", "empty.py", key, "error: empty.py is empty"),
        ("generals", "bot.exe", key, "error: bot.exe cannot be handed in: take a source file"),
    ] {
        let said = refused(&host, game, file, key, 3);
        assert!(said.starts_with(why), "{said}");
    }
    // A port at which nobody ever listens, the gateway's, and an address where something else is.
    assert!(refused("127.0.0.1:1", "generals", "bot.py", key, 3).contains("cannot be reached"));
    File::create(dir.join("long.py")).unwrap().set_len(8 << 20).unwrap();
    for file in ["bot.py", "long.py"] {
        let gateway = refused(&author.stand.gateway.to_string(), "generals", file, key, 3);
        let site = format!(
            "the arena's gateway, for programs that play; its site is at port {}",
            author.stand.site.port()
        );
        assert!(gateway.contains(&site), "{gateway}");
    }
    let elsewhere = format!("http://{host}/elsewhere");
    assert!(refused(&elsewhere, "generals", "bot.py", key, 3).contains("/elsewhere answers something else"));
    assert!(refused("no address", "generals", "bot.py", key, 2).contains("\"no address\" is no address"));
    assert!(refused(&host, "../admin", "bot.py", key, 2).contains("\"../admin\" is no game"));
    assert!(refused(&host, "generals", "bot.py", "a b", 2).contains("give your key"));
    assert_eq!(author.stand.ask("/api/live")["online"], 0, "the arena is well");
}
