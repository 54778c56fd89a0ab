/* Does what its first argument says; the tests of the sandbox look at what comes of it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void report(const char *what, long result) {
    printf("%s %s\n", what, result < 0 ? strerrorname_np(errno) : "allowed");
}

static void calls(void) {
    report("socket", socket(AF_INET, SOCK_STREAM, 0));
    report("unix", socket(AF_UNIX, SOCK_STREAM, 0));
    report("netlink", socket(AF_NETLINK, SOCK_RAW, 0));
    report("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0));
    report("unshare", unshare(CLONE_NEWUSER));
    report("setns", syscall(SYS_setns, 0, 0));
    report("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    report("clone3", syscall(SYS_clone3, 0, 0));
    report("mount", syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, 0));
    report("bpf", syscall(SYS_bpf, 0, 0, 0));
    report("io_uring", syscall(SYS_io_uring_setup, 1, 0));
    report("userfaultfd", syscall(SYS_userfaultfd, 0));
    report("perf", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
    report("keyctl", syscall(SYS_keyctl, 0, 0));
    report("personality", syscall(SYS_personality, 0x0040000));
    report("vm", syscall(SYS_process_vm_readv, 1, 0, 0, 0, 0, 0));
    report("hostname", sethostname("x", 1));
    report("chroot", chroot("/tmp"));
    report("shm", syscall(SYS_shmget, 1, 4096, 01600));
    report("nice_cell", syscall(SYS_setpriority, 0, 1, 19));
    report("limit_cell", syscall(SYS_prlimit64, 1, 7, 0, 0));
    report("move_cell", syscall(SYS_sched_setaffinity, 1, 8, "\1\0\0\0\0\0\0\0"));
    report("chmod", chmod("/tmp", 04755));
    report("fchmod", fchmod(0, 04755));
    report("open_set_id", open("/tmp/x", O_CREAT | O_WRONLY, 04755));
    report("tmpfile_set_id", open("/tmp", O_TMPFILE | O_WRONLY, 04755));
    report("type", ioctl(0, TIOCSTI, "x"));
    report("stop_cell", kill(1, SIGSTOP));
    report("kill_cell", kill(1, SIGKILL));
}

static int fork_until_it_fails(void) {
    int made = 0;
    for (; made < 100000; made++) {
        pid_t child = fork();
        if (child < 0) break;
        if (child == 0) { pause(); _exit(0); }
    }
    printf("%d\n", made);
    return 0;
}

static int fill(const char *path) {
    static char block[1 << 16];
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    long written = 0, now;
    memset(block, 1, sizeof block);
    while ((now = write(file, block, sizeof block)) > 0) written += now;
    printf("%ld %s\n", written, strerrorname_np(errno));
    return 0;
}

static int leave_daemons(const char *mark) {
    for (int i = 0; i < 5; i++)
        if (fork() == 0) {
            setsid();
            signal(SIGTERM, SIG_IGN);
            prctl(PR_SET_NAME, mark);
            if (fork() != 0) _exit(0);
            for (;;) pause();
        }
    while (wait(0) > 0) {}
    puts("left");
    return 5;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    setvbuf(stdout, 0, _IOLBF, 0);
    if (!strcmp(what, "exit")) return atoi(argv[2]);
    if (!strcmp(what, "abort")) abort();
    if (!strcmp(what, "crash")) return *(volatile int *)8;
    if (!strcmp(what, "signal")) { raise(atoi(argv[2])); return 0; }
    if (!strcmp(what, "calls")) { calls(); return 0; }
    if (!strcmp(what, "bomb")) return fork_until_it_fails();
    if (!strcmp(what, "fill")) return fill(argv[2]);
    if (!strcmp(what, "daemons")) return leave_daemons(argv[2]);
    if (!strcmp(what, "sleep")) { prctl(PR_SET_NAME, argv[2]); puts("asleep"); for (;;) pause(); }
    if (!strcmp(what, "spin")) { puts("spins"); for (;;) {} }
    if (!strcmp(what, "lock")) {
        mkdir("/tmp/a", 0700), mkdir("/tmp/a/b", 0700), close(open("/tmp/a/b/c", O_CREAT | O_WRONLY, 0));
        return chmod("/tmp/a/b", 0) | chmod("/tmp/a", 0);
    }
    if (!strcmp(what, "eat")) {
        long bytes = atol(argv[2]);
        char *memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return 9;
        memset(memory, 1, bytes);
        return 0;
    }
    return 0;
}
