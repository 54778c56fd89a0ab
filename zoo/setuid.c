/* Becomes somebody else: by calls, and by programs that run as their owner. */
#include "attack.h"
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>
int main(void) {
    gid_t group = 0;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct rights[2] = {0};
    TRY("becomes root", setuid(0));
    TRY("becomes root's group", setgid(0));
    TRY("joins root's group", setgroups(1, &group));
    TRY("becomes root for files", setresuid(-1, 0, -1));
    found("may gain rights by programs", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0);
    if (syscall(SYS_capget, &header, rights) == 0) found("has rights", rights[0].effective || rights[1].effective);
    rights[0].effective = rights[0].permitted = ~0U;
    TRY("takes rights", syscall(SYS_capset, &header, rights));
    for (int right = 0; right < 41; right++)
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, right, 0, 0) == 0) found("keeps a right", 1);
    return play_on();
}
