/* The steps of the solutions, and what a lecture says of them: found, in order, and refused where they say too little. */
#include "support_lab.h"

#include "lab/ladder/ladder.h"

static struct ladder ladder;

#define LAB(problem, rest)                                                                                   \
    "[lab]\ntitle = T\nproblem = " problem "\npass = 50\n" rest                                              \
    "[goal g]\nmeasure = speedup_share\npoints = 60\nsim = 0.5 1\ncuda = 0.5 1\n"
#define PARTS "[part A]\ntitle = one\nwidth = 8\nheight = 4\n[part B]\ntitle = two\nwidth = 2\nheight = 3\n"

/* Two labs with one function, and another in two parts. */
static int set_up(void **state) {
    if (make_folder(state) != 0)
        return -1;
    snprintf(settings.root, sizeof settings.root, "%s", folder);
    snprintf(settings.build, sizeof settings.build, "/build");
    settings.arch = 90;
    put("labs/lab1-one", "lab.ini", LAB("gemm", "width = 64\nheight = 32\n"));
    put("labs/lab2-two", "lab.ini", LAB("gemm", "width = 64\nheight = 32\n"));
    put("labs/lab3-parts", "lab.ini", LAB("increment", PARTS));
    put("solutions/lab1-one/steps", "step-b.cu", "// step b: second\n// step c: another of the same file\n");
    put("solutions/lab1-one/steps", "step-a.cu", "// step a: first\n\n// step x: text\n");
    put("solutions/lab1-one/steps", "note.txt", "no step\n");
    put("solutions/lab1-one", "kernel.cu", "// step d: last\n//\n// step y: text\n");
    put("solutions/lab2-two", "kernel.cu", "// step 0: alone\r\n");
    put("solutions/lab3-parts/steps", "step-p1.cu", "// step p1, part B: B's first\n");
    put("solutions/lab3-parts/steps", "step-o1.cu", "// step o1, part A: A's first\n");
    put("solutions/lab3-parts", "kernel.cu", "// step o2, part A: A's last\n// step p2, part B: B's last\n");
    return 0;
}

static void expect_step(unsigned i, const char *name, const char *title, unsigned part, const char *program) {
    assert_true(i < ladder.count);
    assert_string_equal(ladder.step[i].name, name);
    assert_string_equal(ladder.step[i].title, title);
    assert_int_equal(ladder.step[i].part, part);
    assert_string_equal(ladder.variant[i].program, program);
}

/* Those of a lab in the order of their names, then the next lab's; of another function none. */
static void test_order(void **state) {
    assert_true(lab_load(folder, "lab2", &settings.lab, error, sizeof error));
    ladder.count = 0;
    for (unsigned lab = 1; lab <= 3; lab++)
        if (!ladder_add(&ladder, &settings, lab, error, sizeof error))
            fail_msg("%s", error);
    assert_int_equal(ladder.count, 5);
    expect_step(0, "a", "first", 0, "/build/kernels/lab1/step-a-90");
    expect_step(1, "b", "second", 0, "/build/kernels/lab1/step-b-90");
    expect_step(2, "c", "another of the same file", 0, "/build/kernels/lab1/step-b-90");
    expect_step(3, "d", "last", 0, "/build/kernels/lab1/reference-90");
    expect_step(4, "0", "alone", 0, "/build/kernels/lab2/reference-90");
    assert_string_equal(ladder.variant[0].name, "step a");
    assert_false(ladder_built(&ladder, error, sizeof error));
    assert_non_null(strstr(error, "step-a-90 is not built"));
}

