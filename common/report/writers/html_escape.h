/* html_escape.h: text from anywhere, written into a page or an XML file. */
#ifndef REPORT_HTML_ESCAPE_H
#define REPORT_HTML_ESCAPE_H

#include <stdio.h>

/* Text for HTML and XML: &, <, > and double quotes escaped; control characters but newline and
 * tab, and what is not UTF-8, left out. Safe between tags and in double-quoted attributes. */
void html_escape(FILE *to, const char *text);

#endif
