/* test_mbarrier.c: mbarriers, bulk copies, the elected lane, clusters: what they give, and which
 * mistakes stop the launch. */
#include "device_fixture.h"

enum { MOST = 64 };

// clang-format off
/* 256 bytes go in and out by bulk copies; each of 64 threads adds 1 to a word. */
#define BULK_KERNEL(first, from, wait) BULK_AGAIN(first, from, wait, "")
/* last: behind the store, in place of a wait: it reads the tile on. */
#define BULK_AGAIN(first, from, wait, last)                                                                  \
    ".version 8.6\n"                                                                                         \
    ".target sm_90\n"                                                                                        \
    ".address_size 64\n"                                                                                     \
    ".file 1 \"bulk.cu\"\n"                                                                                  \
    ".visible .entry k(.param .u64 out, .param .u64 in) {\n"                                                 \
    "    .reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"                                              \
    "    .shared .align 16 .b8 tile[256];\n"                                                                 \
    "    .shared .align 8 .b64 bar;\n"                                                                       \
    "    ld.param.u64 %d2, [out];\n"                                                                         \
    "    ld.param.u64 %d1, [in];\n"                                                                          \
    "    mov.u32 %r1, %tid.x;\n"                                                                             \
    "    setp.eq.u32 %p1, %r1, 0;\n"                                                                         \
    "    mov.u32 %r2, tile;\n"                                                                               \
    "    mov.u32 %r3, bar;\n"                                                                                \
    "    mad.lo.u32 %r4, %r1, 4, %r2;\n"                                                                     \
    first                                                                                                    \
    "    .loc 1 10 1\n"                                                                                      \
    "    @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "                            \
    "[%r2], [" from "], 256, [%r3];\n"                                                                       \
    "    @%p1 mbarrier.arrive.expect_tx.shared.b64 %d3, [%r3], 256;\n"                                       \
    "    .loc 1 15 1\n"                                                                                      \
    wait                                                                                                     \
    "    .loc 1 20 1\n"                                                                                      \
    "    ld.shared.u32 %r5, [%r4];\n"                                                                        \
    "    add.u32 %r5, %r5, 1;\n"                                                                             \
    "    st.shared.u32 [%r4], %r5;\n"                                                                        \
    "    fence.proxy.async.shared::cta;\n"                                                                   \
    "    bar.sync 0;\n"                                                                                      \
    "    @%p1 cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r2], 256;\n"                              \
    "    cp.async.bulk.commit_group;\n"                                                                      \
    "    .loc 1 30 1\n"                                                                                      \
    last                                                                                                     \
    "    cp.async.bulk.wait_group.read 0;\n"                                                                 \
    "    ret;\n"                                                                                             \
    "}\n"
#define INIT(count) "@%p1 mbarrier.init.shared.b64 [bar], " count ";\nbar.sync 0;\n"
#define WAIT "again: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;\n@!%p2 bra again;\n"
#define BULK BULK_KERNEL(INIT("1"), "%d1", WAIT)
#define WRITE_ON "bar.sync 0;\nst.shared.u32 [%r4], %r5;\n"
#define WAIT_READ "cp.async.bulk.wait_group.read 0;\n"
// clang-format on

static const struct {
    const char *text, *kernel; /* text NULL: of mbarrier.ptx */
    uint32_t blocks, threads;
    enum simt_status status;
    const char *message;
} mistakes[] = {
    {BULK_KERNEL(INIT("1"), "%d1", ""), "k", 1, 64, SIMT_RACE, "bulk.cu:20"},
    {BULK_KERNEL(INIT("1"), "%d1", ""), "k", 1, 64, SIMT_RACE,
     "whoever uses it has to wait for it first (for the phase of the mbarrier"},
    {BULK_AGAIN(INIT("1"), "%d1", WAIT, WRITE_ON), "k", 1, 64, SIMT_RACE,
     "is written while the bulk store that thread (0,0,0) began at"},
    {BULK_AGAIN(INIT("1"), "%d1", WAIT, "cp.async.wait_group 0;\n" WRITE_ON), "k", 1, 64, SIMT_RACE,
     "cp.async.bulk.wait_group.read"},
    {BULK_AGAIN(INIT("1"), "%d1", WAIT, WAIT_READ "st.shared.u32 [%r4], %r5;\n"), "k", 1, 64, SIMT_RACE,
     "with no __syncthreads() between them"},
    {BULK_KERNEL(INIT("1"), "%d1+4", WAIT), "k", 1, 64, SIMT_MISALIGNED_ADDRESS, "bulk.cu:10"},
    {BULK_KERNEL("", "%d1", WAIT), "k", 1, 64, SIMT_ILLEGAL_INSTRUCTION, "no mbarrier is at this address"},
    {BULK_KERNEL(INIT("2"), "%d1", WAIT), "k", 1, 64, SIMT_TIMEOUT,
     "the mbarrier for which line 15 waits misses 1 arrival and 0 bytes"},
    {BULK_KERNEL(INIT("5"), "%d1", "mbarrier.arrive.shared.b64 %d3, [%r3], 3;\n"), "k", 1, 64,
     SIMT_ILLEGAL_INSTRUCTION, "more threads arrive at this mbarrier"},
    {NULL, "init_races", 1, 64, SIMT_RACE, "race on byte 0 of bar"},
    {NULL, "left_alone", 2, 32, SIMT_ILLEGAL_ADDRESS,
     "the cluster's block 1, which has not begun, or has ended"},
    {NULL, "stays_away", 2, 32, SIMT_TIMEOUT, "32 threads repeat, 32 wait for others"},
    {NULL, "pair", 3, 32, SIMT_INVALID_CONFIGURATION, "a grid of 3 blocks in x, in clusters of 2"},
};

