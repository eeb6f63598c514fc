/* Measuring on the simulated GPU: one launch each; counters and modelled time are the same every
 * time. And what both kinds of measurement share. */
#include "lab/judge/measure/measure.h"
#include "lab/judge/measure/measure_parts.h"
#include "lab/learner/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONLY_ON_GPU "it needs a real GPU"

/* Put the variant's name before what went wrong with it, unless it is the student's own. */
void measure_name_failure(const char *variant, struct failure *failure) {
    if (strcmp(variant, RUN_YOURS) == 0)
        return;
    char message[sizeof failure->message];
    snprintf(message, sizeof message, "%.60s: %.1400s", variant, failure->message);
    memcpy(failure->message, message, sizeof message);
}

bool measure_describe_device(struct measurement *m, struct session *session, uint64_t *l2_bytes) {
    struct runner_request request = {.command = RUNNER_DESCRIBE};
    struct runner_reply reply;
    if (!session_exchange(session, &request, &reply, m->failure))
        return false;
    *l2_bytes = reply.l2_bytes;
    snprintf(m->bus, sizeof m->bus, "%.*s", (int)strnlen(reply.bus, sizeof reply.bus), reply.bus);
    char toolkit[32];
    snprintf(toolkit, sizeof toolkit, "%d.%d", reply.runtime_version / 1000,
             reply.runtime_version % 1000 / 10);
    bool sim = m->settings->device == DEVICE_SIM;
    if (report_set_device(m->report, m->settings->device, sim ? m->settings->model.name : reply.gpu,
                          m->settings->gpu, toolkit))
        return true;
    failure_set(m->failure, STAGE_MEASURE, "out of memory");
    return false;
}

bool measure_times_copy(const struct measurement *m, unsigned variant) {
    unsigned last = m->count - 1;
    while (last > 0 && m->variants[last].beside)
        last--;
    return m->part->copy && variant == last && (int)variant != m->watched;
}

struct draw_key measure_call_key(const struct measurement *m, unsigned call) {
    return settings_key(m->settings, "part %u, call %u", m->part_index, call);
}

struct trial_options measure_call_options(const struct measurement *m, const struct draw_key *call,
                                          bool timed, uint64_t flush_bytes) {
    return (struct trial_options){.key = *call,
                                  .guard = m->settings->device == DEVICE_CUDA || !m->settings->strict,
                                  .timed = timed,
                                  .keep_output = m->settings->lab.problem->picture != NULL,
                                  .flush_bytes = flush_bytes};
}

/* Sets the failure of a wrong result of the watched variant: a program that is right when called
 * first counts its calls. */
static enum flag wrong_flag(const struct measurement *m, unsigned variant, const struct trial *t,
                            const struct trial_options *options, enum flag flag) {
    return flag == FLAG_NONE && m->right_calls > 0 &&
                   judge_right_when_first(m->settings, m->variants[variant].program, true, t, options)
               ? FLAG_WRONG_LATER
               : flag;
}

bool measure_judged_call(struct measurement *m, unsigned variant, struct session *session,
                         const struct trial *t, const struct trial_options *options,
                         struct trial_result *result) {
    const char *name = m->variants[variant].name;
    if (!trial_run(t, session, options, result, m->failure)) {
        measure_name_failure(name, m->failure);
        return false;
    }
    bool right = result->verdict.passed, watched = (int)variant == m->watched;
    char error[SETTINGS_ERROR];
    if (watched && ((options->timed && !m->pictures_drawn) || !right)) {
        m->pictures_drawn = true;
        if (!judge_pictures(m->settings, t, result->output, error, sizeof error) && right) {
            failure_set(m->failure, STAGE_MEASURE, "%s", error);
            right = false;
        }
    }
    m->right_calls += watched && right;
    if (result->verdict.passed)
        return right;
    if (watched) {
        result->flag = wrong_flag(m, variant, t, options, result->flag);
        if (result->flag == FLAG_WRONG_LATER)
            trial_explain_missed(session, &result->verdict);
        *m->wrong = (struct judge_wrong){.present = true,
                                         .problem_case = t->problem_case,
                                         .verdict = result->verdict,
                                         .flag = result->flag};
    }
    failure_set_flag(m->failure, result->flag, STAGE_CORRECTNESS, "%s: %s%s%s", t->problem_case.name,
                     result->verdict.message, result->verdict.hint[0] != '\0' ? ". " : "",
                     result->verdict.hint);
    measure_name_failure(name, m->failure);
    return false;
}

/* The run that speedups of this part are over. The run just added exists, so there is one. */
static const struct report_run *first_run(const struct measurement *m) {
    uint32_t i = 0;
    while (m->report->runs[i].part != NULL && strcmp(m->report->runs[i].part, m->part->name) != 0)
        i++;
    return &m->report->runs[i];
}

