/*
 * findings.h: what a kernel's counters mean, in words: where its time goes, what could be better,
 * at which line, and what to try. The rules and their thresholds stand in README.md.
 */
#ifndef REPORT_FINDINGS_H
#define REPORT_FINDINGS_H

#include "report/document/report.h"
#include "report/writers/terminal.h"

enum finding_severity { FINDING_NOTE, FINDING_MINOR, FINDING_MAJOR };

struct finding {
    enum finding_code code;
    enum finding_severity severity;
    double gain;      /* estimated share of the kernel's time that would go, 0..1; NAN: not estimated */
    const char *file; /* of the kernel report, NULL: no one line */
    uint32_t line;    /* 0: no one line */
    bool tried;       /* the gain is what the simulator showed when it was tried, no estimate */
    char what[640];   /* a sentence, or two: what is so */
    char advice[320]; /* one sentence: what to try; "" where there is nothing to do */
};

enum { FINDINGS_MAX = 32 };

struct findings {
    uint32_t count;
    struct finding items[FINDINGS_MAX]; /* the limiter first, then by gain */
};

/* Look at one kernel. model may be NULL (a GPU without a data file): then what needs its rates
 * is left out. The findings point into *kernel. */
void findings_from_report(const struct kernel_report *kernel, const struct gpu_model *model,
                          struct findings *findings);

/* The findings of all kernels of a report, each worked out once, for all that is printed of it.
 * False: out of memory. */
bool report_add_findings(struct report *report, const struct gpu_model *model);

/* Block shapes that the findings would advise, for who can try them: into kernel->tried before
 * the findings are looked for, with what came of it. Returns how many. */
uint32_t findings_shapes(const struct kernel_report *kernel, const struct gpu_model *model,
                         struct kernel_tried shapes[KERNEL_TRIED]);

/* Print at most `most` of them, 80 columns; nothing where there are none (NULL); the first
 * begins with `lead`, four columns, the others with "  - ". */
void findings_print(const struct terminal *terminal, const struct findings *findings, uint32_t most,
                    const char *lead);
/* The same as a numbered list for a page. place writes the name of a line in that page's
 * listing, to be linked to; NULL: there is no listing. */
void findings_html(FILE *to, const struct findings *findings, uint32_t most,
                   void (*place)(FILE *to, const char *file, uint32_t line));

#endif
