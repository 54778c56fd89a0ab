// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.hpp"

// A hidden cell that is no plain looks like a mountain.
inline bool blocked(const Cell &cell) { return cell.kind == MOUNTAIN; }

// Ten times the strength of who is there: behind a wall it is 1.3 times as much.
inline long long strength(const Cell &cell) { return cell.army * (cell.wall ? 13 : 10); }

// Capitals first, then cities, then what belongs to somebody, then land.
inline int worth(const Cell &cell) {
    if (cell.kind == CAPITAL) return 1000000;
    return cell.kind != PLAIN ? 300000 : cell.owner ? 20000 : 10000;
}

// The answer to a turn: nothing(), move_army(...), build_wall(...) or build_city(...). Cells are counted from 0 here, row by row.
inline Answer choose(const Game &game) {
    std::vector<int> steps = steps_to(game, [&](const Cell &cell) { return cell.owner != game.me; }, blocked);
    Answer best = nothing();
    long long best_value = 0;
    for (int here = 0; here < game.height * game.width; here++) {
        const Cell &cell = game.cells[here];
        if (cell.owner != game.me || cell.army < 2) continue;
        for (int there : neighbours(game, here)) {
            const Cell &target = game.cells[there];
            long long value = 0;
            if (blocked(target)) continue;
            if (target.owner == game.me) {
                if (steps[there] < steps[here]) value = cell.army;  // nothing to take here: march
            } else if (strength(target) <= 10 * (cell.army - 2)) {
                value = cell.army + worth(target);
            }
            if (value > best_value) {
                best_value = value;
                best = move_army(here / game.width, here % game.width,
                                 there / game.width, there % game.width, cell.army - 1);
            }
        }
    }
    return best;
}
