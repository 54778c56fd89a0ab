/* Keeps and looks for keys in the kernel, which outlive a process. */
#include "attack.h"
int main(void) {
    TRY("keeps a key", syscall(SYS_add_key, "user", "zoo", "secret", 6, -4));
    TRY("keeps a key for its session", syscall(SYS_add_key, "user", "zoo", "secret", 6, -3));
    TRY("joins a session", syscall(SYS_keyctl, 1, "zoo"));
    TRY("finds its user's keys", syscall(SYS_keyctl, 0, -4, 0));
    TRY("asks for a key", syscall(SYS_request_key, "user", "zoo", NULL, -3));
    return play_on();
}
