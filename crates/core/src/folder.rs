//! What is in a game's folder beside its code.

/// The files of a game that the program carries with it, made with [`folder!`](crate::folder!).
#[derive(Debug)]
pub struct Folder {
    /// The rule book, in English: where another one says something else, this one is right.
    pub rule_book: &'static str,
    /// The rule book in other languages, by their codes: "ru".
    pub translations: &'static [(&'static str, &'static str)],
    /// Its words for people, by the codes of [`LANGUAGES`](crate::catalog::LANGUAGES).
    pub words: &'static [(&'static str, &'static str)],
    /// Maps that ship with the game.
    pub maps: &'static [SampleMap],
    /// What a bot is sent and what it answers: the readers and writers of starter kits are made from it.
    pub protocol: &'static str,
    /// What a seat was sent in a whole match, for the tests of starter kits.
    pub packets: &'static str,
    /// Names and texts of the files that a person edits in the starter kits, one for each language.
    pub bots: &'static [(&'static str, &'static str)],
    /// Names and texts of the files of a bot in Python that is trained, and of what trains it; `main.py` is what is started.
    pub trained: &'static [(&'static str, &'static str)],
    /// Names and texts of whole bots in one file, to begin with where there is no room for a folder.
    pub starters: &'static [(&'static str, &'static str)],
    /// Clients that play through a server by themselves.
    pub clients: &'static [Client],
    /// The course, as [`Course`](crate::Course) reads it.
    pub course: &'static str,
}

/// A map that ships with a game.
#[derive(Debug)]
pub struct SampleMap {
    /// Its name, for `--map`.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A program that speaks with a server by itself, with a first bot in it.
#[derive(Debug)]
pub struct Client {
    /// The folder it is in, called by its language: "python", "cpp".
    pub language: &'static str,
    /// Names and texts of its files; the first one is what is started or compiled.
    pub files: &'static [(&'static str, &'static str)],
}

impl Folder {
    /// The rule book in a language, or in English if it is not there; with the code of what it is in.
    pub fn rule_book_in(&self, language: &str) -> (&'static str, &'static str) {
        let translated = self.translations.iter().find(|(code, _)| *code == language);
        translated.copied().unwrap_or(("en", self.rule_book))
    }
}

/// The [`Folder`](crate::folder::Folder) of the crate that says this: the rule books `README.md`, `README.hu.md` and
/// `README.ru.md`, the words in `words`, the maps in `maps`, what a bot is sent and answers in `protocol.toml`, what
/// starter kits are made of in `kits`, and the course in `course.toml`. `bots: all` is a bot in every language.
#[macro_export]
macro_rules! folder {
    (maps: $maps:tt, bots: all $($others:tt)*) => {
        $crate::folder! {
            maps: $maps,
            bots: [
                "bot.py", "bot.hpp", "bot.h", "bot.rs", "Bot.java", "bot.kt", "bot.cs", "bot.go", "bot.js", "bot.ts",
                "bot.pas", "bot.rb", "bot.php",
            ]
            $($others)*
        }
    };
    (
        maps: [$($map:literal),+ $(,)?],
        bots: [$($bot:literal),* $(,)?]
        $(, trained: [$($trained:literal),+ $(,)?])?
        $(, starters: {$($language:ident: $starter:literal),+ $(,)?})?
        $(, clients: {$($client:ident: [$($file:literal),+]),+ $(,)?})? $(,)?
    ) => {
        $crate::folder::Folder {
            rule_book: $crate::folder!(@"/README.md"),
            translations: &[("hu", $crate::folder!(@"/README.hu.md")), ("ru", $crate::folder!(@"/README.ru.md"))],
            words: &[
                ("en", $crate::folder!(@"/words/en.json")),
                ("hu", $crate::folder!(@"/words/hu.json")),
                ("ru", $crate::folder!(@"/words/ru.json")),
            ],
            maps: &[$($crate::folder::SampleMap {
                name: $map,
                text: $crate::folder!(@"/maps/", $map, ".txt"),
            }),+],
            protocol: $crate::folder!(@"/protocol.toml"),
            packets: $crate::folder!(@"/kits/packets.txt"),
            bots: &[$(($bot, $crate::folder!(@"/kits/", $bot))),*],
            trained: &[$($(($trained, $crate::folder!(@"/kits/python-rl/", $trained))),+)?],
            starters: &[$($(($starter, $crate::folder!(kit $language: $starter))),+)?],
            clients: &[$($($crate::folder::Client {
                language: stringify!($client),
                files: &[$(($file, $crate::folder!(kit $client: $file))),+],
            }),+)?],
            course: $crate::folder!(@"/course.toml"),
        }
    };
    (kit $language:ident: $file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kits/", stringify!($language), "/", $file))
    };
    (@$($path:literal),+) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), $($path),+))
    };
}
