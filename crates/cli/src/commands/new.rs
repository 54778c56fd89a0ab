//! `palestra new`: makes a folder with a first bot in somebody's language.

use crate::console;
use crate::failure::Failure;
use crate::games::{self, GAMES};
use palestra_core::AnyGame;
use palestra_kits::{KitFile, Language, TRAINED, first_match, kit, language, languages, trained_kit};
use palestra_runner::{Guard, Workshop, modes};
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Make a folder with a first bot that plays at once, in your language
///
/// What is not given is asked for. Nothing that is there is overwritten.
#[derive(clap::Args)]
#[command(after_help = "\
The folder holds the bot, whose function choose is yours to make better; what reads and writes the protocol for it; a
test; the rule book; and what VS Code needs to play, check and debug it. It is a bot everywhere:

  palestra new generals --language rust mybot
  palestra play generals mybot random --watch
  palestra check generals mybot
  palestra submit arena.example.org generals mybot --token KEY

There is also python-rl: a bot that was trained, and what trains it, for Palestra's Python package.")]
pub(crate) struct Args {
    /// The game
    game: Option<String>,
    /// The folder to make
    folder: Option<PathBuf>,
    /// The language: its name, or the ending of its files
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let game = match &args.game {
        Some(name) => games::find(name)?,
        None => {
            let names: Vec<&str> = GAMES.iter().map(|game| game.info().id).collect();
            games::find(&ask("Which game", &names)?)?
        }
    };
    let offered = languages(game);
    if args.language.as_deref() == Some(TRAINED)
        && let Some(files) = trained_kit(game)
    {
        let folder = asked_folder(args)?;
        write(files, &folder)?;
        console::print(&told_of_training(game, &folder))?;
        return Ok(ExitCode::SUCCESS);
    }
    let language = match &args.language {
        Some(name) => find_language(game, &offered, name)?,
        None => {
            let names: Vec<&str> = offered.iter().map(|language| language.id).collect();
            find_language(game, &offered, &ask("Which language", &names)?)?
        }
    };
    let folder = asked_folder(args)?;
    write(kit(game, language).expect("it was chosen among those there are"), &folder)?;
    told(game, language, &folder)?;
    Ok(ExitCode::SUCCESS)
}

fn asked_folder(args: &Args) -> Result<PathBuf, Failure> {
    match &args.folder {
        Some(folder) => Ok(folder.clone()),
        None => Ok(PathBuf::from(ask("Which folder is to be made", &[])?)),
    }
}

fn find_language(
    game: &dyn AnyGame,
    offered: &[&'static Language],
    name: &str,
) -> Result<&'static Language, Failure> {
    let found = language(name).filter(|found| offered.iter().any(|one| one.id == found.id));
    found.ok_or_else(|| {
        let mut names: Vec<&str> = offered.iter().map(|language| language.id).collect();
        names.extend(trained_kit(game).map(|_| TRAINED));
        let (title, names) = (game.info().title, names.join(", "));
        Failure::usage(format!("there is no kit for {title} in \"{name}\"; there are {names}"))
    })
}

/// Asks who sits at the terminal; one of these, if there are any.
fn ask(question: &str, among: &[&str]) -> Result<String, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Failure::usage(
            "there is no terminal to ask at; say everything: palestra new GAME --language LANGUAGE FOLDER",
        ));
    }
    let among = if among.is_empty() { String::new() } else { format!(" ({})", among.join(", ")) };
    let mut answer = String::new();
    while answer.trim().is_empty() {
        let mut stderr = io::stderr().lock();
        write!(stderr, "{question}{among}? ")?;
        stderr.flush()?;
        answer.clear();
        if io::stdin().read_line(&mut answer)? == 0 {
            return Err(Failure::usage("nothing was answered, and nothing was made"));
        }
    }
    Ok(answer.trim().to_owned())
}

/// Makes the folder, all of it or nothing.
fn write(files: Vec<KitFile>, folder: &Path) -> Result<(), Failure> {
    let shown = folder.display();
    let failed = |error: io::Error| Failure::input(format!("{shown} cannot be made: {error}"));
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(false) => {}
        Ok(true) => {
            return Err(Failure::input(format!(
                "{shown} is there and not empty, and nothing is overwritten; name another folder"
            )));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(failed)?;
    let fresh = tempfile::Builder::new().prefix(".palestra-new-").tempdir_in(parent).map_err(failed)?;
    for (name, text) in files {
        let file = fresh.path().join(name);
        fs::create_dir_all(file.parent().expect("it is in the folder")).map_err(failed)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(file).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
    }
    modes::set(fresh.path(), 0o755).map_err(failed)?;
    if !folder.exists() {
        fs::rename(fresh.path(), folder).map_err(failed)?;
        let _ = fresh.keep();
        return Ok(());
    }
    // Somebody may stand in the empty folder: it is filled, not replaced.
    for entry in fs::read_dir(fresh.path()).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        fs::rename(entry.path(), folder.join(entry.file_name())).map_err(failed)?;
    }
    Ok(())
}

fn told_of_training(game: &dyn AnyGame, folder: &Path) -> String {
    let (title, quoted) = (game.info().title, crate::shell::quoted(&folder.display().to_string()));
    format!(
        "{quoted} is a bot for {title} that has been trained; it needs Palestra's Python package (docs/training.md)\n\n  \
         palestra {}\n  \
         cd {quoted} && python3 train.py\n",
        first_match(game, &quoted),
    )
}

fn told(game: &dyn AnyGame, language: &Language, folder: &Path) -> Result<(), Failure> {
    let (id, title, shown) = (game.info().id, game.info().title, folder.display());
    let quoted = crate::shell::quoted(&shown.to_string());
    console::print(&format!(
        "{shown} is a bot for {title} in {}; {} in it is yours to make better\n\n  \
         palestra {}\n  \
         palestra submit HOST {id} {quoted} --token KEY\n",
        language.title,
        language.bot,
        first_match(game, &quoted),
    ))?;
    let guard = Guard::off();
    let ending = language.main.rsplit('.').next().unwrap_or_default();
    let toolchains = Workshop::open(&guard)?.toolchains();
    let toolchain = toolchains.iter().find(|one| one.extensions.iter().any(|other| other == ending));
    if let Some(Err(why)) = toolchain.map(|toolchain| &toolchain.tool) {
        console::remark(&format!("{} is needed on this machine to play it: {why}", language.title));
    }
    Ok(())
}
