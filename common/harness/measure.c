/*
 * Simulated GPU: one launch each; its counters and modelled time are the same every time.
 * Real GPU: rounds of all variants one after the other, so that drifting clocks meet all alike; medians over
 * the rounds. There the counters come from one launch of the same binary on the simulated GPU: they follow
 * from addresses alone.
 */
#include "harness/measure.h"
#include "harness/plausible.h"
#include "harness/profiler.h"
#include "harness/progress.h"
#include "harness/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP_ROUNDS = 3, WARM_UP_CALL = 1000 };

struct measurement {
    const struct settings *settings;
    const struct lab_part *part;
    unsigned part_index;
    const struct measure_variant *variants;
    unsigned count;
    int watched;
    struct report *report;
    struct judge_wrong *wrong;
    struct failure *failure;
    bool pictures_drawn;
    unsigned right_calls; /* of the watched variant's process */
    /* Of a variant that is only beside: why it is left out, "" while it is not; in how many elements, of all,
     * it differs from the right result, and by how much at most. */
    char left_out[96];
    uint64_t different, compared;
    unsigned largest;
};

static bool open_session(const struct settings *s, const struct measure_variant *variant, uint64_t memory,
                         struct session **session, struct failure *failure) {
    struct session_options options;
    char log[SETTINGS_PATH + 32];
    snprintf(log, sizeof log, "%s/output.txt", s->folder);
    judge_session_options(s, variant->program, true, memory, log, &options);
    *session = session_open(&options, failure);
    return *session != NULL;
}

/* Put the variant's name before what went wrong with it, unless it is the student's own. */
static void name_failure(const char *variant, struct failure *failure) {
    if (strcmp(variant, "yours") == 0)
        return;
    char message[sizeof failure->message];
    snprintf(message, sizeof message, "%.60s: %.1400s", variant, failure->message);
    memcpy(failure->message, message, sizeof message);
}

static bool describe_device(struct measurement *m, struct session *session, uint64_t *l2_bytes) {
    struct runner_request request = {.command = RUNNER_DESCRIBE};
    struct runner_reply reply;
    if (!session_exchange(session, &request, &reply, m->failure))
        return false;
    *l2_bytes = reply.l2_bytes;
    char toolkit[32];
    snprintf(toolkit, sizeof toolkit, "%d.%d", reply.runtime_version / 1000,
             reply.runtime_version % 1000 / 10);
    bool sim = m->settings->device == DEVICE_SIM;
    if (report_set_device(m->report, sim ? "sim" : "cuda", sim ? m->settings->model.name : reply.gpu,
                          m->settings->gpu, toolkit))
        return true;
    failure_set(m->failure, "measure", "out of memory");
    return false;
}

/* The plain copy is timed in the last process that is ours: the reference's or a step's, never the student's.
 */
static bool times_copy(const struct measurement *m, unsigned variant) {
    unsigned last = m->count - 1;
    while (last > 0 && m->variants[last].beside)
        last--;
    return m->part->copy && variant == last;
}

/* What it takes on the simulated GPU: DRAM reads and writes every byte, as in cudart/timeline.c. */
static double modelled_copy(const struct measurement *m, const struct trial *t) {
    const struct gpu_model *model = &m->settings->model;
    return model->launch_us + 2 * (double)t->layout.bytes[0] / (1000 * model->dram_gbs);
}

/* Call number `call`; timed: its time counts. */
static struct trial_options call_options(const struct measurement *m, uint64_t call, bool timed,
                                         uint64_t flush_bytes) {
    return (struct trial_options){.call = call,
                                  .guard = m->settings->device == DEVICE_CUDA || !m->settings->strict,
                                  .timed = timed,
                                  .backwards = !timed,
                                  .keep_output = m->settings->lab.problem->picture != NULL,
                                  .flush_bytes = flush_bytes};
}

/* What a wrong result of the watched variant means: a program that computes the same right when it is called
 * first of all counts its calls. */
static enum flag wrong_flag(const struct measurement *m, unsigned variant, const struct trial *t,
                            const struct trial_options *options, enum flag flag) {
    return flag == FLAG_NONE && m->right_calls > 0 &&
                   judge_right_when_first(m->settings, m->variants[variant].program, true, t, options)
               ? FLAG_WRONG_LATER
               : flag;
}

