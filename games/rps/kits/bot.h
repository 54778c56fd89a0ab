// Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
#pragma once

#include "protocol.h"

enum { LAST = 19 };                                   // your factory is at (0, 0), the enemy's at (LAST, LAST)
static const char *KINDS[] = {ROCK, PAPER, SCISSORS};  // each beats the one before it

static int kind_number(const char *kind) { return !strcmp(kind, ROCK) ? 0 : !strcmp(kind, PAPER) ? 1 : 2; }

static bool is_ally(const Soldier *soldier) { return !strcmp(soldier->side, ALLY); }

// Whether nobody is there but an enemy that it beats.
static bool is_free(const Game *game, const Soldier *soldier, int x, int y) {
    for (int i = 0; i < game->soldier_count; i++) {
        const Soldier *other = &game->soldiers[i];
        if (other->x == x && other->y == y)
            return !is_ally(other) && kind_number(soldier->kind) == (kind_number(other->kind) + 1) % 3;
    }
    return true;
}

// Finds the nearest of the enemy's factory and the bases that are not ours.
static void find_goal(const Game *game, const Soldier *soldier, int *x, int *y) {
    int to_r = abs(LAST - soldier->x) + soldier->y, to_d = soldier->x + abs(LAST - soldier->y);
    int best = abs(LAST - soldier->x) + abs(LAST - soldier->y);
    *x = *y = LAST;
    if (strcmp(game->base_r, ALLY) && to_r < best) {
        best = to_r;
        *x = LAST;
        *y = 0;
    }
    if (strcmp(game->base_d, ALLY) && to_d < best) {
        *x = 0;
        *y = LAST;
    }
}

// Answers a turn by any number of step(answer, id, direction) and produce(answer, kind).
static void choose(const Game *game, Answer *answer) {
    int allies = 0, x, y;
    for (int i = 0; i < game->soldier_count; i++) allies += is_ally(&game->soldiers[i]);
    produce(answer, KINDS[allies % 3]);
    for (int i = 0; i < game->soldier_count; i++) {
        Soldier *soldier = &game->soldiers[i];
        if (!is_ally(soldier)) continue;
        find_goal(game, soldier, &x, &y);
        int dx = (x > soldier->x) - (x < soldier->x), dy = (y > soldier->y) - (y < soldier->y);
        if (dx && is_free(game, soldier, soldier->x + dx, soldier->y)) {
            step(answer, soldier->id, dx > 0 ? RIGHT : LEFT);
            soldier->x += dx;
        } else if (dy && is_free(game, soldier, soldier->x, soldier->y + dy)) {
            step(answer, soldier->id, dy > 0 ? DOWN : UP);
            soldier->y += dy;
        }
    }
}
