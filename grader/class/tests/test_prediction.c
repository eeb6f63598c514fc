/* Predictions: a prediction.txt beside the kernel, by the keys of the lab's predict.ini; a
 * policy that asks for it. */
#include "class/gradebook.h"
#include "support_platforms.h"

#include <jansson.h>
#include <math.h>

static void assert_in(const char *name, const char *words) {
    class_has(name, words);
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
                                          {"dee", "Limiter=L1\r\nspeedup=fast\r\n"},
                                          {"eve", NULL}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        class_write(class_print("in/%s/kernel.cu", said[i][0]), "// one\n");
        if (said[i][1] != NULL)
            class_write(class_print("in/%s/prediction.txt", said[i][0]), said[i][1]);
    }
    class_write("in/fay/kernel.cu", "// WRONG\n");
    class_write("in/fay/prediction.txt", "limiter=l1\n");
    class_write("policy.ini", class_print("[class]\nkey = " CLASS_KEY "\npoints = 100\n%s", rules));
    class_grade(0, LAB1 " --policy @policy.ini");
}

static void what_came_true_earns(void **state) {
    class_of_predictions("");
    const struct csv *csv = platform_csv("grades.csv");
    double without = number_of(csv, "ann", "points");
    assert_true(number_of(csv, "ann", "max") == 100);
    class_of_predictions("prediction_points = 6\n");
    csv = platform_csv("grades.csv");
    assert_true(number_of(csv, "ann", "max") == 106);
    assert_true(fabs(number_of(csv, "ann", "points") - without - 2) < 0.011); /* one of three */
    assert_true(number_of(csv, "dee", "points") == number_of(csv, "ann", "points"));
    assert_true(number_of(csv, "eve", "points") == without);
    assert_true(number_of(csv, "cid", "points") == without);
    assert_true(number_of(csv, "fay", "points") == 0); /* nothing was measured */
    assert_has(platform_cell_of(csv, "student", "ann", "message"),
               "1 of 3 predictions came true: limiter. It is speedup ");
    assert_has(platform_cell_of(csv, "student", "ann", "message"), " and not 99.");
    assert_has(platform_cell_of(csv, "student", "cid", "message"),
               "0 of 3 predictions came true. In prediction.txt no limit is named 'fast'; the limits are");
    assert_has(platform_cell_of(csv, "student", "cid", "needs_human"), "A word of its prediction.txt");
    assert_has(platform_cell_of(csv, "student", "eve", "message"), "No prediction.txt was handed in.");
    /* a goal of its own, and the sum of all is the score, for Gradescope too */
    char *json = class_read("out/gradescope/lab1/ann.json");
    class_has("out/feedback/lab1/ann.txt", "prediction");
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
    /* from the gradebook alone */
    class_policy("points = 100\nprediction_points = 30\n");
    class_grade(0, "--rescore --policy @policy.ini");
    csv = platform_csv("grades.csv");
    assert_true(fabs(number_of(csv, "ann", "points") - without - 10) < 0.011);
}

static void hand_in(const char *kernel, const char *prediction) {
    class_write("in/ann/kernel.cu", kernel);
    class_delete("in/ann/prediction.txt");
    if (prediction != NULL)
        class_write("in/ann/prediction.txt", prediction);
    class_grade(0, LAB1 " --policy @policy.ini");
}

static double points_of_ann(void) {
    const struct csv *csv = platform_csv("grades.csv");
    return number_of(csv, "ann", "points");
}

static void it_belongs_to_its_own_kernel(void **state) {
    class_policy("points = 100\nprediction_points = 30\ncounts = best\n");
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
    class_policy("points = 100\nprediction_points = 10\n");
    hand_in("// one\n", NULL);
    assert_true(path_join(words, folder, "words.csv"));
    class_write("words.csv", "student,lab,points\nann,lab1,110\n");
    class_grade(0, "--rescore --overrides @words.csv");
    assert_true(points_of_ann() == 110);
    class_write("words.csv", "student,lab,points\nann,lab1,110.01\n");
    class_grade_says("words.csv:2: 110.01 points are outside 0 to 110", 1,
                     "--rescore --overrides @words.csv");
}

static void one_that_vanishes_stays(void **state) {
    class_policy("points = 100\nprediction_points = 30\n");
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
    class_policy("points = 100\nprediction_points = 30\n");
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
    class_write("in/ann/kernel.cu", "// one\n");
    class_write("in/ann/prediction.txt", text);
    class_write("in/bob/kernel.cu", "// two\n");
    class_write("in/bob/prediction.txt", "limiter=l1 limiter=l1 \x1b[31m=<b>\n");
    class_policy("prediction_points = 5\n");
    class_grade(0, LAB1 " --policy @policy.ini");
    class_has("out/feedback/lab1/ann.txt", "prediction.txt is not taken: it is larger than");
    class_has_not("out/feedback/lab1/bob.html", "\x1b", "<b>'");
}

TESTS(CLASS_TEST(what_came_true_earns), CLASS_TEST(it_belongs_to_its_own_kernel),
      CLASS_TEST(overrides_reach_the_maximum), CLASS_TEST(one_that_vanishes_stays),
      CLASS_TEST(an_older_gradebook_keeps_its_predictions), CLASS_TEST(too_much_is_no_prediction))
