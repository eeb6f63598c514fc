/* test_text.c: the terminal report has 80 columns; the page closes its tags; no text of the report
 * becomes markup. */
#include "report/findings/findings.h"
#include "report/tests/support_analysis.h"
#include "report/writers/html.h"
#include "report/writers/html_escape.h"
#include "report/writers/text.h"

#include <ctype.h>
#include <math.h>

enum form { FORM_BRIEF, FORM_PROFILE, FORM_PAGE };

static char *printed(struct report *report, enum form form, const char *root) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    struct gpu_model model;
    char error[512];
    assert_true(gpu_model_load(NULL, "h200", &model, error, sizeof error));
    assert_true(report_add_findings(report, &model));
    if (form == FORM_PAGE)
        assert_true(report_html(to, report, NULL, &model, root, NULL));
    else if (form == FORM_PROFILE)
        report_print_profile(&(struct terminal){to, false, 0}, report, NULL, &model);
    else
        report_print(&(struct terminal){to, false, 0}, report, &model);
    fclose(to);
    return text;
}

/* Every tag is closed, in order. Returns the number of tags. */
static int balanced(const char *page) {
    static const char *const alone[] = {"meta", "br", "wbr", "!DOCTYPE", "rect", "path", "circle", NULL};
    char open[64][16];
    int depth = 0, count = 0;
    for (const char *at = page; (at = strchr(at, '<')) != NULL; at++) {
        char name[16] = "";
        bool close = at[1] == '/';
        size_t length = strcspn(at + 1 + close, " >\n/");
        assert_true(length > 0 && length < sizeof name);
        memcpy(name, at + 1 + close, length);
        bool single = false;
        for (int i = 0; alone[i] != NULL; i++)
            single |= strcmp(alone[i], name) == 0;
        if (single)
            continue;
        count++;
        if (close) {
            assert_true(depth > 0);
            assert_string_equal(open[--depth], name);
        } else {
            assert_true(depth < 64);
            memcpy(open[depth++], name, sizeof name);
        }
    }
    assert_int_equal(depth, 0);
    return count;
}

static void within_80_columns(const char *text) {
    size_t column = 0;
    const char *line = text;
    for (const char *c = text; *c != '\0'; c++) {
        column = *c == '\n' ? 0 : column + (((unsigned char)*c & 0xc0) != 0x80);
        if (*c == '\n')
            line = c + 1;
        if (column > 80)
            fail_msg("longer than 80 columns: %.100s", line);
    }
}

static void any_report_prints(void **state) {
    uint64_t random = 21;
    for (int round = 0; round < 200; round++) {
        struct report report = test_report(&random, round % 4);
        char *text = printed(&report, FORM_PROFILE, NULL), *again = printed(&report, FORM_PROFILE, NULL),
             *page = printed(&report, FORM_PAGE, "/"), *brief = printed(&report, FORM_BRIEF, NULL);
        assert_string_equal(text, again);
        within_80_columns(text);
        within_80_columns(brief);
        assert_true(balanced(page) > 20);
        assert_null(strstr(page, "<tags>"));
        assert_non_null(strstr(page, "&lt;tags&gt;"));
        assert_null(strstr(page, "<script"));
        assert_null(strstr(page, "http"));
        assert_null(strstr(page, "nan"));
        free(text);
        free(again);
        free(page);
        free(brief);
        report_free(&report);
    }
}

