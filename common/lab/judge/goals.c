/* goals.c: what each measure computes, and points for it. */
#include "lab/judge/goals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Times the starter's time, up to which counters keep all their points, and from which on none. */
static const double KEPT_ALL = 1.01, KEPT_NONE = 2;

/* Points that a step loses for each percent of time that it is short of a bound of time. */
static const double STEP_POINTS = 0.5;

static double counter(const struct report_run *run, enum counter index) {
    uint64_t value;
    return run != NULL && report_run_counter(run, index, &value) ? (double)value : (double)NAN;
}

/* Warp-level multiply-adds of the problem, or fewer where they were counted at a smaller size. A
 * kernel's further ones are no useful work. */
static double multiply_adds(const struct report_run *run, double elements) {
    double counted = counter(run, COUNTER_inst_fp32_fma);
    return counted > 0 ? fmin(counted, elements / 32) : elements / 32;
}

/* A counter, plus the one of atomics that do the same; not every profiler knows the latter. */
static double with_atomics(const struct report_run *run, enum counter index, enum counter atomics) {
    double more = counter(run, atomics);
    return counter(run, index) + (isnan(more) ? 0 : more);
}

static double loads_of(const struct report_run *run) {
    return with_atomics(run, COUNTER_global_load_requests, COUNTER_atomics);
}

/* Requests to shared memory whose answer the warp waits for; a shuffle goes through the same crossbar. */
static double shared_loads_of(const struct report_run *run) {
    double shuffles = counter(run, COUNTER_inst_shuffle);
    return with_atomics(run, COUNTER_shared_load_requests, COUNTER_shared_atomics) +
           (isnan(shuffles) ? 0 : shuffles);
}

/* Of the kernel that spills most. */
static double spilled(const struct report_run *run) {
    double most = (double)NAN;
    for (uint32_t i = 0; run != NULL && i < run->kernel_count; i++) {
        if (!run->kernels[i].spill_known)
            return (double)NAN;
        most = fmax(most, run->kernels[i].spill_bytes);
    }
    return most;
}

/* Of the kernel whose busiest part is largest. */
static double hot_code(const struct report_run *run) {
    double most = (double)NAN;
    for (uint32_t i = 0; run != NULL && i < run->kernel_count; i++) {
        if (!run->kernels[i].code_known)
            return (double)NAN;
        most = fmax(most, run->kernels[i].hot_code_bytes);
    }
    return most;
}

/* Of the kernel that takes longest. */
static double whole_waves(const struct report_run *run) {
    uint32_t longest;
    return run != NULL && run_top_kernels(run, &longest, 1) == 1 ? ceil(run->kernels[longest].waves)
                                                                 : (double)NAN;
}

/* Of the kernel that takes longest, too. */
static double no_instruction(const struct report_run *run) {
    uint32_t longest;
    if (run == NULL || run_top_kernels(run, &longest, 1) != 1 || !run->kernels[longest].waits.known)
        return (double)NAN;
    return run->kernels[longest].waits.share[GPU_STALL_NO_INSTRUCTION];
}

