/* Uses shared memory without end, which counts for none of the processes that share it. */
#include "attack.h"
int main(void) {
    wait_for_start();
    for (long held = 0; held < FUSE_BYTES; held += STEP) {
        void *memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return said("mmap", -1) < 0;
        touch(memory, STEP);
    }
    found("gigabytes of shared memory", 1);
    return 0;
}
