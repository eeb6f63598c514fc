/* test_classroom50.c: a download of gh teacher's, its lists as the roster, scores.json and
 * result.json, held against the published schemas classroom50/result/v1 and
 * classroom50/scores/v1 (required keys, types, patterns, no other keys where they forbid them). */
#include "support_platforms.h"

#include "base/child.h"
#include "base/home.h"
#include "class/intake/roster.h"

#include <jansson.h>
#include <regex.h>

#define DOWNLOAD "cs1-lab1_submissions_2026_03_02_T_10_00_00"
#define HEAD                                                                                                 \
    "username,first_name,last_name,email,section,score,max_score,datetime,submission_tag,submitted_by,"      \
    "review_url,late,override\n"

/* ---- the schemas */

enum { STRING, INTEGER, BOOLEAN, ARRAY, OBJECT };
struct rule {
    const char *key;
    int type;
    bool required;
    const char *pattern; /* of a string, NULL: any that is not empty */
};

#define INSTANT "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"

/* assignment: a record of scores.json has none. The runner adds assignment_type and owner to
 * what an autograder writes. */
static const struct rule result_rules[] = {{"schema", STRING, true, "^classroom50/result/v1$"},
                                           {"classroom", STRING, true, NULL},
                                           {"assignment", STRING, true, NULL},
                                           {"submission", STRING, true, "^submit/"},
                                           {"commit", STRING, true, NULL},
                                           {"release", STRING, true, NULL},
                                           {"review", STRING, true, NULL},
                                           {"datetime", STRING, true, INSTANT},
                                           {"score", INTEGER, true, NULL},
                                           {"max-score", INTEGER, true, NULL},
                                           {"tests", ARRAY, true, NULL},
                                           {NULL, 0, false, NULL}};
static const struct rule test_rules[] = {{"test-name", STRING, true, NULL},
                                         {"passed", BOOLEAN, true, NULL},
                                         {"score", INTEGER, true, NULL},
                                         {"max-score", INTEGER, true, NULL},
                                         {NULL, 0, false, NULL}};

static bool has_type(const json_t *value, int type) {
    return type == STRING    ? json_is_string(value)
           : type == INTEGER ? json_is_integer(value) && json_integer_value(value) >= 0
           : type == BOOLEAN ? json_is_boolean(value)
           : type == ARRAY   ? json_is_array(value)
                             : json_is_object(value);
}

static void assert_matches(const char *text, const char *pattern) {
    regex_t compiled;
    assert_int_equal(regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB), 0);
    int status = regexec(&compiled, text, 0, NULL, 0);
    regfree(&compiled);
    if (status != 0)
        fail_msg("'%s' is not %s", text, pattern);
}

static void assert_is(const json_t *object, const struct rule *rules, bool closed) {
    const char *key;
    json_t *value;
    for (const struct rule *rule = rules; rule->key != NULL; rule++) {
        const json_t *found = json_object_get(object, rule->key);
        if (found == NULL ? rule->required : !has_type(found, rule->type))
            fail_msg("%s is missing, or has another type", rule->key);
        if (found != NULL && rule->type == STRING)
            assert_matches(json_string_value(found), rule->pattern != NULL ? rule->pattern : ".");
    }
    json_object_foreach((json_t *)object, key, value) {
        const struct rule *rule = rules;
        while (closed && rule->key != NULL && strcmp(rule->key, key) != 0)
            rule++;
        if (closed && rule->key == NULL)
            fail_msg("%s is no key of the schema's", key);
    }
    assert_true(json_integer_value(json_object_get(object, "score")) <=
                json_integer_value(json_object_get(object, "max-score")));
}

/* ---- a download */

