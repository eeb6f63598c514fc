/* test_queues.c: queues of lanes and warps at a word; each SM's share of a launch. */
#include "gpu/simt/tests/device_fixture.h"

#include "gpu/simt/access/access.h"
#include "gpu/simt/memory/cache.h"

/* Thread t goes to the word of its lane & mask; words are `apart` words from each other. */
#define PLACE                                                                                                \
    "mov.u32 %r1, %tid.x; ld.param.u32 %r2, [mask]; ld.param.u32 %r3, [apart]; and.b32 %r4, %r1, 31;\n"      \
    "and.b32 %r4, %r4, %r2; mul.lo.u32 %r4, %r4, %r3; shl.b32 %r4, %r4, 2;\n"
#define HEAD(name)                                                                                           \
    ".visible .entry " name "(.param .u64 p, .param .u32 mask, .param .u32 apart) {\n"                       \
    ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<3>; .reg .pred %p<3>; ld.param.u64 %d1, [p];\n" PLACE    \
    "cvt.u64.u32 %d2, %r4; add.u64 %d3, %d1, %d2; mov.f32 %f1, 0f3f800000;\n"

static const char text[] = PTX_HEADER
    ".shared .align 8 .b8 words[8192];\n" HEAD("integers") "red.global.add.u32 [%d3], %r1; ret; }\n" HEAD("results") "atom.global.add.u32 %r5, [%d3], %r1; st.global.u32 [%d1+8192], %r5; ret; }\n" HEAD("exchanges") "atom.global.exch.b32 %r5, [%d1], %r1; st.global.u32 [%d1+8192], %r5; ret; }\n" HEAD(
        "floats") "red.global.add.f32 [%d3], %f1; ret; }\n" HEAD("agree") "red.global.max.u32 [%d1], %r1; ret; }\n" HEAD("agree_block") "mov.u32 %r5, %ctaid.x; mul.wide.u32 %d4, %r5, 128; add.u64 %d4, %d1, "
                                                                                                                                        "%d4; red.global.max.u32 [%d4], %r1; ret; }\n" HEAD("agree_floats") "red.global.add.f32 [%d1], %f1; ret; }\n" HEAD(
                                                                                                                                            "agree_long") "red.global.add.u64 [%d1], %d2; ret; }\n" HEAD("agree_one") "red.global.add.u64 [%d1], 1; ret; }\n"
    /* Each thread has its address, though all are equal in the end. */
    HEAD(
        "differ") "and.b32 %r5, %r1, 0; cvt.u64.u32 %d4, %r5; add.u64 %d4, %d1, %d4;\n"
                  "red.global.max.u32 [%d4], %r1; ret; }\n" HEAD(
                      "shared_integers") "mov.u32 %r5, words; add.u32 %r5, %r5, %r4; red.shared.add.u32 [%r5], %r1; ret; }\n" HEAD("shared_floats") "mov.u32 %r5, words; add.u32 %r5, %r5, %r4; red.shared.add.f32 [%r5], %f1; ret; }\n" HEAD("shared_agree") "red.shared.add.u32 [words], %r1; ret; }\n" HEAD("shared_ones") "mov.u32 %r5, words; add.u32 %r5, %r5, %r4; red.shared.add.u32 [%r5], 1; ret; }\n" HEAD("shared_steps") "mov.u32 %r5, words; add.u32 %r5, %r5, %r4; atom.shared.inc.u32 %r6, [%r5], -1; ret; }\n" HEAD("shared_ranks") "mov.u32 %r5, words; add.u32 %r5, %r5, %r4; atom.shared.add.u32 %r6, [%r5], 1; st.global.u32 [%d1], %r6; ret; }\n" HEAD("shared_twos") "mov.u32 %r5, words; add.u32 %r5, %r5, %r4; red.shared.add.u32 [%r5], 2; ret; }\n" HEAD("shared_long") "mov.u32 %r5, words; add.u32 %r5, %r5, %r4; red.shared.add.u64 [%r5], %d2; ret; }\n"
    /* Each thread adds 1 by compare and swap. */
    HEAD("swaps") "ld.volatile.global.u32 %r5, [%d3];\n"
                  "again: add.u32 %r6, %r5, 1; atom.global.cas.b32 %r7, [%d3], %r5, %r6;\n"
                  "setp.ne.u32 %p1, %r7, %r5; mov.u32 %r5, %r7; @%p1 bra again; ret; }\n"
    /* Only block 5 makes `mask` trips; the others exit at once. */
    HEAD("one_block") "mov.u32 %r5, %ctaid.x; setp.ne.u32 %p1, %r5, 5; @%p1 ret; mov.u32 %r6, 0;\n"
                      "again: ld.global.u32 %r7, [%d1]; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r2;\n"
                      "@%p1 bra again; st.global.u32 [%d1], %r7; ret; }\n";

