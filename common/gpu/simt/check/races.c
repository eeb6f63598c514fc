/* races.c: keeps the last writer and the readers since, for each byte of shared memory.
 *
 * A block barrier between two accesses orders them. Within a warp, bar.warp.sync, shuffle, vote,
 * match and redux do so too. One instruction of a warp does not race with itself: CUDA defines that
 * one lane wins. Threads that write equal values do not race with each other, and a reader of such
 * a byte is not compared with a particular writer.
 *
 * Locks and flags: an atomic or a fence synchronises, on any lock or flag. Two warps are ordered once
 * the earlier has synchronised after its access, and the later has synchronised, or accessed a
 * volatile, before its own. Two threads of a warp are ordered so only if one of them did either
 * without the other. Volatile accesses race, unless one of two warps has executed a fence, as around
 * a flag. Beside atomics they do not. Relaxed, acquiring and releasing accesses race only with plain
 * ones, as atomics do.
 *
 * An asynchronous copy writes at some time until its thread has waited for it. Until then its bytes
 * belong to nobody; in the order of accesses the write counts at the wait. A bulk store reads its bytes
 * in the same way, so nobody may write them. */
#include "gpu/simt/check/races.h"

#include "gpu/simt/access/access.h"
#include "gpu/simt/control/launch.h"

#include <stdlib.h>
#include <string.h>

struct touch {
    uint32_t epoch, warp_epoch; /* epoch 0: never */
    uint32_t syncs;             /* synchronisations of its warp before */
    uint16_t thread;
    bool atomic, strong; /* atomic: also relaxed, acquiring, releasing; strong: volatile too */
    bool fenced;         /* its warp has executed a fence in this block */
    const struct ptx_instruction *instruction;
};

struct byte_shadow {
    struct touch writer, reader, other_reader; /* other_reader: the last of another warp than reader's */
    bool alike;                                /* others have written the same value since */
    uint32_t copy_block;                       /* number of the block that copies to this byte; 0: none */
    uint32_t read_block;                       /* likewise: from this byte, by a bulk store */
};

struct pending_copy {
    uint64_t address;
    uint32_t span, group;
    bool reads;       /* a bulk store */
    uint64_t barrier; /* 1 + the place of the mbarrier that counts it, in its phase; 0: none */
    uint32_t phase;
    const struct ptx_instruction *instruction;
};

/* A thread's asynchronous copies. */
struct copies {
    struct pending_copy *pending;
    uint32_t count, capacity;
    uint32_t groups[2]; /* groups closed so far, the number of the open one; of bulk stores: [1] */
};

enum done { DONE_FENCE = 1, DONE_ACQUIRE = 2 }; /* acquire: an atomic, a fence or a volatile access */

struct race_shadow {
    struct byte_shadow *bytes;
    uint32_t epoch;
    uint32_t *warp_epochs;
    uint32_t *syncs; /* of each warp, in this block */
    uint8_t *done;   /* likewise: what else it has done, in bits of enum done */
    uint32_t number; /* of synchronisations and volatile accesses, over all warps */
    /* Of each thread: a hash of its synchronisations without the whole warp since the last whole
     * one. Equal for threads that always synchronised together. */
    uint32_t *apart;
    uint32_t warps;
    uint32_t block;
    struct copies *copies; /* of each thread */
    uint32_t threads;
};

static void destroy(struct race_shadow *races) {
    if (races == NULL)
        return;
    for (uint32_t i = 0; races->copies != NULL && i < races->threads; i++)
        free(races->copies[i].pending);
    free(races->copies);
    free(races->bytes);
    free(races->warp_epochs);
    free(races->syncs);
    free(races->done);
    free(races->apart);
    free(races);
}

