/* report-text: prints a report.json for a terminal. */
#include "analysis/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
    const char *run_name = NULL, *path = NULL;
    bool colour = isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--color") == 0 || strcmp(arguments[i], "--colour") == 0)
            colour = true;
        else if (strcmp(arguments[i], "--run") == 0 && i + 1 < count)
            run_name = arguments[++i];
        else if (arguments[i][0] != '-' && path == NULL)
            path = arguments[i];
        else
            path = "";
    }
    if (path == NULL || *path == '\0') {
        fputs("usage: report-text [--colour] [--run NAME] REPORT.json\n", stderr);
        return 2;
    }
    struct report report;
    char error[REPORT_ERROR_SIZE];
    if (!report_read(&report, path, error, sizeof error)) {
        fprintf(stderr, "report-text: %s\n", error);
        return 1;
    }
    const struct report_run *run =
        run_name != NULL ? report_find_run(&report, run_name) : report_main_run(&report);
    if (run_name != NULL && run == NULL) {
        fprintf(stderr, "report-text: %s has no run \"%s\"\n", path, run_name);
        report_free(&report);
        return 1;
    }
    struct gpu_model model;
    bool have =
        report.device.model != NULL && gpu_model_load(NULL, report.device.model, &model, error, sizeof error);
    report_print_run(stdout, &report, run, have ? &model : NULL, colour);
    report_free(&report);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
