/* support_steps.h: counted steps with known times, of steps.csv. */
#ifndef TIME_TESTS_SUPPORT_STEPS_H
#define TIME_TESTS_SUPPORT_STEPS_H

#include "gpu/time/gpus.h"

struct step {
    char model[16], name[8];
    double us; /* measured; 0: not known */
    uint32_t grid[3], block[3], registers, shared_bytes;
    struct counters counters;
};
extern struct step test_steps[];
extern int test_step_count;

/* A group's setup: reads the file; fails with its line. */
int test_steps_load(void **state);

#endif