static struct race_shadow *create(uint32_t shared_bytes, uint32_t warps) {
    struct race_shadow *races = calloc(1, sizeof *races);
    if (races == NULL)
        return NULL;
    races->bytes = calloc((size_t)shared_bytes + 1, sizeof *races->bytes);
    races->warp_epochs = calloc(warps, sizeof *races->warp_epochs);
    races->syncs = calloc(warps, sizeof *races->syncs);
    races->done = calloc(warps, sizeof *races->done);
    races->warps = warps;
    races->threads = warps * SIMT_LANES;
    races->apart = calloc(races->threads, sizeof *races->apart);
    races->copies = calloc(races->threads, sizeof *races->copies);
    if (races->bytes == NULL || races->warp_epochs == NULL || races->copies == NULL || races->syncs == NULL ||
        races->done == NULL || races->apart == NULL) {
        destroy(races);
        return NULL;
    }
    return races;
}

static void begin_block(struct race_shadow *races) {
    races->epoch++;
    races->block++;
    memset(races->syncs, 0, races->warps * sizeof *races->syncs);
    memset(races->done, 0, races->warps * sizeof *races->done);
    memset(races->apart, 0, races->threads * sizeof *races->apart);
    for (uint32_t i = 0; i < races->threads; i++)
        races->copies[i] =
            (struct copies){.pending = races->copies[i].pending, .capacity = races->copies[i].capacity};
}

bool simt_races_choose(const struct launch *launch, struct block *block) {
    bool sampled = launch->samples_races && (block->index == 0 || block->index == launch->block_total / 2);
    block->looked = 0;
    if (!launch->races && !sampled)
        simt_races_drop(block);
    else if (block->races == NULL)
        block->races = create(launch->shared_bytes, launch->warps);
    if (block->races != NULL)
        begin_block(block->races);
    return block->races != NULL || !(launch->races || sampled);
}

void simt_races_drop(struct block *block) {
    destroy(block->races);
    block->races = NULL;
}

void simt_races_block_barrier(struct race_shadow *races) {
    races->epoch++;
}

void simt_races_warp_barrier(struct race_shadow *races, uint32_t warp) {
    races->warp_epochs[warp]++;
    memset(races->apart + (size_t)warp * SIMT_LANES, 0, SIMT_LANES * sizeof *races->apart);
}

/* The lanes in mask have executed an atomic, a fence or a volatile access. */
static void acquire(struct race_shadow *races, const struct warp *warp, uint32_t mask) {
    uint32_t number = ++races->number;
    races->done[warp->index] |= DONE_ACQUIRE;
    uint32_t *apart = races->apart + (size_t)warp->index * SIMT_LANES;
    if (mask == warp->live)
        return;
    for (uint32_t left = mask; left; left &= left - 1) /* a thread with another hash keeps a different one */
        apart[__builtin_ctz(left)] = apart[__builtin_ctz(left)] * 0x9e3779b1u + number;
}

static void synchronise(struct race_shadow *races, const struct warp *warp, uint32_t mask) {
    races->syncs[warp->index]++;
    acquire(races, warp, mask);
}

void simt_races_fence(struct race_shadow *races, const struct warp *warp, uint32_t mask) {
    races->done[warp->index] |= DONE_FENCE;
    synchronise(races, warp, mask);
}

/* Whether the earlier access is not ordered before this one. */
static bool unordered(const struct race_shadow *races, const struct touch *earlier, const struct touch *now) {
    if (earlier->epoch != now->epoch || earlier->thread == now->thread)
        return false;
    if (earlier->thread / SIMT_LANES != now->thread / SIMT_LANES)
        return !(earlier->strong && now->strong &&
                 (earlier->atomic || now->atomic || earlier->fenced || now->fenced)) &&
               (races->syncs[earlier->thread / SIMT_LANES] == earlier->syncs ||
                !(races->done[now->thread / SIMT_LANES] & DONE_ACQUIRE));
    return earlier->warp_epoch == now->warp_epoch && earlier->instruction != now->instruction &&
           races->apart[earlier->thread] == races->apart[now->thread] &&
           !(earlier->strong && now->strong && (earlier->atomic || now->atomic));
}

