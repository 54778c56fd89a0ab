/* Fills as many pipes as it can open, each made as big as it gets. */
#include "attack.h"
int main(void) {
    static char block[1 << 20];
    long held = 0;
    for (int count = 0; held < FUSE_BYTES && count < 100000; count++) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK) != 0) {
            said("one more pipe", -1);
            return play_on();
        }
        fcntl(ends[1], F_SETPIPE_SZ, sizeof block);
        ssize_t written;
        while ((written = write(ends[1], block, sizeof block)) > 0) held += written;
    }
    found("pipes without end", 1);
    return play_on();
}
