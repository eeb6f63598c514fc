/* test_control.c: divergence, reconvergence, barriers, calls and spinning, in every shape of
 * control flow (control.ptx). */
#include "device_fixture.h"

static void run_and_read(struct fixture *fixture, const char *kernel, uint32_t threads, uint32_t *out) {
    uint64_t address = fixture_buffer(fixture, 4 * threads);
    uint64_t parameters[] = {address};
    fixture_ok(fixture, fixture_run(fixture, kernel, 1, threads, 0, parameters));
    assert_int_equal(simt_read(fixture->device, out, address, 4 * threads), SIMT_OK);
    assert_int_equal(simt_free(fixture->device, address), SIMT_OK);
}

/* if (t & 1) { if (t & 2) x = 1 else x = 2 } else x = 3; then activemask is full again. */
static void test_nested_if(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[32];
    run_and_read(&fixture, "nested_if", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 100 + (t & 1 ? t & 2 ? 11 : 12 : 3));
    assert_int_equal(fixture.result.counters.divergent_branches, 2);
    assert_int_equal(fixture.result.counters.branches, 2);
    fixture_close(&fixture);
}

/* Thread t loops t times; then the warp reconverges. Loop instructions count once a trip. */
static void test_loop_with_different_trips(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[32];
    run_and_read(&fixture, "different_trips", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 32000 + t * (t - 1) / 2);
    /* 4 + 2 + 32 * 2 tests and branches + 31 * 3 + the tail of 5 */
    assert_int_equal(fixture.result.counters.warp_instructions, 4 + 2 + 32 * 2 + 31 * 3 + 5);
    fixture_close(&fixture);
}

/* Threads 0..9 exit early; the others still meet at a barrier, and shuffle without them. */
static void test_early_exit_and_barrier(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[128];
    run_and_read(&fixture, "early_exit", 128, out);
    for (uint32_t t = 10; t < 128; t++)
        assert_int_equal(out[t], (t ^ 64) < 10 ? t : t ^ 64);
    assert_int_equal(fixture.result.counters.barriers, 4);
    fixture_close(&fixture);
}

/* Half of the block arrives (bar.arrive) at a barrier of the whole block, the rest at another. */
static void test_arrive_and_go_on(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[128];
    run_and_read(&fixture, "arrive_and_go_on", 128, out);
    for (uint32_t t = 0; t < 128; t++)
        assert_int_equal(out[t], 7 * (t < 64 ? t : (t & 63) ^ 63));
    fixture_close(&fixture);
}

/* Only warps with an even number arrive at barrier 1, which has a count. */
static void test_barrier_with_count(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[128];
    run_and_read(&fixture, "barrier_with_count", 128, out);
    for (uint32_t t = 0; t < 128; t++)
        assert_int_equal(out[t], t / 32 % 2 ? 5 : 77);
    fixture_close(&fixture);
}

static void test_barrier_reduction(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[96];
    run_and_read(&fixture, "barrier_reduction", 96, out);
    for (uint32_t t = 0; t < 96; t++)
        assert_int_equal(out[t], 2040);
    fixture_close(&fixture);
}

/* Threads of a warp spin on a lock: hangs unless the holder can run past the others. */
static void test_spin_lock_within_a_warp(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[64], count = 0;
    bool seen[65] = {false};
    run_and_read(&fixture, "spin_lock", 64, out);
    for (uint32_t t = 0; t < 64; t++) {
        assert_in_range(out[t], 1, 64);
        assert_false(seen[out[t]]); /* each held the lock alone */
        seen[out[t]] = true;
    }
    uint64_t address, bytes;
    assert_true(simt_module_variable(fixture.module, "count", &address, &bytes));
    simt_read(fixture.device, &count, address, 4);
    assert_int_equal(count, 64);
    fixture_close(&fixture);
}

/* Block 0 waits for a flag that the last block sets. */
static void test_blocks_wait_for_each_other(void **state) {
    struct simt_config config;
    simt_config_default(&config);
    config.sm_count = 2;
    config.instruction_budget = 50000000;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct fixture fixture;
        config.host_threads = threads;
        fixture_configure_file(&fixture, "control", &config);
        uint64_t address = fixture_buffer(&fixture, 16);
        fixture_ok(&fixture, fixture_run(&fixture, "wait_for_block", 4, 32, 0, &address));
        uint32_t out[4];
        simt_read(fixture.device, out, address, sizeof out);
        for (uint32_t b = 0; b < 4; b++)
            assert_int_equal(out[b], b);
        fixture_close(&fixture);
    }
}

