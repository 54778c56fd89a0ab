/* Looks for processes that are neither its own nor its keeper; the other seat is taken by another one of these. */
#include "attack.h"
int main(void) {
    char block[65536];
    /* A sandbox that forbids every signal tells nothing. */
    int told = kill(1 << 23, 0) < 0 && errno == ESRCH;
    while (read(0, block, sizeof block) > 0) {
        for (pid_t pid = 2; pid < 70000; pid++)
            if (pid != getpid() && pid != getppid() && (kill(pid, 0) == 0 || (told && errno == EPERM))) {
                fprintf(stderr, "escaped: sees process %d\n", pid);
                break;
            }
        if (write(1, "0\n", 2) != 2) break;
    }
    found("has looked for neighbours", 0);
    return 0;
}
