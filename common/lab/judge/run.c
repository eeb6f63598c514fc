/* run.c: the steps of a run, part by part. */
#include "lab/judge/run.h"

#include "lab/judge/goals.h"

#include <stdio.h>
#include <string.h>

void run_init(struct run *run, const struct settings *s) {
    const char *const names[] = {lab_baseline(&s->lab), RUN_YOURS, RUN_REFERENCE};
    *run = (struct run){.settings = s, .count = sizeof names / sizeof *names, .judged = 1};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(run->variants[i].name, sizeof run->variants[i].name, "%s", names[i]);
        settings_program(s, names[i], run->variants[i].program);
    }
}

/* Moves the run of that name and part from `known` to the end of the report, if it is there.
 * False: out of memory. */
static bool take_known(struct report *known, const char *name, const char *part, struct report *report,
                       bool *found) {
    *found = false;
    for (uint32_t i = 0; i < known->run_count && !*found; i++) {
        struct report_run *there = &known->runs[i];
        if (strcmp(there->name, name) != 0 || strcmp(there->part != NULL ? there->part : "", part) != 0)
            continue;
        struct report_run *run = report_add_run(report, name);
        if (run == NULL)
            return false;
        struct report_run empty = *run;
        *run = *there;
        *there = empty;
        *found = true;
    }
    return true;
}

/* Takes the known runs, with the copy that follows the last of them; measures the others. */
static bool measure_unknown(const struct run *run, unsigned part, const struct measure_results *to) {
    const struct settings *s = run->settings;
    const char *name = s->lab.parts[part].name;
    for (unsigned i = 0; i < run->count; i++) {
        const struct measure_variant *variant = &run->variants[i];
        bool judged = i == run->judged, found, copied;
        if (judged || variant->beside) {
            if (!measure_variants(s, part, variant, 1, judged ? 0 : -1, to))
                return false;
            continue;
        }
        if (!take_known(run->known, variant->name, name, to->report, &found) ||
            ((i + 1 == run->count || run->variants[i + 1].beside) &&
             !take_known(run->known, "copy", name, to->report, &copied))) {
            failure_set(to->failure, STAGE_MEASURE, "out of memory");
            return false;
        }
        if (!found) {
            failure_set(to->failure, STAGE_MEASURE, "%s was not measured before", variant->name);
            return false;
        }
    }
    return true;
}

bool run_measure(const struct run *run, struct report *report, struct judge_wrong *wrong,
                 struct failure *failure) {
    const struct measure_results to = {report, wrong, failure};
    for (unsigned part = 0; part < run->settings->lab.part_count; part++)
        if (run->known != NULL ? !measure_unknown(run, part, &to)
                               : !measure_variants(run->settings, part, run->variants, run->count,
                                                   run->judged < run->count ? (int)run->judged : -1, &to))
            return false;
    return true;
}

/* Times the program's function for the host: a run of its own on a real GPU, since modelled
 * times do not compare. */
static bool add_cpu(const struct run *run, struct report *report, struct failure *failure) {
    const struct settings *s = run->settings;
    if (!run->cpu || s->lab.problem->cpu_function == NULL)
        return true;
    if (!measure_cpu(s, run->variants[run->judged].program, &report->cpu_us, failure))
        return false;
    if (s->device == DEVICE_SIM)
        return true;
    struct report_run *cpu = report_add_run(report, RUN_CPU);
    if (cpu == NULL) {
        failure_set(failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    cpu->time_us = report->cpu_us;
    cpu->speedup = report->runs[0].time_us / report->cpu_us;
    cpu->time_source = TIME_CLOCK;
    snprintf(cpu->note, sizeof cpu->note, "%s, by the host's clock", s->lab.problem->cpu_function);
    return true;
}

bool run_judge(const struct run *run, struct report *report, struct judge_wrong *wrong, char *output,
               size_t output_size, struct failure *failure) {
    return judge_correctness(run->settings, run->variants[run->judged].program, report, wrong, output,
                             output_size, failure) &&
           run_measure(run, report, wrong, failure) && add_cpu(run, report, failure) &&
           goals_score_timed(run->settings, report, failure);
}

bool run_failed(const struct settings *s, const struct failure *failure, struct report *report) {
    goals_score_nothing(&s->lab, report);
    return (failure->flag == FLAG_NONE ||
            report_add_flag(report, flag_name(failure->flag), flag_meaning(failure->flag))) &&
           report_set_failure(report, failure->stage, failure->message);
}
