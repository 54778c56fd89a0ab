/* Calls a process outside through sockets that need no network: an abstract name, and a file. */
#include "attack.h"
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
static long call(const char *name, int abstract) {
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    snprintf(there.sun_path + abstract, sizeof there.sun_path - 1, "%s", name);
    int line = socket(AF_UNIX, SOCK_STREAM, 0);
    if (line < 0) return -1;
    return connect(line, (struct sockaddr *)&there, offsetof(struct sockaddr_un, sun_path) + abstract + strlen(name));
}
int main(void) {
    TRY("an abstract socket", call("@abstract@", 1));
    TRY("a socket in a folder", call("@socket@", 0));
    TRY("the system's bus", call("/run/dbus/system_bus_socket", 0));
    TRY("the system's log", call("/dev/log", 0));
    return play_on();
}
