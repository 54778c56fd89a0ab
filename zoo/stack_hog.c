/* Calls itself without end. */
#include "attack.h"
static __attribute__((noinline)) long deeper(long depth, volatile char *above) {
    volatile char frame[65536];
    touch((void *)frame, sizeof frame);
    if (depth * (long)sizeof frame > FUSE_BYTES) return above[0];
    return deeper(depth + 1, frame) + above[0];
}
int main(void) {
    volatile char first = 0;
    wait_for_start();
    deeper(0, &first);
    found("gigabytes of stack", 1);
    return 0;
}
