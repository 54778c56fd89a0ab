/* Reads through a null pointer. */
#include <stdio.h>
int main(void) {
    fputs("about to crash\n", stderr);
    return *(volatile int *)0;
}
