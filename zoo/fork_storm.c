/* Every process forks for ever, and so do its children. */
#include "attack.h"
int main(void) {
    int *count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count == MAP_FAILED) return 1;
    wait_for_start();
    for (;;)
        if (fork() == 0 && __atomic_add_fetch(count, 1, __ATOMIC_RELAXED) > FUSE_PROCESSES) {
            found("a storm of processes", 1);
            kill(0, SIGKILL);
        }
}
