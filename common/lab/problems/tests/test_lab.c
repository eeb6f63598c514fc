/* The labs' data files: what is there is right, what is wrong is refused with its line. */
#include "base/test.h"
#include "lab/problems/lab.h"
#include <math.h>

static char error[512];

#define RIGHT                                                                                                \
    "[lab]\ntitle = T\nproblem = gaussian_blur\nwidth = 64\nheight = 32\npass = "                            \
    "50\n"                                                                                                   \
    "flush_l2 = yes\n[goal g]\nmeasure = speedup_share\npoints = 60\nsim = 0.5 1\ncuda = 0.5 1 # note\n"

static void test_right(void **state) {
    struct lab lab;
    assert_true(lab_parse(RIGHT, strlen(RIGHT), "x.ini", &lab, error, sizeof error));
    assert_string_equal(lab.title, "T");
    assert_string_equal(lab.problem->function, "gaussian_blur");
    assert_int_equal(lab.parts[0].width, 64);
    assert_true(lab.flush_l2);
    assert_int_equal(lab.goal_count, 1);
    assert_string_equal(lab.goals[0].name, "g");
    assert_true(lab.goals[0].sim.zero == 0.5 && lab.goals[0].sim.full == 1);
    assert_false(lab.goals[0].requires);

    static const char required[] = RIGHT "requires = spill_bytes 8\n";
    assert_true(lab_parse(required, strlen(required), "x.ini", &lab, error, sizeof error));
    assert_true(lab.goals[0].requires && lab.goals[0].required == MEASURE_SPILLS && lab.goals[0].most == 8);

    static const char steps[] =
        RIGHT "[step first]\nmeasure = speedup\nsim = at least 6\ncuda = at least 5\npoints = 7\n"
              "[step second]\nmeasure = loads\nsim = at most 1.5\ncuda = at most 0.7\n";
    assert_true(lab_parse(steps, strlen(steps), "x.ini", &lab, error, sizeof error));
    assert_int_equal(lab.step_count, 2);
    assert_true(lab.steps[0].points == 7 && lab.steps[1].points == 0 && lab_points_most(&lab) == 67);
    assert_true(lab_reached(&lab.steps[0].sim, 6) && !lab_reached(&lab.steps[0].sim, 5.9));
    assert_true(lab_reached(&lab.steps[1].cuda, 0.7) && !lab_reached(&lab.steps[1].cuda, 0.71));
    assert_false(lab_reached(&lab.steps[0].sim, (double)NAN) || lab_reached(&lab.steps[1].sim, (double)NAN));
}

