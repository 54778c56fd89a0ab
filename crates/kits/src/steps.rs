//! A description as templates want it: what there is to declare, and what to do to read a packet, step by step.

use crate::description::{AnswerLine, Description, Form, Kind, Line, Over, Part, Value, factors, parts};
use serde::Serialize;

/// Everything that is made from a description.
#[derive(Serialize, Debug)]
pub(crate) struct Steps<'a> {
    /// What is read once, or once a turn.
    fields: Vec<Field<'a>>,
    lists: Vec<List<'a>>,
    constants: Vec<Constant<'a>>,
    start: Vec<Step<'a>>,
    turn: Vec<Step<'a>>,
    grid: Option<GridNames<'a>>,
    answers: Vec<Function<'a>>,
    form: Form,
    end: &'a str,
}

#[derive(Serialize, Clone, Debug)]
struct Field<'a> {
    name: &'a str,
    kind: Kind,
    about: &'a str,
    only: Vec<Condition<'a>>,
}

#[derive(Serialize, Clone, Debug)]
struct Condition<'a> {
    name: &'a str,
    /// `==` or `!=`; none for a flag.
    operator: Option<&'a str>,
    value: Option<&'a str>,
}

#[derive(Serialize, Clone, Debug)]
struct List<'a> {
    name: &'a str,
    /// What one of many words is called; none if a single word is.
    record: Option<&'a str>,
    /// What is multiplied to know how many there are.
    times: Vec<&'a str>,
    fields: Vec<Field<'a>>,
    about: &'a str,
}

/// The list of a board's cells, with all that templates need of it.
#[derive(Serialize, Debug)]
struct GridNames<'a> {
    list: &'a str,
    record: &'a str,
    width: &'a str,
    times: Vec<&'a str>,
}

#[derive(Serialize, Clone, Debug)]
struct Constant<'a> {
    name: &'a str,
    value: &'a Value,
    is_word: bool,
}

#[derive(Serialize, Clone, Debug)]
#[serde(tag = "step", rename_all = "kebab-case")]
enum Step<'a> {
    Expect {
        word: &'a str,
    },
    OverWhen {
        word: &'a str,
    },
    OverOtherwise {
        word: &'a str,
    },
    /// If `taken`, its word was read to see whether the game is over.
    Field {
        field: Field<'a>,
        taken: bool,
    },
    List {
        list: List<'a>,
    },
}

#[derive(Serialize, Clone, Debug)]
struct Function<'a> {
    name: &'a str,
    about: &'a str,
    parameters: Vec<Field<'a>>,
    parts: Vec<Piece<'a>>,
}

/// A word of an answer: as it is, or the one of this name.
#[derive(Serialize, Clone, Debug)]
#[serde(rename_all = "kebab-case")]
enum Piece<'a> {
    Fixed(&'a str),
    Named(&'a str),
}

impl<'a> Steps<'a> {
    pub(crate) fn of(description: &'a Description) -> Steps<'a> {
        let start = steps(description, &description.start, false);
        let turn = steps(description, &description.turn, true);
        let all = || start.iter().chain(&turn);
        let field = |step: &Step<'a>| match step {
            Step::Field { field, .. } => Some(field.clone()),
            _ => None,
        };
        let list = |step: &Step<'a>| match step {
            Step::List { list } => Some(list.clone()),
            _ => None,
        };
        let (fields, lists): (_, Vec<List<'a>>) =
            (all().filter_map(field).collect(), all().filter_map(list).collect());
        let grid = description.grid.as_ref().and_then(|grid| {
            let List { name, record, times, .. } = lists.iter().find(|list| list.name == grid.list)?;
            Some(GridNames { list: name, record: (*record)?, width: &grid.width, times: times.clone() })
        });
        let values = description.words.values().flat_map(|word| &word.values);
        let mut constants: Vec<Constant<'_>> = values
            .map(|(name, value)| Constant { name, value, is_word: matches!(value, Value::Word(_)) })
            .collect();
        constants.sort_by_key(|constant| match constant.value {
            Value::Number(number) => *number,
            Value::Word(_) => 0,
        });
        let function = |line: &'a AnswerLine| Function {
            name: &line.name,
            about: &line.en,
            parameters: named_fields(description, &line.line),
            parts: parts(&line.line)
                .map(|part| match part {
                    Part::Fixed(word) => Piece::Fixed(word),
                    Part::Named(name) => Piece::Named(name),
                })
                .collect(),
        };
        Steps {
            fields,
            lists,
            constants,
            grid,
            answers: description.answer.lines.iter().map(function).collect(),
            form: description.answer.form,
            end: &description.answer.end,
            start,
            turn,
        }
    }
}

fn steps<'a>(description: &'a Description, lines: &'a [Line], is_turn: bool) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for line in lines {
        if let (Some(times), Some(name)) = (&line.times, &line.list) {
            let times = [Some(times), line.across.as_ref()].into_iter().flatten();
            let list = List {
                name,
                record: line.record.as_deref(),
                times: times.flat_map(|times| factors(times)).collect(),
                fields: named_fields(description, &line.line),
                about: line.en.as_deref().unwrap_or_default(),
            };
            steps.push(Step::List { list });
            continue;
        }
        for (at, part) in parts(&line.line).enumerate() {
            match (part, line.over) {
                (Part::Fixed(word), Some(Over::When)) if at == 0 => steps.push(Step::OverWhen { word }),
                // It is over: nobody wants to know the rest.
                (_, Some(Over::When)) => {}
                (Part::Fixed(word), Some(Over::Otherwise)) if at == 0 => {
                    steps.push(Step::OverOtherwise { word });
                }
                // It was read to see whether the game is over, and is what else there can be.
                (Part::Fixed(_), _) if matches!(steps.last(), Some(Step::OverWhen { .. })) => {}
                // Whoever has hung up has nothing more to say.
                (Part::Fixed(word), _) if is_turn && steps.is_empty() => {
                    steps.push(Step::OverOtherwise { word });
                }
                (Part::Fixed(word), _) => steps.push(Step::Expect { word }),
                (Part::Named(name), _) => {
                    let taken = matches!(steps.last(), Some(Step::OverWhen { .. }));
                    steps.push(Step::Field { field: described(description, name), taken });
                }
            }
        }
    }
    steps
}

fn named_fields<'a>(description: &'a Description, line: &'a str) -> Vec<Field<'a>> {
    crate::description::named(line).into_iter().map(|name| described(description, name)).collect()
}

fn described<'a>(description: &'a Description, name: &'a str) -> Field<'a> {
    let word = &description.words[name];
    let condition = |text: &'a String| {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        Condition { name, operator: words.next(), value: words.next() }
    };
    Field { name, kind: word.kind, about: &word.en, only: word.only.iter().map(condition).collect() }
}
