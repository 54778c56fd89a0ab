/* An honest bot that uses so many milliseconds of processor time for every answer, as its first argument says, or 25, and
 * passes with the second. What its opponents do while it works costs it time on the wall. */
#include "attack.h"
#include <time.h>
static double used(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}
int main(int argc, char **argv) {
    char block[65536];
    double work = argc > 1 ? atof(argv[1]) : 25;
    wait_for_start();
    while (read(0, block, sizeof block) > 0) {
        double until = used() + work;
        while (used() < until) {}
        printf("%s\n", argc > 2 ? argv[2] : "0");
        fflush(stdout);
    }
    return 0;
}
