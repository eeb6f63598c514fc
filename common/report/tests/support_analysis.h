/* support_analysis.h: what the suites of this room share. */
#ifndef REPORT_TESTS_SUPPORT_ANALYSIS_H
#define REPORT_TESTS_SUPPORT_ANALYSIS_H

#include "report/document/report.h"

#include "base/test.h"

/* The next number of a fixed sequence. */
uint64_t test_random(uint64_t *state);
/* A report with every part filled from the sequence, `kernels` kernels in each of two runs. */
struct report test_report(uint64_t *state, int kernels);
/* Step 0 of the Gaussian (8x8 blocks, reading the image column by column in warps) as a kernel
 * report, with source lines. */
void test_gaussian(struct kernel_report *kernel);
/* As a report has it, with one thing replaced in the text where it is not NULL. */
bool test_comes_back(const struct kernel_report *kernel, const char *from, const char *to,
                     struct kernel_report *again, char *error, size_t size);
/* The counters that are known of a launch of which ncu tells all that it is asked for. */
void test_ncu_knows(bool known[COUNTER_COUNT]);

#endif
