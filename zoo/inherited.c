/* Looks for descriptors that it was not given. */
#include "attack.h"
int main(void) {
    int count = 0;
    for (int descriptor = 3; descriptor < 65536; descriptor++) count += fcntl(descriptor, F_GETFD) >= 0;
    found("descriptors beyond the first three", count > 0);
    return play_on();
}
