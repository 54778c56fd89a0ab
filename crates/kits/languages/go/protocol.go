// Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.go is yours.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
{% if form != "one" %}
	"strings"
{% endif %}
)
{% set types = {"flag": "bool", "int": "int", "long": "int", "word": "string"} %}
{% set calls = {"flag": "flag", "int": "number", "long": "number", "word": "word"} %}
{% if constants %}

{% endif %}
{% for c in constants %}
const {{ c.name | lower | pascal }} = {% if c.is_word %}"{{ c.value }}"{% else %}{{ c.value }}{% endif %}

{% endfor %}
{% for list in lists if list.record %}

type {{ list.record | pascal }} struct {
{% for f in list.fields %}
	// {{ f.about }}
	{{ f.name | pascal }} {{ types[f.kind] }}
{% endfor %}
}
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
	game.expect("{{ s.word }}")
{% elif s.step == "over-when" %}
	word := game.word()
	if word == "" || word == "{{ s.word }}" {
		return false
	}
{% elif s.step == "over-otherwise" %}
	if game.word() != "{{ s.word }}" {
		return false
	}
{% elif s.step == "field" %}
	game.{{ s.field.name | pascal }} = {% if s.taken %}number(word){% else %}game.{{ calls[s.field.kind] }}(){% endif %}

{% else %}
	game.{{ s.list.name | pascal }} = make([]{% if s.list.record %}{{ s.list.record | pascal }}{% else %}{{ types[s.list.fields[0].kind] }}{% endif %}, {% for t in s.list.times %}game.{{ t | pascal }}{{ "*" if not loop.last }}{% endfor %})
	for i := range game.{{ s.list.name | pascal }} {
{% if s.list.record %}
		one := &game.{{ s.list.name | pascal }}[i]
{% for f in s.list.fields %}
{% if f.only %}
		if {% for c in f.only %}one.{{ c.name | pascal }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %} {
			one.{{ f.name | pascal }} = game.{{ calls[f.kind] }}()
		}
{% else %}
		one.{{ f.name | pascal }} = game.{{ calls[f.kind] }}()
{% endif %}
{% endfor %}
{% else %}
		game.{{ s.list.name | pascal }}[i] = game.{{ calls[s.list.fields[0].kind] }}()
{% endif %}
	}
{% endif %}
{% endfor %}
{% endmacro %}

// Game is everything that the bot was told.
type Game struct {
	words *bufio.Scanner
{% for f in fields %}
	// {{ f.about }}
	{{ f.name | pascal }} {{ types[f.kind] }}
{% endfor %}
{% for list in lists %}
	// {{ list.about }}
	{{ list.name | pascal }} []{% if list.record %}{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %}

{% endfor %}
}

// NewGame begins to read a file, or standard input without one.
func NewGame(file string) *Game {
	input := os.Stdin
	if file != "" {
		opened, err := os.Open(file)
		if err != nil {
			panic(err)
		}
		input = opened
	}
	words := bufio.NewScanner(input)
	words.Split(bufio.ScanWords)
	return &Game{words: words}
}

// ReadStart reads what comes before the first turn.
func (game *Game) ReadStart() {
{{ run(start) -}}
{{ "}" }}

// ReadTurn reads what comes before a turn; false when the game is over.
func (game *Game) ReadTurn() bool {
{{ run(turn) -}}
{{ "	return true" }}
}

// The next word; an empty one at the end.
func (game *Game) word() string {
	game.words.Scan()
	return game.words.Text()
}

func (game *Game) number() int {
	return number(game.word())
}

func (game *Game) flag() bool {
	return game.word() == "1"
}

func (game *Game) expect(word string) {
	if found := game.word(); found != word {
		panic(word + " is expected, not " + found)
	}
}

func number(word string) int {
	number, err := strconv.Atoi(word)
	if err != nil {
		panic(err)
	}
	return number
}

// TextOf is an answer as it is sent.
{% if form == "one" %}
func TextOf(answer string) string {
	return answer + "\n"
}
{% else %}
func TextOf(answer []string) string {
{% if form == "counted" %}
	lines := append([]string{fmt.Sprint(len(answer))}, answer...)
{% else %}
	lines := append(answer, "{{ end }}")
{% endif %}
	return strings.Join(lines, "\n") + "\n"
}
{% endif %}
{% for a in answers %}

// {{ a.name | pascal }}: {{ a.about }}
func {{ a.name | pascal }}({% for p in a.parameters %}{{ p.name | camel }} {{ types[p.kind] }}{{ ", " if not loop.last }}{% endfor %}) string {
	return fmt.Sprint({% for part in a.parts %}{% if part.fixed is defined %}"{{ part.fixed }}"{% else %}{{ part.named | camel }}{% endif %}{{ ', " ", ' if not loop.last }}{% endfor %})
}
{% endfor %}
{% if grid %}
{% set cells = grid.list | pascal %}
{% set width = grid.width | pascal %}
{% set record = grid.record | pascal %}

// Neighbours are the cells beside one. Cells are counted from 0 here, row by row.
func Neighbours(game *Game, cell int) []int {
	found := make([]int, 0, 4)
	if cell >= game.{{ width }} {
		found = append(found, cell-game.{{ width }})
	}
	if cell+game.{{ width }} < len(game.{{ cells }}) {
		found = append(found, cell+game.{{ width }})
	}
	if cell%game.{{ width }} > 0 {
		found = append(found, cell-1)
	}
	if cell%game.{{ width }}+1 < game.{{ width }} {
		found = append(found, cell+1)
	}
	return found
}

// StepsTo says for every cell how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search.
func StepsTo(game *Game, goal, blocked func({{ record }}) bool) []int {
	steps, queue := make([]int, len(game.{{ cells }})), []int{}
	for i, cell := range game.{{ cells }} {
		steps[i] = -1
		if goal(cell) && !blocked(cell) {
			steps[i] = 0
			queue = append(queue, i)
		}
	}
	for at := 0; at < len(queue); at++ {
		for _, other := range Neighbours(game, queue[at]) {
			if steps[other] < 0 && !blocked(game.{{ cells }}[other]) {
				steps[other] = steps[queue[at]] + 1
				queue = append(queue, other)
			}
		}
	}
	return steps
}
{% endif %}
