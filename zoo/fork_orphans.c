/* Forks twice, so that every grandchild is an orphan in a session of its own, until it is refused. */
#include "attack.h"
int main(void) {
    for (int count = 0; count < FUSE_PROCESSES; count++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            setsid();
            pid_t grandchild = fork();
            if (grandchild == 0)
                for (;;) pause();
            if (grandchild < 0) said("one more orphan", -1);
            _exit(grandchild < 0);
        }
        if (child < 0) said("one more process", child);
        if (child < 0 || (waitpid(child, &status, 0) == child && status != 0)) return play_on();
    }
    found("thousands of orphans", 1);
    return play_on();
}
