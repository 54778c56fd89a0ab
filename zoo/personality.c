/* Asks for the weaknesses of older systems: addresses that can be guessed, data that can be run. */
#include "attack.h"
#include <sys/personality.h>
int main(void) {
    TRY("addresses that can be guessed", personality(ADDR_NO_RANDOMIZE));
    TRY("data that can be run", personality(READ_IMPLIES_EXEC));
    TRY("memory at address zero", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
    return play_on();
}
