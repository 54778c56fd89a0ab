/* Has a child in a session of its own compute while it is not its turn, and looks idle itself. */
#include "attack.h"
int main(void) {
    pid_t child = fork();
    if (child != 0) return play_on();
    setsid();
    /* Fuse: so many seconds of processor time. */
    alarm(60);
    for (volatile unsigned long work = 0;; work++) {}
}
