/* Opens sockets that see or forge what others send. */
#include "attack.h"
#include <arpa/inet.h>
#include <sys/socket.h>
int main(void) {
    TRY("a raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    TRY("a raw socket of the new kind", socket(AF_INET6, SOCK_RAW, IPPROTO_TCP));
    TRY("a packet socket", socket(AF_PACKET, SOCK_RAW, 0x0300));
    TRY("a ping socket", socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP));
    TRY("a kernel crypto socket", socket(AF_ALG, SOCK_SEQPACKET, 0));
    TRY("a virtual machine socket", socket(AF_VSOCK, SOCK_STREAM, 0));
    TRY("a routing socket", socket(AF_NETLINK, SOCK_RAW, 0));
    return play_on();
}
