/* Starts threads until it is refused. */
#include "attack.h"
#include <pthread.h>
static void *wait_for_ever(void *nothing) {
    for (;;) pause();
    return nothing;
}
int main(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    for (int count = 0; count < FUSE_PROCESSES; count++) {
        pthread_t thread;
        errno = pthread_create(&thread, &small, wait_for_ever, NULL);
        if (errno != 0) {
            said("one more thread", -1);
            return play_on();
        }
    }
    found("thousands of threads", 1);
    return play_on();
}
