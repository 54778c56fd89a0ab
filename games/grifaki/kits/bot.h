// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.h"

// Puts the cells beside a cell into `found`, and says how many there are.
static int neighbours(const Game *game, int cell, int found[4]) {
    int count = 0, column = cell % game->width;
    if (cell >= game->width) found[count++] = cell - game->width;
    if (cell + game->width < game->height * game->width) found[count++] = cell + game->width;
    if (column > 0) found[count++] = cell - 1;
    if (column + 1 < game->width) found[count++] = cell + 1;
    return count;
}

// A hidden cell that is no plain looks like a mountain.
static bool blocked(const Cell *cell) { return !strcmp(cell->kind, MOUNTAIN); }

// Ten times the strength of who is there: behind a wall it is 1.3 times as much.
static long long strength(const Cell *cell) { return cell->army * (cell->wall ? 13 : 10); }

// Capitals first, then cities, then what belongs to somebody, then land.
static int worth(const Cell *cell) {
    if (!strcmp(cell->kind, CAPITAL)) return 1000000;
    return strcmp(cell->kind, PLAIN) ? 300000 : cell->owner ? 20000 : 10000;
}

// For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search.
static void steps_to_front(const Game *game, int *steps) {
    int size = game->height * game->width, found[4], end = 0;
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

// Answers a turn: nothing(answer), move_army(answer, ...), build_wall(answer, ...) or build_city(answer, ...). Cells
// are counted from 0 here, row by row.
static void choose(const Game *game, Answer *answer) {
    int size = game->height * game->width, found[4], from = -1, to = -1;
    int *steps = malloc(size * sizeof *steps);
    long long best = 0;
    steps_to_front(game, steps);
    for (int here = 0; here < size; here++) {
        const Cell *cell = &game->cells[here];
        if (cell->owner != game->me || cell->army < 2) continue;
        int count = neighbours(game, here, found);
        for (int i = 0; i < count; i++) {
            const Cell *target = &game->cells[found[i]];
            long long value = 0;
            if (blocked(target)) continue;
            if (target->owner == game->me) {
                if (steps[found[i]] < steps[here]) value = cell->army;  // nothing to take here: march
            } else if (strength(target) <= 10 * (cell->army - 2)) {
                value = cell->army + worth(target);
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
        nothing(answer);
    } else {
        move_army(answer, from / game->width, from % game->width, to / game->width, to % game->width,
                  game->cells[from].army - 1);
    }
}
