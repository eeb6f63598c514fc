/* support_gpus.h: what the suites of this room share. */
#ifndef TIME_TESTS_SUPPORT_GPUS_H
#define TIME_TESTS_SUPPORT_GPUS_H

#include "base/test.h"
#include "gpu/time/gpus.h"

/* The model as the room's own data file has it; fails the test with the reader's message. */
struct gpu_model test_model(const char *id);
/* The text of a model's data file, NUL-terminated; free() it. */
char *test_model_text(const char *id);

/* Counted steps with known times, of steps.csv. */
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
