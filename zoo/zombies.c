/* Leaves zombies, which hold their numbers, until it is refused. */
#include "attack.h"
int main(void) {
    for (int count = 0; count < FUSE_PROCESSES; count++) {
        pid_t child = fork();
        if (child == 0) _exit(0);
        if (child < 0) {
            said("one more zombie", child);
            return play_on();
        }
    }
    found("thousands of zombies", 1);
    return play_on();
}
