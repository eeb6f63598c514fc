/* races.c: keeps the last writer and the readers since, for each byte of shared memory.
 *
 * A block barrier between two accesses orders them. Within a warp, bar.warp.sync, shuffle, vote,
 * match and redux do so too. One instruction of a warp does not race with itself: CUDA defines that
 * one lane wins. Threads that write equal values do not race with each other, and a reader of such
 * a byte is not compared with a particular writer.
 *
 * Locks and flags: an atomic, a fence or a volatile access synchronises, on any lock or flag. Two
 * warps are ordered once the earlier has synchronised after its access, and the later before its
 * own. Two threads of a warp are ordered so only if one of them synchronised without the other.
 * Volatile accesses of one warp that nothing else orders race. Volatile accesses of different
 * warps, or beside atomics, do not. Relaxed, acquiring and releasing accesses race only with plain
 * ones, as atomics do.
 *
 * An asynchronous copy writes at some time until its thread has waited for it. Until then its bytes
 * belong to nobody; in the order of accesses the write counts at the wait. */
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
    const struct ptx_instruction *instruction;
};

struct byte_shadow {
    struct touch writer, reader, other_reader; /* other_reader: the last of another warp than reader's */
    bool alike;                                /* others have written the same value since */
    uint32_t copy_block;                       /* number of the block that copies to this byte; 0: none */
};

struct pending_copy {
    uint64_t address;
    uint32_t span, group;
    uint64_t barrier; /* 1 + the place of the mbarrier that counts it, in its phase; 0: none */
    uint32_t phase;
    const struct ptx_instruction *instruction;
};

/* A thread's asynchronous copies. */
struct copies {
    struct pending_copy *pending;
    uint32_t count, capacity;
    uint32_t groups; /* groups closed so far; the number of the open one */
};

struct race_shadow {
    struct byte_shadow *bytes;
    uint32_t epoch;
    uint32_t *warp_epochs;
    uint32_t *syncs; /* of each warp, in this block */
    /* Of each thread: a hash of its synchronisations without the whole warp since the last whole
     * one. Equal for threads that always synchronised together. */
    uint32_t *apart;
    uint32_t warps;
    uint32_t block;
    struct copies *copies; /* of each thread */
    uint32_t threads;
};

struct race_shadow *simt_races_create(uint32_t shared_bytes, uint32_t warps) {
    struct race_shadow *races = calloc(1, sizeof *races);
    if (races == NULL)
        return NULL;
    races->bytes = calloc((size_t)shared_bytes + 1, sizeof *races->bytes);
    races->warp_epochs = calloc(warps, sizeof *races->warp_epochs);
    races->syncs = calloc(warps, sizeof *races->syncs);
    races->warps = warps;
    races->threads = warps * SIMT_LANES;
    races->apart = calloc(races->threads, sizeof *races->apart);
    races->copies = calloc(races->threads, sizeof *races->copies);
    if (races->bytes == NULL || races->warp_epochs == NULL || races->copies == NULL || races->syncs == NULL ||
        races->apart == NULL) {
        simt_races_destroy(races);
        return NULL;
    }
    return races;
}

void simt_races_destroy(struct race_shadow *races) {
    if (races == NULL)
        return;
    for (uint32_t i = 0; races->copies != NULL && i < races->threads; i++)
        free(races->copies[i].pending);
    free(races->copies);
    free(races->bytes);
    free(races->warp_epochs);
    free(races->syncs);
    free(races->apart);
    free(races);
}

void simt_races_begin_block(struct race_shadow *races) {
    races->epoch++;
    races->block++;
    memset(races->syncs, 0, races->warps * sizeof *races->syncs);
    memset(races->apart, 0, races->threads * sizeof *races->apart);
    for (uint32_t i = 0; i < races->threads; i++)
        races->copies[i].count = races->copies[i].groups = 0;
}

void simt_races_block_barrier(struct race_shadow *races) {
    races->epoch++;
}

void simt_races_warp_barrier(struct race_shadow *races, uint32_t warp) {
    races->warp_epochs[warp]++;
    memset(races->apart + (size_t)warp * SIMT_LANES, 0, SIMT_LANES * sizeof *races->apart);
}

void simt_races_synchronise(struct race_shadow *races, const struct warp *warp, uint32_t mask) {
    uint32_t *apart = races->apart + (size_t)warp->index * SIMT_LANES, number = ++races->syncs[warp->index];
    if (mask == warp->live)
        return;
    for (uint32_t left = mask; left; left &= left - 1) /* a thread with another hash keeps a different one */
        apart[__builtin_ctz(left)] = apart[__builtin_ctz(left)] * 0x9e3779b1u + number;
}

