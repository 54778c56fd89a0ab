// Your bot. This one sends every unit to the nearest base, and then to the enemy's factory. Make it better!
#pragma once

#include "protocol.hpp"

const int LAST = 19;                     // your factory is at (0, 0), the enemy's at (LAST, LAST)
inline const std::string KINDS = "RPS";  // each beats the one before it

inline bool beats(const std::string &kind, const std::string &other) {
    return KINDS.find(kind) == (KINDS.find(other) + 1) % 3;
}

// Whether nobody is there but an enemy that it beats.
inline bool is_free(const Game &game, const Soldier &soldier, int x, int y) {
    for (const Soldier &other : game.soldiers)
        if (other.x == x && other.y == y) return other.side != ALLY && beats(soldier.kind, other.kind);
    return true;
}

struct Place {
    int x, y;
};

// The nearest of the enemy's factory and the bases that are not ours.
inline Place goal(const Game &game, const Soldier &soldier) {
    auto steps = [&](Place place) { return std::abs(place.x - soldier.x) + std::abs(place.y - soldier.y); };
    Place best = {LAST, LAST}, right = {LAST, 0}, down = {0, LAST};
    if (game.base_r != ALLY && steps(right) < steps(best)) best = right;
    if (game.base_d != ALLY && steps(down) < steps(best)) best = down;
    return best;
}

// The lines of an answer: step(id, direction) and produce(kind).
inline std::vector<Answer> choose(Game &game) {
    int allies = 0;
    for (const Soldier &soldier : game.soldiers) allies += soldier.side == ALLY;
    std::vector<Answer> answer = {produce(KINDS.substr(allies % 3, 1))};
    for (Soldier &soldier : game.soldiers) {
        if (soldier.side != ALLY) continue;
        Place to = goal(game, soldier);
        int dx = (to.x > soldier.x) - (to.x < soldier.x), dy = (to.y > soldier.y) - (to.y < soldier.y);
        if (dx && is_free(game, soldier, soldier.x + dx, soldier.y)) {
            answer.push_back(step(soldier.id, dx > 0 ? RIGHT : LEFT));
            soldier.x += dx;
        } else if (dy && is_free(game, soldier, soldier.x, soldier.y + dy)) {
            answer.push_back(step(soldier.id, dy > 0 ? DOWN : UP));
            soldier.y += dy;
        }
    }
    return answer;
}
