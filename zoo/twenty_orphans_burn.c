/* Leaves twenty orphans that compute for ever: on a shared core whoever is to move gets a twentieth of it. */
#include "attack.h"
int main(void) {
    wait_for_start();
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (fork() != 0) _exit(0);
            for (int fd = 0; fd < 3; fd++) close(fd);
            /* Fuse: so many seconds. */
            alarm(60);
            for (volatile unsigned long work = 0;; work++) {}
        }
        waitpid(child, NULL, 0);
    }
    return play_on();
}
