/* test_endless.c: launches that can never end are found, and long ones that end are not
 * (endless.ptx). gpu/runtime/tests/programs/endless.cu and patient.cu have more kinds, in CUDA
 * C. */
#include "device_fixture.h"

/* Ten rounds: enough for the test, and quick. */
static struct simt_config short_budget(void) {
    struct simt_config config = fixture_config();
    config.instruction_budget = 400000000;
    return config;
}

static void test_a_flag_of_nobody(void **state) {
    struct simt_config config = short_budget();
    char first[sizeof(((struct simt_fault *)0)->message)] = "";
    for (uint32_t threads = 1; threads <= 3; threads++) {
        ENDED(fixture_close) struct fixture fixture;
        config.host_threads = threads;
        fixture_configure_file(&fixture, "endless", &config);
        uint64_t out = fixture_buffer(&fixture, 16);
        assert_int_equal(fixture_run(&fixture, "flag_of_nobody", 200, 64, 0, &out), SIMT_TIMEOUT);
        const struct simt_fault *fault = &fixture.result.fault;
        fixture_message_has(&fixture, "never ends");
        fixture_message_has(&fixture, "the 4 bytes of global memory");
        fixture_message_has(&fixture, "200 threads repeat");
        assert_string_equal(fault->kernel, "flag_of_nobody");
        assert_int_equal(fault->block[0], 0);
        assert_int_equal(fault->thread[0], 3);
        assert_in_range(fault->ptx_line, 17, 19);
        assert_true(fixture.result.counters.warp_instructions < 60000000);
        if (threads == 1)
            memcpy(first, fault->message, sizeof first);
        assert_string_equal(fault->message, first);
    }
}

/* A period of 65,536 trips, endless or with an end after 40 periods. */
static void test_a_long_period(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct simt_config config = short_budget();
    fixture_configure_file(&fixture, "endless", &config);
    uint64_t parameters[] = {fixture_buffer(&fixture, 128), 0};
    uint32_t out[32];
    assert_int_equal(fixture_run(&fixture, "periods", 1, 32, 0, parameters), SIMT_TIMEOUT);
    fixture_message_has(&fixture, "reads no memory");
    parameters[1] = 40;
    fixture_ok(&fixture, fixture_run(&fixture, "periods", 1, 32, 0, parameters));
    simt_read(fixture.device, out, parameters[0], sizeof out);
    for (int i = 0; i < 32; i++)
        assert_int_equal(out[i], 40);
}

static void test_memory_that_counts(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct simt_config config = short_budget();
    fixture_configure_file(&fixture, "endless", &config);
    uint64_t parameters[] = {fixture_buffer(&fixture, 128)};
    uint32_t out;
    fixture_ok(&fixture, fixture_run(&fixture, "counts_in_shared", 1, 32, 0, parameters));
    simt_read(fixture.device, &out, parameters[0], sizeof out);
    assert_int_equal(out, 1500000);
}

/* A budget far below an SM's usual turn is kept, too. */
static void test_a_small_budget(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct simt_config config = short_budget();
    config.instruction_budget = 20000;
    fixture_configure_file(&fixture, "endless", &config);
    uint64_t parameters[] = {fixture_buffer(&fixture, 128)};
    assert_int_equal(fixture_run(&fixture, "counts_in_shared", 1, 32, 0, parameters), SIMT_TIMEOUT);
    assert_in_range(fixture.result.counters.warp_instructions, 20000, 50000);
}

/* Blocks without a loop run to their ends, so a budget can be over when no block is there. */
static void test_a_budget_between_blocks(void **state) {
    enum { LINES = 4000 };
    static char text[512 + 32 * LINES];
    ENDED(fixture_close) struct fixture fixture;
    struct simt_config config = short_budget();
    config.instruction_budget = 10000;
    config.sm_count = 1;
    size_t length = (size_t)sprintf(text,
                                    "%s.visible .entry straight(.param .u64 out)\n{\n"
                                    ".reg .u64 %%p; .reg .u32 %%r;\nmov.u32 %%r, %%ctaid.x;\n",
                                    PTX_HEADER);
    for (int i = 0; i < LINES; i++)
        length += (size_t)sprintf(text + length, "add.u32 %%r, %%r, 1;\n");
    sprintf(text + length, "ld.param.u64 %%p, [out];\nst.global.u32 [%%p], %%r;\nret;\n}\n");
    fixture_configure(&fixture, text, &config);
    uint64_t parameters[] = {fixture_buffer(&fixture, 128)};
    fixture_ok(&fixture, fixture_run(&fixture, "straight", 2, 32, 0, parameters));
    assert_int_equal(fixture_run(&fixture, "straight", 20, 32, 0, parameters), SIMT_TIMEOUT);
    fixture_message_has(&fixture, "did not end within 10000 warp instructions");
    assert_in_range(fixture.result.counters.warp_instructions, 10000, 20000);
}