/* One judged call of a variant. */
static bool judged_call(struct measurement *m, unsigned variant, struct session *session,
                        const struct trial *t, const struct trial_options *options,
                        struct trial_result *result) {
    const char *name = m->variants[variant].name;
    if (!trial_run(t, session, options, result, m->failure)) {
        name_failure(name, m->failure);
        return false;
    }
    bool right = result->verdict.passed, watched = (int)variant == m->watched;
    char error[SETTINGS_ERROR];
    if (watched && ((options->timed && !m->pictures_drawn) || !right)) {
        m->pictures_drawn = true;
        if (!judge_pictures(m->settings, t, result->output, error, sizeof error) && right) {
            failure_set(m->failure, "measure", "%s", error);
            right = false;
        }
    }
    m->right_calls += watched && right;
    if (result->verdict.passed)
        return right;
    if (watched) {
        result->flag = wrong_flag(m, variant, t, options, result->flag);
        *m->wrong = (struct judge_wrong){.present = true,
                                         .problem_case = t->problem_case,
                                         .verdict = result->verdict,
                                         .flag = result->flag};
    }
    failure_set_flag(m->failure, result->flag, "correctness", "%s: %s. %s", t->problem_case.name,
                     result->verdict.message, result->verdict.hint);
    name_failure(name, m->failure);
    return false;
}

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

/* What speedups of this part are over. The run just added is there, so there is one. */
static const struct report_run *first_run(const struct measurement *m) {
    uint32_t i = 0;
    while (m->report->runs[i].part != NULL && strcmp(m->report->runs[i].part, m->part->name) != 0)
        i++;
    return &m->report->runs[i];
}

/* What is faster than the roofline is not rewarded. The model must be this very GPU's. */
static bool check_roofline(struct measurement *m, unsigned variant, const struct trial *t, double time_us) {
    const struct settings *s = m->settings;
    bool sim = s->device == DEVICE_SIM;
    if (!sim && (m->report->device.gpu == NULL || strcmp(m->report->device.gpu, s->model.name) != 0))
        return true;
    double least_us = plausible_least_us(&s->model, t->problem, &t->problem_case, sim || s->lab.flush_l2);
    if (time_us >= least_us)
        return true;
    failure_set_flag(
        m->failure, FLAG_FASTER_THAN_ROOFLINE, "measure",
        "%.2f us is less than the %.2f us that this GPU needs at least for this problem: the time "
        "cannot be right, or the work was not done.",
        time_us, least_us);
    name_failure(m->variants[variant].name, m->failure);
    return false;
}

/* counted: NULL for a run without kernels. */
static bool add_run(struct measurement *m, const char *name, double time_us, const char *source,
                    const double interval[2], struct trial_result *counted) {
    struct report_run *run = report_add_run(m->report, name);
    bool right = run != NULL && (m->part->name[0] == '\0' || report_set_text(&run->part, m->part->name));
    if (right) {
        run->time_us = time_us;
        snprintf(run->time_source, sizeof run->time_source, "%s", source);
        run->speedup = first_run(m)->time_us / time_us;
        if (interval != NULL)
            memcpy(run->ci95_us, interval, sizeof run->ci95_us);
    }
    for (unsigned i = 0; right && counted != NULL && i < counted->kernel_count; i++) {
        struct kernel_report *kernel = report_run_add_kernel(run);
        right = kernel != NULL;
        if (right) {
            *kernel = counted->kernels[i]; /* ownership moves to the report */
            counted->kernels[i] = (struct kernel_report){0};
        }
    }
    if (!right)
        failure_set(m->failure, "measure", "out of memory");
    return right;
}

static bool launched(struct measurement *m, unsigned variant, const struct trial_result *result) {
    if (result->kernel_count > 0)
        return true;
    failure_set_flag(m->failure, FLAG_NO_KERNEL, "measure",
                     "no kernel was launched: the result was not computed on the GPU");
    name_failure(m->variants[variant].name, m->failure);
    return false;
}

/* Calls of the same size with other inputs before the one that counts: a program cannot keep an answer, and
 * does not know which call is timed. Without caches, which nobody looks at here. */
static bool warm_up(struct measurement *m, unsigned variant, struct session *session,
                    const struct trial *timed) {
    const struct settings *s = m->settings;
    bool right = session_command(session, NULL, m->failure, "caches 0");
    for (unsigned k = 0; right && k < judge_warm_up_calls(s); k++) {
        struct problem_case c;
        struct trial t;
        struct trial_result result;
        const int64_t *size = timed->problem_case.size;
        settings_timed_case(s, m->part_index, s->seed + JUDGE_OTHER_INPUTS + k, &c);
        memcpy(c.size, size, sizeof c.size);
        if (!trial_create(&t, s->lab.problem, &c)) {
            failure_set(m->failure, "measure", "out of memory");
            return false;
        }
        struct trial_options options = call_options(m, WARM_UP_CALL + k, false, 0);
        right = judged_call(m, variant, session, &t, &options, &result);
        right = right && launched(m, variant, &result);
        trial_result_free(&result);
        trial_free(&t);
    }
    return right && session_command(session, NULL, m->failure, "caches 1");
}

