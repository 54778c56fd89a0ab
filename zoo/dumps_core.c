/* Asks for a core dump with something in it, and crashes. */
#include "attack.h"
#include <sys/prctl.h>
#include <sys/resource.h>
int main(void) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    said("raises the limit of core dumps", setrlimit(RLIMIT_CORE, &all));
    prctl(PR_SET_DUMPABLE, 1);
    touch(malloc(STEP), STEP);
    wait_for_start();
    abort();
}