struct parameters {
    uint64_t p;
    uint32_t mask, apart;
};

static const struct counters *launch(struct fixture *fixture, const char *kernel, uint32_t mask,
                                     uint32_t apart, uint32_t blocks) {
    uint64_t p = fixture_buffer(fixture, 1 << 20);
    const struct parameters parameters = {p, mask, apart};
    fixture_ok(fixture,
               fixture_run(fixture, kernel, blocks, 32, 0, (const uint64_t *)(const void *)&parameters));
    return &fixture->result.counters;
}

static void passes(void **state) {
    static const struct {
        const char *kernel;
        uint32_t mask, apart;
        uint64_t passes, queue;
    } rows[] = {
        {"integers", 0, 0, 32, 32},     /* one word */
        {"integers", 31, 1, 4, 4},      /* a line: four sectors at once, each in one pass */
        {"integers", 7, 1, 4, 4},       /* a sector: four lanes at each word */
        {"integers", 31, 32, 32, 1},    /* a line each */
        {"results", 0, 0, 32, 32},      /* results do not matter */
        {"exchanges", 0, 0, 32, 32},    /* exchanges cannot be combined */
        {"floats", 0, 0, 32, 80},       /* floats hold their word longer */
        {"floats", 31, 1, 4, 4},        /* but not other words */
        {"floats", 7, 1, 4, 10},        /**/
        {"agree", 0, 0, 1, 1},          /* one lane goes for all */
        {"agree_floats", 0, 0, 32, 80}, /**/
        {"agree_long", 0, 0, 32, 32},   /**/
        {"agree_one", 0, 0, 1, 1},      /* 64 bits: only if all add the same constant */
        {"differ", 0, 0, 32, 32},       /* the text does not show it */
    };
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t blocks = 1; blocks <= 3; blocks += 2) {
            const struct counters *c = launch(&fixture, rows[i].kernel, rows[i].mask, rows[i].apart, blocks);
            if (c->atomics != blocks || c->atomic_passes != blocks * rows[i].passes ||
                c->atomic_queue != blocks * rows[i].queue)
                fail_msg("%s, mask %u: %llu passes, %llu in the longest queue", rows[i].kernel, rows[i].mask,
                         (unsigned long long)c->atomic_passes, (unsigned long long)c->atomic_queue);
        }
    /* Blocks with words of their own do not meet. */
    assert_int_equal(launch(&fixture, "agree_block", 0, 0, 64)->atomic_queue, 1);
}

static void banks(void **state) {
    static const struct {
        const char *kernel;
        uint32_t mask, apart;
        uint64_t wavefronts;
    } rows[] = {
        {"shared_integers", 0, 0, 32},   {"shared_integers", 31, 1, 1}, {"shared_integers", 31, 8, 8},
        {"shared_integers", 31, 32, 32}, {"shared_floats", 31, 1, 3},   {"shared_floats", 0, 0, 96},
        {"shared_agree", 0, 0, 1},       {"shared_long", 31, 2, 3},     {"shared_long", 31, 32, 48},
        {"shared_ones", 0, 0, 1},        {"shared_ones", 31, 32, 32},   {"shared_ones", 3, 32, 4},
        {"shared_steps", 0, 0, 1},       {"shared_ranks", 0, 0, 32},    {"shared_twos", 0, 0, 32},
        {"shared_long", 0, 0, 96}, /* half a warp at a time, but not at one word */
    };
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct counters *c = launch(&fixture, rows[i].kernel, rows[i].mask, rows[i].apart, 1);
        assert_int_equal(c->shared_atomics, 1);
        if (c->shared_atomic_wavefronts != rows[i].wavefronts)
            fail_msg("%s, mask %u, apart %u: %llu", rows[i].kernel, rows[i].mask, rows[i].apart,
                     (unsigned long long)c->shared_atomic_wavefronts);
    }
}