static void position(const struct launch *launch, uint32_t thread, uint32_t to[3]) {
    const uint32_t *size = launch->shape->block;
    to[0] = thread % size[0];
    to[1] = thread / size[0] % size[1];
    to[2] = thread / size[0] / size[1];
}

/* A thread overwrites what a bulk store may still be reading. */
static void report_read_on(struct window_header *window, const struct touch *now, uint64_t address,
                           uint32_t bytes) {
    const struct launch *launch = window->worker->launch;
    const struct race_shadow *races = window->races;
    struct simt_mistake mistake = {"shared-race", now->instruction, now->thread % SIMT_LANES, SIMT_RACE};
    char where[ARRAY_TEXT], line[LINE_WORDS] = "";
    uint32_t other[3] = {0};
    for (uint32_t thread = 0; thread < races->threads; thread++)
        for (uint32_t i = 0; i < races->copies[thread].count; i++) {
            const struct pending_copy *copy = &races->copies[thread].pending[i];
            if (!copy->reads || address < copy->address || address >= copy->address + copy->span)
                continue;
            position(launch, thread, other);
            simt_line_words(launch, copy->instruction, line);
        }
    simt_array_describe(launch, address, bytes, where, sizeof where);
    simt_pass_or_stop(
        window->worker, window->warp, &mistake,
        "%s is written while the bulk store that thread (%u,%u,%u) began at %s may still be "
        "reading it: that thread has to wait for it first (cp.async.bulk.wait_group.read), then "
        "all meet at __syncthreads()",
        where, other[0], other[1], other[2], line);
}

/* earlier: a write or a read that nothing orders before this access. NULL: the byte's asynchronous copy
 * may still be under way. */
static void report(struct window_header *window, const struct byte_shadow *byte, const struct touch *earlier,
                   const struct touch *now, uint64_t address, uint32_t bytes, bool now_writes) {
    const struct launch *launch = window->worker->launch;
    const struct touch *by = earlier != NULL ? earlier : &byte->writer;
    struct simt_mistake mistake = {"shared-race", now->instruction, now->thread % SIMT_LANES, SIMT_RACE};
    char where[ARRAY_TEXT], line[LINE_WORDS];
    uint32_t other[3];
    bool warp = by->thread / SIMT_LANES == now->thread / SIMT_LANES, own = by->thread == now->thread;
    bool bulk = by->instruction->opcode == PTX_BULK;
    position(launch, by->thread, other);
    simt_array_describe(launch, address, bytes, where, sizeof where);
    simt_line_words(launch, by->instruction, line);
    if (earlier != NULL)
        simt_pass_or_stop(
            window->worker, window->warp, &mistake,
            "race on %s: this thread %s what thread (%u,%u,%u) %s at %s, with no %s between them", where,
            now_writes ? "writes" : "reads", other[0], other[1], other[2],
            earlier == &byte->writer ? "wrote" : "read", line,
            warp ? "__syncthreads() or __syncwarp()" : "__syncthreads()");
    else
        simt_pass_or_stop(window->worker, window->warp, &mistake,
                          "%s is %s while the asynchronous copy that thread (%u,%u,%u) began at %s "
                          "may still be under way: %s has to wait for it first (%s)%s",
                          where, now_writes ? "written" : "read", other[0], other[1], other[2], line,
                          bulk  ? "whoever uses it"
                          : own ? "this thread"
                                : "that thread",
                          bulk ? "for the phase of the mbarrier that counts its bytes"
                               : "__pipeline_wait_prior, or cp.async.wait_group of its group",
                          own || bulk ? "" : ", then both meet at __syncthreads()");
}

static void note_reader(struct byte_shadow *byte, const struct touch *now) {
    if (byte->reader.epoch == now->epoch && byte->reader.thread / SIMT_LANES != now->thread / SIMT_LANES)
        byte->other_reader = byte->reader;
    byte->reader = *now;
}

