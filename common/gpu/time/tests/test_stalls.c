/* test_stalls.c: what warps wait for, of kernels that can wait for one thing only; and that all of their time is accounted for. */
#include "base/test.h"
#include "gpu/time/tests/support_gpus.h"
#include "gpu/time/walk/sm.h"

enum { MOST = 64 };

/* A kernel of one block of instructions, round after round. */
struct kernel {
    struct gpu_instruction instructions[MOST];
    struct gpu_block block;
    struct gpu_edge edges[2];
    double waits[MOST * GPU_STALL_COUNT];
    struct gpu_code code;
};

static const struct gpu_instruction plain = {.active_share = 1,
                                             .pipe = GPU_PIPE_FMA,
                                             .stall = 1,
                                             .write_scoreboard = GPU_NO_SCOREBOARD,
                                             .read_scoreboard = GPU_NO_SCOREBOARD,
                                             .issue_passes = 1};

static void add(struct kernel *kernel, const struct gpu_instruction *instruction, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        kernel->instructions[kernel->code.instruction_count++] = *instruction;
}

static struct sm_result walked(struct kernel *kernel, double rounds, uint32_t warps, uint32_t blocks) {
    const struct gpu_model model = test_model("h200");
    kernel->block =
        (struct gpu_block){.end = kernel->code.instruction_count, .edge_count = 2, .runs = rounds};
    kernel->edges[0] = (struct gpu_edge){.to = 0, .taken = true, .traversals = rounds - 1};
    kernel->edges[1] = (struct gpu_edge){.to = GPU_LEAVES, .traversals = 1};
    kernel->code.instructions = kernel->instructions;
    kernel->code.blocks = &kernel->block;
    kernel->code.edges = kernel->edges;
    kernel->code.block_count = 1;
    kernel->code.edge_count = 2;
    kernel->code.warps = 1;
    kernel->code.waits = kernel->waits;
    const struct sm_load load = {.model = &model,
                                 .code = &kernel->code,
                                 .warps_per_block = warps,
                                 .resident_blocks = blocks,
                                 .blocks = blocks,
                                 .active_sms = 1,
                                 .busy_share = 1,
                                 .budget = 100000};
    struct sm_result result;
    assert_true(sm_walk(&load, &result));
    return result;
}

static void is_top(const struct sm_result *result, enum gpu_stall stall, double least) {
    double all = 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        all += result->stalls[i];
    enum gpu_stall top = gpu_stall_top(result->stalls);
    if (top != stall || !(result->stalls[stall] >= least * all))
        fail_msg("%s %.0f %%, expected %s", gpu_stall_name(top), 100 * result->stalls[top] / all,
                 gpu_stall_name(stall));
    assert_float_equal(result->stalls[GPU_STALL_SELECTED], result->issued, 1e-6);
}

/* One warp alone: the stall counts; many: their turn; many of a pipe that takes two cycles: that pipe, as often. */
static void arithmetic(void **state) {
    struct kernel one = {0}, many = {0}, wide = {0};
    struct gpu_instruction slow = plain, integer = plain;
    slow.stall = 6;
    integer.pipe = GPU_PIPE_ALU;
    add(&one, &slow, 8);
    struct sm_result result = walked(&one, 50, 1, 1);
    is_top(&result, GPU_STALL_WAIT, 0.7);
    add(&many, &plain, 8);
    result = walked(&many, 50, 8, 8);
    is_top(&result, GPU_STALL_NOT_SELECTED, 0.7);
    add(&wide, &integer, 8);
    result = walked(&wide, 50, 8, 8);
    assert_true(result.stalls[GPU_STALL_MATH_PIPE] > 0.7 * result.stalls[GPU_STALL_NOT_SELECTED]);
    assert_true(result.stalls[GPU_STALL_MATH_PIPE] < 1.3 * result.stalls[GPU_STALL_NOT_SELECTED]);
}

static struct gpu_instruction access_of(enum gpu_access access, bool store) {
    struct gpu_instruction in = plain;
    in.pipe = GPU_PIPE_LSU;
    in.access = (uint8_t)access;
    in.store = store;
    in.bytes = 4;
    in.lines = in.wavefronts = 1;
    in.sectors = 4;
    return in;
}

