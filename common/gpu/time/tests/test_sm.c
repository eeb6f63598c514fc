/* test_sm.c: the walk through machine code: what a warp alone takes, what pipes and queues let through, loops, branches, barriers,
 * subroutines, and what is extrapolated. */
#include "base/test.h"
#include "gpu/time/tests/support_code.h"
#include "gpu/time/tests/support_gpus.h"
#include "gpu/time/walk/sm.h"

static struct sm_result walked(const struct kernel *kernel, uint32_t warps, uint32_t resident, double blocks,
                               uint64_t budget) {
    const struct gpu_model model = test_model("h200");
    const struct sm_load load = {.model = &model,
                                 .code = &kernel->code,
                                 .warps_per_block = warps,
                                 .resident_blocks = resident,
                                 .blocks = blocks,
                                 .active_sms = 1,
                                 .busy_share = 1,
                                 .budget = budget};
    struct sm_result result;
    assert_true(sm_walk(&load, &result));
    return result;
}

static void one_warp(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 8, &plain, 1); /* a line of code */
    add_edge(&kernel, GPU_LEAVES, 1);
    struct sm_result result = walked(&kernel, 1, 1, 1, 100000);
    assert_float_equal(result.cycles, 7 * 4 + 1, 1e-9); /* each waits for the one before */
    assert_float_equal(result.issued, 8, 0);
}

/* 64 warps of integer arithmetic: two cycles each in a quarter, and no pipe is ever quite full. */
static void full_pipe(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 10, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    struct sm_result result = walked(&kernel, 32, 2, 2, 100000);
    double least = 64 * 10 / 4.0 * 2;
    assert_true(result.cycles > least && result.cycles < least * 1.2 + 200);
}

static void loop_runs_as_often(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 1);
    add_block(&kernel, 2, &plain, 25);
    add_edge(&kernel, 1, 24);
    add_edge(&kernel, 2, 1);
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    assert_float_equal(walked(&kernel, 4, 1, 1, 100000).issued, 4 * (1 + 50 + 1), 0);
}

/* A quarter of the warps goes another way. */
static void branch_is_shared_out(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 0.25);
    add_edge(&kernel, 2, 0.75);
    add_block(&kernel, 10, &plain, 0.25);
    add_edge(&kernel, 2, 0.25);
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    assert_float_equal(walked(&kernel, 16, 1, 1, 100000).issued, 16 * 2 + 4 * 10, 10);
}

/* Both ways of a warp, one after the other, until they meet. */
static void both_ways(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 1);
    add_edge(&kernel, 2, 1);
    add_block(&kernel, 5, &plain, 1);
    add_edge(&kernel, 3, 1);
    add_block(&kernel, 7, &plain, 1);
    add_edge(&kernel, 3, 1);
    add_block(&kernel, 1, &plain, 2);
    kernel.blocks[3].reconverges = true;
    add_edge(&kernel, 4, 1);
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    assert_float_equal(walked(&kernel, 1, 1, 1, 100000).issued, 1 + 5 + 1 + 7 + 1 + 1, 0);
}

/* Threads leave a loop one after the other and wait where all meet; the warp leaves it with the last of them. */
static void threads_leave_a_loop(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 1);
    add_block(&kernel, 2, &plain, 25);
    add_edge(&kernel, 1, 24);
    add_edge(&kernel, 2, 8);
    add_block(&kernel, 1, &plain, 8);
    kernel.blocks[2].reconverges = true;
    add_edge(&kernel, 3, 1);
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    struct sm_result result = walked(&kernel, 4, 1, 1, 100000);
    assert_float_equal(result.issued, 4 * (1 + 50 + 8 + 1), 4);
    assert_true(result.varied);
}