static void access(struct window_header *window, const struct simt_operation *operation,
                   const uint64_t *address, uint32_t mask, uint32_t span, bool store,
                   const uint8_t (*value)[RACES_SPAN]) {
    struct race_shadow *races = window->races;
    const struct warp *warp = window->warp;
    uint8_t form = operation->instruction->form;
    bool atomic = (ptx_nature(operation->instruction)->memory == PTX_MEMORY_ATOMIC &&
                   form != PTX_MBARRIER_INIT && form != PTX_MBARRIER_INVAL) ||
                  operation->instruction->flags & PTX_RELAXED;
    uint32_t element = ptx_type_bytes((enum ptx_type)operation->instruction->type);
    element = element ? element : span;
    bool strong = atomic || operation->instruction->flags & PTX_VOLATILE;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct touch now = {.epoch = races->epoch,
                            .warp_epoch = races->warp_epochs[warp->index],
                            .syncs = races->syncs[warp->index],
                            .thread = (uint16_t)(warp->index * SIMT_LANES + lane),
                            .atomic = atomic,
                            .strong = strong,
                            .fenced = (races->done[warp->index] & DONE_FENCE) != 0,
                            .instruction = operation->instruction};
        for (uint64_t at = address[lane]; at < address[lane] + span; at++) {
            struct byte_shadow *byte = &races->bytes[at];
            uint64_t first = at - (at - address[lane]) % element;
            const struct touch *readers[] = {&byte->reader, &byte->other_reader};
            if (byte->copy_block == races->block)
                report(window, byte, NULL, &now, first, element, store);
            if (store && byte->read_block == races->block)
                report_read_on(window, &now, first, element);
            bool behind = unordered(races, &byte->writer, &now);
            if (behind && value != NULL && value[lane][at - address[lane]] == window->shared[at]) {
                byte->alike = true;
                continue;
            }
            if (behind && (store || !byte->alike))
                report(window, byte, &byte->writer, &now, first, element, store);
            if (!store) {
                note_reader(byte, &now);
                continue;
            }
            for (int i = 0; i < 2; i++)
                if (unordered(races, readers[i], &now))
                    report(window, byte, readers[i], &now, first, element, true);
            byte->writer = now;
            byte->alike = false;
        }
    }
}

void simt_races_access(struct window_header *window, const struct simt_operation *operation,
                       const uint64_t *address, uint32_t mask, uint32_t span,
                       const uint8_t (*value)[RACES_SPAN]) {
    bool is_volatile = operation->instruction->flags & PTX_VOLATILE;
    if (is_volatile)
        acquire(window->races, window->warp, mask);
    access(window, operation, address, mask, span, value != NULL, value);
    if (is_volatile)
        acquire(window->races, window->warp, mask);
}

void simt_races_atomic(struct window_header *window, const struct simt_operation *operation,
                       const uint64_t *address, uint32_t mask, uint32_t span) {
    access(window, operation, address, mask, span, true, NULL);
    synchronise(window->races, window->warp, mask);
}

/* False: out of memory. */
static bool add_pending(struct copies *copies, struct pending_copy pending) {
    if (copies->count == copies->capacity) {
        uint32_t capacity = copies->capacity ? 2 * copies->capacity : 8;
        struct pending_copy *larger = realloc(copies->pending, capacity * sizeof *larger);
        if (larger == NULL)
            return false;
        copies->pending = larger;
        copies->capacity = capacity;
    }
    copies->pending[copies->count++] = pending;
    return true;
}

bool simt_races_read_on(struct window_header *window, const struct simt_operation *operation,
                        uint64_t address, uint32_t lane, uint32_t span) {
    struct race_shadow *races = window->races;
    struct copies *copies = &races->copies[window->warp->index * SIMT_LANES + lane];
    if (!add_pending(copies, (struct pending_copy){.address = address,
                                                   .span = span,
                                                   .group = copies->groups[1],
                                                   .reads = true,
                                                   .instruction = operation->instruction}))
        return false;
    for (uint64_t at = address; at < address + span; at++)
        races->bytes[at].read_block = races->block;
    return true;
}

