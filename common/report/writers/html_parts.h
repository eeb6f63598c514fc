/* html_parts.h: the parts of the profile page. Private to this room. */
#ifndef REPORT_HTML_PARTS_H
#define REPORT_HTML_PARTS_H

#include "report/document/changes.h"
#include "report/document/report.h"

#include <stdio.h>

/* The page's <style>. */
extern const char html_style[];

/* What the words of a section mean, to be unfolded: keys of html_terms.c, blanks between:
 * "sector tail". False: one of them is not there. */
bool html_terms(FILE *to, const char *names);

/* "kernel.cu-25": a place in the listing. An attribute's value: escaped. */
void html_place(FILE *to, const char *file, uint32_t line);

/* One kernel: shape, units, findings, memory, occupancy, instructions. */
void html_kernel(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model);
/* Warps of an SM against registers, shared memory and the block's size, and where the kernel
 * stands. */
void html_occupancy(FILE *to, const struct kernel_report *kernel, const struct gpu_model *model);
/* The runs of the profiled run's part on the roofline; nothing where the model or the counters
 * are not known. */
void html_roofline(FILE *to, const struct report *report, const struct report_run *profiled,
                   const struct gpu_model *model);
/* What changed, and the runs before. run: whose lines are listed on the page. */
void html_changes(FILE *to, const struct report_run *run, const struct changes *changes);
/* The source listing: each source file that the run's lines name, with what each line costs; a
 * table where the file cannot be read. */
void html_source(FILE *to, const struct report_run *run, const char *source_root);
/* A row of bars: a name, a share (0..1) as a bar, words behind it. */
void html_bar(FILE *to, const char *name, const char *title, double share, const char *words,
              const char *kind);

#endif
