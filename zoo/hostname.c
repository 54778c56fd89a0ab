/* Renames the machine, to what it is called. */
#include "attack.h"
int main(void) {
    char name[256] = "", domain[256] = "";
    if (gethostname(name, sizeof name - 1) != 0 || getdomainname(domain, sizeof domain - 1) != 0) return 1;
    TRY("names the machine", sethostname(name, strlen(name)));
    TRY("names its domain", setdomainname(domain, strlen(domain)));
    return play_on();
}