static void class_of_three(void) {
    static const char *const clones[] = {"jane-doe", "max", "solo"};
    platform_policy();
    for (int i = 0; i < 3; i++) {
        class_write(class_print(DOWNLOAD "/cs1-lab1-%s/.classroom50.yaml", clones[i]), "classroom: cs1\n");
        class_write(class_print(DOWNLOAD "/cs1-lab1-%s/result.json", clones[i]), "{}\n");
        class_write(class_print(DOWNLOAD "/cs1-lab1-%s/results.json", clones[i]), "[]\n");
    }
    class_write(DOWNLOAD "/cs1-lab1-jane-doe/kernel.cu", "// one\n");
    class_write(DOWNLOAD "/cs1-lab1-max/labs/lab1-memory-layout/kernel.cu", "// WRONG `` ```\n");
    class_write(DOWNLOAD "/cs1-lab1-solo/notes.txt", "x\n");
    class_write(
        DOWNLOAD "/scores.csv", HEAD
        "jane-doe,Jane,Doe,jane@x.edu,A,4,5,2026-01-02T01:00:00Z,submit/2026-01-02T01-00-00Z-a1b2c3d,jane-doe,"
        "https://x/1,true,\n"
        "jane-doe,Jane,Doe,jane@x.edu,A,3,5,2026-01-01T01:00:00Z,submit/2026-01-01T01-00-00Z-a1b2c3e,jane-doe,"
        "https://x/2,false,\n"
        "max,Max,Mu,max@x.edu,A,0,5,2026-01-01T02:00:00Z,submit/2026-01-01T02-00-00Z-a1b2c3f,max,https://x/3,"
        "false,true\n"
        "solo,So,Lo,solo@x.edu,A,0,5,2026-01-01T03:00:00Z,submit/2026-01-01T03-00-00Z-a1b2c40,solo,https://"
        "x/4,false,\n"
        "nemo,Ne,Mo,nemo@x.edu,A,,,,,,,,\n");
    path_join(in, folder, DOWNLOAD);
}

/* The newest row of a student is the time; a blank one is nobody's; without LAB the folders'
 * names say which. */
static void download_and_scores(void **state) {
    class_of_three();
    class_policy("points = 100\ndeadline = 2026-01-02 00:00 Z\n"
                 "late_percent_per_day = 50\n");
    class_grade_says("3 handed in (Classroom 50), 2 with a kernel.cu, 1 of the roster with nothing (nemo)\n",
                     0, "--submissions @" DOWNLOAD " --policy @policy.ini --roster @" DOWNLOAD "/scores.csv");
    const struct csv *csv = platform_csv("grades.csv");
    assert_string_equal(platform_cell_of(csv, "student", "jane-doe", "late_days"), "1");
    assert_string_equal(platform_cell_of(csv, "student", "max", "late_days"), "0");
    assert_string_equal(platform_cell_of(csv, "student", "max", "submitted"), "2026-01-01T02:00:00Z");
    assert_string_equal(platform_cell_of(csv, "student", "nemo", "outcome"), "missing");
    char *page = class_read("out/feedback/lab1/jane-doe.txt");
    assert_has_not(page, "ignored"); /* the platform's own files */
    class_has("out/classroom50/lab1/cs1-lab1-max.md", "# lab1: 0 of 100 points, not passed\n",
              "\\<b\\>1 of 49\\</b\\> cases.\n\n```text\n");
}

/* Under another name nothing tells where the username begins. */
static void another_folders_name(void **state) {
    class_of_three();
    char renamed[PATH_SIZE];
    path_join(renamed, folder, "mine");
    assert_int_equal(rename(in, renamed), 0);
    class_grade_says("Rename it to CLASSROOM-ASSIGNMENT-submissions", 1, "--lab lab1 --submissions @mine");
}

/* A class's own scores.csv beside folders per student is a file of nobody's, and no more. */
static void another_scores_csv(void **state) {
    class_kernels("ann", "// one\n", "bob-b", "// two\n");
    class_write("in/scores.csv", "mine\n");
    class_grade_says("scores.csv belongs to no student", 3, LAB1);
}

