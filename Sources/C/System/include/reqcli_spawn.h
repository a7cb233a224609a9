#ifndef REQCLI_SPAWN_H
#define REQCLI_SPAWN_H

#include <sys/types.h>

/// Starts a program in a folder. The program is searched for in PATH. If `input` is negative, standard input is empty. The
/// program stays in this process group, so it may ask at the terminal, and Ctrl-C reaches it.
///
/// These functions are in C because Swift's Glibc module doesn't export the GNU calls that change the folder of the new
/// process and make a pipe that no other program inherits.
///
/// @return 0, or the number of the error.
int reqcli_spawn(pid_t *process, const char *folder, char *const arguments[], int input, int output, int errors);

/// Makes a pipe. Programs that are started while the pipe is open don't inherit it.
int reqcli_pipe(int ends[2]);

#endif
