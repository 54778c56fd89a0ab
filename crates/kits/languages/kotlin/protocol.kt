// Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.kt is yours.
import java.io.BufferedReader
import java.io.FileReader
import java.io.InputStreamReader
import java.util.StringTokenizer
{% set types = {"flag": "Boolean", "int": "Int", "long": "Long", "word": "String"} %}
{% set initial = {"flag": "false", "int": "0", "long": "0L", "word": "\"\""} %}
{% set calls = {"flag": "flag", "int": "int", "long": "long", "word": "word"} %}

{% for c in constants %}
const val {{ c.name }} = {% if c.is_word %}"{{ c.value }}"{% else %}{{ c.value }}{% endif %}

{% endfor %}
{% for list in lists if list.record %}

class {{ list.record | pascal }} {
{% for f in list.fields %}
    /** {{ f.about }} */
    var {{ f.name | camel }} = {{ initial[f.kind] }}
{% endfor %}
}
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
        expect("{{ s.word }}")
{% elif s.step == "over-when" %}
        val word = word()
        if (word == "" || word == "{{ s.word }}") return false
{% elif s.step == "over-otherwise" %}
        if (word() != "{{ s.word }}") return false
{% elif s.step == "field" %}
        {{ s.field.name | camel }} = {% if s.taken %}word.toInt(){% else %}{{ calls[s.field.kind] }}(){% endif %}

{% elif s.list.record %}
        {{ s.list.name | camel }} = List({% for t in s.list.times %}{{ t | camel }}{{ " * " if not loop.last }}{% endfor %}) {
            val one = {{ s.list.record | pascal }}()
{% for f in s.list.fields %}
            {% if f.only %}if ({% for c in f.only %}one.{{ c.name | camel }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %}) {% endif %}one.{{ f.name | camel }} = {{ calls[f.kind] }}()
{% endfor %}
            one
        }
{% else %}
        {{ s.list.name | camel }} = List({% for t in s.list.times %}{{ t | camel }}{{ " * " if not loop.last }}{% endfor %}) { {{ calls[s.list.fields[0].kind] }}() }
{% endif %}
{% endfor %}
{% endmacro %}

/** Everything that the bot was told; it is read from a file, or from standard input without one. */
class Game(file: String?) {
{% for f in fields %}
    /** {{ f.about }} */
    var {{ f.name | camel }} = {{ initial[f.kind] }}
{% endfor %}
{% for list in lists %}
    /** {{ list.about }} */
    var {{ list.name | camel }} = listOf<{% if list.record %}{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %}>()
{% endfor %}

    private val input = BufferedReader(if (file == null) InputStreamReader(System.`in`) else FileReader(file))
    private var words = StringTokenizer("")

    /** Reads what comes before the first turn. */
    fun readStart() {
{{ run(start) -}}
{{ "    }" }}

    /** Reads what comes before a turn; false when the game is over. */
    fun readTurn(): Boolean {
{{ run(turn) -}}
{{ "        return true" }}
    }

    /** The next word; an empty one at the end. */
    private fun word(): String {
        while (!words.hasMoreTokens()) {
            words = StringTokenizer(input.readLine() ?: return "")
        }
        return words.nextToken()
    }

    private fun int() = word().toInt()
    private fun long() = word().toLong()
    private fun flag() = word() == "1"
    private fun expect(word: String) {
        val found = word()
        check(found == word) { "$word is expected, not $found" }
    }
}

/** An answer as it is sent. */
{% if form == "one" %}
fun textOf(answer: String) = answer + "\n"
{% elif form == "counted" %}
fun textOf(answer: List<String>) = (listOf(answer.size.toString()) + answer).joinToString("") { it + "\n" }
{% else %}
fun textOf(answer: List<String>) = (answer + "{{ end }}").joinToString("") { it + "\n" }
{% endif %}
{% for a in answers %}

/** {{ a.about }} */
fun {{ a.name | camel }}({% for p in a.parameters %}{{ p.name | camel }}: {{ types[p.kind] }}{{ ", " if not loop.last }}{% endfor %}) = "{{ a.parts | filled("$", "", "camel") }}"
{% endfor %}
{% if grid %}
{% set cells = grid.list | camel %}
{% set width = grid.width | camel %}
{% set record = grid.record | pascal %}

/** The cells beside one. Cells are counted from 0 here, row by row. */
fun neighbours(game: Game, cell: Int): List<Int> {
    val found = mutableListOf<Int>()
    if (cell >= game.{{ width }}) found.add(cell - game.{{ width }})
    if (cell + game.{{ width }} < game.{{ cells }}.size) found.add(cell + game.{{ width }})
    if (cell % game.{{ width }} > 0) found.add(cell - 1)
    if (cell % game.{{ width }} + 1 < game.{{ width }}) found.add(cell + 1)
    return found
}

/** For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search. */
fun stepsTo(game: Game, goal: ({{ record }}) -> Boolean, blocked: ({{ record }}) -> Boolean): IntArray {
    val steps = IntArray(game.{{ cells }}.size) { if (goal(game.{{ cells }}[it]) && !blocked(game.{{ cells }}[it])) 0 else -1 }
    val queue = steps.indices.filter { steps[it] == 0 }.toMutableList()
    var at = 0
    while (at < queue.size) {
        for (other in neighbours(game, queue[at])) {
            if (steps[other] < 0 && !blocked(game.{{ cells }}[other])) {
                steps[other] = steps[queue[at]] + 1
                queue.add(other)
            }
        }
        at++
    }
    return steps
}
{% endif %}
