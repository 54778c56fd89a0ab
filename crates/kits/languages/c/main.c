// Plays {{ title }}: reads, lets the bot choose, and answers.
#include "bot.h"

int main(void) {
    Game game = new_game(getenv("PALESTRA_PACKETS"));
    Answer answer = {0};
    read_start(&game);
    while (read_turn(&game)) {
        choose(&game, &answer);
        send_answer(&answer);
    }
}
