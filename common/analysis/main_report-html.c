/* report-html: turns a report.json into a page, on standard output. */
#include "analysis/html.h"

#include <string.h>

int main(int count, char **arguments) {
    const char *run_name = NULL, *path = NULL, *root = ".";
    bool wrong = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--source-root") == 0 && i + 1 < count)
            root = arguments[++i];
        else if (strcmp(arguments[i], "--run") == 0 && i + 1 < count)
            run_name = arguments[++i];
        else if (arguments[i][0] != '-' && path == NULL)
            path = arguments[i];
        else
            wrong = true;
    }
    if (path == NULL || wrong) {
        fputs("usage: report-html [--source-root FOLDER] [--run NAME] REPORT.json > PAGE.html\n", stderr);
        return 2;
    }
    struct report report;
    char error[REPORT_ERROR_SIZE];
    if (!report_read(&report, path, error, sizeof error)) {
        fprintf(stderr, "report-html: %s\n", error);
        return 1;
    }
    const struct report_run *run = run_name != NULL ? report_find_run(&report, run_name) : NULL;
    if (run_name != NULL && run == NULL) {
        fprintf(stderr, "report-html: %s has no run \"%s\"\n", path, run_name);
        report_free(&report);
        return 1;
    }
    struct gpu_model model;
    bool have =
        report.device.model != NULL && gpu_model_load(NULL, report.device.model, &model, error, sizeof error);
    bool right = report_html(stdout, &report, run, have ? &model : NULL, root, NULL);
    report_free(&report);
    if (!right)
        fputs("report-html: the page cannot be written\n", stderr);
    return right ? 0 : 1;
}
