/* A bot that does nothing as fast as it can. usage: pass ANSWER HELLO_LINES ASK_LINES
 * It reads whole messages by counting lines, which is all that it knows of any protocol. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char buffer[1 << 16];
    char answer[64];
    if (argc != 4) return 2;
    int length = snprintf(answer, sizeof answer, "%s\n", argv[1]);
    long missing = atol(argv[2]) + atol(argv[3]), ask = atol(argv[3]);
    for (;;) {
        ssize_t got = read(0, buffer, sizeof buffer);
        if (got <= 0) return 0;
        long lines = 0;
        for (ssize_t i = 0; i < got; i++) lines += buffer[i] == '\n';
        missing -= lines;
        if (missing > 0) continue;
        missing += ask;
        if (write(1, answer, length) != length) return 0;
    }
}
