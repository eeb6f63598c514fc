/* support_analysis.h: what the suites of this room share. */
#ifndef ANALYSIS_TESTS_SUPPORT_ANALYSIS_H
#define ANALYSIS_TESTS_SUPPORT_ANALYSIS_H

#include "analysis/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The next number of a fixed sequence. */
uint64_t test_random(uint64_t *state);
/* A report with every part filled from the sequence, `kernels` kernels in each of two runs. */
struct report test_report(uint64_t *state, int kernels);
/* Step 0 of the Gaussian (8x8 blocks, reading the image column by column in warps) as a kernel report, with
 * source lines. */
void test_gaussian(struct kernel_report *kernel);

#endif
