/* test_launches.c: a kernel's launches become one entry: sums, the longest launch's shape, the same
 * memory for a million launches as for ten. */
#include "report/document/launches.h"
#include "report/tests/support_analysis.h"

#include <malloc.h>
#include <math.h>

static struct kernel_report launch_of(const char *name, uint32_t blocks, double time_us, uint32_t lines) {
    struct kernel_report kernel = {.grid = {blocks, 1, 1},
                                   .block = {32, 1, 1},
                                   .registers = blocks,
                                   .time_us = time_us,
                                   .limiter = GPU_DRAM,
                                   .waves = blocks,
                                   .tail = 0.5,
                                   .occupancy_theoretical = 1,
                                   .occupancy_achieved = time_us / 10,
                                   .spill_known = true,
                                   .spill_bytes = blocks,
                                   .code_known = true,
                                   .code_bytes = 4096,
                                   .hot_code_bytes = blocks * 16,
                                   .line_count = lines};
    kernel.name = strdup(name);
    kernel.lines = calloc(lines + 1, sizeof *kernel.lines);
    assert_non_null(kernel.name);
    assert_non_null(kernel.lines);
    for (int i = 0; i < COUNTER_COUNT; i++) {
        kernel.known[i] = true;
        counter_set(&kernel.counters, (enum counter)i, blocks + (uint64_t)i);
    }
    for (uint32_t i = 0; i < lines; i++) {
        kernel.lines[i] =
            (struct kernel_line){.line = i + 1, .requests = blocks, .transactions = 4, .ideal = 2};
        kernel.lines[i].file = strdup("kernel.cu");
        assert_non_null(kernel.lines[i].file);
    }
    kernel.unit_share[GPU_DRAM] = time_us / 10;
    return kernel;
}

static void add(struct launches *all, const char *name, uint32_t blocks, double time_us, uint32_t lines) {
    struct kernel_report kernel = launch_of(name, blocks, time_us, lines);
    assert_true(launches_add(all, &kernel));
    assert_null(kernel.name);
}

static void sums_and_the_longest(void **state) {
    ENDED(launches_free) struct launches all = {.apart = 0};
    add(&all, "first", 10, 2, 3);
    add(&all, "second", 1, 7, 1);
    add(&all, "first", 30, 6, 3);
    add(&all, "first", 20, 4, 5); /* two lines that no earlier launch had */
    assert_int_equal(all.count, 2);
    assert_int_equal(all.launches, 4);
    const struct kernel_report *first = &all.kernels[0], *second = &all.kernels[1];
    assert_string_equal(first->name, "first");
    assert_int_equal(kernel_launches(first), 3);
    assert_int_equal(kernel_launches(second), 1);
    assert_true(first->other_shapes && !second->other_shapes);
    assert_int_equal(first->first, 0);
    assert_int_equal(second->first, 1);
    assert_float_equal(first->time_us, 12, 0);
    assert_float_equal(first->longest_us, 6, 0);
    assert_int_equal(first->grid[0], 30);
    assert_int_equal(first->registers, 30);
    assert_float_equal(first->waves, 30, 0);
    assert_int_equal(first->spill_bytes, 30);
    assert_int_equal(first->code_bytes, 4096);
    assert_int_equal(first->hot_code_bytes, 480);
    for (int i = 0; i < COUNTER_COUNT; i++)
        assert_int_equal(counter_value(&first->counters, (enum counter)i), 60 + 3 * (uint64_t)i);
    /* 0.2 for 2 us, 0.6 for 6, 0.4 for 4 */
    assert_float_equal(first->unit_share[GPU_DRAM], (0.2 * 2 + 0.6 * 6 + 0.4 * 4) / 12, 1e-12);
    assert_float_equal(first->occupancy_achieved, first->unit_share[GPU_DRAM], 1e-12);
    assert_int_equal(first->line_count, 5);
    assert_int_equal(first->lines[0].requests, 60);
    assert_int_equal(first->lines[2].transactions, 12);
    assert_int_equal(first->lines[4].requests, 20);
}

static void what_is_not_known_of_one_is_not_known(void **state) {
    ENDED(launches_free) struct launches all = {.apart = 0};
    struct kernel_report known = launch_of("k", 1, 2, 0), unknown = launch_of("k", 1, 2, 0);
    unknown.known[COUNTER_barriers] = unknown.spill_known = unknown.code_known = false;
    unknown.unit_share[GPU_L2] = NAN;
    assert_true(launches_add(&all, &known) && launches_add(&all, &unknown));
    assert_false(all.kernels[0].known[COUNTER_barriers]);
    assert_true(all.kernels[0].known[COUNTER_branches]);
    assert_false(all.kernels[0].spill_known);
    assert_false(all.kernels[0].code_known);
    assert_true(isnan(all.kernels[0].unit_share[GPU_L2]));
    assert_false(all.kernels[0].other_shapes);
}

static void the_first_stay_apart(void **state) {
    ENDED(launches_free) struct launches all = {.apart = 3};
    for (int i = 0; i < 10; i++)
        add(&all, i % 2 == 0 ? "even" : "odd", 1, 1, 1);
    assert_int_equal(all.count, 5); /* three launches, then an entry for each kernel */
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(kernel_launches(&all.kernels[i]), 1);
    assert_string_equal(all.kernels[3].name, "odd");
    assert_int_equal(all.kernels[3].launches, 4);
    assert_int_equal(all.kernels[4].launches, 3);
}