double goals_value(enum lab_measure measure, const struct goals_runs *r) {
    double warps = r->elements / 32;
    switch (measure) {
    case MEASURE_SPEEDUP_SHARE: return r->reference->time_us / r->yours->time_us;
    case MEASURE_SECTORS:
        return with_atomics(r->yours, COUNTER_global_load_sectors, COUNTER_atomic_sectors) / warps;
    case MEASURE_LOADS_SAVED: return 1 - loads_of(r->yours) / loads_of(r->starter);
    case MEASURE_SHARED_WAVEFRONTS:
        return (counter(r->yours, COUNTER_shared_load_wavefronts) +
                with_atomics(r->yours, COUNTER_shared_store_wavefronts, COUNTER_shared_atomic_wavefronts)) /
               warps;
    case MEASURE_INSTRUCTIONS: return counter(r->yours, COUNTER_warp_instructions) / warps;
    case MEASURE_LOADS:
        return (loads_of(r->yours) + shared_loads_of(r->yours)) / multiply_adds(r->yours, r->elements);
    case MEASURE_COPY_SHARE: return r->copy != NULL ? r->copy->time_us / r->yours->time_us : (double)NAN;
    case MEASURE_LOCAL:
        return (counter(r->yours, COUNTER_local_load_sectors) +
                counter(r->yours, COUNTER_local_store_sectors)) /
               warps;
    case MEASURE_SPILLS: return spilled(r->yours);
    case MEASURE_SPEEDUP: return r->starter->time_us / r->yours->time_us;
    case MEASURE_SPEEDUP_LOG:
        return log(r->starter->time_us / r->yours->time_us) /
               log(r->starter->time_us / r->reference->time_us);
    case MEASURE_PINNED: /* for kernels that do the work */
        return counter(r->yours, COUNTER_warp_instructions) >=
                       counter(r->reference, COUNTER_warp_instructions) / 2
                   ? r->yours->pinned
                   : 0;
    case MEASURE_GLOBAL_LOADS: return loads_of(r->yours) / warps;
    case MEASURE_ATOMICS: return counter(r->yours, COUNTER_atomics) / warps;
    case MEASURE_TRAFFIC: /* an atomic both loads and stores its sector */
        return (with_atomics(r->yours, COUNTER_global_load_sectors, COUNTER_atomic_sectors) +
                with_atomics(r->yours, COUNTER_global_store_sectors, COUNTER_atomic_sectors)) /
               warps;
    case MEASURE_HOT_CODE: return hot_code(r->yours);
    case MEASURE_WAVES: return whole_waves(r->yours);
    case MEASURE_LAUNCHES: return (double)run_launches(r->yours);
    case MEASURE_NO_INSTRUCTION: return no_instruction(r->yours);
    case MEASURE_COUNT: break;
    }
    return (double)NAN;
}

/* Microseconds of a call's kernels without its copies; of the whole call where the kernels are
 * unknown. */
static double kernels_us(const struct report_run *run) {
    double sum = run_kernels_us(run);
    return sum > 0 ? sum : run->time_us; /* NAN is not */
}

/* Times the starter's time, of the kernels or the whole call, whichever is more: what copies and fills do
 * instead is not saved. NAN: there is no time. */
static double times_as_long(const struct goals_runs *runs, const char **what) {
    double kernels = kernels_us(runs->yours) / kernels_us(runs->starter),
           call = runs->yours->time_us / runs->starter->time_us;
    *what = call > kernels ? "the whole call, copies and fills with it, takes" : "its kernels take";
    return call > kernels ? call : kernels;
}

/* The share of its points that a saved counter keeps, by times_as_long: goals.h says why. */
static double kept_share(double times) {
    return isnan(times) ? 0 : fmin(fmax(log(KEPT_NONE / times) / log(KEPT_NONE / KEPT_ALL), 0), 1);
}

/* Whether the value could not be measured of the reference. */
static bool reference_lacks(enum lab_measure measure, const struct goals_runs *runs) {
    struct goals_runs of_reference = *runs;
    of_reference.yours = runs->reference;
    return isnan(goals_value(measure, &of_reference));
}

/* Says why the goal is not counted: not the kernel's doing, but the machine's or the size's. "": it
 * is. A missing value is the machine's doing where the reference lacks it, too. */
static void say_uncounted(const struct lab_goal *goal, const struct lab_threshold *threshold,
                          const struct goals_runs *runs, double value, char *text, size_t size) {
    const struct report_run *reference = runs->reference;
    text[0] = '\0';
    if (goal->measure == MEASURE_SPEEDUP_SHARE &&
        reference->time_us / runs->starter->time_us >= threshold->full)
        snprintf(text, size, "not counted: at this size the %s is hardly faster than the %s", reference->name,
                 runs->starter->name);
    else if (isnan(value) && reference_lacks(goal->measure, runs))
        snprintf(text, size, "not counted: on this machine it was not measured, of the %s neither%s%s",
                 reference->name, reference->note[0] != '\0' ? "; " : "", reference->note);
}

/* What a measure is called in a lab: by the goal of a part that has it, else by its own name. */
static const char *measure_words(const struct lab *lab, unsigned part, enum lab_measure measure) {
    for (unsigned i = 0; i < lab->goal_count; i++)
        if (lab->goals[i].measure == measure && lab->goals[i].part == part)
            return lab->goals[i].name;
    return lab_measure_name(measure);
}

/* Says why the goal earns nothing, or less than its value; "": all. got: the goal's own value. Returns the
 * share of its points that it keeps. */
