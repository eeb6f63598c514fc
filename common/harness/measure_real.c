/*
 * Measuring on a real GPU: rounds of all variants one after the other, so that drifting clocks meet all
 * alike; medians over the rounds. Counters come from Nsight Compute, or from one launch of the same binary on
 * the simulated GPU: they follow from addresses alone.
 */
#include "harness/measure_parts.h"
#include "harness/plausible.h"
#include "harness/profiler.h"
#include "harness/progress.h"
#include "harness/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_ROUNDS = 3 };

/* A call of a library: it is compared, not judged. What goes wrong with it is its own affair. */
static void call_beside(struct measurement *m, struct session *session, const struct trial *t,
                        const struct trial_options *options, struct trial_result *result) {
    struct failure failure = {0};
    if (session == NULL || !trial_run(t, session, options, result, &failure)) {
        uint64_t printed = 0;
        const char *said = session != NULL ? session_output(session, &printed) : "";
        snprintf(m->left_out, sizeof m->left_out, "%.*s",
                 printed > 0 ? (int)strcspn(said, "\n") : (int)strcspn(failure.message, "\n"),
                 printed > 0 ? said : failure.message);
        return;
    }
    m->different += result->verdict.wrong;
    m->compared += result->verdict.total;
    m->largest = result->verdict.largest > m->largest ? result->verdict.largest : m->largest;
}

static void note_beside(const struct measurement *m, char *note, size_t size) {
    if (m->different == 0 && m->settings->lab.problem->picture == NULL)
        snprintf(note, size, "its result is right");
    else if (m->different == 0)
        snprintf(note, size, "every %s is right", m->settings->lab.problem->element);
    else
        snprintf(note, size, "differs from the exact result in %.2g %% of the %ss, by at most %u",
                 100 * (double)m->different / (double)m->compared, m->settings->lab.problem->element,
                 m->largest);
}

/* What events cannot tell: from Nsight Compute where it is there and may count, else from the same binary on
 * the simulated GPU. A failure here costs the counters, not the run. True when the counts, and so the
 * kernels' times, are Nsight Compute's. */
static bool count(struct measurement *m, unsigned variant, const struct trial *t,
                  struct trial_result *result) {
    struct settings as_simulated = *m->settings;
    *result = (struct trial_result){0};
    if (profiler_count(m->settings, m->variants[variant].program, t, &result->kernels, &result->kernel_count))
        return true;
    as_simulated.device = DEVICE_SIM;
    struct failure ignored = {0};
    struct judge_wrong unused = {0};
    struct measurement counting = *m;
    counting.settings = &as_simulated;
    counting.failure = &ignored;
    counting.wrong = &unused;
    counting.watched = -1;
    /* A size chosen for a real GPU may be out of the simulator's reach: then the simulator's size is counted. */
    const struct lab_part *part = m->part;
    bool smaller = part->cuda_width != 0 && (m->part_index > 0 ? !m->settings->sized
                                                               : m->settings->width > part->width ||
                                                                     m->settings->height > part->height);
    struct trial own;
    if (smaller) {
        struct problem_case c;
        as_simulated.sized = false;
        as_simulated.width = part->width;
        as_simulated.height = part->height;
        settings_timed_case(&as_simulated, m->part_index, 0, &c);
        if (!trial_create(&own, m->settings->lab.problem, &c))
            return false;
    }
    if (!measure_simulate(&counting, variant, smaller ? &own : t, false, result))
        *result = (struct trial_result){0};
    if (smaller)
        trial_free(&own);
    return false;
}

/* A variant's timed calls: what the events say, how much longer the judge waited, and how long the device
 * went on when the call's stream had ended. */
struct timed {
    double *event_us, *between_us, *after_us;
};

static bool round_of_all(struct measurement *m, struct session *const sessions[], unsigned round,
                         uint64_t flush_bytes, const struct timed times[]) {
    struct problem_case c;
    struct trial t;
    settings_timed_case(m->settings, m->part_index, round, &c);
    if (!trial_create(&t, m->settings->lab.problem, &c)) {
        failure_set(m->failure, "measure", "out of memory");
        return false;
    }
    bool right = true;
    for (unsigned v = 0; right && v < m->count; v++) {
        struct trial_result result = {0};
        struct draw_key call =
            settings_key(m->settings, "part %u, round %u, variant %u", m->part_index, round, v);
        struct trial_options options = measure_call_options(m, &call, true, flush_bytes);
        options.copy = measure_times_copy(m, v);
        if (!m->variants[v].beside)
            right = measure_judged_call(m, v, sessions[v], &t, &options, &result);
        else if (m->left_out[0] == '\0')
            call_beside(m, sessions[v], &t, &options, &result);
        if (right && !plausible_event(result.event_us, result.wall_us)) {
            failure_set_flag(
                m->failure, FLAG_TIME_MISMATCH, "measure",
                "the call took %.1f us by its events and %.1f us from outside: the clock is wrong.",
                result.event_us, result.wall_us);
            measure_name_failure(m->variants[v].name, m->failure);
            right = false;
        }
        if (right && round >= WARM_UP_ROUNDS) {
            times[v].event_us[round - WARM_UP_ROUNDS] = result.event_us;
            times[v].between_us[round - WARM_UP_ROUNDS] = result.wall_us - result.event_us;
            times[v].after_us[round - WARM_UP_ROUNDS] = result.after_us;
        }
        if (right && round >= WARM_UP_ROUNDS && options.copy)
            times[m->count].event_us[round - WARM_UP_ROUNDS] = result.copy_us;
        trial_result_free(&result);
    }
    trial_free(&t);
    return right;
}