static void there_is_an_end_to_kernels_and_lines(void **state) {
    struct launches all = {.apart = 0};
    uint32_t count;
    for (int i = 0; i < 2 * LAUNCHES_KERNELS; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", i);
        add(&all, name, 1, 1, 100);
    }
    assert_int_equal(all.count, LAUNCHES_KERNELS);
    assert_int_equal(all.left_out, LAUNCHES_KERNELS);
    assert_float_equal(all.left_out_us, LAUNCHES_KERNELS, 1e-9);
    assert_int_equal(all.lines, LAUNCHES_LINES);
    assert_int_equal(all.lines_left_out, 100 * LAUNCHES_KERNELS - LAUNCHES_LINES);
    add(&all, "k0", 1, 1, 200); /* room for a hundred of its lines */
    assert_int_equal(all.kernels[0].launches, 2);
    assert_int_equal(all.kernels[0].line_count, 100);
    FREED struct kernel_report *kernels = launches_take(&all, &count);
    assert_int_equal(count, LAUNCHES_KERNELS);
    assert_int_equal(all.count + all.launches + all.lines + all.left_out, 0);
    for (uint32_t i = 0; i < count; i++)
        kernel_report_free(&kernels[i]);
}

/* Memory is bounded, not only the number of entries. */
static void memory_stays_flat(void **state) {
    ENDED(launches_free) struct launches all = {.apart = 0};
    size_t after[2] = {0, 0};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < (round == 0 ? 10 : 20000); i++)
            add(&all, "k", (uint32_t)i, 1, 128);
        after[round] = mallinfo2().uordblks;
    }
    if (getenv("SANITIZED") == NULL) /* a sanitizer's allocator cannot tell */
        assert_in_range(after[0], 1, after[1]);
    assert_true(after[1] <= after[0] + 4096);
    assert_int_equal(all.kernels[0].launches, 20010);
}

static void the_document_has_them(void **state) {
    ENDED(launches_free) struct launches all = {.apart = 0};
    ENDED(kernel_report_free) struct kernel_report again;
    char error[256];
    add(&all, "k", 1, 2, 1);
    json_t *json = kernel_report_to_json(&all.kernels[0]);
    assert_non_null(json);
    assert_null(json_object_get(json, "launches")); /* one launch has no such key */
    json_decref(json);
    add(&all, "k", 2, 3, 1);
    json = kernel_report_to_json(&all.kernels[0]);
    assert_non_null(json);
    if (!kernel_report_from_json(&again, json, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(again.launches, 2);
    assert_float_equal(again.longest_us, 3, 0);
    assert_true(again.other_shapes);
    json_decref(json);
}

static void add_timed(struct launches *all, enum kernel_timed_by by, const char *why) {
    struct kernel_report kernel = launch_of("k", 1, 1, 1);
    kernel.timed_by = by;
    snprintf(kernel.timed_why, sizeof kernel.timed_why, "%s", why);
    assert_true(launches_add(all, &kernel));
}

/* The basis of a time: of several launches the least certain; in the document and in words. */
static void what_the_time_follows_from(void **state) {
    static const struct {
        enum kernel_timed_by by;
        const char *why, *name, *words;
    } cases[] = {
        {TIMED_BY_UNKNOWN, "", NULL, ""},
        {TIMED_BY_CODE, "", "code", "timed by its machine code"},
        {TIMED_BY_CODE, "it takes longer", "code", "timed by its machine code; it takes longer"},
        {TIMED_BY_PTXAS, "", "ptxas", "timed by machine code that ptxas made of its PTX"},
        {TIMED_BY_COUNTERS, "no ptxas was found", "counters", "timed by its counters; no ptxas was found"},
        {TIMED_BY_CODE, "", "counters", "timed by its counters; no ptxas was found"}};
    ENDED(launches_free) struct launches all = {.apart = 0};
    char error[256], words[256];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel_report again;
        add_timed(&all, cases[i].by, cases[i].why);
        json_auto_t *json = kernel_report_to_json(&all.kernels[0]);
        const char *name = json_string_value(json_object_get(json, "timed_by"));
        assert_true(cases[i].name == NULL ? name == NULL : strcmp(name, cases[i].name) == 0);
        if (!kernel_report_from_json(&again, json, error, sizeof error))
            fail_msg("%s", error);
        kernel_timed_words(&again, words, sizeof words);
        assert_string_equal(words, cases[i].words);
        kernel_report_free(&again);
        json_object_set_new(json, "timed_by", json_string("guess"));
        assert_false(kernel_report_from_json(&again, json, error, sizeof error));
        assert_string_equal(error, "timed_by: not a word that is known here");
    }
}

TESTS(UNIT(sums_and_the_longest), UNIT(what_is_not_known_of_one_is_not_known), UNIT(the_first_stay_apart),
      UNIT(there_is_an_end_to_kernels_and_lines), UNIT(memory_stays_flat), UNIT(the_document_has_them),
      UNIT(what_the_time_follows_from))
