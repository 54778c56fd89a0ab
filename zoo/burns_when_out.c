/* Answers with words that are no answer, and from then on computes for ever in ten processes, each in a session of its
 * own: whoever plays on must not notice. */
#include "attack.h"
int main(void) {
    wait_for_start();
    for (int i = 0; i < 10; i++) {
        if (fork() == 0) {
            setsid();
            /* Fuse: so many seconds. */
            alarm(60);
            if (i == 0) printf("I give up\n");
            fflush(stdout);
            for (volatile unsigned long work = 0;; work++) {}
        }
    }
    for (;;) pause();
}
