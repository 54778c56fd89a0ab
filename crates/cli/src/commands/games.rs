//! `palestra games`: which games there are, and everything about one of them.

use crate::console;
use crate::failure::Failure;
use crate::games::{self, GAMES};
use palestra_core::{AnyGame, Catalog, Hides, Info};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;

/// List the games, or tell everything about one: players, maps, settings, rules
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game to tell about
    game: Option<String>,
    /// Print its rule book
    #[arg(long, requires = "game")]
    rules: bool,
    /// Print its rule book in this language: en, hu or ru
    #[arg(long, value_name = "LANGUAGE", requires = "game", conflicts_with = "json")]
    language: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.game {
        None if args.json => console::print_json(
            &json!({ "games": GAMES.iter().map(|game| describe(*game)).collect::<Vec<_>>() }),
        )?,
        None => console::print(&list())?,
        Some(name) => {
            let game = games::find(name)?;
            match (&args.language, args.rules, args.json) {
                (Some(language), ..) => console::print(rule_book(game, language)?)?,
                (None, true, _) => console::print(game.info().folder.rule_book)?,
                (None, false, true) => console::print_json(&describe(game))?,
                (None, false, false) => console::print(&details(game))?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn rule_book(game: &dyn AnyGame, language: &str) -> Result<&'static str, Failure> {
    let info = game.info();
    match info.folder.rule_book_in(language) {
        (code, book) if code == language => Ok(book),
        _ => {
            let codes: Vec<&str> = info.folder.translations.iter().map(|(code, _)| *code).collect();
            let (title, codes) = (info.title, codes.join(", "));
            Err(Failure::usage(format!(
                "there is no rule book of {title} in \"{language}\"; there are en, {codes}"
            )))
        }
    }
}

fn list() -> String {
    let mut text = String::new();
    for game in GAMES {
        let info = game.info();
        let names: Vec<&str> = game.sparring_ladder().iter().map(|built_in| built_in.name).collect();
        let _ = writeln!(text, "\x1b[1m{}\x1b[0m: {}, {}", info.id, info.summary, players(info));
        let _ = writeln!(text, "  built-in players, the weakest first: {}", names.join(", "));
    }
    text.push_str("\npalestra games GAME tells more about one of them, with --rules its rule book\n");
    text
}

fn players(info: &Info) -> String {
    if info.min_seats == info.max_seats {
        return format!("{} players", info.min_seats);
    }
    format!("{} to {} players", info.min_seats, info.max_seats)
}

fn details(game: &dyn AnyGame) -> String {
    let info = game.info();
    let mut text = format!(
        "\x1b[1m{}\x1b[0m: {}\n{}, time: {}, rules version {}\n",
        info.title,
        info.summary,
        players(info),
        Catalog::english(info).say(&info.time.message()),
        info.rules_version
    );
    text.push_str("\nBuilt-in players, level by level; each clearly beats the one before:\n");
    let beside = game.built_ins().into_iter().filter(|built_in| built_in.level.is_none());
    for built_in in game.sparring_ladder().into_iter().chain(beside) {
        let aliases = if built_in.aliases.is_empty() {
            String::new()
        } else {
            format!(" (or {})", built_in.aliases.join(", "))
        };
        let level = built_in.level.map_or("-".to_owned(), |level| level.to_string());
        let _ = writeln!(text, "  {level}  {}{aliases}: {}", built_in.name, built_in.summary);
    }
    text.push_str("\nMaps that ship, for --map:\n");
    for map in game.maps() {
        let _ = writeln!(text, "  {}", map.name);
    }
    let _ = writeln!(
        text,
        "\nMap generator: palestra map {} {}",
        info.id,
        game.map_arguments().join(" ").to_uppercase()
    );
    text.push_str("\nSettings, for --set:\n");
    for setting in game.settings() {
        let range = setting.range.map_or(String::new(), |range| format!(", {range}"));
        let _ = writeln!(text, "  {} = {}{range}\n      {}", setting.key, setting.default, setting.doc);
    }
    text.push_str("\nLog formats, for palestra replay export:\n");
    for export in game.exports() {
        let _ = writeln!(text, "  {} ({}): {}", export.name, export.file, export.summary);
    }
    text
}

fn describe(game: &dyn AnyGame) -> Value {
    let info = game.info();
    json!({
        "id": info.id,
        "title": info.title,
        "summary": info.summary,
        "rules_version": info.rules_version,
        "min_players": info.min_seats,
        "max_players": info.max_seats,
        "fog": info.hides == Hides::Board,
        "time": info.time.to_string(),
        "built_ins": game.built_ins().iter().map(|built_in| json!({
            "name": built_in.name, "aliases": built_in.aliases, "level": built_in.level, "summary": built_in.summary,
        })).collect::<Vec<_>>(),
        "maps": game.maps().iter().map(|map| map.name).collect::<Vec<_>>(),
        "map_arguments": game.map_arguments(),
        "settings": game.settings(),
        "exports": game.exports().iter().map(|export| json!({
            "name": export.name, "file": export.file, "summary": export.summary,
        })).collect::<Vec<_>>(),
    })
}
