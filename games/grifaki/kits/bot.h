// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.h"

// A hidden cell that is no plain looks like a mountain.
static bool blocked(const Game *game, const Cell *cell) { return !strcmp(cell->kind, MOUNTAIN); }

// Ten times the strength of who is there: behind a wall it is 1.3 times as much.
static long long strength(const Cell *cell) { return cell->army * (cell->wall ? 13 : 10); }

// Capitals first, then cities, then what belongs to somebody, then land.
static int worth(const Cell *cell) {
    if (!strcmp(cell->kind, CAPITAL)) return 1000000;
    return strcmp(cell->kind, PLAIN) ? 300000 : cell->owner ? 20000 : 10000;
}

// Wherever there is something to take.
static bool front(const Game *game, const Cell *cell) { return cell->owner != game->me; }

// Answers a turn: nothing(answer), move_army(answer, ...), build_wall(answer, ...) or build_city(answer, ...). Cells
// are counted from 0 here, row by row.
static void choose(const Game *game, Answer *answer) {
    int size = game->height * game->width, found[4], from = -1, to = -1;
    int *steps = steps_to(game, front, blocked);
    long long best = 0;
    for (int here = 0; here < size; here++) {
        const Cell *cell = &game->cells[here];
        if (cell->owner != game->me || cell->army < 2) continue;
        int count = neighbours(game, here, found);
        for (int i = 0; i < count; i++) {
            const Cell *target = &game->cells[found[i]];
            long long value = 0;
            if (blocked(game, target)) continue;
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
