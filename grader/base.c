#include "grader/base.h"
#include "harness/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool measure(const struct settings *s, struct report *base, char *error, size_t size) {
    struct measure_variant variants[2] = {{.name = ""}, {.name = "reference"}};
    struct judge_wrong unused = {.present = false};
    struct failure failure = {.stage = ""};
    snprintf(variants[0].name, sizeof variants[0].name, "%s", lab_baseline(&s->lab));
    for (int i = 0; i < 2; i++)
        settings_program(s, variants[i].name, variants[i].program, sizeof variants[i].program);
    if (!report_init(base, s->lab.id, s->lab.title)) {
        snprintf(error, size, "out of memory");
        return false;
    }
    base->problem.width = s->width;
    base->problem.height = s->height;
    base->problem.seed = s->seed;
    bool right = true;
    for (unsigned part = 0; right && part < s->lab.part_count; part++)
        right = measure_variants(s, part, variants, 2, -1, base, &unused, &failure);
    if (right)
        return true;
    snprintf(error, size, "%s and reference cannot be measured: %.600s", lab_baseline(&s->lab),
             failure.message);
    report_free(base);
    return false;
}

bool base_load(const struct settings *s, const char *kit, const char *cache, struct report *base, char *error,
               size_t size) {
    char path[SETTINGS_PATH + 128];
    snprintf(path, sizeof path, "%s/%s-%s-%ux%u-%llu-%s.json", cache, s->lab.id, s->gpu, s->width, s->height,
             (unsigned long long)s->seed, kit);
    if (access(path, R_OK) == 0 && report_read(base, path, error, size))
        return true;
    if (!measure(s, base, error, size))
        return false;
    /* As written, so that the job that measures and those that read have the same digits. */
    bool written = report_write(base, path, error, size);
    report_free(base);
    return written && report_read(base, path, error, size);
}

bool base_move_run(struct report *base, const char *part, const char *name, struct report *report) {
    for (uint32_t i = 0; i < base->run_count; i++) {
        const char *own = base->runs[i].part != NULL ? base->runs[i].part : "";
        if (strcmp(base->runs[i].name, name) != 0 || strcmp(own, part) != 0)
            continue;
        struct report_run *run = report_add_run(report, name);
        if (run == NULL)
            return false;
        struct report_run empty = *run;
        *run = base->runs[i];
        base->runs[i] = empty;
        return true;
    }
    return false;
}
