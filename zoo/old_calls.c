/* Makes its calls by the doors of older programs, at which a filter may not look. */
#include "attack.h"
#if defined(__x86_64__)
static long old_call(long number, long first, long second, long third) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(second), "d"(third) : "memory");
    errno = result < 0 ? (int)-result : 0;
    return result < 0 ? -1 : result;
}
int main(void) {
    TRY("an old call for its number", old_call(20, 0, 0, 0));
    TRY("an old call for a socket", old_call(359, 1, 1, 0));
    TRY("a call of the third kind", syscall(0x40000000 | SYS_getpid));
    return play_on();
}
#else
int main(void) {
    found("there are no older programs here", 0);
    return play_on();
}
#endif
