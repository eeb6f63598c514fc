/* test_launch.c: whole launches (launch.ptx): refused shapes, atomics, printf, races, equal results
 * for any number of host threads. */
#include "device_fixture.h"
#include "gpu/simt/compute/half.h"

#include <math.h>

/* ---- atomics: each thread applies one operation to one word; compared with a sequential run */

struct atomic_case {
    const char *type, *operation;
    int bytes;
    uint64_t initial, expected;
};

/* 64 threads, each with b = thread + 1; shared memory gets a copy of the word. */
static void print_atomic(char *text, size_t size, const struct atomic_case *c, bool shared) {
    bool is_float = c->type[0] == 'f', exchange = strcmp(c->operation, "exch") == 0;
    int bits = 8 * c->bytes;
    char convert[32], atomic[80], copy[120] = "";
    if (is_float)
        snprintf(convert, sizeof convert, "cvt.rn.f%d.u32", bits);
    else
        snprintf(convert, sizeof convert, bits == 64 ? "cvt.u64.u32" : "mov.b32");
    snprintf(atomic, sizeof atomic, "%s.%s.%s.%s %s[%s], %%value", exchange ? "atom" : "red",
             shared ? "shared" : "global", c->operation, c->type, exchange ? "%old, " : "",
             shared ? "%r2" : "%d1");
    if (shared)
        snprintf(copy, sizeof copy, "    ld.shared.b%d %%old, [%%r2];\n    st.global.b%d [%%d1], %%old;\n",
                 bits, bits);
    snprintf(text, size,
             PTX_HEADER ".visible .entry k(.param .u64 p) {\n"
                        "    .reg .pred %%p1;\n"
                        "    .reg .b32 %%r<4>;\n"
                        "    .reg .b64 %%d1;\n"
                        "    .reg .b%d %%value, %%word, %%old;\n"
                        "    .shared .align 8 .b8 tile[8];\n"
                        "    ld.param.u64 %%d1, [p];\n"
                        "    mov.u32 %%r1, %%tid.x;\n"
                        "    mov.u32 %%r2, tile;\n"
                        "    add.s32 %%r3, %%r1, 1;\n"
                        "    %s %%value, %%r3;\n"
                        "    ld.global.b%d %%word, [%%d1];\n"
                        "    setp.ne.u32 %%p1, %%r1, 0;\n"
                        "    @!%%p1 st.shared.b%d [%%r2], %%word;\n"
                        "    bar.sync 0;\n"
                        "    %s;\n"
                        "    bar.sync 0;\n"
                        "    @%%p1 ret;\n"
                        "%s"
                        "    ret;\n"
                        "}\n",
             bits, convert, bits, bits, atomic, copy);
}

/* The order of the two warps is undefined: these two operations have two right results. */
static uint64_t expected_end(const struct atomic_case *c, uint64_t result) {
    uint32_t ends[2] = {0, 0};
    if (strcmp(c->operation, "exch") == 0 && result == 32)
        return 32;
    if (strcmp(c->operation, "inc") != 0)
        return c->expected;
    for (uint32_t k = 0; k < 64; k++)
        for (uint32_t swap = 0; swap < 2; swap++) {
            uint32_t b = (k ^ (swap * 32)) + 1;
            ends[swap] = ends[swap] >= b ? 0 : ends[swap] + 1;
        }
    return result == ends[1] ? ends[1] : ends[0];
}

static void check_atomic(const struct atomic_case *c, bool shared) {
    char text[4096];
    ENDED(fixture_close) struct fixture fixture;
    print_atomic(text, sizeof text, c, shared);
    fixture_open(&fixture, text);
    uint64_t address = fixture_buffer(&fixture, 8), result = 0;
    simt_write(fixture.device, address, &c->initial, 8);
    fixture_ok(&fixture, fixture_run(&fixture, "k", 1, 64, 0, &address));
    simt_read(fixture.device, &result, address, (uint64_t)c->bytes);
    uint64_t expected = expected_end(c, result);
    if (result != expected)
        fail_msg("%s %s.%s: 0x%llx, expected 0x%llx", shared ? "shared" : "global", c->operation, c->type,
                 (unsigned long long)result, (unsigned long long)expected);
    const struct counters *counters = &fixture.result.counters;
    assert_int_equal(shared ? counters->shared_atomics : counters->atomics, 2);
}

