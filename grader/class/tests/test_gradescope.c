/* test_gradescope.c: what Gradescope is given, its results and the autograder to upload, held against its specification. */
#include "support_platforms.h"

#include "base/child.h"
#include "base/draw/draw.h"
#include "class/score/policy.h"

#include <archive.h>
#include <archive_entry.h>
#include <jansson.h>
#include <math.h>

/* ---- Gradescope (gradescope-autograders.readthedocs.io, Autograder Specifications) */

static void assert_keys(const json_t *object, const char *const *known) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        bool found = false;
        for (size_t i = 0; known[i] != NULL && !found; i++)
            found = strcmp(known[i], key) == 0;
        if (!found)
            fail_msg("\"%s\" is no key of Gradescope's", key);
    }
}

static const char *one_of(const json_t *object, const char *key, const char *const *values) {
    const char *value = json_string_value(json_object_get(object, key));
    for (size_t i = 0; value != NULL && values[i] != NULL; i++)
        if (strcmp(values[i], value) == 0)
            return value;
    return value == NULL ? "" : NULL;
}

/* Only what the specification has, and a score that is the sum of the tests: where both are there Gradescope counts the score
 * and shows the tests. */
/* unknown: the gradebook has no points. Gradescope wants some in every file: there is none. */
static void assert_gradescope_reads(const char *student, const char *lab, bool unknown) {
    static const char *const keys[] = {"score",         "execution_time",     "output",
                                       "output_format", "test_output_format", "test_name_format",
                                       "visibility",    "stdout_visibility",  "extra_data",
                                       "tests",         "leaderboard",        NULL};
    static const char *const test_keys[] = {"score",       "max_score",  "status",     "name",
                                            "name_format", "number",     "output",     "output_format",
                                            "tags",        "visibility", "extra_data", NULL};
    static const char *const visibilities[] = {"hidden", "after_due_date", "after_published", "visible",
                                               NULL};
    static const char *const formats[] = {"text", "html", "simple_format", "md", "ansi", NULL};
    char name[128];
    snprintf(name, sizeof name, "out/gradescope/%s/%s.json", lab, student);
    if (unknown) {
        char path[PATH_SIZE];
        assert_true(path_join(path, folder, name));
        assert_int_not_equal(access(path, F_OK), 0);
        assert_points(student, lab, "");
        return;
    }
    char *text = class_read(name);
    json_auto_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    assert_keys(json, keys);
    assert_non_null(one_of(json, "visibility", visibilities));
    assert_non_null(one_of(json, "output_format", formats));
    double sum = 0, max = 0;
    size_t index;
    json_t *test;
    json_array_foreach(json_object_get(json, "tests"), index, test) {
        assert_keys(test, test_keys);
        double score = json_number_value(json_object_get(test, "score"));
        sum += score;
        max += json_number_value(json_object_get(test, "max_score"));
        assert_true(score >= 0 && score <= json_number_value(json_object_get(test, "max_score")));
    }
    assert_true(fabs(sum - json_number_value(json_object_get(json, "score"))) < 1e-9);
    assert_true(index == 0 || fabs(max - 100) < 1e-9);
    char points[32];
    snprintf(points, sizeof points, "%.10g", json_number_value(json_object_get(json, "score")));
    assert_points(student, lab, points);
}

static void gradescope_adds_up(void **state) {
    static const char *const students[] = {"ann", "bob", "cid", "dee", "eve"};
    class_policy("points = 100\ndevices = sim cuda\ndeadline = 2026-01-02 00:00 Z\n"
                 "late_percent_per_day = 33\n");
    class_write_at("in/ann/kernel.cu", "// one\n", 1767225600);
    class_write_at("in/bob/kernel.cu", "// two\n", 1767225600 + 2 * 86400); /* late */
    class_write_at("in/cid/kernel.cu", "// FLAG\n", 1767225600);
    class_write_at("in/dee/kernel.cu", "// TROUBLE\n", 1767225600);
    class_write_at("in/eve/kernel.cu", "// three\n", 1767225600 + 3 * 86400); /* later */
    class_write(
        "roster.csv",
        "student,submitted\nann,2026-01-01 00:00 Z\nbob,2026-01-03 00:00 Z\ncid,2026-01-01 00:00 Z\ndee,\n"
        "eve,2026-01-04 00:00 Z\n");
    platform_grade(3, "lab1");
    for (size_t i = 0; i < sizeof students / sizeof *students; i++)
        assert_gradescope_reads(students[i], "lab1", strcmp(students[i], "dee") == 0);
}

