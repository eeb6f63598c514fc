/* Divergence, reconvergence, barriers, calls, spinning: the shapes a kernel's control flow can take. */
#include "device_fixture.h"

#define ENTRY(name) ".visible .entry " name "(.param .u64 out)\n{\n"
/* %r1: thread, %d3: address of out[thread] */
#define PROLOGUE                                                                                             \
    "mov.u32 %r1, %tid.x;\nld.param.u64 %d1, [out];\nmul.wide.u32 %d2, %r1, 4;\nadd.s64 %d3, %d1, %d2;\n"
#define REGISTERS ".reg .pred %p<8>; .reg .b32 %r<24>; .reg .b64 %d<12>;\n"

static void run_and_read(struct fixture *fixture, const char *kernel, uint32_t threads, uint32_t *out) {
    uint64_t address = fixture_buffer(fixture, 4 * threads);
    uint64_t parameters[] = {address};
    fixture_ok(fixture, fixture_run(fixture, kernel, 1, threads, 0, parameters));
    assert_int_equal(simt_read(fixture->device, out, address, 4 * threads), SIMT_OK);
    assert_int_equal(simt_free(fixture->device, address), SIMT_OK);
}

/* if (t & 1) { if (t & 2) x = 1 else x = 2 } else x = 3; then all together again: activemask is full. */
static void test_nested_if(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
                 "and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0;\n@%p1 bra even;\n"
                 "and.b32 %r3, %r1, 2; setp.eq.s32 %p2, %r3, 0;\n@%p2 bra two;\nmov.u32 %r4, 1; bra inner;\n"
                 "two: mov.u32 %r4, 2;\ninner: add.s32 %r4, %r4, 10; bra join;\neven: mov.u32 %r4, 3;\n"
                 "join: activemask.b32 %r5; setp.eq.u32 %p3, %r5, -1; selp.b32 %r6, 100, 0, %p3;\n"
                 "add.s32 %r4, %r4, %r6; st.global.u32 [%d3], %r4; ret;\n}\n");
    uint32_t out[32];
    run_and_read(&fixture, "k", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 100 + (t & 1 ? t & 2 ? 11 : 12 : 3));
    assert_int_equal(fixture.result.counters.divergent_branches, 2);
    assert_int_equal(fixture.result.counters.branches, 2);
    fixture_close(&fixture);
}

/* Thread t loops t times; then the warp is whole again. Each loop instruction is counted once a trip. */
static void test_loop_with_different_trips(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
        "mov.u32 %r2, 0; mov.u32 %r4, 0;\n"
        "loop: setp.ge.u32 %p1, %r2, %r1;\n@%p1 bra done;\nadd.s32 %r4, %r4, %r2;\nadd.s32 %r2, %r2, 1;\n"
        "bra loop;\ndone: activemask.b32 %r5; popc.b32 %r6, %r5; mad.lo.s32 %r4, %r6, 1000, %r4;\n"
        "st.global.u32 [%d3], %r4; ret;\n}\n");
    uint32_t out[32];
    run_and_read(&fixture, "k", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 32000 + t * (t - 1) / 2);
    /* 4 + 2 + 32 * 2 tests and branches + 31 * 3 + the tail of 5 */
    assert_int_equal(fixture.result.counters.warp_instructions, 4 + 2 + 32 * 2 + 31 * 3 + 5);
    fixture_close(&fixture);
}

/* Threads 0..9 leave early; the others still meet at a barrier, and shuffle without them. */
static void test_early_exit_and_barrier(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, PTX_HEADER ENTRY("k") REGISTERS
                 ".shared .align 4 .b8 tile[512];\n" PROLOGUE
                 "setp.lt.u32 %p1, %r1, 10;\n@%p1 ret;\nmov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.s32 %r4, "
                 "%r2, %r3;\n"
                 "st.shared.u32 [%r4], %r1;\nbar.sync 0;\nxor.b32 %r5, %r1, 64; setp.lt.u32 %p2, %r5, 10;\n"
                 "selp.b32 %r5, %r1, %r5, %p2; shl.b32 %r6, %r5, 2; add.s32 %r7, %r2, %r6;\nld.shared.u32 "
                 "%r8, [%r7];\n"
                 "st.global.u32 [%d3], %r8; ret;\n}\n");
    uint32_t out[128];
    run_and_read(&fixture, "k", 128, out);
    for (uint32_t t = 10; t < 128; t++)
        assert_int_equal(out[t], (t ^ 64) < 10 ? t : t ^ 64);
    assert_int_equal(fixture.result.counters.barriers, 4);
    fixture_close(&fixture);
}