/* Whether the earlier access is not ordered before this one. */
static bool unordered(const struct race_shadow *races, const struct touch *earlier, const struct touch *now) {
    if (earlier->epoch != now->epoch || earlier->thread == now->thread)
        return false;
    if (earlier->thread / SIMT_LANES != now->thread / SIMT_LANES)
        return !(earlier->strong && now->strong) &&
               (races->syncs[earlier->thread / SIMT_LANES] == earlier->syncs || now->syncs == 0);
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

static _Noreturn void report(struct window_header *window, const struct touch *earlier,
                             const struct touch *now, uint64_t address, uint32_t bytes, bool earlier_writes,
                             bool now_writes) {
    uint32_t other[3];
    position(window->worker->launch, earlier->thread, other);
    const struct ptx_module *program = window->worker->launch->module->program;
    uint16_t index = instruction_file(earlier->instruction);
    const char *file = index < program->file_count ? program->files[index] : "";
    bool warp = earlier->thread / SIMT_LANES == now->thread / SIMT_LANES;
    char where[ARRAY_TEXT];
    simt_array_describe(window->worker->launch, address, bytes, where, sizeof where);
    simt_fault_other(window->worker, window->warp, now->instruction, now->thread % SIMT_LANES, SIMT_RACE,
                     "race on %s: this thread %s what thread (%u,%u,%u) %s at %s:%u, with no %s between them",
                     where, now_writes ? "writes" : "reads", other[0], other[1], other[2],
                     earlier_writes ? "wrote" : "read", *file ? file : "PTX line",
                     *file ? instruction_line(earlier->instruction) : earlier->instruction->ptx_line,
                     warp ? "__syncthreads() or __syncwarp()" : "__syncthreads()");
}

static _Noreturn void report_copy(struct window_header *window, const struct byte_shadow *byte,
                                  const struct touch *now, uint64_t address, uint32_t bytes,
                                  bool now_writes) {
    const struct ptx_module *program = window->worker->launch->module->program;
    const struct ptx_instruction *copy = byte->writer.instruction;
    uint16_t index = instruction_file(copy);
    const char *file = index < program->file_count ? program->files[index] : "";
    bool own = byte->writer.thread == now->thread, bulk = copy->opcode == PTX_BULK;
    uint32_t other[3];
    char where[ARRAY_TEXT];
    position(window->worker->launch, byte->writer.thread, other);
    simt_array_describe(window->worker->launch, address, bytes, where, sizeof where);
    simt_fault_other(window->worker, window->warp, now->instruction, now->thread % SIMT_LANES, SIMT_RACE,
                     "%s is %s while the asynchronous copy that thread (%u,%u,%u) began at %s:%u "
                     "may still be under way: %s has to wait for it first (%s)%s",
                     where, now_writes ? "written" : "read", other[0], other[1], other[2],
                     *file ? file : "PTX line", *file ? instruction_line(copy) : copy->ptx_line,
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
                            .instruction = operation->instruction};
        for (uint64_t at = address[lane]; at < address[lane] + span; at++) {
            struct byte_shadow *byte = &races->bytes[at];
            if (byte->copy_block == races->block)
                report_copy(window, byte, &now, at - (at - address[lane]) % element, element, store);
            bool behind = unordered(races, &byte->writer, &now);
            if (behind && value != NULL && value[lane][at - address[lane]] == window->shared[at]) {
                byte->alike = true;
                continue;
            }
            if (behind && (store || !byte->alike))
                report(window, &byte->writer, &now, at - (at - address[lane]) % element, element, true,
                       store);
            if (!store) {
                note_reader(byte, &now);
                continue;
            }
            if (unordered(races, &byte->reader, &now))
                report(window, &byte->reader, &now, at - (at - address[lane]) % element, element, false,
                       true);
            if (unordered(races, &byte->other_reader, &now))
                report(window, &byte->other_reader, &now, at - (at - address[lane]) % element, element, false,
                       true);
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
        simt_races_synchronise(window->races, window->warp, mask);
    access(window, operation, address, mask, span, value != NULL, value);
    if (is_volatile)
        simt_races_synchronise(window->races, window->warp, mask);
}

void simt_races_atomic(struct window_header *window, const struct simt_operation *operation,
                       const uint64_t *address, uint32_t mask, uint32_t span) {
    access(window, operation, address, mask, span, true, NULL);
    simt_races_synchronise(window->races, window->warp, mask);
}

bool simt_races_copy(struct window_header *window, const struct simt_operation *operation,
                     const uint64_t *address, uint32_t mask, uint32_t span) {
    struct race_shadow *races = window->races;
    access(window, operation, address, mask, span, true, NULL);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct copies *copies = &races->copies[window->warp->index * SIMT_LANES + lane];
        if (copies->count == copies->capacity) {
            uint32_t capacity = copies->capacity ? 2 * copies->capacity : 8;
            struct pending_copy *larger = realloc(copies->pending, capacity * sizeof *larger);
            if (larger == NULL)
                return false;
            copies->pending = larger;
            copies->capacity = capacity;
        }
        copies->pending[copies->count++] = (struct pending_copy){.address = address[lane],
                                                                 .span = span,
                                                                 .group = copies->groups,
                                                                 .instruction = operation->instruction};
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

void simt_races_commit(struct window_header *window, uint32_t mask) {
    for (uint32_t left = mask; left; left &= left - 1)
        window->races->copies[window->warp->index * SIMT_LANES + (uint32_t)__builtin_ctz(left)].groups++;
}

void simt_races_wait(struct window_header *window, uint32_t mask, uint32_t newest) {
    struct race_shadow *races = window->races;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t thread = window->warp->index * SIMT_LANES + (uint32_t)__builtin_ctz(left), kept = 0;
        struct copies *copies = &races->copies[thread];
        for (uint32_t i = 0; i < copies->count; i++) {
            const struct pending_copy *copy = &copies->pending[i];
            if (newest != RACES_WAIT_ALL && (uint64_t)copy->group + newest >= copies->groups) {
                copies->pending[kept++] = *copy;
                continue;
            }
            for (uint64_t at = copy->address; at < copy->address + copy->span; at++) {
                races->bytes[at].copy_block = 0;
                races->bytes[at].writer =
                    (struct touch){.epoch = races->epoch,
                                   .warp_epoch = races->warp_epochs[window->warp->index],
                                   .syncs = races->syncs[window->warp->index],
                                   .thread = (uint16_t)thread,
                                   .instruction = copy->instruction};
            }
        }
        copies->count = kept;
    }
}