static void test_atomics(void **state) {
    static const struct atomic_case cases[] = {
        {"u32", "add", 4, 10, 10 + 2080},
        {"u64", "add", 8, UINT64_C(1) << 40, (UINT64_C(1) << 40) + 2080},
        {"s32", "min", 4, 50, 1},
        {"s32", "max", 4, (uint32_t)-5, 64},
        {"u32", "max", 4, (uint32_t)-5, (uint32_t)-5},
        {"s64", "min", 8, (uint64_t)-9, (uint64_t)-9},
        {"u64", "min", 8, (uint64_t)-9, 1},
        {"b32", "and", 4, 0xff, 0},
        {"b32", "or", 4, 0x100, 0x17f},
        {"b64", "xor", 8, 5, 5 ^ 64},
        {"u32", "inc", 4, 0, 0},
        {"b32", "exch", 4, 0, 64},
        {"f32", "add", 4, 0x3f000000, 0x45020800}, /* 0.5 + 2080 */
        {"f64", "add", 8, 0, UINT64_C(0x40a0400000000000)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_atomic(&cases[i], false);
        check_atomic(&cases[i], true);
    }
}

static void test_compare_and_swap(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open_file(&fixture, "launch");
    uint64_t parameters[] = {fixture_buffer(&fixture, 4), fixture_buffer(&fixture, 128)};
    uint32_t out[32], last;
    simt_fill(fixture.device, parameters[0], 0, 4, 1);
    fixture_ok(&fixture, fixture_run(&fixture, "compare_and_swap", 1, 32, 0, parameters));
    simt_read(fixture.device, out, parameters[1], 128);
    simt_read(fixture.device, &last, parameters[0], 4);
    for (uint32_t t = 0; t < 32; t++) /* lanes take turns in order: each finds the result of the one before */
        assert_int_equal(out[t], t);
    assert_int_equal(last, 32);
}

/* Rounds to nearest even with `digits` bits after the leading one, exponents from `smallest`. */
static double rounded(double value, int digits, int smallest, double largest) {
    int exponent;
    if (value == 0)
        return value;
    frexp(value, &exponent);
    exponent = exponent - 1 < smallest ? smallest : exponent - 1;
    double unit = ldexp(1, exponent - digits), result = nearbyint(value / unit) * unit;
    return fabs(result) > largest ? copysign(INFINITY, value) : result;
}

static double bfloat_value(uint16_t bits) {
    uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, 4);
    return (double)value;
}

static void test_half_addition(void **state) {
    uint32_t random = 3;
    for (int i = 0; i < 300000; i++) {
        random = random * 1664525u + 1013904223u;
        uint16_t a = (uint16_t)(random >> 16);
        random = random * 1664525u + 1013904223u;
        uint16_t b = i % 3 ? (uint16_t)(random >> 16) : (uint16_t)(a + (random >> 28) - 8);
        if ((a & 0x7c00) != 0x7c00 && (b & 0x7c00) != 0x7c00) {
            double sum = f16_value(a) + f16_value(b);
            assert_true(f16_value(half_add(a, b)) == rounded(sum, 10, -14, 65504));
        }
        if ((a & 0x7f80) != 0x7f80 && (b & 0x7f80) != 0x7f80) {
            double sum = bfloat_value(a) + bfloat_value(b);
            assert_true(bfloat_value(bfloat_add(a, b)) == rounded(sum, 7, -126, 0x1.fep127));
        }
    }
    assert_int_equal(half_add(0x7c00, 0xfc00), 0x7fff); /* inf - inf */
    assert_int_equal(half_add(0x8000, 0x8000), 0x8000); /* -0 + -0 */
    assert_int_equal(bfloat_add(0x7f80, 0xff80), 0x7fff);
}

/* ---- shapes */

