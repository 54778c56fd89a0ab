/* Types into the terminal from which the match was started. */
#include "attack.h"
#include <sys/ioctl.h>
int main(void) {
    for (int descriptor = 0; descriptor < 3; descriptor++) TRY("types", ioctl(descriptor, TIOCSTI, " "));
    TRY("opens the terminal", open("/dev/tty", O_RDWR));
    TRY("reads the console", ioctl(open("/dev/tty0", O_RDONLY), TIOCLINUX, "\x0c"));
    return play_on();
}
