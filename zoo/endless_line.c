/* Writes for ever without a line break. */
#include <string.h>
#include <unistd.h>
int main(void) {
    char block[65536];
    memset(block, 'x', sizeof block);
    while (write(1, block, sizeof block) > 0) {}
    return 0;
}
