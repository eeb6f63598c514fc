/* test_mbarrier.c: mbarriers, bulk copies, the elected lane, clusters: what they give, and which
 * mistakes stop the launch (mbarrier.ptx). */
#include "device_fixture.h"

enum { MOST = 64 };

static const struct {
    const char *kernel;
    uint32_t blocks, threads;
    enum simt_status status;
    const char *message;
} mistakes[] = {
    {"bulk_not_awaited", 1, 64, SIMT_RACE, "mbarrier.cu:20"},
    {"bulk_not_awaited", 1, 64, SIMT_RACE, "whoever uses it has to wait for it first (for the phase of the"},
    {"bulk_odd", 1, 64, SIMT_MISALIGNED_ADDRESS, "mbarrier.cu:10"},
    {"no_init", 1, 64, SIMT_ILLEGAL_INSTRUCTION, "no mbarrier is at this address"},
    {"forever", 1, 64, SIMT_TIMEOUT, "the mbarrier for which line 15 waits misses 1 arrival and 0 bytes"},
    {"init_races", 1, 64, SIMT_RACE, "race on byte 0 of bar"},
    {"too_many", 1, 64, SIMT_ILLEGAL_INSTRUCTION, "more threads arrive at this mbarrier"},
    {"left_alone", 2, 32, SIMT_ILLEGAL_ADDRESS, "the cluster's block 1, which has not begun, or has ended"},
    {"stays_away", 2, 32, SIMT_TIMEOUT, "32 threads repeat, 32 wait for others"},
    {"pair", 3, 32, SIMT_INVALID_CONFIGURATION, "a grid of 3 blocks in x, in clusters of 2"},
};

/* Parameters of every kernel: out, in. */
static enum simt_status run(struct fixture *fixture, const char *kernel, uint32_t blocks, uint32_t threads,
                            uint32_t out[MOST]) {
    struct simt_config config = fixture_config();
    config.check_races = true;
    config.simulate_caches = true;
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
static void run_right(struct fixture *fixture, const char *kernel, uint32_t blocks, uint32_t threads,
                      uint32_t out[MOST]) {
    fixture_ok(fixture, run(fixture, kernel, blocks, threads, out));
}

static void phases(void **state) {
    static const uint32_t expected[] = {1, 0, 2, 0, 1, 1, 1, 0, 1, 1};
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, "phases", 1, 1, out);
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (out[i] != expected[i])
            fail_msg("value %u is %u, not %u", i, out[i], expected[i]);
    fixture_close(&fixture);
}

static void elected_lane(void **state) {
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, "elected", 1, MOST, out);
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t lane = i % 32, whole = lane == 0 ? 100 : 0, rest = lane == 8 ? 108 : 8;
        assert_int_equal(out[i], whole + (lane < 8 ? 0 : rest));
    }
    fixture_close(&fixture);
}

/* A bulk copy is one request with the sectors that it touches. */
static void bulk_copies(void **state) {
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, "bulk", 1, MOST, out);
    for (uint32_t i = 0; i < MOST; i++)
        assert_int_equal(out[i], 501 + i);
    const struct counters *counters = &fixture.result.counters;
    assert_int_equal(counters->global_load_requests, 1);
    assert_int_equal(counters->global_load_sectors, 8);
    assert_int_equal(counters->global_load_bytes, 256);
    assert_int_equal(counters->global_store_requests, 1);
    assert_int_equal(counters->global_store_sectors, 8);
    assert_int_equal(counters->l1_hit_sectors, 0);
    fixture_close(&fixture);
}

static void clusters(void **state) {
    struct fixture fixture;
    uint32_t out[MOST];
    run_right(&fixture, "pair", 4, 32, out);
    for (uint32_t block = 0; block < 4; block++)
        assert_int_equal(out[block], (block ^ 1) + 1000 * (block / 2));
    fixture_close(&fixture);
}

static void stopped(void **state) {
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct fixture fixture;
        uint32_t out[MOST];
        enum simt_status status =
            run(&fixture, mistakes[i].kernel, mistakes[i].blocks, mistakes[i].threads, out);
        if (status != mistakes[i].status)
            fail_msg("%s: %s instead of %s: %s", mistakes[i].kernel, simt_status_name(status),
                     simt_status_name(mistakes[i].status), fixture.result.fault.message);
        fixture_message_has(&fixture, mistakes[i].message);
        fixture_close(&fixture);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases),   cmocka_unit_test(elected_lane), cmocka_unit_test(bulk_copies),
        cmocka_unit_test(clusters), cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
