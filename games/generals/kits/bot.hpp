// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.hpp"

// A hidden cell that looks like a city may as well be a mountain.
inline bool blocked(const Cell &cell) {
    return cell.kind == MOUNTAIN || (!cell.visible && cell.kind == CITY);
}

// Capitals first, then what belongs to somebody, then cities, then land.
inline int worth(const Cell &cell) {
    if (cell.kind == CAPITAL) return 1000000;
    return cell.owner ? 3000 : cell.kind == CITY ? 2000 : 1000;
}

// The answer to a turn: rest(), move_all(...) or move_half(...). Cells are counted from 0 here, row by row.
inline Answer choose(const Game &game) {
    std::vector<int> steps = steps_to(game, [&](const Cell &cell) { return cell.owner != game.me; }, blocked);
    Answer best = rest();
    long long best_value = 0;
    for (int here = 0; here < game.rows * game.columns; here++) {
        const Cell &cell = game.cells[here];
        if (cell.owner != game.me || cell.units < 2) continue;
        for (int there : neighbours(game, here)) {
            const Cell &target = game.cells[there];
            long long value = 0;
            if (blocked(target)) continue;
            if (target.owner == game.me) {
                if (steps[there] < steps[here]) value = cell.units;  // nothing to take here: march
            } else if (target.units < cell.units - 1) {
                value = cell.units + worth(target);
            }
            if (value > best_value) {
                best_value = value;
                best = move_all(here / game.columns + 1, here % game.columns + 1,
                                there / game.columns + 1, there % game.columns + 1);
            }
        }
    }
    return best;
}
