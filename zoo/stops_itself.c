/* Stops itself when it is asked, which looks neither ended nor busy. */
#include "attack.h"
int main(void) {
    wait_for_start();
    raise(SIGSTOP);
    for (;;) pause();
}
