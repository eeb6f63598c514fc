/* Predictions: a prediction.txt beside the kernel, by the keys of the lab's predict.ini; a
 * policy that asks for it. */
#include "class/gradebook.h"
#include "support_platforms.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_in(const char *name, const char *words) {
    char *text = class_read(folder, name);
    assert_has(text, words);
    free(text);
}

static double number_of(const struct csv *csv, const char *student, const char *column) {
    double value;
    assert_true(csv_number(platform_cell_of(csv, "student", student, column), &value));
    return value;
}

/* The stand-in's kernels are limited by l1, and none is 99 times as fast. */
static void class_of_predictions(const char *rules) {
    static const char *const said[][2] = {{"ann", "limiter=l1 speedup=99\n"},
                                          {"bob", ""},
                                          {"cid", "limiter=fast\n"},
                                          {"dee", "limiter=l1\r\nspeedup=99\r\n"},
                                          {"eve", NULL}};
    char name[64], text[256];
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        snprintf(name, sizeof name, "in/%s/kernel.cu", said[i][0]);
        class_write(folder, name, "// one\n", 0);
        snprintf(name, sizeof name, "in/%s/prediction.txt", said[i][0]);
        if (said[i][1] != NULL)
            class_write(folder, name, said[i][1], 0);
    }
    class_write(folder, "in/fay/kernel.cu", "// WRONG\n", 0);
    class_write(folder, "in/fay/prediction.txt", "limiter=l1\n", 0);
    snprintf(text, sizeof text, "[class]\nkey = " CLASS_KEY "\npoints = 100\n%s", rules);
    class_write(folder, "policy.ini", text, 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    class_grade_says(folder, arguments, 0, "");
}

static void what_came_true_earns(void **state) {
    class_of_predictions("");
    struct csv csv = platform_csv("grades.csv");
    double without = number_of(&csv, "ann", "points");
    assert_true(number_of(&csv, "ann", "max") == 100);
    csv_free(&csv);
    class_of_predictions("prediction_points = 6\n");
    csv = platform_csv("grades.csv");
    assert_true(number_of(&csv, "ann", "max") == 106);
    assert_true(fabs(number_of(&csv, "ann", "points") - without - 2) < 0.011); /* one of three */
    assert_true(number_of(&csv, "dee", "points") == number_of(&csv, "ann", "points"));
    assert_true(number_of(&csv, "eve", "points") == without);
    assert_true(number_of(&csv, "cid", "points") == without);
    assert_true(number_of(&csv, "fay", "points") == 0); /* nothing was measured */
    assert_string_equal(platform_cell_of(&csv, "student", "ann", "message"),
                        "1 of 3 predictions came true: limiter.");
    assert_has(platform_cell_of(&csv, "student", "cid", "message"),
               "prediction.txt cannot be read: no limit is named");
    assert_has(platform_cell_of(&csv, "student", "eve", "message"), "No prediction.txt was handed in.");
    csv_free(&csv);
    /* a goal of its own, and the sum of all is the score, for Gradescope too */
    char *text = class_read(folder, "out/feedback/lab1/ann.txt"),
         *json = class_read(folder, "out/gradescope/lab1/ann.json");
    assert_has(text, "prediction");
    json_t *results = json_loads(json, 0, NULL), *test;
    double sum = 0, most = 0;
    size_t i;
    json_array_foreach(json_object_get(results, "tests"), i, test) {
        sum += json_number_value(json_object_get(test, "score"));
        most += json_number_value(json_object_get(test, "max_score"));
    }
    assert_true(fabs(sum - json_number_value(json_object_get(results, "score"))) < 1e-9);
    assert_true(fabs(most - 106) < 1e-9);
    json_decref(results);
    free(text);
    free(json);
    /* from the gradebook alone */
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 100\nprediction_points = 30\n",
                0);
    const char *rescore[] = {"--rescore", "--policy", policy, "--out", out, NULL};
    class_grade_says(folder, rescore, 0, "");
    csv = platform_csv("grades.csv");
    assert_true(fabs(number_of(&csv, "ann", "points") - without - 10) < 0.011);
    csv_free(&csv);
}

