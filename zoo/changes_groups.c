/* Has children compute that go to another group or session all the time, so that no signal to a group reaches them. */
#include "attack.h"
int main(void) {
    wait_for_start();
    for (int i = 0; i < 4; i++) {
        if (fork() != 0) continue;
        /* Fuse: so many seconds. */
        alarm(60);
        for (unsigned long turn = 0;; turn++) {
            for (volatile int work = 0; work < 10000; work++) {}
            if (turn % 3 == 0) setsid();
            else setpgid(0, turn % 3 == 1 ? 0 : getppid());
        }
    }
    return play_on();
}
