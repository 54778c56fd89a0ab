// Lets the bot answer every turn of the match in packets.txt.
#include "bot.h"

int main(void) {
    Game game = new_game("packets.txt");
    Answer answer = {0};
    int turns = 0;
    read_start(&game);
    while (read_turn(&game)) {
        turns++;
        choose(&game, &answer);
{% if form == "one" %}
        must(answer.lines == 1, "one line as an answer");
{% endif %}
        answer.size = answer.lines = 0;
    }
    must(turns == {{ turns }}, "the last turn");
    printf("all %d turns are answered\n", turns);
}
