/* What happens when in a lab's timed call is told by the simulated GPU where that was asked for, and reads as one run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/spans.h"
#include "harness/judge.h"
#include <math.h>

/* Lab 10's solution at a small size: a graph of all steps, so the host gives one call and waits. */
static void a_run_is_told(void **state) {
    (void)state;
    static struct settings s;
    char error[SETTINGS_ERROR], program[PATH_SIZE];
    struct problem_case c;
    struct trial t;
    assert_true(settings_init(&s, error, sizeof error));
    s.device = DEVICE_SIM;
    s.width = s.height = 64;
    if (!settings_resolve(&s, "lab10", error, sizeof error))
        fail_msg("%s", error);
    settings_timed_case(&s, 0, 0, &c);
    settings_program(&s, "reference", program);
    assert_true(trial_create(&t, s.lab.problem, &c));
    for (int asked = 0; asked < 2; asked++) {
        struct judge_session how = {
            .memory_bytes = trial_memory(t.problem, &c), .measuring = true, .unlogged = true};
        struct trial_options call = {.key = settings_key(&s, "timeline"), .timed = true};
        struct trial_result result = {0};
        struct failure failure = {0};
        struct spans spans = {0};
        struct session *session = judge_open_session(&s, program, &how, &failure);
        if (session == NULL || (asked && !session_command(session, NULL, &failure, "timeline 1")) ||
            !trial_run(&t, session, &call, &result, &failure))
            fail_msg("%s", failure.message);
        assert_true(result.verdict.passed);
        assert_true((session_spans(session) != NULL) == asked);
        assert_true(spans_read(&spans, session_spans(session), result.device_us));
        if (asked) {
            double from, to, run = spans.to_us - spans.from_us;
            uint32_t rounds;
            spans_middle(&spans, &from, &to, &rounds);
            assert_int_equal(rounds, 24);
            assert_true(run <= result.device_us * 1.001 && run > 0.9 * result.device_us);
            assert_true(spans_share(&spans, SPAN_HOST, true) > 0.9); /* one call, and it waits */
            assert_true(spans_share(&spans, SPAN_TO_DEVICE, false) > 0 &&
                        spans_share(&spans, SPAN_FROM_DEVICE, false) > 0);
            assert_in_range(spans_share(&spans, SPAN_KERNELS, false) * 100, 10, 100);
        }
        spans_free(&spans);
        trial_result_free(&result);
        session_close(session);
    }
    trial_free(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
