/*
 * Measuring on a real GPU: each round calls all variants in turn, so that drifting clocks affect
 * all alike; medians over the rounds. Counters come from Nsight Compute, or from one call of the
 * same binary on the simulated GPU, since they follow from addresses alone.
 */
#include "lab/judge/measure/measure.h"
#include "lab/judge/measure/measure_parts.h"
#include "lab/judge/measure/profiler.h"
#include "lab/judge/session/session.h"
#include "lab/learner/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls a library, which is compared and not judged; its failure is no failure of the run. */
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

/* Whether the lab asks for machine code, which ncu does not report. */
static bool asks_for_code(const struct lab *lab) {
    for (unsigned i = 0; i < lab->goal_count; i++)
        if (lab->goals[i].measure == MEASURE_HOT_CODE)
            return true;
    return false;
}

/* Whether both names are the same but for their parameters. */
static bool is_same_kernel(const char *a, const char *b) {
    size_t length = strcspn(a, "(");
    return length == strcspn(b, "(") && strncmp(a, b, length) == 0;
}

/* Takes the machine code's sizes from the simulated launches. */
static void take_code(struct trial_result *to, const struct trial_result *from) {
    for (unsigned i = 0; i < to->kernel_count; i++)
        for (unsigned k = 0; k < from->kernel_count; k++)
            if (is_same_kernel(to->kernels[i].name, from->kernels[k].name)) {
                to->kernels[i].code_known = from->kernels[k].code_known;
                to->kernels[i].code_bytes = from->kernels[k].code_bytes;
                to->kernels[i].hot_code_bytes = from->kernels[k].hot_code_bytes;
            }
}

/* On the simulated GPU. */
static void count_simulated(struct measurement *m, unsigned variant, const struct trial *t,
                            struct trial_result *result) {
    struct settings as_simulated = *m->settings;
    *result = (struct trial_result){0};
    as_simulated.device = DEVICE_SIM;
    struct failure ignored = {0};
    struct judge_wrong unused = {0};
    struct measurement counting = *m;
    counting.settings = &as_simulated;
    counting.failure = &ignored;
    counting.wrong = &unused;
    counting.watched = -1;
    /* A size for a real GPU may be too large to simulate; then the simulator's size is counted. */
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
            return;
    }
    if (!measure_simulate(&counting, variant, smaller ? &own : t, false, result)) {
        *result = (struct trial_result){0};
        snprintf(m->uncounted, sizeof m->uncounted, "%.*s", (int)strcspn(ignored.message, "\n"),
                 ignored.message);
    }
    if (smaller)
        trial_free(&own);
}

/* Takes the counters from Nsight Compute where it is installed and may count, else from the same
 * binary on the simulated GPU. A failure costs the counters, not the run. True when counters and
 * kernel times are Nsight Compute's. */
static bool count(struct measurement *m, unsigned variant, const struct trial *t,
                  struct trial_result *result) {
    struct trial_result simulated;
    *result = (struct trial_result){0};
    m->uncounted[0] = '\0';
    bool profiled = !t->problem->on_host && profiler_count(m->settings, m->variants[variant].program, t,
                                                           &result->kernels, &result->kernel_count);
    if (!profiled) {
        count_simulated(m, variant, t, result);
        return false;
    }
    if (asks_for_code(&m->settings->lab)) {
        count_simulated(m, variant, t, &simulated);
        take_code(result, &simulated);
        trial_result_free(&simulated);
    }
    return true;
}

/* Calls the watched variant. With an owner, work on a stream that waits for no other may begin
 * before the inputs are there. A program that is wrong is called once more when they are there,
 * and always so if that is right; the host's part of the call is then in its time. */
static bool call_watched(struct measurement *m, unsigned variant, struct session *session,
                         const struct trial *t, struct trial_options *options, struct trial_result *result) {
    options->wait = m->waits;
    if (measure_judged_call(m, variant, session, t, options, result))
        return true;
    if (!session_has_owner(session) || m->waits || result->verdict.passed || !m->wrong->present)
        return false;
    trial_result_free(result);
    *m->failure = (struct failure){.flag = FLAG_NONE};
    *m->wrong = (struct judge_wrong){.present = false};
    m->waits = options->wait = true;
    return measure_judged_call(m, variant, session, t, options, result);
}

