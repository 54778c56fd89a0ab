/* Reads one byte at a time, and passes at every line break. */
#include "attack.h"
int main(void) {
    char byte;
    while (read(0, &byte, 1) == 1)
        if (byte == '\n' && write(1, "0\n", 2) != 2) break;
    return 0;
}
