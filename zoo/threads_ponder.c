/* Computes in four threads while it is not its turn; its main thread, by which a process is often judged, has ended. */
#include "attack.h"
#include <pthread.h>
static void *compute(void *nothing) {
    for (volatile unsigned long work = 0;; work++) {}
    return nothing;
}
static void *answer(void *nothing) {
    exit(play_on());
    return nothing;
}
int main(void) {
    pthread_t thread;
    wait_for_start();
    /* Fuse: so many seconds. */
    alarm(60);
    for (int i = 0; i < 4; i++) pthread_create(&thread, NULL, compute, NULL);
    pthread_create(&thread, NULL, answer, NULL);
    pthread_exit(NULL);
}
