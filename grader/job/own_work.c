/* own_work.c: how much, from the lab's parts, their sizes, rounds and variants. */
#include "job/own_work.h"
#include "job/shown.h"
#include "lab/judge/calls/trial.h"
#include "lab/judge/measure/measure.h"

/* Starter, submission and reference. */
enum { VARIANTS = 3 };

/* Several times what it takes on a machine of 2024, one core: a byte of a case, each time that it is drawn, copied, compared;
 * an operation of the oracle; a byte that an owner copies to the GPU and back. */
static const double byte_seconds = 2e-9, operation_seconds = 0.5e-9, owner_byte_seconds = 1e-9;

void own_work(const struct settings *s, struct own_work *work) {
    const struct problem *problem = s->lab.problem;
    *work = (struct own_work){.seconds = 0};
    for (unsigned part = 0; part < s->lab.part_count; part++) {
        struct problem_case c;
        struct problem_work w;
        settings_timed_case(s, part, 0, &c);
        problem->work(&c, &w);
        double bytes = (double)trial_memory(problem, &c), rounds = measure_most_inputs(s),
               operations = w.oracle_operations > 0 ? w.oracle_operations : w.operations;
        double each = bytes * byte_seconds + operations * operation_seconds, call = bytes * byte_seconds;
        /* Once with all, and then the submission alone, as it is shown. */
        work->seconds += rounds * (each + VARIANTS * call) + SHOWN_RUNS * rounds * (each + call);
        if (s->device == DEVICE_CUDA)
            work->owner_seconds += rounds * VARIANTS * bytes * owner_byte_seconds;
    }
}
