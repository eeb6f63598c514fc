/* test_estimates.c: counts for the time model alone: divisions, sleep, spills. */
#include "gpu/simt/tests/device_fixture.h"

#define HEAD                                                                                                                    \
    PTX_HEADER                                                                                                                  \
    ".visible .entry k(.param .u64 p) { .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f64 %f<4>; .reg .f32 %s<4>;\n" \
    ".reg .pred %q; ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, 3; mov.u16 %h1, 3;\n"                              \
    "mov.f64 %f1, 0d4008000000000000; mov.f32 %s1, 0f3f800000; mov.u64 %d2, 3;\n"

static void divisions(void **state) {
    static const struct {
        const char *body;
        uint64_t to_32, to_64, fp64;
    } rows[] = {
        {"div.u32 %r3, %r1, %r2;", 1, 0, 0},     {"rem.s32 %r3, %r1, %r2;", 1, 0, 0},
        {"div.u16 %h2, %h1, %h1;", 1, 0, 0},     {"div.s64 %d3, %d1, %d2;", 0, 1, 0},
        {"rem.u64 %d3, %d1, %d2;", 0, 1, 0},     {"div.rn.f64 %f2, %f1, %f1;", 0, 0, 1},
        {"sqrt.rn.f64 %f2, %f1;", 0, 0, 1},      {"rcp.rn.f64 %f2, %f1;", 0, 0, 1},
        {"rsqrt.approx.f64 %f2, %f1;", 0, 0, 1}, {"add.f64 %f2, %f1, %f1;", 0, 0, 0},
        {"div.rn.f32 %s2, %s1, %s1;", 0, 0, 0},  {"sqrt.rn.f32 %s2, %s1;", 0, 0, 0},
        {"mul.hi.u32 %r3, %r1, %r2;", 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char program[1024];
        ENDED(fixture_close) struct fixture fixture;
        snprintf(program, sizeof program, "%s%s%s", HEAD, rows[i].body, "ret; }\n");
        fixture_open(&fixture, program);
        uint64_t p = fixture_buffer(&fixture, 256);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 2, 64, 0, &p));
        const struct counters *c = &fixture.result.counters;
        if (c->inst_division != 4 * rows[i].to_32 || c->inst_division_64 != 4 * rows[i].to_64 ||
            c->inst_division_fp64 != 4 * rows[i].fp64)
            fail_msg("%s: %llu, %llu, %llu", rows[i].body, (unsigned long long)c->inst_division,
                     (unsigned long long)c->inst_division_64, (unsigned long long)c->inst_division_fp64);
    }
}

/* A warp sleeps as long as its longest sleeper, and no more than a millisecond at a time. */
static void sleeps(void **state) {
    static const struct {
        const char *body;
        uint64_t longest, blocks; /* ns; of four blocks of two warps */
    } rows[] = {
        {"nanosleep.u32 100;", 100, 400},
        {"nanosleep.u32 100; nanosleep.u32 20;", 120, 480},
        {"nanosleep.u32 %r1;", 63, 4 * 63},
        {"nanosleep.u32 2000000;", 1000000, 4000000},
        {"mov.u32 %r3, %ctaid.x; setp.eq.u32 %q, %r3, 2; @%q nanosleep.u32 500;", 500, 500},
        {"add.u32 %r3, %r1, 1;", 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char program[1024];
        ENDED(fixture_close) struct fixture fixture;
        snprintf(program, sizeof program, "%s%s%s", HEAD, rows[i].body, "ret; }\n");
        fixture_open(&fixture, program);
        uint64_t p = fixture_buffer(&fixture, 256);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 4, 64, 0, &p));
        const struct simt_result *result = &fixture.result;
        if (result->longest_sleep_ns != rows[i].longest ||
            result->longest_sleeps_of_all_blocks_ns != rows[i].blocks)
            fail_msg("%s: %llu, %llu", rows[i].body, (unsigned long long)result->longest_sleep_ns,
                     (unsigned long long)result->longest_sleeps_of_all_blocks_ns);
    }
}

