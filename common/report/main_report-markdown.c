/* report-markdown: writes a report.json as Markdown, for a job's summary: `make labN-summary`. */
#include "report/writers/markdown.h"
#include "report/writers/report_tool.h"

int main(int count, char **arguments) {
    if (count != 2 || arguments[1][0] == '-') {
        fputs("usage: report-markdown REPORT.json\n", stderr);
        return 2;
    }
    struct report_tool tool;
    if (!report_tool_open(&tool, "report-markdown", arguments[1], NULL))
        return 1;
    bool right = report_markdown(stdout, &tool.report, tool.model);
    report_free(&tool.report);
    return right && fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
