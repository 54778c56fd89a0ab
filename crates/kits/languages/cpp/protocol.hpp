// Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.hpp is yours.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
{% set types = {"flag": "bool", "int": "int", "long": "long long", "word": "std::string"} %}
{% set initial = {"flag": " = false", "int": " = 0", "long": " = 0", "word": ""} %}

{% for c in constants %}
{% if c.is_word %}
inline const std::string {{ c.name }} = "{{ c.value }}";
{% else %}
const int {{ c.name }} = {{ c.value }};
{% endif %}
{% endfor %}
{% for list in lists if list.record %}

struct {{ list.record | pascal }} {
{% for f in list.fields %}
    {{ types[f.kind] }} {{ f.name }}{{ initial[f.kind] }};  // {{ f.about }}
{% endfor %}
};
{% endfor %}

// A line of an answer.
using Answer = std::string;
{% macro read(target, taken=false) %}{% if taken %}{{ target }} = std::stoi(word){% else %}in >> {{ target }}{% endif %}{% endmacro %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
        expect(in, "{{ s.word }}");
{% elif s.step == "over-when" %}
        if (!(in >> word) || word == "{{ s.word }}") return false;
{% elif s.step == "over-otherwise" %}
        if (!(in >> word) || word != "{{ s.word }}") return false;
{% elif s.step == "field" %}
        {{ read(s.field.name, s.taken) }};
{% else %}
        {{ s.list.name }}.assign({% for t in s.list.times %}{{ t }}{{ " * " if not loop.last }}{% endfor %}, {});
{% if s.list.record %}
        for ({{ s.list.record | pascal }} &one : {{ s.list.name }}) {
{% for f in s.list.fields %}
            {% if f.only %}if ({% for c in f.only %}one.{{ c.name }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %}) {% endif %}in >> one.{{ f.name }};
{% endfor %}
        }
{% else %}
        for (auto &one : {{ s.list.name }}) in >> one;
{% endif %}
{% endif %}
{% endfor %}
{% endmacro %}

// Everything that the bot was told.
struct Game {
{% for f in fields %}
    {{ types[f.kind] }} {{ f.name }}{{ initial[f.kind] }};  // {{ f.about }}
{% endfor %}
{% for list in lists %}
    std::vector<{% if list.record %}{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %}> {{ list.name }};  // {{ list.about }}
{% endfor %}

    // Reads what comes before the first turn.
    void read_start([[maybe_unused]] std::istream &in) {
{{ run(start) -}}
{{ "    }" }}

    // Reads what comes before a turn; false when the game is over.
    bool read_turn(std::istream &in) {
        std::string word;
{{ run(turn) -}}
{{ "        return bool(in);" }}
    }

private:
    static void expect(std::istream &in, const std::string &word) {
        std::string found;
        if (!(in >> found) || found != word) throw std::runtime_error(word + " is expected, not " + found);
    }
};

inline std::string text(long long number) { return std::to_string(number); }
inline std::string text(const std::string &word) { return word; }

// An answer as it is sent.
{% if form == "one" %}
inline std::string text_of(const Answer &answer) { return answer + "\n"; }
{% else %}
inline std::string text_of(const std::vector<Answer> &answer) {
    std::string all{% if form == "counted" %} = std::to_string(answer.size()) + "\n"{% endif %};
    for (const Answer &line : answer) all += line + "\n";
    return all{% if form == "ended" %} + "{{ end }}\n"{% endif %};
}
{% endif %}
{% for a in answers %}

// {{ a.about }}
inline Answer {{ a.name }}({% for p in a.parameters %}{{ "const std::string &" if p.kind == "word" else types[p.kind] ~ " " }}{{ p.name }}{{ ", " if not loop.last }}{% endfor %}) {
    return {{ ("\"" ~ (a.parts | filled("\" + text(", ") + \"")) ~ "\"") | replace("\"\" + ", "") | replace(" + \"\"", "") }};
}
{% endfor %}
{% if grid %}

// The cells beside one. Cells are counted from 0 here, row by row.
inline std::vector<int> neighbours(const Game &game, int cell) {
    std::vector<int> found;
    if (cell >= game.{{ grid.width }}) found.push_back(cell - game.{{ grid.width }});
    if (cell + game.{{ grid.width }} < int(game.{{ grid.list }}.size())) found.push_back(cell + game.{{ grid.width }});
    if (cell % game.{{ grid.width }} > 0) found.push_back(cell - 1);
    if (cell % game.{{ grid.width }} + 1 < game.{{ grid.width }}) found.push_back(cell + 1);
    return found;
}

// For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search.
template <typename Goal, typename Blocked>
std::vector<int> steps_to(const Game &game, Goal goal, Blocked blocked) {
    std::vector<int> steps(game.{{ grid.list }}.size(), -1), queue;
    for (size_t cell = 0; cell < steps.size(); cell++) {
        if (goal(game.{{ grid.list }}[cell]) && !blocked(game.{{ grid.list }}[cell])) {
            steps[cell] = 0;
            queue.push_back(cell);
        }
    }
    for (size_t at = 0; at < queue.size(); at++) {
        for (int other : neighbours(game, queue[at])) {
            if (steps[other] < 0 && !blocked(game.{{ grid.list }}[other])) {
                steps[other] = steps[queue[at]] + 1;
                queue.push_back(other);
            }
        }
    }
    return steps;
}
{% endif %}
