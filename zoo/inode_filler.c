/* Makes empty files until it is refused: they take no space, but the kernel's memory. */
#include "attack.h"
int main(void) {
    char name[64];
    for (int count = 0; count < 200000; count++) {
        snprintf(name, sizeof name, "/tmp/inode-%d", count);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        if (file < 0) {
            said("one more file", -1);
            return play_on();
        }
        close(file);
    }
    found("files without end", 1);
    return play_on();
}
