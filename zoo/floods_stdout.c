/* Writes lines that are no answers as fast as it can. */
#include "attack.h"
int main(void) {
    char block[65536];
    memset(block, '\n', sizeof block);
    for (size_t at = 0; at + 4 < sizeof block; at += 4) memcpy(block + at, "no!", 3);
    while (write(1, block, sizeof block) > 0) {}
    return 0;
}
