/* Fills the scratch space, with as many files as it takes. */
#include "attack.h"
int main(void) {
    static char block[1 << 20];
    char name[64];
    long held = 0;
    signal(SIGXFSZ, SIG_IGN);
    for (int count = 0; held < FUSE_BYTES && count < 10000; count++) {
        snprintf(name, sizeof name, "/tmp/hog-%d", count);
        int file = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0600);
        ssize_t written = -1;
        while (file >= 0 && held < FUSE_BYTES && (written = write(file, block, sizeof block)) > 0) held += written;
        if (file < 0 || (written < 0 && errno != EFBIG)) {
            said("more scratch space", -1);
            return play_on();
        }
        close(file);
    }
    found("gigabytes of scratch space", 1);
    return play_on();
}
