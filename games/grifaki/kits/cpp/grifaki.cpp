// A first bot for Grifaki: takes whatever it can beat, otherwise marches to the front.
//
// Try it:    palestra play grifaki ./grifaki.cpp expander
// Then make it better: choose() decides, everything else only reads and writes.
#include <iostream>
#include <string>
#include <vector>

struct Cell {
    long long units;
    int owner;
    bool wall, visible;
    int original_owner;
    std::string type;  // PLAIN, CITY, MOUNTAIN, CAPITAL, FALLEN_CAPITAL; a hidden cell is PLAIN or else MOUNTAIN
};

struct Move {
    int from = -1, to = -1;  // cells counted from 0, row by row
};

int height, width, players, me;

std::vector<int> neighbours(int cell) {
    std::vector<int> found;
    if (cell >= width) found.push_back(cell - width);
    if (cell < (height - 1) * width) found.push_back(cell + width);
    if (cell % width > 0) found.push_back(cell - 1);
    if (cell % width < width - 1) found.push_back(cell + 1);
    return found;
}

// For every cell, how many steps it is to the nearest cell that is not ours: a breadth-first search.
std::vector<int> steps_to_the_front(const std::vector<Cell> &board) {
    std::vector<int> steps(board.size(), -1), queue;
    for (size_t cell = 0; cell < board.size(); cell++) {
        if (board[cell].type != "MOUNTAIN" && board[cell].owner != me) {
            steps[cell] = 0;
            queue.push_back(cell);
        }
    }
    for (size_t at = 0; at < queue.size(); at++) {
        for (int other : neighbours(queue[at])) {
            if (steps[other] < 0 && board[other].type != "MOUNTAIN") {
                steps[other] = steps[queue[at]] + 1;
                queue.push_back(other);
            }
        }
    }
    return steps;
}

// The best move; all units but one will go.
Move choose(const std::vector<Cell> &board) {
    std::vector<int> steps = steps_to_the_front(board);
    Move best;
    long long best_value = 0;
    for (int here = 0; here < height * width; here++) {
        const Cell &cell = board[here];
        if (cell.owner != me || cell.units < 2) continue;
        for (int there : neighbours(here)) {
            const Cell &target = board[there];
            if (target.type == "MOUNTAIN") continue;
            // Behind a wall, defenders are 1.3 times as strong.
            long long defence = target.units * (target.wall ? 13 : 10);
            long long value = 0;
            if (target.owner != me && (cell.units - 1) * 10 >= defence + 10) {
                // Something we can take: capitals first, then cities, then what belongs to somebody, then land.
                value = target.type == "CAPITAL" ? 1000000 : target.type != "PLAIN" ? 300000 : target.owner ? 20000 : 10000;
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
    std::cin >> height >> width >> players >> me;
    int win;
    while (std::cin >> win && win == 0) {
        std::vector<Cell> board(height * width);
        for (Cell &cell : board) {
            std::cin >> cell.units >> cell.owner >> cell.wall >> cell.visible >> cell.original_owner >> cell.type;
        }
        Move move = choose(board);
        if (move.from < 0) {
            std::cout << "EMPTY" << std::endl;
        } else {
            std::cout << "MOVE " << move.from / width << ' ' << move.from % width << ' ' << move.to / width << ' '
                      << move.to % width << ' ' << board[move.from].units - 1 << std::endl;
        }
    }
}
