/* page.h: the frame of the grader's pages: one file, nothing fetched; a script only where the class is sorted. */
#ifndef CLASS_PAGE_H
#define CLASS_PAGE_H

#include <stdio.h>

/* Up to the heading "LAB: TITLE"; both are escaped. */
void page_begin(FILE *to, const char *lab, const char *title);
void page_end(FILE *to);

#endif