/* Each thread recurses to its own depth; its local array survives the calls. */
static void test_recursion(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    static const uint32_t expected[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    uint32_t out[40];
    run_and_read(&fixture, "recursion", 40, out);
    for (uint32_t t = 0; t < 40; t++)
        assert_int_equal(out[t], expected[t & 7]);
    fixture_close(&fixture);
}

static void test_endless_recursion_is_a_fault(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint64_t address = fixture_buffer(&fixture, 128);
    assert_int_equal(fixture_run(&fixture, "endless_recursion", 1, 32, 0, &address), SIMT_STACK_OVERFLOW);
    fixture_message_has(&fixture, "recursion");
    fixture_message_has(&fixture, "cudaLimitStackSize");
    fixture_close(&fixture);
}

/* Odd threads call one function through a pointer, even ones another; registers never mix. */
static void test_indirect_calls(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[32];
    run_and_read(&fixture, "indirect_calls", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t & 1 ? t * t : 2 * t);
    fixture_close(&fixture);
}

static void test_call_of_no_function_is_a_fault(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint64_t address = fixture_buffer(&fixture, 128);
    assert_int_equal(fixture_run(&fixture, "call_of_no_function", 1, 32, 0, &address), SIMT_INVALID_PC);
    fixture_message_has(&fixture, "0x1000");
    fixture_close(&fixture);
}

static void test_branch_table(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    static const uint32_t expected[] = {10, 20, 30, 20};
    uint32_t out[32];
    run_and_read(&fixture, "branch_table", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 3200 + expected[t & 3]);
    fixture_close(&fixture);
}

/* Shuffles in two places of a divergent warp with different members; one that both halves reach. */
static void test_shuffle_waits_for_its_members(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[32];
    run_and_read(&fixture, "shuffle_of_members", 32, out);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t from = t ^ 16;
        assert_int_equal(out[t], from < 16 ? 2000 + (from ^ 1) : 1000 + from);
    }
    fixture_close(&fixture);
}

/* Two arms each run a *_sync operation with all lanes as members: they meet, then go on. */
static void test_members_meet_from_two_places(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[32];
    run_and_read(&fixture, "members_from_two_places", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 3200 + (t < 16 ? 3 : t ^ 1));
    fixture_close(&fixture);
}

/* Threads that name different members do not see each other, wherever they are. */
static void test_groups_of_members(void **state) {
    struct fixture fixture;
    uint32_t out[32];
    fixture_open_file(&fixture, "control");
    run_and_read(&fixture, "groups_in_arms", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 0xcccccccc & (t < 16 ? 0x5555u << (t & 1) : 15u << (t & 28)));
    run_and_read(&fixture, "groups_across_arms", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t < 16 ? t ^ 18 : (t ^ 18) + 100);
    fixture_close(&fixture);
}