bool simt_races_copy(struct window_header *window, const struct simt_operation *operation,
                     const uint64_t *address, uint32_t mask, uint32_t span) {
    struct race_shadow *races = window->races;
    access(window, operation, address, mask, span, true, NULL);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct copies *copies = &races->copies[window->warp->index * SIMT_LANES + lane];
        if (!add_pending(copies, (struct pending_copy){.address = address[lane],
                                                       .span = span,
                                                       .group = copies->groups[0],
                                                       .instruction = operation->instruction}))
            return false;
        for (uint64_t at = address[lane]; at < address[lane] + span; at++)
            races->bytes[at].copy_block = races->block;
    }
    return true;
}

void simt_races_track(struct window_header *window, uint32_t mask, uint64_t barrier, uint32_t phase) {
    for (uint32_t left = mask; left; left &= left - 1) {
        struct copies *copies =
            &window->races->copies[window->warp->index * SIMT_LANES + (uint32_t)__builtin_ctz(left)];
        for (uint32_t i = copies->count; i-- > 0 && !copies->pending[i].barrier;) {
            if (copies->pending[i].reads)
                continue;
            copies->pending[i].barrier = barrier + 1;
            copies->pending[i].phase = phase;
        }
    }
}

/* Whoever reads the bytes now is not compared with the copy any more. */
void simt_races_phase_over(struct window_header *window, uint64_t barrier, uint32_t now) {
    struct race_shadow *races = window->races;
    for (uint32_t thread = 0; thread < races->threads; thread++) {
        struct copies *copies = &races->copies[thread];
        uint32_t kept = 0;
        for (uint32_t i = 0; i < copies->count; i++) {
            const struct pending_copy *copy = &copies->pending[i];
            if (copy->barrier != barrier + 1 || copy->phase == now) {
                copies->pending[kept++] = *copy;
                continue;
            }
            for (uint64_t at = copy->address; at < copy->address + copy->span; at++) {
                races->bytes[at].copy_block = 0;
                races->bytes[at].writer = (struct touch){0};
            }
        }
        copies->count = kept;
    }
    simt_races_warp_barrier(races, window->warp->index);
}

void simt_races_commit(struct window_header *window, uint32_t mask, bool bulk) {
    for (uint32_t left = mask; left; left &= left - 1)
        window->races->copies[window->warp->index * SIMT_LANES + (uint32_t)__builtin_ctz(left)]
            .groups[bulk]++;
}

/* The bytes of a copy that is done count as accessed at the wait. */
static void end_copy(struct race_shadow *races, const struct pending_copy *copy, const struct touch *now) {
    for (uint64_t at = copy->address; at < copy->address + copy->span; at++) {
        struct byte_shadow *byte = &races->bytes[at];
        *(copy->reads ? &byte->read_block : &byte->copy_block) = 0;
        if (copy->reads)
            note_reader(byte, now);
        else
            byte->writer = *now;
    }
}

void simt_races_wait(struct window_header *window, uint32_t mask, bool bulk, uint32_t newest) {
    struct race_shadow *races = window->races;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t thread = window->warp->index * SIMT_LANES + (uint32_t)__builtin_ctz(left), kept = 0;
        struct copies *copies = &races->copies[thread];
        for (uint32_t i = 0; i < copies->count; i++) {
            const struct pending_copy *copy = &copies->pending[i];
            if (copy->reads != bulk ||
                (newest != RACES_WAIT_ALL && (uint64_t)copy->group + newest >= copies->groups[bulk])) {
                copies->pending[kept++] = *copy;
                continue;
            }
            const struct touch now = {.epoch = races->epoch,
                                      .warp_epoch = races->warp_epochs[window->warp->index],
                                      .syncs = races->syncs[window->warp->index],
                                      .thread = (uint16_t)thread,
                                      .instruction = copy->instruction};
            end_copy(races, copy, &now);
        }
        copies->count = kept;
    }
}