static void hand_in(const char *kernel, const char *prediction) {
    class_write(folder, "in/ann/kernel.cu", kernel, 0);
    class_delete(folder, "in/ann/prediction.txt");
    if (prediction != NULL)
        class_write(folder, "in/ann/prediction.txt", prediction, 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    class_grade_says(folder, arguments, 0, "");
}

static double points_of_ann(void) {
    struct csv csv = platform_csv("grades.csv");
    double points = number_of(&csv, "ann", "points");
    csv_free(&csv);
    return points;
}

static void it_belongs_to_its_own_kernel(void **state) {
    class_write(folder, "policy.ini",
                "[class]\nkey = " CLASS_KEY "\npoints = 100\nprediction_points = 30\ncounts = best\n", 0);
    hand_in("// one\n", NULL);
    double without = points_of_ann();
    hand_in("// WRONG\n", "limiter=l1\n"); /* the one that came later foretells nothing of the first */
    assert_true(points_of_ann() == without);
    hand_in("// one\n", "limiter=l1\n");
    assert_true(fabs(points_of_ann() - without - 10) < 0.011);
    hand_in("// WRONG\n", NULL);
    assert_true(fabs(points_of_ann() - without - 10) < 0.011);
    assert_in("out/feedback/lab1/ann.txt", "1 of 3 predictions came true: limiter.");
}

/* By hand all of the lab's points can be given, and no more. */
static void overrides_reach_the_maximum(void **state) {
    char words[PATH_SIZE];
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 100\nprediction_points = 10\n",
                0);
    hand_in("// one\n", NULL);
    assert_true(path_join(words, folder, "words.csv"));
    const char *arguments[] = {"--rescore", "--overrides", words, "--out", out, NULL};
    class_write(folder, "words.csv", "student,lab,points\nann,lab1,110\n", 0);
    class_grade_says(folder, arguments, 0, "");
    assert_true(points_of_ann() == 110);
    class_write(folder, "words.csv", "student,lab,points\nann,lab1,110.01\n", 0);
    class_grade_says(folder, arguments, 1, "words.csv:2: 110.01 points are outside 0 to 110");
}

static void one_that_vanishes_stays(void **state) {
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 100\nprediction_points = 30\n",
                0);
    hand_in("// one\n", NULL);
    double without = points_of_ann();
    hand_in("// one\n", "limiter=l1\n");
    hand_in("// one\n", NULL);
    assert_true(fabs(points_of_ann() - without - 10) < 0.011);
    hand_in("// one\n", "limiter=dram\n"); /* another one is another submission */
    assert_true(points_of_ann() == without);
    hand_in("// two\n", NULL); /* another kernel, of which nothing was foretold */
    assert_in("out/grades.csv", "No prediction.txt was handed in.");
}

/* The tables of a kit that had one prediction for each student and lab. */
static void an_older_gradebook_keeps_its_predictions(void **state) {
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\npoints = 100\nprediction_points = 30\n",
                0);
    hand_in("// one\n", "limiter=l1\n");
    double points = points_of_ann();
    struct gradebook book;
    assert_true(gradebook_open(&book, out) &&
                gradebook_run(&book, "CREATE TABLE predictions(student TEXT, lab TEXT, text TEXT);"
                                     "INSERT INTO predictions SELECT student, lab, prediction FROM history;"
                                     "ALTER TABLE history DROP COLUMN prediction") &&
                gradebook_set(&book, "schema", "3"));
    gradebook_close(&book);
    hand_in("// one\n", NULL);
    assert_true(points_of_ann() == points);
    assert_in("out/grades.csv", "1 of 3 predictions came true: limiter.");
}

static void too_much_is_no_prediction(void **state) {
    char text[700];
    memset(text, ' ', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    class_write(folder, "in/ann/kernel.cu", "// one\n", 0);
    class_write(folder, "in/ann/prediction.txt", text, 0);
    class_write(folder, "in/bob/kernel.cu", "// two\n", 0);
    class_write(folder, "in/bob/prediction.txt", "limiter=l1 limiter=l1 \x1b[31m=<b>\n", 0);
    class_write(folder, "policy.ini", "[class]\nkey = " CLASS_KEY "\nprediction_points = 5\n", 0);
    const char *arguments[] = {"--lab", "lab1", "--submissions", in, "--policy", policy, "--out", out, NULL};
    class_grade_says(folder, arguments, 0, "");
    char *ann = class_read(folder, "out/feedback/lab1/ann.txt"),
         *bob = class_read(folder, "out/feedback/lab1/bob.html");
    assert_has(ann, "prediction.txt is not taken: it is larger than");
    assert_has_not(bob, "\x1b");
    assert_has_not(bob, "<b>'");
    free(ann);
    free(bob);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_came_true_earns, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(it_belongs_to_its_own_kernel, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(overrides_reach_the_maximum, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(one_that_vanishes_stays, class_set_up, class_tear_down),
        cmocka_unit_test_setup_teardown(an_older_gradebook_keeps_its_predictions, class_set_up,
                                        class_tear_down),
        cmocka_unit_test_setup_teardown(too_much_is_no_prediction, class_set_up, class_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
