/* Kills every process it can reach, its keeper first. Fuse: it does so only where it is among processes of its own. */
#include "attack.h"
int main(void) {
    char space[64] = "";
    const char *outside = "@pid_namespace@";
    if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0) snprintf(space, sizeof space, "unknown");
    found("reaches a process outside", kill(victim(), 0) == 0);
    if (strncmp(outside, "pid:[", 5) != 0 || strncmp(space, "pid:[", 5) != 0 || strcmp(space, outside) == 0) {
        found("is among the processes of its host", strcmp(space, outside) == 0);
        return play_on();
    }
    int signals[] = {SIGSTOP, SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD, SIGKILL};
    for (int at = 0; at < 7; at++) {
        signal(signals[at], SIG_IGN);
        kill(1, signals[at]);
        if (getppid() > 0) kill(getppid(), signals[at]);
        if (signals[at] != SIGSTOP) kill(-1, signals[at]);
    }
    return play_on();
}
