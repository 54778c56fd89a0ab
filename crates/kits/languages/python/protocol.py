"""Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.py is yours."""
import os
import sys

{% macro word(field, taken=false) %}
{% set source = "word" if taken else "next(words)" %}
{% if field.kind == "word" %}{{ source }}{% elif field.kind == "flag" %}{{ source }} == "1"{% else %}int({{ source }}){% endif %}
{% endmacro %}
{% macro initial(field) %}{% if field.kind == "word" %}""{% elif field.kind == "flag" %}False{% else %}0{% endif %}{% endmacro %}
{% for c in constants %}
{{ c.name }} = {% if c.is_word %}"{{ c.value }}"{% else %}{{ c.value }}{% endif %}

{% endfor %}
{% for list in lists if list.record %}


class {{ list.record | pascal }}:
    __slots__ = ({% for f in list.fields %}"{{ f.name }}", {% endfor %})
{% for f in list.fields %}
    # {{ f.name }}: {{ f.about }}
{% endfor %}
{% endfor %}


class Game:
    """Everything that the bot was told."""

    def __init__(self, file=os.environ.get("PALESTRA_PACKETS")):
        self.words = words_of(open(file) if file else sys.stdin)
{% for f in fields %}
        self.{{ f.name }} = {{ initial(f) }}  # {{ f.about }}
{% endfor %}
{% for list in lists %}
        self.{{ list.name }} = []  # {{ list.about }}
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
        expect(words, "{{ s.word }}")
{% elif s.step == "over-when" %}
        word = next(words, "")
        if word in ("", "{{ s.word }}"):
            return False
{% elif s.step == "over-otherwise" %}
        if next(words, "") != "{{ s.word }}":
            return False
{% elif s.step == "field" %}
        self.{{ s.field.name }} = {{ word(s.field, s.taken) | trim }}
{% elif s.list.record %}
        self.{{ s.list.name }} = []
        for _ in range({% for t in s.list.times %}self.{{ t }}{{ " * " if not loop.last }}{% endfor %}):
            {{ s.list.record }} = {{ s.list.record | pascal }}()
{% for f in s.list.fields %}
{% if f.only %}
            {{ s.list.record }}.{{ f.name }} = {{ initial(f) }}
            if {% for c in f.only %}{{ s.list.record }}.{{ c.name }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " and " if not loop.last }}{% endfor %}:
                {{ s.list.record }}.{{ f.name }} = {{ word(f) | trim }}
{% else %}
            {{ s.list.record }}.{{ f.name }} = {{ word(f) | trim }}
{% endif %}
{% endfor %}
            self.{{ s.list.name }}.append({{ s.list.record }})
{% else %}
        self.{{ s.list.name }} = [{{ word(s.list.fields[0]) | trim }} for _ in range({% for t in s.list.times %}self.{{ t }}{{ " * " if not loop.last }}{% endfor %})]
{% endif %}
{% endfor %}
{% endmacro %}

    def read_start(self):
        """Reads what comes before the first turn."""
{% if start %}
        words = self.words
{{ run(start) -}}
{% endif %}

    def read_turn(self):
        """Reads what comes before a turn; False when the game is over."""
        words = self.words
{{ run(turn) -}}
{{ "        return True" }}

    def answer(self, answer):
        """Answers a turn."""
        sys.stdout.write(text_of(answer))
        sys.stdout.flush()


def words_of(file):
    for line in file:
        yield from line.split()


def expect(words, word):
    found = next(words, "")
    if found != word:
        raise ValueError(f"{word} is expected, not {found}")


def text_of(answer):
    """An answer as it is sent."""
{% if form == "one" %}
    return answer + "\n"
{% elif form == "counted" %}
    return "".join(line + "\n" for line in [str(len(answer)), *answer])
{% else %}
    return "".join(line + "\n" for line in [*answer, "{{ end }}"])
{% endif %}
{% for a in answers %}


def {{ a.name }}({% for p in a.parameters %}{{ p.name }}{{ ", " if not loop.last }}{% endfor %}):
    """{{ a.about }}"""
    return {% if a.parameters %}f{% endif %}"{{ a.parts | filled("{", "}") }}"
{% endfor %}
{% if grid %}


def neighbours(game, cell):
    """The cells beside one. Cells are counted from 0 here, row by row."""
    column = cell % game.{{ grid.width }}
    if cell >= game.{{ grid.width }}:
        yield cell - game.{{ grid.width }}
    if cell + game.{{ grid.width }} < len(game.{{ grid.list }}):
        yield cell + game.{{ grid.width }}
    if column > 0:
        yield cell - 1
    if column + 1 < game.{{ grid.width }}:
        yield cell + 1


def steps_to(game, goal, blocked):
    """For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search."""
    steps = [0 if goal(cell) and not blocked(cell) else -1 for cell in game.{{ grid.list }}]
    queue = [cell for cell, distance in enumerate(steps) if distance == 0]
    for cell in queue:
        for other in neighbours(game, cell):
            if steps[other] < 0 and not blocked(game.{{ grid.list }}[other]):
                steps[other] = steps[cell] + 1
                queue.append(other)
    return steps
{% endif %}
