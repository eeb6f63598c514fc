/* report_tool.c: opens a report.json, finds a run and the data of its GPU. */
#include "report/writers/report_tool.h"

#include "report/findings/findings.h"

bool report_tool_open(struct report_tool *tool, const char *program, const char *path, const char *run) {
    char error[REPORT_ERROR_SIZE];
    struct report *report = &tool->report;
    *tool = (struct report_tool){0};
    if (!report_read(report, path, error, sizeof error)) {
        fprintf(stderr, "%s: %s\n", program, error);
        return false;
    }
    if (run != NULL && (tool->run = report_find_run(report, run)) == NULL) {
        fprintf(stderr, "%s: %s has no run \"%s\"\n", program, path, run);
        report_free(report);
        return false;
    }
    if (report->device.model != NULL &&
        gpu_model_load(NULL, report->device.model, &tool->data, error, sizeof error))
        tool->model = &tool->data;
    if (report_add_findings(report, tool->model))
        return true;
    fprintf(stderr, "%s: out of memory\n", program);
    report_free(report);
    return false;
}
