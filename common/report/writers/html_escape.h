/* html_escape.h: what all pages share: any text, escaped for a page or an XML file; the colours. */
#pragma once

#include <stdio.h>

/* Escapes &, <, > and double quotes. Leaves out control characters except newline and tab, and what
 * is not UTF-8. The result is safe between tags and in double-quoted attributes. */
void html_escape(FILE *to, const char *text);

/* A <style> with the pages' colours as variables, light and dark as the reader's system says. Each ink
 * on --paper has a contrast of 4.5 at least: --ink, --dim, --blue, --orange, --green, --red. */
extern const char html_colours[];
