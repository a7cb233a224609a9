#define _GNU_SOURCE
#include "reqcli_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

extern char **environ;

static int spawn(pid_t *process, posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                 const char *folder, char *const arguments[], int input, int output, int errors) {
    int code = input < 0 ? posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
                         : posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);
    if (code == 0) code = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (code == 0) code = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
    if (code == 0) code = posix_spawn_file_actions_addchdir_np(actions, folder);
    // This program ignores SIGPIPE and SIGXFSZ, but a program that it starts expects these signals to end it. The user at the
    // terminal also expects Ctrl-C to end it.
    sigset_t defaults;
    sigemptyset(&defaults);
    const int signals[] = {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) sigaddset(&defaults, signals[i]);
    if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &defaults);
    if (code == 0) code = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF);
    if (code == 0) code = posix_spawnp(process, arguments[0], actions, attributes, arguments, environ);
    return code;
}

int reqcli_spawn(pid_t *process, const char *folder, char *const arguments[], int input, int output, int errors) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        code = spawn(process, &actions, &attributes, folder, arguments, input, output, errors);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int reqcli_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