/* What Gradescope would do twice, or for no lab, is refused before anything is made. */
static void gradescope_refuses(void **state) {
    class_write("policy.ini", "[class]\npoints = 100\n[lab1]\n  Deadline = 2026-01-02 00:00 Z\n");
    /* as an instructor types it, though this test may be of a sanitised build, which makes links */
    const char *said =
        class_shell(-1, "make gradescope LAB=lab1 SANITIZE= BUILD=%s/build POLICY=%s", folder, policy);
    assert_has(said, "has a deadline: Gradescope counts lateness itself");
    said = class_shell(-1, "make gradescope LAB=lab33 SANITIZE= BUILD=%s/build", folder);
    assert_has(said, "there is no lab33; the labs are: ");
    assert_false(class_is_there("build"));
}

/* The key that a policy gives a lab; fails where it gives none. */
static void key_of(const char *text, const char *lab, char key[DRAW_KEY_TEXT]) {
    struct policy read;
    struct policy_rules rules;
    struct draw_key parsed;
    char error[1024];
    if (!policy_parse(&read, text, strlen(text), "policy.ini", error, sizeof error))
        fail_msg("%s\n%s", error, text);
    policy_rules(&read, lab, &rules);
    assert_true(draw_key_parse(&parsed, rules.key));
    snprintf(key, DRAW_KEY_TEXT, "%s", rules.key);
}

#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

/* A platform's files are given one key when they are made: the policy's for this lab, else a new one. */
static void one_key_for_all_submissions(void **state) {
    static const struct {
        const char *policy;
        bool kept;
    } cases[] = {
        {"", false},
        {"# nothing\n", false},
        {"[class]\npoints = 100\n", false},
        {"[lab1]\npoints = 50\n [class] \n[lab2]\npoints = 3\n", false},
        {"[lab2]\nkey = " KEY "\n", false},
        {"[class]\n# key = none\n", false},
        {"[class]\n  key=" KEY "\n", true},
        {"[class]\npoints = 1\n[lab1]\nkey = " KEY "\n", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const make[] = {"common/tools/policy-with-key", "lab1", policy, NULL};
        char output[2][1024], key[2][DRAW_KEY_TEXT];
        class_write("policy.ini", cases[i].policy);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(child_run(make, output[k], sizeof output[k]), 0);
            key_of(output[k], "lab1", key[k]);
        }
        if ((strcmp(key[0], KEY) == 0) != cases[i].kept || (strcmp(key[0], key[1]) == 0) != cases[i].kept)
            fail_msg("case %zu: %s", i, output[0]);
    }
}

/* The archive to upload: setup.sh and run_autograder at its root, to be run, and the kit beside them. */
static void gradescope_archive(void **state) {
    static const char *const needed[] = {"setup.sh", "run_autograder", "lab", "kit/Makefile", "policy.ini"};
    enum { POLICY = 4 };
    unsigned found = 0;
    char text[8192] = "", key[DRAW_KEY_TEXT];
    char path[PATH_SIZE], build[PATH_SIZE], output[1024];
    path_join(build, folder, "build");
    const char *const make[] = {"make", "gradescope", "LAB=lab1", class_print("BUILD=%s", build), NULL};
    if (child_run((const char *const[]){"git", "rev-parse", "HEAD", NULL}, NULL, 0) != 0) {
        print_message("skipped: this is no clone\n");
        skip();
    }
    int status = child_run(make, output, sizeof output);
    if (status != 0)
        fail_msg("%d: %s", status, output);
    path_join(path, build, "autograder-lab1.zip");
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    archive_read_support_format_zip_seekable(archive);
    assert_int_equal(archive_read_open_filename(archive, path, 10240), ARCHIVE_OK);
    while (archive_read_next_header(archive, &entry) == ARCHIVE_OK)
        for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
            if (strcmp(archive_entry_pathname(entry), needed[i]) == 0) {
                found++;
                if (i == POLICY)
                    assert_true(archive_read_data(archive, text, sizeof text - 1) > 0);
                assert_true(i >= 2 || (archive_entry_perm(entry) & 0111) == 0111);
            }
    archive_read_free(archive);
    assert_int_equal(found, sizeof needed / sizeof *needed);
    key_of(text, "lab1", key);
}

TESTS(CLASS_TEST(gradescope_adds_up), CLASS_TEST(gradescope_refuses), CLASS_TEST(one_key_for_all_submissions),
      CLASS_TEST(gradescope_archive))
