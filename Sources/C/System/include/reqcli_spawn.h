#ifndef REQCLI_SPAWN_H
#define REQCLI_SPAWN_H

#include <sys/types.h>

/// Starts a program, found on PATH, in a folder, with nothing on standard input if that is negative. It stays in this process group: it may
/// ask at the terminal, and Ctrl-C reaches it.
///
/// Here because Glibc's module doesn't show what it takes: the GNU calls that change the folder of the new process and
/// make a pipe that no other program inherits.
///
/// @return 0, or the error's number.
int reqcli_spawn(pid_t *process, const char *folder, char *const arguments[], int input, int output, int errors);

/// Makes a pipe that programs started meanwhile don't inherit.
int reqcli_pipe(int ends[2]);

#endif
