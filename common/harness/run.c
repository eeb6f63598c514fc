/* run.c: the steps of a run, part by part. */
#include "harness/run.h"

#include "harness/goals.h"

#include <stdio.h>
#include <string.h>

void run_init(struct run *run, const struct settings *s) {
    const char *const names[] = {lab_baseline(&s->lab), "yours", "reference"};
    *run = (struct run){.settings = s, .count = sizeof names / sizeof *names, .judged = 1};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(run->variants[i].name, sizeof run->variants[i].name, "%s", names[i]);
        settings_program(s, names[i], run->variants[i].program);
    }
}

/* Move the run of a variant that is known to the end of the report. */
static bool take_known(const struct measure_variant *variant, const char *part, struct report *report) {
    for (uint32_t i = 0; i < variant->known->run_count; i++) {
        struct report_run *known = &variant->known->runs[i];
        if (strcmp(known->name, variant->name) != 0 ||
            strcmp(known->part != NULL ? known->part : "", part) != 0)
            continue;
        struct report_run *run = report_add_run(report, variant->name);
        if (run == NULL)
            return false;
        struct report_run empty = *run;
        *run = *known;
        *known = empty;
        return true;
    }
    return false;
}

/* What is not known is measured together, as far as it stands together. */
static bool measure_part(const struct run *run, unsigned part, struct report *report,
                         struct judge_wrong *wrong, struct failure *failure) {
    const struct settings *s = run->settings;
    for (unsigned i = 0, count; i < run->count; i += count) {
        count = 1;
        if (run->variants[i].known != NULL) {
            if (take_known(&run->variants[i], s->lab.parts[part].name, report))
                continue;
            failure_set(failure, "measure", "%s was not measured before", run->variants[i].name);
            return false;
        }
        while (i + count < run->count && run->variants[i + count].known == NULL)
            count++;
        int watched = run->judged >= i && run->judged < i + count ? (int)(run->judged - i) : -1;
        if (!measure_variants(s, part, run->variants + i, count, watched, report, wrong, failure))
            return false;
    }
    return true;
}

bool run_measure(const struct run *run, struct report *report, struct judge_wrong *wrong,
                 struct failure *failure) {
    for (unsigned part = 0; part < run->settings->lab.part_count; part++)
        if (!measure_part(run, part, report, wrong, failure))
            return false;
    return true;
}

/* The time of the program's function for the host. Beside a real GPU it is a run like the others; modelled times it
 * is not compared with. */
static bool add_cpu(const struct run *run, struct report *report, struct failure *failure) {
    const struct settings *s = run->settings;
    if (!run->cpu || s->lab.problem->cpu_function == NULL)
        return true;
    if (!measure_cpu(s, run->variants[run->judged].program, &report->cpu_us, failure))
        return false;
    if (s->device == DEVICE_SIM)
        return true;
    struct report_run *cpu = report_add_run(report, "cpu");
    if (cpu == NULL) {
        failure_set(failure, "measure", "out of memory");
        return false;
    }
    cpu->time_us = report->cpu_us;
    cpu->speedup = report->runs[0].time_us / report->cpu_us;
    snprintf(cpu->time_source, sizeof cpu->time_source, "clock");
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
