/* Traces, reads and writes processes that are not its own: its parent, a process outside, the first one. */
#include "attack.h"
#include <sys/ptrace.h>
#include <sys/uio.h>
int main(void) {
    char byte;
    pid_t targets[] = {victim(), 1, getppid()};
    for (int at = 0; at < 3; at++) {
        struct iovec here = {&byte, 1}, there = {(void *)0x400000, 1};
        int descriptor = -1;
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/mem", targets[at]);
        TRY("traces a process", ptrace(PTRACE_SEIZE, targets[at], 0, 0));
        TRY("attaches to a process", ptrace(PTRACE_ATTACH, targets[at], 0, 0));
        TRY("reads a process", process_vm_readv(targets[at], &here, 1, &there, 1, 0));
        TRY("opens a process's memory", open(path, O_RDWR));
        descriptor = (int)syscall(SYS_pidfd_open, targets[at], 0);
        TRY("takes a process's descriptor", syscall(SYS_pidfd_getfd, descriptor, 0, 0));
    }
    return play_on();
}
