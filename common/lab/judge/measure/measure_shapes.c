/*
 * measure_shapes.c: a block shape is tried before it is advised. The student's function is called
 * with it on the simulated GPU and judged; the kernel's time and the verdict go into its report.
 */
#include "lab/judge/calls/judge.h"
#include "lab/judge/measure/measure_parts.h"
#include "lab/learner/progress.h"
#include "report/findings/findings.h"

#include <string.h>

/* Warp instructions of the largest call that is made again; a count, so that the report is the
 * same on every machine. */
static const uint64_t most_instructions = 150000000;

static void try_one(struct measurement *m, unsigned variant, const struct trial *t,
                    const struct kernel_report *kernel, struct kernel_tried *tried) {
    struct judge_session how = {
        .memory_bytes = trial_memory(t->problem, &t->problem_case), .measuring = true, .unlogged = true};
    struct failure failure = {0};
    struct trial_result result = {0};
    struct draw_key call = measure_call_key(m, 0);
    struct trial_options options = measure_call_options(m, &call, true, 0);
    struct session *session = judge_open_session(m->settings, m->variants[variant].program, &how, &failure);
    options.keep_output = false;
    bool ran = session != NULL &&
               session_command(session, NULL, &failure, "shape %llu %u %u", (unsigned long long)kernel->first,
                               tried->block[0], tried->block[1]) &&
               trial_run(t, session, &options, &result, &failure);
    for (unsigned i = 0; ran && result.verdict.passed && i < result.kernel_count; i++) {
        if (strcmp(result.kernels[i].name, kernel->name) != 0)
            continue;
        tried->same = true;
        tried->time_us = result.kernels[i].time_us;
    }
    session_close(session);
    trial_result_free(&result);
}

void measure_try_shapes(struct measurement *m, unsigned variant, const struct trial *t,
                        struct trial_result *result) {
    uint64_t instructions = 0;
    unsigned longest = 0;
    for (unsigned i = 0; i < result->kernel_count; i++) {
        instructions += result->kernels[i].counters.warp_instructions;
        if (result->kernels[i].time_us > result->kernels[longest].time_us)
            longest = i;
    }
    if (m->settings->grading || result->kernel_count == 0 || instructions > most_instructions)
        return;
    struct kernel_report *kernel = &result->kernels[longest];
    if (kernel_launches(kernel) > 1) /* of several, one alone would be tried */
        return;
    struct kernel_tried shapes[KERNEL_TRIED];
    uint32_t count = findings_shapes(kernel, &m->settings->model, shapes);
    for (uint32_t i = 0; i < count; i++) {
        progress_show("trying blocks of %ux%u", shapes[i].block[0], shapes[i].block[1]);
        try_one(m, variant, t, kernel, &shapes[i]);
        kernel->tried[kernel->tried_count++] = shapes[i];
    }
}
