/*
 * ncu.h: what Nsight Compute measured on a real GPU, as kernel reports with the simulator's counter
 * names. Reads `ncu --csv --page raw` (one row of names, one of units, one row a launch) and the
 * recordings under solutions/, which have the same columns. A counter ncu did not collect, or could
 * not, is unknown (null in a report).
 */
#ifndef REPORT_NCU_H
#define REPORT_NCU_H

#include "report/document/kernel_report.h"

struct ncu_launches {
    uint32_t count;
    struct kernel_report *items;
};

/* The metrics to ask for, separated by commas, as `ncu --metrics` takes them. Valid on compute
 * capability 7.0 and later. */
const char *ncu_metrics(void);
/* The options that make ncu print what ncu_read reads, to stand between "ncu" and the program:
 * "--csv --page raw ...". kernel: a name to select launches by, NULL: all. false: does not fit,
 * or the name needs quoting. */
bool ncu_options(char *options, size_t size, const char *kernel);

/* Any bytes are safe to pass. false and a one-line message on failure (*launches is then empty).
 * Free with ncu_free. */
bool ncu_read(struct ncu_launches *launches, const char *text, size_t length, const char *file, char *error,
              size_t size);
bool ncu_read_file(struct ncu_launches *launches, const char *path, char *error, size_t size);
void ncu_free(struct ncu_launches *launches);

/* Median over the launches of one kernel name of every counter, time and share (a counter is
 * known where all know it). false: no launch of that name, or out of memory. */
bool ncu_median(const struct ncu_launches *launches, const char *name, struct kernel_report *median);

#endif
