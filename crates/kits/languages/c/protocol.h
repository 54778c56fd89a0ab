// Reads and writes the protocol of {{ title }} for the bot. There is nothing to change here: bot.h is yours.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
{% set types = {"flag": "bool ", "int": "int ", "long": "long long ", "word": "const char *"} %}
{% set formats = {"flag": "%d", "int": "%d", "long": "%lld", "word": "%s"} %}

enum { WORD_SIZE = 64 };
typedef char Word[WORD_SIZE];

{% for c in constants %}
#define {{ c.name }} {% if c.is_word %}"{{ c.value }}"{% else %}{{ c.value }}{% endif %}

{% endfor %}
{% for list in lists if list.record %}

typedef struct {
{% for f in list.fields %}
    {% if f.kind == "word" %}Word {% else %}{{ types[f.kind] }}{% endif %}{{ f.name }};  // {{ f.about }}
{% endfor %}
} {{ list.record | pascal }};
{% endfor %}

// Everything that the bot was told.
typedef struct {
    FILE *in;
{% for f in fields %}
    {% if f.kind == "word" %}Word {% else %}{{ types[f.kind] }}{% endif %}{{ f.name }};  // {{ f.about }}
{% endfor %}
{% for list in lists %}
    {% if list.record %}{{ list.record | pascal }}{% elif list.fields[0].kind == "word" %}Word{% else %}{{ types[list.fields[0].kind] | trim }}{% endif %} *{{ list.name }};  // {{ list.about }}: {% for t in list.times %}{{ t }}{{ " * " if not loop.last }}{% endfor %} of them
{% endfor %}
} Game;

static inline bool read_word(FILE *in, Word word) { return fscanf(in, "%63s", word) == 1; }

static inline void must(bool good, const char *what) {
    if (good) return;
    fprintf(stderr, "%s is not what comes now\n", what);
    exit(1);
}

static inline long long read_number(FILE *in) {
    long long number = 0;
    must(fscanf(in, "%lld", &number) == 1, "a number");
    return number;
}
{% macro read(target, field, taken=false) %}
{% if taken %}{{ target }} = atoi(word);{% elif field.kind == "word" %}must(read_word(in, {{ target }}), "{{ field.name }}");{% else %}{{ target }} = {% if field.kind == "int" %}(int){% endif %}read_number(in);{% endif %}
{% endmacro %}
{% macro run(steps) %}
{% for s in steps %}
{% if s.step == "expect" %}
    must(read_word(in, word) && !strcmp(word, "{{ s.word }}"), "{{ s.word }}");
{% elif s.step == "over-when" %}
    if (!read_word(in, word) || !strcmp(word, "{{ s.word }}")) return false;
{% elif s.step == "over-otherwise" %}
    if (!read_word(in, word) || strcmp(word, "{{ s.word }}")) return false;
{% elif s.step == "field" %}
    {{ read("game->" ~ s.field.name, s.field, s.taken) | trim }}
{% else %}
    count = {% for t in s.list.times %}game->{{ t }}{{ " * " if not loop.last }}{% endfor %};
    game->{{ s.list.name }} = realloc(game->{{ s.list.name }}, (count + 1) * sizeof *game->{{ s.list.name }});
    memset(game->{{ s.list.name }}, 0, count * sizeof *game->{{ s.list.name }});
    for (int i = 0; i < count; i++) {
{% if s.list.record %}
        {{ s.list.record | pascal }} *one = &game->{{ s.list.name }}[i];
{% for f in s.list.fields %}
        {% if f.only %}if ({% for c in f.only %}one->{{ c.name }}{% if c.operator %} {{ c.operator }} {{ c.value }}{% endif %}{{ " && " if not loop.last }}{% endfor %}) {% endif %}{{ read("one->" ~ f.name, f) | trim }}
{% endfor %}
{% else %}
        {{ read("game->" ~ s.list.name ~ "[i]", s.list.fields[0]) | trim }}
{% endif %}
    }
{% endif %}
{% endfor %}
{% endmacro %}

// Begins to read a file, or standard input without one.
static inline Game new_game(const char *file) {
    Game game = {0};
    game.in = file ? fopen(file, "r") : stdin;
    must(game.in != NULL, "the file of packets");
    return game;
}

