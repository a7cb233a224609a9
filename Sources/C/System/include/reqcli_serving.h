#ifndef REQCLI_SERVING_H
#define REQCLI_SERVING_H

// Calls of Linux that Swift's module of Glibc doesn't show.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/socket.h>

/// Takes a connection whose descriptor doesn't block and isn't inherited by programs that are started.
///
/// @return the descriptor, or -1 with `errno`.
int reqcli_accept(int listener, struct sockaddr_storage *peer);

/// The flags with which each connection is watched: edges of both directions, and the peer's end.
extern const uint32_t reqcli_connection_events;

/// Closes a connection with RST in place of FIN, and discards what hasn't been sent.
void reqcli_reset(int connection);

/// The number of bytes that the peer hasn't confirmed yet.
int reqcli_unconfirmed(int connection);

#endif