/* Sums by loops at the busiest word of each block, added up; other atomics are none. */
static void busiest_sums(void **state) {
    static const struct {
        const char *kernel;
        uint32_t mask, apart;
        uint64_t sums;
    } rows[] = {{"shared_floats", 0, 0, 32},
                {"shared_floats", 31, 1, 1},
                {"shared_floats", 7, 1, 4},
                {"shared_long", 1, 2, 16},
                {"shared_integers", 0, 0, 0}};
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        launch(&fixture, rows[i].kernel, rows[i].mask, rows[i].apart, 3);
        assert_int_equal(fixture.result.busiest_sums_of_all_blocks, 3 * rows[i].sums);
    }
}

/* The busiest of any number of lines is remembered. */
static void many_lines(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(
        &fixture, PTX_HEADER
        ".visible .entry k(.param .u64 p) { .reg .b32 %r<5>; .reg .b64 %d<5>; ld.param.u64 %d1, [p];\n"
        "mov.u32 %r1, %ctaid.x; shl.b32 %r1, %r1, 5; mov.u32 %r2, %tid.x; add.u32 %r1, %r1, %r2;\n"
        "mul.wide.u32 %d2, %r1, 128; add.u64 %d2, %d1, %d2; red.global.add.u32 [%d2], 1;\n"
        "red.global.add.u32 [%d1+64], %r2; ret; }\n");
    uint64_t p = fixture_buffer(&fixture, 128 * 32 * 4096);
    fixture_ok(&fixture, fixture_run(&fixture, "k", 4096, 32, 0, &p));
    assert_int_equal(fixture.result.counters.atomic_queue, 4096 + 1);
}

static void add_atomic(struct queue *queue, uint64_t line, enum cache_request request, uint32_t sectors,
                       uint32_t passes) {
    struct l1_cache l1 = {.log = NULL};
    l1_log_atomic(&l1, line, request, sectors, passes, 0);
    assert_int_equal(l1.log_count, 1);
    simt_queue_add(queue, l1.log[0]);
    free(l1.log);
}

static void add_passes(struct queue *queue, uint64_t line, uint32_t passes) {
    add_atomic(queue, line, CACHE_ATOMIC, 1, passes);
}

/* 512 bytes belong to one slice, sixteen adjacent stretches to different ones. What is under way
 * together ends with the busiest slice; then the next window begins. */
static void slices(void **state) {
    enum { SLICES = 96, FIRST = 1600 };
    struct queue *queue = simt_queue_create(SLICES);
    assert_non_null(queue);
    for (uint64_t line = FIRST; line < FIRST + 64; line++)
        add_passes(queue, line, 3);
    simt_queue_turn(queue);
    assert_int_equal(simt_queue_busiest_slices(queue), 12);
    for (int i = 0; i < 2000; i++)
        add_passes(queue, FIRST, 32);
    assert_int_equal(simt_queue_busiest_slices(queue), 64012);
    simt_queue_turn(queue);
    for (int i = 0; i < 2000; i++)
        add_passes(queue, FIRST + 4, 32);
    simt_queue_turn(queue);
    assert_int_equal(simt_queue_busiest_slices(queue), 128012);
    assert_int_equal(simt_queue_longest(queue), 64003);
    free(queue);
    /* Spread over all memory: no slice has much more than its share, none is left out. */
    queue = simt_queue_create(SLICES);
    assert_non_null(queue);
    for (uint64_t line = 0; line < 96000; line++)
        add_passes(queue, line * 37, 1);
    assert_in_range(simt_queue_busiest_slices(queue), 1000, 1150);
    free(queue);
    queue = simt_queue_create(1);
    assert_non_null(queue);
    for (uint64_t line = 0; line < 100; line++)
        add_passes(queue, line * 37, 1);
    assert_int_equal(simt_queue_busiest_slices(queue), 100);
    free(queue);
}

