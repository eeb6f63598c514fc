/*
 * compiler_log.h: what nvcc, ptxas and the linker said of a student's file (room.mk keeps it in
 * PROGRAM.log), for a person: names as they were written, sizes in decimal, no file that is not the
 * student's.
 */
#ifndef LAB_COMPILER_LOG_H
#define LAB_COMPILER_LOG_H

#include <stddef.h>
#include <stdint.h>

struct compiler_subject {
    const char *source; /* path of the student's file */
    const char *header; /* path of the lab's header, which declares what the file defines */
};

/* Why there is no program: what the compiler says, each error once, then its warnings; what the
 * linker says in words of our own. Lines of our own fit 78 columns. */
void compiler_log_failure(const char *log, const struct compiler_subject *subject, char *text, size_t size);

struct compiler_warning {
    uint32_t line; /* 0: none is said */
    char text[320];
};

/* The warnings of the student's file, by line as they came, each once; those of a line together.
 * How many, at most `most`. */
uint32_t compiler_log_warnings(const char *log, const char *source, struct compiler_warning *warnings,
                               uint32_t most);

#endif