/* The instruction that needs a load's data waits for it, and the line says so. */
static void loads(void **state) {
    static const struct {
        enum gpu_access access;
        enum gpu_stall stall;
    } cases[] = {{GPU_ACCESS_GLOBAL, GPU_STALL_LONG_SCOREBOARD},
                 {GPU_ACCESS_LOCAL, GPU_STALL_LONG_SCOREBOARD},
                 {GPU_ACCESS_SHARED, GPU_STALL_SHORT_SCOREBOARD},
                 {GPU_ACCESS_SHUFFLE, GPU_STALL_SHORT_SCOREBOARD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel kernel = {0};
        struct gpu_instruction load = access_of(cases[i].access, false), use = plain;
        load.write_scoreboard = 0;
        use.wait_mask = 1;
        add(&kernel, &load, 1);
        add(&kernel, &use, 1);
        struct sm_result result = walked(&kernel, 50, 1, 1);
        is_top(&result, cases[i].stall, 0.5);
        assert_float_equal(kernel.waits[GPU_STALL_COUNT + cases[i].stall], result.stalls[cases[i].stall],
                           1e-6);
        assert_float_equal(kernel.waits[cases[i].stall], 0, 0);
    }
}

/* Queues that fill: loads that touch 32 lines each, shared accesses of 32 passes. */
static void throttles(void **state) {
    struct kernel global = {0}, shared = {0}, special = {0};
    struct gpu_instruction load = access_of(GPU_ACCESS_GLOBAL, false),
                           other = access_of(GPU_ACCESS_SHARED, true), root = plain;
    load.lines = load.wavefronts = load.sectors = 32;
    other.wavefronts = 32;
    root.pipe = GPU_PIPE_XU;
    add(&global, &load, 8);
    struct sm_result result = walked(&global, 20, 8, 8);
    is_top(&result, GPU_STALL_LG, 0.7);
    add(&shared, &other, 8);
    result = walked(&shared, 20, 8, 8);
    is_top(&result, GPU_STALL_MIO, 0.7);
    add(&special, &root, 8);
    result = walked(&special, 20, 8, 8);
    is_top(&result, GPU_STALL_MIO, 0.5);
}

/* Warps that wait for one of their block that is slower; stores that leave before a warp ends. */
static void barriers_and_ends(void **state) {
    struct kernel meet = {0}, store = {0};
    struct gpu_instruction barrier = plain, end = plain, out = access_of(GPU_ACCESS_GLOBAL, true);
    barrier.pipe = GPU_PIPE_ADU;
    barrier.access = GPU_ACCESS_BARRIER;
    add(&meet, &barrier, 1);
    struct sm_result result = walked(&meet, 100, 16, 1);
    is_top(&result, GPU_STALL_BARRIER, 0.7);
    out.lines = out.sectors = 32;
    out.partial_share = out.new_share = 1;
    end.access = GPU_ACCESS_EXIT;
    add(&store, &out, 1);
    add(&store, &end, 1);
    result = walked(&store, 1, 8, 8);
    is_top(&result, GPU_STALL_DRAIN, 0.5);
}

/* A warp's time is shared out without a rest: one after the other, the states of a warp alone are its life. */
static void nothing_is_left_out(void **state) {
    struct kernel kernel = {0};
    struct gpu_instruction load = access_of(GPU_ACCESS_GLOBAL, false), use = plain;
    load.write_scoreboard = 0;
    use.wait_mask = 1;
    use.stall = 5;
    add(&kernel, &plain, 3);
    add(&kernel, &load, 1);
    add(&kernel, &use, 4);
    struct sm_result result = walked(&kernel, 40, 1, 1);
    double all = 0, lines = 0;
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        all += result.stalls[i];
    for (size_t i = 0; i < sizeof kernel.waits / sizeof *kernel.waits; i++)
        lines += kernel.waits[i];
    assert_float_equal(all, result.cycles * result.issued / 320, 1); /* a round more or less was walked */
    assert_float_equal(lines, all, 1e-6);
}

static void names(void **state) {
    double shares[GPU_STALL_COUNT] = {[GPU_STALL_SELECTED] = 9};
    assert_int_equal(gpu_stall_top(shares), GPU_STALL_COUNT); /* who issues does not wait */
    shares[GPU_STALL_DRAIN] = 1;
    assert_int_equal(gpu_stall_top(shares), GPU_STALL_DRAIN);
    for (int i = 0; i < GPU_STALL_COUNT; i++) {
        assert_true(*gpu_stall_name((enum gpu_stall)i) != '\0' &&
                    *gpu_stall_meaning((enum gpu_stall)i) != '\0');
        for (int k = 0; k < i; k++)
            assert_string_not_equal(gpu_stall_name((enum gpu_stall)i), gpu_stall_name((enum gpu_stall)k));
    }
    assert_string_equal(gpu_stall_name(GPU_STALL_COUNT), "");
    assert_string_equal(gpu_stall_meaning(GPU_STALL_COUNT), "");
}

TESTS(UNIT(arithmetic), UNIT(loads), UNIT(throttles), UNIT(barriers_and_ends), UNIT(nothing_is_left_out),
      UNIT(names))
