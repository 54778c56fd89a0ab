/* Mounts, unmounts and moves what it sees, by the old and by the new calls. Nothing stays mounted if it works. */
#include "attack.h"
#include <sys/mount.h>
int main(void) {
    mkdir("/tmp/zoo-mount", 0700);
    TRY("mounts a file system", mount("none", "/tmp/zoo-mount", "tmpfs", 0, NULL) < 0 ? -1 : umount("/tmp/zoo-mount"));
    TRY("mounts proc", mount("none", "/tmp/zoo-mount", "proc", 0, NULL) < 0 ? -1 : umount("/tmp/zoo-mount"));
    TRY("binds the root", mount("/", "/tmp/zoo-mount", NULL, MS_BIND, NULL) < 0 ? -1 : umount("/tmp/zoo-mount"));
    TRY("takes the scratch space away", umount2("/tmp/zoo-mount/..", MNT_EXPIRE));
    TRY("opens a mount", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
    TRY("opens a file system", syscall(SYS_fsopen, "tmpfs", 0));
    TRY("changes the root", syscall(SYS_pivot_root, "/tmp", "/tmp/zoo-mount"));
    return play_on();
}
