/* Opens files until it is refused. */
#include "attack.h"
int main(void) {
    for (int count = 0; count < 100000; count++)
        if (open("/dev/null", O_RDONLY) < 0) {
            said("one more descriptor", -1);
            return play_on();
        }
    found("descriptors without end", 1);
    return play_on();
}
