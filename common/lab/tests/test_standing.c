/* Where a learner stands: what a run makes of it, that it survives, what counts for it, what an earlier kit left. */
#include "support_lab.h"

#include "base/file.h"
#include "lab/learner/standing.h"

/* Settings whose learner, and whose build, is this test's. */
static struct settings *own_settings(const char *lab) {
    static struct settings s;
    assert_true(settings_init(&s, error, sizeof error));
    snprintf(s.keep, sizeof s.keep, "%s", folder);
    snprintf(s.build, sizeof s.build, "%s/build", folder);
    s.device = DEVICE_SIM;
    if (!settings_resolve(&s, lab, error, sizeof error))
        fail_msg("%s", error);
    return &s;
}

static void finished(struct standing *standing, double points, bool passed, enum report_stage stage) {
    ENDED(report_free) struct report report;
    assert_true(report_init(&report, "lab1", "T"));
    assert_true(report_set_device(&report, DEVICE_SIM, "NVIDIA H200", "h200", NULL));
    report.score_points = points;
    report.score_max = 100;
    report.score_passed = passed;
    if (stage != STAGE_NONE)
        assert_true(report_set_failure(&report, stage, "why"));
    standing_take(standing, &report, 0x1234);
}

static void a_worse_run_takes_nothing_back(void **state) {
    struct standing standing = {0};
    finished(&standing, 0, false, STAGE_BUILD);
    assert_true(standing.best.present && !standing.passed);
    finished(&standing, 0, false, STAGE_NONE); /* no points, but it computes the right thing */
    assert_string_equal(standing.best.stage, "");
    finished(&standing, 80, true, STAGE_NONE);
    finished(&standing, 36.6, false, STAGE_NONE);
    assert_true(standing.passed);
    assert_true(standing.best.points == 80 && standing.last.points == 36.6);
    finished(&standing, 0, false, STAGE_CORRECTNESS);
    assert_true(standing.passed && standing.best.points == 80);
    assert_string_equal(standing.last.stage, "correctness");
}

static void what_is_kept_is_read_again(void **state) {
    struct settings *s = own_settings("lab1");
    struct standing standing = {0}, again = {0};
    char path[PATH_SIZE];
    finished(&standing, 36.6, true, STAGE_NONE);
    finished(&standing, 0, false, STAGE_FAULT);
    standing.hints = 3;
    if (!standing_save(s, &standing, error, sizeof error) || !standing_load(s, &again, error, sizeof error))
        fail_msg("%s", error);
    assert_true(again.passed && again.hints == 3 && again.source == 0x1234);
    assert_true(again.best.points == 36.6 && again.best.max == 100 && again.best.modelled);
    assert_string_equal(again.best.gpu, "NVIDIA H200");
    assert_string_equal(again.best.stage, "");
    assert_string_equal(again.last.stage, "fault");

    /* a damaged file is told, not taken for none */
    path_print(path, "%s/labs/%s-%s/.progress.ini", folder, s->lab.id, s->lab.topic);
    assert_true(file_write(path, "passed = ye", 11, error, sizeof error));
    assert_false(standing_load(s, &again, error, sizeof error));
    assert_non_null(strstr(error, ".progress.ini:1: passed is yes or no"));
    assert_int_equal(unlink(path), 0);
}

static void backups_lie_beside_the_kernel(void **state) {
    struct settings *s = own_settings("lab2");
    char path[PATH_SIZE], own[PATH_SIZE];
    standing_backups(s, path);
    path_print(own, "%s/labs/%s-%s/backups", folder, s->lab.id, s->lab.topic);
    assert_string_equal(path, own);
}

static void only_the_lab_as_it_stands_counts(void **state) {
    static const struct {
        const char *lab, *option, *value, *says; /* "": it counts */
    } table[] = {
        {"lab1", "--size", "64x48", "SIZE is not the lab's own"},
        {"lab1", "--size", "2560x1600", ""},
        {"lab4", "--size", "8192x4096", "SIZE is not the lab's own"}, /* part B has another */
        {"lab1", "--gpu", "t4", "GPU is not the lab's own"},
        {"lab1", "--gpu", "h200", ""},
        {"lab1", "--seed", "2", "SEED is not the lab's own"},
        {"lab1", "--seed", "1", ""},
        {"lab1", "--strict", "0", "STRICT is not the lab's own"},
        {"lab1", "--rounds", "3", ""}, /* nothing is timed */
        {"lab1", "--timeout", "30", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        ENDED(settings_free) struct settings s;
        char why[128], *arguments[] = {(char *)table[i].option, (char *)table[i].value};
        assert_true(settings_init(&s, error, sizeof error));
        assert_int_equal(settings_option(&s, 2, arguments, error, sizeof error), 2);
        s.device = DEVICE_SIM;
        snprintf(s.build, sizeof s.build, "%s/build", folder);
        if (!settings_resolve(&s, table[i].lab, error, sizeof error))
            fail_msg("%s", error);
        assert_int_equal(settings_standard(&s, why, sizeof why), table[i].says[0] == '\0');
        assert_string_equal(why, table[i].says);
        if (i == 0) { /* several are named together */
            s.strict = false;
            assert_false(settings_standard(&s, why, sizeof why));
            assert_string_equal(why, "SIZE, STRICT are not the lab's own");
            s.sized = false;
            s.strict = true;
            s.device = DEVICE_CUDA; /* a few rounds are no measurement */
            s.rounds = 3;
            assert_false(settings_standard(&s, why, sizeof why));
            assert_string_equal(why, "ROUNDS is not the lab's own");
        }
    }
}

/* Earlier kits had hints and scores in the build folder alone. */
static void an_earlier_standing_is_adopted(void **state) {
    struct settings *s = own_settings("lab3");
    struct standing standing;
    ENDED(report_free) struct report report;
    char path[PATH_SIZE];
    assert_true(standing_load(s, &standing, error, sizeof error));
    assert_true(!standing.passed && !standing.best.present && standing.hints == 0);

    path_join(path, s->folder, "hints");
    assert_true(file_write(path, "4\n", 2, error, sizeof error));
    assert_true(report_init(&report, "lab3", "T"));
    assert_true(report_set_device(&report, DEVICE_SIM, "NVIDIA H200", "h200", NULL));
    report.problem.width = 2560;
    report.problem.height = 1600;
    report.problem.seed = 1;
    report.score_points = 70;
    report.score_passed = true;
    path_join(path, s->folder, "report.json");
    assert_true(report_write(&report, path, error, sizeof error));
    assert_true(standing_load(s, &standing, error, sizeof error));
    assert_true(standing.passed && standing.best.points == 70 && standing.hints == 4);

    path_print(path, "%s/labs/%s-%s/.progress.ini", folder, s->lab.id, s->lab.topic); /* it was taken over */
    assert_int_equal(unlink(path), 0);
    path_join(path, s->folder, "report.json");
    report.problem.width = 1; /* a game, not the lab */
    assert_true(report_write(&report, path, error, sizeof error));
    assert_true(standing_load(s, &standing, error, sizeof error));
    assert_true(!standing.passed && !standing.best.present && standing.hints == 4);
}

TESTS_BETWEEN(make_folder, remove_folder, UNIT(a_worse_run_takes_nothing_back),
              UNIT(what_is_kept_is_read_again), UNIT(backups_lie_beside_the_kernel),
              UNIT(only_the_lab_as_it_stands_counts), UNIT(an_earlier_standing_is_adopted))
