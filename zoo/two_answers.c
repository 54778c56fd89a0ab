/* Answers twice whenever it is asked once. */
#include "attack.h"
int main(void) {
    char block[65536];
    while (read(0, block, sizeof block) > 0)
        if (write(1, "0\n0\n", 4) != 4) break;
    return 0;
}
