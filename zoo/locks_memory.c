/* Locks memory, so that it cannot be taken back. */
#include "attack.h"
int main(void) {
    long bytes = 64L << 20;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    TRY("locks memory", mlock(memory, bytes));
    return play_on();
}
