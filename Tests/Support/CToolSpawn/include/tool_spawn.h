#ifndef TOOL_SPAWN_H
#define TOOL_SPAWN_H

#include <sys/types.h>

/// Starts a program, found on PATH, in a folder: with three descriptors and no other, of which a negative one stays
/// closed, and with every signal as a shell leaves it.
///
/// Here because Glibc's module doesn't show what it takes.
///
/// @return 0, or the error's number.
int tool_spawn(pid_t *process, char *const arguments[], char *const environment[], const char *folder,
               const int descriptors[3]);

/// Opens a pseudo-terminal: the end that a person's screen and keyboard are at, and the one that a program is given.
///
/// @return 0, or -1 where there is none.
int tool_open_terminal(int *person, int *program, unsigned short columns);

#endif
