// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.h"

// Puts the cells beside a cell into `found`, and says how many there are.
static int neighbours(const Game *game, int cell, int found[4]) {
    int count = 0, column = cell % game->columns;
    if (cell >= game->columns) found[count++] = cell - game->columns;
    if (cell + game->columns < game->rows * game->columns) found[count++] = cell + game->columns;
    if (column > 0) found[count++] = cell - 1;
    if (column + 1 < game->columns) found[count++] = cell + 1;
    return count;
}

// A hidden cell that looks like a city may as well be a mountain.
static bool blocked(const Cell *cell) {
    return cell->kind == MOUNTAIN || (!cell->visible && cell->kind == CITY);
}

// Capitals first, then what belongs to somebody, then cities, then land.
static int worth(const Cell *cell) {
    if (cell->kind == CAPITAL) return 1000000;
    return cell->owner ? 3000 : cell->kind == CITY ? 2000 : 1000;
}

// For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search.
static void steps_to_front(const Game *game, int *steps) {
    int size = game->rows * game->columns, found[4], end = 0;
    int *queue = malloc(size * sizeof *queue);
    for (int cell = 0; cell < size; cell++) {
        bool front = game->cells[cell].owner != game->me && !blocked(&game->cells[cell]);
        steps[cell] = front ? 0 : -1;
        if (front) queue[end++] = cell;
    }
    for (int at = 0; at < end; at++) {
        int count = neighbours(game, queue[at], found);
        for (int i = 0; i < count; i++) {
            if (steps[found[i]] < 0 && !blocked(&game->cells[found[i]])) {
                steps[found[i]] = steps[queue[at]] + 1;
                queue[end++] = found[i];
            }
        }
    }
    free(queue);
}

// Answers a turn: rest(answer), move_all(answer, ...) or move_half(answer, ...). Cells are counted from 0 here, row by row.
static void choose(const Game *game, Answer *answer) {
    int size = game->rows * game->columns, found[4], from = -1, to = -1;
    int *steps = malloc(size * sizeof *steps);
    long long best = 0;
    steps_to_front(game, steps);
    for (int here = 0; here < size; here++) {
        const Cell *cell = &game->cells[here];
        if (cell->owner != game->me || cell->units < 2) continue;
        int count = neighbours(game, here, found);
        for (int i = 0; i < count; i++) {
            const Cell *target = &game->cells[found[i]];
            long long value = 0;
            if (blocked(target)) continue;
            if (target->owner == game->me) {
                if (steps[found[i]] < steps[here]) value = cell->units;  // nothing to take here: march
            } else if (target->units < cell->units - 1) {
                value = cell->units + worth(target);
            }
            if (value > best) {
                best = value;
                from = here;
                to = found[i];
            }
        }
    }
    free(steps);
    if (best == 0) {
        rest(answer);
    } else {
        move_all(answer, from / game->columns + 1, from % game->columns + 1,
                 to / game->columns + 1, to % game->columns + 1);
    }
}
