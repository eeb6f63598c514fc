/* observe.h: observes lane by lane the warps of two neighbouring blocks in the middle of the grid.
 * Private to simt/.
 *
 * These blocks have sites of their own, without a cached segment, so that their accesses take the
 * general case and pass through here. All other warps run at full speed. The observations do not
 * depend on the number of host threads. */
#pragma once

#include "gpu/simt/control/launch.h"

/* Chooses the blocks and makes their observers, if caches are simulated. False: out of memory. */
bool simt_observers_create(struct launch *launch);
void simt_observers_destroy(struct launch *launch);
/* The block's observer; NULL for most blocks. */
struct observer *simt_observer_of(const struct launch *launch, uint64_t block);
/* The sites of its warps' counts. */
struct site *simt_observer_sites(const struct observer *observer);
/* A warp of an observed block starts; its first accesses are observed. */
void simt_observer_begin_warp(struct observer *observer);

/* Observes one request of the lanes in mask, `span` bytes each, at a site of an observed block.
 * Addresses are without the bits of their window. False: enough was seen, and the site may take the
 * fast path from now on. */
bool simt_observe_request(struct window_header *window, struct site *site, const uint64_t *address,
                          uint32_t mask, uint32_t span);

/* A branch of an observed block (index: flat instruction) diverges; lanes in `taken` take it. */
void simt_observe_branch(struct observer *observer, uint32_t index, uint32_t taken);

/* Ends the observations after the launch; to be called before the facts are read. */
void simt_observers_finish(struct launch *launch);
/* Adds the observed warps' counts at one site to the sum. */
void simt_observed_counts(const struct launch *launch, uint32_t site, struct site *sum);
/* The sites of one observer, and its block. */
const struct site *simt_observed_sites(const struct launch *launch, uint32_t observer, uint64_t *block);
/* Wavefronts of a request at one site of shared memory if it had 8 or 16 bytes; 0: unknown. */
void simt_observed_widened(const struct launch *launch, uint32_t site, double widened[SIMT_WIDENED]);
/* The facts of one site, from the first block that reached it, with the array's name. */
void simt_observed_facts(const struct launch *launch, uint32_t site, struct line_facts *facts);
/* The facts of a branch. */
void simt_observed_branch(const struct launch *launch, uint32_t index, struct line_facts *facts);
/* Adds one instruction's facts to those of its line. worse: it is now the line's worst. */
void simt_observed_merge(struct line_facts *line, const struct line_facts *site, bool worse);