/* Waits of warps for others add up along the longest chain, whatever the simulator's order. */
static void chains(void **state) {
#define WORK "add.u32 %r3, %r1, 1; add.u32 %r3, %r1, 2; add.u32 %r3, %r1, 3; add.u32 %r3, %r1, 4;"
#define WAIT "again: mbarrier.try_wait.parity.shared::cta.b64 %q, [m], 0; @!%q bra again;"
#define BULK                                                                                                 \
    "setp.ne.u32 %q, %r1, 0; @%q bra over; mbarrier.arrive.expect_tx.shared::cta.b64 _, [m], 64;"            \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [t], [%d1], 64, [m]; over:" WAIT
    static const struct {
        const char *body;
        uint64_t instructions,
            copies; /* beyond the instructions of one warp; a look at an mbarrier in vain takes two */
    } rows[] = {
        {WORK, 0, 0},
        {WORK "bar.sync 0;" WORK, 0, 0},
        {"bar.sync 1, 64;" WORK, 0, 0},
        {"setp.gt.u32 %q, %r1, 31; @%q bra second;" WORK
         "bar.arrive 1, 64; ret; second: bar.sync 1, 64;" WORK,
         4, 0},
        {"setp.gt.u32 %q, %r1, 31; @%q bra second;" WORK
         "mbarrier.arrive.shared::cta.b64 %d3, [m]; ret; second:" WAIT WORK,
         2, 0},
        {"setp.gt.u32 %q, %r1, 31; @%q bra second;" WORK "barrier.sync 0; ret; second: barrier.sync 0;" WORK,
         4, 0},
        {BULK, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char program[4096];
        ENDED(fixture_close) struct fixture fixture;
        snprintf(program, sizeof program,
                 "%s.shared .align 8 .b64 m; .shared .align 128 .b8 t[64];\n"
                 "mov.u32 %%r4, %d; mbarrier.init.shared::cta.b64 [m], %%r4; bar.sync 0;\n%sret; }\n",
                 HEAD, strstr(rows[i].body, "expect_tx") != NULL ? 1 : 32, rows[i].body);
        fixture_open(&fixture, program);
        uint64_t p = fixture_buffer(&fixture, 256);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 1, 64, 0, &p));
        const struct simt_result *r = &fixture.result;
        uint64_t own = r->longest_warps_of_all_blocks;
        if (r->chains_of_all_blocks + 2 * rows[i].copies < own + rows[i].instructions ||
            r->chains_of_all_blocks > own + rows[i].instructions + 4 ||
            r->copy_chains_of_all_blocks != rows[i].copies)
            fail_msg("%s: %llu, %llu of %llu", rows[i].body, (unsigned long long)r->chains_of_all_blocks,
                     (unsigned long long)r->copy_chains_of_all_blocks, (unsigned long long)own);
    }
#undef WORK
#undef WAIT
#undef BULK
}

/* Twenty values that live through a loop of `rounds` trips. */
#define LOOP(rounds)                                                                                         \
    "mov.u32 %r9, 0; mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 2; add.u32 %r4, %r1, 3;\n"  \
    "again: add.u32 %r1, %r1, %r2; xor.b32 %r2, %r2, %r3; add.u32 %r3, %r3, %r4; xor.b32 %r4, %r4, %r1;\n"   \
    "add.u32 %r9, %r9, 1; setp.lt.u32 %q, %r9, " rounds "; @%q bra again;\n"                                 \
    "st.global.u32 [%d1], %r1; st.global.u32 [%d1+4], %r2; st.global.u32 [%d1+8], %r3; st.global.u32 "       \
    "[%d1+12], %r4;\n"
#define REGISTERS ".reg .b32 %r<20>; .reg .b64 %d<9>; .reg .pred %q;\n"
#define ENTRY ".visible .entry k(.param .u64 p) {" REGISTERS "ld.param.u64 %d1, [p];\n"
#define BODY(rounds)                                                                                         \
    PTX_HEADER ".func body(.param .b64 p) {" REGISTERS "ld.param.u64 %d1, [p];\n" LOOP(rounds) "ret; }\n"
#define CALL "{ .param .b64 a; st.param.b64 [a], %d1; call.uni body, (a); }\n"
#define ONCE "add.u32 %r5, %r5, 1; add.u32 %r6, %r5, 1; add.u32 %r7, %r6, 1; add.u32 %r8, %r7, 1;\n"
#define PADDING ONCE ONCE ONCE ONCE ONCE ONCE ONCE ONCE

static uint64_t spills_of(const char *program) {
    struct fixture fixture;
    fixture_open(&fixture, program);
    uint64_t p = fixture_buffer(&fixture, 256);
    struct simt_kernel *kernel = simt_module_kernel(fixture.module, "k");
    struct simt_resources resources = *simt_kernel_resources(kernel);
    resources.spill_bytes = 400;
    simt_kernel_set_resources(kernel, &resources);
    fixture_ok(&fixture, fixture_run(&fixture, "k", 1, 32, 0, &p));
    assert_int_equal(fixture.result.counters.spill_loads, fixture.result.counters.spill_stores);
    uint64_t spills = fixture.result.counters.spill_loads;
    fixture_close(&fixture);
    return spills;
}

/* A spilling body costs the same as kernel or callee; code that runs once takes nothing off. */
static void spills(void **state) {
    uint64_t direct = spills_of(PTX_HEADER ENTRY LOOP("1000") "ret; }\n");
    assert_in_range(direct, 100 * 300, 100 * 1000);
    assert_in_range(spills_of(BODY("1000") ENTRY CALL "ret; }\n"), direct * 9 / 10, direct * 11 / 10);
    assert_in_range(spills_of(BODY("1000") ENTRY "mov.u32 %r5, 0;\n" PADDING PADDING CALL
                                                 "st.global.u32 [%d1+16], %r8; ret; }\n"),
                    direct * 9 / 10, direct * 11 / 10);
    /* A body that is called often and runs its loop once. */
    uint64_t often =
        spills_of(BODY("1") ENTRY "mov.u32 %r5, 0;\n"
                                  "more: " CALL
                                  "add.u32 %r5, %r5, 1; setp.lt.u32 %q, %r5, 1000; @%q bra more; ret; }\n");
    assert_in_range(often, 100 * 800, 100 * 1000);
}

TESTS(UNIT(divisions), UNIT(sleeps), UNIT(chains), UNIT(spills))
