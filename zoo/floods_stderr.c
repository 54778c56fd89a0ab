/* Writes a gigabyte to standard error in its first turn, then passes for ever. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char block[65536];
    memset(block, 'e', sizeof block);
    block[sizeof block - 1] = '\n';
    for (int i = 0; i < 16384; i++)
        if (write(2, block, sizeof block) < 0) return 1;
    fputs("the last line\n", stderr);
    while (read(0, block, sizeof block) > 0) {
        printf("%s\n", argc > 1 ? argv[1] : "0");
        fflush(stdout);
    }
    return 0;
}
