/* Passes, and ignores the end and every signal that can be ignored. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char block[65536];
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    while (read(0, block, sizeof block) > 0) {
        printf("%s\n", argc > 1 ? argv[1] : "0");
        fflush(stdout);
    }
    for (;;) pause();
}
