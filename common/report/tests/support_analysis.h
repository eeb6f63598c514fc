/* support_analysis.h: what the suites of this room share. */
#pragma once

#include "report/document/report.h"

#include "base/test.h"

/* The next number of a fixed sequence. */
uint64_t test_random(uint64_t *state);
/* A report with every part filled from the sequence, `kernels` kernels in each of two runs. */
struct report test_report(uint64_t *state, int kernels);
/* Step 0 of the Gaussian (8x8 blocks, whose warps read columns of the image) as a kernel report,
 * with source lines. */
void test_gaussian(struct kernel_report *kernel);
/* Whether the kernel is read as it was written, with `from` replaced by `to` in the text if not
 * NULL. */
bool test_comes_back(const struct kernel_report *kernel, const char *from, const char *to,
                     struct kernel_report *again, char *error, size_t size);
/* The counters that are known if ncu gives all requested metrics. */
void test_ncu_knows(bool known[COUNTER_COUNT]);
