// Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.js is yours.
'use strict';
const fs = require('fs');
{% set initial = {"flag": "false", "int": "0", "long": "0", "word": "''"} %}
{% set calls = {"flag": "flag", "int": "number", "long": "number", "word": "word"} %}

{% for c in constants %}
const {{ c.name }} = {% if c.is_word %}'{{ c.value }}'{% else %}{{ c.value }}{% endif %};
{% endfor %}
{% for list in lists if list.record %}

class {{ list.record | pascal }} {
{% for f in list.fields %}
  /** {{ f.about }} */
  {{ f.name | camel }} = {{ initial[f.kind] }};
{% endfor %}
}
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
    this.expect('{{ s.word }}');
{% elif s.step == "over-when" %}
    const word = this.word();
    if (word === '' || word === '{{ s.word }}') return false;
{% elif s.step == "over-otherwise" %}
    if (this.word() !== '{{ s.word }}') return false;
{% elif s.step == "field" %}
    this.{{ s.field.name | camel }} = {% if s.taken %}Number(word){% else %}this.{{ calls[s.field.kind] }}(){% endif %};
{% else %}
    this.{{ s.list.name | camel }} = [];
    for (let i = {% for t in s.list.times %}this.{{ t | camel }}{{ " * " if not loop.last }}{% endfor %}; i > 0; i--) {
{% if s.list.record %}
      const one = new {{ s.list.record | pascal }}();
{% for f in s.list.fields %}
      {% if f.only %}if ({% for c in f.only %}one.{{ c.name | camel }}{% if c.operator %} {{ c.operator }}= {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %}) {% endif %}one.{{ f.name | camel }} = this.{{ calls[f.kind] }}();
{% endfor %}
      this.{{ s.list.name | camel }}.push(one);
{% else %}
      this.{{ s.list.name | camel }}.push(this.{{ calls[s.list.fields[0].kind] }}());
{% endif %}
    }
{% endif %}
{% endfor %}
{% endmacro %}

/** Everything that the bot was told. */
class Game {
{% for f in fields %}
  /** {{ f.about }} */
  {{ f.name | camel }} = {{ initial[f.kind] }};
{% endfor %}
{% for list in lists %}
  /** {{ list.about }} */
  {{ list.name | camel }} = [];
{% endfor %}

  #words = [];
  #at = 0;
  #rest = '';
  #file;

  /** Begins to read a file, or standard input without one. */
  constructor(file) {
    this.#file = file ? fs.openSync(file, 'r') : 0;
  }

  /** Reads what comes before the first turn. */
  readStart() {
{{ run(start) -}}
{{ "  }" }}

  /** Reads what comes before a turn; false when the game is over. */
  readTurn() {
{{ run(turn) -}}
{{ "    return true;" }}
  }

  /** The next word; an empty one at the end. */
  word() {
    while (this.#at === this.#words.length) {
      const buffer = Buffer.alloc(65536);
      const length = fs.readSync(this.#file, buffer, 0, buffer.length, null);
      if (length === 0) return '';
      // What comes behind the last line break may go on.
      const text = this.#rest + buffer.toString('latin1', 0, length);
      const end = text.lastIndexOf('\n') + 1;
      this.#rest = text.slice(end);
      this.#words = text.slice(0, end).split(/\s+/).filter((word) => word);
      this.#at = 0;
    }
    return this.#words[this.#at++];
  }

  number() {
    return Number(this.word());
  }

  flag() {
    return this.word() === '1';
  }

  expect(word) {
    const found = this.word();
    if (found !== word) throw new Error(`${word} is expected, not ${found}`);
  }
}

/** An answer as it is sent. */
function textOf(answer) {
{% if form == "one" %}
  return answer + '\n';
{% elif form == "counted" %}
  return [answer.length, ...answer].join('\n') + '\n';
{% else %}
  return [...answer, '{{ end }}'].join('\n') + '\n';
{% endif %}
}

/** Answers a turn. */
function send(text) {
  fs.writeSync(1, text);
}
{% for a in answers %}

/** {{ a.about }} */
function {{ a.name | camel }}({% for p in a.parameters %}{{ p.name | camel }}{{ ", " if not loop.last }}{% endfor %}) {
  return `{{ a.parts | filled("${", "}", "camel") }}`;
}
{% endfor %}
{% if grid %}
{% set cells = grid.list | camel %}
{% set width = grid.width | camel %}

/** The cells beside one. Cells are counted from 0 here, row by row. */
function neighbours(game, cell) {
  const found = [];
  if (cell >= game.{{ width }}) found.push(cell - game.{{ width }});
  if (cell + game.{{ width }} < game.{{ cells }}.length) found.push(cell + game.{{ width }});
  if (cell % game.{{ width }} > 0) found.push(cell - 1);
  if ((cell % game.{{ width }}) + 1 < game.{{ width }}) found.push(cell + 1);
  return found;
}

/** For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search. */
function stepsTo(game, goal, blocked) {
  const steps = game.{{ cells }}.map((cell) => (goal(cell) && !blocked(cell) ? 0 : -1));
  const queue = [...steps.keys()].filter((cell) => steps[cell] === 0);
  for (const cell of queue) {
    for (const other of neighbours(game, cell)) {
      if (steps[other] < 0 && !blocked(game.{{ cells }}[other])) {
        steps[other] = steps[cell] + 1;
        queue.push(other);
      }
    }
  }
  return steps;
}
{% endif %}

module.exports = { Game, textOf, send{% for a in answers %}, {{ a.name | camel }}{% endfor %}{% for c in constants %}, {{ c.name }}{% endfor %}{% if grid %}, neighbours, stepsTo{% endif %} };
