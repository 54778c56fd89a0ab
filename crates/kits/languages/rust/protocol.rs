//! Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.rs is yours.
// A bot need not use everything that it is told.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
{% set types = {"flag": "bool", "int": "i64", "long": "i64", "word": "String"} %}
{% set calls = {"flag": "flag", "int": "number", "long": "number", "word": "word"} %}

{% for c in constants %}
pub const {{ c.name }}: {% if c.is_word %}&str = "{{ c.value }}"{% else %}i64 = {{ c.value }}{% endif %};
{% endfor %}
{% for list in lists if list.record %}

#[derive(Clone, Debug, Default)]
pub struct {{ list.record | pascal }} {
{% for f in list.fields %}
    /// {{ f.about }}
    pub {{ f.name }}: {{ types[f.kind] }},
{% endfor %}
}
{% endfor %}

/// A line of an answer.
pub type Answer = String;

/// Everything that the bot was told.
#[derive(Clone, Debug, Default)]
pub struct Game {
{% for f in fields %}
    /// {{ f.about }}
    pub {{ f.name }}: {{ types[f.kind] }},
{% endfor %}
{% for list in lists %}
    /// {{ list.about }}
    pub {{ list.name }}: Vec<{% if list.record %}{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %}>,
{% endfor %}
}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
        input.expect("{{ s.word }}");
{% elif s.step == "over-when" %}
        let word = input.word();
        if word.is_empty() || word == "{{ s.word }}" {
            return false;
        }
{% elif s.step == "over-otherwise" %}
        if input.word() != "{{ s.word }}" {
            return false;
        }
{% elif s.step == "field" %}
        self.{{ s.field.name }} = {% if s.taken %}word.parse().expect("a number"){% else %}input.{{ calls[s.field.kind] }}(){% endif %};
{% else %}
        self.{{ s.list.name }}.clear();
        for _ in 0..{% if s.list.times | length > 1 %}({% endif %}{% for t in s.list.times %}self.{{ t }}{{ " * " if not loop.last }}{% endfor %}{% if s.list.times | length > 1 %}){% endif %} {
{% if s.list.record %}
            let mut one = {{ s.list.record | pascal }}::default();
{% for f in s.list.fields %}
{% if f.only %}
            if {% for c in f.only %}one.{{ c.name }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %} {
                one.{{ f.name }} = input.{{ calls[f.kind] }}();
            }
{% else %}
            one.{{ f.name }} = input.{{ calls[f.kind] }}();
{% endif %}
{% endfor %}
            self.{{ s.list.name }}.push(one);
{% else %}
            self.{{ s.list.name }}.push(input.{{ calls[s.list.fields[0].kind] }}());
{% endif %}
        }
{% endif %}
{% endfor %}
{% endmacro %}

impl Game {
    /// Reads what comes before the first turn.
    pub fn read_start(&mut self, {{ "_" if not start }}input: &mut Input) {
{{ run(start) -}}
{{ "    }" }}

    /// Reads what comes before a turn; false when the game is over.
    pub fn read_turn(&mut self, input: &mut Input) -> bool {
{{ run(turn) -}}
{{ "        true" }}
    }
}

/// Words from a file or from standard input.
pub struct Input {
    file: Box<dyn BufRead>,
    words: VecDeque<String>,
}

impl Input {
    pub fn open(path: Option<String>) -> Input {
        let file: Box<dyn BufRead> = match path {
            Some(path) => Box::new(BufReader::new(File::open(path).expect("the file of packets"))),
            None => Box::new(io::stdin().lock()),
        };
        Input { file, words: VecDeque::new() }
    }

    /// The next word; an empty one at the end.
    fn word(&mut self) -> String {
        let mut line = String::new();
        while self.words.is_empty() && self.file.read_line(&mut line).expect("words") > 0 {
            self.words.extend(line.split_whitespace().map(str::to_owned));
            line.clear();
        }
        self.words.pop_front().unwrap_or_default()
    }

    fn number(&mut self) -> i64 {
        self.word().parse().expect("a number")
    }

    fn flag(&mut self) -> bool {
        self.word() == "1"
    }

    fn expect(&mut self, word: &str) {
        assert_eq!(self.word(), word);
    }
}

/// An answer as it is sent.
{% if form == "one" %}
pub fn text_of(answer: &Answer) -> String {
    format!("{answer}\n")
}
{% else %}
pub fn text_of(answer: &Vec<Answer>) -> String {
    let lines: String = answer.iter().map(|line| line.to_owned() + "\n").collect();
{% if form == "counted" %}
    format!("{}\n{lines}", answer.len())
{% else %}
    lines + "{{ end }}\n"
{% endif %}
}
{% endif %}

/// Answers a turn.
pub fn send(text: &str) {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).expect("somebody who listens");
}
{% for a in answers %}

/// {{ a.about }}
pub fn {{ a.name }}({% for p in a.parameters %}{{ p.name }}: {{ "&str" if p.kind == "word" else types[p.kind] }}{{ ", " if not loop.last }}{% endfor %}) -> Answer {
    {% if a.parameters %}format!("{{ a.parts | filled("{", "}") }}"){% else %}"{{ a.parts | filled("", "") }}".to_owned(){% endif %}

}
{% endfor %}
{% if grid %}

/// The cells beside one. Cells are counted from 0 here, row by row.
pub fn neighbours(game: &Game, cell: usize) -> impl Iterator<Item = usize> {
    let columns = game.{{ grid.width }} as usize;
    let (column, size) = (cell % columns, game.{{ grid.list }}.len());
    let above = (cell >= columns).then(|| cell - columns);
    let below = (cell + columns < size).then_some(cell + columns);
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < columns).then_some(cell + 1);
    [above, below, left, right].into_iter().flatten()
}

/// For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search.
pub fn steps_to(
    game: &Game,
    goal: impl Fn(&{{ grid.record | pascal }}) -> bool,
    blocked: impl Fn(&{{ grid.record | pascal }}) -> bool,
) -> Vec<i32> {
    let start = |cell| goal(cell) && !blocked(cell);
    let mut steps: Vec<i32> = game.{{ grid.list }}.iter().map(|cell| if start(cell) { 0 } else { -1 }).collect();
    let mut queue: Vec<usize> = (0..steps.len()).filter(|cell| steps[*cell] == 0).collect();
    let mut at = 0;
    while at < queue.len() {
        for other in neighbours(game, queue[at]) {
            if steps[other] < 0 && !blocked(&game.{{ grid.list }}[other]) {
                steps[other] = steps[queue[at]] + 1;
                queue.push(other);
            }
        }
        at += 1;
    }
    steps
}
{% endif %}
