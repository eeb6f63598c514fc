/* test_what_if.c: a launch without one of its limits, on kernels that are put together here. */
#include "base/test.h"
#include "gpu/time/tests/support_code.h"
#include "gpu/time/tests/support_gpus.h"

enum { WAVE = 132 * 8, INSTRUCTIONS = 60 };

static double launch_us; /* the model's */

/* Us without the start of a launch whose warps execute 60 such instructions, at lines 1 and 2 in turn. Fills in the factor
 * of each lift, and of the first two at line 1. 0: the launch has no such limit. */
static double timed(const struct gpu_instruction each, uint32_t blocks, double factor[GPU_LIFT_COUNT],
                    double at_line[2]) {
    const struct gpu_model model = test_model("h200");
    struct kernel kernel = {0};
    struct counters counters = {.warp_instructions = 8ULL * blocks * INSTRUCTIONS};
    struct gpu_what_if found[GPU_WHAT_IFS];
    struct gpu_time time;
    uint32_t lines[INSTRUCTIONS];
    add_block(&kernel, INSTRUCTIONS, &each, 8.0 * blocks);
    add_edge(&kernel, GPU_LEAVES, 8.0 * blocks);
    kernel.code.warps = 8.0 * blocks;
    for (uint32_t i = 0; i < INSTRUCTIONS; i++)
        lines[i] = 1 + i % 2;
    const struct gpu_launch launch = {.grid = {blocks, 1, 1},
                                      .block = {256, 1, 1},
                                      .registers = 32,
                                      .counters = &counters,
                                      .code = &kernel.code};
    gpu_time_model(&model, &launch, &time);
    uint32_t count = gpu_what_ifs(&model, &launch, &time, lines, found);
    memset(factor, 0, GPU_LIFT_COUNT * sizeof *factor);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(found[i].factor >= 1);
        if (found[i].line == 0)
            factor[found[i].lift] = found[i].factor;
        else if (found[i].line == 1)
            at_line[found[i].lift] = found[i].factor;
    }
    launch_us = model.launch_us;
    return time.time_us - launch_us;
}

static void one_limit_each(void **state) {
    double factor[GPU_LIFT_COUNT], line[2] = {0};
    struct gpu_instruction slow = plain, load = plain, barrier = plain;
    load.pipe = GPU_PIPE_LSU;
    load.access = GPU_ACCESS_SHARED;
    load.fewest = 2;
    load.wavefronts = 8;
    barrier.access = GPU_ACCESS_BARRIER;
    slow.stall = 15;
    timed(plain, 2 * WAVE, factor,
          line); /* of whole waves, waiting for nothing but its own results and its code */
    for (enum gpu_lift lift = 0; lift < GPU_LIFT_COUNT; lift++)
        assert_true(factor[lift] == 0 || lift == GPU_LIFT_CODE);
    timed(load, 2 * WAVE, factor, line);
    assert_true(factor[GPU_LIFT_CONFLICTS] > 3 && factor[GPU_LIFT_CONFLICTS] < 4); /* the start stays */
    assert_true(line[0] > 1.4 && line[0] < 1.6);
    assert_float_equal(factor[GPU_LIFT_SECTORS], 0, 0);
    timed(barrier, 2 * WAVE, factor, line);
    assert_true(factor[GPU_LIFT_BARRIERS] > 1.2);
    /* an eighth of a wave more, whose blocks wait for their own results with the SMs to themselves */
    double wave = timed(slow, WAVE, factor, line), more = timed(slow, WAVE + WAVE / 8, factor, line);
    double whole = (more + launch_us) / factor[GPU_LIFT_TAIL] - launch_us;
    assert_true(more > 1.1 * whole && whole > wave && whole < 1.15 * wave);
}

TESTS(UNIT(one_limit_each))
