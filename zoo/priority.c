/* Makes itself more important than others. */
#include "attack.h"
#include <sched.h>
#include <sys/resource.h>
int main(void) {
    struct sched_param first = {.sched_priority = 1};
    TRY("goes first", setpriority(PRIO_PROCESS, 0, -20));
    TRY("runs in real time", sched_setscheduler(0, SCHED_FIFO, &first));
    TRY("runs in turns of real time", sched_setscheduler(0, SCHED_RR, &first));
    TRY("reads in real time", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
    TRY("holds others back", setpriority(PRIO_PROCESS, victim(), 19));
    return play_on();
}
