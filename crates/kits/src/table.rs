//! The table of a rule book that says what a bot is sent and what it answers, in every language that rule books are in.

use crate::description::{AnswerLine, Description, Form, Line, Over, named};
use std::fmt::Write as _;

/// Where the table begins in a rule book,
pub const TABLE_BEGIN: &str = "<!-- made from protocol.toml -->\n";
/// and where it ends.
pub(crate) const TABLE_END: &str = "<!-- end -->\n";

/// What a table needs to know of a language.
struct Words {
    head: [&'static str; 3],
    start: &'static str,
    turn: &'static str,
    answer: &'static str,
    once: &'static str,
    first: &'static str,
    last: &'static str,
    count: &'static str,
    end: &'static str,
    over: &'static str,
    over_otherwise: &'static str,
}

const ENGLISH: Words = Words {
    head: ["line", "how often", "what it says"],
    start: "At the start",
    turn: "Before each turn",
    answer: "The answer",
    once: "once",
    first: "first",
    last: "last",
    count: "how many lines follow",
    end: "ends the answer",
    over: "the game is over",
    over_otherwise: "anything else: the game is over",
};
const HUNGARIAN: Words = Words {
    head: ["sor", "hányszor", "mit jelent"],
    start: "Kezdéskor",
    turn: "Minden lépés előtt",
    answer: "A válasz",
    once: "egyszer",
    first: "elsőként",
    last: "utolsóként",
    count: "hány sor következik",
    end: "lezárja a választ",
    over: "a játéknak vége",
    over_otherwise: "bármi más: a játéknak vége",
};
const RUSSIAN: Words = Words {
    head: ["строка", "сколько раз", "что означает"],
    start: "В начале",
    turn: "Перед каждым ходом",
    answer: "Ответ",
    once: "один раз",
    first: "первой",
    last: "последней",
    count: "сколько строк следует",
    end: "завершает ответ",
    over: "игра окончена",
    over_otherwise: "что-либо другое: игра окончена",
};

/// Chooses what is in one of the languages.
fn pick<'a>(language: &str, en: &'a str, hu: &'a str, ru: &'a str) -> &'a str {
    match language {
        "hu" => hu,
        "ru" => ru,
        _ => en,
    }
}

/// The table in a language: en, hu or ru.
pub fn table(description: &Description, language: &str) -> String {
    let words = match language {
        "hu" => &HUNGARIAN,
        "ru" => &RUSSIAN,
        _ => &ENGLISH,
    };
    let mut text = String::new();
    let mut block = |title: &str, rows: Vec<[String; 3]>| {
        if rows.is_empty() {
            return;
        }
        let _ = write!(text, "**{title}**\n\n| {} |\n|---|---|---|\n", words.head.join(" | "));
        for [line, times, says] in rows {
            let _ = writeln!(text, "| `{line}` | {times} | {says} |");
        }
        text.push('\n');
    };
    let sent = |line: &Line| sent_row(description, line, language, words);
    block(words.start, description.start.iter().map(sent).collect());
    block(words.turn, description.turn.iter().map(sent).collect());
    let mut rows: Vec<[String; 3]> = Vec::new();
    let answered = |line: &AnswerLine| answer_row(description, line, language);
    match description.answer.form {
        Form::One => rows.extend(description.answer.lines.iter().map(answered)),
        Form::Counted => {
            rows.push(["count", words.first, words.count].map(str::to_owned));
            rows.extend(description.answer.lines.iter().map(answered));
        }
        Form::Ended => {
            rows.extend(description.answer.lines.iter().map(answered));
            rows.push([description.answer.end.as_str(), words.last, words.end].map(str::to_owned));
        }
    }
    block(words.answer, rows);
    text
}

/// A rule book with its table made anew; the same one if it has no place for it.
pub fn with_table(book: &str, description: &Description, language: &str) -> String {
    let Some((before, rest)) = book.split_once(TABLE_BEGIN) else {
        return book.to_owned();
    };
    let Some((_, behind)) = rest.split_once(TABLE_END) else {
        return book.to_owned();
    };
    let table = table(description, language);
    format!("{before}{TABLE_BEGIN}\n{table}{TABLE_END}{behind}")
}

fn sent_row(description: &Description, line: &Line, language: &str, words: &Words) -> [String; 3] {
    let times = line.times.as_ref().map_or_else(|| words.once.to_owned(), |times| format!("`{times}`"));
    let [en, hu, ru] = [&line.en, &line.hu, &line.ru].map(|text| text.as_deref().unwrap_or_default());
    let own = pick(language, en, hu, ru);
    let over = match line.over {
        Some(Over::When) => words.over,
        Some(Over::Otherwise) => words.over_otherwise,
        None => "",
    };
    let said = [own, over].into_iter().filter(|text| !text.is_empty()).map(str::to_owned);
    let said: Vec<String> = said.chain(meanings(description, &line.line, language)).collect();
    let mut shown = plain(&line.line);
    if let Some(across) = &line.across {
        shown = format!("{shown} ... ({across})");
    }
    [shown, times, said.join("; ")]
}

fn answer_row(description: &Description, line: &AnswerLine, language: &str) -> [String; 3] {
    let own = pick(language, &line.en, &line.hu, &line.ru).to_owned();
    let said: Vec<String> = std::iter::once(own).chain(meanings(description, &line.line, language)).collect();
    let often = match description.answer.form {
        Form::One => pick(language, "one of these", "ezek egyike", "одна из этих"),
        Form::Counted | Form::Ended => {
            pick(language, "as often as you like", "akárhányszor", "сколько угодно")
        }
    };
    [plain(&line.line), often.to_owned(), said.join("; ")]
}

/// What each word of a line means.
fn meanings<'a>(
    description: &'a Description,
    line: &'a str,
    language: &'a str,
) -> impl Iterator<Item = String> + 'a {
    named(line).into_iter().map(move |name| {
        let word = &description.words[name];
        format!("`{name}`: {}", pick(language, &word.en, &word.hu, &word.ru))
    })
}

fn plain(line: &str) -> String {
    line.replace(['{', '}'], "")
}
