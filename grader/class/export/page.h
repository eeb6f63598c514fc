/* page.h: the frame of the grader's pages (one file, nothing fetched), and parts of class.html. */
#pragma once

#include "class/export/export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Up to the heading "LAB: TITLE"; both are escaped. */
void page_begin(FILE *to, const char *lab, const char *title);
void page_end(FILE *to);
/* Begins a table that scrolls sideways, by keys too; "</table></div>" ends it. WHAT: its name, for screen readers. */
#define PAGE_TABLE(WHAT) "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"" WHAT "\"><table"

/* ---- class_head.c: what class.html begins with */

/* The page's beginning, a row for each lab with its rules, and the policy. False: the gradebook
 * failed. */
bool class_head(const struct export_context *context, unsigned students, FILE *to);

/* ---- class_faults.c: the common faults of a lab */

/* A table of what is wrong and one of what is slow, with the number of students. False: the
 * gradebook failed. */
bool class_faults(const struct export_context *context, const char *lab, FILE *to);

/* ---- class_students.c: the table of students in class.html */

/* Why a person has to look, with a link where the text names a page of kernels that are alike. */
void class_human(FILE *to, const char *text);

/* A row per student, a column per lab, and the script that sorts the rows. False: the gradebook
 * failed. */
bool class_students(const struct export_context *context, FILE *to);
