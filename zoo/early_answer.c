/* Answers before it is asked, and is one answer ahead from then on. */
#include "attack.h"
int main(void) {
    char block[65536];
    if (write(1, "0\n", 2) != 2) return 1;
    while (read(0, block, sizeof block) > 0) {
        usleep(500);
        if (write(1, "0\n", 2) != 2) break;
    }
    return 0;
}
