// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.hpp"

inline std::vector<int> neighbours(const Game &game, int cell) {
    std::vector<int> found;
    if (cell >= game.width) found.push_back(cell - game.width);
    if (cell + game.width < game.height * game.width) found.push_back(cell + game.width);
    if (cell % game.width > 0) found.push_back(cell - 1);
    if (cell % game.width + 1 < game.width) found.push_back(cell + 1);
    return found;
}

// A hidden cell that is no plain looks like a mountain.
inline bool blocked(const Cell &cell) { return cell.kind == MOUNTAIN; }

// Ten times the strength of who is there: behind a wall it is 1.3 times as much.
inline long long strength(const Cell &cell) { return cell.army * (cell.wall ? 13 : 10); }

// Capitals first, then cities, then what belongs to somebody, then land.
inline int worth(const Cell &cell) {
    if (cell.kind == CAPITAL) return 1000000;
    return cell.kind != PLAIN ? 300000 : cell.owner ? 20000 : 10000;
}

// For every cell, how many steps it is to the nearest one that is not ours: a breadth-first search.
inline std::vector<int> steps_to_front(const Game &game) {
    std::vector<int> steps(game.cells.size(), -1), queue;
    for (size_t cell = 0; cell < game.cells.size(); cell++) {
        if (game.cells[cell].owner != game.me && !blocked(game.cells[cell])) {
            steps[cell] = 0;
            queue.push_back(cell);
        }
    }
    for (size_t at = 0; at < queue.size(); at++) {
        for (int other : neighbours(game, queue[at])) {
            if (steps[other] < 0 && !blocked(game.cells[other])) {
                steps[other] = steps[queue[at]] + 1;
                queue.push_back(other);
            }
        }
    }
    return steps;
}

// The answer to a turn: nothing(), move_army(...), build_wall(...) or build_city(...). Cells are counted from 0 here, row by row.
inline Answer choose(const Game &game) {
    std::vector<int> steps = steps_to_front(game);
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
