/* support_steps.h: counted steps with known times. */
#ifndef GPUS_TESTS_SUPPORT_STEPS_H
#define GPUS_TESTS_SUPPORT_STEPS_H

#include "gpus/gpus.h"

struct step {
    const char *model, *name;
    double us; /* measured; 0: not known */
    uint32_t grid[3], block[3], registers, shared_bytes;
    struct counters counters;
};
extern const struct step test_steps[];
extern const int test_step_count;

#endif
