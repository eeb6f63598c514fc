/* Every lab as shipped: the starter is right and does not pass, the reference is right and gets full marks.
 * Simulated, at the labs' own sizes, for which the thresholds are; with sanitisers at a smaller one, whatever the points. */
#include "support_lab.h"

#include "lab/judge/measure/beside.h"
#include "lab/judge/run.h"

static bool sanitized(void) {
    return getenv("SANITIZED") != NULL;
}

/* Judge, time and score `variant` as if it were the student's, beside starter and reference, which are measured once, as in
 * make lab1. */
static void score(const char *lab, const char *variant, struct report *report) {
    static struct settings s;
    struct run run;
    ENDED(report_free) struct report beside;
    char key[BESIDE_KEY];
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    char output[4096];
    assert_true(settings_init(&s, error, sizeof error));
    resolve_lab(&s, lab);
    if (sanitized()) {
        s.width = 640;
        s.height = 400;
    }
    run_init(&run, &s);
    settings_program(&s, variant, run.variants[run.judged].program);
    if (!beside_key(&s, key, error, sizeof error) ||
        !beside_load(&s, key, folder, &beside, error, sizeof error))
        fail_msg("%s", error);
    run.known = &beside;
    assert_true(run_report_begin(report, &s));
    if (!run_judge(&run, report, &wrong, output, sizeof output, &failure))
        fail_msg("%s of %s: %s", variant, lab, failure.message);
}

/* Its narrow blocks were run as wide ones, too: right, faster, and not what was measured. */
static void check_tried(const struct report *report) {
    const struct report_run *yours = report_find_part_run(report, "", "yours");
    assert_non_null(yours);
    const struct kernel_report *kernel = &yours->kernels[0];
    assert_int_equal(kernel->block[0], 8);
    assert_in_range(kernel->tried_count, 1, KERNEL_TRIED);
    assert_int_equal(kernel->tried[0].why, CODE_NARROW_BLOCK);
    assert_true(kernel->tried[0].same && kernel->tried[0].block[0] == 32);
    assert_true(kernel->tried[0].time_us < 0.7 * kernel->time_us);
}

static void check_starter(const char *lab) {
    ENDED(report_free) struct report report;
    score(lab, "starter", &report);
    if (sanitized())
        return;
    if (report.score_passed || report.score_points > 0.25 * report.score_max)
        fail_msg("the starter of %s gets %g of %g points", lab, report.score_points, report.score_max);
    if (strcmp(lab, "lab1") == 0)
        check_tried(&report);
}

static void check_reference(const char *lab) {
    ENDED(report_free) struct report report;
    score(lab, "reference", &report);
    if (!sanitized() && (!report.score_passed || report.score_points < report.score_max))
        fail_msg("the reference of %s gets %g of %g points", lab, report.score_points, report.score_max);
}

/* A starter that computes nothing is told so. */
static void check_skeleton(const char *lab) {
    static struct settings s;
    ENDED(report_free) struct report report;
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    char program[PATH_SIZE], output[4096];
    assert_true(settings_init(&s, error, sizeof error));
    resolve_lab(&s, lab);
    settings_program(&s, "starter", program);
    assert_true(report_init(&report, lab, "T"));
    assert_false(judge_correctness(&s, program, &report, &wrong, output, sizeof output, &failure));
    assert_int_equal(report.cases_passed, 0);
    assert_non_null(strstr(wrong.diagnosis.text, "nothing is written"));
    assert_non_null(strstr(wrong.diagnosis.text, "README.md"));
}

/* One lab: *state is its name. */
static void as_shipped(void **state) {
    const char *id = *state;
    static struct settings s;
    struct lab lab;
    assert_true(settings_init(&s, error, sizeof error));
    if (!lab_load(s.root, id, &lab, error, sizeof error))
        fail_msg("%s", error);
    /* The large labs take minutes there, and bring nothing that the others and the wrong solutions do not; one starter is judged. */
    if (sanitized() && strcmp(lab.problem->function, "gaussian_blur") != 0) {
        print_message("skipped: built with sanitisers the simulator would take minutes\n");
        skip();
    }
    if (lab.baseline[0] != '\0')
        check_skeleton(id);
    else if (!sanitized() || strcmp(id, "lab1") == 0)
        check_starter(id);
    check_reference(id);
}

int main(void) {
    static struct settings s;
    static char names[LABS_MOST][16];
    unsigned numbers[LABS_MOST], count;
    if (!settings_init(&s, error, sizeof error) || (count = lab_numbers(s.root, numbers)) == 0) {
        fprintf(stderr, "no labs: %s\n", error);
        return 1;
    }
    struct CMUnitTest tests[LABS_MOST];
    for (unsigned i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "lab%u", numbers[i]);
        tests[i] = (struct CMUnitTest){names[i], as_shipped, NULL, NULL, names[i]};
    }
    return _cmocka_run_group_tests("labs", tests, count, make_folder, remove_folder);
}
