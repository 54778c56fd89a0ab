/* The floor: two processes on one core that hand messages of fixed sizes to each other through pipes, and do nothing
 * else. usage: pingpong ASK_BYTES ANSWER_BYTES ROUNDS; prints round trips per second. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char buffer[1 << 20];

static void receive(int fd, size_t size) {
    for (size_t got = 0; got < size;) {
        ssize_t length = read(fd, buffer, size - got);
        if (length <= 0) exit(0);
        got += length;
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    size_t ask = atol(argv[1]), answer = atol(argv[2]), rounds = atol(argv[3]);
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(sched_getcpu(), &core);
    sched_setaffinity(0, sizeof core, &core);
    int there[2], back[2];
    if (pipe(there) || pipe(back)) return 1;
    if (fork() == 0) {
        close(there[1]);
        close(back[0]);
        for (;;) {
            receive(there[0], ask);
            if (write(back[1], buffer, answer) < 0) return 1;
        }
    }
    close(there[0]);
    close(back[1]);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (size_t i = 0; i < rounds; i++) {
        if (write(there[1], buffer, ask) < 0) return 1;
        receive(back[0], answer);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    close(there[1]);
    wait(NULL);
    printf("%.0f\n", rounds / (end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9));
    return 0;
}