/* The same within both ways of a branch: who waits for the branch's end does not go on where the loop's threads meet. */
static void loop_within_a_way(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 1);
    add_edge(&kernel, 4, 1);
    add_block(&kernel, 2, &plain, 10); /* a loop */
    add_edge(&kernel, 1, 9);
    add_edge(&kernel, 2, 4);
    add_block(&kernel, 1, &plain, 4);
    kernel.blocks[2].reconverges = true;
    add_edge(&kernel, 3, 1);
    add_block(&kernel, 20, &plain, 1);
    add_edge(&kernel, 5, 1);
    add_block(&kernel, 30, &plain, 1); /* the other way */
    add_edge(&kernel, 5, 1);
    add_block(&kernel, 1, &plain, 2);
    kernel.blocks[5].reconverges = true;
    add_edge(&kernel, 6, 1);
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    assert_float_equal(walked(&kernel, 1, 1, 1, 100000).issued, 1 + 20 + 4 + 20 + 30 + 2 + 1, 1);
}

/* Of a loop's two exits the one or the other: it ends as often as it is entered. */
static void loop_with_two_exits(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 1);
    add_block(&kernel, 1, &plain, 20);
    add_edge(&kernel, 2, 19.5);
    add_edge(&kernel, 3, 0.5);
    add_block(&kernel, 1, &plain, 19.5);
    add_edge(&kernel, 1, 19);
    add_edge(&kernel, 3, 0.5);
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    struct sm_result result = walked(&kernel, 16, 4, 4, 100000);
    assert_float_equal(result.issued, 64 * (1 + 39.5 + 1), 64);
}

/* Warps that all do the same do not vary, however long their loops are. */
static void alike(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 8, &plain, 100);
    add_edge(&kernel, 0, 99);
    add_edge(&kernel, GPU_LEAVES, 1);
    struct sm_result result = walked(&kernel, 4, 1, 1, 100000);
    assert_false(result.varied);
    assert_float_equal(result.longest, 1, 1e-9);
}

static void subroutine(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 2, 1);
    kernel.edges[0].call = true;
    add_edge(&kernel, 1, 1);
    add_block(&kernel, 2, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    add_block(&kernel, 4, &plain, 1);
    add_edge(&kernel, GPU_LEAVES, 1); /* it comes back */
    assert_float_equal(walked(&kernel, 1, 1, 1, 100000).issued, 7, 0);
}

/* No warp goes on before the last has come, and those that have ended are not waited for. */
static void barrier(void **state) {
    struct kernel kernel = {0};
    struct gpu_instruction meet = plain;
    meet.access = GPU_ACCESS_BARRIER;
    meet.pipe = GPU_PIPE_ADU;
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 0.5);
    add_edge(&kernel, GPU_LEAVES, 0.5);
    add_block(&kernel, 1, &meet, 0.5);
    add_edge(&kernel, GPU_LEAVES, 0.5);
    struct sm_result result = walked(&kernel, 8, 1, 1, 100000);
    assert_float_equal(result.issued, 8 + 4, 1);
}

/* 100 sums by compare and swap of each warp, at one word of the block, or at words of their own. Where warps
 * meet, one of them goes on in each trip, and none of the trips that failed is counted. */
static void contended_sums(void **state) {
    struct gpu_instruction load = plain, swap = plain;
    load.access = GPU_ACCESS_SHARED;
    load.pipe = swap.pipe = GPU_PIPE_LSU;
    load.write_scoreboard = swap.write_scoreboard = 0;
    swap.access = GPU_ACCESS_SHARED_ATOMIC;
    swap.wait_mask = 1;
    double cycles[2][2];
    for (int one = 0; one < 2; one++)
        for (int many = 0; many < 2; many++) {
            struct kernel kernel = {0};
            struct gpu_instruction branch = plain;
            branch.wait_mask = 1;
            swap.contended = (float)one;
            add_block(&kernel, 1, &load, 100);
            kernel.instructions[kernel.code.instruction_count++] = swap;
            kernel.instructions[kernel.code.instruction_count++] = branch;
            kernel.blocks[0].end += 2;
            add_edge(&kernel, 0, 99);
            add_edge(&kernel, GPU_LEAVES, 1);
            struct sm_result result = walked(&kernel, many ? 4 : 1, 1, 1, 100000);
            assert_float_equal(result.issued, (many ? 4 : 1) * 300, 0);
            cycles[one][many] = result.cycles;
        }
    assert_float_equal(cycles[1][0], cycles[0][0], 1e-9);
    assert_true(cycles[0][1] < 1.1 * cycles[0][0]);
    assert_true(cycles[1][1] > 3.5 * cycles[1][0] && cycles[1][1] < 4.5 * cycles[1][0]);
}

