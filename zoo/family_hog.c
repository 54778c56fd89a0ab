/* Spreads its memory over many children, each of which takes little. */
#include "attack.h"
int main(void) {
    long share = 64L << 20;
    int refused = 0;
    wait_for_start();
    for (long held = 0; held < FUSE_BYTES && !refused; held += share) {
        int ready[2];
        char byte;
        if (pipe(ready) != 0) return 1;
        pid_t child = fork();
        if (child == 0) {
            char *memory = malloc(share);
            if (memory != NULL) touch(memory, share);
            if (memory == NULL || write(ready[1], "", 1) != 1) _exit(1);
            for (;;) pause();
        }
        close(ready[1]);
        /* Another child may have had to go for this one. */
        refused = child < 0 || read(ready[0], &byte, 1) != 1 || waitpid(-1, NULL, WNOHANG) != 0;
        close(ready[0]);
    }
    found("gigabytes over many children", !refused);
    return play_on();
}
