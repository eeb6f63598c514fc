/* markdown.h: a report as GitHub's Markdown, for the summary of a job. */
#pragma once

#include "report/document/report.h"

#include <stdbool.h>
#include <stdio.h>

/* Writes foreign text: Markdown's and HTML's marks are escaped, line ends become blanks. */
void markdown_escape(FILE *to, const char *text);
/* Writes text unchanged, in a block that no text can close. */
void markdown_block(FILE *to, const char *text);

/* Writes score, goals and runs as tables, then a terminal's text. False: out of memory. */
bool report_markdown(FILE *to, const struct report *report, const struct gpu_model *model);
