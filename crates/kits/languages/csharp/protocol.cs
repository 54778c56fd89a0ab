// Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.cs is yours.
using System;
using System.Collections.Generic;
using System.IO;
{% set types = {"flag": "bool", "int": "int", "long": "long", "word": "string"} %}
{% set calls = {"flag": "Flag", "int": "Int", "long": "Long", "word": "Word"} %}
{% for list in lists if list.record %}

public class {{ list.record | pascal }} {
{% for f in list.fields %}
    /// <summary>{{ f.about }}</summary>
    public {{ types[f.kind] }} {{ f.name | pascal }}{{ ' = ""' if f.kind == "word" }};
{% endfor %}
}
{% endfor %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
        Expect("{{ s.word }}");
{% elif s.step == "over-when" %}
        string word = Word();
        if (word == "" || word == "{{ s.word }}") return false;
{% elif s.step == "over-otherwise" %}
        if (Word() != "{{ s.word }}") return false;
{% elif s.step == "field" %}
        {{ s.field.name | pascal }} = {% if s.taken %}int.Parse(word){% else %}{{ calls[s.field.kind] }}(){% endif %};
{% else %}
        {{ s.list.name | pascal }}.Clear();
        for (int i = {% for t in s.list.times %}{{ t | pascal }}{{ " * " if not loop.last }}{% endfor %}; i > 0; i--) {
{% if s.list.record %}
            var one = new {{ s.list.record | pascal }}();
{% for f in s.list.fields %}
            {% if f.only %}if ({% for c in f.only %}one.{{ c.name | pascal }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %}) {% endif %}one.{{ f.name | pascal }} = {{ calls[f.kind] }}();
{% endfor %}
            {{ s.list.name | pascal }}.Add(one);
{% else %}
            {{ s.list.name | pascal }}.Add({{ calls[s.list.fields[0].kind] }}());
{% endif %}
        }
{% endif %}
{% endfor %}
{% endmacro %}

/// <summary>Everything that the bot was told.</summary>
public class Game {
{% for f in fields %}
    /// <summary>{{ f.about }}</summary>
    public {{ types[f.kind] }} {{ f.name | pascal }}{{ ' = ""' if f.kind == "word" }};
{% endfor %}
{% for list in lists %}
    /// <summary>{{ list.about }}</summary>
    public readonly List<{% if list.record %}{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %}> {{ list.name | pascal }} = new List<{% if list.record %}{{ list.record | pascal }}{% else %}{{ types[list.fields[0].kind] }}{% endif %}>();
{% endfor %}

    readonly TextReader input;
    string[] words = new string[0];
    int at = 0;

    /// <summary>Begins to read a file, or standard input without one.</summary>
    public Game(string file) {
        input = file == null ? new StreamReader(Console.OpenStandardInput()) : new StreamReader(file);
    }

    /// <summary>Reads what comes before the first turn.</summary>
    public void ReadStart() {
{{ run(start) -}}
{{ "    }" }}

    /// <summary>Reads what comes before a turn; false when the game is over.</summary>
    public bool ReadTurn() {
{{ run(turn) -}}
{{ "        return true;" }}
    }

    /// The next word; an empty one at the end.
    string Word() {
        while (at == words.Length) {
            string line = input.ReadLine();
            if (line == null) return "";
            words = line.Split((char[])null, StringSplitOptions.RemoveEmptyEntries);
            at = 0;
        }
        return words[at++];
    }

    int Int() { return int.Parse(Word()); }
    long Long() { return long.Parse(Word()); }
    bool Flag() { return Word() == "1"; }
    void Expect(string word) {
        string found = Word();
        if (found != word) throw new IOException(word + " is expected, not " + found);
    }
}

public static class Protocol {
{% for c in constants %}
    public const {{ "string" if c.is_word else "int" }} {{ c.name | lower | pascal }} = {% if c.is_word %}"{{ c.value }}"{% else %}{{ c.value }}{% endif %};
{% endfor %}
{% for a in answers %}

    /// <summary>{{ a.about }}</summary>
    public static string {{ a.name | pascal }}({% for p in a.parameters %}{{ types[p.kind] }} {{ p.name | camel }}{{ ", " if not loop.last }}{% endfor %}) {
        return {{ "$" if a.parameters }}"{{ a.parts | filled("{", "}", "camel") }}";
    }
{% endfor %}

    /// <summary>An answer as it is sent.</summary>
{% if form == "one" %}
    public static string TextOf(string answer) { return answer + "\n"; }
{% else %}
    public static string TextOf(List<string> answer) {
        var lines = new List<string>(answer);
{% if form == "counted" %}
        lines.Insert(0, answer.Count.ToString());
{% else %}
        lines.Add("{{ end }}");
{% endif %}
        return string.Join("\n", lines) + "\n";
    }
{% endif %}
{% if grid %}
{% set cells = grid.list | pascal %}
{% set width = grid.width | pascal %}
{% set record = grid.record | pascal %}

    /// <summary>The cells beside one. Cells are counted from 0 here, row by row.</summary>
    public static IEnumerable<int> Neighbours(Game game, int cell) {
        if (cell >= game.{{ width }}) yield return cell - game.{{ width }};
        if (cell + game.{{ width }} < game.{{ cells }}.Count) yield return cell + game.{{ width }};
        if (cell % game.{{ width }} > 0) yield return cell - 1;
        if (cell % game.{{ width }} + 1 < game.{{ width }}) yield return cell + 1;
    }

    /// <summary>For every cell, how many steps it is to the nearest goal around what is blocked, or -1.</summary>
    public static int[] StepsTo(Game game, Func<{{ record }}, bool> goal, Func<{{ record }}, bool> blocked) {
        var steps = new int[game.{{ cells }}.Count];
        var queue = new List<int>();
        for (int cell = 0; cell < steps.Length; cell++) {
            bool start = goal(game.{{ cells }}[cell]) && !blocked(game.{{ cells }}[cell]);
            steps[cell] = start ? 0 : -1;
            if (start) queue.Add(cell);
        }
        for (int at = 0; at < queue.Count; at++) {
            foreach (int other in Neighbours(game, queue[at])) {
                if (steps[other] < 0 && !blocked(game.{{ cells }}[other])) {
                    steps[other] = steps[queue[at]] + 1;
                    queue.Add(other);
                }
            }
        }
        return steps;
    }
{% endif %}
}
