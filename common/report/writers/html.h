/* html.h: a report as one self-contained page: no scripts, no network, inline drawings; source
 * lines heat-coloured. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/document/changes.h"
#include "report/document/report.h"

#include <stdio.h>

/*
 * Write the page. run: whose profile; NULL: that of report_main_run, in a lab of parts in each.
 * Source files named by the report are listed where they can be read: as named, else below
 * source_root (may be NULL). changes: since last time; NULL: not told. model may be NULL. The same
 * report, sources and changes give the same bytes. false: writing failed, or out of memory.
 */
bool report_html(FILE *to, const struct report *report, const struct report_run *run,
                 const struct gpu_model *model, const char *source_root, const struct changes *changes);

#endif
