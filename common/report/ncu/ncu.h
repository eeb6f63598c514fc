/* ncu.h: what Nsight Compute measured on a real GPU, as kernel reports with the simulator's counter
 * names. Reads `ncu --csv --page raw` (rows of names, of units, of each launch), and the recordings
 * under solutions/, which have the same columns. Other counters are unknown. */
#pragma once

#include "report/document/kernel_report.h"

struct ncu_launches {
    uint32_t count;
    struct kernel_report *items;
};

/* The metrics for `ncu --metrics`, separated by commas; valid from compute capability 7.0 on. */
const char *ncu_metrics(void);
/* The options, between "ncu" and the program, for output that ncu_read reads: "--csv --page raw
 * ...". kernel: name of the launches to measure; NULL: all. False: no room, or a name to quote. */
bool ncu_options(char *options, size_t size, const char *kernel);

/* Any bytes are safe to pass. False and one line on failure; *launches is then empty. */
bool ncu_read(struct ncu_launches *launches, const char *text, size_t length, const char *file, char *error,
              size_t size);
bool ncu_read_file(struct ncu_launches *launches, const char *path, char *error, size_t size);
void ncu_free(struct ncu_launches *launches);

/* Median of every counter, time and share over the launches with one kernel name (a counter is
 * known if all launches know it). False: no such launch, or out of memory. */
bool ncu_median(const struct ncu_launches *launches, const char *name, struct kernel_report *median);