/* One launch on the simulated GPU: counters, and on a simulated device the time. */
static bool simulate(struct measurement *m, unsigned variant, const struct trial *t, bool first,
                     struct trial_result *result) {
    struct session *session;
    uint64_t l2_bytes;
    *result = (struct trial_result){0};
    if (!open_session(m->settings, &m->variants[variant], trial_memory(t->problem, &t->problem_case),
                      &session, m->failure))
        return false;
    struct trial_options options = call_options(m, variant, true, 0);
    m->right_calls = 0;
    bool right = (!first || describe_device(m, session, &l2_bytes)) &&
                 ((int)variant != m->watched || warm_up(m, variant, session, t)) &&
                 judged_call(m, variant, session, t, &options, result);
    session_close(session);
    right = right && launched(m, variant, result);
    if (!right)
        trial_result_free(result);
    return right;
}

/* A run without a time, and why. */
static bool add_left_out(struct measurement *m, const char *name, const char *why) {
    struct report_run *run = report_add_run(m->report, name);
    if (run == NULL) {
        failure_set(m->failure, "measure", "out of memory");
        return false;
    }
    snprintf(run->note, sizeof run->note, "not timed: %s", why);
    return true;
}

static bool measure_simulated(struct measurement *m, const struct trial *t) {
    for (unsigned v = 0; v < m->count; v++) {
        if (m->variants[v].beside) {
            if (!add_left_out(m, m->variants[v].name, "it needs a real GPU"))
                return false;
            continue;
        }
        struct trial_result result;
        progress_show("simulating %s", m->variants[v].name);
        bool right = simulate(m, v, t, v == 0, &result);
        if ((int)v == m->watched && (right || m->wrong->present) &&
            !report_add_case(m->report, t->problem_case.name, right, right ? "" : m->failure->message))
            right = false;
        if (!right)
            return false;
        right = check_roofline(m, v, t, result.device_us) &&
                add_run(m, m->variants[v].name, result.device_us, "model", NULL, &result) &&
                (!times_copy(m, v) || add_run(m, "copy", modelled_copy(m, t), "model", NULL, NULL));
        trial_result_free(&result);
        if (!right)
            return false;
    }
    return true;
}

/* ---- a real GPU */

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
    /* A size chosen for a real GPU may be out of the simulator's reach: then the simulator's size is counted.
     */
    const struct lab *lab = &m->settings->lab;
    bool smaller = m->part->cuda_width != 0 &&
                   (m->part_index > 0 ? !m->settings->sized
                                      : m->settings->width > lab->width || m->settings->height > lab->height);
    struct trial own;
    if (smaller) {
        struct problem_case c;
        as_simulated.sized = false;
        as_simulated.width = lab->width;
        as_simulated.height = lab->height;
        settings_timed_case(&as_simulated, m->part_index, m->settings->seed, &c);
        if (!trial_create(&own, lab->problem, &c))
            return false;
    }
    if (!simulate(&counting, variant, smaller ? &own : t, false, result))
        *result = (struct trial_result){0};
    if (smaller)
        trial_free(&own);
    return false;
}

/* A variant's timed calls: what the events say, and how much longer the judge waited. */
struct timed {
    double *event_us, *between_us;
};

