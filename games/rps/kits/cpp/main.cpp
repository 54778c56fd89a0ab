// A first bot for Rock Paper Scissor: every unit goes for the nearest thing worth having and keeps away from what beats it.
//
// Try it:    palestra play rps ./main.cpp bot
// Through a server, and everything else: see Client.h.
// Then make it better: HandleServerResponse decides, everything else only reads and writes.
#include "Client.h"

#include <algorithm>

class MYCLIENT : public CLIENT {
protected:
    std::string GetPassword() override { return "password"; }
    std::string GetPreferredOpponents() override { return "any bot"; }
    std::string HandleServerResponse(std::vector<std::string> &ServerResponse) override;

private:
    std::string Production() const;
    void Goal(const SOLDIER &soldier, int &x, int &y) const;
    int Worth(const SOLDIER &soldier, int x, int y, int goal_x, int goal_y) const;
    SOLDIER *At(int x, int y);

    static bool Beats(int a, int b) { return a == (b + 1) % 3; }
    static int Distance(int x, int y, int to_x, int to_y) { return std::abs(x - to_x) + std::abs(y - to_y); }

    PARSER mParser;
    int mSize = 20;
};

std::string MYCLIENT::HandleServerResponse(std::vector<std::string> &ServerResponse) {
    mParser.Parse(ServerResponse);
    if (mParser.match_result != PARSER::ONGOING) return ".";
    std::string answer = Production();
    static const struct { const char *word; int dx, dy; } DIRECTIONS[] = {
        {"right", 1, 0}, {"down", 0, 1}, {"left", -1, 0}, {"up", 0, -1}};
    for (SOLDIER &soldier : mParser.soldiers) {
        if (soldier.side != PARSER::ALLY) continue;
        int goal_x, goal_y;
        Goal(soldier, goal_x, goal_y);
        int best = Worth(soldier, soldier.x, soldier.y, goal_x, goal_y);
        const char *word = nullptr;
        int best_x = soldier.x, best_y = soldier.y;
        for (const auto &direction : DIRECTIONS) {
            int x = soldier.x + direction.dx, y = soldier.y + direction.dy;
            if (x < 0 || y < 0 || x >= mSize || y >= mSize) continue;
            SOLDIER *there = At(x, y);
            if (there && (there->side == PARSER::ALLY || !Beats(soldier.t, there->t))) continue;
            int worth = Worth(soldier, x, y, goal_x, goal_y) + (there ? 100 : 0);
            if (worth > best) {
                best = worth;
                word = direction.word;
                best_x = x;
                best_y = y;
            }
        }
        if (!word) continue;
        answer += std::to_string(soldier.id) + " " + word + "\n";
        // Keep the picture right for the units that are ordered later: whoever was there is beaten.
        if (SOLDIER *beaten = At(best_x, best_y)) beaten->x = beaten->y = -1;
        soldier.x = best_x;
        soldier.y = best_y;
    }
    return answer + ".";
}

// What beats most of the enemy's units; one after the other as long as there are none.
std::string MYCLIENT::Production() const {
    int value[3] = {0, 0, 0};
    for (const SOLDIER &soldier : mParser.soldiers) {
        if (soldier.side == PARSER::ENEMY) value[(soldier.t + 1) % 3] += 2;
        else value[soldier.t] -= 1;
    }
    int best = static_cast<int>(std::max_element(value, value + 3) - value);
    return std::string("prod ") + "RPS"[best] + "\n";
}

// The nearest of: an enemy that it beats, a base to take; otherwise the enemy's factory.
void MYCLIENT::Goal(const SOLDIER &soldier, int &x, int &y) const {
    int last = mSize - 1, nearest = 1000;
    x = y = last;
    auto consider = [&](int to_x, int to_y) {
        int steps = Distance(soldier.x, soldier.y, to_x, to_y);
        if (steps < nearest) {
            nearest = steps;
            x = to_x;
            y = to_y;
        }
    };
    if (mParser.base_owner[0] != PARSER::ALLY) consider(last, 0);
    if (mParser.base_owner[1] != PARSER::ALLY) consider(0, last);
    for (const SOLDIER &other : mParser.soldiers) {
        bool prey = other.side == PARSER::ENEMY && other.x >= 0 && Beats(soldier.t, other.t);
        // Far away it may well run; near the own factory it must be stopped.
        if (prey && (Distance(soldier.x, soldier.y, other.x, other.y) <= 6 || Distance(other.x, other.y, 0, 0) <= 8))
            consider(other.x, other.y);
    }
}

// What it is worth to stand somewhere: near the goal, and not next to somebody who beats us.
int MYCLIENT::Worth(const SOLDIER &soldier, int x, int y, int goal_x, int goal_y) const {
    int worth = -10 * Distance(x, y, goal_x, goal_y);
    for (const SOLDIER &other : mParser.soldiers) {
        bool enemy = other.side == PARSER::ENEMY && other.x >= 0;
        if (enemy && Beats(other.t, soldier.t) && Distance(x, y, other.x, other.y) == 1) worth -= 50;
    }
    // Nothing new appears while somebody stands on the factory.
    if (x == 0 && y == 0) worth -= 15;
    return worth;
}

SOLDIER *MYCLIENT::At(int x, int y) {
    for (SOLDIER &soldier : mParser.soldiers)
        if (soldier.x == x && soldier.y == y) return &soldier;
    return nullptr;
}

CLIENT *CreateClient() { return new MYCLIENT(); }