/* Rounds with a barrier in them are as many for each warp of a block, though blocks differ. */
static void rounds_with_barriers(void **state) {
    struct kernel kernel = {0};
    struct gpu_instruction meet = plain;
    meet.access = GPU_ACCESS_BARRIER;
    meet.pipe = GPU_PIPE_ADU;
    add_block(&kernel, 1, &plain, 1);
    add_edge(&kernel, 1, 1);
    add_block(&kernel, 1, &meet, 2.5);
    add_edge(&kernel, 1, 1.5);
    add_edge(&kernel, 2, 1);
    add_block(&kernel, 1, &meet, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    for (uint32_t warps = 1; warps <= 8; warps *= 2) { /* 2 or 3 rounds, the same of all */
        double one = walked(&kernel, warps, 1, 1, 100000).issued / warps;
        assert_true(one == 4 || one == 5);
    }
    assert_float_equal(walked(&kernel, 4, 1, 16, 100000).issued / 4, 16 * 4.5, 8);
}

/* What no thread takes part in accesses nothing. */
static void inactive_accesses(void **state) {
    struct gpu_instruction load = plain;
    load.pipe = GPU_PIPE_LSU;
    load.access = GPU_ACCESS_SHARED;
    load.wavefronts = 32;
    struct kernel all = {0}, some = {0};
    add_block(&all, 40, &load, 1);
    add_edge(&all, GPU_LEAVES, 1);
    load.active_share = 0.25;
    add_block(&some, 40, &load, 1);
    add_edge(&some, GPU_LEAVES, 1);
    double whole = walked(&all, 8, 1, 1, 100000).cycles, part = walked(&some, 8, 1, 1, 100000).cycles;
    assert_true(part > 0.2 * whole && part < 0.3 * whole);
}

/* Of a line's sectors, which L1 has not got; on the first scoreboard. */
static struct gpu_instruction missing_load(float sectors) {
    struct gpu_instruction load = plain;
    load.pipe = GPU_PIPE_LSU;
    load.access = GPU_ACCESS_GLOBAL;
    load.write_scoreboard = 0;
    load.bytes = 4;
    load.lines = 1;
    load.sectors = load.missed_sectors = sectors;
    load.miss_share = 1;
    return load;
}

/* What an access to global memory takes of L1, in the walk and in the report. */
static void l1_takes(void **state) {
    const struct gpu_model model = test_model("h200");
    struct gpu_instruction load = missing_load(4);
    load.wavefronts = 1;
    assert_float_equal(sm_l1_cycles(&model, &load), 2, 1e-9); /* data, and the sectors that are filled */
    load.store = true;
    assert_float_equal(sm_l1_cycles(&model, &load), 1, 1e-9);
    load.bytes = 16;
    assert_float_equal(sm_l1_cycles(&model, &load), 4, 1e-9); /* 512 bytes of a warp */
    load.sectors = 1;
    assert_float_equal(sm_l1_cycles(&model, &load), 1, 1e-9); /* one sector for all lanes */
    load.lines = load.sectors = 32;
    assert_float_equal(sm_l1_cycles(&model, &load), 32 / 4 * 1.3, 1e-9);
}

/* A chain of loads from DRAM, one at a time. */
static void dependent_loads(void **state) {
    const struct gpu_model model = test_model("h200");
    struct gpu_instruction load = missing_load(4);
    load.wait_mask = 1;
    load.dram_share = -1; /* not known */
    struct kernel kernel = {0};
    add_block(&kernel, 10, &load, 1);
    add_edge(&kernel, GPU_LEAVES, 1);
    const struct sm_load alone = {.model = &model,
                                  .code = &kernel.code,
                                  .warps_per_block = 1,
                                  .resident_blocks = 1,
                                  .blocks = 1,
                                  .active_sms = 1,
                                  .dram_share = 1,
                                  .busy_share = 1,
                                  .budget = 100000};
    struct sm_result result;
    assert_true(sm_walk(&alone, &result));
    assert_true(result.cycles > 9 * model.latency_dram_cold && result.cycles < 9.5 * model.latency_dram_cold);
}

/* What 64 warps of each SM, of all of them, take to read lines that L2 has, `sectors` of each line; so much of it crosses between L2's
 * halves; of a chip that has two, or one. */
static double reads(double sectors, double crossing, double different) {
    enum { LOADS = 60, WARPS = 64 };
    struct gpu_model model = test_model("h200");
    model.l2_different = different;
    const struct gpu_instruction load = missing_load((float)sectors);
    struct kernel kernel = {0};
    add_block(&kernel, LOADS, &load, 1);
    for (int i = 0; i < LOADS; i += 4) /* four under way */
        kernel.instructions[i].wait_mask = 1;
    add_edge(&kernel, GPU_LEAVES, 1);
    const struct sm_load all = {.model = &model,
                                .code = &kernel.code,
                                .warps_per_block = 8,
                                .resident_blocks = WARPS / 8,
                                .blocks = WARPS / 8.0,
                                .active_sms = model.sm_count,
                                .crossing_share = crossing,
                                .busy_share = 1,
                                .budget = 100000};
    struct sm_result result;
    assert_true(sm_walk(&all, &result));
    return model.sm_count * WARPS * LOADS * sectors / result.cycles;
}

static bool is_about(double rate, double of) {
    return rate > 0.9 * of &&
           rate < 1.1 * of; /* nobody waits for the last loads; the first have not queued yet */
}

/* Whole lines that both halves have come at the rate of L2; of which half cross, at twice the rate between the halves; of a
 * sector each, at the rate of requests. */
static void halves(void **state) {
    const struct gpu_model model = test_model("h200");
    double near = reads(4, 0, 0.6);
    assert_true(is_about(near, model.l2_sectors_per_cycle));
    assert_true(is_about(reads(4, 0.5, 0.6), model.l2_write_sectors_per_cycle));
    assert_true(is_about(reads(1, 0, 0.6), model.l2_requests_per_cycle));
    assert_true(is_about(reads(4, 0.5, 1), near)); /* one L2: nothing crosses */
}

/* Cycles of `each` stores of an SM whose warps do nothing else. */
static double stores(const struct gpu_instruction *store, uint32_t each, uint32_t count, uint32_t warps) {
    struct kernel kernel = {0};
    add_block(&kernel, count, store, 1);
    for (uint32_t i = 0; i < count; i++)
        kernel.instructions[i].follows = store->together > 1 && i % store->together > 0;
    add_edge(&kernel, GPU_LEAVES, 1);
    return walked(&kernel, warps, 1, 1, 100000).cycles * each / (count * warps);
}

/* An SM sends a whole sector a cycle, and takes one more for each line of which it sends a part (calibration/stores.cu). */
static void stores_leave_an_sm(void **state) {
    struct gpu_instruction store = {.active_share = 1,
                                    .pipe = GPU_PIPE_LSU,
                                    .access = GPU_ACCESS_GLOBAL,
                                    .store = true,
                                    .stall = 1,
                                    .write_scoreboard = GPU_NO_SCOREBOARD,
                                    .read_scoreboard = GPU_NO_SCOREBOARD,
                                    .bytes = 4,
                                    .wavefronts = 1,
                                    .lines = 1,
                                    .sectors = 4};
    assert_true(is_about(stores(&store, 1, 60, 8), 4));
    store.lines = store.sectors = store.wavefronts = 32;
    store.partial_share = 1;
    assert_true(is_about(stores(&store, 1, 60, 8), 64));
    store.lines = 8;
    assert_true(is_about(stores(&store, 1, 60, 8), 40));
}

/* Three words of a structure by three stores are sent as one where each comes soon after the one before. Otherwise each is sent. */
static void stores_join(void **state) {
    struct gpu_instruction store = {.active_share = 1,
                                    .pipe = GPU_PIPE_LSU,
                                    .access = GPU_ACCESS_GLOBAL,
                                    .store = true,
                                    .stall = 2,
                                    .write_scoreboard = GPU_NO_SCOREBOARD,
                                    .read_scoreboard = GPU_NO_SCOREBOARD,
                                    .bytes = 4,
                                    .wavefronts = 3,
                                    .lines = 3,
                                    .sectors = 12,
                                    .together = 3};
    assert_true(is_about(stores(&store, 3, 60, 2), 12));
    store.stall = 60; /* late */
    double late = stores(&store, 3, 60, 32);
    assert_true(late > 2.5 * 12 && late < 3.1 * (12 + 3));
}

/* What the budget does not reach takes as long as what it did. */
static void long_kernels_are_extrapolated(void **state) {
    struct kernel kernel = {0};
    add_block(&kernel, 8, &plain, 1000);
    add_edge(&kernel, 0, 999);
    add_edge(&kernel, GPU_LEAVES, 1);
    double whole = walked(&kernel, 8, 2, 4, 1000000).cycles, part = walked(&kernel, 8, 2, 4, 20000).cycles;
    assert_true(part > 0.97 * whole && part < 1.03 * whole);
    assert_float_equal(walked(&kernel, 8, 2, 4, 20000).cycles, part, 0); /* to the bit */
}

/* A launch that was modelled before has the same time and the same waits, and is not walked again. */
static void seen_before(void **state) {
    const struct gpu_model model = test_model("h200");
    struct memo seen = {.most_bytes = 1 << 20};
    struct kernel kernel = {0};
    double waits[3][8 * GPU_STALL_COUNT];
    struct counters counters = {.warp_instructions = 8};
    struct gpu_launch launch = {
        .grid = {4, 1, 1}, .block = {32, 1, 1}, .registers = 16, .counters = &counters, .code = &kernel.code};
    struct gpu_time times[3];
    add_block(&kernel, 8, &plain, 4);
    add_edge(&kernel, GPU_LEAVES, 4);
    for (int i = 0; i < 3; i++) {
        kernel.code.waits = memset(waits[i], 0, sizeof waits[i]);
        if (i == 0)
            gpu_time_model(&model, &launch, &times[i]);
        else
            gpu_time_seen(&model, &launch, &seen, &times[i]);
        assert_true(times[i].by_code && times[i].time_us == times[0].time_us);
        assert_memory_equal(times[i].stalls, times[0].stalls, sizeof times[0].stalls);
        assert_memory_equal(waits[i], waits[0], sizeof waits[0]);
    }
    assert_int_equal(seen.count, 1);
    kernel.instructions[3].stall = 9;
    gpu_time_seen(&model, &launch, &seen, &times[1]);
    assert_true(times[1].time_us > times[0].time_us);
    counters.l2_read_sectors = 4;
    gpu_time_seen(&model, &launch, &seen, &times[1]);
    launch.grid[0] = 8;
    gpu_time_seen(&model, &launch, &seen, &times[1]);
    kernel.code.waits = NULL;
    gpu_time_seen(&model, &launch, &seen, &times[1]);
    struct sm_work work = {.largest_block_instructions = 9};
    launch.sms = &work;
    launch.sm_count = 1;
    gpu_time_seen(&model, &launch, &seen, &times[1]);
    work.largest_block_instructions = 10;
    gpu_time_seen(&model, &launch, &seen, &times[1]);
    assert_int_equal(seen.count, 7);
    memo_free(&seen);
}

TESTS(UNIT(one_warp), UNIT(full_pipe), UNIT(loop_runs_as_often), UNIT(branch_is_shared_out), UNIT(both_ways),
      UNIT(threads_leave_a_loop), UNIT(loop_within_a_way), UNIT(loop_with_two_exits), UNIT(alike),
      UNIT(subroutine), UNIT(barrier), UNIT(contended_sums), UNIT(rounds_with_barriers),
      UNIT(inactive_accesses), UNIT(l1_takes), UNIT(dependent_loads), UNIT(halves), UNIT(stores_leave_an_sm),
      UNIT(stores_join), UNIT(long_kernels_are_extrapolated), UNIT(seen_before))
