/* page.h: the frame of the grader's pages (one file, nothing fetched), and parts of class.html. */
#ifndef CLASS_PAGE_H
#define CLASS_PAGE_H

#include "class/export/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Up to the heading "LAB: TITLE"; both are escaped. */
void page_begin(FILE *to, const char *lab, const char *title);
void page_end(FILE *to);

/* ---- class_students.c: the table of students in class.html */

/* A row per student, a column per lab, and the script that sorts the rows. False: the gradebook failed. */
bool class_students(const struct export_context *context, FILE *to);

/* ---- plot.c: a histogram, drawn by gnuplot */

/* Write folder/name, an SVG: the number of kernels by speedup. False and one line: no gnuplot, or it failed. */
bool plot_speedups(const char *folder, const char *name, const char *lab, const double *speedups,
                   size_t count, char *error, size_t size);

#endif
