/*
 * compare.h: the simulator's counters beside Nsight Compute's, kernel by kernel, as a Markdown
 * document, with the bounds each counter has to keep and how far the modelled time is off.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/document/report.h"
#include "report/ncu/ncu.h"

#include <stdio.h>

struct compare_summary {
    uint32_t kernels;        /* of the recording that some report has a run of */
    uint32_t unequal;        /* counters that must be equal and are not */
    uint32_t unequal_global; /* those of them that are of global memory, which no assembler changes */
    uint32_t outside;        /* counters outside a bound of some percent */
    double mean_error;       /* of the modelled time, absolute; NAN: none */
    uint32_t swapped; /* pairs of kernels whose modelled times come in another order than the measured */
};

/* What the document is, and what its bounds mean: once, before the sections. */
void compare_print_heading(FILE *to);

/*
 * Print a section, one recording. `about`: the recording's own remarks, one a line, may be "". A
 * kernel "step-0" of the recording is compared with the run "step 0" of the first report that has
 * it, "step-5a.2" with the second kernel of "step 5a"; kernels without a run are listed as such.
 */
void compare_print(FILE *to, const char *title, const struct ncu_launches *recording, const char *about,
                   const struct report *reports, uint32_t report_count, struct compare_summary *summary);

#endif
