/* beside.c: starter and reference measured, kept as a report in the cache. */
#include "job/beside.h"
#include "harness/run.h"
#include "harness/run_report.h"

#include <stdio.h>
#include <unistd.h>

static bool measure(const struct settings *s, struct report *beside, char *error, size_t size) {
    struct run run;
    struct judge_wrong unused = {.present = false};
    struct failure failure = {.stage = ""};
    if (!run_report_begin(beside, s)) {
        snprintf(error, size, "out of memory");
        return false;
    }
    run_init(&run, s);
    run.variants[1] = run.variants[2]; /* all but yours */
    run.judged = run.count = 2;
    if (run_measure(&run, beside, &unused, &failure))
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
