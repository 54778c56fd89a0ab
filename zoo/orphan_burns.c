/* Leaves an orphan in a session of its own that computes for ever: no descendant of the bot, and not in its group. */
#include "attack.h"
int main(void) {
    wait_for_start();
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        for (int fd = 0; fd < 3; fd++) close(fd);
        /* Fuse: so many seconds. */
        alarm(60);
        for (volatile unsigned long work = 0;; work++) {}
    }
    waitpid(child, NULL, 0);
    return play_on();
}
