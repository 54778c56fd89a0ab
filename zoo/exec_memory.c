/* Runs a copy of itself that is in no folder. It may: that gives it nothing that it did not have. */
#include "attack.h"
int main(int argc, char **argv) {
    static char block[1 << 20];
    int from = open("/proc/self/exe", O_RDONLY), to = memfd_create("copy", MFD_CLOEXEC);
    for (ssize_t length; argc == 1 && (length = read(from, block, sizeof block)) > 0;)
        if (write(to, block, length) != length) break;
    char *again[] = {argv[0], "again", NULL};
    if (argc == 1) fexecve(to, again, environ);
    return play_on();
}