/* Only warps with an even number meet at barrier 1, with a count. */
static void test_barrier_with_count(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, PTX_HEADER ENTRY("k") REGISTERS
                 ".shared .align 4 .b8 flag[4];\n" PROLOGUE
                 "shr.u32 %r2, %r1, 5; and.b32 %r3, %r2, 1; setp.eq.u32 %p1, %r3, 1;\n@%p1 bra odd;\n"
                 "setp.ne.u32 %p2, %r1, 64; @%p2 bra wait; mov.u32 %r5, flag; mov.u32 %r6, 77; st.shared.u32 "
                 "[%r5], %r6;\n"
                 "wait: bar.sync 1, 64;\nmov.u32 %r5, flag; ld.shared.u32 %r4, [%r5]; bra join;\n"
                 "odd: mov.u32 %r4, 5;\njoin: bar.sync 0; st.global.u32 [%d3], %r4; ret;\n}\n");
    uint32_t out[128];
    run_and_read(&fixture, "k", 128, out);
    for (uint32_t t = 0; t < 128; t++)
        assert_int_equal(out[t], t / 32 % 2 ? 5 : 77);
    fixture_close(&fixture);
}

static void test_barrier_reduction(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
                 "setp.lt.u32 %p1, %r1, 40;\nbar.red.popc.u32 %r2, 0, %p1;\nbar.red.and.pred %p2, 0, %p1;\n"
                 "bar.red.or.pred %p3, 0, %p1;\nselp.b32 %r3, 1000, 0, %p2; selp.b32 %r4, 2000, 0, %p3;\n"
                 "add.s32 %r2, %r2, %r3; add.s32 %r2, %r2, %r4; st.global.u32 [%d3], %r2; ret;\n}\n");
    uint32_t out[96];
    run_and_read(&fixture, "k", 96, out);
    for (uint32_t t = 0; t < 96; t++)
        assert_int_equal(out[t], 2040);
    fixture_close(&fixture);
}

/* Every thread of a warp takes a lock in turn, spinning: hangs unless the holder can run past the spinning ones. */
static void test_spin_lock_within_a_warp(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER ".global .u32 lock;\n.global .u32 count;\n" ENTRY("k") REGISTERS PROLOGUE
        "mov.u64 %d4, lock; mov.u64 %d5, count;\n"
        "spin: atom.global.cas.b32 %r2, [%d4], 0, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra spin;\n"
        "ld.volatile.global.u32 %r3, [%d5]; add.s32 %r3, %r3, 1; st.volatile.global.u32 [%d5], %r3;\n"
        "membar.gl; atom.global.exch.b32 %r4, [%d4], 0;\nst.global.u32 [%d3], %r3; ret;\n}\n");
    uint32_t out[64], count = 0;
    bool seen[65] = {false};
    run_and_read(&fixture, "k", 64, out);
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
    (void)state;
    struct simt_config config;
    simt_config_default(&config);
    config.sm_count = 2;
    config.instruction_budget = 50000000;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct fixture fixture;
        config.host_threads = threads;
        fixture_configure(
            &fixture,
            PTX_HEADER ".global .u32 flag;\n" ENTRY("k") REGISTERS
            "mov.u32 %r1, %ctaid.x; mov.u64 %d4, flag; setp.eq.u32 %p1, %r1, 3; @%p1 bra set;\n"
            "wait: ld.volatile.global.u32 %r2, [%d4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra wait; bra end;\n"
            "set: mov.u32 %r3, 9; st.volatile.global.u32 [%d4], %r3;\n"
            "end: ld.param.u64 %d1, [out]; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2;\n"
            "st.global.u32 [%d3], %r1; ret;\n}\n",
            &config);
        uint64_t address = fixture_buffer(&fixture, 16);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 4, 32, 0, &address));
        uint32_t out[4];
        simt_read(fixture.device, out, address, sizeof out);
        for (uint32_t b = 0; b < 4; b++)
            assert_int_equal(out[b], b);
        fixture_close(&fixture);
    }
}

