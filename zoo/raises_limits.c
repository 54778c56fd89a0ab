/* Raises its limits, and changes those of others. */
#include "attack.h"
#include <sys/resource.h>
int main(void) {
    int kinds[] = {RLIMIT_NOFILE, RLIMIT_FSIZE, RLIMIT_CORE, RLIMIT_MEMLOCK, RLIMIT_NPROC, RLIMIT_NICE, RLIMIT_RTPRIO};
    for (int at = 0; at < 7; at++) {
        struct rlimit now, more;
        getrlimit(kinds[at], &now);
        more.rlim_cur = more.rlim_max = now.rlim_max + 1;
        if (now.rlim_max == RLIM_INFINITY) found("a limit is not set", kinds[at] != RLIMIT_NPROC);
        else TRY("raises a limit", setrlimit(kinds[at], &more));
    }
    struct rlimit none = {0, 0};
    TRY("limits a process outside", prlimit(victim(), RLIMIT_CORE, &none, NULL));
    TRY("limits the first process", prlimit(1, RLIMIT_CORE, &none, NULL));
    return play_on();
}