/* Parameters of every kernel: out, in. */
static enum simt_status run(struct fixture *fixture, const char *text, const char *kernel, uint32_t blocks,
                            uint32_t threads, uint32_t out[MOST]) {
    struct simt_config config = fixture_config();
    config.check_races = true;
    config.simulate_caches = true;
    if (text != NULL)
        fixture_configure(fixture, text, &config);
    else
        fixture_configure_file(fixture, "mbarrier", &config);
    uint64_t parameters[2] = {fixture_buffer(fixture, 4 * MOST), fixture_buffer(fixture, 4 * MOST + 16)};
    for (uint32_t i = 0; i < MOST; i++)
        out[i] = 500 + i;
    assert_int_equal(simt_write(fixture->device, parameters[1], out, 4 * MOST), SIMT_OK);
    assert_int_equal(simt_fill(fixture->device, parameters[0], 0, 1, 4 * MOST), SIMT_OK);
    enum simt_status status = fixture_run(fixture, kernel, blocks, threads, 0, parameters);
    if (status == SIMT_OK)
        assert_int_equal(simt_read(fixture->device, out, parameters[0], 4 * MOST), SIMT_OK);
    return status;
}

/* Runs a kernel that is right, and reads its result. */
static void run_right(struct fixture *fixture, const char *text, const char *kernel, uint32_t blocks,
                      uint32_t threads, uint32_t out[MOST]) {
    fixture_ok(fixture, run(fixture, text, kernel, blocks, threads, out));
}

static void phases(void **state) {
    static const uint32_t expected[] = {1, 0, 2, 0, 1, 1, 1, 0, 1, 1};
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, NULL, "phases", 1, 1, out);
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (out[i] != expected[i])
            fail_msg("value %u is %u, not %u", i, out[i], expected[i]);
    fixture_close(&fixture);
}

static void elected_lane(void **state) {
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, NULL, "elected", 1, MOST, out);
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t lane = i % 32, whole = lane == 0 ? 100 : 0, rest = lane == 8 ? 108 : 8;
        assert_int_equal(out[i], whole + (lane < 8 ? 0 : rest));
    }
    fixture_close(&fixture);
}

/* A bulk copy counts in L2 alone, as on an H200: its sectors. */
static void bulk_copies(void **state) {
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, BULK, "k", 1, MOST, out);
    for (uint32_t i = 0; i < MOST; i++)
        assert_int_equal(out[i], 501 + i);
    const struct counters *counters = &fixture.result.counters;
    assert_int_equal(counters->global_load_requests, 0);
    assert_int_equal(counters->global_store_requests, 0);
    assert_int_equal(counters->l1_hit_sectors, 0);
    assert_int_equal(counters->l2_read_sectors, 8);
    assert_int_equal(counters->l2_write_sectors, 8);
    fixture_close(&fixture);
}

static void clusters(void **state) {
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, NULL, "pair", 4, 32, out);
    for (uint32_t block = 0; block < 4; block++)
        assert_int_equal(out[block], (block ^ 1) + 1000 * (block / 2));
    /* Another block's shared memory is loaded as a block's own: a request of a warp, one wavefront. */
    assert_int_equal(fixture.result.counters.shared_load_requests, 4);
    assert_int_equal(fixture.result.counters.shared_load_wavefronts, 4);
    fixture_close(&fixture);
}

static void stopped(void **state) {
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct fixture fixture;
        uint32_t out[MOST];
        enum simt_status status =
            run(&fixture, mistakes[i].text, mistakes[i].kernel, mistakes[i].blocks, mistakes[i].threads, out);
        if (status != mistakes[i].status)
            fail_msg("%s: %s instead of %s: %s", mistakes[i].kernel, simt_status_name(status),
                     simt_status_name(mistakes[i].status), fixture.result.fault.message);
        fixture_message_has(&fixture, mistakes[i].message);
        fixture_close(&fixture);
    }
}

TESTS(UNIT(phases), UNIT(elected_lane), UNIT(bulk_copies), UNIT(clusters), UNIT(stopped))
