/* Takes all the memory it can get, and keeps it. */
#include <stdlib.h>
#include <string.h>
enum { STEP = 16 << 20 };
/* Should nobody stop it. */
static const long long FUSE_BYTES = 3LL << 30;
int main(void) {
    for (long long held = 0; held < FUSE_BYTES; held += STEP) {
        char *memory = malloc(STEP);
        if (memory == NULL) return 1;
        memset(memory, 1, STEP);
    }
    return 0;
}
