/* Passes with argv[1], argv[2] milliseconds after each ask. It tells asks by counting lines: argv[3] of them are told at
 * the start, argv[4] in every turn. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char block[65536];
    if (argc != 5) return 2;
    long ms = atol(argv[2]), ask = atol(argv[4]), missing = atol(argv[3]) + ask;
    for (;;) {
        ssize_t length = read(0, block, sizeof block);
        if (length <= 0) return 0;
        for (ssize_t i = 0; i < length; i++) missing -= block[i] == '\n';
        if (missing > 0) continue;
        missing += ask;
        struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
        nanosleep(&pause, NULL);
        printf("%s\n", argv[1]);
        fflush(stdout);
    }
}
