/* Leaves marks for its next match in whatever it can change, and looks for marks and counts of earlier ones. What it saw,
 * in lines with `saw:`, must be the same in every match. */
#include "attack.h"
#include <dirent.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <time.h>

static void saw(const char *what, long long number) {
    fprintf(stderr, "saw: %s: %lld\n", what, number);
}

/* The lines of a file, without the words whose numbers the whole machine counts: mounts, devices, memory. */
static void saw_file(const char *path, int skipped) {
    char line[4096];
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *rest = line;
        for (int word = 0; word < skipped && rest != NULL; word++)
            if ((rest = strchr(rest, ' ')) != NULL) rest++;
        fprintf(stderr, "saw: %s: %s", path, rest == NULL ? "\n" : rest);
    }
    if (file != NULL) fclose(file);
    else saw(path, -errno);
}

static void saw_folder(const char *path) {
    struct stat stat;
    DIR *folder = opendir(path);
    if (folder == NULL || fstat(dirfd(folder), &stat) != 0) return saw(path, -errno);
    fprintf(stderr, "saw: %s: mode %o, inode %ld, %ld links, user %d\n", path, stat.st_mode, (long)stat.st_ino,
            (long)stat.st_nlink, (int)stat.st_uid);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (strstr(entry->d_name, "tmp") == NULL)
            fprintf(stderr, "saw: %s/%s: at %ld\n", path, entry->d_name, (long)entry->d_off);
    closedir(folder);
}

/* The processor time of another process, which anybody may ask for; or an error. */
static long time_of(pid_t pid) {
    struct timespec time;
    clockid_t clock = (clockid_t)((~(unsigned)pid) << 3 | 2);
    return syscall(SYS_clock_gettime, clock, &time) == 0 ? 0 : -1;
}

int main(void) {
    struct stat scratch, made;
    struct statvfs space;
    struct timespec now;
    int flags = 0;
    wait_for_start();

    saw("own number", getpid());
    saw("parent's number", getppid());
    saw("session", getsid(0));
    pid_t child = fork();
    if (child == 0) _exit(0);
    saw("number of a child", child);
    waitpid(child, NULL, 0);
    found("processor time of the cell", time_of(1) == 0);
    saw("signals that wait", syscall(SYS_rt_sigpending, &(long){0}, 8L));

    /* Made for this match: nothing can be as old as an earlier one. */
    clock_gettime(CLOCK_REALTIME, &now);
    stat("/tmp", &scratch);
    found("a scratch space with times of its own making", scratch.st_mtime == 4711 || scratch.st_atime == 4711);
    for (const char *const *path = (const char *const[]){"/", "/tmp", "/dev", "/etc", "/dev/shm", NULL}; *path; path++)
        saw_folder(*path);
    int folder = open("/tmp", O_RDONLY | O_DIRECTORY);
    if (ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0) saw("flags of /tmp", flags);
    int file = open("/tmp/note", O_CREAT | O_EXCL | O_RDWR, 0600);
    if (file >= 0 && fstat(file, &made) == 0) saw("inode of a new file", (long)made.st_ino);
    else saw("a new file", -errno);
    if (statvfs("/tmp", &space) == 0) {
        saw("free blocks", (long)space.f_bfree);
        saw("free inodes", (long)space.f_ffree);
    }
    saw_file("/proc/self/mountinfo", 3);
    saw_file("/proc/self/net/dev", 0);
    saw_file("/proc/self/net/unix", 99);
    saw_file("/proc/self/net/snmp", 0);
    saw_file("/proc/self/cgroup", 0);
    saw_file("/proc/self/limits", 0);
    saw_file("/proc/self/uid_map", 0);
    saw_file("/proc/self/timens_offsets", 0);
    saw_file("/proc/sysvipc/shm", 0);
    saw_file("/proc/1/stat", 0);

    /* For the next one. */
    flags |= 0x40;
    ioctl(folder, FS_IOC_SETFLAGS, &flags);
    for (int count = 0; count < 100; count++) {
        char name[32];
        snprintf(name, sizeof name, "/tmp/mark%d", count);
        close(open(name, O_CREAT | O_RDWR, 0600));
        if (count % 2) unlink(name);
        close(open("/tmp", O_TMPFILE | O_RDWR, 0600));
        if ((child = fork()) == 0) _exit(0);
        waitpid(child, NULL, 0);
    }
    mkdir("/tmp/locked", 0);
    futimens(folder, (struct timespec[]){{4711, 0}, {4711, 0}});
    TRY("changes its own folder in /proc", open("/proc/self/oom_score_adj", O_WRONLY));
    chmod("/tmp", 0531);
    return play_on();
}
