// A first bot for Generals: takes whatever it can beat, otherwise marches to the front.
//
// Try it:    palestra play generals ./generals.cpp greedy
// Then make it better: choose() decides, everything else only reads and writes.
#include <iostream>
#include <vector>

enum Kind { EMPTY = 1, CITY = 2, CAPITAL = 3, MOUNTAIN = 4 };

struct Cell {
    bool visible;
    int kind;
    int owner = 0;
    int units = 0;
};

struct Move {
    int from = -1, to = -1;  // cells counted from 0, row by row
};

int rows, columns, players, me;

std::vector<int> neighbours(int cell) {
    std::vector<int> found;
    if (cell >= columns) found.push_back(cell - columns);
    if (cell < (rows - 1) * columns) found.push_back(cell + columns);
    if (cell % columns > 0) found.push_back(cell - 1);
    if (cell % columns < columns - 1) found.push_back(cell + 1);
    return found;
}

// For every cell, how many steps it is to the nearest cell that is not ours: a breadth-first search.
std::vector<int> steps_to_the_front(const std::vector<Cell> &board) {
    std::vector<int> steps(board.size(), -1), queue;
    for (size_t cell = 0; cell < board.size(); cell++) {
        if (board[cell].kind != MOUNTAIN && board[cell].owner != me) {
            steps[cell] = 0;
            queue.push_back(cell);
        }
    }
    for (size_t at = 0; at < queue.size(); at++) {
        for (int other : neighbours(queue[at])) {
            if (steps[other] < 0 && board[other].kind != MOUNTAIN) {
                steps[other] = steps[queue[at]] + 1;
                queue.push_back(other);
            }
        }
    }
    return steps;
}

Move choose(const std::vector<Cell> &board) {
    std::vector<int> steps = steps_to_the_front(board);
    Move best;
    long best_value = 0;
    for (int here = 0; here < rows * columns; here++) {
        const Cell &cell = board[here];
        if (cell.owner != me || cell.units < 2) continue;
        for (int there : neighbours(here)) {
            const Cell &target = board[there];
            if (target.kind == MOUNTAIN) continue;
            long value = 0;
            if (target.owner != me && target.units < cell.units - 1) {
                // Something we can take: capitals first, then what belongs to somebody, then cities, then land.
                value = target.kind == CAPITAL ? 1000000 : target.owner ? 3000 : target.kind == CITY ? 2000 : 1000;
                value += cell.units;
            } else if (target.owner == me && steps[there] >= 0 && steps[there] < steps[here]) {
                // Nothing to take from here: march to the front, the largest army first.
                value = cell.units;
            }
            if (value > best_value) {
                best_value = value;
                best = {here, there};
            }
        }
    }
    return best;
}

int main() {
    std::cin >> rows >> columns >> players >> me;
    int playing;
    while (std::cin >> playing && playing == 1) {
        for (int i = 0; i < players; i++) {
            int army, land;
            std::cin >> army >> land;
        }
        std::vector<Cell> board(rows * columns);
        for (Cell &cell : board) {
            std::cin >> cell.visible >> cell.kind;
            // All that is known of a hidden cell: 1 may be entered (or is a capital), 2 may be a mountain or a city.
            if (!cell.visible) cell.kind = cell.kind == 1 ? EMPTY : MOUNTAIN;
            else if (cell.kind != MOUNTAIN) std::cin >> cell.owner >> cell.units;
        }
        Move move = choose(board);
        if (move.from < 0) {
            std::cout << -1 << std::endl;
        } else {
            std::cout << 1 << ' ' << move.from / columns + 1 << ' ' << move.from % columns + 1 << ' '
                      << move.to / columns + 1 << ' ' << move.to % columns + 1 << std::endl;
        }
    }
}
