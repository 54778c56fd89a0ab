/* Uses memory that no limit on a process's own data counts, in every way there is. */
#include "attack.h"

static long held = 0;

static int map(int flags, int file) {
    void *memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, flags, file, 0);
    if (memory == MAP_FAILED) return -1;
    touch(memory, STEP);
    held += STEP;
    return 0;
}

int main(void) {
    wait_for_start();
    int zeros = open("/dev/zero", O_RDWR), file = memfd_create("hog", 0);
    if (file >= 0 && ftruncate(file, STEP) != 0) return 1;
    for (int way = 0; way < 4; way++) {
        long before = held;
        int more = 0;
        while (more == 0 && held < before + FUSE_BYTES) {
            if (way == 0) more = map(MAP_SHARED | MAP_ANONYMOUS, -1);
            if (way == 1) more = zeros < 0 ? -1 : map(MAP_SHARED, zeros);
            if (way == 2) more = map(MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
            if (way == 3) more = file < 0 ? -1 : map(MAP_SHARED, file);
        }
        found("memory that counts for no process", held - before >= FUSE_BYTES);
    }
    return play_on();
}
