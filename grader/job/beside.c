/* beside.c: starter and reference measured, kept as a report in the cache. */
#include "job/beside.h"
#include "harness/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool measure(const struct settings *s, struct report *beside, char *error, size_t size) {
    struct measure_variant variants[2] = {{.name = ""}, {.name = "reference"}};
    struct judge_wrong unused = {.present = false};
    struct failure failure = {.stage = ""};
    snprintf(variants[0].name, sizeof variants[0].name, "%s", lab_baseline(&s->lab));
    for (int i = 0; i < 2; i++)
        settings_program(s, variants[i].name, variants[i].program);
    if (!report_init(beside, s->lab.id, s->lab.title)) {
        snprintf(error, size, "out of memory");
        return false;
    }
    beside->problem.width = s->width;
    beside->problem.height = s->height;
    beside->problem.seed = s->seed;
    bool right = true;
    for (unsigned part = 0; right && part < s->lab.part_count; part++)
        right = measure_variants(s, part, variants, 2, -1, beside, &unused, &failure);
    if (right)
        return true;
    snprintf(error, size, "%s and reference cannot be measured: %.600s", lab_baseline(&s->lab),
             failure.message);
    report_free(beside);
    return false;
}

bool beside_load(const struct settings *s, const char *kit, const char *cache, struct report *beside,
                 char *error, size_t size) {
    char path[PATH_SIZE];
    path_print(path, "%s/%s-%s-%ux%u-%llu-%s.json", cache, s->lab.id, s->gpu, s->width, s->height,
               (unsigned long long)s->seed, kit);
    if (access(path, R_OK) == 0 && report_read(beside, path, error, size))
        return true;
    if (!measure(s, beside, error, size))
        return false;
    /* As written, so that the job that measures and those that read have the same digits. */
    bool written = report_write(beside, path, error, size);
    report_free(beside);
    return written && report_read(beside, path, error, size);
}

bool beside_move_run(struct report *beside, const char *part, const char *name, struct report *report) {
    for (uint32_t i = 0; i < beside->run_count; i++) {
        const char *own = beside->runs[i].part != NULL ? beside->runs[i].part : "";
        if (strcmp(beside->runs[i].name, name) != 0 || strcmp(own, part) != 0)
            continue;
        struct report_run *run = report_add_run(report, name);
        if (run == NULL)
            return false;
        struct report_run empty = *run;
        *run = beside->runs[i];
        beside->runs[i] = empty;
        return true;
    }
    return false;
}
