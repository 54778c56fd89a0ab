/* Answers, and keeps computing while it is not its turn. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char block[65536];
    volatile unsigned long work = 0;
    fcntl(0, F_SETFL, O_NONBLOCK);
    for (;;) {
        long length = read(0, block, sizeof block);
        if (length == 0) return 0;
        if (length < 0) {
            for (int i = 0; i < 1000; i++) work++;
            continue;
        }
        printf("%s\n", argc > 1 ? argv[1] : "0");
        fflush(stdout);
    }
}
