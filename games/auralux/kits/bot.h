// Your bot. This one raises its planets, then attacks the nearest weak one. Make it better!
#pragma once

#include "protocol.h"

enum { CAPTURE_COST = 100, TOP_LEVEL = 3 };

// The planet of somebody else that is best to attack from here, or -1.
static int nearest_weak(const Game *game, int here) {
    int best = -1, best_cost = 0;
    for (int there = 0; there < game->planet_count; there++) {
        const Planet *planet = &game->planets[there];
        if (planet->owner == game->me) continue;
        int cost = game->distances[here * game->planet_count + there] + (planet->ships + planet->armor) / 2;
        if (best < 0 || cost < best_cost) {
            best = there;
            best_cost = cost;
        }
    }
    return best;
}

// Answers a turn by orders: send_ships(answer, ...), with planets counted from 1.
static void choose(const Game *game, Answer *answer) {
    for (int here = 0; here < game->planet_count; here++) {
        const Planet *planet = &game->planets[here];
        if (planet->owner != game->me || planet->ships == 0) continue;
        if (planet->level < TOP_LEVEL || planet->armor < 100 * planet->level) {
            if (planet->level > 0 || planet->ships >= CAPTURE_COST)  // capture, repair or raise
                send_ships(answer, here + 1, here + 1, planet->ships);
        } else if (planet->ships > CAPTURE_COST) {
            int target = nearest_weak(game, here);
            if (target >= 0) send_ships(answer, here + 1, target + 1, planet->ships);
        }
    }
}
