/* Has the kernel make its calls, past every filter of calls. */
#include "attack.h"
#include <linux/io_uring.h>
int main(void) {
    struct io_uring_params parameters = {0};
    TRY("a ring", syscall(SYS_io_uring_setup, 8, &parameters));
    TRY("a ring with a thread of the kernel's", (parameters.flags = 2, syscall(SYS_io_uring_setup, 8, &parameters)));
    return play_on();
}
