/* support_gpus.h: what the suites of this room share. */
#ifndef TIME_TESTS_SUPPORT_GPUS_H
#define TIME_TESTS_SUPPORT_GPUS_H

#include "base/test.h"
#include "gpu/time/gpus.h"

/* The model as the room's own data file has it; fails the test with the reader's message. */
struct gpu_model test_model(const char *id);
/* The text of a model's data file, NUL-terminated; free() it. */
char *test_model_text(const char *id);

#endif
