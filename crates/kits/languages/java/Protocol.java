import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
{% if grid %}
import java.util.function.Predicate;
{% endif %}
{% set types = {"flag": "boolean", "int": "int", "long": "long", "word": "String"} %}
{% set boxes = {"flag": "Boolean", "int": "Integer", "long": "Long", "word": "String"} %}
{% set calls = {"flag": "flag", "int": "integer", "long": "number", "word": "word"} %}

/** Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: Bot.java is yours. */
final class Protocol {
{% for c in constants %}
    static final {{ "String" if c.is_word else "int" }} {{ c.name }} = {% if c.is_word %}"{{ c.value }}"{% else %}{{ c.value }}{% endif %};
{% endfor %}
{% for list in lists if list.record %}

    static final class {{ list.record | pascal }} {
{% for f in list.fields %}
        /** {{ f.about }} */
        {{ types[f.kind] }} {{ f.name | camel }}{{ ' = ""' if f.kind == "word" }};
{% endfor %}
    }
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
            expect("{{ s.word }}");
{% elif s.step == "over-when" %}
            String word = word();
            if (word.isEmpty() || word.equals("{{ s.word }}")) return false;
{% elif s.step == "over-otherwise" %}
            if (!word().equals("{{ s.word }}")) return false;
{% elif s.step == "field" %}
            {{ s.field.name | camel }} = {% if s.taken %}Integer.parseInt(word){% else %}{{ calls[s.field.kind] }}(){% endif %};
{% else %}
            {{ s.list.name | camel }}.clear();
            for (int i = {% for t in s.list.times %}{{ t | camel }}{{ " * " if not loop.last }}{% endfor %}; i > 0; i--) {
{% if s.list.record %}
                {{ s.list.record | pascal }} one = new {{ s.list.record | pascal }}();
{% for f in s.list.fields %}
                {% if f.only %}if ({% for c in f.only %}one.{{ c.name | camel }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %}) {% endif %}one.{{ f.name | camel }} = {{ calls[f.kind] }}();
{% endfor %}
                {{ s.list.name | camel }}.add(one);
{% else %}
                {{ s.list.name | camel }}.add({{ calls[s.list.fields[0].kind] }}());
{% endif %}
            }
{% endif %}
{% endfor %}
{% endmacro %}

    /** Everything that the bot was told. */
    static final class Game {
{% for f in fields %}
        /** {{ f.about }} */
        {{ types[f.kind] }} {{ f.name | camel }}{{ ' = ""' if f.kind == "word" }};
{% endfor %}
{% for list in lists %}
        /** {{ list.about }} */
        final List<{% if list.record %}{{ list.record | pascal }}{% else %}{{ boxes[list.fields[0].kind] }}{% endif %}> {{ list.name | camel }} = new ArrayList<>();
{% endfor %}

        private final BufferedReader input;
        private StringTokenizer words = new StringTokenizer("");

        /** Begins to read a file, or standard input without one. */
        Game(String file) throws IOException {
            input = new BufferedReader(file == null ? new InputStreamReader(System.in) : new FileReader(file));
        }

        /** Reads what comes before the first turn. */
        void readStart() throws IOException {
{{ run(start) -}}
{{ "        }" }}

        /** Reads what comes before a turn; false when the game is over. */
        boolean readTurn() throws IOException {
{{ run(turn) -}}
{{ "            return true;" }}
        }

        /** The next word; an empty one at the end. */
        private String word() throws IOException {
            while (!words.hasMoreTokens()) {
                String line = input.readLine();
                if (line == null) return "";
                words = new StringTokenizer(line);
            }
            return words.nextToken();
        }

        private int integer() throws IOException {
            return Integer.parseInt(word());
        }

        private long number() throws IOException {
            return Long.parseLong(word());
        }

        private boolean flag() throws IOException {
            return word().equals("1");
        }

        private void expect(String word) throws IOException {
            String found = word();
            if (!found.equals(word)) throw new IOException(word + " is expected, not " + found);
        }
    }

    /** An answer as it is sent. */
{% if form == "one" %}
    static String textOf(String answer) {
        return answer + "\n";
    }
{% else %}
    static String textOf(List<String> answer) {
        StringBuilder text = new StringBuilder();
{% if form == "counted" %}
        text.append(answer.size()).append('\n');
{% endif %}
        for (String line : answer) text.append(line).append('\n');
        return text{% if form == "ended" %}.append("{{ end }}\n"){% endif %}.toString();
    }
{% endif %}
{% for a in answers %}

    /** {{ a.about }} */
    static String {{ a.name | camel }}({% for p in a.parameters %}{{ types[p.kind] }} {{ p.name | camel }}{{ ", " if not loop.last }}{% endfor %}) {
        return {{ ("\"" ~ (a.parts | filled("\" + ", " + \"", "camel")) ~ "\"") | replace(" + \"\"", "") }};
    }
{% endfor %}
{% if grid %}
{% set cells = grid.list | camel %}
{% set width = grid.width | camel %}
{% set record = grid.record | pascal %}

    /** The cells beside one. Cells are counted from 0 here, row by row. */
    static List<Integer> neighbours(Game game, int cell) {
        List<Integer> found = new ArrayList<>();
        if (cell >= game.{{ width }}) found.add(cell - game.{{ width }});
        if (cell + game.{{ width }} < game.{{ cells }}.size()) found.add(cell + game.{{ width }});
        if (cell % game.{{ width }} > 0) found.add(cell - 1);
        if (cell % game.{{ width }} + 1 < game.{{ width }}) found.add(cell + 1);
        return found;
    }

    /** For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search. */
    static int[] stepsTo(Game game, Predicate<{{ record }}> goal, Predicate<{{ record }}> blocked) {
        int[] steps = new int[game.{{ cells }}.size()];
        List<Integer> queue = new ArrayList<>();
        for (int cell = 0; cell < steps.length; cell++) {
            boolean start = goal.test(game.{{ cells }}.get(cell)) && !blocked.test(game.{{ cells }}.get(cell));
            steps[cell] = start ? 0 : -1;
            if (start) queue.add(cell);
        }
        for (int at = 0; at < queue.size(); at++) {
            for (int other : neighbours(game, queue.get(at))) {
                if (steps[other] < 0 && !blocked.test(game.{{ cells }}.get(other))) {
                    steps[other] = steps[queue.get(at)] + 1;
                    queue.add(other);
                }
            }
        }
        return steps;
    }
{% endif %}
}
