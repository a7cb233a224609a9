// launch FILE COMMAND [ARGUMENT ...]: runs a command and writes what it took to FILE: nanoseconds from its start to its
// end, its peak memory in KiB, its CPU time in microseconds, its status.
//
// It is a program of its own because a process inherits the peak memory of the one that started it: beside that of a
// scripting language most of what is measured here would not show.

#define _GNU_SOURCE
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

int main(int count, char **arguments) {
    if (count < 3) {
        fprintf(stderr, "usage: launch FILE COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    pid_t process;
    int status;
    struct rusage usage;
    long long start = nanoseconds();
    int problem = posix_spawnp(&process, arguments[2], NULL, NULL, arguments + 2, environ);
    if (problem != 0) {
        fprintf(stderr, "%s: %s\n", arguments[2], strerror(problem));
        return 2;
    }
    if (wait4(process, &status, 0, &usage) < 0) return 2;
    long long end = nanoseconds();
    FILE *file = fopen(arguments[1], "w");
    if (!file) return 2;
    fprintf(file, "%lld %ld %lld %d\n", end - start, usage.ru_maxrss,
            microseconds(usage.ru_utime) + microseconds(usage.ru_stime),
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return fclose(file) == 0 ? 0 : 2;
}
