// One packet of the server, taken apart. The names are those of the contest's own sample client.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

// A unit.
struct SOLDIER {
    int id, t, x, y, side;  // t is a PARSER::TYPE; side is PARSER::ALLY or PARSER::ENEMY
};

class PARSER {
public:
    enum SIDE { NEUTRAL = -1, ALLY = 0, ENEMY = 1 };
    enum TYPE { ROCK = 0, PAPER = 1, SCISSORS = 2 };
    enum eMatchResult { ONGOING, VICTORY, DRAW, DEFEAT };
    static constexpr int BOT = -1;

    int tick = 0;
    int versus = 0;                            // the opponent's number, or BOT
    std::vector<SOLDIER> soldiers;             // by number
    int base_owner[2] = {NEUTRAL, NEUTRAL};    // a SIDE for the base at the right, and for the one down below
    int prod_limit = 0;                        // what the next unit takes without bases
    int prod[3] = {0, 0, 0};                   // ticks spent on each TYPE
    eMatchResult match_result = ONGOING;       // something else in the last packet only

    // Says whether every line was understood.
    bool Parse(const std::vector<std::string> &ServerResponse) {
        *this = PARSER();
        bool good = true;
        size_t left = 0;  // lines about soldiers still to come
        for (const std::string &line : ServerResponse) {
            std::istringstream words(line);
            if (left > 0) {
                SOLDIER soldier{};
                char side = 0, type = 0;
                good &= bool(words >> soldier.id >> side >> type >> soldier.x >> soldier.y);
                soldier.side = SideOf(side);
                soldier.t = TypeOf(type);
                soldiers.push_back(soldier);
                left--;
                continue;
            }
            std::string what, word;
            words >> what;
            if (what == "tick") good &= bool(words >> tick);
            else if (what == "versus") {
                good &= bool(words >> word);
                versus = word == "bot" ? BOT : std::atoi(word.c_str());
            } else if (what == "soldiers") good &= bool(words >> left);
            else if (what == "prod") good &= bool(words >> prod_limit >> prod[0] >> prod[1] >> prod[2]);
            else if (what == "finished") {
                good &= bool(words >> word);
                match_result = word == "victory" ? VICTORY : word == "defeat" ? DEFEAT : DRAW;
            } else if (what == "base") {
                char name = 0, owner = 0;
                good &= bool(words >> name >> owner);
                base_owner[name == 'r' ? 0 : 1] = SideOf(owner);
            } else good &= what.empty() || what == ".";
        }
        return good && left == 0;
    }

private:
    static int SideOf(char letter) { return letter == 'A' ? ALLY : letter == 'E' ? ENEMY : NEUTRAL; }
    static int TypeOf(char letter) { return letter == 'R' ? ROCK : letter == 'P' ? PAPER : SCISSORS; }
};
