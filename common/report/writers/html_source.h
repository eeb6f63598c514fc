/* html_source.h: the source listing of the profile page. Private to this room. */
#ifndef REPORT_HTML_SOURCE_H
#define REPORT_HTML_SOURCE_H

#include "report/document/report.h"

#include <stdio.h>

/* Every source file that the run's lines name: listed with what each line costs where it can be read, else a
 * table. */
void html_source(FILE *to, const struct report_run *run, const char *source_root);

#endif
