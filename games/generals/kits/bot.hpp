// Your bot. This one takes whatever it can beat, otherwise it marches to the front. Make it better!
#pragma once

#include "protocol.hpp"

inline std::vector<int> neighbours(const Game &game, int cell) {
    std::vector<int> found;
    if (cell >= game.columns) found.push_back(cell - game.columns);
    if (cell + game.columns < game.rows * game.columns) found.push_back(cell + game.columns);
    if (cell % game.columns > 0) found.push_back(cell - 1);
    if (cell % game.columns + 1 < game.columns) found.push_back(cell + 1);
    return found;
}

// A hidden cell that looks like a city may as well be a mountain.
inline bool blocked(const Cell &cell) {
    return cell.kind == MOUNTAIN || (!cell.visible && cell.kind == CITY);
}

// Capitals first, then what belongs to somebody, then cities, then land.
inline int worth(const Cell &cell) {
    if (cell.kind == CAPITAL) return 1000000;
    return cell.owner ? 3000 : cell.kind == CITY ? 2000 : 1000;
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

// The answer to a turn: rest(), move_all(...) or move_half(...). Cells are counted from 0 here, row by row.
inline Answer choose(const Game &game) {
    std::vector<int> steps = steps_to_front(game);
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
