/* races.h: finds two threads of a block that access one shared address, one of them writing,
 * without a barrier between. Private to simt/. */
#pragma once

#include "gpu/simt/control/warp.h"

struct launch;
struct race_shadow;
enum { RACES_LOOKED = 1 << 18 }; /* warp instructions after which a block without check_races is dropped */
/* Makes the shadow of a block that starts, if races are looked for in it: in every block with
 * check_races, else in two where races are sampled. False: out of memory. */
bool simt_races_choose(const struct launch *launch, struct block *block);
void simt_races_drop(struct block *block);
/* All threads of the block have passed a barrier together. */
void simt_races_block_barrier(struct race_shadow *races);
/* Threads of one warp are now ordered, by bar.warp.sync or an instruction with members. */
void simt_races_warp_barrier(struct race_shadow *races, uint32_t warp);
/* The lanes in mask have executed a fence, which may order them with other threads. */
void simt_races_fence(struct race_shadow *races, const struct warp *warp, uint32_t mask);
/* An access to shared memory by the lanes in mask, to be called before a store. A race that stops
 * the launch does not return. value: what each lane stores; NULL: a load. */
enum { RACES_SPAN = 16 };
void simt_races_access(struct window_header *window, const struct simt_operation *operation,
                       const uint64_t *address, uint32_t mask, uint32_t span,
                       const uint8_t (*value)[RACES_SPAN]);
/* An asynchronous copy into shared memory by the lanes in mask. Nobody may access its bytes until
 * its thread has waited. False: out of memory. */
bool simt_races_copy(struct window_header *window, const struct simt_operation *operation,
                     const uint64_t *address, uint32_t mask, uint32_t span);
/* A bulk store has begun to read these bytes of shared memory. Nobody may write them until its thread
 * has waited. False: out of memory. */
bool simt_races_read_on(struct window_header *window, const struct simt_operation *operation,
                        uint64_t address, uint32_t lane, uint32_t span);
/* commit: the lanes close a group of copies. wait: until at most the latest `newest` groups are
 * left. bulk: of bulk stores, whose groups are counted apart. */
void simt_races_commit(struct window_header *window, uint32_t mask, bool bulk);
void simt_races_wait(struct window_header *window, uint32_t mask, bool bulk, uint32_t newest);
enum { RACES_WAIT_ALL = 0xffffffff }; /* newest: waits for all copies, grouped or not */
/* The lanes' copies so far belong to this phase of the mbarrier at that place of shared memory. */
void simt_races_track(struct window_header *window, uint32_t mask, uint64_t barrier, uint32_t phase);
/* Threads of the warp have seen the phase before `now` end: its copies are done. */
void simt_races_phase_over(struct window_header *window, uint64_t barrier, uint32_t now);
/* Atomics race with plain accesses, not with each other. */
void simt_races_atomic(struct window_header *window, const struct simt_operation *operation,
                       const uint64_t *address, uint32_t mask, uint32_t span);
