/* Fills System V shared memory, which outlives its maker, and leaves a semaphore and a queue behind as well. */
#include "attack.h"
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
int main(void) {
    int segments[FUSE_BYTES / STEP], count = 0;
    semget(0x5a4f4f, 1, IPC_CREAT | 0600);
    msgget(0x5a4f4f, IPC_CREAT | 0600);
    wait_for_start();
    while (count < FUSE_BYTES / STEP) {
        segments[count] = shmget(0x5a4f4f + count, STEP, IPC_CREAT | 0600);
        void *memory = segments[count] < 0 ? (void *)-1 : shmat(segments[count], NULL, 0);
        if (memory == (void *)-1) {
            said("more System V memory", -1);
            return play_on();
        }
        touch(memory, STEP);
        shmdt(memory);
        count++;
    }
    found("gigabytes of System V memory", 1);
    while (count-- > 0) shmctl(segments[count], IPC_RMID, NULL);
    return play_on();
}
