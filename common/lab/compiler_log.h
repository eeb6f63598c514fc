/*
 * compiler_log.h: what nvcc, ptxas and the linker said of a student's file (room.mk keeps it in
 * PROGRAM.log), for a person: names as the student wrote them, sizes in decimal, no file but the
 * student's.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct compiler_subject {
    const char *source; /* path of the student's file */
    const char *header; /* path of the lab's header, which declares what the file defines */
};

/* Says why there is no program: the compiler's errors, each once, then its warnings; the
 * linker's errors in plain words. Own lines fit 78 columns. */
void compiler_log_failure(const char *log, const struct compiler_subject *subject, char *text, size_t size);

struct compiler_warning {
    uint32_t line; /* 0: unknown */
    char text[320];
};

/* The warnings of the student's file in order, each once, those of a line together. Returns
 * their count, at most `most`. */
uint32_t compiler_log_warnings(const char *log, const char *source, struct compiler_warning *warnings,
                               uint32_t most);
