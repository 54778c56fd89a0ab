/* Never reads and never answers. */
#include <unistd.h>
int main(void) {
    for (;;) pause();
}
