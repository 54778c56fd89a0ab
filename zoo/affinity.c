/* Leaves the core that it was put on. */
#include "attack.h"
#include <sched.h>
int main(void) {
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    memset(&after, 0xff, sizeof after);
    long result = sched_setaffinity(0, sizeof after, &after);
    sched_getaffinity(0, sizeof after, &after);
    if (result < 0) said("takes every core", result);
    else found("takes every core", CPU_COUNT(&after) > CPU_COUNT(&before));
    TRY("moves a process outside", sched_setaffinity(victim(), sizeof before, &before));
    return play_on();
}
