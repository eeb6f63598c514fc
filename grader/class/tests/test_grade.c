/* The whole grader over small classes, with the fake judge: what is run, what is kept, what is written. */
#include "support_class.h"

#include "base/child.h"
#include "base/file.h"

#include "class/gradebook.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    return setenv("FAKE_GRADE_JOB_TRACE", trace, 1);
}

static int tear_down(void **state) {
    class_remove(folder);
    return unsetenv("FAKE_GRADE_JOB_TRACE");
}

static void golden_class(void) {
    class_write(folder, "in/ann/kernel.cu", "// one\n", 1767225600);
    class_write(folder, "in/bob/kernel.cu", "// WRONG\n", 1767225600);
    class_write(folder, "in/bob/notes.txt", "please\n", 1767225600);
    class_write(folder, "in/cid/kernel.cu", "// FLAG\n", 1767225600 + 86400);
    class_write(folder, "in/dee/kernel.cu", "// two\n", 1767225600 + 3 * 86400);
    class_write(folder, "in/eve/kernel.cu.txt", "// two\n", 1767225600);
    class_write(folder, "in/guest/kernel.cu", "// BUILD\n", 1767225600);
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\npoints = 50\npass = 20\n"
                "deadline = 2026-01-02 00:00 Z\nlate_percent_per_day = 25\nfile_times = yes\n",
                0);
    class_write(
        folder, "roster.csv",
        "student,name,email\r\nann,\"Ash, Ann\",ann@example.edu\r\nbob,Bob <b>Bold</b>,\r\ncid,Cid,\r\n"
        "dee,\"=cmd|' /C calc'!A0\",\r\neve,Eve & Co,\r\nfay,Fay,\r\n",
        0);
}