/* A settled report prints as its file does, for a simulated and a real GPU. */
static void the_document_says_all(void **state) {
    char folder[] = "/tmp/test_text.XXXXXX", path[64], error[REPORT_ERROR_SIZE];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/report.json", folder);
    uint64_t random = 5;
    for (int round = 0; round < 60; round++) {
        struct report report = test_report(&random, round % 3), again;
        if (round % 2 == 1) {
            assert_true(report_set_device(&report, DEVICE_CUDA, "NVIDIA H100 80GB HBM3", "h100", "13.0"));
            report.runs[1].time_us = 4125.4321987;
            report.runs[1].ci95_us[0] = 4119.9999;
            report.runs[1].ci95_us[1] = 4130.0049;
        }
        report.goals[1].value = 1.0049999999; /* rounds to 1.005 first, so to 1.01 or 1 as in the document */
        assert_true(report_set_text(&report.output, "\xff \x1b[31mred\x1b[0m\n\n\ttab"));
        assert_true(report_write(&report, path, error, sizeof error));
        assert_true(report_settle(&report, error, sizeof error));
        assert_true(report_read(&again, path, error, sizeof error));
        for (enum form form = FORM_BRIEF; form <= FORM_PAGE; form++) {
            char *settled = printed(&report, form, "/"), *read = printed(&again, form, "/");
            assert_string_equal(settled, read);
            if (form == FORM_BRIEF && round % 2 == 1 && report.failure_stage == STAGE_NONE &&
                report.part_count == 0)
                assert_non_null(strstr(settled, "4.120 .. 4.130 ms"));
            free(settled);
            free(read);
        }
        report_free(&report);
        report_free(&again);
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* A student's copy of the kit has no steps and no solution. */
static void what_is_not_here_is_not_advised(void **state) {
    for (int here = 0; here < 2; here++)
        for (int passed = 0; passed < 2; passed++) {
            struct report report;
            assert_true(report_init(&report, "lab2", "tiles") &&
                        report_set_text(&report.source, "kernel.cu") &&
                        report_set_text(&report.not_here, here ? NULL : "steps, solution"));
            report.score_passed = passed;
            char *text = printed(&report, FORM_BRIEF, NULL);
            assert_non_null(strstr(text, "make lab2-profile"));
            assert_int_equal(strstr(text, "make lab2-steps") != NULL, here);
            assert_int_equal(strstr(text, "make lab2-solution") != NULL, here && passed);
            assert_int_equal(strstr(text, "make lab2-hint") != NULL, !passed);
            free(text);
            report_free(&report);
        }
}

/* The reference's shape answers what the learner is to find. */
static void the_reference_keeps_its_shape(void **state) {
    for (int passed = 0; passed < 2; passed++) {
        struct report report;
        assert_true(report_init(&report, "lab2", "tiles") && report_add_case(&report, "1 x 1", true, ""));
        report.score_pass = 60, report.score_passed = passed;
        for (int r = 0; r < 2; r++) {
            struct report_run *run = report_add_run(&report, r == 0 ? "yours" : "reference");
            run->time_us = 50;
            test_gaussian(report_run_add_kernel(run));
        }
        char *text = printed(&report, FORM_BRIEF, NULL), *reference = strstr(text, "  reference ");
        assert_true(reference != NULL && strstr(text, " block ") < reference);
        assert_int_equal(strstr(reference, " block ") != NULL, passed);
        assert_int_equal(strstr(reference, "its shape: once you pass") != NULL, !passed);
        free(text);
        report_free(&report);
    }
}

static void source_is_listed(void **state) {
    char folder[] = "/tmp/test_text.XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/kernel.cu", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int line = 1; line <= 20; line++)
        fprintf(file, line == 14 ? "sum += a[i] < b && \"<b>\";\n" : "// line %d\n", line);
    fclose(file);
    struct report report;
    assert_true(report_init(&report, "lab1", "x"));
    struct report_run *run = report_add_run(&report, "yours");
    test_gaussian(report_run_add_kernel(run));
    run->time_us = 105.6;
    char *page = printed(&report, FORM_PAGE, folder); /* the report says "kernel.cu": found below the root */
    const char *line = strstr(page, "<span class=\"n\">14</span>");
    assert_non_null(line);
    assert_non_null(strstr(line, "global load 6.27 M: 4.8 for 1.0"));
    assert_non_null(strstr(line, "sum += a[i] &lt; b &amp;&amp; &quot;&lt;b&gt;&quot;;"));
    assert_non_null(strstr(page, "// line 20"));
    balanced(page);
    free(page);
    /* The hottest line is the load: it has the strongest background of the page. */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    page = printed(&report, FORM_PAGE, folder);
    assert_non_null(strstr(page, "cannot be read from here"));
    assert_non_null(strstr(page, "<span class=\"n\">14</span>"));
    free(page);
    report_free(&report);
}

/* A card without a model is given the nearest one, and the report says so. */
static void a_model_that_stands_in_is_said(void **state) {
    static const struct {
        const char *gpu;
        bool said;
    } cards[] = {{"NVIDIA GeForce RTX 4090", true}, {"NVIDIA H200", false}};
    for (int i = 0; i < 6; i++) {
        struct report report;
        assert_true(report_init(&report, "lab1", "x"));
        assert_true(report_set_device(&report, DEVICE_CUDA, cards[i / 3].gpu, "h200", "13.0"));
        char *text = printed(&report, (enum form)(i % 3), "/");
        const char *line = strstr(text, "No model is of this chip: ");
        assert_int_equal(line != NULL, cards[i / 3].said);
        if (line != NULL)
            assert_non_null(strstr(line, "(h200)."));
        free(text);
        report_free(&report);
    }
}

/* Remarks: a handful below the verdict, each once, in 80 columns. */
static void remarks_are_shown(void **state) {
    struct report report;
    assert_true(report_init(&report, "lab2", "tiles") && report_set_text(&report.source, "kernel.cu"));
    char *none = printed(&report, FORM_BRIEF, "/");
    assert_null(strstr(none, "Check"));
    for (uint32_t line = 1; line <= 7; line++)
        assert_true(
            report_add_remark(&report, "unwritten", "33 x 9", "/long/path/kernel.cu", line,
                              "reads 4 bytes of shared memory that no thread of the block has written, "
                              "and the result depends on them",
                              line));
    assert_true(report_add_remark(&report, "unwritten", "1 x 1", "/long/path/kernel.cu", 3, "", 1));
    report.cases_passed = 40, report.cases_failed = 2;
    for (enum form form = FORM_BRIEF; form <= FORM_PROFILE; form++) {
        char *text = printed(&report, form, "/");
        const char *check = strstr(text, "\nCheck");
        assert_non_null(check);
        assert_non_null(strstr(check, "  * kernel.cu:2: reads 4 bytes"));
        assert_non_null(strstr(check, "(2 times); case 33 x 9\n"));
        assert_non_null(strstr(check, "in 2 of 42"));
        assert_null(strstr(check, "kernel.cu:5:"));
        assert_non_null(strstr(check, "and 3 more in report.json\n"));
        for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != '\0'))
            assert_true(strcspn(at, "\n") <= 80);
        free(text);
    }
    free(none);
    report_free(&report);
}

