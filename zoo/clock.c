/* Sets the machine's clock, to what it shows. */
#include "attack.h"
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
int main(void) {
    struct timespec now;
    struct timeval today;
    struct timex tick = {.modes = ADJ_TICK, .tick = 10000};
    clock_gettime(CLOCK_REALTIME, &now);
    gettimeofday(&today, NULL);
    TRY("sets the clock", clock_settime(CLOCK_REALTIME, &now));
    TRY("sets the time of day", settimeofday(&today, NULL));
    TRY("adjusts the clock", adjtimex(&tick));
    return play_on();
}