/* The watched variant's time when another clock contradicts its events: that clock's. */
static bool cross_check(struct measurement *m, const struct timed times[], const struct trial_result *counted,
                        bool by_ncu, double *time_us, const char **source) {
    unsigned rounds = m->settings->rounds, watched = (unsigned)m->watched;
    double trusted_us = -1, trusted_after_us = 0, ncu_us = 0;
    for (unsigned v = 0; v < m->count; v++)
        if (v != watched && !m->variants[v].beside) {
            trusted_us = fmax(trusted_us, statistics_median(times[v].between_us, rounds));
            trusted_after_us = fmax(trusted_after_us, statistics_median(times[v].after_us, rounds));
        }
    double unseen_us =
        trusted_us >= 0
            ? plausible_unseen_us(statistics_median(times[watched].between_us, rounds), trusted_us)
            : 0;
    if (trusted_us >= 0)
        unseen_us = fmax(unseen_us, plausible_elsewhere_us(statistics_median(times[watched].after_us, rounds),
                                                           trusted_after_us));
    for (unsigned i = 0; by_ncu && i < counted->kernel_count; i++)
        ncu_us += counted->kernels[i].time_us;
    bool hidden = *time_us < ncu_us / 2; /* ncu's clocks are slower, not twice as slow */
    if (unseen_us == 0 && !hidden)
        return true;
    *source = hidden ? "ncu" : "wall";
    *time_us = fmax(*time_us + unseen_us, hidden ? ncu_us : 0);
    return report_add_flag(m->report, flag_name(FLAG_TIME_MISMATCH), flag_meaning(FLAG_TIME_MISMATCH));
}

static bool add_measured(struct measurement *m, const struct trial *t, const struct timed times[]) {
    for (unsigned v = 0; v < m->count + m->part->copy; v++) {
        bool beside = v < m->count && m->variants[v].beside;
        if (beside && m->left_out[0] != '\0') {
            if (!measure_add_left_out(m, m->variants[v].name, m->left_out))
                return false;
            continue;
        }
        struct trial_result counted = {0};
        const char *other = NULL; /* the clock that contradicts the events */
        double interval[2] = {(double)NAN, (double)NAN};
        double median = statistics_median(times[v].event_us, m->settings->rounds);
        statistics_median_interval(times[v].event_us, m->settings->rounds, interval);
        if (v == m->count) {
            if (!measure_add_run(m, "copy", median, "event", interval, NULL))
                return false;
            break;
        }
        progress_show("counting %s", m->variants[v].name);
        bool by_ncu = !beside && count(m, v, t, &counted);
        bool right = (int)v != m->watched || cross_check(m, times, &counted, by_ncu, &median, &other);
        right = right && (beside || measure_check_roofline(m, v, t, median)) &&
                measure_add_run(m, m->variants[v].name, median, other != NULL ? other : "event",
                                other != NULL ? NULL : interval, &counted);
        if (right && beside) {
            struct report_run *run = &m->report->runs[m->report->run_count - 1];
            note_beside(m, run->note, sizeof run->note);
        }
        trial_result_free(&counted);
        if (!right)
            return false;
    }
    return true;
}

bool measure_real(struct measurement *m, const struct trial *t) {
    struct session *sessions[MEASURE_VARIANTS] = {NULL};
    struct timed times[MEASURE_VARIANTS + 1] = {{NULL, NULL, NULL}}; /* the last: of the copy */
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = true};
    uint64_t l2_bytes = 0;
    bool right = true;
    for (unsigned v = 0; right && v <= m->count; v++) {
        times[v].event_us = calloc(m->settings->rounds, sizeof(double));
        times[v].between_us = calloc(m->settings->rounds, sizeof(double));
        times[v].after_us = calloc(m->settings->rounds, sizeof(double));
        right = times[v].event_us != NULL && times[v].between_us != NULL && times[v].after_us != NULL;
        if (!right)
            failure_set(m->failure, "measure", "out of memory");
    }
    for (unsigned v = 0; right && v < m->count; v++) {
        struct failure ignored = {0};
        bool beside = m->variants[v].beside;
        sessions[v] =
            judge_open_session(m->settings, m->variants[v].program, &how, beside ? &ignored : m->failure);
        right = sessions[v] != NULL || beside;
    }
    right = right && measure_describe_device(m, sessions[0], &l2_bytes);
    /* Twice L2, and never so little that the host cannot queue the call meanwhile. */
    uint64_t flush = m->settings->lab.flush_l2 ? 2 * l2_bytes + ((uint64_t)64 << 20) : 0;
    for (unsigned round = 0; right && round < WARM_UP_ROUNDS + m->settings->rounds; round++) {
        progress_show("timing, round %u of %u", round + 1, WARM_UP_ROUNDS + m->settings->rounds);
        right = round_of_all(m, sessions, round, flush, times);
    }
    for (unsigned v = 0; v < m->count; v++)
        session_close(sessions[v]);
    if (m->watched >= 0 && (right || m->wrong->present) &&
        !report_add_case(m->report, t->problem_case.name, right, right ? "" : m->failure->message))
        right = false;
    right = right && add_measured(m, t, times);
    for (unsigned v = 0; v <= m->count; v++) {
        free(times[v].event_us);
        free(times[v].between_us);
        free(times[v].after_us);
    }
    return right;
}
