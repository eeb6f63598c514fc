/* Measuring a lab's version for the host: judged calls by the host's clock. */
#include "lab/judge/measure/measure.h"
#include "lab/learner/progress.h"

bool measure_cpu(const struct settings *settings, const char *program, double *time_us,
                 struct failure *failure) {
    enum { CALLS = 5 };
    struct problem_case c;
    struct trial t;
    double times[CALLS];
    settings_timed_case(settings, 0, 0, &c);
    if (!trial_create(&t, settings->lab.problem, &c)) {
        failure_set(failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    struct judge_session how = {
        .memory_bytes = trial_memory(t.problem, &c), .measuring = true, .on_host = true};
    struct session *session = judge_open_session(settings, program, &how, failure);
    bool right = session != NULL;
    for (int i = -1; right && i < CALLS; i++) { /* one to warm up */
        struct trial_result result;
        progress_show("timing the CPU, call %d of %d", i + 2, CALLS + 1);
        struct draw_key key = settings_key(settings, "CPU, call %d", i + 1);
        right = trial_run_cpu(&t, session, &key, &result, failure);
        if (right && !result.verdict.passed) {
            failure_set(failure, STAGE_CORRECTNESS, "CPU, %s: %s", c.name, result.verdict.message);
            right = false;
        }
        if (right && i >= 0)
            times[i] = result.event_us;
        trial_result_free(&result);
    }
    progress_clear();
    session_close(session);
    trial_free(&t);
    if (right)
        *time_us = statistics_median(times, CALLS);
    return right;
}
