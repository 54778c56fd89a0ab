// Plays {{ title }}: reads, lets the bot choose, and answers.
#include "bot.hpp"

int main() {
    std::ios::sync_with_stdio(false);
    std::ifstream packets;
    if (const char *file = std::getenv("PALESTRA_PACKETS")) packets.open(file);
    std::istream &in = packets.is_open() ? packets : std::cin;
    Game game;
    game.read_start(in);
    while (game.read_turn(in)) std::cout << text_of(choose(game)) << std::flush;
}
