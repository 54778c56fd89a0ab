/* Maps and uses memory without end. */
#include "attack.h"
int main(void) {
    wait_for_start();
    for (long held = 0; held < FUSE_BYTES; held += STEP) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE;
        if (mmap(NULL, STEP, PROT_READ | PROT_WRITE, flags, -1, 0) == MAP_FAILED) return said("mmap", -1) < 0;
    }
    found("gigabytes of mappings", 1);
    return 0;
}