/* A float's sum holds its word for two and a half passes, while sums at other words of the line go
 * on. */
static void floats(void **state) {
    FREED struct queue *queue = simt_queue_create(96);
    assert_non_null(queue);
    for (int i = 0; i < 100; i++)
        add_atomic(queue, 7, CACHE_FLOAT_ATOMIC, 1U << i % 4, 1);
    assert_int_equal(simt_queue_longest(queue), 100); /* 25 at each of four sectors: 62.5 passes */
    for (int i = 0; i < 100; i++)
        add_atomic(queue, 8, CACHE_FLOAT_ATOMIC, 1, 1);
    assert_int_equal(simt_queue_longest(queue), 250);
}

/* Compare-and-swaps count at their word where they change it. Those that fail do not, nor does what else
 * meets there. */
static void swaps(void **state) {
    static const struct {
        const char *kernel;
        uint32_t mask, apart;
        uint64_t swaps;
    } rows[] = {{"swaps", 0, 0, 96}, {"swaps", 31, 1, 3},   {"swaps", 31, 64, 3},  {"swaps", 3, 64, 24},
                {"swaps", 3, 1, 24}, {"integers", 0, 0, 0}, {"exchanges", 0, 0, 0}};
    ENDED(fixture_close) struct fixture fixture;
    fixture_open(&fixture, text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(launch(&fixture, rows[i].kernel, rows[i].mask, rows[i].apart, 3)->swap_queue,
                         rows[i].swaps);
}

/* Stores of any bytes meet at their line: a flag that all warps set, a row. Stores to different
 * lines do not. */
static void stores(void **state) {
    static const struct {
        const char *address;
        uint64_t meet;
    } rows[] = {
        {"mov.u64 %d2, %d1;", 64}, {"add.u64 %d2, %d1, %d3;", 0}, {"mad.wide.u32 %d2, %r1, 4, %d1;", 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ENDED(fixture_close) struct fixture fixture;
        char text[1024];
        snprintf(
            text, sizeof text,
            PTX_HEADER
            ".visible .entry k(.param .u64 p) { .reg .b32 %%r<5>; .reg .b64 %%d<5>; ld.param.u64 %%d1, [p];\n"
            "mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mul.wide.u32 %%d3, %%r2, 128; %s\n"
            "st.global.u32 [%%d2], %%r1; ret; }\n",
            rows[i].address);
        fixture_open(&fixture, text);
        uint64_t p = fixture_buffer(&fixture, 128 * 65);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 64, 32, 0, &p));
        uint64_t longest = fixture.result.counters.store_queue;
        if (rows[i].meet > 0 ? longest != rows[i].meet : longest > 1)
            fail_msg("%s: %llu", rows[i].address, (unsigned long long)longest);
    }
}