static bool round_of_all(struct measurement *m, struct session *const sessions[], unsigned round,
                         uint64_t flush_bytes, const struct timed times[]) {
    struct problem_case c;
    struct trial t;
    settings_timed_case(m->settings, m->part_index, m->settings->seed + round, &c);
    if (!trial_create(&t, m->settings->lab.problem, &c)) {
        failure_set(m->failure, "measure", "out of memory");
        return false;
    }
    bool right = true;
    for (unsigned v = 0; right && v < m->count; v++) {
        struct trial_result result = {0};
        struct trial_options options = call_options(m, (uint64_t)round * m->count + v, true, flush_bytes);
        options.copy = times_copy(m, v);
        if (!m->variants[v].beside)
            right = judged_call(m, v, sessions[v], &t, &options, &result);
        else if (m->left_out[0] == '\0')
            call_beside(m, sessions[v], &t, &options, &result);
        if (right && !plausible_event(result.event_us, result.wall_us)) {
            failure_set_flag(
                m->failure, FLAG_TIME_MISMATCH, "measure",
                "the call took %.1f us by its events and %.1f us from outside: the clock is wrong.",
                result.event_us, result.wall_us);
            name_failure(m->variants[v].name, m->failure);
            right = false;
        }
        if (right && round >= WARM_UP_ROUNDS) {
            times[v].event_us[round - WARM_UP_ROUNDS] = result.event_us;
            times[v].between_us[round - WARM_UP_ROUNDS] = result.wall_us - result.event_us;
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
    double trusted_us = -1, ncu_us = 0;
    for (unsigned v = 0; v < m->count; v++)
        if (v != watched && !m->variants[v].beside)
            trusted_us = fmax(trusted_us, statistics_median(times[v].between_us, rounds));
    double unseen_us =
        trusted_us >= 0
            ? plausible_unseen_us(statistics_median(times[watched].between_us, rounds), trusted_us)
            : 0;
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
            if (!add_left_out(m, m->variants[v].name, m->left_out))
                return false;
            continue;
        }
        struct trial_result counted = {0};
        const char *other = NULL; /* the clock that contradicts the events */
        double interval[2] = {(double)NAN, (double)NAN};
        double median = statistics_median(times[v].event_us, m->settings->rounds);
        statistics_median_interval(times[v].event_us, m->settings->rounds, interval);
        if (v == m->count) {
            if (!add_run(m, "copy", median, "event", interval, NULL))
                return false;
            break;
        }
        progress_show("counting %s", m->variants[v].name);
        bool by_ncu = !beside && count(m, v, t, &counted);
        bool right = (int)v != m->watched || cross_check(m, times, &counted, by_ncu, &median, &other);
        right = right && (beside || check_roofline(m, v, t, median)) &&
                add_run(m, m->variants[v].name, median, other != NULL ? other : "event",
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

static bool measure_real(struct measurement *m, const struct trial *t) {
    struct session *sessions[MEASURE_VARIANTS] = {NULL};
    struct timed times[MEASURE_VARIANTS + 1] = {{NULL, NULL}}; /* the last: of the copy */
    uint64_t memory = trial_memory(t->problem, &t->problem_case), l2_bytes = 0;
    bool right = true;
    for (unsigned v = 0; right && v <= m->count; v++) {
        struct failure ignored = {0};
        bool beside = v < m->count && m->variants[v].beside;
        times[v].event_us = calloc(m->settings->rounds, sizeof(double));
        times[v].between_us = calloc(m->settings->rounds, sizeof(double));
        right = times[v].event_us != NULL && times[v].between_us != NULL;
        if (!right)
            failure_set(m->failure, "measure", "out of memory");
        right = right && (v == m->count ||
                          open_session(m->settings, &m->variants[v], memory, &sessions[v],
                                       beside ? &ignored : m->failure) ||
                          beside);
    }
    right = right && describe_device(m, sessions[0], &l2_bytes);
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
    }
    return right;
}

bool measure_variants(const struct settings *settings, unsigned part, const struct measure_variant *variants,
                      unsigned count, int watched, struct report *report, struct judge_wrong *wrong,
                      struct failure *failure) {
    struct measurement m = {.settings = settings,
                            .part = &settings->lab.parts[part],
                            .part_index = part,
                            .variants = variants,
                            .count = count,
                            .watched = watched,
                            .report = report,
                            .wrong = wrong,
                            .failure = failure};
    struct problem_case c;
    struct trial t;
    settings_timed_case(settings, part, settings->seed, &c);
    if (!trial_create(&t, settings->lab.problem, &c)) {
        failure_set(failure, "measure", "out of memory for the case %s", c.name);
        return false;
    }
    bool right = settings->device == DEVICE_SIM ? measure_simulated(&m, &t) : measure_real(&m, &t);
    progress_clear();
    trial_free(&t);
    return right;
}

/* ---- the host's version */

bool measure_cpu(const struct settings *settings, const char *program, double *time_us,
                 struct failure *failure) {
    enum { CALLS = 5 };
    struct problem_case c;
    struct trial t;
    double times[CALLS];
    settings_timed_case(settings, 0, settings->seed, &c);
    if (!trial_create(&t, settings->lab.problem, &c)) {
        failure_set(failure, "measure", "out of memory");
        return false;
    }
    struct session_options options;
    char log[SETTINGS_PATH + 32];
    snprintf(log, sizeof log, "%s/output.txt", settings->folder);
    judge_session_options(settings, program, true, trial_memory(t.problem, &c), log, &options);
    options.share_memory = true; /* with the function for the host, which works on it */
    struct session *session = session_open(&options, failure);
    bool right = session != NULL;
    for (int i = -1; right && i < CALLS; i++) { /* one to warm up */
        struct trial_result result;
        progress_show("timing the CPU, call %d of %d", i + 2, CALLS + 1);
        right = trial_run_cpu(&t, session, (uint64_t)(i + 1), &result, failure);
        if (right && !result.verdict.passed) {
            failure_set(failure, "correctness", "CPU, %s: %s. %s", c.name, result.verdict.message,
                        result.verdict.hint);
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
