/* test_waits.c: why warps wait: written and read, several launches as one, in words; strict
 * reading. */
#include "report/document/kernel_report.h"
#include "report/tests/support_analysis.h"

static void add(struct kernel_waits *waits, const char *file, uint32_t line, double share,
                enum gpu_stall stall) {
    waits->lines = realloc(waits->lines, (waits->count + 1) * sizeof *waits->lines);
    assert_non_null(waits->lines);
    waits->lines[waits->count] = (struct kernel_wait){
        .file = strdup(file), .line = line, .share = share, .stall = stall, .stall_share = share / 2};
    assert_non_null(waits->lines[waits->count++].file);
}

static void make(struct kernel_report *kernel, double memory) {
    *kernel = (struct kernel_report){.block = {32, 1, 1}, .time_us = 1, .time_source = TIME_MODEL};
    kernel->name = strdup("k");
    assert_non_null(kernel->name);
    kernel->waits.known = true;
    kernel->waits.share[GPU_STALL_SELECTED] = 0.1;
    kernel->waits.share[GPU_STALL_LONG_SCOREBOARD] = memory;
    kernel->waits.share[GPU_STALL_BARRIER] = 0.9 - memory;
    add(&kernel->waits, "k.cu", 7, memory, GPU_STALL_LONG_SCOREBOARD);
    add(&kernel->waits, "k.cu", 9, 0.9 - memory, GPU_STALL_BARRIER);
    kernel_waits_sort(&kernel->waits);
}

static void there_and_back(void **state) {
    struct kernel_report kernel, again;
    make(&kernel, 0.6);
    char error[256] = "";
    assert_true(test_comes_back(&kernel, NULL, NULL, &again, error, sizeof error));
    assert_true(again.waits.known);
    for (int i = 0; i < GPU_STALL_COUNT; i++)
        assert_float_equal(again.waits.share[i], kernel.waits.share[i], 1e-6);
    assert_int_equal(again.waits.count, 2);
    const struct kernel_wait *line = kernel_waits_find(&again.waits, "k.cu", 9);
    assert_non_null(line);
    assert_int_equal(line->stall, GPU_STALL_BARRIER);
    assert_float_equal(line->share, 0.3, 1e-6);
    assert_float_equal(line->stall_share, 0.15, 1e-6);
    assert_null(kernel_waits_find(&again.waits, "k.cu", 8));
    assert_null(kernel_waits_find(&again.waits, "other.cu", 9));
    kernel_report_free(&again);
    kernel.waits.known = false; /* then the report has no such keys */
    assert_true(test_comes_back(&kernel, NULL, NULL, &again, error, sizeof error));
    assert_false(again.waits.known);
    assert_int_equal(again.waits.count, 0);
    kernel_report_free(&again);
    kernel_report_free(&kernel);
}

static void what_is_wrong_is_refused(void **state) {
    static const struct {
        const char *from, *to, *error;
    } cases[] = {
        {"\"stall\":\"barrier\"", "\"stall\":\"boredom\"", "waits[1].stall: not a word that is known here"},
        {"\"barrier\":", "\"boredom\":", "stalls"},
        {"\"line\":9", "\"line\":-9", "waits[1].line"},
        {"\"stall_share\"", "\"share_of_stall\"", "waits[0]"},
    };
    struct kernel_report kernel, again;
    make(&kernel, 0.6);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char error[256] = "";
        assert_false(test_comes_back(&kernel, cases[i].from, cases[i].to, &again, error, sizeof error));
        assert_non_null(strstr(error, cases[i].error));
    }
    kernel_report_free(&kernel);
}

static void several_launches(void **state) {
    ENDED(kernel_report_free) struct kernel_report one, other;
    make(&one, 0.6);
    make(&other, 0.2);
    add(&other.waits, "k.cu", 11, 0.05, GPU_STALL_WAIT);
    assert_true(kernel_waits_fold(&one.waits, 3, &other.waits, 1));
    assert_float_equal(one.waits.share[GPU_STALL_LONG_SCOREBOARD], (0.6 * 3 + 0.2) / 4, 1e-12);
    assert_float_equal(one.waits.share[GPU_STALL_SELECTED], 0.1, 1e-12);
    assert_int_equal(one.waits.count, 3);
    const struct kernel_wait *line = kernel_waits_find(&one.waits, "k.cu", 9);
    assert_float_equal(line->share, (0.3 * 3 + 0.7) / 4, 1e-12);
    assert_float_equal(line->stall_share, line->share / 2, 1e-12);
    assert_float_equal(kernel_waits_find(&one.waits, "k.cu", 11)->share, 0.05 / 4, 1e-12);
    struct kernel_waits unknown = {0};
    assert_true(kernel_waits_fold(&one.waits, 1, &unknown, 1));
    assert_false(one.waits.known);
}

static void the_largest_are_kept(void **state) {
    ENDED(kernel_waits_free) struct kernel_waits waits = {.known = true};
    for (uint32_t i = 0; i < KERNEL_WAITS + 10; i++)
        add(&waits, "k.cu", i + 1, 0.001 * (i * 37 % 101), GPU_STALL_WAIT);
    kernel_waits_sort(&waits);
    assert_int_equal(waits.count, KERNEL_WAITS);
    for (uint32_t i = 1; i < waits.count; i++)
        assert_true(waits.lines[i - 1].share >= waits.lines[i].share);
}

static void in_words(void **state) {
    struct kernel_waits waits = {.known = true};
    char text[256];
    waits.share[GPU_STALL_SELECTED] = 0.5; /* is no wait */
    waits.share[GPU_STALL_BARRIER] = 0.3;
    waits.share[GPU_STALL_LONG_SCOREBOARD] = 0.18;
    waits.share[GPU_STALL_WAIT] = 0.02;
    kernel_waits_words(&waits, text, sizeof text);
    assert_string_equal(text, "the other warps of their block 30 %, data of global or local memory 18 %");
    waits.known = false;
    kernel_waits_words(&waits, text, sizeof text);
    assert_string_equal(text, "");
}

TESTS(UNIT(there_and_back), UNIT(what_is_wrong_is_refused), UNIT(several_launches),
      UNIT(the_largest_are_kept), UNIT(in_words))
