/* report.c: building a report up and taking it down. Its JSON is report_json.c. */
#include "analysis/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool report_set_text(char **field, const char *text) {
    char *copy = text != NULL ? strdup(text) : NULL;
    if (text != NULL && copy == NULL)
        return false;
    free(*field);
    *field = copy;
    return true;
}

bool report_init(struct report *report, const char *lab, const char *title) {
    *report = (struct report){0};
    bool good = report_set_text(&report->lab, lab) && report_set_text(&report->title, title);
    if (!good)
        report_free(report);
    return good;
}

static void run_free(struct report_run *run) {
    free(run->name);
    free(run->part);
    for (uint32_t i = 0; i < run->kernel_count; i++)
        kernel_report_free(&run->kernels[i]);
    free(run->kernels);
}

void report_free(struct report *report) {
    free(report->lab);
    free(report->title);
    free(report->device.kind);
    free(report->device.gpu);
    free(report->device.model);
    free(report->device.toolkit);
    free(report->problem.image);
    free(report->failure_stage);
    free(report->failure_message);
    for (uint32_t i = 0; i < report->case_count; i++) {
        free(report->cases[i].name);
        free(report->cases[i].message);
    }
    free(report->cases);
    for (uint32_t i = 0; i < report->run_count; i++)
        run_free(&report->runs[i]);
    free(report->runs);
    for (uint32_t i = 0; i < report->goal_count; i++) {
        free(report->goals[i].name);
        free(report->goals[i].part);
    }
    free(report->goals);
    for (uint32_t i = 0; i < report->flag_count; i++) {
        free(report->flags[i].name);
        free(report->flags[i].message);
    }
    free(report->flags);
    *report = (struct report){0};
}

bool report_set_device(struct report *report, const char *kind, const char *gpu, const char *model,
                       const char *toolkit) {
    struct report_device *device = &report->device;
    return report_set_text(&device->kind, kind) && report_set_text(&device->gpu, gpu) &&
           report_set_text(&device->model, model) && report_set_text(&device->toolkit, toolkit);
}

bool report_set_failure(struct report *report, const char *stage, const char *message) {
    return report_set_text(&report->failure_stage, stage) &&
           report_set_text(&report->failure_message, message);
}

/* Room for one more item in an array that grows by doubling; the new item is zeroed. NULL: out of memory. */
static void *grow(void **array, uint32_t count, size_t size) {
    if ((count & (count - 1)) == 0) {
        void *larger = realloc(*array, (count == 0 ? 1 : (size_t)count * 2) * size);
        if (larger == NULL)
            return NULL;
        *array = larger;
    }
    void *item = (char *)*array + (size_t)count * size;
    memset(item, 0, size);
    return item;
}

bool report_add_case(struct report *report, const char *name, bool passed, const char *message) {
    struct report_case *item = grow((void **)&report->cases, report->case_count, sizeof *item);
    if (item == NULL)
        return false;
    item->passed = passed;
    item->name = strdup(name);
    item->message = strdup(message != NULL ? message : "");
    if (item->name == NULL || item->message == NULL) {
        free(item->name);
        free(item->message);
        return false;
    }
    report->case_count++;
    report->cases_passed += passed;
    report->cases_failed += !passed;
    return true;
}

struct report_run *report_add_run(struct report *report, const char *name) {
    struct report_run *run = grow((void **)&report->runs, report->run_count, sizeof *run);
    if (run == NULL || (run->name = strdup(name)) == NULL)
        return NULL;
    run->time_us = run->speedup = run->ci95_us[0] = run->ci95_us[1] = NAN;
    report->run_count++;
    return run;
}

struct kernel_report *report_run_add_kernel(struct report_run *run) {
    struct kernel_report *kernel = grow((void **)&run->kernels, run->kernel_count, sizeof *kernel);
    if (kernel != NULL)
        run->kernel_count++;
    return kernel;
}

bool report_add_goal(struct report *report, const char *name, double value, double zero, double full,
                     double points, double max) {
    struct report_goal *goal = grow((void **)&report->goals, report->goal_count, sizeof *goal);
    if (goal == NULL)
        return false;
    *goal = (struct report_goal){strdup(name), NULL, value, zero, full, points, max};
    if (goal->name == NULL)
        return false;
    report->goal_count++;
    return true;
}

bool report_add_flag(struct report *report, const char *name, const char *message) {
    for (uint32_t i = 0; i < report->flag_count; i++)
        if (strcmp(report->flags[i].name, name) == 0)
            return true;
    struct report_flag *flag = grow((void **)&report->flags, report->flag_count, sizeof *flag);
    if (flag == NULL)
        return false;
    *flag = (struct report_flag){strdup(name), strdup(message)};
    if (flag->name == NULL || flag->message == NULL) {
        free(flag->name);
        free(flag->message);
        return false;
    }
    report->flag_count++;
    return true;
}

const struct report_run *report_find_part_run(const struct report *report, const char *part,
                                              const char *name) {
    const char *wanted = part != NULL ? part : "";
    for (uint32_t i = 0; i < report->run_count; i++) {
        const struct report_run *run = &report->runs[i];
        if (strcmp(run->name, name) == 0 &&
            (*wanted == '\0' || (run->part != NULL && strcmp(run->part, wanted) == 0)))
            return run;
    }
    return NULL;
}

const struct report_run *report_find_run(const struct report *report, const char *name) {
    return report_find_part_run(report, NULL, name);
}

bool report_run_counter(const struct report_run *run, enum counter counter, uint64_t *value) {
    *value = 0;
    if ((unsigned)counter >= COUNTER_COUNT || run->kernel_count == 0)
        return false;
    for (uint32_t i = 0; i < run->kernel_count; i++) {
        if (!run->kernels[i].known[counter])
            return false;
        *value += counter_value(&run->kernels[i].counters, counter);
    }
    return true;
}