/* The shares of all SMs make up the launch, for any number of host threads. */
static void shares(void **state) {
    static struct sm_work first[132];
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct simt_config config = fixture_config();
        config.host_threads = threads;
        ENDED(fixture_close) struct fixture fixture;
        fixture_configure(&fixture, text, &config);
        const struct counters *c = launch(&fixture, "one_block", 1000, 0, 200);
        const struct simt_result *result = &fixture.result;
        assert_int_equal(result->sm_count, 132);
        uint64_t instructions = 0, loads = 0, sectors = 0;
        for (uint32_t i = 0; i < result->sm_count; i++) {
            instructions += result->sms[i].counters.warp_instructions;
            loads += result->sms[i].counters.global_load_requests;
            sectors += result->sms[i].counters.l2_read_sectors;
            assert_int_equal(result->sms[i].counters.global_load_requests, i == 5 ? 1000 : 0);
        }
        assert_int_equal(instructions, c->warp_instructions);
        assert_int_equal(loads, c->global_load_requests);
        assert_int_equal(sectors, c->l2_read_sectors);
        assert_true(result->sms[5].longest_warp_instructions > 4000);
        assert_int_equal(result->sms[5].longest_warp_instructions, result->longest_warp_instructions);
        assert_int_equal(result->sms[5].largest_block_instructions, result->longest_warp_instructions);
        assert_int_equal(result->longest_warps_of_all_blocks, c->warp_instructions);
        if (threads == 1)
            memcpy(first, result->sms, sizeof first);
        assert_memory_equal(first, result->sms, sizeof first);
        /* The observed block, in the middle of the grid, counts too. */
        launch(&fixture, "integers", 0, 0, 1);
        assert_int_equal(result->sm_count, 1);
        assert_int_equal(result->sms[0].counters.atomics, 1);
        /* Results alone: the sum is right, and the requests are not counted. */
        const struct parameters parameters = {fixture_buffer(&fixture, 4), 0, 0};
        uint64_t executed = c->warp_instructions;
        uint32_t sum = 0;
        assert_int_equal(simt_fill(fixture.device, parameters.p, 0, 1, sizeof sum), SIMT_OK);
        simt_device_set_results_alone(fixture.device, true);
        fixture_ok(&fixture,
                   fixture_run(&fixture, "integers", 1, 32, 0, (const uint64_t *)(const void *)&parameters));
        assert_int_equal(simt_read(fixture.device, &sum, parameters.p, sizeof sum), SIMT_OK);
        assert_int_equal(sum, 31 * 32 / 2);
        assert_int_equal(c->warp_instructions, executed);
        assert_int_equal(c->atomics, 0);
        assert_int_equal(result->sm_count, 0);
    }
}

/* Waits: loads behind stores, and behind the loads of their addresses. */
static void waits(void **state) {
    static const struct {
        const char *body;
        uint64_t waits; /* in a hundred trips, less the first */
    } rows[] = {
        {"ld.global.u32 %r2, [%d1]; st.global.u32 [%d1+64], %r2;", 100},
        {"ld.global.u32 %r2, [%d1]; ld.global.u32 %r3, [%d1+4]; st.global.u32 [%d1+64], %r2;", 100},
        {"ld.global.u32 %r2, [%d1]; st.global.u32 [%d1+64], %r2; ld.global.u32 %r3, [%d1+4]; "
         "st.global.u32 [%d1+68], %r3;",
         200},
        {"ld.global.nc.u32 %r2, [%d1]; st.global.u32 [%d1+64], %r2;", 0},
        {"ld.global.u32 %r2, [%d1]; add.u32 %r4, %r4, %r2;", 0},
        {"ld.global.u64 %d2, [%d1+8]; add.u64 %d1, %d1, %d2;", 100},
        {"atom.global.add.u32 %r2, [%d1+4], %r1; add.u32 %r4, %r4, %r2;", 100},
        {"red.global.add.u32 [%d1+4], 1;", 0},
        {"st.global.u32 [%d1], %r1;", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char program[1024];
        ENDED(fixture_close) struct fixture fixture;
        snprintf(program, sizeof program,
                 PTX_HEADER
                 ".visible .entry k(.param .u64 p) { .reg .b32 %%r<9>; .reg .b64 %%d<9>; .reg .pred "
                 "%%q; ld.param.u64 %%d1, [p]; mov.u32 %%r1, 0; mov.u32 %%r4, 0;\n"
                 "again: %s add.u32 %%r1, %%r1, 1; setp.lt.u32 %%q, %%r1, 100; @%%q bra again;\n"
                 "st.global.u32 [%%d1+128], %%r4; ret; }\n",
                 rows[i].body);
        fixture_open(&fixture, program);
        uint64_t p = fixture_buffer(&fixture, 256);
        fixture_ok(&fixture, fixture_run(&fixture, "k", 1, 32, 0, &p));
        if (fixture.result.counters.load_waits != rows[i].waits)
            fail_msg("%s: %llu", rows[i].body, (unsigned long long)fixture.result.counters.load_waits);
    }
}

TESTS(UNIT(passes), UNIT(banks), UNIT(busiest_sums), UNIT(many_lines), UNIT(slices), UNIT(floats),
      UNIT(stores), UNIT(swaps), UNIT(shares), UNIT(waits))
