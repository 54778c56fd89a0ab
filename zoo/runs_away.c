/* Leaves a process that becomes another one every millisecond, in a new session each time: nobody catches it. */
#include "attack.h"
#include <sys/prctl.h>
int main(void) {
    if (fork() != 0) return play_on();
    /* Fuse: a minute. */
    for (int count = 0; count < 60000; count++) {
        setsid();
        prctl(PR_SET_PDEATHSIG, 0);
        usleep(1000);
        if (fork() > 0) _exit(0);
    }
    return 0;
}
