#include "harness/goals.h"

#include <math.h>
#include <string.h>

static double counter(const struct report_run *run, enum simt_counter_index index) {
    uint64_t value;
    return run != NULL && report_run_counter(run, index, &value) ? (double)value : (double)NAN;
}

/* Warp-level multiply-adds: as counted, which may have been at another size; ncu does not count them. */
static double multiply_adds(const struct report_run *run, double elements) {
    double counted = counter(run, COUNTER_inst_fp32_fma);
    return counted > 0 ? counted : elements / 32;
}

double goals_value(enum lab_measure measure, const struct report_run *starter, const struct report_run *yours,
                   const struct report_run *reference, double elements) {
    switch (measure) {
    case MEASURE_SPEEDUP_SHARE: return reference->time_us / yours->time_us;
    case MEASURE_SECTORS_PER_REQUEST:
        return counter(yours, COUNTER_global_load_sectors) / counter(yours, COUNTER_global_load_requests);
    case MEASURE_LOADS_SAVED:
        return 1 -
               counter(yours, COUNTER_global_load_requests) / counter(starter, COUNTER_global_load_requests);
    case MEASURE_SHARED_WAVEFRONTS:
        return (counter(yours, COUNTER_shared_load_wavefronts) +
                counter(yours, COUNTER_shared_store_wavefronts)) /
               (elements / 32);
    case MEASURE_INSTRUCTIONS: return counter(yours, COUNTER_warp_instructions) / (elements / 32);
    case MEASURE_LOADS:
        return (counter(yours, COUNTER_global_load_requests) + counter(yours, COUNTER_shared_load_requests)) /
               multiply_adds(yours, elements);
    case MEASURE_COUNT: break;
    }
    return (double)NAN;
}

/* Points to one decimal: what is shown is what adds up. */
static double rounded(double points) {
    return round(points * 10) / 10;
}

static bool counted_by_ncu(const struct report_run *run) {
    return run != NULL && run->kernel_count > 0 && strcmp(run->kernels[0].time_source, "ncu") == 0;
}

bool goals_score(const struct lab *lab, bool cuda, double elements, struct report *report) {
    const struct report_run *starter = report_find_run(report, lab_baseline(lab)),
                            *yours = report_find_run(report, "yours");
    const struct report_run *reference = report_find_run(report, "reference");
    report->score_points = report->score_max = 0;
    for (unsigned i = 0; i < lab->goal_count; i++) {
        const struct lab_goal *goal = &lab->goals[i];
        /* A counter is held against the threshold for where it was counted: machine instructions are not
         * PTX's. */
        bool real = goal->measure == MEASURE_SPEEDUP_SHARE ? cuda : counted_by_ncu(yours);
        const struct lab_threshold *threshold = real ? &goal->cuda : &goal->sim;
        double value = starter != NULL && yours != NULL && reference != NULL
                           ? goals_value(goal->measure, starter, yours, reference, elements)
                           : (double)NAN;
        /* Where the starter would get every point, as in a tiny image, speed says nothing about yours. */
        if (goal->measure == MEASURE_SPEEDUP_SHARE && starter != NULL && reference != NULL &&
            reference->time_us / starter->time_us >= threshold->full)
            value = (double)NAN;
        double points = rounded(lab_points(threshold, value, goal->points));
        if (!report_add_goal(report, goal->name, value, threshold->zero, threshold->full, points,
                             goal->points))
            return false;
        report->score_points = rounded(report->score_points + points);
        report->score_max += goal->points;
    }
    report->score_passed = yours != NULL && report->cases_failed == 0 && report->failure_stage == NULL &&
                           report->score_points >= lab->pass;
    return true;
}

bool goals_too_close(const struct lab *lab, bool cuda, const struct report *report) {
    const struct report_run *yours = report_find_run(report, "yours"),
                            *reference = report_find_run(report, "reference");
    if (yours == NULL || reference == NULL || isnan(yours->ci95_us[0]) || isnan(reference->ci95_us[0]))
        return false;
    double low = 0, high = 0;
    for (unsigned i = 0; i < lab->goal_count && i < report->goal_count; i++) {
        const struct lab_goal *goal = &lab->goals[i];
        const struct lab_threshold *threshold = cuda ? &goal->cuda : &goal->sim;
        if (goal->measure == MEASURE_SPEEDUP_SHARE) {
            low += lab_points(threshold, reference->ci95_us[0] / yours->ci95_us[1], goal->points);
            high += lab_points(threshold, reference->ci95_us[1] / yours->ci95_us[0], goal->points);
        } else {
            low += report->goals[i].points;
            high += report->goals[i].points;
        }
    }
    return low < lab->pass && high >= lab->pass;
}