static void classrooms_roster(void **state) {
    static const char text[] =
        "username,first_name,last_name,email,section,github_id,role\n"
        "octocat,Octo,Cat,o@x.edu,A,5,student\nboss,Bo,Ss,,A,6,teacher\nhelp,He,Lp,,A,7,ta\n";
    struct roster r;
    assert_true(roster_parse(&r, text, sizeof text - 1, "roster.csv", error, sizeof error));
    assert_int_equal(r.count, 1);
    assert_string_equal(r.students[0].id, "octocat");
    assert_string_equal(r.students[0].name, "Octo Cat");
    roster_free(&r);
    static const char older[] = "username,first_name,last_name,email,section,github_id\nocto,O,C,,A,5\n";
    assert_true(roster_parse(&r, older, sizeof older - 1, "roster.csv", error, sizeof error));
    assert_int_equal(r.count, 1);
    roster_free(&r);
}

/* ---- scores.json */

#define RECORD(owner, score)                                                                                 \
    "{\"schema\": \"classroom50/result/v1\", \"classroom\": \"cs1\", \"assignment_type\": \"individual\", "  \
    "\"owner\": \"" owner "\", \"submission\": \"submit/2026-01-01T00-00-00Z-a1b2c3d\", \"commit\": "        \
    "\"https://x/c\", \"release\": \"https://x/r\", \"review\": \"https://x/v\", \"datetime\": "             \
    "\"2026-01-01T00:00:00Z\", \"score\": " score ", \"max-score\": 5, \"tests\": [], \"late\": false}"

static json_t *entry_of(const json_t *scores, const char *slug, const char *owner) {
    json_t *entries =
        json_object_get(json_object_get(json_object_get(scores, "assignments"), slug), "entries");
    json_t *entry;
    size_t i;
    json_array_foreach(entries, i, entry) {
        if (strcmp(json_string_value(json_object_get(entry, "owner")), owner) == 0)
            return entry;
    }
    fail_msg("no entry of %s", owner);
    return NULL;
}

static json_int_t newest(const json_t *entry, const char *key) {
    return json_integer_value(json_object_get(json_array_get(json_object_get(entry, "submissions"), 0), key));
}

static void scores_are_updated(void **state) {
    static const char given[] =
        "{\"schema\": \"classroom50/scores/v1\", \"assignments\": {\"lab1\": {\"type\": \"individual\", "
        "\"collected_at\": \"2026-01-03T00:00:00Z\", \"entries\": [{\"owner\": \"Jane-Doe\", \"submissions\": "
        "[" RECORD("Jane-Doe", "4") ", " RECORD(
            "Jane-Doe",
            "3") "]}, {\"owner\": \"max\", \"override\": true, "
                 "\"submissions\": [" RECORD(
                     "max",
                     "5") "], \"by_hand\": 1}, {\"owner\": \"other\", \"submissions\": "
                          "[" RECORD(
                              "other",
                              "2") "]}]}, \"lab2\": {\"type\": \"individual\", \"entries\": [{\"owner\": \"max\", "
                                   "\"submissions\": [" RECORD("max", "1") "]}]}}}";
    char path[PATH_SIZE];
    class_of_three();
    class_write("scores.json", given);
    path_join(path, folder, "scores.json");
    static const char arguments[] =
        "--lab lab1 --submissions @" DOWNLOAD " --policy @policy.ini --roster @" DOWNLOAD
        "/scores.csv --scores @scores.json";
    class_grade_says("1 with a grade have no entry there", 0, arguments);
    char *text = class_read("out/classroom50/scores.json");
    assert_string_equal(class_read("scores.json"),
                        given); /* the classroom's own file is the teacher's to change */
    json_auto_t *scores = json_loads(text, 0, NULL), *old = json_loads(given, 0, NULL);
    assert_non_null(scores);
    json_t *jane = entry_of(scores, "lab1", "Jane-Doe"), *max = entry_of(scores, "lab1", "max");
    assert_true(json_is_true(json_object_get(jane, "override")));
    assert_int_equal(newest(jane, "max-score"), 100);
    assert_true(newest(jane, "score") > 0);
    const struct csv *csv = platform_csv("grades.csv");
    double points;
    assert_true(csv_number(platform_cell_of(csv, "student", "jane-doe", "points"), &points));
    assert_int_equal(newest(jane, "score"), (json_int_t)(points + 0.5));
    assert_int_equal(newest(max, "score"), 0);
    assert_int_equal(json_integer_value(json_object_get(max, "by_hand")), 1);
    /* all else as it was: older submissions, others' entries, other assignments, every other key */
    json_object_set_new(json_array_get(json_object_get(jane, "submissions"), 0), "score", json_integer(4));
    json_object_set_new(json_array_get(json_object_get(jane, "submissions"), 0), "max-score",
                        json_integer(5));
    json_object_set_new(json_array_get(json_object_get(max, "submissions"), 0), "score", json_integer(5));
    json_object_set_new(json_array_get(json_object_get(max, "submissions"), 0), "max-score", json_integer(5));
    json_object_del(jane, "override");
    assert_true(json_equal(scores, old));
    class_write("scores.json", "{\"schema\": \"classroom50/scores/v2\", \"assignments\": {}}");
    class_grade_says("its schema is not classroom50/scores/v1", 1, arguments);
}

