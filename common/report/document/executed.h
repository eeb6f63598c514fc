/*
 * executed.h: how much of its machine code a kernel executed, by source line and by basic block: instructions of warps, by pipe, and
 * requests to shared and local memory as the compiler left them. Known where the machine code is and has a table of lines. Part of
 * kernel_report.h, which includes it.
 */
#ifndef REPORT_EXECUTED_H
#define REPORT_EXECUTED_H

#include "base/counters.h"

#include <jansson.h>
#include <stddef.h>

struct executed_line {
    char *file;    /* "": what is of no source line that is known, and of lines that were left out */
    uint32_t line; /* 0 likewise */
    uint64_t counts[MACHINE_COUNTERS];
};

/* A stretch of machine code that warps enter at its first instruction and leave at its last. */
struct executed_block {
    uint32_t first,
        instructions; /* in the kernel's code, from 0; how many; 0: all blocks that were left out */
    uint64_t counts[MACHINE_COUNTERS];
};

/* That are kept, those with the most instructions executed; what is left out comes besides. */
enum { EXECUTED_LINES = 64, EXECUTED_BLOCKS = 256 };

/* Of each counter the lines' sum is the launch's, and the blocks' is. */
struct kernel_executed {
    bool known;
    uint32_t count, block_count;
    struct executed_line *lines;   /* the most instructions first; what is of no line last */
    struct executed_block *blocks; /* that ran, as they lie in the code; those left out last */
};

void kernel_executed_free(struct kernel_executed *executed);
/* In their order, equal ones by file and line; what is too much becomes part of what is of no line. Room for one more line
 * has to be there. False: out of memory. */
bool kernel_executed_sort(struct kernel_executed *executed);
/* Blocks in their order, and no more than are kept; room for one more has to be there. */
void kernel_executed_trim(struct kernel_executed *executed);
/* NULL: nothing was executed there. */
const struct executed_line *kernel_executed_find(const struct kernel_executed *executed, const char *file,
                                                 uint32_t line);
/* Another launch of the same kernel. False: out of memory. Where one is not known, none is. */
bool kernel_executed_fold(struct kernel_executed *executed, const struct kernel_executed *other);

/* Of all the instructions that the kernel executed. */
double executed_share(const struct kernel_executed *executed, const struct executed_line *line);
/* "alu 62, fma 20, lsu 18": of a line's instructions, in percent, the three pipes that took most, from 1 on. */
void executed_pipes(const struct executed_line *line, char *text, size_t size);

#endif
