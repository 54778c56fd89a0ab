/* Puts what lies beside the other bot into its own program, to show it. */
#include "attack.h"
__asm__(".data\nneighbour:\n.incbin \"@neighbour@\"\n.byte 0\n.text");
extern char neighbour[];
int main(void) {
    fprintf(stderr, "escaped: %s\n", neighbour);
    return play_on();
}
