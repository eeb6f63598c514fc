/* html_escape.h: text from anywhere, written into a page. */
#ifndef ANALYSIS_HTML_ESCAPE_H
#define ANALYSIS_HTML_ESCAPE_H

#include <stdio.h>

/* Text with &, <, > and double quotes escaped; control characters but newline and tab dropped. Safe between
 * tags and in double-quoted attributes. */
void html_escape(FILE *to, const char *text);

#endif
