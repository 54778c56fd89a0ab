/* What the attackers share: an attempt says on standard error what came of it, and the bot then passes to the end.
 * Where a source says a name between two at signs, the tests put the real place of a target, so that no attack fails
 * for want of knowing where to go. Every bomb has a fuse, in case that nothing contains it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUSE_BYTES (3L << 30)
#define FUSE_PROCESSES 3000
#define STEP (4L << 20)

/* Says what came of something that answers like a system call: below 0 is failure. */
static inline long said(const char *what, long result) {
    if (result < 0) fprintf(stderr, "contained: %s: %s\n", what, strerror(errno));
    else fprintf(stderr, "escaped: %s\n", what);
    return result;
}

/* The same for something that is either so or not. */
static inline void found(const char *what, int escaped) {
    fprintf(stderr, "%s: %s\n", escaped ? "escaped" : "contained", what);
}

static inline void await(const char *what, pid_t child) {
    int status = 0;
    if (child < 0) said("fork", child);
    else if (waitpid(child, &status, 0) == child && WIFSIGNALED(status))
        fprintf(stderr, "contained: %s: killed by signal %d\n", what, WTERMSIG(status));
}

/* Makes an attempt in a child, because a sandbox may kill whoever makes it. */
#define TRY(what, call) \
    do { \
        pid_t child = fork(); \
        if (child == 0) { \
            said(what, (long)(call)); \
            _exit(0); \
        } \
        await(what, child); \
    } while (0)

/* Reads what the match says at the start, so that what follows is on the bot's clock. */
static inline void wait_for_start(void) {
    char block[65536];
    if (read(0, block, sizeof block) <= 0) _exit(0);
}

static inline int play_on(void) {
    char block[65536];
    while (read(0, block, sizeof block) > 0)
        if (write(1, "0\n", 2) != 2) break;
    return 0;
}

/* Uses every page of this memory. */
static inline void touch(void *memory, long bytes) {
    for (long at = 0; at < bytes; at += 4096) ((volatile char *)memory)[at] = 1;
}

/* A process outside, or a number that no process has. */
static inline pid_t victim(void) {
    int pid = atoi("@victim@");
    return pid > 0 ? pid : 1 << 23;
}
