/* Passes in two pieces, with a moment in between. */
#include "attack.h"
int main(void) {
    char block[65536];
    while (read(0, block, sizeof block) > 0) {
        if (write(1, "0", 1) != 1) break;
        usleep(2000);
        if (write(1, "\n", 1) != 1) break;
    }
    return 0;
}
