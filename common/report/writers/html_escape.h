/* html_escape.h: any text, escaped for a page or an XML file. */
#pragma once

#include <stdio.h>

/* Escapes &, <, > and double quotes. Leaves out control characters except newline and tab, and what
 * is not UTF-8. The result is safe between tags and in double-quoted attributes. */
void html_escape(FILE *to, const char *text);
