#define _GNU_SOURCE
#include "reqcli_serving.h"

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <unistd.h>

const uint32_t reqcli_connection_events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

int reqcli_accept(int listener, struct sockaddr_storage *peer) {
    socklen_t length = sizeof *peer;
    return accept4(listener, (struct sockaddr *)peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void reqcli_reset(int connection) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    close(connection);
}

int reqcli_unconfirmed(int connection) {
    int count = 0;
    return ioctl(connection, SIOCOUTQ, &count) == 0 ? count : 0;
}
