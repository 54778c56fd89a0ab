/* Asks the compiler which files there are. */
#include "attack.h"
#if __has_include("@home@") || __has_include("@neighbour@") || __has_include("@database@")
#define SEEN 1
#else
#define SEEN 0
#endif
int main(void) {
    found("sees secrets while it is compiled", SEEN);
    return play_on();
}
