/* order.c: whether two accesses to device memory within a launch are ordered. There are no false
 * alarms, at the price of missed races:
 *   - Two threads of one block are ordered by a block barrier between the accesses, or within a
 *     warp by their instructions.
 *   - Two warps of a block are ordered once the writer's has synchronised after the store, and the
 *     reader's before its own access. An atomic or a fence synchronises, on any lock or flag; for the
 *     reader a volatile access does, too.
 *   - Different blocks are ordered likewise, if the writer's block has made its store visible, by a
 *     fence for more than the block or a releasing operation.
 *   - A store that leaves memory as it was is none. Atomics and volatile stores may be read at any
 *     time.
 *   - Threads that write one place by one store, each its own value, may throw it away. That counts
 *     where something is computed from the value, or a judge reads it.
 * Blocks run one after the other, so a read before the other block's store is not seen. */
#include "gpu/simt/check/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST_BLOCKS = 1 << 24 };
#define MOST_WRITERS ((uint32_t)1 << 31)

bool simt_order_launch(struct checker *checker, const struct launch *launch) {
    if (checker->next_writer >= MOST_WRITERS) { /* numbers are used up */
        const struct simt_device *device = launch->device;
        for (size_t i = 0; i < device->segment_count; i++)
            if (device->segments[i].shadow != NULL)
                madvise(device->segments[i].shadow->writer, 4 * device->segments[i].shadow->bytes,
                        MADV_DONTNEED);
        checker->next_writer = CHECKER_FIRST_WRITER;
    }
    checker->first_writer = checker->next_writer;
    checker->event_count = 0;
    free(checker->syncs);
    free(checker->releases);
    checker->syncs = checker->releases = NULL;
    checker->ordered = launch->block_total <= MOST_BLOCKS;
    if (!checker->ordered)
        return true;
    checker->syncs = calloc(launch->block_total, sizeof *checker->syncs);
    checker->releases = calloc(launch->block_total, sizeof *checker->releases);
    return checker->syncs != NULL && checker->releases != NULL;
}

void simt_order_end(struct checker *checker) {
    checker->next_writer = checker->first_writer + SIMT_LANES * checker->event_count;
}

void simt_order_synchronise(struct checker *checker, struct warp *warp,
                            const struct ptx_instruction *instruction, bool global) {
    const struct block *block = warp->block;
    bool is_volatile =
        instruction->flags & PTX_VOLATILE && ptx_nature(instruction)->memory != PTX_MEMORY_ATOMIC;
    warp->syncs += !is_volatile;
    warp->acquired = true;
    if (!checker->ordered || !global)
        return;
    checker->syncs[block->index]++;
    if ((instruction->opcode == PTX_MEMBAR || instruction->flags & PTX_RELEASE) &&
        !(instruction->flags & PTX_IN_BLOCK))
        checker->releases[block->index]++;
}

uint32_t simt_order_store(struct checker *checker, const struct witness *witness) {
    const struct block *block = witness->warp->block;
    if (!checker->ordered)
        return 0;
    if (checker->event_count == checker->event_capacity) {
        uint32_t capacity = checker->event_capacity ? 2 * checker->event_capacity : 1024;
        bool fits = capacity < (UINT32_MAX - checker->first_writer) / SIMT_LANES;
        struct store_event *larger = fits ? realloc(checker->events, capacity * sizeof *larger) : NULL;
        if (larger == NULL) {
            checker->ordered = false; /* out of numbers or memory: stops looking in this launch */
            return 0;
        }
        checker->events = larger;
        checker->event_capacity = capacity;
    }
    checker->events[checker->event_count] = (struct store_event){.instruction = witness->instruction,
                                                                 .block = (uint32_t)block->index,
                                                                 .warp = witness->warp->index,
                                                                 .syncs = checker->syncs[block->index],
                                                                 .releases = checker->releases[block->index],
                                                                 .barriers = block->barriers_passed,
                                                                 .warp_syncs = witness->warp->syncs};
    return checker->first_writer + SIMT_LANES * checker->event_count++;
}

/* Whether nothing orders that store before this access of the witness. */
static bool unordered(const struct checker *checker, const struct witness *witness, uint32_t writer,
                      bool overwrites) {
    const struct store_event *event = &checker->events[(writer - checker->first_writer) / SIMT_LANES];
    const struct block *block = witness->warp->block;
    if (event->block != block->index)
        return checker->releases[event->block] == event->releases || checker->syncs[block->index] == 0;
    if (event->warp == witness->warp->index)
        return overwrites && event->instruction == witness->instruction &&
               event == &checker->events[checker->event_count - 1] &&
               (writer - checker->first_writer) % SIMT_LANES != witness->lane;
    return event->barriers == block->barriers_passed &&
           (block->warps[event->warp].syncs == event->warp_syncs || !witness->warp->acquired);
}

/* The number of a store to these bytes that is not ordered before the access; 0: none. */
static uint32_t find_unordered(const struct checker *checker, const struct witness *witness,
                               const uint32_t *writer, uint32_t bytes, bool overwrites) {
    for (uint32_t i = 0; i < bytes; i++)
        if (writer[i] >= checker->first_writer && (i == 0 || writer[i] != writer[i - 1]) &&
            unordered(checker, witness, writer[i], overwrites))
            return writer[i];
    return 0;
}

static cause_id meet(const struct checker *checker, const struct witness *witness, uint32_t writer,
                     bool overwrites, const char *does, const char *so) {
    const struct store_event *event = &checker->events[(writer - checker->first_writer) / SIMT_LANES];
    const struct launch *launch = witness->worker->launch;
    const uint32_t *size = launch->shape->block, *grid = launch->shape->grid;
    uint32_t thread = event->warp * SIMT_LANES + (writer - checker->first_writer) % SIMT_LANES;
    bool same = event->block == witness->warp->block->index;
    bool sink = overwrites && event->instruction == witness->instruction;
    bool announced = !same && checker->syncs[event->block] != event->syncs &&
                     checker->syncs[witness->warp->block->index] != 0;
    uint32_t alike = (uint32_t)same | (uint32_t)sink << 1;
    cause_id known = simt_cause_known(witness, CAUSE_RACE, alike);
    if (known)
        return known;
    char other[96] = "";
    if (!same)
        snprintf(other, sizeof other, " of block (%u,%u,%u)", event->block % grid[0],
                 event->block / grid[0] % grid[1], event->block / grid[0] / grid[1]);
    return simt_cause_meet(
        witness, CAUSE_RACE, alike, sink ? COPIES_JUDGED : COPIES_ALWAYS,
        "%s thread (%u,%u,%u)%s writes at line %u of the same launch, and %s: %s", does, thread % size[0],
        thread / size[0] % size[1], thread / size[0] / size[1], other, instruction_line(event->instruction),
        same ? "nothing orders the two (no __syncthreads() between)"
        : announced
            ? "no __threadfence() stands behind that write, before the atomic or flag that tells of it"
            : "nothing orders the two",
        so);
}

cause_id simt_order_read(struct checker *checker, const struct witness *witness, const uint32_t *writer,
                         uint32_t bytes) {
    uint32_t found = checker->ordered ? find_unordered(checker, witness, writer, bytes, false) : 0;
    return found
               ? meet(checker, witness, found, false, "reads what", "it may get the old value or the new one")
               : 0;
}

cause_id simt_order_overwrite(struct checker *checker, const struct witness *witness, const uint32_t *writer,
                              uint32_t bytes) {
    uint32_t found = checker->ordered ? find_unordered(checker, witness, writer, bytes, true) : 0;
    return found ? meet(checker, witness, found, true, "writes another value where", "either may stay") : 0;
}
