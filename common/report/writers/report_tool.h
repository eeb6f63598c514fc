/* report_tool.h: opens a report.json for the programs that print it. Private to this room. */
#pragma once

#include "report/document/report.h"

struct report_tool {
    struct report report;          /* with its findings */
    const struct report_run *run;  /* named on the command line; NULL: none */
    const struct gpu_model *model; /* of the report's GPU; NULL: there is none */
    struct gpu_model data;
};

/* Reads the report; run: the name of a run, or NULL. False after one line on standard error. */
bool report_tool_open(struct report_tool *tool, const char *program, const char *path, const char *run);