static void test_shapes_refused(void **state) {
    struct fixture fixture;
    fixture_open_file(&fixture, "launch");
    struct simt_launch launch = {.kernel = simt_module_kernel(fixture.module, "bounded"),
                                 .resident_blocks = 1};
    struct {
        uint32_t grid[3], block[3], shared;
        enum simt_status status;
        const char *says;
    } cases[] = {
        {{0, 1, 1}, {32, 1, 1}, 0, SIMT_INVALID_CONFIGURATION, "grid.x is 0; a grid has at least 1 block"},
        {{1, 1, 1}, {32, 0, 1}, 0, SIMT_INVALID_CONFIGURATION, "block.y is 0; a block has at least 1 thread"},
        {{1, 1, 1}, {32, 64, 1}, 0, SIMT_INVALID_CONFIGURATION, "2048 threads"},
        {{1, 1, 1},
         {1, 1, 65},
         0,
         SIMT_INVALID_CONFIGURATION,
         "block.z is 65, and this GPU allows at most 64"},
        {{1, 70000, 1},
         {32, 1, 1},
         0,
         SIMT_INVALID_CONFIGURATION,
         "grid.y is 70000, and this GPU allows at most 65535 there"},
        {{1, 1, 1}, {512, 1, 1}, 0, SIMT_INVALID_VALUE, "__launch_bounds__"},
        {{1, 1, 1}, {32, 1, 1}, 49153, SIMT_INVALID_VALUE, "cudaFuncAttributeMaxDynamicSharedMemorySize"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(launch.grid, cases[i].grid, sizeof launch.grid);
        memcpy(launch.block, cases[i].block, sizeof launch.block);
        launch.dynamic_shared = cases[i].shared;
        assert_int_equal(simt_run(fixture.device, &launch, &fixture.result), cases[i].status);
        fixture_message_has(&fixture, cases[i].says);
        simt_result_free(&fixture.result);
    }
    struct simt_resources resources = {.registers = 255};
    simt_kernel_set_resources(launch.kernel, &resources);
    launch.dynamic_shared = 0;
    launch.block[0] = 256;
    launch.block[1] = launch.block[2] = launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
    assert_int_equal(simt_run(fixture.device, &launch, &fixture.result), SIMT_OK);
    simt_result_free(&fixture.result);
    fixture_close(&fixture);
}

/* The most threads of a block by its registers, as on an H200. */
static void test_registers_of_a_block(void **state) {
    static const struct {
        uint32_t registers, threads;
    } most[] = {{255, 256}, {238, 256}, {137, 384}, {108, 512}, {64, 1024}};
    struct fixture fixture;
    fixture_open_file(&fixture, "launch");
    struct simt_launch launch = {.kernel = simt_module_kernel(fixture.module, "nothing"),
                                 .grid = {1, 1, 1},
                                 .block = {1, 1, 1},
                                 .resident_blocks = 1};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        struct simt_resources resources = {.registers = most[i].registers};
        simt_kernel_set_resources(launch.kernel, &resources);
        launch.block[0] = most[i].threads;
        assert_int_equal(simt_run(fixture.device, &launch, &fixture.result), SIMT_OK);
        simt_result_free(&fixture.result);
        if (most[i].threads == 1024)
            continue;
        launch.block[0]++;
        assert_int_equal(simt_run(fixture.device, &launch, &fixture.result), SIMT_TOO_MANY_RESOURCES);
        fixture_message_has(&fixture, "registers for a block");
        simt_result_free(&fixture.result);
    }
    fixture_close(&fixture);
}

/* Dynamic shared memory: what 48 KB leave, or the limit that was set; at most a block's. */
static void test_shared_of_a_block(void **state) {
    enum { FIXED = 16 << 10, BLOCK = 227 << 10 };
    static const struct {
        uint32_t limit;
        uint64_t dynamic;
        enum simt_status status;
    } cases[] = {{0, 32 << 10, SIMT_OK},
                 {0, (32 << 10) + 4, SIMT_INVALID_VALUE},
                 {1000, 1000, SIMT_OK},
                 {1000, 2000, SIMT_INVALID_VALUE},
                 {BLOCK - FIXED, BLOCK - FIXED, SIMT_OK},
                 {BLOCK, BLOCK - FIXED + 4, SIMT_TOO_MANY_RESOURCES},
                 {0, UINT64_C(1) << 32, SIMT_INVALID_VALUE}};
    struct fixture fixture;
    fixture_open_file(&fixture, "launch");
    struct simt_launch launch = {.kernel = simt_module_kernel(fixture.module, "shared_memory"),
                                 .grid = {1, 1, 1},
                                 .block = {1, 1, 1},
                                 .resident_blocks = 1};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        launch.shared_limit = cases[i].limit;
        launch.dynamic_shared = cases[i].dynamic;
        assert_int_equal(simt_run(fixture.device, &launch, &fixture.result), cases[i].status);
        simt_result_free(&fixture.result);
    }
    fixture_close(&fixture);
}

