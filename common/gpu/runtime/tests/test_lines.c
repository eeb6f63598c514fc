/*
 * test_lines.c: what a launch executed of its machine code by source line: of kernels whose lines are known
 * (programs/lines.cu), merged, spilled and inlined ones among them; and that the lines' sums are the launch's counters.
 */
#include "base/file.h"
#include "base/test.h"
#include "gpu/runtime/tests/support_programs.h"
#include "report/document/kernel_report.h"

enum { SECONDS = 3600, WARPS = 32, ROUNDS = 7 };

static const char source[] = "common/gpu/runtime/tests/programs/lines.cu";

static struct ran ran;

static int run_all(void **state) {
    *state = NULL;
    if (!have_program("lines"))
        return 0;
    run_kernels(&ran, "lines", SECONDS);
    *state = &ran;
    return 0;
}

static int forget_all(void **state) {
    free_kernels(&ran);
    return 0;
}

/* The line of the program that ends with the comment "// name". */
static uint32_t line_of(const char *name) {
    char why[256], comment[64];
    size_t length = 0;
    char *text = file_read(source, 1 << 20, &length, why, sizeof why);
    assert_non_null(text);
    snprintf(comment, sizeof comment, "// %s\n", name);
    char *at = strstr(text, comment);
    assert_non_null(at);
    uint32_t line = 1;
    for (char *c = text; c < at; c++)
        line += *c == '\n';
    free(text);
    return line;
}

/* A block is as long as from its first instruction to its last, and all of those ran as often. */
static void blocks_are_whole(void **state) {
    if (*state == NULL)
        skip();
    for (uint32_t k = 0; k < ran.count; k++) {
        const struct kernel_executed *executed = &ran.kernels[k].executed;
        uint32_t end = 0;
        assert_true(executed->block_count > 0);
        assert_int_equal(executed->blocks[0].first, 0); /* a warp starts there */
        for (uint32_t n = 0; n < executed->block_count; n++) {
            const struct executed_block *block = &executed->blocks[n];
            assert_true(block->first >= end && block->instructions > 0);
            end = block->first + block->instructions;
        }
    }
}

/* What was executed at such a line of a kernel. */
static uint64_t at(const char *kernel, const char *name, enum counter counter) {
    const struct kernel_executed *executed = &kernel_named(&ran, kernel)->executed;
    uint32_t line = line_of(name);
    for (uint32_t i = 0; i < executed->count; i++)
        if (executed->lines[i].line == line)
            return executed->lines[i].counts[counter - FIRST_MACHINE_COUNTER];
    fail_msg("%s: nothing was executed at %s", kernel, name);
    return 0;
}

static void sums_are_the_launches(void **state) {
    if (*state == NULL)
        skip();
    for (uint32_t k = 0; k < ran.count; k++) {
        const struct kernel_report *kernel = &ran.kernels[k];
        assert_true(kernel->executed.known);
        assert_true(kernel->counters.inst_executed > 0);
        for (int i = 0; i < MACHINE_COUNTERS; i++) {
            uint64_t sum = 0;
            for (uint32_t n = 0; n < kernel->executed.count; n++)
                sum += kernel->executed.lines[n].counts[i];
            assert_int_equal(sum, counter_value(&kernel->counters, FIRST_MACHINE_COUNTER + i));
            sum = 0;
            for (uint32_t n = 0; n < kernel->executed.block_count; n++)
                sum += kernel->executed.blocks[n].counts[i];
            assert_int_equal(sum, counter_value(&kernel->counters, FIRST_MACHINE_COUNTER + i));
        }
    }
}

static void lines_that_are_known(void **state) {
    if (*state == NULL)
        skip();
    assert_int_equal(at("plain", "load", COUNTER_pipe_lsu), WARPS);
    assert_int_equal(at("plain", "product", COUNTER_inst_executed), WARPS);
    assert_int_equal(at("plain", "product", COUNTER_pipe_fma), WARPS);
    assert_int_equal(at("plain", "store", COUNTER_pipe_lsu), WARPS);
    assert_int_equal(at("loop", "round", COUNTER_pipe_lsu), ROUNDS); /* of one warp */
}

static void merged_loads(void **state) {
    if (*state == NULL)
        skip();
    const struct kernel_report *kernel = kernel_named(&ran, "merged");
    assert_int_equal(kernel->counters.shared_load_requests, 2 * WARPS); /* of the PTX */
    assert_int_equal(kernel->counters.machine_shared_loads, WARPS);
    assert_int_equal(kernel->counters.machine_shared_stores, 2 * WARPS);
    assert_int_equal(at("merged", "word", COUNTER_machine_shared_loads), WARPS);
    assert_int_equal(at("merged", "first", COUNTER_machine_shared_stores), WARPS);
    assert_int_equal(at("merged", "second", COUNTER_machine_shared_stores), WARPS);
}

/* Each access is one of all warps: whatever a line of the PTX did besides, a spill is not its own. */
static void spills(void **state) {
    if (*state == NULL)
        skip();
    const struct kernel_report *kernel = kernel_named(&ran, "spilled");
    assert_int_equal(kernel->counters.local_load_requests, 0); /* the PTX has none */
    assert_true(kernel->counters.machine_local_loads >= WARPS);
    assert_int_equal(kernel->counters.machine_local_loads % WARPS, 0);
    assert_true(kernel->counters.machine_local_stores >= WARPS);
    assert_int_equal(kernel->counters.machine_local_stores % WARPS, 0);
    assert_true(at("spilled", "rounds", COUNTER_machine_local_loads) >= WARPS);
    for (uint32_t i = 0; i < ran.count; i++)
        assert_true(&ran.kernels[i] == kernel || ran.kernels[i].counters.machine_local_stores == 0);
}

static void inlined_lines(void **state) {
    if (*state == NULL)
        skip();
    assert_int_equal(at("inlined", "inlined", COUNTER_pipe_xu), WARPS);
    assert_int_equal(at("inlined", "inlined", COUNTER_pipe_lsu), 0);
    assert_int_equal(at("inlined", "caller", COUNTER_pipe_lsu), 2 * WARPS);
    assert_int_equal(at("inlined", "caller", COUNTER_pipe_xu), 0);
}

TESTS_BETWEEN(run_all, forget_all, UNIT(sums_are_the_launches), UNIT(blocks_are_whole),
              UNIT(lines_that_are_known), UNIT(merged_loads), UNIT(spills), UNIT(inlined_lines))
