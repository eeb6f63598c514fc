/* test_async_copies.c: asynchronous copies into shared memory: their data, and the fault if nobody
 * waits for them. */
#include "device_fixture.h"

// clang-format off
/* Thread i copies in[i] (at `from`) to tile[i], then reads tile[i ^ 1], or its own. */
#define COPY_KERNEL_FROM(from, between, partner)                                                             \
    ".version 7.0\n"                                                                                         \
    ".target sm_80\n"                                                                                        \
    ".address_size 64\n"                                                                                     \
    ".file 1 \"tile.cu\"\n"                                                                                  \
    ".visible .entry k(.param .u64 in, .param .u64 out) {\n"                                                 \
    "    .reg .b32 %r<9>;\n"                                                                                 \
    "    .reg .b64 %d<9>;\n"                                                                                 \
    "    .shared .align 16 .b8 tile[512];\n"                                                                 \
    "    ld.param.u64 %d1, [in];\n"                                                                          \
    "    ld.param.u64 %d2, [out];\n"                                                                         \
    "    mov.u32 %r1, %tid.x;\n"                                                                             \
    "    mul.wide.u32 %d3, %r1, 4;\n"                                                                        \
    "    add.s64 %d4, %d1, %d3;\n"                                                                           \
    "    add.s64 %d5, %d2, %d3;\n"                                                                           \
    "    sub.s64 %d6, %d4, 0x180000000;\n"                                                                   \
    "    shl.b32 %r3, %r1, 2;\n"                                                                             \
    "    mov.u32 %r2, tile;\n"                                                                               \
    "    add.s32 %r4, %r2, %r3;\n"                                                                           \
    "    .loc 1 10 1\n"                                                                                      \
    "    cp.async.ca.shared.global [%r4], [" from "], 4;\n"                                                  \
    between                                                                                                  \
    "    xor.b32 %r5, %r3, " partner ";\n"                                                                   \
    "    add.s32 %r6, %r2, %r5;\n"                                                                           \
    "    .loc 1 20 1\n"                                                                                      \
    "    ld.shared.u32 %r7, [%r6];\n"                                                                        \
    "    st.global.u32 [%d5], %r7;\n"                                                                        \
    "    ret;\n"                                                                                             \
    "}\n"
// clang-format on
#define COPY_KERNEL(between, partner) COPY_KERNEL_FROM("%d4", between, partner)

static void check(const char *text, enum simt_status status, uint32_t partner, const char *message) {
    enum { THREADS = 64 };
    struct simt_config config;
    ENDED(fixture_close) struct fixture fixture;
    uint32_t in[THREADS], out[THREADS];
    simt_config_default(&config);
    config.check_races = true;
    fixture_configure(&fixture, text, &config);
    uint64_t parameters[2] = {fixture_buffer(&fixture, sizeof in), fixture_buffer(&fixture, sizeof out)};
    for (uint32_t i = 0; i < THREADS; i++)
        in[i] = 1000 + 7 * i;
    assert_int_equal(simt_write(fixture.device, parameters[0], in, sizeof in), SIMT_OK);
    enum simt_status got = fixture_run(&fixture, "k", 3, THREADS, 0, parameters);
    if (got != status)
        fail_msg("%s instead of %s: %s", simt_status_name(got), simt_status_name(status),
                 fixture.result.fault.message);
    if (message != NULL)
        fixture_message_has(&fixture, message);
    if (status == SIMT_OK) {
        assert_int_equal(simt_read(fixture.device, out, parameters[1], sizeof out), SIMT_OK);
        for (uint32_t i = 0; i < THREADS; i++)
            assert_int_equal(out[i], 1000 + 7 * (i ^ partner));
    }
}

#define COMMIT "cp.async.commit_group;\n"
#define BARRIER "bar.sync 0;\n"
#define OWN "0"
#define OTHER "128" /* 32 threads away: another warp */

static void test_waited_for(void **state) {
    check(COPY_KERNEL(COMMIT "cp.async.wait_group 0;\n", OWN), SIMT_OK, 0, NULL);
    check(COPY_KERNEL("cp.async.wait_all;\n", OWN), SIMT_OK, 0, NULL);
    check(COPY_KERNEL(COMMIT COMMIT "cp.async.wait_group 1;\n", OWN), SIMT_OK, 0, NULL);
    check(COPY_KERNEL(COMMIT "cp.async.wait_group 0;\n" BARRIER, OTHER), SIMT_OK, 32, NULL);
    check(COPY_KERNEL("cp.async.wait_all;\n" BARRIER, OTHER), SIMT_OK, 32, NULL);
}

/* The constant part of an address is 64 bits wide. */
static void test_far_offset(void **state) {
    check(COPY_KERNEL_FROM("%d6 + 0x180000000", "cp.async.wait_all;\n", OWN), SIMT_OK, 0, NULL);
}

static void test_not_waited_for(void **state) {
    check(COPY_KERNEL("", OWN), SIMT_RACE, 0, "tile.cu:10");
    check(COPY_KERNEL(COMMIT, OWN), SIMT_RACE, 0, "this thread has to wait");
    check(COPY_KERNEL(COMMIT BARRIER, OTHER), SIMT_RACE, 0, "that thread has to wait");
    check(COPY_KERNEL(COMMIT BARRIER, OTHER), SIMT_RACE, 0, "tile.cu:20");
}

/* The wait is for too few groups, or the copy is in no group yet. */
static void test_waited_for_too_little(void **state) {
    check(COPY_KERNEL(COMMIT "cp.async.wait_group 1;\n", OWN), SIMT_RACE, 0, "may still be under way");
    check(COPY_KERNEL("cp.async.wait_group 0;\n", OWN), SIMT_RACE, 0, "may still be under way");
}

/* A wait orders the copy for its own thread alone: other threads need a barrier behind it. */
static void test_barrier_before_the_wait(void **state) {
    check(COPY_KERNEL(COMMIT BARRIER "cp.async.wait_group 0;\n", OTHER), SIMT_RACE, 0, "__syncthreads()");
    check(COPY_KERNEL(COMMIT "cp.async.wait_group 0;\n", OTHER), SIMT_RACE, 0, "__syncthreads()");
}

/* A store during the copy. */
static void test_overwritten(void **state) {
    check(COPY_KERNEL(COMMIT "st.shared.u32 [%r4], %r1;\ncp.async.wait_all;\n", OWN), SIMT_RACE, 0,
          "is written");
}

TESTS(UNIT(test_waited_for), UNIT(test_far_offset), UNIT(test_not_waited_for),
      UNIT(test_waited_for_too_little), UNIT(test_barrier_before_the_wait), UNIT(test_overwritten))
