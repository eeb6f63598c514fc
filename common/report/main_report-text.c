/* report-text: prints a report.json on a terminal, as `make labN` printed it or as a profile. */
#include "report/writers/report_tool.h"
#include "report/writers/text.h"

#include <string.h>

int main(int count, char **arguments) {
    const char *run = NULL, *path = NULL;
    struct terminal terminal = terminal_open(stdout);
    bool profile = false, wrong = false;
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--color") == 0 || strcmp(arguments[i], "--colour") == 0)
            terminal.colour = true;
        else if (strcmp(arguments[i], "--profile") == 0)
            profile = true;
        else if (strcmp(arguments[i], "--run") == 0 && i + 1 < count)
            run = arguments[++i];
        else if (arguments[i][0] != '-' && path == NULL)
            path = arguments[i];
        else
            wrong = true;
    }
    if (path == NULL || wrong) {
        fputs("usage: report-text [--colour] [--profile] [--run NAME] REPORT.json\n", stderr);
        return 2;
    }
    struct report_tool tool;
    if (!report_tool_open(&tool, "report-text", path, run))
        return 1;
    /* Only a student's own run has the short form. */
    if (profile || tool.run != NULL || tool.report.source == NULL)
        report_print_profile(&terminal, &tool.report, tool.run, tool.model);
    else
        report_print(&terminal, &tool.report, tool.model);
    report_free(&tool.report);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
