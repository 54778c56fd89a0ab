/* Takes all the heap it can get. */
#include "attack.h"
int main(void) {
    wait_for_start();
    for (long held = 0; held < FUSE_BYTES; held += STEP) {
        char *memory = malloc(STEP);
        if (memory == NULL) return said("more heap", -1) < 0;
        touch(memory, STEP);
    }
    found("gigabytes of heap", 1);
    return 0;
}
