/* Starts two thousand children one after the other, to use up process numbers, then passes. */
#include "attack.h"
int main(void) {
    for (int count = 0; count < 2000; count++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        waitpid(child, NULL, 0);
    }
    return play_on();
}
