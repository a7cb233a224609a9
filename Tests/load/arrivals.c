// A server that notes when each request arrives, in nanoseconds of the wall clock, and answers at once.
// usage: arrivals FILE    (prints its port; writes the times to FILE when stdin ends)
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { most = 1 << 22 };
static long long times[most];
static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}";

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
    if (count != 2) return 2;
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)) return 3;
    getsockname(listener, (struct sockaddr *)&address, &size);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    int poll = epoll_create1(0), found = 0;
    for (int each = 0; each < 2; each++) {
        struct epoll_event event = {.events = EPOLLIN, .data.fd = each ? listener : 0};
        epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
    }
    while (1) {
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, -1);
        long long time = now();
        for (int index = 0; index < ready; index++) {
            int from = events[index].data.fd;
            if (from == listener) {
                struct epoll_event event = {.events = EPOLLIN, .data.fd = accept(listener, 0, 0)};
                setsockopt(event.data.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
                epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
                continue;
            }
            // A request for a small GET fits into one segment, and clients don't send two at once.
            char request[4096];
            long length = read(from, request, sizeof request);
            if (from == 0) {
                FILE *file = fopen(words[1], "w");
                for (int each = 0; file && each < found; each++) fprintf(file, "%lld\n", times[each]);
                return file && fclose(file) == 0 ? 0 : 4;
            }
            if (length <= 0) {
                close(from);
                continue;
            }
            if (found < most && memcmp(request, "GET /it", 7) == 0) times[found++] = time;
            if (write(from, answer, sizeof answer - 1) < 0) close(from);
        }
    }
}
