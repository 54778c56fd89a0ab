/* Fills as many pairs of sockets as it can open. */
#include "attack.h"
#include <sys/socket.h>
int main(void) {
    static char block[65536];
    long held = 0;
    for (int count = 0; held < FUSE_BYTES && count < 100000; count++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) {
            said("one more pair of sockets", -1);
            return play_on();
        }
        ssize_t written;
        while ((written = write(ends[0], block, sizeof block)) > 0) held += written;
    }
    found("sockets without end", 1);
    return play_on();
}
