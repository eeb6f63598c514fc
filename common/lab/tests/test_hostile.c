/* Submissions that cheat. Each must fail with its flag, in the cases or when it is timed, on the simulated
 * GPU; and right ones of the same means must not. */
#include "support_lab.h"

#include "base/clock.h"
#include "lab/judge/calls/judge.h"
#include "lab/judge/measure/measure.h"

static int set_up(void **state) {
    if (make_folder(state) != 0)
        return -1;
    settings.timeout_s = 3600; /* only a call that hangs needs them */
    resolve_lab(&settings, "lab1");
    settings.width = 640; /* larger than any case */
    settings.height = 420;
    return 0;
}

struct outcome {
    bool right, in_cases; /* in_cases: it failed there, and was not timed */
    struct failure failure;
};

/* As `lab run` does it. */
static struct outcome judge(const char *name) {
    struct outcome o = {0};
    char output[4096];
    ENDED(report_free) struct report report;
    struct judge_wrong wrong = {0};
    struct measure_variant yours = {.name = "yours"};
    path_print(yours.program, "%s/kernels/wrong/gaussian_blur/%s-90", settings.build, name);
    assert_true(report_init(&report, "lab1", "T"));
    o.in_cases =
        !judge_correctness(&settings, yours.program, &report, &wrong, output, sizeof output, &o.failure);
    o.right = !o.in_cases && measure_variants(&settings, 0, &yours, 1, 0,
                                              &(struct measure_results){&report, &wrong, &o.failure});
    return o;
}

static void expect(const char *name, enum flag flag, bool in_cases) {
    struct outcome o = judge(name);
    if (o.right || o.in_cases != in_cases || o.failure.flag != flag)
        fail_msg("%s: expected '%s' in %s; %s in %s, '%s': %s: %s", name, flag_name(flag),
                 in_cases ? "the cases" : "timing", o.right ? "right" : "wrong",
                 o.in_cases ? "the cases" : "timing", flag_name(o.failure.flag),
                 report_stage_name(o.failure.stage), o.failure.message);
}

static void test_outside_the_call(void **state) {
    expect("hostile_thread", FLAG_LAUNCH_OUTSIDE_CALL, true);
    /* Before the first call there is no input: memory may be cleared, for all the good it does. */
    struct outcome o = judge("hostile_constructor");
    if (!o.right)
        fail_msg("%s", o.failure.message);
}

static void test_on_the_host(void **state) {
    expect("on_cpu", FLAG_HOST_ANSWER, true);
    expect("hostile_pinned", FLAG_HOST_ANSWER, true);
    expect("hostile_forged", FLAG_NONE, true); /* what it can reach is not the answer: it is just wrong */
}

static void test_kept_answers(void **state) {
    expect("hostile_cached_size", FLAG_WRONG_LATER, false);
    expect("hostile_wrong_later", FLAG_WRONG_LATER, false);
    /* No pair of pointers comes twice, so the cache is never asked: it costs its copies and is right. */
    struct outcome o = judge("hostile_cached_pointer");
    if (!o.right)
        fail_msg("%s", o.failure.message);
}

static void test_no_kernel(void **state) {
    expect("hostile_no_kernel", FLAG_NONE, true); /* a copy is no blur */
}

static void test_process(void **state) {
    double begin = clock_seconds();
    expect("hostile_exits", FLAG_EARLY_EXIT, true);
    expect("hostile_closes", FLAG_RESULT_CHANNEL, true);
    expect("hostile_answers", FLAG_RESULT_CHANNEL, true);
    assert_true(clock_seconds() - begin < settings.timeout_s); /* none is waited for until it is late */
}

static void test_buffers(void **state) {
    expect("hostile_frees", FLAG_FREED_BUFFER, true);
    expect("hostile_resets", FLAG_FREED_BUFFER, true);
}

static void test_overrides(void **state) {
    expect("hostile_overrides", FLAG_NONE, true);
}

/* What grading hides: the order of the cases is another for another key, each case comes once, the number of
 * calls varies, and the same key gives the same. */
static void test_unpredictable(void **state) {
    struct settings s = settings;
    unsigned count = s.lab.problem->case_count, before = 0, after = 0, moved = 0;
    assert_int_equal(judge_case_count(&s), count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(judge_case_at(&s, i), i);
    assert_true(judge_calls(&s, 0).before == 1 && judge_calls(&s, 0).after == 0);
    s.grading = true;
    count = judge_case_count(&s);
    assert_int_equal(count, s.lab.problem->case_count + JUDGE_DRAWN_CASES);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        draw_key_of_seed(&s.key, seed);
        bool seen[256] = {false};
        for (unsigned i = 0; i < count; i++) {
            unsigned at = judge_case_at(&s, i);
            assert_true(at < count && !seen[at]);
            seen[at] = true;
            moved += at != i;
            assert_int_equal(at, judge_case_at(&s, i));
        }
        assert_in_range(judge_calls(&s, 0).before, 1, 3);
        before |= 1u << judge_calls(&s, 0).before;
        after |= 1u << judge_calls(&s, 0).after;
    }
    assert_true(moved > 20 * count / 2);
    assert_int_equal(before, 2 | 4 | 8);
    assert_int_equal(after, 1 | 2);
}

/* A right program stays right when the order and number of its calls are drawn. */
static void test_right_when_graded(void **state) {
    settings.grading = true;
    for (uint64_t seed = 5; seed < 8; seed++) {
        draw_key_of_seed(&settings.key, seed);
        struct outcome o = judge("honest");
        if (!o.right)
            fail_msg("%s", o.failure.message);
        o = judge("hostile_cached_size"); /* in the cases already, where one is drawn twice */
        assert_false(o.right);
        assert_int_equal(o.failure.flag, FLAG_WRONG_LATER);
    }
    settings.grading = false;
    draw_key_of_seed(&settings.key, SETTINGS_SEED);
}

TESTS_BETWEEN(set_up, remove_folder, UNIT(test_outside_the_call), UNIT(test_on_the_host),
              UNIT(test_kept_answers), UNIT(test_no_kernel), UNIT(test_process), UNIT(test_buffers),
              UNIT(test_overrides), UNIT(test_unpredictable), UNIT(test_right_when_graded))
