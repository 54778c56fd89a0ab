/* Calls that only the administrator of a machine has a use for, with arguments that would do no harm. */
#include "attack.h"
int main(void) {
    char block[4096];
    TRY("sets what keys restart the machine", syscall(SYS_reboot, 0xfee1dead, 672274793, 0, 0));
    TRY("reads the kernel's log", syscall(SYS_syslog, 3, block, sizeof block));
    TRY("loads a module", syscall(SYS_init_module, block, 0, ""));
    TRY("loads a kernel", syscall(SYS_kexec_load, 0, 0, NULL, 0));
    TRY("swaps", syscall(SYS_swapon, "/tmp/zoo-swap", 0));
    TRY("keeps accounts", syscall(SYS_acct, "/tmp/zoo-accounts"));
    TRY("watches all files", syscall(SYS_fanotify_init, 0, 0));
    TRY("opens by handle", syscall(SYS_open_by_handle_at, AT_FDCWD, block, 0));
    TRY("moves pages", syscall(SYS_move_pages, victim(), 0, NULL, NULL, NULL, 0));
    TRY("compares processes", syscall(SYS_kcmp, getpid(), 1, 0, 0, 0));
    return play_on();
}