static double say_barred(const struct lab *lab, const struct lab_goal *goal, const struct goals_runs *runs,
                         bool cuda, double got, char *text, size_t size) {
    bool required = goal->requires && !(cuda && goal->required == MEASURE_SPILLS);
    double value = required ? goals_value(goal->required, runs) : (double)NAN;
    const char *what;
    double times = times_as_long(runs, &what),
           kept = lab_measure_is_timed(goal->measure) ? 1 : kept_share(times);
    text[0] = '\0';
    if (runs->yours->unpaid[0] != '\0')
        snprintf(text, size, "no points: %s", runs->yours->unpaid);
    else if (value > goal->most && goal->required == MEASURE_SPILLS)
        snprintf(text, size,
                 "no points: the kernel spills %g bytes per thread; what that costs a real GPU, the model "
                 "estimates",
                 value);
    else if (value > goal->most)
        snprintf(text, size, "no points: %s is %g; at most %g is asked",
                 measure_words(lab, goal->part, goal->required), value, goal->most);
    else if (isnan(got))
        snprintf(text, size, "no points: of this kernel it could not be measured%s%s",
                 runs->yours->note[0] != '\0' ? "; " : "", runs->yours->note);
    if (text[0] != '\0')
        return 0;
    if (isnan(times) && kept < 1)
        snprintf(text, size, "no points: without a time nothing shows that it is saved");
    else if (kept < 1)
        snprintf(text, size, "%s points: %s %.3g times as long as the %s's", kept > 0 ? "fewer" : "no", what,
                 times, runs->starter->name);
    return kept;
}

/*
 * The share by which a ratio of modelled times may be short of what is asked: two times that are not
 * apart may as well be equal. It is the device's figure, not a band of the runs: a submission cannot
 * widen it. NAN, for none: where times are measured; where copies and waits are a part of them,
 * whose errors are not known; and where the starter would have the benefit too.
 */
static double benefit(const struct report *report, enum lab_measure measure, const struct goals_runs *runs,
                      double asked) {
    struct goals_runs of_starter = *runs;
    of_starter.yours = runs->starter;
    if ((measure != MEASURE_SPEEDUP_SHARE && measure != MEASURE_SPEEDUP && measure != MEASURE_COPY_SHARE) ||
        isnan(runs->reference->band))
        return (double)NAN;
    double share = report->device.apart;
    return goals_value(measure, &of_starter) * (1 + share) < asked ? share : (double)NAN;
}

/* The percent of time by which a value is short of a bound, by itself and with the benefit of the doubt: 0
 * where it reaches it; INFINITY where no time could. */
static double percent_short(const struct report *report, enum lab_measure measure,
                            const struct goals_runs *runs, const struct lab_bound *bound) {
    double value = goals_value(measure, runs), share = benefit(report, measure, runs, bound->value);
    double percent = measure == MEASURE_SPEEDUP_LOG
                         ? (bound->value - value) * log(runs->starter->time_us / runs->reference->time_us)
                         : log(bound->value / value) - (isnan(share) ? 0 : log1p(share));
    if (lab_reached(bound, value))
        return 0;
    return lab_measure_is_timed(measure) && bound->at_least && !isnan(percent) ? fmax(100 * percent, 0)
                                                                               : (double)INFINITY;
}

/* Points are rounded to one decimal, so that the shown points add up. */
static double rounded(double points) {
    return round(points * 10) / 10;
}

static bool counted_by_ncu(const struct report_run *run) {
    return run != NULL && run->kernel_count > 0 && run->kernels[0].time_source == TIME_NCU;
}

static struct goals_runs runs_of(const struct lab *lab, const struct report *report, const char *part,
                                 double elements) {
    return (struct goals_runs){.starter = report_find_part_run(report, part, lab_baseline(lab)),
                               .yours = report_find_part_run(report, part, RUN_YOURS),
                               .reference = report_find_part_run(report, part, RUN_REFERENCE),
                               .copy = report_find_part_run(report, part, RUN_COPY),
                               .elements = elements};
}

/* share: of the benefit of the doubt; most: the points that the goal is worth here; kept: the share of its
 * points that it keeps where it is barred. */
