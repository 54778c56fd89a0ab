/* Makes timers, which live in the kernel's memory, until it is refused. */
#include "attack.h"
#include <time.h>
int main(void) {
    for (int count = 0; count < 500000; count++) {
        timer_t timer;
        if (timer_create(CLOCK_MONOTONIC, NULL, &timer) != 0) {
            said("one more timer", -1);
            return play_on();
        }
    }
    found("timers without end", 1);
    return play_on();
}
