/* report-markdown: a report.json as Markdown, for a job's summary: `make labN-summary`. */
#include "analysis/markdown.h"

int main(int count, char **arguments) {
    if (count != 2 || arguments[1][0] == '-') {
        fputs("usage: report-markdown REPORT.json\n", stderr);
        return 2;
    }
    struct report report;
    char error[REPORT_ERROR_SIZE];
    if (!report_read(&report, arguments[1], error, sizeof error)) {
        fprintf(stderr, "report-markdown: %s\n", error);
        return 1;
    }
    struct gpu_model data;
    const struct gpu_model *model =
        report.device.model != NULL && gpu_model_load(NULL, report.device.model, &data, error, sizeof error)
            ? &data
            : NULL;
    bool right = report_markdown(stdout, &report, model);
    report_free(&report);
    return right && fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
