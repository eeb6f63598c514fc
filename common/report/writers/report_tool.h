/* report_tool.h: what the programs have in common that print a report.json. Private to this
 * room. */
#ifndef REPORT_REPORT_TOOL_H
#define REPORT_REPORT_TOOL_H

#include "report/document/report.h"

struct report_tool {
    struct report report;          /* with its findings */
    const struct report_run *run;  /* the one that is asked for; NULL: none is */
    const struct gpu_model *model; /* of the GPU that the report names; NULL: there is none */
    struct gpu_model data;
};

/* Reads the report; run: the name of a run, or NULL. False after one line on standard error. */
bool report_tool_open(struct report_tool *tool, const char *program, const char *path, const char *run);

#endif
