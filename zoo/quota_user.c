/* Needs in every turn a little of what the kernel counts by user, and gives up if it does not get it. Outside of a match, with
 * an argument, it does so once. */
#include "attack.h"
#include <sys/epoll.h>
#include <time.h>

static void need(const char *what, long result) {
    if (result >= 0) return;
    fprintf(stderr, "escaped: somebody else has taken every %s: %s\n", what, strerror(errno));
    exit(1);
}

static void use_everything(void) {
    static char block[4096];
    timer_t timer;
    need("timer", timer_create(CLOCK_MONOTONIC, NULL, &timer));
    timer_delete(timer);

    int ends[2];
    need("pipe", pipe2(ends, O_NONBLOCK));
    need("page of pipes", write(ends[1], block, sizeof block) == sizeof block ? 0 : -1);

    int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    need("epoll", epoll);
    need("watch of epoll", epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event));
    close(epoll);
    close(ends[0]);
    close(ends[1]);

    sigset_t waiting;
    sigemptyset(&waiting);
    sigaddset(&waiting, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &waiting, NULL);
    need("waiting signal", sigqueue(getpid(), SIGRTMIN, (union sigval){0}));
    need("waiting signal", sigwaitinfo(&waiting, NULL));

    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need("locked page", mlock(page, 4096));
    munmap(page, 4096);
}

int main(int count, char **arguments) {
    char block[65536];
    (void)arguments;
    if (count > 1 && arguments[1][0] == '-' && arguments[1][1] == '-') {
        use_everything();
        return 0;
    }
    while (read(0, block, sizeof block) > 0) {
        use_everything();
        if (write(1, "0\n", 2) != 2) break;
    }
    found("has had what it needed", 0);
    return 0;
}
