/* test_trips.c: trips of warps round loops, against a count of every thread's trips. */
#include "base/loop_trips.h"
#include "gpu/simt/tests/device_fixture.h"

enum { WARPS = 12, THREADS = WARPS * 32 };

#define HEAD                                                                                                                   \
    PTX_HEADER                                                                                                                 \
    ".visible .entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %q; ld.param.u64 %d1, [p];\n"             \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r2, %r3, %r1; mul.wide.u32 %d2, %r1, " \
    "4;\nadd.u64 %d1, %d1, %d2; ld.global.u32 %r4, [%d1]; mov.u32 %r5, 0;\n"

/* Left by the backward branch, by a branch out, by the threads' end; nested in another loop. */
static const char at_the_end[] = HEAD "L: add.u32 %r5, %r5, 1; setp.lt.u32 %q, %r5, %r4; @%q bra L; ret; }\n";
static const char in_the_middle[] =
    HEAD "L: add.u32 %r5, %r5, 1; setp.ge.u32 %q, %r5, %r4; @%q bra E; bra.uni L; E: ret; }\n";
static const char by_exit[] =
    HEAD "L: add.u32 %r5, %r5, 1; setp.ge.u32 %q, %r5, %r4; @%q exit; bra.uni L; }\n";
static const char inside[] =
    HEAD "mov.u32 %r6, 0; O: mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.lt.u32 %q, %r5, %r4; @%q bra L;\n"
         "add.u32 %r6, %r6, 1; setp.lt.u32 %q, %r6, 3; @%q bra O; ret; }\n";

/* One entry of a loop by a warp whose threads make these trips. */
static void count_warp(const uint32_t trips[32], struct loop_trips *sums) {
    uint32_t most = 0;
    for (int lane = 0; lane < 32; lane++)
        most = trips[lane] > most ? trips[lane] : most;
    sums->entries++;
    for (uint32_t j = 0; j < LOOP_POWERS; j++) {
        uint32_t k = 1u << j, rest = 0, leave = 0, leave_rest = 0;
        bool digit = false;
        for (int lane = 0; lane < 32; lane++) {
            uint32_t whole = trips[lane] / k, own = trips[lane] % k;
            bool new_whole = whole > 0, new_rest = own > 0;
            for (int other = 0; other < lane; other++) {
                new_whole &= trips[other] / k != whole;
                new_rest &= trips[other] % k != own;
            }
            leave += new_whole;
            leave_rest += new_rest;
            rest = own > rest ? own : rest;
            digit |= whole % 2 == 1;
        }
        sums->whole[j] += most / k;
        sums->some[j] += most >= k;
        sums->leave[j] += leave;
        sums->rest[j] += rest;
        sums->some_rest[j] += rest > 0;
        sums->leave_rest[j] += leave_rest;
        sums->digit[j] += digit;
    }
}

static const struct loop_trips *first_loop(const struct simt_result *result) {
    for (uint32_t i = 0; i < result->execution_count; i++)
        if (result->executions[i].trips != NULL)
            return result->executions[i].trips;
    fail_msg("no loop");
    return NULL;
}

static void expect(const char *program, const uint32_t trips[THREADS], uint32_t times) {
    ENDED(fixture_close) struct fixture fixture;
    struct loop_trips sums = {0};
    fixture_open(&fixture, program);
    uint64_t p = fixture_buffer(&fixture, THREADS * sizeof *trips);
    assert_int_equal(simt_write(fixture.device, p, trips, THREADS * sizeof *trips), SIMT_OK);
    fixture_ok(&fixture, fixture_run(&fixture, "k", WARPS / 2, 64, 0, &p));
    for (uint32_t w = 0; w < WARPS * times; w++)
        count_warp(trips + w % WARPS * 32, &sums);
    assert_memory_equal(first_loop(&fixture.result), &sums, sizeof sums);
}

static void expect_all(const uint32_t trips[THREADS]) {
    expect(at_the_end, trips, 1);
    expect(in_the_middle, trips, 1);
    expect(inside, trips, 3);
}

static void threads_together(void **state) {
    uint32_t trips[THREADS];
    for (uint32_t i = 0; i < THREADS; i++)
        trips[i] = 1 + i / 32 * 7; /* 1 to 78 */
    expect_all(trips);
    for (uint32_t i = 0; i < THREADS; i++)
        trips[i]++; /* a thread that ends in the first trip has not entered the loop */
    expect(by_exit, trips, 1);
}

static void threads_apart(void **state) {
    uint32_t trips[THREADS], seed = 1;
    for (uint32_t round = 0; round < 20; round++) {
        for (uint32_t i = 0; i < THREADS; i++) {
            seed = seed * 1664525 + 1013904223;
            trips[i] = 1 + (seed >> 16) % (round % 2 ? 5 : 300);
        }
        expect_all(trips);
    }
}

TESTS(UNIT(threads_together), UNIT(threads_apart))
