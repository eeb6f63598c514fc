/*
 * observe.h: looks at a few warps of a launch lane by lane: those of two neighbouring blocks in the middle of the grid.
 * These blocks have sites of their own, whose segment is never known, so that their accesses take the general case and
 * pass through here. All other warps run as fast as without. The observations do not depend on the number of host
 * threads. Private to simt/.
 */
#ifndef SIMT_OBSERVE_H
#define SIMT_OBSERVE_H

#include "gpu/simt/control/launch.h"

/* Chooses the blocks and makes an observer for each, if caches are simulated. False: out of memory. */
bool simt_observers_create(struct launch *launch);
void simt_observers_destroy(struct launch *launch);
/* The block's observer, NULL for most. */
struct observer *simt_observer_of(const struct launch *launch, uint64_t block);
/* The sites that its warps count in. */
struct site *simt_observer_sites(const struct observer *observer);
/* A warp of an observed block starts; its accesses are observed from the first on. */
void simt_observer_begin_warp(struct observer *observer);

/* One request of the lanes in mask, `span` bytes each, at a site of an observed block; addresses without the bits of
 * their window. False when enough has been seen there: the site may take the fast way from now on. */
bool simt_observe_request(struct window_header *window, struct site *site, const uint64_t *address,
                          uint32_t mask, uint32_t span);

/* A branch of an observed block, by its place in the module's flat arrays, splits its warp: these lanes take it. */
void simt_observe_branch(struct observer *observer, uint32_t index, uint32_t taken);

/* Ends the observations when the launch is over, before the facts are asked for. */
void simt_observers_finish(struct launch *launch);
/* Adds to the sum what the observed warps counted at one site. */
void simt_observed_counts(const struct launch *launch, uint32_t site, struct site *sum);
/* The same of one observer alone: its sites, and which block it looked at. */
const struct site *simt_observed_sites(const struct launch *launch, uint32_t observer, uint64_t *block);
/* Wavefronts of a request at one site of shared memory, were it 8 or 16 bytes wide; 0: none was seen. */
void simt_observed_widened(const struct launch *launch, uint32_t site, double widened[SIMT_WIDENED]);
/* The facts of one site, from the first block that came to it, with the array's name. */
void simt_observed_facts(const struct launch *launch, uint32_t site, struct line_facts *facts);
/* The same of a branch. */
void simt_observed_branch(const struct launch *launch, uint32_t index, struct line_facts *facts);
/* Adds one instruction's facts to its line's. worse: the instruction is now the line's worst. */
void simt_observed_merge(struct line_facts *line, const struct line_facts *site, bool worse);

#endif
