/* report_tool.h: how the programs that print a report.json open it. Private to this room. */
#ifndef REPORT_REPORT_TOOL_H
#define REPORT_REPORT_TOOL_H

#include "report/document/report.h"

struct report_tool {
    struct report report;          /* with its findings */
    const struct report_run *run;  /* the run that the command line names; NULL: none */
    const struct gpu_model *model; /* of the GPU that the report names; NULL: there is none */
    struct gpu_model data;
};

/* Reads the report; run: the name of a run, or NULL. False after one line on standard error. */
bool report_tool_open(struct report_tool *tool, const char *program, const char *path, const char *run);

#endif