/* Two of three warps repeat exactly while the third counts what ends the loop. */
static void test_a_barrier_in_a_loop(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct simt_config config = short_budget();
    fixture_configure_file(&fixture, "endless", &config);
    uint64_t parameters[] = {fixture_buffer(&fixture, 128), 200000};
    fixture_ok(&fixture, fixture_run(&fixture, "round_a_barrier", 1, 96, 0, parameters));
    parameters[1] = 0;
    assert_int_equal(fixture_run(&fixture, "round_a_barrier", 1, 96, 0, parameters), SIMT_TIMEOUT);
    fixture_message_has(&fixture, "96 threads repeat");
}

/* A loop that nothing leaves, in which some threads load before its barrier. */
static void test_a_barrier_in_a_loop_without_exit(void **state) {
    static const char *const kernels[] = {"no_way_out", "no_way_out_by_load"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        ENDED(fixture_close) struct fixture fixture;
        struct simt_config config = short_budget();
        fixture_configure_file(&fixture, "endless", &config);
        uint64_t out = fixture_buffer(&fixture, 128);
        assert_int_equal(fixture_run(&fixture, kernels[i], 1, 64, 0, &out), SIMT_TIMEOUT);
        fixture_message_has(&fixture, "this loop never ends");
        fixture_message_has(&fixture, "64 threads repeat");
    }
}

/* A block moves to another SM if its own is full of waiting ones; if all SMs are, it is endless. */
static void test_blocks_without_room(void **state) {
    struct simt_config config = short_budget();
    config.sm_count = 2;
    for (uint32_t blocks = 2; blocks <= 9; blocks++) {
        struct fixture fixture;
        fixture_configure_file(&fixture, "endless", &config);
        uint64_t out = fixture_buffer(&fixture, 16);
        struct simt_launch launch = {.kernel = simt_module_kernel(fixture.module, "wait_for_last"),
                                     .grid = {blocks, 1, 1},
                                     .block = {32, 1, 1},
                                     .resident_blocks = 1,
                                     .parameters = &out};
        fixture_ok(&fixture, simt_run(fixture.device, &launch, &fixture.result));
        fixture_close(&fixture);
    }
}

static void test_one_thread_waits_for_other_blocks(void **state) {
    struct simt_config config = short_budget();
    config.sm_count = 2;
    struct fixture fixture;
    fixture_configure_file(&fixture, "endless", &config);
    uint64_t out = fixture_buffer(&fixture, 16);
    uint32_t arrived = 0;
    fixture_ok(&fixture, fixture_run(&fixture, "meet", 8, 64, 0, &out));
    simt_read(fixture.device, &arrived, out, sizeof arrived);
    assert_int_equal(arrived, 8);
    fixture_close(&fixture);
    fixture_configure_file(&fixture, "endless", &config);
    out = fixture_buffer(&fixture, 16);
    assert_int_equal(fixture_run(&fixture, "meet", 9, 64, 0, &out), SIMT_TIMEOUT); /* room for 2 x 4 */
    fixture_message_has(&fixture, "8 threads repeat, 504 wait for others");
    fixture_close(&fixture);
}

static void test_an_indirect_branch(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct simt_config config = short_budget();
    fixture_configure_file(&fixture, "endless", &config);
    uint64_t out = fixture_buffer(&fixture, 16);
    assert_int_equal(fixture_run(&fixture, "by_table", 1, 32, 0, &out), SIMT_TIMEOUT);
    fixture_message_has(&fixture, "never ends");
}

TESTS(UNIT(test_a_flag_of_nobody), UNIT(test_a_long_period), UNIT(test_memory_that_counts),
      UNIT(test_a_barrier_in_a_loop), UNIT(test_blocks_without_room),
      UNIT(test_one_thread_waits_for_other_blocks), UNIT(test_a_small_budget),
      UNIT(test_a_budget_between_blocks), UNIT(test_an_indirect_branch),
      UNIT(test_a_barrier_in_a_loop_without_exit))
