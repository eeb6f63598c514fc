/*
 * observe.h: looking at a few warps of a launch lane by lane: two neighbouring blocks in the middle of the grid, each
 * with sites of its own, whose segment is never known, so that their accesses take the slow way past here while all
 * others run as fast as ever. What is seen does not depend on the number of host threads. Private to simt/.
 */
#ifndef SIMT_OBSERVE_H
#define SIMT_OBSERVE_H

#include "gpu/simt/control/launch.h"

/* Choose the blocks and make an observer for each; false: out of memory. None where caches are not simulated. */
bool simt_observers_create(struct launch *launch);
void simt_observers_destroy(struct launch *launch);
/* The block's observer, NULL for most. */
struct observer *simt_observer_of(const struct launch *launch, uint64_t block);
/* The sites that its warps count in. */
struct site *simt_observer_sites(const struct observer *observer);
/* A warp of an observed block starts: it is looked at from its first access on. */
void simt_observer_begin_warp(struct observer *observer);

/* One request of the lanes in mask, `span` bytes each, at a site of an observed block; addresses without the bits of
 * their window. False when enough has been seen there: the site may take the fast way from now on. */
bool simt_observe_request(struct window_header *window, struct site *site, const uint64_t *address,
                          uint32_t mask, uint32_t span);

/* A branch of an observed block, by its place in the module's flat arrays, splits its warp: these lanes take it. */
void simt_observe_branch(struct observer *observer, uint32_t index, uint32_t taken);

/* When the launch is over: what needs all that was seen. Before the facts are asked for. */
void simt_observers_finish(struct launch *launch);
/* What the observed warps counted at one site, added to the sum. */
void simt_observed_counts(const struct launch *launch, uint32_t site, struct site *sum);
/* The same of one observer alone: its sites, and which block it looked at. */
const struct site *simt_observed_sites(const struct launch *launch, uint32_t observer, uint64_t *block);
/* Wavefronts of a request at one site of shared memory, were it 8 or 16 bytes wide; 0: none was seen. */
void simt_observed_widened(const struct launch *launch, uint32_t site, double widened[SIMT_WIDENED]);
/* What was seen at one site, in the first block that came to it; array names included. */
void simt_observed_facts(const struct launch *launch, uint32_t site, struct line_facts *facts);
/* The same of a branch. */
void simt_observed_branch(const struct launch *launch, uint32_t index, struct line_facts *facts);
/* What only the line as a whole shows: add one instruction's facts to the line's. worse: it is now the line's worst. */
void simt_observed_merge(struct line_facts *line, const struct line_facts *site, bool worse);

#endif
