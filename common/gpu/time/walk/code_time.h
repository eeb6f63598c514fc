/* code_time.h: a launch's time from its machine code. Private to gpu/time/. */
#ifndef TIME_CODE_TIME_H
#define TIME_CODE_TIME_H

#include "gpu/time/code.h"
#include "gpu/time/gpus.h"

/* launch->code is not NULL. False: out of memory, or the block does not fit the SM. */
bool gpu_code_time(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time);

#endif