/* Two parts, each with a case of its own; a goal belongs to the first unless it says otherwise. */
static void test_parts(void **state) {
    struct lab lab;
    static const char parts[] =
        "[lab]\ntitle = T\nproblem = increment\npass = 50\n"
        "[part A]\ntitle = one\nwidth = 8\nheight = 4\ncuda_width = 16\ncuda_height = 2\ncopy = yes\n"
        "[part B]\ntitle = two\nwidth = 2\nheight = 3\n"
        "[goal g]\nmeasure = copy_share\npoints = 60\nsim = 0.5 1\ncuda = 0.5 1\n"
        "[goal h]\npart = B\nmeasure = speedup_share\npoints = 40\nsim = 0.5 1\ncuda = 0.5 1\n";
    assert_true(lab_parse(parts, strlen(parts), "x.ini", &lab, error, sizeof error));
    assert_int_equal(lab.part_count, 2);
    assert_true(lab.parts[0].copy && !lab.parts[1].copy);
    assert_string_equal(lab.parts[1].title, "two");
    assert_true(lab.parts[0].width == 8 && lab.parts[0].cuda_width == 16 && lab.parts[1].height == 3);
    assert_true(lab.goals[0].part == 0 && lab.goals[1].part == 1);

    char text[sizeof parts + 64];
    snprintf(text, sizeof text, "%s", parts);
    strstr(text, "part = B")[7] = 'C';
    assert_false(lab_parse(text, strlen(text), "x.ini", &lab, error, sizeof error));
    assert_non_null(strstr(error, "there is no [part C] above"));
    snprintf(text, sizeof text, "%s", parts);
    memcpy(strstr(text, "height = 3"), "copy = yes", 10);
    assert_false(lab_parse(text, strlen(text), "x.ini", &lab, error, sizeof error));
    assert_non_null(strstr(error, "width, height"));
    snprintf(text, sizeof text, "[lab]\nwidth = 9\n%s", parts); /* whose width is it? */
    assert_false(lab_parse(text, strlen(text), "x.ini", &lab, error, sizeof error));
    assert_string_equal(error, "x.ini:7: a lab with parts has its sizes there, not in [lab]");
    snprintf(text, sizeof text, "%s[lab]\nwidth = 9\n", parts);
    assert_false(lab_parse(text, strlen(text), "x.ini", &lab, error, sizeof error));
    assert_non_null(strstr(error, "a lab with parts has its sizes there"));
    snprintf(text, sizeof text, "%s[lab]\nproblem = gaussian_blur\n", parts);
    assert_false(lab_parse(text, strlen(text), "x.ini", &lab, error, sizeof error));
    assert_string_equal(error, "x.ini: problem gaussian_blur has 1 part");
}

/* A lab whose starter computes nothing names what speedups are over. */
static void test_baseline(void **state) {
    struct lab lab;
    char text[1024];
    assert_true(lab_parse(RIGHT, strlen(RIGHT), "x.ini", &lab, error, sizeof error));
    assert_string_equal(lab_baseline(&lab), "starter");
    assert_string_equal(lab.beside, "");
    snprintf(text, sizeof text, "[lab]\nbaseline = steps/step-a.cu\nbeside = npp.cu\n%s", RIGHT);
    assert_true(lab_parse(text, strlen(text), "x.ini", &lab, error, sizeof error));
    assert_string_equal(lab.baseline, "steps/step-a.cu");
    assert_string_equal(lab_baseline(&lab), "baseline");
    assert_string_equal(lab.beside, "npp.cu");
}

