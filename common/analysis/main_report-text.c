/* report-text: prints a report.json for a terminal: as `make labN` printed it, or as a profile. */
#include "analysis/text.h"

#include <string.h>

int main(int count, char **arguments) {
    const char *run_name = NULL, *path = NULL;
    struct terminal terminal = terminal_open(stdout);
    bool profile = false, wrong = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--color") == 0 || strcmp(arguments[i], "--colour") == 0)
            terminal.colour = true;
        else if (strcmp(arguments[i], "--profile") == 0)
            profile = true;
        else if (strcmp(arguments[i], "--run") == 0 && i + 1 < count)
            run_name = arguments[++i];
        else if (arguments[i][0] != '-' && path == NULL)
            path = arguments[i];
        else
            wrong = true;
    }
    if (path == NULL || wrong) {
        fputs("usage: report-text [--colour] [--profile] [--run NAME] REPORT.json\n", stderr);
        return 2;
    }
    struct report report;
    char error[REPORT_ERROR_SIZE];
    if (!report_read(&report, path, error, sizeof error)) {
        fprintf(stderr, "report-text: %s\n", error);
        return 1;
    }
    const struct report_run *run = run_name != NULL ? report_find_run(&report, run_name) : NULL;
    if (run_name != NULL && run == NULL) {
        fprintf(stderr, "report-text: %s has no run \"%s\"\n", path, run_name);
        report_free(&report);
        return 1;
    }
    struct gpu_model data;
    const struct gpu_model *model =
        report.device.model != NULL && gpu_model_load(NULL, report.device.model, &data, error, sizeof error)
            ? &data
            : NULL;
    /* only a student's own run has the short form */
    if (profile || run != NULL || report.source == NULL)
        report_print_profile(&terminal, &report, run, model);
    else
        report_print(&terminal, &report, model);
    report_free(&report);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