static bool add_goal(struct report *report, const struct lab_goal *goal, const char *part, double value,
                     const struct lab_threshold *threshold, double share, double most, const char *barred,
                     double kept) {
    double points = rounded(lab_points_in_doubt(threshold, value, share, most) * kept);
    if (!report_add_goal(report, goal->name, value, threshold->zero, threshold->full, points, most))
        return false;
    struct report_goal *added = &report->goals[report->goal_count - 1];
    added->benefit = share;
    added->kept = kept > 0 && kept < 1 ? kept : (double)NAN;
    if (!report_set_text(&added->measure, lab_measure_name(goal->measure)) ||
        (part[0] != '\0' && !report_set_text(&added->part, part)) ||
        (*barred != '\0' && !report_set_text(&added->barred, barred)))
        return false;
    report->score_points = rounded(report->score_points + points);
    report->score_max += most;
    return true;
}

/* The points of steps behind `reached` that could not be measured, of the reference neither. */
static double uncounted_steps(const struct lab *lab, const struct goals_runs *runs, unsigned reached) {
    double points = 0;
    for (unsigned i = reached; i < lab->step_count; i++)
        if (isnan(goals_value(lab->steps[i].measure, runs)) && reference_lacks(lab->steps[i].measure, runs))
            points += lab->steps[i].points;
    return points;
}

/* How far a run has come on the lab's way. */
struct way {
    unsigned reached, has; /* has: by itself, even if the time does not show it */
    double points;
};

/* A step that is reached stands for all steps before it, each with points of its own. One that is a little
 * short, of a time or by the time of its counter, stands for a little less: goals.h says how much. */
static struct way way_of(const struct lab *lab, bool cuda, const struct goals_runs *runs,
                         const struct report *report) {
    struct way way = {0};
    const char *what;
    double kept = kept_share(times_as_long(runs, &what));
    for (unsigned i = 0; i < lab->step_count; i++) {
        const struct lab_step *step = &lab->steps[i];
        bool timed = lab_measure_is_timed(step->measure), real = timed ? cuda : counted_by_ncu(runs->yours),
             pays = timed ? runs->yours->unpaid[0] == '\0' : kept > 0;
        double percent = percent_short(report, step->measure, runs, real ? &step->cuda : &step->sim),
               points = lab_step_points(lab, i + 1) * (timed ? 1 : kept) - STEP_POINTS * percent;
        way.has = percent > 0 ? way.has : i + 1;
        way.reached = pays && !(percent > 0) ? i + 1 : way.reached;
        way.points = pays ? fmax(way.points, points) : way.points;
    }
    way.points = rounded(way.points);
    return way;
}

/* Next comes what the kernel does not have: a step whose counter it has is not advised. */
static bool add_steps(const struct lab *lab, bool cuda, double elements, struct report *report) {
    struct goals_runs runs = runs_of(lab, report, "", elements);
    bool complete = runs.starter != NULL && runs.yours != NULL && runs.reference != NULL;
    double most = lab_step_points(lab, lab->step_count);
    bool ordered = complete && runs.yours->unordered[0] == '\0';
    const struct way way = ordered ? way_of(lab, cuda, &runs, report) : (struct way){0};
    const unsigned reached = way.reached, has = way.has;
    /* Where a wait is missing, that comes next. */
    report->steps =
        (struct report_steps){.count = complete && !ordered ? 0 : lab->step_count, .reached = reached};
    if (has > 0)
        snprintf(report->steps.title, sizeof report->steps.title, "%s",
                 lab->steps[(reached > 0 ? reached : has) - 1].title);
    if (has < lab->step_count)
        snprintf(report->steps.next, sizeof report->steps.next, "%s", lab->steps[has].title);
    if (most == 0)
        return true;
    double uncounted = complete ? uncounted_steps(lab, &runs, reached) : 0;
    double points = fmin(way.points, most - uncounted);
    report->score_points = rounded(report->score_points + points);
    report->score_max += most - uncounted;
    if (!report_add_goal(report, LAB_STEPS_GOAL, complete ? reached : (double)NAN, 0, lab->step_count, points,
                         most - uncounted))
        return false;
    struct report_goal *added = &report->goals[report->goal_count - 1];
    return report_set_text(&added->measure, "steps") &&
           (uncounted == 0 || points > 0 ||
            report_set_text(&added->barred, "steps that this machine could not measure "
                                            "are not counted"));
}