static void exports_are_the_golden_files(void **state) {
    golden_class();
    const char *arguments[] = {"--lab",    "lab1", "--submissions", in,  "--policy", policy,
                               "--roster", roster, "--out",         out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    static const char *const names[] = {"grades.csv",
                                        "totals.csv",
                                        "junit.xml",
                                        "class.html",
                                        "feedback/lab1/ann.txt",
                                        "feedback/lab1/bob.html",
                                        "feedback/lab1/dee.html",
                                        "gradescope/lab1/dee.json",
                                        "gradescope/lab1/guest.json",
                                        "autolab/lab1/cid.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        class_golden(folder, names[i]);
}

/* Neither of whom is right nor of whom is wrong, in no form. The stand-in calls secret what comes of secret inputs. */
static void nothing_secret_is_shown(void **state) {
    golden_class();
    class_write(folder, "policy.ini",
                "[class]\nkey = 31415926"
                "31415926"
                "31415926"
                "31415926"
                "31415926"
                "31415926"
                "31415926"
                "31415926"
                "\n",
                0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    static const char *const forms[] = {"out/feedback/lab1/%s.txt", "out/feedback/lab1/%s.html",
                                        "out/gradescope/lab1/%s.json", "out/autolab/lab1/%s.txt"};
    static const char *const students[] = {"ann", "bob", "cid", "dee", "guest"};
    static const char *const secrets[] = {"31415926", "secret", "17 x 3", "7777", "0x7f"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms * (sizeof students / sizeof *students); i++) {
        char name[64];
        snprintf(name, sizeof name, forms[i % 4], students[i / 4]);
        char *text = class_read(folder, name);
        for (size_t k = 0; k < sizeof secrets / sizeof *secrets; k++)
            assert_has_not(text, secrets[k]);
        free(text);
    }
    static const char *const staff[] = {"out/junit.xml", "out/class.html", "out/grades.csv"};
    for (size_t i = 0; i < sizeof staff / sizeof *staff; i++) {
        char *text = class_read(folder, staff[i]);
        assert_has_not(text, "secret");
        assert_has_not(text, "0x7f");
        free(text);
    }
}

/* The key is in the gradebook and in a file of its owner's, and nowhere else that anybody is given. */
static void the_key_is_kept(void **state) {
    golden_class();
    class_write(folder, "policy.ini", "[class]\npoints = 50\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    const char *dump[] = {"--dump", "--out", out, NULL};
    char path[PATH_SIZE], key[DRAW_KEY_TEXT], name[64];
    assert_int_equal(class_grade(folder, arguments), 0);
    struct gradebook book;
    assert_true(gradebook_open(&book, out) && gradebook_get(&book, "key", key, sizeof key));
    gradebook_close(&book);
    assert_int_equal(strlen(key), 64);
    struct draw_key parsed;
    assert_true(draw_key_parse(&parsed, key));
    strcpy(name, "keys/");
    draw_key_name(&parsed, name + 5);
    assert_true(path_join(path, out, name));
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    static const char *const names[] = {"out/feedback/lab1/ann.txt", "out/feedback/lab1/ann.html",
                                        "out/gradescope/lab1/ann.json", "out/grades.csv", "out/class.html"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = class_read(folder, names[i]);
        assert_has_not(text, key);
        free(text);
    }
    /* the same key for later runs, another for another gradebook */
    char *before = class_read(folder, "out/grades.csv");
    assert_int_equal(class_grade(folder, arguments), 0);
    assert_int_equal(class_runs(), 5);
    free(before);
    assert_int_equal(class_grade(folder, dump), 0);
    char *text = class_read(folder, "output");
    assert_has_not(text, key);
    assert_has(text, name + 5);
    free(text);
}

/* Results of one key are never scored under another. */
static void another_key_is_refused(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// one\n", 0);
    class_write(folder, "in/bob/kernel.cu", "// two\n", 0);
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\n", 0);
    const char *own[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    const char *other[] = {"--rescore", "--policy", policy, "--out", out, NULL};
    const char *rescore[] = {"--rescore", "--out", out, NULL};
    const char *only[] = {"--lab", "lab1", "--submissions", in,    "--policy", policy,
                          "--out", out,    "--only",        "bob", NULL};
    const char *all[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, own), 0);
    char *before = class_read(folder, "out/grades.csv");
    assert_int_equal(class_grade(folder, other), 1);
    char *words = class_read(folder, "output");
    assert_has(words, "of another key");
    free(words);
    assert_int_equal(class_grade(folder, only), 1);
    assert_int_equal(class_grade(folder, rescore), 0);
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    assert_int_equal(class_runs(), 2);
    assert_int_equal(class_grade(folder, all), 0); /* everything anew */
    assert_int_equal(class_runs(), 4);
    assert_int_equal(class_grade(folder, only), 0);
    free(before);
    free(after);
}

/* A gradebook of a kit whose seeds had 32 bits stays as it is. */
static void an_older_gradebook_is_left_alone(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// one\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    const char *rescore[] = {"--rescore", "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    struct gradebook book;
    assert_true(gradebook_open(&book, out) && gradebook_set(&book, "schema", "1"));
    gradebook_close(&book);
    char *before = class_read(folder, "out/grades.csv");
    assert_int_equal(class_grade(folder, rescore), 1);
    char *words = class_read(folder, "output");
    assert_has(words, "a seed of 32 bits gave away; its grades stay as they are: choose another OUT");
    assert_int_equal(class_grade(folder, arguments), 1);
    char *after = class_read(folder, "out/grades.csv");
    assert_string_equal(before, after);
    free(words);
    free(before);
    free(after);
}

/* What happened with secret inputs is there for who has the gradebook, and asks for one student. */
static void the_staff_can_look(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// WRONG\n", 0);
    class_write(folder, "in/bob/kernel.cu", "// right\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    assert_int_equal(class_grade(folder, (const char *const[]){"--look", "ann", "--out", out, NULL}), 0);
    char *text = class_read(folder, "output");
    assert_has(text, "lab1 of ann: failed, 0 of 100 points");
    assert_has(text, "secret pixel 77779");
    assert_has(text, ".cu\n");
    free(text);
    assert_int_equal(class_grade(folder, (const char *const[]){"--look", "bob", "--out", out, NULL}), 0);
    text = class_read(folder, "output");
    assert_has(text, "secret_kernel: 1 launch, grid 1x1x1, block 256x1x1");
    assert_has_not(text, "ann");
    free(text);
    assert_int_equal(class_grade(folder, (const char *const[]){"--look", "cid", "--out", out, NULL}), 2);
}

static void identical_files_run_once(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// same\n", 0);
    class_write(folder, "in/bob/kernel.cu", "// same\n", 0);
    class_write(folder, "in/cid/deep/er/kernel.cu", "// same\n", 0);
    class_write(folder, "in/dee/kernel.cu", "// other\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    assert_int_equal(class_runs(), 2);
    assert_int_equal(class_grade(folder, arguments), 0);
    assert_int_equal(class_runs(), 2); /* and never again */
}

static void another_policy_scores_without_running(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// one\n", 1767225600);
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 100\nfile_times = yes\n", 0);
    const char *first[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, first), 0);
    char *before = class_read(folder, "out/grades.csv");
    class_write(
        folder, "policy.ini",
        "[class]\nkey = " CLASS_KEY
        "\npoints = 10\ndeadline = 2025-12-31 12:00 Z\nlate_percent_per_day = 50\nfile_times = yes\n"
        "starter_percent = 100\n[lab1 goal speedup]\nsim = 0 0.0001\n[lab1 goal sectors loaded for 32 pixels]\nsim = 1000000 999999\n",
        0);
    const char *again[] = {"--rescore", "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, again), 0);
    char *after = class_read(folder, "out/grades.csv");
    assert_int_equal(class_runs(), 1);
    assert_has(before, "ann,lab1,");
    assert_has(after, "ann,lab1,5,10,no,,1 day late: 50 % off.,,,judged,10,1,50,");
    free(before);
    free(after);
}

static void only_some_students(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// one\n", 0);
    class_write(folder, "in/bob/kernel.cu", "// two\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, "--only", "bob", NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    assert_int_equal(class_runs(), 1);
    char *grades = class_read(folder, "out/grades.csv");
    assert_has(grades, "\nbob,lab1,");
    assert_has_not(grades, "\nann,");
    free(grades);
}

/* A later call without the roster leaves what it told of a student. */
static void the_roster_is_remembered(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// one\n", 1767225600);
    class_write(folder, "roster.csv", "student,name,extension_hours\nann,Ann Ash,48\n", 0);
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\ndeadline = 2025-12-31 00:00 Z\n", 0);
    const char *with[] = {"--lab",    "lab1", "--submissions", in,  "--policy", policy,
                          "--roster", roster, "--out",         out, NULL};
    const char *without[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    assert_int_equal(class_grade(folder, with), 0);
    char *first = class_read(folder, "out/grades.csv");
    assert_int_equal(class_grade(folder, without), 0);
    char *second = class_read(folder, "out/grades.csv");
    assert_has(first, "Ann Ash");
    assert_has_not(first, "late:");
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void dry_run_changes_nothing(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// one\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, "--dry-run", NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    char *output = class_read(folder, "output");
    assert_has(output, "ann/kernel.cu");
    free(output);
    assert_int_equal(class_runs(), 0);
    assert_int_not_equal(access(out, F_OK), 0);
}

static void labs_by_their_folders(void **state) {
    class_write(folder, "in/ann/lab1/kernel.cu", "// one\n", 0);
    class_write(folder, "in/ann/labs/lab2-shared-memory/kernel.cu", "// two\n", 0);
    class_write(folder, "in/bob/lab2/kernel.cu", "// three\n", 0);
    const char *arguments[] = {"--submissions", in, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    char *grades = class_read(folder, "out/grades.csv");
    assert_has(grades, "\nann,lab1,");
    assert_has(grades, "\nann,lab2,");
    assert_has(grades, "\nbob,lab2,");
    free(grades);
}

static void a_crash_is_tried_again_and_told(void **state) {
    class_write(folder, "in/ann/kernel.cu", "// SECOND\n", 0); /* crashes once */
    class_write(folder, "in/bob/kernel.cu", "// CRASH\n", 0);  /* always */
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, NULL};
    assert_int_equal(class_grade(folder, arguments), 3);
    assert_int_equal(class_runs(), 2 + 3);
    char *grades = class_read(folder, "out/grades.csv");
    assert_has(grades, "judged");
    assert_has(grades, "ended by signal 6");
    free(grades);
}

static void results_json_is_written_where_there_is_a_grade(void **state) {
    char results[PATH_SIZE];
    assert_true(path_join(results, folder, "results.json"));
    class_write(folder, "in/src/kernel.cu", "// one\n", 0);
    const char *arguments[] = {"--lab",     "lab1", "--submissions", in,      "--out", out,
                               "--student", "me",   "--results",     results, NULL};
    assert_int_equal(class_grade(folder, arguments), 0);
    json_t *json = json_load_file(results, 0, NULL);
    assert_true(json_is_number(json_object_get(json, "score")));
    assert_int_equal(json_array_size(json_object_get(json, "tests")), 2);
    json_decref(json);
    char *output = class_read(folder, "output");
    assert_has(output, "\n{\"scores\": {\"lab1\": ");
    free(output);
    /* the policy is no policy: the grader ends early */
    class_write(folder, "policy.ini", "points = many\n", 0);
    const char *broken[] = {"--lab", "lab1",      "--submissions", in,         "--out", out, "--student",
                            "me",    "--results", results,         "--policy", policy,  NULL};
    assert_int_equal(class_grade(folder, broken), 1);
    assert_int_not_equal(access(results, F_OK), 0); /* and no other submission's is left */
    /* nor is there one where the machine has failed; a wrong kernel has its zero */
    static const struct {
        const char *kernel;
        bool graded;
        int status;
    } kernels[] = {{"// WRONG", true, 0}, {"// CRASH", false, 3}, {"// TROUBLE", false, 3}};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        class_write(folder, "in/src/kernel.cu", kernels[i].kernel, 0);
        assert_int_equal(class_grade(folder, arguments), kernels[i].status);
        assert_int_equal(access(results, F_OK) == 0, kernels[i].graded);
    }
}

static double score_in(const char *name) {
    char path[PATH_SIZE];
    assert_true(path_join(path, folder, name));
    json_t *json = json_load_file(path, 0, NULL);
    assert_true(json_is_number(json_object_get(json, "score")));
    double score = json_number_value(json_object_get(json, "score"));
    json_decref(json);
    return score;
}

/* Gradescope's script, with the kit that is here: a score; and no file, with the reason and a status that says so, when the
 * grader is not there at all. */
static void gradescopes_script(void **state) {
    char fake[PATH_SIZE], options[PATH_SIZE + 16], kit[PATH_SIZE], here[PATH_SIZE], build[PATH_SIZE],
        output[1024];
    class_program("tests/class/fake-grade-job", fake);
    class_program("", build);
    snprintf(options, sizeof options, "--grade-job %s", fake);
    class_write(folder, "submission/kernel.cu", "// one\n", 0);
    class_write(folder, "source/lab", "lab1\n", 0);
    assert_true(path_join(kit, folder, "source/kit"));
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(symlink(here, kit), 0);
    const char *const variables[][2] = {{"AUTOGRADER", folder}, {"GRADE_OPTIONS", options}, {"BUILD", build}};
    char *before = getenv("BUILD") != NULL ? strdup(getenv("BUILD")) : NULL;
    for (int i = 0; i < 3; i++)
        setenv(variables[i][0], variables[i][1], 1);
    const char *const arguments[] = {"grader/gradescope/run_autograder", NULL};
    assert_int_equal(child_run(arguments, output, sizeof output), 0);
    assert_true(score_in("results/results.json") > 0);
    setenv("BUILD", "/nowhere", 1);
    assert_int_not_equal(child_run(arguments, output, sizeof output), 0);
    assert_has(output, "not the student's fault");
    assert_true(path_join(fake, folder, "results/results.json"));
    assert_int_not_equal(access(fake, F_OK), 0);
    unsetenv("AUTOGRADER");
    unsetenv("GRADE_OPTIONS");
    if (before != NULL)
        setenv("BUILD", before, 1);
    else
        unsetenv("BUILD");
    free(before);
}

/* KiB of memory that grading so many students took at most. */
static long memory_of(unsigned students) {
    struct rusage usage;
    int status;
    class_remove(folder);
    assert_int_equal(class_set_up(NULL), 0);
    for (unsigned i = 0; i < students; i++) {
        char name[64], text[32];
        snprintf(name, sizeof name, "in/student%05u/kernel.cu", i);
        snprintf(text, sizeof text, "// %u\n", i);
        class_write(folder, name, text, 0);
    }
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--out", out, "--quiet", NULL};
    pid_t process = class_start(folder, arguments);
    assert_int_equal(wait4(process, &status, 0, &usage), process);
    assert_int_equal(status, 0);
    return usage.ru_maxrss;
}

static void memory_is_flat(void **state) {
    if (getenv("SANITIZED") != NULL) {
        puts("skipped: a sanitizer keeps what is freed");
        skip();
    }
    long few = memory_of(50), many = memory_of(1000);
    printf("largest resident set: %ld KiB with 50 students, %ld KiB with 1000\n", few, many);
    assert_true(many < few + 6 * 1024);
}

/* A path that is not there is told before anything is built. */
static void make_looks_first(void **state) {
    char build[PATH_SIZE], variable[PATH_SIZE + 8], grade[PATH_SIZE], output[4096];
    assert_true(path_join(build, folder, "build") && path_join(grade, build, "bin/grade"));
    snprintf(variable, sizeof variable, "BUILD=%s", build);
    unsetenv("MAKEFLAGS"); /* -k of the make that runs the tests would go on after the refusal */
    const char *const nowhere[] = {
        "make", "-j1", "grade", "LAB=lab1", "SANITIZE=", "SUBMISSIONS=/no where/it's", variable, NULL};
    assert_int_not_equal(child_run(nowhere, output, sizeof output), 0);
    assert_has(output, "SUBMISSIONS=/no where/it's: there is no such file or folder");
    const char *const no_policy[] = {
        "make",   "-j1", "grade", "LAB=lab1", "SANITIZE=", "SUBMISSIONS=.", "POLICY=nothing.ini",
        variable, NULL};
    assert_int_not_equal(child_run(no_policy, output, sizeof output), 0);
    assert_has(output, "POLICY=nothing.ini: there is no such file or folder");
    assert_int_not_equal(access(grade, F_OK), 0);
}

/* Both streams in one file, whole lines of each. */
static void lines_stay_whole(void **state) {
    for (int i = 0; i < 300; i++) {
        char name[64];
        snprintf(name, sizeof name, "in/student%03d/kernel.cu", i);
        class_write(folder, name, "// one", 1000);
    }
    class_grade_says(folder, (const char *[]){"--dry-run", "--lab", "lab1", "--submissions", in, NULL}, 0,
                     "300 handed in");
    char *said = class_read(folder, "output");
    unsigned lines = 0;
    for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n"), lines++)
        if (lines < 300)
            assert_true(strncmp(line, "student", 7) == 0 && strstr(line, "/kernel.cu") != NULL);
    assert_int_equal(lines, 302);
    free(said);
}

static void help_fits_a_terminal(void **state) {
    class_grade_says(folder, (const char *[]){"--help", NULL}, 0, "3 some could not be judged");
    char *text = class_read(folder, "output");
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 80)
            fail_msg("%.120s", line);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exports_are_the_golden_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_secret_is_shown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_staff_can_look, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_key_is_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_key_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_older_gradebook_is_left_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(identical_files_run_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_policy_scores_without_running, set_up, tear_down),
        cmocka_unit_test_setup_teardown(make_looks_first, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(help_fits_a_terminal, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(lines_stay_whole, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(only_some_students, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_roster_is_remembered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(dry_run_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(labs_by_their_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_crash_is_tried_again_and_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(results_json_is_written_where_there_is_a_grade, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gradescopes_script, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_is_flat, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
