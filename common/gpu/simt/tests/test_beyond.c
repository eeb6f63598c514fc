/* test_beyond.c: L2's counts for each instruction: loaded sectors that come from DRAM, and partly
 * stored sectors of which L2 holds a part. */
#include "gpu/simt/memory/cache.h"
#include "gpu/simt/tests/device_fixture.h"

/* Sectors that wait when the SM reads one, so many turns later. */
static uint64_t waiting(struct l2_cache *l2, uint32_t sm, int turns) {
    struct l2_counts counts = {0};
    while (turns-- > 0)
        simt_l2_turn(l2);
    simt_l2_replay(l2, 5 << 8 | (uint64_t)CACHE_READ << 4 | 1, sm, &counts);
    return counts.read_waiting_sectors;
}

/* Of the hits those of other SMs wait for DRAM, soon after the fetch. */
static void others_wait_for_a_fetch(void **state) {
    struct l2_cache *l2 = simt_l2_create(1 << 20);
    simt_l2_launch(l2);
    assert_int_equal(waiting(l2, 0, 0), 0); /* it fetches */
    assert_int_equal(waiting(l2, 0, 0), 0); /* and has waited */
    assert_int_equal(waiting(l2, 1, 0), 1);
    assert_int_equal(waiting(l2, 1, 1), 1);
    /* the number of a turn comes back some day */
    for (int later = 0; later < 3000; later++)
        assert_int_equal(waiting(l2, 1, later == 0 ? 2 : 1), 0);
    simt_l2_destroy(l2);
}

/* A prefetch is waited for by the next one to load, be it the same SM. */
static void all_wait_for_a_prefetch(void **state) {
    struct l2_counts counts = {0};
    struct l2_cache *l2 = simt_l2_create(1 << 20);
    simt_l2_launch(l2);
    simt_l2_replay(l2, 5 << 8 | (uint64_t)CACHE_PREFETCH << 4 | 1, 0, &counts);
    assert_int_equal(counts.dram_read_bytes, 64);
    assert_int_equal(waiting(l2, 0, 0), 1);
    assert_int_equal(waiting(l2, 0, 8), 1);
    assert_int_equal(waiting(l2, 0, 1), 0);
    simt_l2_destroy(l2);
}

/* Each warp loads a line of its own from `fresh`, then one line of `old`, which a block fetched
 * before. */
static const char text[] = PTX_HEADER
    ".visible .entry loads(.param .u64 fresh, .param .u64 old) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "ld.param.u64 %d1, [fresh]; ld.param.u64 %d2, [old]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"
    "mad.lo.u32 %r3, %r2, 32, %r1; mul.wide.u32 %d3, %r3, 4; add.u64 %d4, %d1, %d3;\n"
    "ld.global.cg.u32 %r4, [%d4];\n"
    "mul.wide.u32 %d5, %r1, 4; add.u64 %d6, %d2, %d5;\n"
    "ld.global.cg.u32 %r5, [%d6];\n"
    "ret; }\n"
    /* Each thread stores its twelve bytes, four at a time: three stores of one kind to each
     * sector. */
    ".visible .entry stores(.param .u64 to, .param .u64 unused) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "ld.param.u64 %d1, [to]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d2, %r1, 12; add.u64 %d3, %d1, %d2;\n"
    "st.global.u32 [%d3], %r1; st.global.u32 [%d3+4], %r1; st.global.u32 [%d3+8], %r1;\n"
    "ret; }\n"
    /* Stores a line whole and 32 sectors by a word each, then loads both. */
    ".visible .entry stored(.param .u64 to, .param .u64 part) {\n"
    ".reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "ld.param.u64 %d1, [to]; ld.param.u64 %d2, [part]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4;\n"
    "mul.wide.u32 %d4, %r1, 32; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d4;\n"
    "st.global.u32 [%d1], %r1; st.global.u32 [%d2], %r1;\n"
    "ld.global.u32 %r2, [%d1]; ld.global.u32 %r3, [%d2];\n"
    "ret; }\n"
    /* Each warp loads 512 lines of its own, then loads them again; `wait`: with a barrier between. */
    ".visible .entry twice(.param .u64 from, .param .u64 wait) {\n"
    ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "ld.param.u64 %d1, [from]; ld.param.u64 %d2, [wait]; setp.ne.u64 %p1, %d2, 0; mov.u32 %r1, %tid.x;\n"
    "shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31; mul.wide.u32 %d3, %r2, 65536; mul.wide.u32 %d4, %r3, 4;\n"
    "add.u64 %d5, %d1, %d3; add.u64 %d5, %d5, %d4; mov.u64 %d6, %d5; mov.u32 %r4, 0;\n"
    "$first: ld.global.u32 %r5, [%d5]; add.u64 %d5, %d5, 128; add.u32 %r4, %r4, 1;\n"
    "setp.lt.u32 %p2, %r4, 512; @%p2 bra $first;\n"
    "@%p1 bar.sync 0; mov.u32 %r4, 0;\n"
    "$again: ld.global.u32 %r6, [%d6]; add.u64 %d6, %d6, 128; add.u32 %r4, %r4, 1;\n"
    "setp.lt.u32 %p2, %r4, 512; @%p2 bra $again;\n"
    "ret; }\n"
    /* Prefetches: of a line by each thread, then of 1,024 bytes at once, which end where their memory
     * does, and of what is nobody's. Then a load of a line. */
    ".visible .entry ahead(.param .u64 lines, .param .u64 range) {\n"
    ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"
    "ld.param.u64 %d1, [lines]; ld.param.u64 %d2, [range]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %d3, %r1, 128; add.u64 %d3, %d1, %d3; mul.wide.u32 %d4, %r1, 4; add.u64 %d4, %d1, %d4;\n"
    "prefetch.global.L2 [%d3];\n"
    "mov.u32 %r2, 1024; setp.eq.u32 %p1, %r1, 0; @%p1 cp.async.bulk.prefetch.L2.global [%d2], %r2;\n"
    "mov.u64 %d5, 64; prefetch.global.L1 [%d5]; ld.global.u32 %r3, [%d4];\n"
    "ret; }\n";

