//! Starter kits: a folder that plays at once, in the language that somebody likes best.
//!
//! A kit is made of three things. What reads and writes the protocol is made from the game's `protocol.toml` by the
//! templates of a language, in `languages/`; so is the program around it. What a person edits, the bot, is written by hand
//! for every game and language and lies in the game's `kits/`. The rule book's tables come from the same description.

mod description;
mod language;
mod reader;
mod steps;
mod table;

pub use description::{Description, DescriptionError};
pub use language::{LANGUAGES, Language, language};
pub use reader::{answered, turns};
pub use table::{TABLE_BEGIN, table, with_table};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, UndefinedBehavior, context};
use palestra_core::AnyGame;
use steps::Steps;

/// A file of a kit: its path in the folder, and its text.
pub type KitFile = (String, String);

/// The languages in which a game has a bot to begin with.
pub fn languages(game: &dyn AnyGame) -> Vec<&'static Language> {
    let bots = game.info().folder.bots;
    LANGUAGES.iter().filter(|language| bots.iter().any(|(file, _)| *file == language.bot)).collect()
}

/// Everything in the kit of a game in a language, if the game has a bot in it.
///
/// # Panics
///
/// If the game's description cannot be used: a test makes every kit of every game.
pub fn kit(game: &dyn AnyGame, language: &Language) -> Option<Vec<KitFile>> {
    let info = game.info();
    let (_, bot) = info.folder.bots.iter().find(|(file, _)| *file == language.bot)?;
    let description = Description::read(info.folder.protocol);
    let description = description.unwrap_or_else(|error| panic!("{}: {error}", info.id));
    let turns =
        turns(&description, info.folder.packets).unwrap_or_else(|error| panic!("{}: {error}", info.id));
    let steps = Steps::of(&description);
    let context = context! {
        id => info.id,
        title => info.title,
        language => language.title,
        main => language.main,
        bot => language.bot,
        test => language.test,
        build => language.build,
        debugger => language.debugger,
        turns => turns,
        opponents => opponents(game),
        ..Value::from(Serde(&steps))
    };
    let environment = environment();
    let fill = |(name, template): &(&str, &str)| {
        let text = environment.render_named_str(name, template, context.clone());
        ((*name).to_owned(), text.unwrap_or_else(|error| panic!("{name} of {}: {error:#}", language.id)))
    };
    let made = language.files.iter().chain(COMMON).map(fill);
    let plain = [
        (language.bot.to_owned(), (*bot).to_owned()),
        ("packets.txt".to_owned(), info.folder.packets.to_owned()),
        ("RULES.md".to_owned(), info.folder.rule_book.to_owned()),
    ];
    Some(made.chain(plain).collect())
}

/// What the language of a bot that is trained is called on command lines.
pub const TRAINED: &str = "python-rl";

/// Everything in the kit of a bot that is trained, if the game has one. It needs the Python package, so that it is not among
/// the languages of an arena.
pub fn trained_kit(game: &dyn AnyGame) -> Option<Vec<KitFile>> {
    let folder = &game.info().folder;
    let rules = ("RULES.md", folder.rule_book);
    let files = folder.trained.iter().copied().chain([rules]);
    let owned = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
    (!folder.trained.is_empty()).then(|| files.map(owned).collect())
}

/// How a kit's first match is played, behind `palestra `, with the folder or file that plays.
pub fn first_match(game: &dyn AnyGame, bot: &str) -> String {
    format!("play {} {bot} {} --watch", game.info().id, opponents(game))
}

/// The weakest built-in player, as many of it as it takes.
fn opponents(game: &dyn AnyGame) -> String {
    let weakest = game.built_ins().first().map_or("random", |player| player.name);
    vec![weakest; usize::from(game.info().min_seats).saturating_sub(1).max(1)].join(" ")
}

const COMMON: &[(&str, &str)] = &[
    ("README.md", include_str!("../languages/README.md")),
    (".vscode/launch.json", include_str!("../languages/launch.json")),
    (".vscode/tasks.json", include_str!("../languages/tasks.json")),
];

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let syntax =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build();
    environment.set_syntax(syntax.expect("the usual delimiters"));
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    environment.add_filter("camel", camel);
    environment.add_filter("pascal", pascal);
    environment.add_filter("filled", filled);
    environment
}

/// `to_row` as `toRow`.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| all + &pascal(word))
}

/// `to_row` as `ToRow`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}

/// The line of an answer as the languages' strings with places in them want it: what is put before and behind each name.
fn filled(parts: Value, before: &str, behind: &str, case: Option<&str>) -> Result<String, minijinja::Error> {
    let mut words = Vec::new();
    for part in parts.try_iter()? {
        let fixed = part.get_attr("fixed")?;
        if !fixed.is_undefined() {
            words.push(fixed.to_string());
            continue;
        }
        let name = part.get_attr("named")?.to_string();
        let name = match case {
            Some("camel") => camel(&name),
            Some("pascal") => pascal(&name),
            _ => name,
        };
        words.push(format!("{before}{name}{behind}"));
    }
    Ok(words.join(" "))
}
