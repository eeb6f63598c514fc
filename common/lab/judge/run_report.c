/* run_report.c: a lab's run in its report: what it was asked for, what the judge saw, what it left behind. */
#include "lab/judge/run.h"

#include "base/home.h"
#include "base/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool run_report_begin(struct report *report, const struct settings *s) {
    const struct lab *lab = &s->lab;
    if (!report_init(report, lab->id, lab->title))
        return false;
    report->problem.width = s->width;
    report->problem.height = s->height;
    report->problem.seed = s->seed;
    report->device.apart = s->device == DEVICE_SIM ? s->model.band_pair : (double)NAN;
    bool right = report_set_device(report, s->device, s->gpu_name, s->gpu, NULL) &&
                 (s->image[0] == '\0' || report_set_text(&report->problem.image, s->image)) &&
                 report_set_text(&report->criterion, lab->problem->criterion);
    for (unsigned part = 0; right && lab->part_count > 1 && part < lab->part_count; part++) {
        struct problem_case timed;
        settings_timed_case(s, part, 0, &timed);
        right = report_add_part(report, lab->parts[part].name, lab->parts[part].title, timed.name);
    }
    if (!right)
        report_free(report);
    return right;
}

bool run_report_judged(struct report *report, const struct settings *s, const struct judge_wrong *wrong,
                       const char *output) {
    _Static_assert((int)PROBLEM_LISTED == (int)REPORT_LISTED, "a report lists what the judge lists");
    const struct problem_verdict *v = &wrong->verdict;
    struct report_wrong *to = &report->wrong;
    if (output[0] != '\0' && !report_set_text(&report->output, output))
        return false;
    if (!wrong->present)
        return true;
    *to = (struct report_wrong){.present = true,
                                .elements = v->wrong,
                                .nondeterministic = wrong->nondeterministic,
                                .listed_count = v->listed};
    snprintf(to->name, sizeof to->name, "%s", wrong->problem_case.name);
    snprintf(to->message, sizeof to->message, "%s", v->message);
    snprintf(to->hint, sizeof to->hint, "%s%s%s", v->hint,
             v->hint[0] != '\0' && wrong->diagnosis.text[0] != '\0' ? " " : "", wrong->diagnosis.text);
    if (wrong->diagnosis.proven) {
        snprintf(to->cause, sizeof to->cause, "%s", wrong->diagnosis.kind);
        to->cause_cases = wrong->diagnosis.cases;
    }
    snprintf(to->place, sizeof to->place, "%s", s->lab.problem->place);
    for (unsigned i = 0; i < v->listed; i++) {
        struct report_element *element = &to->listed[i];
        element->index = v->first[i].index;
        snprintf(element->where, sizeof element->where, "%s", v->first[i].where);
        snprintf(element->got, sizeof element->got, "%s", v->first[i].got);
        snprintf(element->expected, sizeof element->expected, "%s", v->first[i].expected);
    }
    return true;
}

/* The lab after this one, or that there is none; and what its data file says is left to try. */
static bool set_after(struct report *report, const struct settings *s) {
    unsigned numbers[LABS_MOST], count = lab_numbers(s->root, numbers), own = 0;
    char id[16], error[SETTINGS_ERROR], text[512] = "that was the last lab";
    struct lab next;
    while (own < count && numbers[own] <= (unsigned)strtoul(s->lab.id + 3, NULL, 10))
        own++;
    snprintf(id, sizeof id, "lab%u", own < count ? numbers[own] : 0);
    if (own < count && lab_load(s->root, id, &next, error, sizeof error))
        snprintf(text, sizeof text, "the next lab: labs/%s-%s/README.md", next.id, next.topic);
    if (s->lab.further[0] != '\0')
        snprintf(text + strlen(text), sizeof text - strlen(text), "; %s", s->lab.further);
    return report_set_text(&report->after, text);
}

bool run_report_files(struct report *report, const struct settings *s) {
    static const char *const names[] = {"report.json",   "input.png",     "output.png", "difference.png",
                                        "benchmark.tsv", "benchmark.png", "output.txt"};
    const char *folder = s->folder;
    size_t root = strlen(s->root);
    char path[PATH_SIZE];
    if (strncmp(folder, s->root, root) == 0 && folder[root] == '/')
        folder += root + 1; /* as the student would type it */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool there = i == 0 || (path_join(path, s->folder, names[i]) && access(path, F_OK) == 0);
        /* files of an earlier run may lie there: what counts is what this one wrote */
        if (strncmp(names[i], "benchmark", 9) == 0)
            there = there && s->lab.problem->cpu_function != NULL && report->failure_stage == STAGE_NONE;
        else if (strcmp(names[i], "output.txt") == 0)
            there = there && report->output != NULL;
        else if (i > 0)
            there = there && report->case_count > 0;
        if (there && (!path_join(path, folder, names[i]) || !report_add_file(report, path)))
            return false;
    }
    return path_print(path, "labs/%s-%s/kernel.cu", s->lab.id, s->lab.topic) &&
           report_set_text(&report->source, path) && set_after(report, s) &&
           report_set_text(&report->not_here, home_is_students(s->root) ? "steps, solution" : NULL);
}
