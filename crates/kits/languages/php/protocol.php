<?php
// Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.php is yours.
{% set types = {"flag": "bool", "int": "int", "long": "int", "word": "string"} %}
{% set calls = {"flag": "flag", "int": "number", "long": "number", "word": "word"} %}
{% set initial = {"flag": "false", "int": "0", "long": "0", "word": "''"} %}

{% for c in constants %}
const {{ c.name }} = {% if c.is_word %}'{{ c.value }}'{% else %}{{ c.value }}{% endif %};
{% endfor %}
{% for list in lists if list.record %}

class {{ list.record | pascal }}
{
{% for f in list.fields %}
    /** {{ f.about }} */
    public {{ types[f.kind] }} ${{ f.name | camel }} = {{ initial[f.kind] }};
{% endfor %}
}
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
        $this->expect('{{ s.word }}');
{% elif s.step == "over-when" %}
        $word = $this->word();
        if ($word === '' || $word === '{{ s.word }}') {
            return false;
        }
{% elif s.step == "over-otherwise" %}
        if ($this->word() !== '{{ s.word }}') {
            return false;
        }
{% elif s.step == "field" %}
        $this->{{ s.field.name | camel }} = {% if s.taken %}(int) $word{% else %}$this->{{ calls[s.field.kind] }}(){% endif %};
{% else %}
        $this->{{ s.list.name | camel }} = [];
        for ($i = {% for t in s.list.times %}$this->{{ t | camel }}{{ " * " if not loop.last }}{% endfor %}; $i > 0; $i--) {
{% if s.list.record %}
            $one = new {{ s.list.record | pascal }}();
{% for f in s.list.fields %}
{% if f.only %}
            if ({% for c in f.only %}$one->{{ c.name | camel }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %}) {
                $one->{{ f.name | camel }} = $this->{{ calls[f.kind] }}();
            }
{% else %}
            $one->{{ f.name | camel }} = $this->{{ calls[f.kind] }}();
{% endif %}
{% endfor %}
            $this->{{ s.list.name | camel }}[] = $one;
{% else %}
            $this->{{ s.list.name | camel }}[] = $this->{{ calls[s.list.fields[0].kind] }}();
{% endif %}
        }
{% endif %}
{% endfor %}
{% endmacro %}

/** Everything that the bot was told. */
class Game
{
{% for f in fields %}
    /** {{ f.about }} */
    public {{ types[f.kind] }} ${{ f.name | camel }} = {{ initial[f.kind] }};
{% endfor %}
{% for list in lists %}
    /** @var {% if list.record %}{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %}[] {{ list.about }} */
    public array ${{ list.name | camel }} = [];
{% endfor %}

    private $file;
    private array $words = [];
    private int $at = 0;

    /** Begins to read a file, or standard input without one. */
    public function __construct(?string $file = null)
    {
        $this->file = $file ? fopen($file, 'r') : STDIN;
    }

    /** Reads what comes before the first turn. */
    public function readStart(): void
    {
{{ run(start) -}}
{{ "    }" }}

    /** Reads what comes before a turn; false when the game is over. */
    public function readTurn(): bool
    {
{{ run(turn) -}}
{{ "        return true;" }}
    }

    /** The next word; an empty one at the end. */
    private function word(): string
    {
        while ($this->at === count($this->words)) {
            $line = fgets($this->file);
            if ($line === false) {
                return '';
            }
            $this->words = preg_split('/\s+/', $line, -1, PREG_SPLIT_NO_EMPTY);
            $this->at = 0;
        }
        return $this->words[$this->at++];
    }

    private function number(): int
    {
        return (int) $this->word();
    }

    private function flag(): bool
    {
        return $this->word() === '1';
    }

    private function expect(string $word): void
    {
        $found = $this->word();
        if ($found !== $word) {
            throw new Exception("$word is expected, not $found");
        }
    }
}

/** An answer as it is sent. */
function textOf({{ "string" if form == "one" else "array" }} $answer): string
{
{% if form == "one" %}
    return "$answer\n";
{% elif form == "counted" %}
    return implode("\n", [count($answer), ...$answer]) . "\n";
{% else %}
    return implode("\n", [...$answer, '{{ end }}']) . "\n";
{% endif %}
}
{% for a in answers %}

/** {{ a.about }} */
function {{ a.name | camel }}({% for p in a.parameters %}{{ types[p.kind] }} ${{ p.name | camel }}{{ ", " if not loop.last }}{% endfor %}): string
{
    return "{{ a.parts | filled("$", "", "camel") }}";
}
{% endfor %}
{% if grid %}
{% set cells = grid.list | camel %}
{% set width = grid.width | camel %}

/** The cells beside one. Cells are counted from 0 here, row by row. */
function neighbours(Game $game, int $cell): array
{
    $found = [];
    if ($cell >= $game->{{ width }}) {
        $found[] = $cell - $game->{{ width }};
    }
    if ($cell + $game->{{ width }} < count($game->{{ cells }})) {
        $found[] = $cell + $game->{{ width }};
    }
    if ($cell % $game->{{ width }} > 0) {
        $found[] = $cell - 1;
    }
    if ($cell % $game->{{ width }} + 1 < $game->{{ width }}) {
        $found[] = $cell + 1;
    }
    return $found;
}

/** For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search. */
function stepsTo(Game $game, callable $goal, callable $blocked): array
{
    $steps = $queue = [];
    foreach ($game->{{ cells }} as $i => $cell) {
        $start = $goal($cell) && !$blocked($cell);
        $steps[] = $start ? 0 : -1;
        if ($start) {
            $queue[] = $i;
        }
    }
    for ($at = 0; $at < count($queue); $at++) {
        foreach (neighbours($game, $queue[$at]) as $other) {
            if ($steps[$other] < 0 && !$blocked($game->{{ cells }}[$other])) {
                $steps[$other] = $steps[$queue[$at]] + 1;
                $queue[] = $other;
            }
        }
    }
    return $steps;
}
{% endif %}
