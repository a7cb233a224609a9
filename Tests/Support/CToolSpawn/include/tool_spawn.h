#ifndef TOOL_SPAWN_H
#define TOOL_SPAWN_H

#include <sys/types.h>

/// Starts a program, which is searched for in PATH, in a folder. The program gets the three descriptors and no others; a negative
/// descriptor is closed. No signal is blocked or ignored, as for a program that a shell starts.
///
/// This function is in C because Swift's Glibc module doesn't export the GNU calls that it uses.
///
/// @return 0, or the number of the error.
int tool_spawn(pid_t *process, char *const arguments[], char *const environment[], const char *folder,
               const int descriptors[3]);

/// Opens a pseudo-terminal. `person` is the end with the user's screen and keyboard, and `program` is the end for a program.
///
/// @return 0, or -1 if no pseudo-terminal is available.
int tool_open_terminal(int *person, int *program, unsigned short columns);

#endif