bool measure_check_roofline(struct measurement *m, unsigned variant, const struct trial *t, double time_us) {
    const struct settings *s = m->settings;
    bool sim = s->device == DEVICE_SIM;
    if (!sim && (m->report->device.gpu == NULL || strcmp(m->report->device.gpu, s->model.name) != 0))
        return true;
    double least_us = plausible_least_us(&s->model, t->problem, &t->problem_case, sim || s->lab.flush_l2);
    if (isnan(time_us) || time_us >= least_us) /* NAN: not timed, and its run says why */
        return true;
    failure_set_flag(
        m->failure, FLAG_FASTER_THAN_ROOFLINE, STAGE_MEASURE,
        "%.2f us is less than the %.2f us that this GPU needs at least for this problem: the time "
        "cannot be right, or the work was not done.",
        time_us, least_us);
    measure_name_failure(m->variants[variant].name, m->failure);
    return false;
}

bool measure_add_run(struct measurement *m, const char *name, double time_us, enum time_source source,
                     const double interval[2], struct trial_result *counted) {
    struct report_run *run = report_add_run(m->report, name);
    bool right = run != NULL && (m->part->name[0] == '\0' || report_set_text(&run->part, m->part->name));
    if (right) {
        run->time_us = time_us;
        run->time_source = source;
        run->speedup = first_run(m)->time_us / time_us;
        if (interval != NULL)
            memcpy(run->ci95_us, interval, sizeof run->ci95_us);
    }
    if (right && counted != NULL) {
        run->pinned = counted->pinned > 0 ? counted->pinned : (double)NAN;
        snprintf(run->unpaid, sizeof run->unpaid, "%s", counted->unpaid);
        snprintf(run->unordered, sizeof run->unordered, "%s", counted->unordered);
    }
    if (right && counted != NULL && counted->lines_left_out > 0)
        snprintf(run->note, sizeof run->note, "%llu more lines that touch memory or branch are left out",
                 (unsigned long long)counted->lines_left_out);
    if (right && counted != NULL && counted->idle_us > 0 && run->note[0] == '\0')
        snprintf(
            run->note, sizeof run->note,
            "%.1f us of it the GPU idles: the host waits for it, or frees memory, before it launches more",
            counted->idle_us);
    for (unsigned i = 0; right && counted != NULL && i < counted->kernel_count; i++) {
        struct kernel_report *kernel = report_run_add_kernel(run);
        right = kernel != NULL;
        if (right) {
            *kernel = counted->kernels[i]; /* ownership moves to the report */
            counted->kernels[i] = (struct kernel_report){0};
        }
    }
    if (right) {
        run_set_band(run);
        run_note_untimed(run);
    } else {
        failure_set(m->failure, STAGE_MEASURE, "out of memory");
    }
    return right;
}

static bool launched(struct measurement *m, unsigned variant, const struct trial_result *result) {
    if (result->kernel_count > 0)
        return true;
    failure_set_flag(m->failure, FLAG_NO_KERNEL, STAGE_MEASURE,
                     "no kernel was launched: the result was not computed on the GPU");
    measure_name_failure(m->variants[variant].name, m->failure);
    return false;
}

/* Makes the calls `from` to `to` - 1, which do not count. They equal the timed call but for
 * inputs and addresses, and are judged, so that a program can neither keep an answer nor know
 * the timed call. Where nothing is graded they are not counted: that saves a learner seconds. */
static bool other_calls(struct measurement *m, unsigned variant, struct session *session,
                        const struct trial *timed, unsigned from, unsigned to) {
    bool quick = !m->settings->grading && (session_owns_memory(session) || session_repeated(session) != NULL);
    bool right = !quick || session_command(session, NULL, m->failure, "counts 0");
    for (unsigned k = from; right && k < to; k++) {
        struct problem_case c;
        struct trial t;
        struct trial_result result;
        struct draw_key call = measure_call_key(m, k);
        settings_timed_case(m->settings, m->part_index, k, &c);
        memcpy(c.size, timed->problem_case.size, sizeof c.size);
        if (!trial_create(&t, m->settings->lab.problem, &c)) {
            failure_set(m->failure, STAGE_MEASURE, "out of memory");
            return false;
        }
        struct trial_options options = measure_call_options(m, &call, false, 0);
        right = measure_judged_call(m, variant, session, &t, &options, &result);
        right = right && launched(m, variant, &result);
        trial_result_free(&result);
        trial_free(&t);
    }
    return right && (!quick || session_command(session, NULL, m->failure, "counts 1"));
}

/* Before the call that counts: what-ifs are reported, and remarks are made on what the call asks of
 * the host; an earlier call may prepare for it. */
static bool watch_call(const struct measurement *m, struct session *session) {
    return m->settings->grading ||
           (session_command(session, NULL, m->failure, "what-if 1") &&
            (m->settings->lab.problem->on_host || session_command(session, NULL, m->failure, "host 1")));
}

