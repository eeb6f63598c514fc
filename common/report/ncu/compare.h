/* compare.h: compares the simulator's counters with Nsight Compute's, kernel by kernel, as
 * Markdown, with each counter's bound and the error of the modelled time. */
#pragma once

#include "report/document/report.h"
#include "report/ncu/ncu.h"

#include <stdio.h>

struct compare_summary {
    uint32_t kernels;        /* of the recording, for which a report has a run */
    uint32_t unequal;        /* counters that must be equal and are not */
    uint32_t unequal_global; /* those of global memory, which no assembler changes */
    uint32_t outside;        /* counters outside their bound */
    double mean_error;       /* of the modelled time, absolute; NAN: none */
    uint32_t swapped;        /* pairs of kernels whose modelled and measured times have opposite order */
};

/* Prints what the document is and what its bounds mean, once before the sections. */
void compare_print_heading(FILE *to);

/* Prints the section of one recording. about: the recording's remarks, one a line; may be "". The
 * kernel "step-0" is compared with the run "step 0" of the first report that has it, "step-5a.2"
 * with the second kernel of "step 5a". Kernels without a run are listed. */
void compare_print(FILE *to, const char *title, const struct ncu_launches *recording, const char *about,
                   const struct report *reports, uint32_t report_count, struct compare_summary *summary);
