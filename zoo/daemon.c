/* Leaves a process in a session of its own, holding none of its pipes, then passes for ever. */
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char block[65536];
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        for (int fd = 0; fd < 3; fd++) close(fd);
        sleep(1000);
        _exit(0);
    }
    while (read(0, block, sizeof block) > 0) {
        printf("%s\n", argc > 1 ? argv[1] : "0");
        fflush(stdout);
    }
    return 0;
}