#define FACTORIAL                                                                                            \
    ".func (.param .b32 result) factorial(.param .b32 n)\n{\n.reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 "  \
    "%d<4>;\n"                                                                                               \
    ".local .align 8 .b8 depot[16];\nmov.u64 %d1, depot;\n"                                                  \
    "ld.param.u32 %r1, [n]; st.local.u32 [%d1+4], %r1;\nsetp.gt.u32 %p1, %r1, 1; @%p1 bra more;\n"           \
    "mov.u32 %r2, 1; bra done;\nmore: add.s32 %r3, %r1, -1;\n{ .param .b32 a; st.param.b32 [a], %r3; "       \
    ".param .b32 r;\n"                                                                                       \
    "call.uni (r), factorial, (a);\nld.param.b32 %r4, [r]; }\n"                                              \
    "ld.local.u32 %r5, [%d1+4]; mul.lo.s32 %r2, %r4, %r5;\ndone: st.param.b32 [result], %r2; ret;\n}\n"

/* Each thread recurses to its own depth; its local array survives the calls below it. */
static void test_recursion(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER FACTORIAL ENTRY("k") REGISTERS PROLOGUE
        "and.b32 %r2, %r1, 7;\n{ .param .b32 a; st.param.b32 [a], %r2; .param .b32 r;\n"
        "call.uni (r), factorial, (a);\nld.param.b32 %r3, [r]; }\nst.global.u32 [%d3], %r3; ret;\n}\n");
    static const uint32_t expected[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    uint32_t out[40];
    run_and_read(&fixture, "k", 40, out);
    for (uint32_t t = 0; t < 40; t++)
        assert_int_equal(out[t], expected[t & 7]);
    fixture_close(&fixture);
}

static void test_endless_recursion_is_a_fault(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER FACTORIAL ENTRY("k") REGISTERS PROLOGUE
        "{ .param .b32 a; mov.u32 %r2, 100000; st.param.b32 [a], %r2; .param .b32 r;\n"
        "call.uni (r), factorial, (a);\nld.param.b32 %r3, [r]; }\nst.global.u32 [%d3], %r3; ret;\n}\n");
    uint64_t address = fixture_buffer(&fixture, 128);
    assert_int_equal(fixture_run(&fixture, "k", 1, 32, 0, &address), SIMT_STACK_OVERFLOW);
    fixture_message_has(&fixture, "recursion");
    fixture_message_has(&fixture, "cudaLimitStackSize");
    fixture_close(&fixture);
}

#define TWO_FUNCTIONS                                                                                        \
    ".func (.param .b32 result) twice(.param .b32 n)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n]; shl.b32 "  \
    "%r2, %r1, 1;\n"                                                                                         \
    "st.param.b32 [result], %r2; ret;\n}\n"                                                                  \
    ".func (.param .b32 result) squared(.param .b32 n)\n{\n.reg .b64 %d<4>; .reg .b32 %r<4>;\nld.param.u32 " \
    "%r1, [n];\n"                                                                                            \
    "cvt.u64.u32 %d1, %r1; mul.lo.s64 %d2, %d1, %d1; cvt.u32.u64 %r2, %d2; st.param.b32 [result], %r2; "     \
    "ret;\n}\n"

/* Odd threads call one function through a pointer, even ones another; registers of the two never mix. */
static void test_indirect_calls(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER TWO_FUNCTIONS ".global .align 8 .u64 table[2] = {twice, squared};\n" ENTRY("k")
                      REGISTERS PROLOGUE
        "and.b32 %r2, %r1, 1; mul.wide.u32 %d4, %r2, 8; mov.u64 %d5, table; add.s64 %d6, %d5, %d4;\n"
        "ld.global.u64 %d7, [%d6];\n{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 r;\n"
        "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "call (r), %d7, (a), prototype;\nld.param.b32 %r3, [r]; }\nst.global.u32 [%d3], %r3; ret;\n}\n");
    uint32_t out[32];
    run_and_read(&fixture, "k", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], t & 1 ? t * t : 2 * t);
    fixture_close(&fixture);
}

