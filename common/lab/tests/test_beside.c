/* Starter and reference are measured once for all that they depend on; a report has the same bytes either way. */
#include "support_lab.h"

#include "base/file.h"
#include "lab/judge/measure/beside.h"
#include "lab/judge/run.h"
#include <glob.h>

enum { REPORT_LIMIT = 1 << 20 };

/* Lab 4 has two parts and a copy beside the reference; small, so that it takes no time. */
static int set_up(void **state) {
    if (make_folder(state) != 0)
        return -1;
    settings.sized = true;
    settings.width = 4096;
    settings.height = 1;
    resolve_lab(&settings, "lab4");
    return 0;
}

static void load(const char *key, struct report *beside) {
    if (!beside_load(&settings, key, folder, beside, error, sizeof error))
        fail_msg("%s", error);
}

static void the_file(char path[PATH_SIZE]) {
    char pattern[PATH_SIZE];
    glob_t files;
    assert_true(path_join(pattern, folder, "beside-*.json"));
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    assert_int_equal(files.gl_pathc, 1);
    assert_true(path_print(path, "%s", files.gl_pathv[0]));
    globfree(&files);
}

/* The measured part of a run with the reference in the student's place. */
static char *measured(struct report *known, const char *name) {
    struct run run;
    ENDED(report_free) struct report report;
    struct judge_wrong wrong = {.present = false};
    struct failure failure = {.stage = STAGE_NONE};
    char path[PATH_SIZE];
    assert_true(run_report_begin(&report, &settings));
    run_init(&run, &settings);
    settings_program(&settings, "reference", run.variants[run.judged].program);
    run.known = known;
    if (!run_measure(&run, &report, &wrong, &failure))
        fail_msg("%s", failure.message);
    assert_true(path_join(path, folder, name));
    assert_true(report_write(&report, path, error, sizeof error));
    return file_read(path, REPORT_LIMIT, NULL, error, sizeof error);
}

static void test_a_report_has_the_same_bytes(void **state) {
    ENDED(report_free) struct report beside;
    load("0123456789abcdef", &beside);
    assert_int_equal(beside.run_count, 5); /* starter, reference, copy; starter, reference */
    FREED char *known = measured(&beside, "known.json"), *all = measured(NULL, "all.json");
    assert_non_null(known);
    assert_non_null(all);
    assert_string_equal(known, all);
}

static void test_it_is_measured_once(void **state) {
    struct report beside;
    char path[PATH_SIZE], simgpu[PATH_SIZE];
    load("0123456789abcdef", &beside);
    report_free(&beside);
    memcpy(simgpu, settings.simgpu, sizeof simgpu);
    snprintf(settings.simgpu, sizeof settings.simgpu, "/nonexistent/simgpu");
    load("0123456789abcdef", &beside);
    report_free(&beside);
    /* another key: measured, which needs a simulator */
    assert_false(beside_load(&settings, "0123456789abcdee", folder, &beside, error, sizeof error));
    assert_non_null(strstr(error, "cannot be measured"));
    memcpy(settings.simgpu, simgpu, sizeof simgpu);
    load("0123456789abcdee", &beside);
    report_free(&beside);
    the_file(path); /* and the one that is no longer wanted is gone */
    assert_non_null(strstr(path, "0123456789abcdee"));
    assert_true(file_write(path, "{ \"schema\": 2,", 14, error, sizeof error));
    load("0123456789abcdee", &beside); /* damaged: measured again */
    assert_int_equal(beside.run_count, 5);
    report_free(&beside);
}

static void key_of(char key[BESIDE_KEY]) {
    if (!beside_key(&settings, key, error, sizeof error))
        fail_msg("%s", error);
}

static void test_the_key_knows_what_it_depends_on(void **state) {
    char first[BESIDE_KEY], again[BESIDE_KEY], other[BESIDE_KEY], path[PATH_SIZE];
    key_of(first);
    key_of(again);
    assert_string_equal(first, again);
    snprintf(settings.gpu, sizeof settings.gpu, "gtx980");
    key_of(other);
    assert_string_not_equal(first, other);
    snprintf(settings.gpu, sizeof settings.gpu, "h200");
    settings.strict = !settings.strict;
    key_of(other);
    assert_string_not_equal(first, other);
    settings.strict = !settings.strict;
    assert_true(path_join(path, folder, "simgpu"));
    assert_true(file_write(path, "another one", 11, error, sizeof error));
    char simgpu[PATH_SIZE];
    memcpy(simgpu, settings.simgpu, sizeof simgpu);
    memcpy(settings.simgpu, path, sizeof path);
    key_of(other);
    assert_string_not_equal(first, other);
    unlink(path);
    assert_false(beside_key(&settings, other, error, sizeof error));
    assert_non_null(strstr(error, path));
    memcpy(settings.simgpu, simgpu, sizeof simgpu);
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(test_a_report_has_the_same_bytes), UNIT(test_it_is_measured_once),
              UNIT(test_the_key_knows_what_it_depends_on))
