/* Runs a file that it has written itself, directly and through the loader. */
#include "attack.h"
static long run(char *const *command) {
    execv(command[0], command);
    return -1;
}
int main(int argc, char **argv) {
    if (argc > 1) return found("runs what it has written", 1), 0;
    static char block[1 << 20];
    int from = open("/proc/self/exe", O_RDONLY), to = open("/tmp/copy", O_CREAT | O_WRONLY, 0755);
    if (from < 0) from = open(argv[0], O_RDONLY);
    for (ssize_t length; (length = read(from, block, sizeof block)) > 0;)
        if (write(to, block, length) != length) return 1;
    close(to);
    char *directly[] = {"/tmp/copy", "again", NULL};
    char *loaded[] = {"/lib64/ld-linux-x86-64.so.2", "/tmp/copy", "again", NULL};
    TRY("runs a file", run(directly));
    pid_t child = fork();
    if (child == 0) _exit(run(loaded) < 0);
    await("runs a file through the loader", child);
    return play_on();
}