bool goals_score(const struct lab *lab, bool cuda, const double elements[LAB_PARTS], struct report *report) {
    bool measured = true;
    report->score_points = report->score_max = 0;
    report->score_pass = lab->pass;
    for (unsigned i = 0; i < lab->goal_count; i++) {
        const struct lab_goal *goal = &lab->goals[i];
        const char *part = lab->parts[goal->part].name;
        struct goals_runs runs = runs_of(lab, report, part, elements[goal->part]);
        /* A counter is compared with the threshold for where it was counted: machine
         * instructions differ from PTX. */
        bool real = lab_measure_is_timed(goal->measure) ? cuda : counted_by_ncu(runs.yours);
        const struct lab_threshold *threshold = real ? &goal->cuda : &goal->sim;
        bool complete = runs.starter != NULL && runs.yours != NULL && runs.reference != NULL;
        double value = complete ? goals_value(goal->measure, &runs) : (double)NAN;
        char barred[256] = "";
        if (complete)
            say_uncounted(goal, threshold, &runs, value, barred, sizeof barred);
        bool counts = barred[0] == '\0';
        double kept = counts ? 1 : 0;
        if (complete && counts)
            kept = say_barred(lab, goal, &runs, cuda, value, barred, sizeof barred);
        else if (complete && goal->measure == MEASURE_SPEEDUP_SHARE)
            value = (double)NAN;
        double share = complete ? benefit(report, goal->measure, &runs, threshold->full) : (double)NAN;
        if (!add_goal(report, goal, part, value, threshold, share, counts ? goal->points : 0, barred, kept))
            return false;
        measured = measured && runs.yours != NULL;
    }
    if (lab->step_count > 0 && !add_steps(lab, cuda, elements[0], report))
        return false;
    /* What is not counted raises nobody's bar. */
    report->score_pass = rounded(lab->pass * report->score_max / lab_points_most(lab));
    report->score_passed = measured && report->score_max > 0 && report->cases_failed == 0 &&
                           report->failure_stage == STAGE_NONE && report->score_points >= report->score_pass;
    report->too_close = goals_too_close(lab, cuda, report);
    return true;
}

bool goals_score_timed(const struct settings *s, struct report *report, struct failure *failure) {
    double elements[LAB_PARTS] = {0};
    for (unsigned part = 0; part < s->lab.part_count; part++) {
        struct problem_case c;
        struct problem_work work;
        settings_timed_case(s, part, 0, &c);
        s->lab.problem->work(&c, &work);
        elements[part] = work.elements;
    }
    if (goals_score(&s->lab, s->device == DEVICE_CUDA, elements, report))
        return true;
    failure_set(failure, STAGE_MEASURE, "out of memory");
    return false;
}

void goals_score_nothing(const struct lab *lab, struct report *report) {
    report->goal_count = 0;
    report->score_points = 0;
    report->score_max = lab_points_most(lab);
    report->score_pass = lab->pass;
    report->score_passed = report->too_close = false;
}

bool goals_too_close(const struct lab *lab, bool cuda, const struct report *report) {
    double low = 0, high = 0;
    for (unsigned i = 0; i < lab->goal_count && i < report->goal_count; i++) {
        const struct lab_goal *goal = &lab->goals[i];
        const struct lab_threshold *threshold = cuda ? &goal->cuda : &goal->sim;
        struct goals_runs runs = runs_of(lab, report, lab->parts[goal->part].name, 0);
        const struct report_run *yours = runs.yours,
                                *against = goal->measure == MEASURE_COPY_SHARE ? runs.copy : runs.reference;
        if (yours == NULL || against == NULL || isnan(yours->ci95_us[0]) || isnan(against->ci95_us[0]))
            return false;
        if (lab_measure_is_timed(goal->measure)) {
            low += lab_points(threshold, against->ci95_us[0] / yours->ci95_us[1], goal->points);
            high += lab_points(threshold, against->ci95_us[1] / yours->ci95_us[0], goal->points);
        } else {
            low += report->goals[i].points;
            high += report->goals[i].points;
        }
    }
    for (uint32_t i = lab->goal_count; i < report->goal_count; i++) { /* the steps: nearly all are counted */
        low += report->goals[i].points;
        high += report->goals[i].points;
    }
    return low < report->score_pass && high >= report->score_pass;
}