/* ---- printf */

static void test_printf(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open_file(&fixture, "launch");
    uint64_t parameter = 0;
    fixture_ok(&fixture, fixture_run(&fixture, "print", 3, 1, 0, &parameter));
    assert_string_equal(fixture.printed,
                        "0  3.14|hi  |X 123456789abcdef 2%\n-1  3.14|hi  |X 123456789abcdef 2%\n"
                        "-2  3.14|hi  |X 123456789abcdef 2%\n");
}

/* ---- races */

static enum simt_status run_race(struct fixture *fixture, const char *name, uint32_t threads) {
    struct simt_config config;
    simt_config_default(&config);
    config.check_races = true;
    fixture_configure_file(fixture, "launch", &config);
    uint64_t out = fixture_buffer(fixture, 256);
    return fixture_run(fixture, name, 2, threads, 0, &out);
}

static void test_races(void **state) {
    struct fixture fixture;
    fixture_ok(&fixture, run_race(&fixture, "no_race", 64));
    fixture_close(&fixture);
    assert_int_equal(run_race(&fixture, "race", 64), SIMT_RACE);
    fixture_message_has(&fixture, "tile.cu:12");
    fixture_message_has(&fixture, "tile.cu:10");
    fixture_message_has(&fixture, "__syncthreads()");
    assert_int_equal(fixture.result.fault.thread[0], 32);
    simt_device_set_check_races(fixture.device, false);
    uint64_t out = fixture_buffer(&fixture, 256);
    fixture_ok(&fixture, fixture_run(&fixture, "race", 2, 64, 0, &out));
    fixture_close(&fixture);
}

/* Within a warp: ordered by __syncwarp(), not without. */
static void test_races_within_a_warp(void **state) {
    struct fixture fixture;
    fixture_ok(&fixture, run_race(&fixture, "no_warp_race", 32));
    fixture_close(&fixture);
    assert_int_equal(run_race(&fixture, "warp_race", 32), SIMT_RACE);
    fixture_close(&fixture);
}

/* PTX memory model: strong operations whose scopes include each other's thread do not race. */
static void atomic_objects_do_not_race(void **state) {
    static const char *const right[] = {"tested_volatile", "tested_relaxed"}, *const wrong[] = {
                                                                                  "relaxed_of_plain",
                                                                                  "volatile_neighbours"};
    struct fixture fixture;
    for (int i = 0; i < 2; i++) {
        fixture_ok(&fixture, run_race(&fixture, right[i], 64));
        fixture_close(&fixture);
        assert_int_equal(run_race(&fixture, wrong[i], 32), SIMT_RACE);
        fixture_close(&fixture);
    }
}

/* ---- the same whatever the number of host threads */

/* Counts and facts of every line; one has known facts. */
static void assert_same_lines(const struct simt_line *first, uint32_t first_count,
                              const struct simt_result *result) {
    uint32_t known = 0;
    assert_int_equal(result->line_count, first_count);
    for (uint32_t i = 0; i < first_count; i++) {
        const struct simt_line *a = &first[i], *b = &result->lines[i];
        assert_true(a->line == b->line && a->kind == b->kind && a->requests == b->requests &&
                    a->transactions == b->transactions && a->ideal == b->ideal && a->threads == b->threads);
        assert_string_equal(a->facts.array, b->facts.array);
        assert_int_equal(a->facts.lanes, b->facts.lanes);
        for (int fact = 0; fact < LINE_FACT_COUNT; fact++)
            assert_true(line_fact_get(&a->facts, (enum line_fact)fact) ==
                        line_fact_get(&b->facts, (enum line_fact)fact));
        known += a->facts.lanes != LANES_UNKNOWN;
    }
    assert_true(known > 0);
}

