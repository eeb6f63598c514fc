/* count.h: how what the host threads counted is added up. Private to simt/: count.c, count_code.c. */
#ifndef SIMT_COUNT_H
#define SIMT_COUNT_H

#include "gpu/simt/control/launch.h"

/* Host threads whose counts are meant. */
struct share {
    const struct worker *workers;
    uint32_t count;
};

/* An instruction's executions, the next in a row: sums of the differences up to it. */
static inline void add_up(const struct share *share, uint32_t index, struct run_count *sum) {
    for (uint32_t w = 0; w < share->count; w++) {
        sum->runs += share->workers[w].counts[index].runs;
        sum->threads += share->workers[w].counts[index].threads;
    }
}

static inline uint64_t tally_total(const struct share *share, enum tally which, uint32_t index) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < share->count; w++)
        sum += share->workers[w].tallies[which][index];
    return sum;
}

/* A memory site's counts, of all host threads and observers. */
/* As many sites, nothing counted yet. */
void simt_sites_begin(struct site *sites, uint32_t count);
struct site simt_site_total(const struct launch *launch, uint32_t index);
/* Bytes a thread accesses there. */
uint64_t simt_access_width(const struct site_info *info);
/* What follows from a function's code and how often each piece of it ran: chains of instructions, groups of loads. */
void simt_count_code(const struct share *share, const struct code *code, struct counters *counters);
/* Of a kernel that was launched: what its machine code spills. */
void simt_count_spills(const struct share *share, const struct simt_kernel *kernel,
                       struct counters *counters);

#endif
