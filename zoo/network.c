/* Calls somebody outside: a server on this machine, and a name server far away. */
#include "attack.h"
#include <arpa/inet.h>
static long call(int kind, const char *address, int port) {
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(port)};
    inet_pton(AF_INET, address, &there.sin_addr);
    int line = socket(AF_INET, kind, 0);
    if (line < 0 || connect(line, (struct sockaddr *)&there, sizeof there) < 0) return -1;
    return write(line, "hello", 5);
}
int main(void) {
    TRY("a server on this machine", call(SOCK_STREAM, "127.0.0.1", atoi("@port@")));
    TRY("a name server", call(SOCK_DGRAM, "192.0.2.1", 53));
    TRY("a metadata service", call(SOCK_DGRAM, "169.254.169.254", 80));
    return play_on();
}