/* The reference is the last step of each part, and the parts stay together. */
static void test_parts(void **state) {
    assert_true(lab_load(folder, "lab3", &settings.lab, error, sizeof error));
    ladder.count = 0;
    if (!ladder_add(&ladder, &settings, 3, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(ladder.count, 4);
    expect_step(0, "o1", "A's first", 0, "/build/kernels/lab3/step-o1-90");
    expect_step(1, "o2", "A's last", 0, "/build/kernels/lab3/reference-90");
    expect_step(2, "p1", "B's first", 1, "/build/kernels/lab3/step-p1-90");
    expect_step(3, "p2", "B's last", 1, "/build/kernels/lab3/reference-90");
}

static void test_step_without_a_name(void **state) {
    static const char *const texts[] = {"", "/* step a: no */\n", "// step a\n", "//step a: no\n"};
    assert_true(lab_load(folder, "lab2", &settings.lab, error, sizeof error));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        put("solutions/lab2-two/steps", "step-z.cu", texts[i]);
        assert_false(ladder_add(&ladder, &settings, 2, error, sizeof error));
        assert_non_null(strstr(error, "step-z.cu:1: expected \"// step NAME: title\""));
    }
}

static void test_lecture(void **state) {
    struct lecture lecture;
    assert_true(lab_load(folder, "lab1", &settings.lab, error, sizeof error));
    assert_true(lecture_load(&settings, &lecture, error, sizeof error) && lecture.count == 0);
    put("solutions/lab1-one", "lecture.ini",
        "title = L\n[step a]\nslide_ms = 2\nlaunch_ms = 1.5\nwhy = One.\n");
    put("solutions/lab2-two", "lecture.ini", "[step 0]\nslide_ms = 1\nlaunch_ms = 1\nnote = n\nwhy = Two.\n");
    assert_true(lecture_load(&settings, &lecture, error, sizeof error));
    assert_int_equal(lecture.count, 1); /* what comes in a later lab is not shown yet */
    assert_true(lab_load(folder, "lab2", &settings.lab, error, sizeof error));
    if (!lecture_load(&settings, &lecture, error, sizeof error))
        fail_msg("%s", error);
    assert_int_equal(lecture.count, 2);
    assert_string_equal(lecture.title, "L");
    assert_string_equal(lecture.why, "One. Two.");
    assert_string_equal(lecture.step[1].step, "0");
    assert_string_equal(lecture.step[1].note, "n");
    assert_true(lecture.step[0].slide_ms == 2 && lecture.step[0].launch_ms == 1.5);
    assert_true(lab_load(folder, "lab3", &settings.lab, error, sizeof error));
    assert_true(lecture_load(&settings, &lecture, error, sizeof error) && lecture.count == 0);
}

static void test_lecture_refusals(void **state) {
    static const char *const bad[][2] = {
        {"slide_ms = 1\n", "lecture.ini:1: key 'slide_ms' before any [step NAME]"},
        {"[steps]\n", "lecture.ini:1: unknown section [steps]"},
        {"[step a]\nslide_ms = fast\n", "lecture.ini:2: 'fast' is not a number"},
        {"[step a]\nslide_ms = 1\n", "lecture.ini: [step a] needs slide_ms and launch_ms"},
        {"[step a]\nhow = 1\n", "lecture.ini:2: unknown key 'how'"}};
    struct lecture lecture;
    assert_true(lab_load(folder, "lab3", &settings.lab, error, sizeof error));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put("solutions/lab3-parts", "lecture.ini", bad[i][0]);
        assert_false(lecture_load(&settings, &lecture, error, sizeof error));
        if (strstr(error, bad[i][1]) == NULL)
            fail_msg("'%s' does not say '%s'", error, bad[i][1]);
    }
}

/* Every lab's as shipped. */
static void test_shipped(void **state) {
    static struct settings s;
    struct lecture lecture;
    unsigned numbers[LABS_MOST], steps = 0;
    assert_true(settings_init(&s, error, sizeof error));
    for (unsigned i = 0, count = lab_numbers(s.root, numbers); i < count; i++) {
        char id[16];
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        ladder.count = 0;
        if (!lab_load(s.root, id, &s.lab, error, sizeof error) ||
            !ladder_add(&ladder, &s, numbers[i], error, sizeof error) ||
            !lecture_load(&s, &lecture, error, sizeof error))
            fail_msg("%s", error);
        steps += ladder.count;
    }
    assert_true(steps > 0);
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(test_order), UNIT(test_parts), UNIT(test_lecture),
              UNIT(test_step_without_a_name), UNIT(test_lecture_refusals), UNIT(test_shipped))
