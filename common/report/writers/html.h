/* html.h: a report as one self-contained page with inline drawings and heat-coloured source lines;
 * no scripts, no network. */
#pragma once

#include "report/document/changes.h"
#include "report/document/report.h"

#include <stdio.h>

/* Writes the page. run: the profiled one; NULL: report_main_run's, in a lab of parts one for each
 * part. Source files that the report names are listed if they can be read: as named, else below
 * source_root (may be NULL). changes: since last time; NULL: left out. model may be NULL. Equal
 * report, sources and changes give equal bytes. False: writing failed, or out of memory. */
bool report_html(FILE *to, const struct report *report, const struct report_run *run,
                 const struct gpu_model *model, const char *source_root, const struct changes *changes);
