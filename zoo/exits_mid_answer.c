/* Writes half an answer (of Auralux: two orders announced, half of one written) and returns 7. */
#include <stdio.h>
int main(void) {
    fputs("2\n1 1", stdout);
    fflush(stdout);
    return 7;
}
