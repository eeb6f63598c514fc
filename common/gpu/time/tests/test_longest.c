/* test_longest.c: a block that alone does something: found, walked, added to the time of the others. */
#include "base/test.h"
#include "gpu/time/tests/support_code.h"
#include "gpu/time/tests/support_gpus.h"
#include "gpu/time/time_model.h"
#include "gpu/time/walk/sm.h"

/* Blocks of 4 warps. A branch that one warp of the launch takes leads to a loop of 1000 trips. */
static void one_goes_on(struct kernel *kernel, double blocks, bool after_atomic) {
    *kernel = (struct kernel){0};
    struct gpu_instruction atomic = plain;
    atomic.access = GPU_ACCESS_ATOMIC;
    atomic.pipe = GPU_PIPE_LSU;
    atomic.write_scoreboard = 0;
    add_block(kernel, 10, after_atomic ? &atomic : &plain, 4 * blocks);
    add_edge(kernel, 1, 1);
    add_edge(kernel, 2, 4 * blocks - 1);
    add_block(kernel, 5, &plain, 1000);
    add_edge(kernel, 1, 999);
    add_edge(kernel, 2, 1);
    add_block(kernel, 1, &plain, 4 * blocks);
    add_edge(kernel, GPU_LEAVES, 4 * blocks);
    kernel->code.warps = 4 * blocks;
}

static void a_rare_block(void **state) {
    struct kernel kernel;
    one_goes_on(&kernel, 100, false);
    bool rare[5];
    struct rare_work work;
    memset(rare, 0, sizeof rare);
    assert_true(rare_find(&kernel.code, 4, rare, &work));
    assert_true(rare[0] && !rare[1] && !rare[2] && !rare[3] && !rare[4]);
    assert_float_equal(work.instructions, 5000, 1e-9);
    assert_false(work.comes_last);
    const struct gpu_model model = test_model("h200");
    struct sm_load load = {.model = &model,
                           .code = &kernel.code,
                           .warps_per_block = 4,
                           .resident_blocks = 1,
                           .blocks = 1,
                           .active_sms = 1,
                           .busy_share = 1,
                           .which = SM_USUAL_BLOCKS,
                           .budget = 100000};
    struct sm_result result;
    assert_true(sm_walk(&load, &result));
    assert_float_equal(result.issued, 4 * 11, 0);
    load.which = SM_RARE_BLOCK;
    assert_true(sm_walk(&load, &result));
    assert_float_equal(result.issued, 4 * 11 + 5000, 0);
    assert_true(result.cycles > 4 * 5000); /* one warp, each instruction waits for the one before */
}

/* What many blocks come to is not rare, nor what hardly takes longer; an atomic's result tells who is last. */
static void no_rare_block(void **state) {
    struct kernel kernel;
    one_goes_on(&kernel, 100, false);
    bool rare[5] = {0};
    struct rare_work work;
    assert_true(rare_find(&kernel.code, 1, rare, &work));
    assert_true(rare[0]);
    kernel.edges[0].traversals = 40;
    kernel.edges[1].traversals = 360;
    memset(rare, 0, sizeof rare);
    assert_true(rare_find(&kernel.code, 4, rare, &work));
    assert_float_equal(work.instructions, 0, 0);
    one_goes_on(&kernel, 100, false);
    kernel.blocks[1].runs = 0.2;
    assert_true(rare_find(&kernel.code, 4, rare, &work));
    assert_float_equal(work.instructions, 0, 0);
    one_goes_on(&kernel, 100, true);
    assert_true(rare_find(&kernel.code, 4, rare, &work));
    assert_true(work.comes_last);
}

/* The launch takes as long as that block, and as all others before it where it is the last. */
static void a_launch_with_a_rare_block(void **state) {
    const struct gpu_model model = test_model("h200");
    enum { blocks = 20000 };
    double cycles[2];
    for (int last = 0; last < 2; last++) {
        struct kernel kernel;
        one_goes_on(&kernel, blocks, last == 1);
        struct counters counters = {.warp_instructions = 4 * blocks * 11 + 5000};
        const struct gpu_launch launch = {.grid = {blocks, 1, 1},
                                          .block = {128, 1, 1},
                                          .registers = 16,
                                          .counters = &counters,
                                          .longest_warp_instructions = 5011,
                                          .longest_warps_of_all_blocks = blocks * 11 + 5000,
                                          .code = &kernel.code};
        struct gpu_time time;
        assert_true(gpu_code_time(&model, &launch, &time));
        cycles[last] = (time.time_us - model.launch_us) * model.clock_mhz;
    }
    assert_true(cycles[0] > 4 * 5000);
    assert_true(cycles[1] > cycles[0] + 4 * 5000 / 2.0);
}

/* Work that the machine code lacks takes as long as what is there. */
static void absent_work(void **state) {
    const struct gpu_model model = test_model("h200");
    double us[2];
    for (int absent = 0; absent < 2; absent++) {
        struct kernel kernel;
        one_goes_on(&kernel, 1000, false);
        kernel.code.absent = absent * 0.2;
        struct counters counters = {.warp_instructions = 4 * 1000 * 11 + 5000};
        const struct gpu_launch launch = {.grid = {1000, 1, 1},
                                          .block = {128, 1, 1},
                                          .registers = 16,
                                          .counters = &counters,
                                          .code = &kernel.code};
        struct gpu_time time;
        assert_true(gpu_code_time(&model, &launch, &time));
        us[absent] = time.time_us - model.launch_us;
    }
    assert_float_equal(us[1], us[0] / 0.8, 1e-9 * us[0]);
}

/* One warp of a block makes trips between two barriers while the others wait: each takes what its chain of results does. */
static void a_warp_that_its_block_awaits(void **state) {
    const struct gpu_model model = test_model("h200");
    static double waits[16 * GPU_STALL_COUNT];
    struct gpu_instruction slow = plain, uses = plain, barrier = plain;
    slow.pipe = GPU_PIPE_XU;
    slow.write_scoreboard = 0;
    uses.wait_mask = 1;
    barrier.access = GPU_ACCESS_BARRIER;
    struct kernel kernel = {0};
    add_block(&kernel, 1, &barrier, 8);
    add_edge(&kernel, 1, 8);
    add_block(&kernel, 1, &slow, 2000);
    kernel.instructions[kernel.code.instruction_count++] = uses;
    kernel.blocks[1].end++;
    add_edge(&kernel, 1, 2000 - 8);
    add_edge(&kernel, 2, 8);
    add_block(&kernel, 1, &barrier, 8);
    add_edge(&kernel, GPU_LEAVES, 8);
    kernel.code.warps = 8;
    kernel.code.waits = waits;
    struct counters counters = {.warp_instructions = 8 * 2 + 2 * 2000};
    struct gpu_launch launch = {
        .grid = {1, 1, 1}, .block = {256, 1, 1}, .registers = 16, .code = &kernel.code};
    launch.counters = &counters;
    launch.longest_warp_instructions = launch.longest_warps_of_all_blocks = 2 + 2 * (2000 - 7);
    struct gpu_time time;
    assert_true(gpu_code_time(&model, &launch, &time));
    double cycles = (time.time_us - model.launch_us) * model.clock_mhz;
    assert_true(cycles > 1990 * model.latency_special);
    assert_true(cycles < 2000 * (model.latency_special + model.taken_branch_cycles + 10));
}

TESTS(UNIT(a_rare_block), UNIT(no_rare_block), UNIT(a_launch_with_a_rare_block), UNIT(absent_work),
      UNIT(a_warp_that_its_block_awaits))
