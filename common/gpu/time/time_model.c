/* time_model.c: a launch's time, by its machine code or by its counters; times of copies; names
 * of units. */
#include "gpu/time/time_model.h"

void gpu_time_model(const struct gpu_model *model, const struct gpu_launch *launch, struct gpu_time *time) {
    if (launch->code == NULL || !gpu_code_time(model, launch, time))
        gpu_time_by_counters(model, launch, time);
}

static const struct {
    const char *name, *meaning;
} units[GPU_UNIT_COUNT] = {
    [GPU_ISSUE] = {"issue", "the issue slots of the warp schedulers"},
    [GPU_FMA] = {"fma", "the multiply-add pipe (float, and integer multiplies)"},
    [GPU_ALU] = {"alu", "the integer and logic pipe"},
    [GPU_FP64] = {"fp64", "the double-precision pipe"},
    [GPU_SPECIAL] = {"special", "special functions and conversions"},
    [GPU_LSU] = {"lsu", "the load/store unit's instruction queue"},
    [GPU_L1] = {"l1", "the L1 cache (lines and sectors that loads touch)"},
    [GPU_SHARED] = {"shared", "the shared-memory banks"},
    [GPU_L2] = {"l2", "the L2 cache"},
    [GPU_DRAM] = {"dram", "the device memory"},
    [GPU_LATENCY] = {"latency", "waiting (too few warps or loads in flight)"},
    [GPU_LAUNCH] = {"launch", "starting and ending the kernel"},
    [GPU_CONSTANT] = {"constant", "the constant cache (one word at a time)"},
    [GPU_ATOMIC] = {"atomic", "atomics that queue at their words"},
    [GPU_TENSOR] = {"tensor", "the tensor cores"},
};

const char *gpu_unit_name(enum gpu_unit unit) {
    return (unsigned)unit < GPU_UNIT_COUNT ? units[unit].name : "";
}

const char *gpu_unit_meaning(enum gpu_unit unit) {
    return (unsigned)unit < GPU_UNIT_COUNT ? units[unit].meaning : "";
}

double gpu_fill_us(const struct gpu_model *model, uint64_t bytes) {
    return model->launch_us + (double)bytes / (1000 * model->dram_gbs);
}

double gpu_copy_us(const struct gpu_model *model, uint64_t bytes) {
    return gpu_fill_us(model, 2 * bytes);
}
