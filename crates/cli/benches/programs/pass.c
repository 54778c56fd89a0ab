/* A bot that does nothing as fast as it can. usage: pass ANSWER HELLO_LINES ASK_LINES
 * It counts lines until the first ask is complete. After that an ask is one read: it is written at once, and fits the
 * pipe. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char buffer[1 << 16];
    char answer[64];
    if (argc != 4) return 2;
    int length = snprintf(answer, sizeof answer, "%s\n", argv[1]);
    long missing = atol(argv[2]) + atol(argv[3]);
    for (;;) {
        ssize_t got = read(0, buffer, sizeof buffer);
        if (got <= 0) return 0;
        for (ssize_t i = 0; missing > 0 && i < got; i++) missing -= buffer[i] == '\n';
        if (missing > 0) continue;
        if (write(1, answer, length) != length) return 0;
    }
}
