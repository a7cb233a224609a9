#ifndef REQCLI_SERVING_H
#define REQCLI_SERVING_H

// Linux calls that Swift's Glibc module doesn't export.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/timex.h>

/// Accepts a connection. Its descriptor is non-blocking, and programs that this process starts don't inherit it.
///
/// @return the descriptor, or -1 with `errno`.
int reqcli_accept(int listener, struct sockaddr_storage *peer);

/// The epoll flags for each connection: edge-triggered reading and writing, and an event when the peer closes its end.
extern const uint32_t reqcli_connection_events;

/// Closes a connection with RST instead of FIN, and discards the data that hasn't been sent.
void reqcli_reset(int connection);

/// The number of bytes in the send queue that the peer hasn't acknowledged yet.
int reqcli_unconfirmed(int connection);

#endif