static void test_wrong_members_are_a_fault(void **state) {
    static const struct {
        const char *kernel, *says;
        uint32_t thread;
        uint64_t times;
    } cases[] = {
        {"outside_its_mask", "0x0000ffff, in which it is not itself", 16, 1},
        {"masks_disagree", "lane 16 of the warp is in it and calls it with another, 0xffff0000", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int strict = 0; strict < 2; strict++) {
            struct simt_config config = fixture_config();
            struct fixture fixture;
            config.strict = strict == 1;
            fixture_configure_file(&fixture, "control", &config);
            uint64_t address = fixture_buffer(&fixture, 128);
            enum simt_status status = fixture_run(&fixture, cases[i].kernel, 1, 32, 0, &address);
            assert_int_equal(status, strict ? SIMT_BARRIER_DIVERGENCE : SIMT_OK);
            if (strict) {
                fixture_message_has(&fixture, cases[i].says);
                assert_int_equal(fixture.result.fault.thread[0], cases[i].thread);
            } else {
                fixture_remarks(&fixture, 1, &cases[i].times, &cases[i].says);
            }
            fixture_close(&fixture);
        }
}

static void test_divergent_barrier_is_a_fault(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint64_t address = fixture_buffer(&fixture, 512);
    assert_int_equal(fixture_run(&fixture, "divergent_barrier", 1, 64, 0, &address), SIMT_BARRIER_DIVERGENCE);
    fixture_message_has(&fixture, "8 of the warp's 32");
    assert_int_equal(fixture.result.fault.thread[0], 32);
    fixture_close(&fixture);
}

/* A barrier without the whole warp: the message says what the others did, and where. */
static void test_barrier_tells_where_threads_parted(void **state) {
    static const struct {
        const char *kernel, *says, *cure;
    } cases[] = {
        {"divergent_barrier", "thread (40,0,0), for one, went another way at PTX line 413",
         "move it out of the condition"},
        {"returned_before", "thread (40,0,0), for one, has returned at PTX line 427", "return after it"},
        {"trips_differ", "thread (0,0,0), for one, has left the loop at PTX line 451",
         "the same number of trips"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture fixture;
        fixture_open_file(&fixture, "control");
        uint64_t address = fixture_buffer(&fixture, 256);
        assert_int_equal(fixture_run(&fixture, cases[i].kernel, 1, 64, 0, &address), SIMT_BARRIER_DIVERGENCE);
        fixture_message_has(&fixture, cases[i].says);
        fixture_message_has(&fixture, cases[i].cure);
        fixture_close(&fixture);
    }
}

/* Not strict, as on hardware: threads that return are not waited for. */
static void test_barrier_some_threads_skip(void **state) {
    struct simt_config config;
    struct fixture fixture;
    simt_config_default(&config);
    config.strict = false;
    fixture_configure_file(&fixture, "control", &config);
    uint32_t out[64];
    run_and_read(&fixture, "divergent_barrier", 64, out);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(out[t], t);
    fixture_remarks(&fixture, 1, (const uint64_t[]){1}, (const char *const[]){"8 of the warp's 32"});
    fixture_close(&fixture);
}

/* Half of the warps wait at one barrier, half at another: on hardware a hang. */
static void test_deadlock_is_a_fault(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint64_t address = fixture_buffer(&fixture, 512);
    assert_int_equal(fixture_run(&fixture, "deadlock", 1, 64, 0, &address), SIMT_BARRIER_DIVERGENCE);
    fixture_message_has(&fixture, "hang");
    fixture_close(&fixture);
}

static void test_endless_kernel_is_stopped(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint64_t address = fixture_buffer(&fixture, 512);
    assert_int_equal(fixture_run(&fixture, "endless", 3, 64, 0, &address), SIMT_TIMEOUT);
    fixture_message_has(&fixture, "in this loop");
    assert_int_equal(fixture.result.fault.block[0], 0);
    fixture_close(&fixture);
}

/* Clocks go forward, also within one run of instructions. */
static void test_clock(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "control");
    uint32_t out[32];
    run_and_read(&fixture, "clock", 32, out);
    assert_int_equal(out[0], 3);
    assert_int_equal(out[31], 3);
    fixture_close(&fixture);
}

TESTS(UNIT(test_nested_if), UNIT(test_loop_with_different_trips), UNIT(test_early_exit_and_barrier),
      UNIT(test_barrier_with_count), UNIT(test_arrive_and_go_on), UNIT(test_barrier_reduction),
      UNIT(test_spin_lock_within_a_warp), UNIT(test_blocks_wait_for_each_other), UNIT(test_recursion),
      UNIT(test_endless_recursion_is_a_fault), UNIT(test_indirect_calls),
      UNIT(test_call_of_no_function_is_a_fault), UNIT(test_branch_table),
      UNIT(test_shuffle_waits_for_its_members), UNIT(test_members_meet_from_two_places),
      UNIT(test_groups_of_members), UNIT(test_wrong_members_are_a_fault),
      UNIT(test_divergent_barrier_is_a_fault), UNIT(test_barrier_tells_where_threads_parted),
      UNIT(test_deadlock_is_a_fault), UNIT(test_barrier_some_threads_skip),
      UNIT(test_endless_kernel_is_stopped), UNIT(test_clock))
