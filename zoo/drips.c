/* Writes an answer that never ends, byte by byte: somebody who counts from the last byte waits for ever. */
#include "attack.h"
int main(void) {
    wait_for_start();
    while (write(1, "0", 1) == 1) usleep(5000);
    return 0;
}
