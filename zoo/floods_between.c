/* Passes, with a mebibyte of standard error in every turn. */
#include "attack.h"
int main(void) {
    char block[65536];
    static char noise[1 << 20];
    memset(noise, 'n', sizeof noise);
    while (read(0, block, sizeof block) > 0)
        if (write(2, noise, sizeof noise) < 0 || write(1, "0\n", 2) != 2) break;
    return 0;
}
