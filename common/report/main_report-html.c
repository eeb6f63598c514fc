/* report-html: writes a report.json as a page to standard output. */
#include "report/writers/html.h"
#include "report/writers/report_tool.h"

#include <string.h>

int main(int count, char **arguments) {
    const char *run = NULL, *path = NULL, *root = ".";
    bool wrong = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--source-root") == 0 && i + 1 < count)
            root = arguments[++i];
        else if (strcmp(arguments[i], "--run") == 0 && i + 1 < count)
            run = arguments[++i];
        else if (arguments[i][0] != '-' && path == NULL)
            path = arguments[i];
        else
            wrong = true;
    }
    if (path == NULL || wrong) {
        fputs("usage: report-html [--source-root FOLDER] [--run NAME] REPORT.json > PAGE.html\n", stderr);
        return 2;
    }
    struct report_tool tool;
    if (!report_tool_open(&tool, "report-html", path, run))
        return 1;
    bool right = report_html(stdout, &tool.report, tool.run, tool.model, root, NULL);
    report_free(&tool.report);
    if (!right)
        fputs("report-html: the page cannot be written\n", stderr);
    return right ? 0 : 1;
}
