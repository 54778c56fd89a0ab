/* Six children that compute and let each other, and everybody they can reach, go on: whoever is stopped is woken by
 * whoever is not. Fuse: they reach out only where they are among processes of their own. */
#include "attack.h"
int main(void) {
    int family[6], alone = getppid() == 1;
    wait_for_start();
    for (int i = 0; i < 6; i++) {
        family[i] = fork();
        if (family[i] != 0) continue;
        for (int fd = 0; fd < 3; fd++) close(fd);
        /* Fuse: so many seconds. */
        alarm(60);
        for (;;) {
            for (volatile int work = 0; work < 2000; work++) {}
            if (alone) kill(-1, SIGCONT);
            for (int other = 0; other < i; other++) kill(family[other], SIGCONT);
        }
    }
    return play_on();
}
