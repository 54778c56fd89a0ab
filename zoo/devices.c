/* Opens devices, or makes them itself. */
#include "attack.h"
#include <sys/sysmacros.h>
int main(void) {
    const char *names[] = {"/dev/mem", "/dev/kmem", "/dev/port", "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/kmsg",
                           "/dev/fuse", "/dev/kvm", "/dev/loop-control", "/dev/net/tun", "/dev/tty", "/dev/console",
                           "/dev/ptmx", "/dev/input/event0", "/dev/dri/card0", "/dev/vsock", "/dev/rtc0"};
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) TRY(names[at], open(names[at], O_RDWR | O_NOCTTY));
    TRY("makes a disk", mknod("/tmp/zoo-disk", S_IFBLK | 0600, makedev(254, 0)));
    TRY("makes a memory device", mknod("/tmp/zoo-memory", S_IFCHR | 0600, makedev(1, 1)));
    return play_on();
}
