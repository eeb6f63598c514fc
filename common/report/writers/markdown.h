/* markdown.h: a report for a page that reads GitHub's Markdown, such as the summary of a job. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "report/document/report.h"

#include <stdbool.h>
#include <stdio.h>

/* Text of others between our own words: what Markdown and HTML take for marks is escaped, line
 * ends become blanks. */
void markdown_escape(FILE *to, const char *text);
/* Text as it is, in a block that nothing in it can close. */
void markdown_block(FILE *to, const char *text);

/* The score, the goals and the runs as tables, then what a terminal shows. False: out of memory. */
bool report_markdown(FILE *to, const struct report *report, const struct gpu_model *model);

#endif
