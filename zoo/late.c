/* Passes argv[2] milliseconds after each ask. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char block[1 << 20];
    long ms = argc > 2 ? atol(argv[2]) : 0;
    /* What is told at the start, and the first ask, may come in one piece or two: wait until it is quiet. */
    while (read(0, block, sizeof block) > 0) {
        struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
        nanosleep(&pause, NULL);
        printf("%s\n", argv[1]);
        fflush(stdout);
    }
    return 0;
}
