/* Opens what tells about the machine or changes it. */
#include "attack.h"
int main(void) {
    const char *read_only[] = {"/etc/shadow", "/etc/sudoers", "/etc/ssh/ssh_host_rsa_key", "/proc/kcore", "/proc/kmsg",
                               "/proc/1/environ", "/proc/1/maps", "/sys/kernel/debug", "/sys/kernel/security",
                               "/var/log/dmesg", "/var/run/docker.sock", "/boot", "/lost+found"};
    const char *writable[] = {"/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/proc/sys/vm/drop_caches",
                              "/proc/sys/kernel/hostname", "/sys/power/state", "/etc/passwd",
                              "/etc/ld.so.preload", "/usr/bin/env", "/bin/sh", "/proc/1/oom_score_adj"};
    for (size_t at = 0; at < sizeof read_only / sizeof *read_only; at++)
        TRY(read_only[at], open(read_only[at], O_RDONLY));
    for (size_t at = 0; at < sizeof writable / sizeof *writable; at++) TRY(writable[at], open(writable[at], O_WRONLY));
    return play_on();
}
