/* Forks until it is refused; the children wait. */
#include "attack.h"
int main(void) {
    for (int count = 0; count < FUSE_PROCESSES; count++) {
        pid_t child = fork();
        if (child == 0)
            for (;;) pause();
        if (child < 0) {
            said("one more process", child);
            return play_on();
        }
    }
    found("thousands of processes", 1);
    return play_on();
}
