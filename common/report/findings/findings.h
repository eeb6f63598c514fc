/* findings.h: what a kernel's counters mean, in words: where its time goes, what could be better,
 * at which line, and what to try. README.md has the rules and their thresholds. */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/document/report.h"
#include "report/writers/terminal.h"

enum finding_severity { FINDING_NOTE, FINDING_MINOR, FINDING_MAJOR };

struct finding {
    enum finding_code code;
    enum finding_severity severity;
    double gain;      /* estimated share of the kernel's time that would be saved, 0..1; NAN: no estimate */
    const char *file; /* the kernel report's; NULL: no particular line */
    uint32_t line;    /* 0: no particular line */
    bool tried;       /* `gain` was measured by a trial on the simulator */
    char what[640];   /* one or two sentences: the fact */
    char advice[320]; /* one sentence: what to try; "": nothing */
};

enum { FINDINGS_MAX = 32 };

struct findings {
    uint32_t count;
    struct finding items[FINDINGS_MAX]; /* the limiter first, then by gain */
};

/* Finds the findings of one kernel. With model NULL (a GPU without a data file), rules that need
 * its rates are left out. The findings point into *kernel. */
void findings_from_report(const struct kernel_report *kernel, const struct gpu_model *model,
                          struct findings *findings);

/* Finds the findings of all kernels of a report, once for all writers. False: out of memory. */
bool report_add_findings(struct report *report, const struct gpu_model *model);

/* Lists the block shapes that findings would advise, and returns their number. A caller that tries
 * them puts the outcome into kernel->tried before findings_from_report. */
uint32_t findings_shapes(const struct kernel_report *kernel, const struct gpu_model *model,
                         struct kernel_tried shapes[KERNEL_TRIED]);

/* Prints at most `most` findings, 80 columns; NULL: nothing. The first begins with `lead`, four
 * columns, the others with "  - ". */
void findings_print(const struct terminal *terminal, const struct findings *findings, uint32_t most,
                    const char *lead);
/* Writes the findings as a numbered list for a page. place writes the name of a line in the page's
 * listing, for a link; NULL: there is no listing. */
void findings_html(FILE *to, const struct findings *findings, uint32_t most,
                   void (*place)(FILE *to, const char *file, uint32_t line));

#endif
