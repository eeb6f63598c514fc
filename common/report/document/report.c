/* report.c: builds a report, finds its parts, frees it. */
#include "report/document/report.h"

#include "base/path.h"
#include "report/document/fields.h"

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
    report->cpu_us = report->score_pass = report->device.apart = NAN;
    bool right = report_set_text(&report->lab, lab) && report_set_text(&report->title, title);
    if (!right)
        report_free(report);
    return right;
}

void report_free(struct report *report) {
    record_free(&report_record, report);
    *report = (struct report){0};
}

bool report_set_device(struct report *report, enum device_kind kind, const char *gpu, const char *model,
                       const char *toolkit) {
    struct report_device *device = &report->device;
    device->kind = kind;
    return report_set_text(&device->gpu, gpu) && report_set_text(&device->model, model) &&
           report_set_text(&device->toolkit, toolkit);
}

bool report_set_failure(struct report *report, enum report_stage stage, const char *message) {
    report->failure_stage = stage;
    return report_set_text(&report->failure_message, message);
}

bool report_add_file(struct report *report, const char *path) {
    char *file = strdup(path);
    return list_append(&file_record, (void **)&report->files, &report->file_count, &file) != NULL;
}

const char *report_file(const struct report *report, const char *name) {
    for (uint32_t i = 0; i < report->file_count; i++)
        if (strcmp(path_name(report->files[i]), name) == 0)
            return report->files[i];
    return NULL;
}

bool report_add_part(struct report *report, const char *name, const char *title, const char *timed) {
    struct report_part part = {strdup(name), strdup(title), strdup(timed)};
    return list_append(&part_record, (void **)&report->parts, &report->part_count, &part) != NULL;
}

bool report_add_case(struct report *report, const char *name, bool passed, const char *message) {
    struct report_case item = {strdup(name), passed, strdup(message != NULL ? message : "")};
    bool right = list_append(&case_record, (void **)&report->cases, &report->case_count, &item) != NULL;
    report->cases_passed += right && passed;
    report->cases_failed += right && !passed;
    return right;
}

struct report_run *report_add_run(struct report *report, const char *name) {
    struct report_run run = {.name = strdup(name),
                             .time_us = NAN,
                             .speedup = NAN,
                             .ci95_us = {NAN, NAN},
                             .band = NAN,
                             .pinned = NAN,
                             .measured_us = NAN};
    return list_append(&run_record, (void **)&report->runs, &report->run_count, &run);
}

struct kernel_report *report_run_add_kernel(struct report_run *run) {
    struct kernel_report *kernel = list_add((void **)&run->kernels, &run->kernel_count, sizeof *kernel);
    if (kernel != NULL)
        kernel->limiter = GPU_UNIT_COUNT;
    return kernel;
}

bool report_add_goal(struct report *report, const char *name, double value, double zero, double full,
                     double points, double max) {
    struct report_goal goal = {.name = strdup(name),
                               .value = value,
                               .zero = zero,
                               .full = full,
                               .points = points,
                               .max = max,
                               .benefit = NAN,
                               .kept = NAN};
    return list_append(&goal_record, (void **)&report->goals, &report->goal_count, &goal) != NULL;
}

bool report_add_flag(struct report *report, const char *name, const char *message) {
    for (uint32_t i = 0; i < report->flag_count; i++)
        if (strcmp(report->flags[i].name, name) == 0)
            return true;
    struct report_flag flag = {strdup(name), strdup(message)};
    return list_append(&flag_record, (void **)&report->flags, &report->flag_count, &flag) != NULL;
}

/* Whether two messages differ only in numbers: the same fault with 512 bytes in one case and 80 in
 * the next is one remark. */
static bool same_words(const char *left, const char *right) {
    static const char digits[] = "0123456789";
    while (*left != '\0' || *right != '\0') {
        size_t number = strspn(left, digits), other = strspn(right, digits);
        if ((number > 0) != (other > 0) || (number == 0 && *left != *right))
            return false;
        left += number > 0 ? number : 1;
        right += other > 0 ? other : 1;
    }
    return true;
}

/* A case that is called several times counts once. */
static bool met_in(struct report_remark *remark, const char *name) {
    char *line = NULL, *met = NULL;
    if (*name == '\0')
        return true;
    bool right = asprintf(&line, "\n%s\n", name) >= 0;
    if (right && (remark->met == NULL || strstr(remark->met, line) == NULL)) {
        right = asprintf(&met, "%s%s", remark->met != NULL ? remark->met : "", line) >= 0;
        if (right) {
            free(remark->met);
            remark->met = met;
            remark->cases++;
        }
    }
    free(line);
    return right;
}

bool report_add_remark(struct report *report, const char *kind, const char *name, const char *file,
                       uint32_t line, const char *message, uint64_t count) {
    for (uint32_t i = 0; i < report->remark_count; i++) {
        struct report_remark *known = &report->remarks[i];
        if (known->line == line && strcmp(known->kind, kind) == 0 && strcmp(known->file, file) == 0 &&
            (line || same_words(known->message, message))) {
            known->count += count;
            return met_in(known, name);
        }
    }
    struct report_remark remark = {.kind = strdup(kind),
                                   .name = strdup(name),
                                   .file = strdup(file),
                                   .message = strdup(message),
                                   .line = line,
                                   .count = count};
    struct report_remark *added =
        list_append(&remark_record, (void **)&report->remarks, &report->remark_count, &remark);
    return added != NULL && met_in(added, name);
}

bool report_add_remark_line(struct report *report, const char *name, const json_t *remark) {
    const char *kind = json_string_value(json_object_get(remark, "kind")),
               *file = json_string_value(json_object_get(remark, "file")),
               *message = json_string_value(json_object_get(remark, "message"));
    json_int_t line = json_integer_value(json_object_get(remark, "line")),
               count = json_integer_value(json_object_get(remark, "count"));
    return kind != NULL && file != NULL && message != NULL && line >= 0 && line <= UINT32_MAX && count > 0 &&
           report_add_remark(report, kind, name, file, (uint32_t)line, message, (uint64_t)count);
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

const struct report_run *report_main_run(const struct report *report) {
    const struct report_run *run = report_find_run(report, RUN_YOURS);
    for (uint32_t i = report->run_count; (run == NULL || run->kernel_count == 0) && i > 0; i--)
        run = &report->runs[i - 1];
    return run != NULL && run->kernel_count > 0 ? run : NULL;
}

uint32_t run_top_kernels(const struct report_run *run, uint32_t *indices, uint32_t most) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->kernel_count; i++) {
        uint32_t at = count < most ? count++ : most;
        /* Insertion sort by time; equal times keep the launch order; unknown counts as 0. */
        double time = isfinite(run->kernels[i].time_us) ? run->kernels[i].time_us : 0;
        while (at > 0) {
            double before = run->kernels[indices[at - 1]].time_us;
            if ((isfinite(before) ? before : 0) >= time)
                break;
            if (at < most)
                indices[at] = indices[at - 1];
            at--;
        }
        if (at < most)
            indices[at] = i;
    }
    return count;
}

double run_kernels_us(const struct report_run *run) {
    double sum = 0;
    for (uint32_t i = 0; i < run->kernel_count; i++)
        sum += run->kernels[i].time_us;
    return sum;
}

uint64_t run_launches(const struct report_run *run) {
    uint64_t launches = 0;
    for (uint32_t i = 0; i < run->kernel_count; i++)
        launches += kernel_launches(&run->kernels[i]);
    return launches;
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
