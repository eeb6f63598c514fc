/* html_parts.h: the parts of the profile page. Private to this room. */
#pragma once

#include "report/document/changes.h"
#include "report/document/report.h"

#include <stdio.h>

/* The page's <style>. */
extern const char html_style[];

/* Writes the meaning of terms, to be unfolded. names: keys of html_terms.c, separated by blanks:
 * "sector tail". False: a key is unknown. */
bool html_terms(FILE *to, const char *names);

/* Writes "kernel.cu-25", a place in the listing, escaped for an attribute. */
void html_place(FILE *to, const char *file, uint32_t line);

/* One kernel: shape, units, findings, memory, occupancy, instructions. */
void html_kernel(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model);
/* Draws an SM's warps against registers, shared memory and block size, and marks the kernel. */
void html_occupancy(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model);
/* Draws the runs of the profiled run's part on the roofline; nothing if unknown. */
void html_roofline(FILE *to, const struct report *report, const struct report_run *profiled,
                   const struct gpu_model *model);
/* Writes the changes, and earlier runs. run: the one whose lines the page lists. */
void html_changes(FILE *to, const struct report_run *run, const struct changes *changes);
/* Writes each source file that the run's lines name, with the cost of each line; a table if the
 * file cannot be read. */
void html_source(FILE *to, const struct report_run *run, const char *source_root);
/* Writes ASCII text with names such as "long_scoreboard", which may be broken behind each _. */
void html_words(FILE *to, const char *text);
/* Writes a row of bars: a name, which unfolds to the title unless that is empty, a share (0..1) as a
 * bar, words behind it. */
void html_bar(FILE *to, const char *name, const char *title, double share, const char *words,
              const char *kind);
