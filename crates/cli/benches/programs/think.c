/* A bot that thinks for a fixed amount of processor time before every answer. usage: think ANSWER HELLO_LINES ASK_LINES
 * MICROSECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long used(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

int main(int argc, char **argv) {
    static char buffer[1 << 16];
    char answer[64];
    if (argc != 5) return 2;
    int length = snprintf(answer, sizeof answer, "%s\n", argv[1]);
    long missing = atol(argv[2]) + atol(argv[3]);
    long thinking = atol(argv[4]);
    for (;;) {
        ssize_t got = read(0, buffer, sizeof buffer);
        if (got <= 0) return 0;
        for (ssize_t i = 0; missing > 0 && i < got; i++) missing -= buffer[i] == '\n';
        if (missing > 0) continue;
        long long until = used() + thinking;
        while (used() < until) {}
        if (write(1, answer, length) != length) return 0;
    }
}