static void test_refusals(void **state) {
    static const struct {
        const char *find, *put, *says;
    } bad[] = {
        {"width = 64", "width = 0", "x.ini:4: 0 is outside 1 to 32768"},
        {"width = 64", "width = 64x", "x.ini:4: '64x' is not a whole number"},
        {"problem = gaussian_blur", "problem = median", "there is no problem 'median'"},
        {"measure = speedup_share", "measure = luck", "unknown measure 'luck'"},
        {"measure = speedup_share", "measure = speedup_share 1", "one measure"},
        {"points = 60", "requires = spill_bytes", "is not a number"},
        {"[goal g]", "[step s]\nmeasure = loads\nsim = at most 1\n[goal g]",
         "[step s] needs measure, sim and cuda"},
        {"[goal g]", "[step s]\nsim = 1\n[goal g]", "at most or at least"},
        {"[goal g]", "[step s]\nsim = at most x\n[goal g]", "'x' is not a number"},
        {"[goal g]", "[step s]\ngoal = 1\n[goal g]", "unknown key 'goal'"},
        {"points = 60", "requires = spills 0", "unknown measure 'spills'"},
        {"sim = 0.5 1", "sim = 1 1", "the same value"},
        {"sim = 0.5 1", "sim = 0.5", "is not a number"},
        {"sim = 0.5 1\n", "\n", "needs measure, points, sim and cuda"},
        {"pass = 50", "pass = 90", "above the 60 points"},
        {"pass = 50", "mark = 50", "unknown key 'mark'"},
        {"[goal g]", "[aim g]", "unknown section [aim g]"},
        {"[lab]", "", "before any [section]"},
        {"[lab]", "[lab", "ends with ]"},
        {"title = T", "title T", "neither"},
        {"title = T", "title =", "1 to"},
        {"flush_l2 = yes", "flush_l2 = perhaps", "yes or no"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1024];
        struct lab lab;
        const char *at = strstr(RIGHT, bad[i].find);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - RIGHT), RIGHT, bad[i].put,
                 at + strlen(bad[i].find));
        assert_false(lab_parse(text, strlen(text), "x.ini", &lab, error, sizeof error));
        if (strstr(error, bad[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", error, bad[i].says);
    }
}

/* Any bytes: every truncation and every changed byte is read or refused. */
static void test_any_bytes(void **state) {
    struct lab lab;
    char text[sizeof RIGHT];
    for (size_t cut = 0; cut < strlen(RIGHT); cut++) {
        char *exact = malloc(cut + 1);
        assert_non_null(exact);
        memcpy(exact, RIGHT, cut);
        (void)lab_parse(exact, cut, "x.ini", &lab, error, sizeof error);
        free(exact);
    }
    for (size_t at = 0; at < strlen(RIGHT); at++)
        for (int value = 0; value < 256; value += 5) {
            memcpy(text, RIGHT, sizeof text);
            text[at] = (char)value;
            (void)lab_parse(text, strlen(RIGHT), "x.ini", &lab, error, sizeof error);
        }
}

static void test_points(void **state) {
    const struct lab_threshold up = {0.5, 1.0}, down = {4.5, 2.0};
    assert_true(lab_points(&up, 0.4, 60) == 0);
    assert_true(lab_points(&up, 0.75, 60) == 30);
    assert_true(lab_points(&up, 1.3, 60) == 60);
    assert_true(lab_points(&down, 5, 40) == 0);
    assert_true(lab_points(&down, 3.25, 40) == 20);
    assert_true(lab_points(&down, 1, 40) == 40);
    assert_true(lab_points(&up, (double)NAN, 60) == 0);
}

static void test_points_in_doubt(void **state) {
    const struct lab_threshold up = {0.5, 1.0}, near = {0.9, 1.0};
    assert_true(lab_points_in_doubt(&up, 0.8, 0.25, 60) == 60);
    assert_float_equal(lab_points_in_doubt(&up, 0.65, 0.25, 60), 30, 1e-9);
    assert_true(lab_points_in_doubt(&up, 0.8, (double)NAN, 60) == lab_points(&up, 0.8, 60));
    assert_true(lab_points_in_doubt(&up, 0.5, 3, 60) == 0);
    assert_true(lab_points_in_doubt(&up, (double)NAN, 0.25, 60) == 0);
    assert_float_equal(lab_points_in_doubt(&near, 0.95, 0.25, 60), 30, 1e-9); /* nothing may be all */
}

static void test_shipped_labs(void **state) {
    unsigned numbers[LABS_MOST], count = lab_numbers(".", numbers);
    assert_true(count >= 6);
    for (unsigned i = 0; i < count; i++) {
        char id[16];
        struct lab lab;
        assert_true(i == 0 || numbers[i - 1] < numbers[i]);
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        if (!lab_load(".", id, &lab, error, sizeof error))
            fail_msg("%s", error);
        assert_string_equal(lab.id, id);
        assert_true(lab_points_most(&lab) == 100);
        assert_true(lab.pass > 0 && lab.pass < 100);
    }
    struct lab lab;
    assert_false(lab_load(".", "lab99999", &lab, error, sizeof error));
    assert_non_null(strstr(error, "there is no lab99999"));
    assert_false(lab_load(".", "../lab1", &lab, error, sizeof error));
    assert_false(lab_load(".", "lab", &lab, error, sizeof error));
}

TESTS(UNIT(test_right), UNIT(test_parts), UNIT(test_baseline), UNIT(test_refusals), UNIT(test_any_bytes),
      UNIT(test_points), UNIT(test_points_in_doubt), UNIT(test_shipped_labs))