// Reads what comes before the first turn.
static inline void read_start(Game *game) {
    FILE *in = game->in;
    Word word;
    int count;
    (void)in, (void)word, (void)count;
{{ run(start) -}}
{{ "}" }}

// Reads what comes before a turn; false when the game is over.
static inline bool read_turn(Game *game) {
    FILE *in = game->in;
    Word word;
    int count;
    (void)count;
{{ run(turn) -}}
{{ "    return true;" }}
}

// An answer, as text; it starts empty.
typedef struct {
    int lines;
    size_t size, room;
    char *text;
} Answer;

static inline void add_line(Answer *answer, const char *line) {
    size_t size = strlen(line) + 1;
    if (answer->size + size >= answer->room) {
        answer->room = 2 * (answer->size + size);
        answer->text = realloc(answer->text, answer->room);
    }
    answer->size += sprintf(answer->text + answer->size, "%s\n", line);
    answer->lines++;
}
{% for a in answers %}

// {{ a.about }}
static inline void {{ a.name }}(Answer *answer{% for p in a.parameters %}, {{ types[p.kind] }}{{ p.name }}{% endfor %}) {
{% if a.parameters %}
    char line[256];
    snprintf(line, sizeof line, "{% for part in a.parts %}{% if part.fixed is defined %}{{ part.fixed }}{% else %}{% for p in a.parameters if p.name == part.named %}{{ formats[p.kind] }}{% endfor %}{% endif %}{{ " " if not loop.last }}{% endfor %}"{% for p in a.parameters %}, {{ p.name }}{% endfor %});
    add_line(answer, line);
{% else %}
    add_line(answer, "{{ a.parts | filled("", "") }}");
{% endif %}
}
{% endfor %}

// Sends an answer, and empties it.
static inline void send_answer(Answer *answer) {
{% if form == "counted" %}
    printf("%d\n", answer->lines);
{% endif %}
    if (answer->size) fwrite(answer->text, 1, answer->size, stdout);
{% if form == "ended" %}
    printf("{{ end }}\n");
{% endif %}
    fflush(stdout);
    answer->size = answer->lines = 0;
}
{% if grid %}
{% macro size() %}{% for t in grid.times %}game->{{ t }}{{ " * " if not loop.last }}{% endfor %}{% endmacro %}

// Puts the cells beside a cell into `found`, and says how many there are. Cells are counted from 0 here, row by row.
static inline int neighbours(const Game *game, int cell, int found[4]) {
    int count = 0, column = cell % game->{{ grid.width }};
    if (cell >= game->{{ grid.width }}) found[count++] = cell - game->{{ grid.width }};
    if (cell + game->{{ grid.width }} < {{ size() }}) found[count++] = cell + game->{{ grid.width }};
    if (column > 0) found[count++] = cell - 1;
    if (column + 1 < game->{{ grid.width }}) found[count++] = cell + 1;
    return count;
}

// What may be asked of a cell.
typedef bool Test(const Game *game, const {{ grid.record | pascal }} *cell);

// For every cell, how many steps it is to the nearest goal around what is blocked, or -1: a breadth-first search. Whoever
// asks frees it.
static inline int *steps_to(const Game *game, Test *goal, Test *blocked) {
    int size = {{ size() }}, found[4], end = 0;
    int *steps = malloc((size + 1) * sizeof *steps), *queue = malloc((size + 1) * sizeof *queue);
    for (int cell = 0; cell < size; cell++) {
        bool start = goal(game, &game->{{ grid.list }}[cell]) && !blocked(game, &game->{{ grid.list }}[cell]);
        steps[cell] = start ? 0 : -1;
        if (start) queue[end++] = cell;
    }
    for (int at = 0; at < end; at++) {
        int count = neighbours(game, queue[at], found);
        for (int i = 0; i < count; i++) {
            if (steps[found[i]] < 0 && !blocked(game, &game->{{ grid.list }}[found[i]])) {
                steps[found[i]] = steps[queue[at]] + 1;
                queue[end++] = found[i];
            }
        }
    }
    free(queue);
    return steps;
}
{% endif %}
