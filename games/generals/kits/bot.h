// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.h"

// A hidden cell that looks like a city may as well be a mountain.
static bool blocked(const Game *game, const Cell *cell) {
    return cell->kind == MOUNTAIN || (!cell->visible && cell->kind == CITY);
}

// Capitals first, then what belongs to somebody, then cities, then land.
static int worth(const Cell *cell) {
    if (cell->kind == CAPITAL) return 1000000;
    return cell->owner ? 3000 : cell->kind == CITY ? 2000 : 1000;
}

// Wherever there is something to take.
static bool front(const Game *game, const Cell *cell) { return cell->owner != game->me; }

// Answers a turn: rest(answer), move_all(answer, ...) or move_half(answer, ...). Cells are counted from 0 here, row by row.
static void choose(const Game *game, Answer *answer) {
    int size = game->rows * game->columns, found[4], from = -1, to = -1;
    int *steps = steps_to(game, front, blocked);
    long long best = 0;
    for (int here = 0; here < size; here++) {
        const Cell *cell = &game->cells[here];
        if (cell->owner != game->me || cell->units < 2) continue;
        int count = neighbours(game, here, found);
        for (int i = 0; i < count; i++) {
            const Cell *target = &game->cells[found[i]];
            long long value = 0;
            if (blocked(game, target)) continue;
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
