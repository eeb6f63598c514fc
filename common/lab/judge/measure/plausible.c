/* plausible.c: the roofline, and how much of a difference between two clocks is jitter. */
#include "lab/judge/measure/measure_parts.h"

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

double plausible_window_us(double around_us, double least_us, double most_us, double event_us) {
    const double jitter_us = 3, drift = 0.005; /* medians of some rounds; clocks that run differently */
    return around_us > most_us + (most_us - least_us) + jitter_us + drift * event_us
               ? around_us - (least_us + most_us) / 2
               : 0;
}

bool plausible_window_suspect(double unseen_us, double event_us) {
    const double habits_us = 10, habits = 0.2;
    return unseen_us > habits_us + habits * event_us || unseen_us > event_us;
}

double plausible_window_hides_us(void) {
    return 8;
}

bool plausible_held_up(double beside_us, double alone_us) {
    const double jitter_us = 0.5, drift = 0.03; /* the GPU's clock follows its temperature */
    return beside_us > (1 + drift) * alone_us + jitter_us;
}

bool plausible_held_up_suspect(double beside_us, double alone_us) {
    const double jitter_us = 1, chance = 0.15; /* medians of few rounds */
    return beside_us > (1 + chance) * alone_us + jitter_us;
}
