/* fuzz_report.c: any bytes as a report. What is accepted can be printed and written, and is read
 * again unchanged. */
#include "report/document/launches.h"
#include "report/writers/html.h"
#include "report/writers/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(struct report *report) {
    static struct gpu_model model;
    char error[256];
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL ||
        (model.sm_count == 0 && !gpu_model_load(NULL, "h200", &model, error, sizeof error)))
        abort();
    const struct terminal terminal = {nowhere, false, 0};
    if (!report_add_findings(report, &model))
        abort();
    report_print(&terminal, report, &model);
    report_print_profile(&terminal, report, NULL, &model);
    (void)report_html(nowhere, report, NULL, &model, "/nowhere", NULL);
    fclose(nowhere);
}

static char *text_of(const struct report *report) {
    json_t *json = report_to_json(report);
    char *text = json != NULL ? json_dumps(json, JSON_COMPACT | REPORT_JSON_FLAGS) : NULL;
    json_decref(json);
    if (text == NULL)
        abort();
    return text;
}

/* Adds the kernels of its runs as launches. */
static void fold(struct report *report) {
    struct launches launches = {.apart = 2};
    uint64_t all = 0;
    for (uint32_t r = 0; r < report->run_count; r++) {
        struct report_run *run = &report->runs[r];
        for (uint32_t k = 0; k < run->kernel_count; k++, all++)
            if (!launches_add(&launches, &run->kernels[k]))
                abort();
        run->kernel_count = 0;
    }
    if (launches.launches != all || launches.lines > LAUNCHES_LINES)
        abort();
    launches_free(&launches);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct report report, again;
    char error[REPORT_ERROR_SIZE] = "";
    json_t *json = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (json == NULL)
        return 0;
    if (!report_from_json(&report, json, error, sizeof error)) {
        if (*error == '\0' || strchr(error, '\n') != NULL)
            abort(); /* refused without one line that says why */
        json_decref(json);
        return 0;
    }
    json_decref(json);
    char *first = text_of(&report), *second;
    json = json_loads(first, 0, NULL);
    if (json == NULL || !report_from_json(&again, json, error, sizeof error))
        abort();
    second = text_of(&again);
    if (strcmp(first, second) != 0)
        abort();
    print(&report);
    fold(&report);
    json_decref(json);
    free(first);
    free(second);
    report_free(&report);
    report_free(&again);
    return 0;
}
