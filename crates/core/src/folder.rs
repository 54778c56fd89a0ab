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
    /// First bots to begin from.
    pub kits: &'static [Kit],
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

/// A first bot, to be read and made better.
#[derive(Debug)]
pub struct Kit {
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
/// `README.ru.md`, the words in `words`, the maps in `maps`, the kits in `kits/LANGUAGE`, and
/// the course, `course.toml`.
#[macro_export]
macro_rules! folder {
    (maps: [$($map:literal),+ $(,)?], kits: {$($language:ident: [$($file:literal),+]),+ $(,)?}) => {
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
            kits: &[$($crate::folder::Kit {
                language: stringify!($language),
                files: &$crate::folder!(kit $language: $($file),+),
            }),+],
            course: $crate::folder!(@"/course.toml"),
        }
    };
    (kit $language:ident: $($file:literal),+) => {
        [$(($file, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/kits/", stringify!($language), "/", $file)))),+]
    };
    (@$($path:literal),+) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), $($path),+))
    };
}