static void test_call_of_no_function_is_a_fault(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER TWO_FUNCTIONS ENTRY("k") REGISTERS PROLOGUE
        "mov.u64 %d7, 4096;\n{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 r;\n"
        "prototype: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
        "call (r), %d7, (a), prototype;\nld.param.b32 %r3, [r]; }\nst.global.u32 [%d3], %r3; ret;\n}\n");
    uint64_t address = fixture_buffer(&fixture, 128);
    assert_int_equal(fixture_run(&fixture, "k", 1, 32, 0, &address), SIMT_INVALID_PC);
    fixture_message_has(&fixture, "0x1000");
    fixture_close(&fixture);
}

static void test_branch_table(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
        "and.b32 %r2, %r1, 3;\ntargets: .branchtargets zero, one, two, one;\nbrx.idx %r2, targets;\n"
        "zero: mov.u32 %r3, 10; bra join;\none: mov.u32 %r3, 20; bra join;\ntwo: mov.u32 %r3, 30; bra join;\n"
        "join: activemask.b32 %r4; popc.b32 %r5, %r4; mad.lo.s32 %r3, %r5, 100, %r3;\n"
        "st.global.u32 [%d3], %r3; ret;\n}\n");
    static const uint32_t expected[] = {10, 20, 30, 20};
    uint32_t out[32];
    run_and_read(&fixture, "k", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 3200 + expected[t & 3]);
    fixture_close(&fixture);
}

/* A shuffle in two places of a divergent warp, each with its own members; and one that both halves reach apart. */
static void test_shuffle_waits_for_its_members(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
                 "setp.lt.u32 %p1, %r1, 16; @%p1 bra low;\nadd.s32 %r2, %r1, 1000; bra both;\n"
                 "low: add.s32 %r2, %r1, 2000; shfl.sync.bfly.b32 %r2, %r2, 1, 31, 0xffff;\n"
                 "both: shfl.sync.bfly.b32 %r3, %r2, 16, 31, -1;\nst.global.u32 [%d3], %r3; ret;\n}\n");
    uint32_t out[32];
    run_and_read(&fixture, "k", 32, out);
    for (uint32_t t = 0; t < 32; t++) {
        uint32_t from = t ^ 16;
        assert_int_equal(out[t], from < 16 ? 2000 + (from ^ 1) : 1000 + from);
    }
    fixture_close(&fixture);
}

/* Two arms each run their own *_sync operation with all lanes as members: they meet, then each runs its own. */
static void test_members_meet_from_two_places(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
        "setp.lt.u32 %p1, %r1, 16; @%p1 bra low;\nshfl.sync.bfly.b32 %r3, %r1, 1, 31, -1; bra both;\n"
        "low: shfl.sync.idx.b32 %r3, %r1, 3, 31, -1;\n"
        "both: activemask.b32 %r4; popc.b32 %r5, %r4; mad.lo.s32 %r3, %r5, 100, %r3;\n"
        "st.global.u32 [%d3], %r3; ret;\n}\n");
    uint32_t out[32];
    run_and_read(&fixture, "k", 32, out);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(out[t], 3200 + (t < 16 ? 3 : t ^ 1));
    fixture_close(&fixture);
}

static void test_divergent_barrier_is_a_fault(void **state) {
    (void)state;
    struct fixture fixture;
    const char *text = PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
        "setp.lt.u32 %p1, %r1, 40; @!%p1 bra skip;\nbar.sync 0;\nskip: st.global.u32 [%d3], %r1; ret;\n}\n";
    fixture_open(&fixture, text);
    uint64_t address = fixture_buffer(&fixture, 512);
    assert_int_equal(fixture_run(&fixture, "k", 1, 64, 0, &address), SIMT_BARRIER_DIVERGENCE);
    fixture_message_has(&fixture, "8 of the warp's 32");
    assert_int_equal(fixture.result.fault.thread[0], 32);
    fixture_close(&fixture);
}

