/* Fills files that live in memory and in no folder. */
#include "attack.h"
int main(void) {
    static char block[STEP];
    signal(SIGXFSZ, SIG_IGN);
    wait_for_start();
    int file = memfd_create("hog", 0);
    for (long held = 0; held < FUSE_BYTES;) {
        ssize_t written = file < 0 ? -1 : write(file, block, sizeof block);
        if (written < 0 && file >= 0 && errno == EFBIG && lseek(file, 0, SEEK_CUR) > 0) {
            file = memfd_create("hog", 0);
            continue;
        }
        if (written < 0) {
            said("more memory files", -1);
            return play_on();
        }
        held += written;
    }
    found("gigabytes of memory files", 1);
    return play_on();
}