static void test_determinism(void **state) {
    enum { WORDS = 65536, BLOCKS = 300 };
    struct counters first = {0};
    FREED struct simt_line *first_lines = NULL;
    uint32_t first_count = 0;
    uint32_t *in = malloc(4 * WORDS), *out = malloc(4 * BLOCKS * 128), *first_out = malloc(4 * BLOCKS * 128),
             sum, first_sum = 0;
    assert_true(in != NULL && out != NULL && first_out != NULL);
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = i * 2654435761u;
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct simt_config config;
        simt_config_default(&config);
        config.sm_count = 7;
        config.l2_bytes = 192 << 10;
        config.host_threads = threads;
        ENDED(fixture_close) struct fixture fixture;
        fixture_configure_file(&fixture, "launch", &config);
        uint64_t parameters[] = {fixture_buffer(&fixture, 4 * WORDS),
                                 fixture_buffer(&fixture, 4 * BLOCKS * 128), fixture_buffer(&fixture, 4)};
        simt_write(fixture.device, parameters[0], in, 4 * WORDS);
        simt_fill(fixture.device, parameters[2], 0, 4, 1);
        fixture_ok(&fixture, fixture_run(&fixture, "mixed", BLOCKS, 128, 0, parameters));
        simt_read(fixture.device, out, parameters[1], 4 * BLOCKS * 128);
        simt_read(fixture.device, &sum, parameters[2], 4);
        const struct counters *counters = &fixture.result.counters;
        assert_true(counters->dram_read_bytes > 0 && counters->dram_write_bytes > 0);
        assert_true(counters->l2_read_hit_sectors > 0 && counters->l1_hit_sectors > 0);
        assert_int_equal(counters->l1_hit_sectors + counters->l2_read_sectors, counters->global_load_sectors);
        if (threads == 1) {
            first = *counters;
            first_sum = sum;
            memcpy(first_out, out, 4 * BLOCKS * 128);
            first_count = fixture.result.line_count;
            first_lines = malloc(first_count * sizeof *first_lines);
            assert_non_null(first_lines);
            memcpy(first_lines, fixture.result.lines, first_count * sizeof *first_lines);
        }
        assert_memory_equal(counters, &first, sizeof first);
        assert_same_lines(first_lines, first_count, &fixture.result);
        assert_memory_equal(out, first_out, 4 * BLOCKS * 128);
        assert_int_equal(sum, first_sum);
    }
    free(in);
    free(out);
    free(first_out);
}

/* Many blocks fault; the first in block order is reported, whichever ran first. */
static void test_first_fault_wins(void **state) {
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct simt_config config;
        simt_config_default(&config);
        config.host_threads = threads;
        config.sm_count = 5;
        ENDED(fixture_close) struct fixture fixture;
        fixture_configure_file(&fixture, "launch", &config);
        uint64_t parameter = 0;
        assert_int_equal(fixture_run(&fixture, "fault_from_17", 1000, 64, 0, &parameter),
                         SIMT_ILLEGAL_ADDRESS);
        assert_int_equal(fixture.result.fault.block[0], 17);
    }
}

/* L2 keeps its contents from launch to launch until it is flushed. */
static void test_l2_between_launches(void **state) {
    ENDED(fixture_close) struct fixture fixture;
    fixture_open_file(&fixture, "launch");
    uint64_t parameters[] = {fixture_buffer(&fixture, 4 * 65536), fixture_buffer(&fixture, 4 * 128),
                             fixture_buffer(&fixture, 4)};
    fixture_ok(&fixture, fixture_run(&fixture, "mixed", 1, 128, 0, parameters));
    uint64_t cold = fixture.result.counters.dram_read_bytes;
    assert_true(cold >= 128 * 32);
    fixture_ok(&fixture, fixture_run(&fixture, "mixed", 1, 128, 0, parameters));
    assert_int_equal(fixture.result.counters.dram_read_bytes, 0);
    simt_device_flush_cache(fixture.device);
    fixture_ok(&fixture, fixture_run(&fixture, "mixed", 1, 128, 0, parameters));
    assert_int_equal(fixture.result.counters.dram_read_bytes, cold);
}

TESTS(UNIT(test_atomics), UNIT(test_compare_and_swap), UNIT(test_shapes_refused),
      UNIT(test_registers_of_a_block), UNIT(test_shared_of_a_block), UNIT(test_half_addition),
      UNIT(test_printf), UNIT(test_races), UNIT(test_races_within_a_warp), UNIT(atomic_objects_do_not_race),
      UNIT(test_determinism), UNIT(test_first_fault_wins), UNIT(test_l2_between_launches))