/* The simulated GPU's lines are separated from the program's own, and wrapped. */
static void who_printed_what(void **state) {
    struct report report;
    assert_true(report_init(&report, "lab2", "tiles") && report_set_text(&report.source, "kernel.cu"));
    assert_true(report_add_case(&report, "1 x 1", true, ""));
    assert_true(report_set_text(
        &report.output, "first\nsimulated GPU: memset of dst, which has 20000 bytes: 20001 bytes from "
                        "byte 0 on end 1 beyond it\nlast"));
    char *text = printed(&report, FORM_BRIEF, "/");
    assert_non_null(strstr(text, "\nYour program printed\n  first\n  last\n"));
    assert_non_null(strstr(text, "\nThe simulated GPU said to your program\n  memset of dst, which has"));
    within_80_columns(text);
    free(text);
    assert_true(report_set_text(&report.output, "simulated GPU: no more"));
    text = printed(&report, FORM_BRIEF, "/");
    assert_null(strstr(text, "Your program printed"));
    free(text);
    report_free(&report);
}

/* If kernels run for the smaller part, the report says so before their findings. */
static void a_gpu_that_waits_is_said(void **state) {
    static const struct {
        double run, kernel;
        const char *says; /* NULL: nothing */
    } table[] = {{1000, 10, "Kernels work for 2 % of the run's 1.000 ms."},
                 {100, 25, "Kernels work for 50 % of the run's 100.0 us."},
                 {100, 31, NULL},
                 {100, 50, NULL},
                 {(double)NAN, 10, NULL},
                 {100, (double)NAN, NULL}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct report report;
        assert_true(report_init(&report, "lab10", "streams") && report_add_case(&report, "1 x 1", true, ""));
        struct report_run *run = report_add_run(&report, "yours");
        run->time_us = table[i].run;
        for (int k = 0; k < 2; k++) {
            struct kernel_report *kernel = report_run_add_kernel(run);
            test_gaussian(kernel);
            kernel->time_us = table[i].kernel;
        }
        char *text = printed(&report, FORM_BRIEF, "/");
        assert_true((strstr(text, "gaps") != NULL) == (table[i].says != NULL)); /* as the table says */
        bool said = strstr(text, table[i].says != NULL ? table[i].says : "Kernels work for") != NULL;
        if (said != (table[i].says != NULL))
            fail_msg("row %zu:\n%s", i, text);
        within_80_columns(text);
        free(text);
        report_free(&report);
    }
}