/* Without strict checks hardware's behaviour: threads that return are not waited for. */
static void test_barrier_some_threads_skip(void **state) {
    (void)state;
    struct simt_config config;
    struct fixture fixture;
    simt_config_default(&config);
    config.strict = false;
    const char *text = PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
        "setp.lt.u32 %p1, %r1, 40; @!%p1 bra skip;\nbar.sync 0;\nskip: st.global.u32 [%d3], %r1; ret;\n}\n";
    fixture_configure(&fixture, text, &config);
    uint32_t out[64];
    run_and_read(&fixture, "k", 64, out);
    for (uint32_t t = 0; t < 64; t++)
        assert_int_equal(out[t], t);
    fixture_close(&fixture);
}

/* Half of the warps wait at one barrier, half at another: on hardware a hang. */
static void test_deadlock_is_a_fault(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
        "setp.lt.u32 %p1, %r1, 32; @%p1 bra other;\nbar.sync 1, 64; bra end;\nother: bar.sync 2, 64;\n"
        "end: st.global.u32 [%d3], %r1; ret;\n}\n");
    uint64_t address = fixture_buffer(&fixture, 512);
    assert_int_equal(fixture_run(&fixture, "k", 1, 64, 0, &address), SIMT_BARRIER_DIVERGENCE);
    fixture_message_has(&fixture, "hang");
    fixture_close(&fixture);
}

static void test_endless_kernel_is_stopped(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture,
                 PTX_HEADER ENTRY("k") REGISTERS PROLOGUE "loop: add.s32 %r1, %r1, 1; bra loop;\n}\n");
    uint64_t address = fixture_buffer(&fixture, 512);
    assert_int_equal(fixture_run(&fixture, "k", 3, 64, 0, &address), SIMT_TIMEOUT);
    fixture_message_has(&fixture, "never ends");
    assert_int_equal(fixture.result.fault.block[0], 0);
    fixture_close(&fixture);
}

/* Clocks go forward, also within one run of instructions. */
static void test_clock(void **state) {
    (void)state;
    struct fixture fixture;
    fixture_open(&fixture, PTX_HEADER ENTRY("k") REGISTERS PROLOGUE
                 "mov.u64 %d4, %clock64; add.s32 %r2, %r1, 1; add.s32 %r2, %r2, 1; mov.u64 %d5, %clock64;\n"
                 "sub.s64 %d6, %d5, %d4; cvt.u32.u64 %r3, %d6; st.global.u32 [%d3], %r3; ret;\n}\n");
    uint32_t out[32];
    run_and_read(&fixture, "k", 32, out);
    assert_int_equal(out[0], 3);
    assert_int_equal(out[31], 3);
    fixture_close(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nested_if),
                                       cmocka_unit_test(test_loop_with_different_trips),
                                       cmocka_unit_test(test_early_exit_and_barrier),
                                       cmocka_unit_test(test_barrier_with_count),
                                       cmocka_unit_test(test_barrier_reduction),
                                       cmocka_unit_test(test_spin_lock_within_a_warp),
                                       cmocka_unit_test(test_blocks_wait_for_each_other),
                                       cmocka_unit_test(test_recursion),
                                       cmocka_unit_test(test_endless_recursion_is_a_fault),
                                       cmocka_unit_test(test_indirect_calls),
                                       cmocka_unit_test(test_call_of_no_function_is_a_fault),
                                       cmocka_unit_test(test_branch_table),
                                       cmocka_unit_test(test_shuffle_waits_for_its_members),
                                       cmocka_unit_test(test_members_meet_from_two_places),
                                       cmocka_unit_test(test_divergent_barrier_is_a_fault),
                                       cmocka_unit_test(test_deadlock_is_a_fault),
                                       cmocka_unit_test(test_barrier_some_threads_skip),
                                       cmocka_unit_test(test_endless_kernel_is_stopped),
                                       cmocka_unit_test(test_clock)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
