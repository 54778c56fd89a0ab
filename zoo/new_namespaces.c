/* Makes namespaces of its own, in which it would be root, or enters those of others. */
#include "attack.h"
#include <linux/sched.h>
#include <sched.h>
int main(void) {
    int kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP};
    const char *names[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
    struct clone_args arguments = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
    char path[64];
    for (int at = 0; at < 7; at++) {
        TRY("makes a namespace", unshare(kinds[at]));
        TRY("makes a user and another namespace", unshare(CLONE_NEWUSER | kinds[at]));
        snprintf(path, sizeof path, "/proc/1/ns/%s", names[at]);
        TRY("enters a namespace", setns(open(path, O_RDONLY), 0));
        snprintf(path, sizeof path, "/proc/%d/ns/%s", victim(), names[at]);
        TRY("enters a namespace outside", setns(open(path, O_RDONLY), 0));
    }
    TRY("clones into a namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    TRY("clones into a namespace by the new call", syscall(SYS_clone3, &arguments, sizeof arguments));
    return play_on();
}
