/* Handles page faults itself, which lets it stop the kernel in the middle of things. */
#include "attack.h"
int main(void) {
    TRY("handles page faults", syscall(SYS_userfaultfd, O_CLOEXEC));
    TRY("handles its own page faults", syscall(SYS_userfaultfd, O_CLOEXEC | 1));
    TRY("opens the device for it", open("/dev/userfaultfd", O_RDWR));
    return play_on();
}
