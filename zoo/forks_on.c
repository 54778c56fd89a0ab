/* Three chains of orphans that compute, each of which lives for a moment and leaves a child in its place: whoever stops
 * them one by one comes too late. Nobody waits for them. */
#include "attack.h"
#include <time.h>
int main(void) {
    wait_for_start();
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 3; i++) {
        if (fork() != 0) continue;
        for (int fd = 0; fd < 3; fd++) close(fd);
        /* Fuse: so many seconds, which a child does not inherit. */
        time_t end = time(NULL) + 60;
        while (time(NULL) < end) {
            for (volatile int work = 0; work < 300000; work++) {}
            if (fork() > 0) _exit(0);
        }
        _exit(0);
    }
    return play_on();
}
