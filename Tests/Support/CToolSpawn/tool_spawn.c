#define _GNU_SOURCE
#include "tool_spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int spawn(pid_t *process, posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                 char *const arguments[], char *const environment[], const char *folder, const int descriptors[3]) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int code = posix_spawnattr_setsigmask(attributes, &none);
    if (code == 0) code = posix_spawnattr_setsigdefault(attributes, &all);
    if (code == 0) code = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    for (int i = 0; i < 3 && code == 0; i++) {
        code = descriptors[i] < 0 ? posix_spawn_file_actions_addclose(actions, i)
                                  : posix_spawn_file_actions_adddup2(actions, descriptors[i], i);
    }
    // The program must not inherit the socket of a test's server, because the socket would then stay open after the server has
    // closed it.
    if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
    if (code == 0) code = posix_spawn_file_actions_addchdir_np(actions, folder);
    if (code == 0) code = posix_spawnp(process, arguments[0], actions, attributes, arguments, environment);
    return code;
}

int tool_spawn(pid_t *process, char *const arguments[], char *const environment[], const char *folder,
               const int descriptors[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0) return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        code = spawn(process, &actions, &attributes, arguments, environment, folder, descriptors);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int tool_open_terminal(int *person, int *program, unsigned short columns) {
    *person = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*person < 0) return -1;
    char name[64];
    *program = -1;
    if (grantpt(*person) == 0 && unlockpt(*person) == 0 && ptsname_r(*person, name, sizeof name) == 0) {
        *program = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    if (*program < 0) {
        close(*person);
        return -1;
    }
    struct winsize size = {.ws_row = 24, .ws_col = columns};
    ioctl(*program, TIOCSWINSZ, &size);
    return 0;
}
