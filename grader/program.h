/* program.h: run one of the tools that the grader stands on (gnuplot, sbatch, grade-job --kit) to its end. */
#ifndef GRADER_PROGRAM_H
#define GRADER_PROGRAM_H

#include <stddef.h>

/* Looked for in PATH, stdin empty. The start of its output and error output, as text, goes into output. Its
 * exit status; 127: it could not be started, 128 + N: signal N. */
int program_run(const char *const *arguments, char *output, size_t size);

#endif