struct found {
    uint64_t requests, sectors, missed, beyond, joined;
};

/* Counts of the accesses to global memory, in program order. */
static void launch_of(struct fixture *fixture, const char *kernel, uint32_t blocks, uint32_t threads,
                      uint64_t a, uint64_t b, struct found found[4]) {
    const uint64_t parameters[] = {a, b};
    uint32_t count = 0;
    fixture_ok(fixture, fixture_run(fixture, kernel, blocks, threads, 0, parameters));
    for (uint32_t i = 0; i < fixture->result.execution_count; i++) {
        const struct simt_execution *e = &fixture->result.executions[i];
        if (e->requests == 0 || e->instruction->space != PTX_GLOBAL)
            continue;
        assert_true(e->beyond_known && count < 4);
        found[count++] = (struct found){e->requests, e->transactions, e->missed, e->beyond, e->joined};
    }
}

static void launch(struct fixture *fixture, const char *kernel, uint32_t blocks, uint64_t a, uint64_t b,
                   struct found found[4]) {
    launch_of(fixture, kernel, blocks, 32, a, b, found);
}

static void loads_come_from_where_they_lie(void **state) {
    enum { BLOCKS = 64 };
    ENDED(fixture_close) struct fixture fixture;
    struct found found[4] = {{0}};
    fixture_open(&fixture, text);
    uint64_t fresh = fixture_buffer(&fixture, BLOCKS * 128), old = fixture_buffer(&fixture, 128);
    launch(&fixture, "loads", 1, old, old, found); /* L2 keeps one launch's data for the next */
    launch(&fixture, "loads", BLOCKS, fresh, old, found);
    assert_int_equal(found[0].requests, BLOCKS);
    assert_int_equal(found[0].missed, 4 * BLOCKS);
    assert_int_equal(found[0].beyond, 4 * BLOCKS);
    assert_int_equal(found[1].missed, 4 * BLOCKS);
    assert_int_equal(found[1].beyond, 0);
}

static void parts_of_sectors_come_together(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct found found[4] = {{0}};
    fixture_open(&fixture, text);
    launch(&fixture, "stores", 1, fixture_buffer(&fixture, 1 << 12), 0, found);
    assert_int_equal(found[0].sectors, 12);
    assert_int_equal(found[0].beyond, 0);
    assert_int_equal(found[1].beyond, 12);
    assert_int_equal(found[2].beyond, 12);
    assert_int_equal(found[0].joined, 0);
    assert_int_equal(found[1].joined, 1);
    assert_int_equal(found[2].joined, 1);
}

/* A store allocates its lines in L1. What it wrote whole can be loaded there, but not what it wrote in part. */
static void stores_allocate(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct found found[4] = {{0}};
    fixture_open(&fixture, text);
    uint64_t to = fixture_buffer(&fixture, 128), part = fixture_buffer(&fixture, 1024);
    launch(&fixture, "stored", 1, to, part, found);
    assert_int_equal(found[2].missed, 0);
    assert_int_equal(found[3].missed, 32);
}

/* Two warps that each touch a quarter of L1's lines: of those, about a twentieth are lost when they go on at once, and
 * two fifths after a barrier (time/calibration/README.md). */
static void lines_are_lost_while_others_run(void **state) {
    enum { SECTORS = 2 * 512 * 4 };
    ENDED(fixture_close) struct fixture fixture;
    struct found found[4] = {{0}};
    fixture_open(&fixture, text);
    uint64_t from = fixture_buffer(&fixture, 2 << 16);
    launch_of(&fixture, "twice", 1, 64, from, 0, found);
    assert_int_equal(found[0].missed, SECTORS);
    assert_true(found[1].missed < SECTORS / 10);
    launch_of(&fixture, "twice", 1, 64, from, 1, found);
    assert_int_equal(found[0].missed, SECTORS);
    assert_true(found[1].missed > SECTORS / 3 && found[1].missed < SECTORS / 2);
}

/* Prefetches ask L2 and DRAM, and are no loads; L1 holds nothing of them. */
static void prefetches_are_traffic(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    struct found found[4] = {{0}};
    fixture_open(&fixture, text);
    uint64_t lines = fixture_buffer(&fixture, 32 * 128), range = fixture_buffer(&fixture, 512);
    launch(&fixture, "ahead", 1, lines, range, found);
    const struct counters *counters = &fixture.result.counters;
    assert_int_equal(found[0].sectors, 128);
    assert_int_equal(found[0].beyond, 128);
    assert_int_equal(found[1].requests, 1);
    assert_int_equal(found[1].sectors, 16);
    assert_int_equal(found[2].missed, 4);
    assert_int_equal(counters->l2_read_sectors, 128 + 16 + 4);
    assert_int_equal(counters->l1_hit_sectors, 0);
    assert_int_equal(counters->global_load_requests, 1);
    assert_int_equal(counters->dram_read_bytes, 32 * 128 + 512);
}

TESTS(UNIT(others_wait_for_a_fetch), UNIT(all_wait_for_a_prefetch), UNIT(prefetches_are_traffic),
      UNIT(loads_come_from_where_they_lie), UNIT(parts_of_sectors_come_together), UNIT(stores_allocate),
      UNIT(lines_are_lost_while_others_run))