/* A call in the host's memory is repeated with the data of a call that is never made. */
static bool prepare_repeat(struct measurement *m, const struct trial *timed, struct trial *other,
                           struct trial_options *options) {
    enum { REPEATED = 1000 };
    struct problem_case c;
    if (!m->settings->lab.problem->on_host)
        return true;
    settings_timed_case(m->settings, m->part_index, REPEATED, &c);
    memcpy(c.size, timed->problem_case.size, sizeof c.size);
    options->repeat = other;
    if (trial_create(other, m->settings->lab.problem, &c))
        return true;
    failure_set(m->failure, STAGE_MEASURE, "out of memory");
    return false;
}

bool measure_simulate(struct measurement *m, unsigned variant, const struct trial *t, bool first,
                      struct trial_result *result) {
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = true};
    uint64_t l2_bytes;
    *result = (struct trial_result){0};
    struct session *session = judge_open_session(m->settings, m->variants[variant].program, &how, m->failure);
    if (session == NULL)
        return false;
    struct draw_key call = measure_call_key(m, 0);
    struct trial_options options = measure_call_options(m, &call, true, 0);
    struct judge_calls calls = judge_calls(m->settings, m->part_index);
    bool watched = (int)variant == m->watched;
    struct trial other = {0};
    m->right_calls = 0;
    bool right =
        (!watched || prepare_repeat(m, t, &other, &options)) &&
        (!first || measure_describe_device(m, session, &l2_bytes)) &&
        (!watched || (other_calls(m, variant, session, t, 1, 1 + calls.before) && watch_call(m, session))) &&
        measure_judged_call(m, variant, session, t, &options, result) &&
        (!watched || other_calls(m, variant, session, t, 1 + calls.before, 1 + calls.before + calls.after));
    if (right && watched &&
        !session_take_remarks(session, m->part->name[0] != '\0' ? t->problem_case.name : "", m->report)) {
        failure_set(m->failure, STAGE_MEASURE, "out of memory");
        right = false;
    }
    session_close(session);
    trial_free(&other);
    right = right && launched(m, variant, result);
    if (!right)
        trial_result_free(result);
    return right;
}

bool measure_add_left_out(struct measurement *m, const char *name, const char *why) {
    struct report_run *run = report_add_run(m->report, name);
    if (run == NULL) {
        failure_set(m->failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    snprintf(run->note, sizeof run->note, "not timed: %s", why);
    return true;
}

static bool measure_simulated(struct measurement *m, const struct trial *t) {
    for (unsigned v = 0; v < m->count; v++) {
        if (m->variants[v].beside) {
            if (!measure_add_left_out(m, m->variants[v].name, ONLY_ON_GPU))
                return false;
            continue;
        }
        struct trial_result result;
        progress_show("simulating %s", m->variants[v].name);
        bool right = measure_simulate(m, v, t, v == 0, &result);
        if ((int)v == m->watched && (right || m->wrong->present) &&
            !report_add_case(m->report, t->problem_case.name, right, right ? "" : m->failure->message))
            right = false;
        if (!right)
            return false;
        if ((int)v == m->watched)
            measure_try_shapes(m, v, t, &result);
        right = measure_check_roofline(m, v, t, result.device_us) &&
                measure_add_run(m, m->variants[v].name, result.device_us, TIME_MODEL, NULL, &result) &&
                (!measure_times_copy(m, v) ||
                 measure_add_run(m, RUN_COPY, gpu_copy_us(&m->settings->model, t->layout.bytes[0]),
                                 TIME_MODEL, NULL, NULL));
        trial_result_free(&result);
        if (!right)
            return false;
    }
    return true;
}

unsigned measure_most_inputs(const struct settings *s) {
    enum { OTHER_CALLS = 4, REPEATED = 1, COUNTED = 1 };
    return 1 + (s->device == DEVICE_CUDA ? WARM_UP_ROUNDS + s->rounds + ALONE_ROUNDS + COUNTED
                                         : OTHER_CALLS + REPEATED);
}

bool measure_variants(const struct settings *settings, unsigned part, const struct measure_variant *variants,
                      unsigned count, int watched, const struct measure_results *to) {
    struct measurement m = {.settings = settings,
                            .part = &settings->lab.parts[part],
                            .part_index = part,
                            .variants = variants,
                            .count = count,
                            .watched = watched,
                            .report = to->report,
                            .wrong = to->wrong,
                            .failure = to->failure};
    struct problem_case c;
    struct trial t;
    if (settings->device == DEVICE_SIM && count == 1 && variants[0].beside) /* nothing to compute */
        return measure_add_left_out(&m, variants[0].name, ONLY_ON_GPU);
    settings_timed_case(settings, part, 0, &c);
    if (!trial_create(&t, settings->lab.problem, &c)) {
        failure_set(to->failure, STAGE_MEASURE, "out of memory for the case %s", c.name);
        return false;
    }
    bool right = settings->device == DEVICE_SIM ? measure_simulated(&m, &t) : measure_real(&m, &t);
    progress_clear();
    trial_free(&t);
    return right;
}