/* Calls all variants that have a session. alone: without the watched one. store: the index for
 * the round's figures, -1: none. */
static bool round_of_all(struct measurement *m, struct session *const sessions[], unsigned round, bool alone,
                         int store, uint64_t flush_bytes, struct timed times[]) {
    struct problem_case c;
    struct trial t;
    settings_timed_case(m->settings, m->part_index, round, &c);
    if (!trial_create(&t, m->settings->lab.problem, &c)) {
        failure_set(m->failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    bool right = true;
    for (unsigned v = 0; right && v < m->count; v++) {
        struct trial_result result = {0};
        struct draw_key call =
            settings_key(m->settings, "part %u, round %u, variant %u", m->part_index, round, v);
        struct trial_options options = measure_call_options(m, &call, true, flush_bytes);
        bool watched = (int)v == m->watched;
        if (sessions[v] == NULL && !m->variants[v].beside)
            continue;
        options.copy = measure_times_copy(m, v);
        options.wait = m->waits && alone; /* the watched variant is compared with these */
        if (watched)
            right = call_watched(m, v, sessions[v], &t, &options, &result);
        else if (!m->variants[v].beside)
            right = measure_judged_call(m, v, sessions[v], &t, &options, &result);
        else if (m->left_out[0] == '\0')
            call_beside(m, sessions[v], &t, &options, &result);
        if (right && !plausible_event(result.event_us, result.wall_us)) {
            failure_set_flag(
                m->failure, FLAG_TIME_MISMATCH, STAGE_MEASURE,
                "the call took %.1f us by its events and %.1f us from outside: the clock is wrong.",
                result.event_us, result.wall_us);
            measure_name_failure(m->variants[v].name, m->failure);
            right = false;
        }
        if (right && store >= 0) {
            clocks_note(&times[v], (unsigned)store, &result);
            gpu_state_sample(m->state);
        }
        trial_result_free(&result);
    }
    trial_free(&t);
    return right;
}

/* The watched variant's time by another clock, where that contradicts its events. */
static bool cross_check(struct measurement *m, const struct clocks *clocks,
                        const struct trial_result *counted, bool by_ncu, double *time_us,
                        enum time_source *source) {
    /* The events see all of a call on the host; memory is allocated outside of them. */
    double ncu_us = 0, unseen_us = m->settings->lab.problem->on_host ? 0 : clocks_unseen_us(m, clocks);
    for (unsigned i = 0; by_ncu && i < counted->kernel_count; i++)
        ncu_us += counted->kernels[i].time_us;
    bool hidden = *time_us < ncu_us / 2; /* ncu's clocks are slower, not twice as slow */
    if (unseen_us == 0 && !hidden)
        return true;
    bool suspect = hidden || !clocks->owned || plausible_window_suspect(unseen_us, *time_us);
    *source = hidden ? TIME_NCU : clocks->owned ? TIME_WINDOW : TIME_WALL;
    *time_us = fmax(*time_us + unseen_us + (suspect && clocks->owned ? plausible_window_hides_us() : 0),
                    hidden ? ncu_us : 0);
    return !suspect ||
           report_add_flag(m->report, flag_name(FLAG_TIME_MISMATCH), flag_meaning(FLAG_TIME_MISMATCH));
}

/* The variant's run. */
static bool add_variant(struct measurement *m, unsigned v, const struct trial *t,
                        const struct clocks *clocks) {
    bool beside = m->variants[v].beside;
    if (beside && m->left_out[0] != '\0')
        return measure_add_left_out(m, m->variants[v].name, m->left_out);
    struct trial_result counted = {0};
    enum time_source other = TIME_UNKNOWN; /* the clock that contradicts the events */
    double interval[2], median = clocks_median(m, clocks, v, CLOCK_EVENT, interval);
    progress_show("counting %s", m->variants[v].name);
    bool by_ncu = !beside && count(m, v, t, &counted);
    bool right = (int)v != m->watched || cross_check(m, clocks, &counted, by_ncu, &median, &other);
    right = right && (beside || measure_check_roofline(m, v, t, median)) &&
            measure_add_run(m, m->variants[v].name, median, other != TIME_UNKNOWN ? other : TIME_EVENT,
                            other != TIME_UNKNOWN ? NULL : interval, &counted);
    struct report_run *run = right ? &m->report->runs[m->report->run_count - 1] : NULL;
    if (right && beside)
        note_beside(m, run->note, sizeof run->note);
    else if (right && m->uncounted[0] != '\0')
        snprintf(run->note, sizeof run->note, "counters: %s", m->uncounted);
    trial_result_free(&counted);
    return right;
}

static bool add_measured(struct measurement *m, const struct trial *t, const struct clocks *clocks) {
    if (clocks_held_up(m, clocks) && !report_add_flag(m->report, flag_name(FLAG_LAUNCH_OUTSIDE_CALL),
                                                      flag_meaning(FLAG_LAUNCH_OUTSIDE_CALL)))
        return false;
    for (unsigned v = 0; v < m->count; v++)
        if (!add_variant(m, v, t, clocks))
            return false;
    for (unsigned v = 0; v < m->count; v++)
        if (measure_times_copy(m, v)) {
            double interval[2], median = clocks_median(m, clocks, v, CLOCK_COPY, interval);
            return measure_add_run(m, "copy", median, TIME_EVENT, interval, NULL);
        }
    return true;
}

/* Times rounds of all variants, then some more without the watched one, whose process has ended. */
static bool time_rounds(struct measurement *m, struct session *sessions[], uint64_t flush,
                        struct clocks *clocks) {
    unsigned rounds = m->settings->rounds, round = 0;
    bool right = true;
    for (; right && round < WARM_UP_ROUNDS + rounds; round++) {
        progress_show("timing, round %u of %u", round + 1, WARM_UP_ROUNDS + rounds);
        right = round_of_all(m, sessions, round, false, (int)round - WARM_UP_ROUNDS, flush, clocks->times);
    }
    if (!right || m->watched < 0 || !clocks->owned)
        return right;
    session_close(sessions[m->watched]);
    sessions[m->watched] = NULL;
    for (unsigned i = 0; right && i < ALONE_ROUNDS; i++, round++) {
        progress_show("timing without yours, round %u of %d", i + 1, ALONE_ROUNDS);
        right = round_of_all(m, sessions, round, true, (int)i, flush, clocks->alone);
    }
    clocks->alone_rounds = right ? ALONE_ROUNDS : 0;
    return right;
}

/* Likewise, and notes the GPU's clocks in the report. */
static bool watched_rounds(struct measurement *m, struct session *sessions[], uint64_t flush,
                           struct clocks *clocks) {
    char why[160] = "";
    struct report_clocks seen;
    m->state = gpu_state_open(GPU_STATE_LIBRARY, m->bus, why, sizeof why);
    bool right = time_rounds(m, sessions, flush, clocks);
    gpu_state_summary(m->state, why, &seen);
    gpu_state_close(m->state);
    m->state = NULL;
    report_clocks_add(&m->report->clocks, &seen);
    report_clocks_judge(&m->report->clocks, NULL);
    return right;
}

bool measure_real(struct measurement *m, const struct trial *t) {
    struct session *sessions[MEASURE_VARIANTS] = {NULL};
    struct clocks clocks;
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = true};
    uint64_t l2_bytes = 0;
    bool right = clocks_create(&clocks, m->count, m->settings->rounds, ALONE_ROUNDS);
    if (!right)
        failure_set(m->failure, STAGE_MEASURE, "out of memory");
    for (unsigned v = 0; right && v < m->count; v++) {
        struct failure ignored = {0};
        bool beside = m->variants[v].beside;
        sessions[v] =
            judge_open_session(m->settings, m->variants[v].program, &how, beside ? &ignored : m->failure);
        right = sessions[v] != NULL || beside;
    }
    right = right && measure_describe_device(m, sessions[0], &l2_bytes);
    clocks.owned = right && session_has_owner(sessions[0]);
    /* Twice L2, and at least as much as lets the host queue the call meanwhile. */
    uint64_t flush = m->settings->lab.flush_l2 ? 2 * l2_bytes + ((uint64_t)64 << 20) : 0;
    right = right && watched_rounds(m, sessions, flush, &clocks);
    for (unsigned v = 0; v < m->count; v++)
        session_close(sessions[v]);
    if (m->watched >= 0 && (right || m->wrong->present) &&
        !report_add_case(m->report, t->problem_case.name, right, right ? "" : m->failure->message))
        right = false;
    right = right && add_measured(m, t, &clocks);
    clocks_free(&clocks);
    return right;
}
