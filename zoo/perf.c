/* Counts events of the processor, its own and those of others. */
#include "attack.h"
#include <linux/perf_event.h>
int main(void) {
    struct perf_event_attr software = {.type = PERF_TYPE_SOFTWARE, .size = sizeof software, .exclude_kernel = 1};
    struct perf_event_attr hardware = {.type = PERF_TYPE_HARDWARE, .size = sizeof hardware, .exclude_kernel = 1};
    TRY("counts its own events", syscall(SYS_perf_event_open, &software, 0, -1, -1, 0));
    TRY("counts the processor's events", syscall(SYS_perf_event_open, &hardware, 0, -1, -1, 0));
    TRY("counts the events of others", syscall(SYS_perf_event_open, &software, victim(), -1, -1, 0));
    TRY("counts all events", syscall(SYS_perf_event_open, &software, -1, 0, -1, 0));
    return play_on();
}