/* A what-if is told from 5 % on, where it is more than the time may be off. */
static void what_ifs_are_told(void **state) {
    static const struct {
        double factor, band;
        bool told;
    } cases[] = {{1.4, 0.09, true}, {1.04, 0, false}, {1.2, 0.25, false}, {1.06, (double)NAN, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (enum form form = FORM_BRIEF; form <= FORM_PAGE; form++) {
            struct report report;
            assert_true(report_init(&report, "lab1", "rows"));
            struct kernel_report *kernel = report_run_add_kernel(report_add_run(&report, "yours"));
            test_gaussian(kernel);
            kernel->band_known = isfinite(cases[i].band);
            kernel->band = cases[i].band;
            kernel->what_ifs.count = 1;
            kernel->what_ifs.items[0] =
                (struct kernel_what_if){GPU_LIFT_TAIL, strdup("kernel.cu"), 25, cases[i].factor};
            char *text = printed(&report, form, "/");
            assert_int_equal(strstr(text, "a full last wave of blocks at kernel.cu:25") != NULL,
                             cases[i].told);
            free(text);
            report_free(&report);
        }
}

/* Steps are told at the lab's own settings alone. */
static void steps_are_told(void **state) {
    for (int own = 0; own < 3; own++) {
        struct report report;
        assert_true(report_init(&report, "lab7", "edges") &&
                    report_add_goal(&report, "speedup", 1, 0, 2, 5, 10));
        test_gaussian(report_run_add_kernel(report_add_run(&report, "yours")));
        report.steps =
            (struct report_steps){.count = 3, .reached = own == 1, .title = "rows", .next = "columns"};
        assert_true(own || report_set_text(&report.not_recorded, "SIZE is not the lab's own"));
        char *text = printed(&report, FORM_BRIEF, "/");
        assert_int_equal(strstr(text, "Next: columns.") != NULL, own > 0);
        assert_int_equal(strstr(text, "Step 1 of 3 reached: rows.") != NULL, own == 1);
        assert_int_equal(strstr(text, "; \"rows\" is there, but the time does not") != NULL, own == 2);
        free(text);
        report_free(&report);
    }
}

static void escaped_for_html_and_xml(void **state) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    html_escape(to, "<a b=\"c\"> & \xc3\xbc \xff\xc3 \x01\r\n\t\x1b[1m\xed\xa0\x80.");
    fclose(to);
    assert_string_equal(text, "&lt;a b=&quot;c&quot;&gt; &amp; \xc3\xbc  \n\t[1m.");
    free(text);
}

static void longest_kernels_first(void **state) {
    struct report report;
    assert_true(report_init(&report, "x", "y"));
    struct report_run *run = report_add_run(&report, "program");
    const double times[] = {3, 9, NAN, 9, 1, 20, 5};
    for (int i = 0; i < 7; i++)
        report_run_add_kernel(run)->time_us = times[i];
    uint32_t top[7];
    assert_int_equal(run_top_kernels(run, top, 4), 4);
    const uint32_t four[] = {5, 1, 3, 6}, all[] = {5, 1, 3, 6, 0, 4, 2};
    assert_memory_equal(top, four, sizeof four);
    assert_int_equal(run_top_kernels(run, top, 7), 7);
    assert_memory_equal(top, all, sizeof all);
    assert_int_equal(run_top_kernels(run, top, 1), 1);
    assert_int_equal(top[0], 5);
    report_free(&report);
}

TESTS(UNIT(what_is_not_here_is_not_advised), UNIT(the_reference_keeps_its_shape), UNIT(any_report_prints),
      UNIT(source_is_listed), UNIT(what_ifs_are_told), UNIT(steps_are_told), UNIT(escaped_for_html_and_xml),
      UNIT(the_document_says_all), UNIT(longest_kernels_first), UNIT(a_model_that_stands_in_is_said),
      UNIT(remarks_are_shown), UNIT(who_printed_what), UNIT(a_gpu_that_waits_is_said))
