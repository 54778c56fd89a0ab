/* Closes its output and lives on. */
#include <unistd.h>
int main(void) {
    close(1);
    for (;;) pause();
}
