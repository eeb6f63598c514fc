/* test_changes.c: lines are matched through an edit; the differences of two runs are told. */
#include "report/document/changes.h"
#include "report/tests/support_analysis.h"

static void expect_from(const char *before, const char *after, const uint32_t *expected,
                        uint32_t expected_count) {
    uint32_t count, *from = changes_follow(before, after, &count);
    assert_non_null(from);
    assert_int_equal(count, expected_count);
    for (uint32_t i = 0; i < expected_count; i++)
        assert_int_equal(from[i + 1], expected[i]);
    free(from);
}

static void lines_are_followed(void **state) {
    expect_from("a\nb\nc\n", "a\nb\nc\n", (const uint32_t[]){1, 2, 3}, 3);
    expect_from("a\nb\nc\n", "x\na\n  b\nc", (const uint32_t[]){0, 1, 2, 3}, 4); /* inserted; indented anew */
    expect_from("a\nb\nc\n", "a\nc\n", (const uint32_t[]){1, 3}, 2);
    expect_from("a\nb\nc\n", "a\nB\nc\n", (const uint32_t[]){1, 0, 3}, 3);
    expect_from("", "a\n", (const uint32_t[]){0}, 1);
    expect_from("a\n", "", NULL, 0);
}

/* A report of one run with these global loads: line, requests, sectors; line 0 ends the list. */
struct load {
    uint32_t line;
    uint64_t requests, sectors;
};

static struct report with_loads(double time_us, const struct load *loads) {
    struct report report;
    assert_true(report_init(&report, "lab1", "x"));
    struct report_run *run = report_add_run(&report, "yours");
    run->time_us = time_us;
    struct kernel_report *kernel = report_run_add_kernel(run);
    assert_non_null(kernel);
    assert_true(report_set_text(&kernel->name, "k"));
    kernel->limiter = GPU_L1;
    kernel->time_us = time_us;
    kernel->registers = 32;
    kernel->lines = calloc(8, sizeof *kernel->lines);
    assert_non_null(kernel->lines);
    for (; loads->line > 0; loads++) {
        struct kernel_line *line = &kernel->lines[kernel->line_count++];
        assert_true(report_set_text(&line->file, "/tmp/x/kernel.cu"));
        line->line = loads->line;
        line->kind = LINE_GLOBAL_LOAD;
        line->requests = loads->requests;
        line->transactions = loads->sectors;
        line->ideal = loads->requests;
        line->threads = 32 * loads->requests;
    }
    return report;
}

static bool told(const struct changes *changes, const char *text) {
    for (uint32_t i = 0; i < changes->count; i++)
        if (strcmp(changes->items[i].text, text) == 0)
            return true;
    for (uint32_t i = 0; i < changes->count; i++)
        print_message("told: %s\n", changes->items[i].text);
    print_message("not told: %s\n", text);
    return false;
}

static void what_differs_is_told(void **state) {
    static const char before_source[] = "int x;\nload a;\nstay;\nload b;\ngone c;\nend;\n";
    static const char after_source[] = "int x;\nnew;\nload a;\nstay;\nload b differently;\nend;\n";
    ENDED(report_free)
    struct report before = with_loads(
                      100, (const struct load[]){{2, 1000, 4840}, {4, 1000, 4000}, {5, 10, 10}, {0, 0, 0}}),
                  after = with_loads(50, (const struct load[]){{3, 1000, 1860}, {5, 500, 2000}, {0, 0, 0}});
    struct changes changes = {0};
    assert_true(changes_between(&before, before_source, &after, after_source, &changes));
    assert_string_equal(changes.items[0].text, "time 100.0 us -> 50.00 us, 2.00x faster");
    assert_true(told(&changes, "kernel.cu:3 global load: 4.84 -> 1.86 sectors per request")); /* it moved */
    /* Two loads stood between "stay" and "end", now one: it cannot be matched. */
    assert_true(told(&changes, "kernel.cu:5 global load: new, 500 requests of 4 sectors"));
    assert_true(told(&changes, "kernel.cu:4 global load (as it was): gone, 1000 requests"));
    assert_true(told(&changes, "kernel.cu:5 global load (as it was): gone, 10 requests"));
    assert_int_equal(changes.count, 5);
}

/* Registers of two kernels of different names are not compared, and other things than accesses have no requests. */
static void kernels_of_one_name_are_compared(void **state) {
    ENDED(report_free)
    struct report before = with_loads(100, (const struct load[]){{2, 1000, 4000}, {0, 0, 0}}),
                  after = with_loads(50, (const struct load[]){{2, 1000, 4000}, {3, 9, 9}, {0, 0, 0}});
    struct changes changes = {0};
    struct kernel_report *now = &after.runs[0].kernels[0], *other;
    now->registers = 64;
    now->lines[1].kind = LINE_WIDE_INTEGER;
    assert_true(report_set_text(&now->name, "fused(int)"));
    assert_true(changes_between(&before, NULL, &after, NULL, &changes));
    assert_int_equal(changes.count, 1); /* the time */
    other = report_run_add_kernel(&before.runs[0]);
    assert_non_null(other);
    assert_true(report_set_text(&other->name, "fused(int)"));
    other->limiter = GPU_L1, other->registers = 40, other->time_us = 1;
    assert_non_null(other = report_run_add_kernel(&after.runs[0]));
    assert_true(report_set_text(&other->name, "k"));
    other->limiter = GPU_L1, other->time_us = 1;
    changes.count = 0;
    assert_true(changes_between(&before, NULL, &after, NULL, &changes));
    assert_true(told(&changes, "fused, registers of a thread 40 -> 64"));
}

static void an_edited_line_is_the_same_where_it_is_alone(void **state) {
    ENDED(report_free)
    struct report before = with_loads(100, (const struct load[]){{2, 1000, 4000}, {0, 0, 0}}),
                  after = with_loads(100, (const struct load[]){{2, 500, 2000}, {0, 0, 0}});
    struct changes changes = {0};
    assert_true(changes_between(&before, "a\nload b;\nc\n", &after, "a\nload d;\nc\n", &changes));
    assert_true(told(&changes, "kernel.cu:2 global load: 1000 -> 500 requests"));
    assert_true(told(&changes, "time 100.0 us, as before"));
    assert_int_equal(changes.count, 2);
}

static void any_two_reports_can_be_compared(void **state) {
    uint64_t random = 7;
    for (int round = 0; round < 100; round++) {
        ENDED(report_free)
        struct report before = test_report(&random, 1 + round % 4),
                      after = test_report(&random, 1 + round % 3);
        struct changes changes = {0};
        assert_true(changes_between(&before, NULL, &after, NULL, &changes));
        assert_true(changes.count <= CHANGES_MOST);
        for (uint32_t i = 1; i < changes.count; i++)
            assert_true(changes.items[i - 1].weight >= changes.items[i].weight);
    }
}

TESTS(UNIT(lines_are_followed), UNIT(what_differs_is_told), UNIT(kernels_of_one_name_are_compared),
      UNIT(an_edited_line_is_the_same_where_it_is_alone), UNIT(any_two_reports_can_be_compared))
