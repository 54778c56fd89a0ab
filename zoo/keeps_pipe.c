/* Leaves a child that holds its output, and returns 5. */
#include <unistd.h>
int main(void) {
    if (fork() == 0) {
        sleep(1000);
        return 0;
    }
    return 5;
}
