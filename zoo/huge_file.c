/* Makes a file of a tebibyte that holds nothing. */
#include "attack.h"
int main(void) {
    signal(SIGXFSZ, SIG_IGN);
    int file = open("/tmp/huge", O_CREAT | O_RDWR, 0600);
    if (file < 0) return 1;
    TRY("a huge file", ftruncate(file, 1L << 40));
    TRY("a huge reservation", posix_fallocate(file, 0, 1L << 40) == 0 ? 0 : (errno = ENOSPC, -1));
    return play_on();
}
