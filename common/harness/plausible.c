/* plausible.c: the roofline, and how much of a difference between two clocks is jitter. */
#include "harness/plausible.h"

#include <math.h>

#define MARGIN 1.15

double plausible_least_us(const struct gpu_model *model, const struct problem *problem,
                          const struct problem_case *c, bool cold) {
    struct problem_layout layout;
    struct problem_work work;
    double input_bytes = 0;
    problem->layout(c, &layout);
    problem->work(c, &work);
    for (unsigned i = 0; i < layout.input_count; i++)
        input_bytes += (double)layout.bytes[i];
    double reading_us = cold ? input_bytes / (model->dram_gbs * 1e3) : 0;
    /* A warp's multiply-add is 64 operations. */
    double computing_us = work.least_operations / (model->sm_count * model->fma_rate * 64 * model->clock_mhz);
    return fmax(reading_us, computing_us) / MARGIN;
}

bool plausible_event(double event_us, double wall_us) {
    const double resolution_us = 1; /* events count in half microseconds */
    return event_us <= wall_us + resolution_us;
}

double plausible_unseen_us(double between_us, double trusted_between_us) {
    const double jitter_us = 200; /* the operating system's, in a median */
    return between_us > 2 * trusted_between_us + jitter_us ? between_us - trusted_between_us : 0;
}

double plausible_elsewhere_us(double after_us, double trusted_after_us) {
    const double jitter_us = 3; /* in a median of calls that ask an idle device */
    return after_us > trusted_after_us + jitter_us ? after_us - trusted_after_us : 0;
}