/* ---- the autograder */

static void bundle_is_refused(void **state) {
    class_policy("");
    const char *said =
        class_shell(-1, "make classroom50 LAB=lab1 SANITIZE= BUILD=%s/build POLICY=%s", folder, policy);
    assert_has(said, "students can read the bundle");
}

/* A submission as the runner has it: its environment, the checkout as working directory. */
static void run_autograder(const char *kernel, int status) {
    class_write("checkout/kernel.cu", kernel);
    class_delete("checkout/result.json");
    class_shell(
        status,
        "cd %s/checkout && CLASSROOM=cs1 ASSIGNMENT=lab1 "
        "SUBMISSION_TAG=submit/2026-01-01T00-00-00Z-a1b2c3d COMMIT_URL=https://x/c "
        "RELEASE_URL=https://x/r REVIEW_URL= OWNER=jane-doe %s python3 %s/classroom50-lab1/autograder.py",
        folder, class_grader(), folder);
}

static void autograder_writes_a_result(void **state) {
    class_write("policy.ini", "[class]\npoints = 77\n");
    class_shell(0, "make -s classroom50 LAB=lab1 SANITIZE= BUILD=%s POLICY=%s", folder, policy);
    static const char *const kernels[] = {"// one\n", "// WRONG\n", "// FLAG ````````\n"};
    for (int i = 0; i < 3; i++) {
        run_autograder(kernels[i], 0);
        char *text = class_read("checkout/result.json");
        char *body = class_read("checkout/release-body.md");
        json_t *result = json_loads(text, 0, NULL), *test;
        size_t index;
        assert_is(result, result_rules, true);
        json_array_foreach(json_object_get(result, "tests"), index, test) {
            assert_is(test, test_rules, false);
        }
        assert_int_equal(json_integer_value(json_object_get(result, "max-score")), 77);
        assert_true((json_integer_value(json_object_get(result, "score")) > 0) == (i == 0));
        assert_string_equal(json_string_value(json_object_get(result, "review")), "https://x/c");
        assert_has(body, "Score ");
        json_decref(result);
    }
    /* trouble is an error of the infrastructure, and no 0 */
    run_autograder("// TROUBLE\n", -1);
    char path[PATH_SIZE];
    path_join(path, folder, "checkout/result.json");
    assert_int_not_equal(access(path, F_OK), 0);
}

TESTS(CLASS_TEST(download_and_scores), CLASS_TEST(another_folders_name), CLASS_TEST(another_scores_csv),
      CLASS_TEST(classrooms_roster), CLASS_TEST(scores_are_updated), CLASS_TEST(bundle_is_refused),
      CLASS_TEST(autograder_writes_a_result))
