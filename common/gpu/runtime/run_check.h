/* run_check.h: whether a command line's program can run on the simulated GPU, before it is started. */
#ifndef RUNTIME_RUN_CHECK_H
#define RUNTIME_RUN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Look at the program that `command`, a line for the shell, starts. False, and one line that says why not and what to
 * do: it is not there, is no program, is for another machine, or holds a CUDA runtime of its own. True of whatever
 * cannot be told from here: a word of the shell's, an expansion, a script.
 */
bool run_check(const char *command, char *message, size_t size);

#endif
