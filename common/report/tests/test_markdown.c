/* A report as Markdown: the tables' rows, and no student's text outside its place. */
#include "support_analysis.h"

#include "report/writers/markdown.h"

static char *text_of(void (*write)(FILE *, const char *), const char *of) {
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    assert_non_null(memory);
    write(memory, of);
    fclose(memory);
    return text;
}

static void marks_are_escaped(void **state) {
    FREED char *text = text_of(markdown_escape, "a|b\n<img src=x> [x](y) @all `c`");
    assert_string_equal(text, "a\\|b \\<img src=x\\> \\[x\\]\\(y\\) \\@all \\`c\\`");
}

static void a_block_is_not_closed_from_inside(void **state) {
    char *text = text_of(markdown_block, "x\n```\n# y\n`````");
    assert_string_equal(text, "``````text\nx\n```\n# y\n`````\n``````\n");
    free(text);
    text = text_of(markdown_block, "");
    assert_string_equal(text, "```text\n```\n");
    free(text);
}

static void goals_and_runs(void **state) {
    struct report report;
    FREED char *text = NULL;
    size_t length;
    report_init(&report, "lab1", "A <b>title</b>");
    report_set_device(&report, DEVICE_SIM, "NVIDIA H200", "h200", "13.0");
    report_add_case(&report, "8 x 8", true, "");
    struct report_run *run = report_add_run(&report, "yours");
    run->time_us = 50;
    run->speedup = 2;
    run->time_source = TIME_MODEL;
    report_add_goal(&report, "bytes", 4, 8, 2, 20, 30);
    report.score_points = 20;
    report.score_max = 30;
    FILE *memory = open_memstream(&text, &length);
    assert_true(report_markdown(memory, &report, NULL));
    fclose(memory);
    assert_non_null(strstr(
        text,
        "## lab1: 20 of 30 points, not passed yet\n\nA \\<b\\>title\\</b\\>. 1 of 1 cases are right.\n"));
    assert_non_null(strstr(text, "\n| bytes | 4 | 8 .. 2 | 20 of 30 |\n"));
    assert_non_null(strstr(text, "\n| yours | 50.00 us | 2.00x | modelled |"));
    assert_non_null(strstr(text, "\n```text\nLab 1  A <b>title</b>\n"));
    report_free(&report);
}

static void a_program_has_no_points(void **state) {
    struct report report;
    FREED char *text = NULL;
    size_t length;
    report_init(&report, "run", "./a.out 5");
    report_set_device(&report, DEVICE_SIM, "NVIDIA H200", "h200", "13.0");
    report_add_run(&report, "yours")->time_us = 50;
    report_set_failure(&report, STAGE_START, "the program ended with status 1");
    FILE *memory = open_memstream(&text, &length);
    assert_true(report_markdown(memory, &report, NULL));
    fclose(memory);
    assert_ptr_equal(strstr(text, "## ./a.out 5: failed\n\n```text\n"), text);
    report_free(&report);
}

TESTS(UNIT(marks_are_escaped), UNIT(a_block_is_not_closed_from_inside), UNIT(goals_and_runs),
      UNIT(a_program_has_no_points))
