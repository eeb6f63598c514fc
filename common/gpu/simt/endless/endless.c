/* endless.c: watches a warp: whether it, and memory, are as they were. */
#include "gpu/simt/endless/endless.h"
#include "gpu/simt/access/access.h"
#include "gpu/simt/control/paths.h"

#include <stdlib.h>
#include <string.h>

/* ---- the state of a warp except registers and local memory, for memcmp */

struct path_state_copy {
    const struct code *code;
    const struct simt_operation *reduction;
    uint64_t local_base;
    uint32_t pc, mask, window, depth, members, flags;
    int64_t join;
};
struct join_copy {
    const struct code *code;
    const struct ptx_call *call;
    uint64_t local_base;
    uint32_t pc, expected, arrived, window, depth;
    int32_t parent;
    uint64_t used;
};

static uint64_t epoch_of(const struct launch *launch, const struct warp *warp) {
    return launch->changes + warp->block->changes; /* both only grow */
}

static size_t state_bytes(const struct warp *warp) {
    return sizeof warp->live + sizeof warp->named + warp->path_count * sizeof(struct path_state_copy) +
           warp->join_count * sizeof(struct join_copy);
}

static void write_state(const struct warp *warp, uint8_t *to) {
    memcpy(to, &warp->live, sizeof warp->live);
    to += sizeof warp->live;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < warp->path_count; i++) {
        const struct path *path = &warp->paths[i];
        struct path_state_copy copy = {.code = path->code,
                                       .reduction = path->reduction,
                                       .local_base = path->local_base,
                                       .pc = path->pc,
                                       .mask = path->mask,
                                       .window = path->window,
                                       .depth = path->depth,
                                       .join = path->join};
        if (path->state == PATH_AT_WARP_BARRIER) {
            copy.members = path->members;
            waiting |= path->mask;
        }
        copy.flags =
            (uint32_t)path->state | (uint32_t)path->barrier << 8 | (uint32_t)path->at_operation << 16;
        if (path->state == PATH_READY)
            copy.reduction = NULL;
        if (path->state != PATH_AT_BARRIER)
            copy.flags &= ~(255u << 8);
        memcpy(to, &copy, sizeof copy);
        to += sizeof copy;
    }
    for (uint32_t i = 0; i < warp->join_count; i++) {
        const struct join *join = &warp->joins[i];
        struct join_copy copy = {.used = join->used};
        if (join->used)
            copy = (struct join_copy){.code = join->code,
                                      .call = join->call,
                                      .local_base = join->local_base,
                                      .pc = join->pc,
                                      .expected = join->expected,
                                      .arrived = join->arrived,
                                      .window = join->window,
                                      .depth = join->depth,
                                      .parent = join->parent,
                                      .used = 1};
        memcpy(to, &copy, sizeof copy);
        to += sizeof copy;
    }
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
        uint32_t named = waiting >> lane & 1 ? warp->named[lane] : 0;
        memcpy(to, &named, sizeof named);
        to += sizeof named;
    }
}

/* ---- registers and local memory: pieces of the warp's file */

struct piece {
    const uint8_t *from;
    size_t bytes;
};

/* Lists each window in use once, and local memory. */
static uint32_t list_pieces(const struct launch *launch, const struct warp *warp, struct piece *pieces,
                            uint32_t most) {
    uint32_t windows[2 * SIMT_LANES], count = 0;
    for (uint32_t i = 0; i < warp->path_count + warp->join_count; i++) {
        const struct path *path = i < warp->path_count ? &warp->paths[i] : NULL;
        const struct join *join = path == NULL ? &warp->joins[i - warp->path_count] : NULL;
        if (join != NULL && !join->used)
            continue;
        uint32_t window = path != NULL ? path->window : join->window, k = 0;
        while (k < count && windows[k] != window)
            k++;
        if (k < count)
            continue;
        if (count + 1 >= most || count == 2 * SIMT_LANES)
            return 0;
        windows[count] = window;
        pieces[count++] = (struct piece){warp_registers(warp, window),
                                         (path != NULL ? path->code : join->code)->window_bytes};
    }
    if (launch->local_stride && warp->file->local != NULL)
        pieces[count++] = (struct piece){warp->file->local, launch->local_stride * SIMT_LANES};
    return count;
}

enum { PIECES = 2 * SIMT_LANES + 1 };

static void drop_snapshot(struct warp_watch *watch) {
    free(watch->copy);
    watch->copy = NULL;
    watch->bytes = watch->capacity = 0;
}

static void take_snapshot(const struct launch *launch, const struct warp *warp, struct warp_watch *watch) {
    struct piece pieces[PIECES];
    uint32_t count = list_pieces(launch, warp, pieces, PIECES);
    size_t bytes = state_bytes(warp);
    for (uint32_t i = 0; i < count; i++)
        bytes += pieces[i].bytes;
    if (!count)
        return;
    if (bytes > watch->capacity) {
        drop_snapshot(watch);
        watch->copy = malloc(bytes);
        if (watch->copy == NULL)
            return; /* then it is not watched */
        watch->capacity = bytes;
    }
    watch->bytes = bytes;
    uint8_t *to = watch->copy;
    write_state(warp, to);
    to += state_bytes(warp);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(to, pieces[i].from, pieces[i].bytes);
        to += pieces[i].bytes;
    }
    watch->since = 0;
    watch->meets = false;
    memset(watch->loads, 0, sizeof watch->loads);
}

/* Whether the warp is exactly as in the snapshot. */
static bool is_same(const struct launch *launch, const struct warp *warp, struct warp_watch *watch) {
    struct piece pieces[PIECES];
    size_t bytes = state_bytes(warp), at = bytes;
    if (bytes > watch->bytes)
        return false;
    uint32_t count = list_pieces(launch, warp, pieces, PIECES);
    for (uint32_t i = 0; i < count; i++) {
        if (watch->differs >= at && watch->differs < at + pieces[i].bytes && watch->differs < watch->bytes &&
            watch->copy[watch->differs] != pieces[i].from[watch->differs - at])
            return false;
        at += pieces[i].bytes;
    }
    if (!count || at != watch->bytes)
        return false;
    uint8_t state[sizeof(uint32_t) + sizeof warp->named + SIMT_LANES * sizeof(struct path_state_copy) +
                  SIMT_LANES * sizeof(struct join_copy)];
    if (bytes > sizeof state)
        return false;
    write_state(warp, state);
    if (memcmp(state, watch->copy, bytes) != 0)
        return false;
    at = bytes;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *copy = watch->copy + at;
        if (memcmp(copy, pieces[i].from, pieces[i].bytes) != 0) {
            size_t k = 0;
            while (copy[k] == pieces[i].from[k])
                k++;
            watch->differs = at + k;
            return false;
        }
        at += pieces[i].bytes;
    }
    return true;
}

/* ---- events of a watched warp */

void simt_endless_forget(struct warp *warp) {
    if (warp->watch == NULL)
        return;
    drop_snapshot(warp->watch);
    free(warp->watch);
    warp->watch = NULL;
}

void simt_endless_moves(struct warp *warp, uint32_t mask) {
    if (warp->watch != NULL)
        warp->watch->moved |= mask;
}

void simt_endless_released(struct warp *warp, uint32_t mask) {
    if (warp->watch != NULL) {
        warp->watch->moved |= mask;
        warp->watch->repeats &= ~mask;
    }
}

uint32_t simt_endless_repeating_lanes(const struct launch *launch, const struct warp *warp) {
    const struct warp_watch *watch = warp->watch;
    return watch != NULL && watch->epoch == epoch_of(launch, warp) ? watch->repeats : 0;
}

/* Whether every thread of the block repeats. */
static bool whole_block_repeats(const struct launch *launch, const struct block *block) {
    for (uint32_t i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        if (warp->state == WARP_NEW ||
            (warp->state == WARP_RUNNING && warp->live & ~simt_endless_repeating_lanes(launch, warp)))
            return false;
    }
    return true;
}

/* Lanes that need not run: they repeat, and at barriers no thread waits whose next trip may
 * differ. */
static uint32_t idle_lanes(const struct launch *launch, const struct warp *warp) {
    uint32_t lanes = simt_endless_repeating_lanes(launch, warp);
    return lanes && warp->watch->repeats_meet && !whole_block_repeats(launch, warp->block) ? 0 : lanes;
}

int simt_endless_next_path(const struct worker *worker, const struct warp *warp) {
    uint32_t repeats = idle_lanes(worker->launch, warp);
    int index = (int)warp->path_count - 1;
    while (index >= 0 && (warp->paths[index].state != PATH_READY || !(warp->paths[index].mask & ~repeats)))
        index--;
    return index;
}

bool simt_endless_repeats(struct worker *worker, struct warp *warp, const struct path *path,
                          const struct ptx_instruction *back) {
    const struct launch *launch = worker->launch;
    struct warp_watch *watch = warp->watch;
    if (watch == NULL)
        watch = warp->watch = calloc(1, sizeof *watch);
    if (watch == NULL)
        return false;
    uint64_t epoch = epoch_of(launch, warp);
    if (watch->epoch != epoch || !watch->visits) {
        watch->epoch = epoch;
        watch->visits = 1;
        watch->repeats = 0;
        watch->repeats_meet = false;
        watch->power = 1;
        watch->bytes = 0;
        return false;
    }
    watch->visits++;
    if (watch->bytes) {
        watch->since++;
        if (is_same(launch, warp, watch)) {
            watch->repeats |= watch->moved | path->mask;
            watch->repeats_meet |= watch->meets;
            watch->back = back;
            drop_snapshot(watch);
            return (path->mask & ~idle_lanes(launch, warp)) == 0;
        }
        if (watch->since < watch->power)
            return false;
        watch->power *= watch->power < UINT32_MAX / 2 ? 2 : 1;
    }
    take_snapshot(launch, warp, watch);
    watch->moved = 0; /* it goes on from here, or gives way: simt_endless_moves */
    return false;
}

void simt_endless_meets(struct warp *warp) {
    if (warp->watch != NULL)
        warp->watch->meets = true;
}

void simt_endless_reduces(struct warp *warp, const struct ptx_instruction *instruction, uint32_t true_lanes) {
    struct warp_watch *watch = warp->watch;
    if (watch == NULL || watch->reduction != instruction || watch->reduction_lanes != true_lanes)
        warp->block->changes++;
    if (watch == NULL)
        return;
    watch->reduction = instruction;
    watch->reduction_lanes = true_lanes;
}

/* ---- what an operation reads and changes */

static bool of_the_device(uint64_t address) {
    return address - SIMT_ADDRESS_BASE < SIMT_ADDRESS_BYTES;
}

static uint32_t guarded_lanes(const struct simt_operation *operation, const uint32_t *predicates,
                              uint32_t mask) {
    const struct ptx_instruction *instruction = operation->instruction;
    if (instruction->guard >= 0)
        mask &= predicates[instruction->guard] ^ (instruction->guard_negated ? UINT32_MAX : 0);
    return mask;
}

/* The operation without its guard. */
static const struct simt_operation *unguarded(const struct simt_operation *operation) {
    return operation->instruction->guard >= 0 ? operation->inner : operation;
}

static void lane_addresses(const struct simt_operation *operation, const uint8_t *registers,
                           uint64_t address[SIMT_LANES]) {
    enum ptx_space space = operation->instruction->space;
    access_addresses(operation, registers, address);
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++)
        if (space == PTX_SHARED)
            address[lane] = (address[lane] & ~SIMT_WINDOW_MASK) | SIMT_SHARED_WINDOW;
        else if (space == PTX_LOCAL)
            address[lane] = (address[lane] & ~SIMT_WINDOW_MASK) | SIMT_LOCAL_WINDOW;
}

static void keep_load(struct warp *warp, const struct ptx_instruction *instruction, uint64_t address) {
    struct warp_watch *watch = warp->watch;
    for (uint32_t i = 0; watch != NULL && i < LOADS_KEPT; i++) {
        if (watch->loads[i].instruction == instruction)
            return;
        if (watch->loads[i].instruction == NULL) {
            watch->loads[i] = (struct load_seen){instruction, address};
            return;
        }
    }
}

/* Memory that the host can write may change at any time. */
static void note_reads(struct worker *worker, struct warp *warp, const struct simt_operation *operation,
                       const uint64_t *address, uint32_t lanes) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (!(address[lane] & SIMT_WINDOW_MASK) && !of_the_device(address[lane]))
            endless_changed(worker);
    }
    if (lanes)
        keep_load(warp, operation->instruction, address[__builtin_ctz(lanes)]);
}

struct before {
    uint8_t *host[SIMT_LANES];
    uint8_t bytes[SIMT_LANES][16];
};

static void note_writes(struct worker *worker, struct warp *warp, const struct before *before, uint32_t span,
                        uint32_t lanes, const uint64_t *address) {
    bool shared = false, global = false;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (before->host[lane] != NULL && memcmp(before->host[lane], before->bytes[lane], span) != 0) {
            shared |= (address[lane] & SIMT_WINDOW_MASK) == SIMT_SHARED_WINDOW;
            global |= (address[lane] & SIMT_WINDOW_MASK) != SIMT_SHARED_WINDOW;
        }
    }
    if (shared)
        warp->block->changes++;
    if (global)
        endless_changed(worker);
}

static void run_memory(struct worker *worker, struct warp *warp, const struct simt_operation *operation,
                       uint8_t *registers, uint32_t *predicates, uint32_t mask) {
    const struct simt_operation *inner = unguarded(operation);
    const struct window_header *window = window_header(registers);
    uint8_t memory = ptx_nature(operation->instruction)->memory;
    uint32_t lanes = guarded_lanes(operation, predicates, mask);
    uint32_t span = access_bytes(inner) * access_count(inner);
    uint64_t address[SIMT_LANES], from[SIMT_LANES];
    struct before before;
    if (operation->instruction->opcode == PTX_BULK) { /* each counts as a change */
        warp->block->changes++;
        endless_changed(worker);
        operation->masked(operation, registers, predicates, mask);
        return;
    }
    if (memory == PTX_MEMORY_COPY) {
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
            struct access_copy copy = simt_access_copy_of(inner, registers, lane);
            address[lane] = copy.to;
            from[lane] = copy.from;
        }
    } else {
        lane_addresses(inner, registers, address);
    }
    if (memory == PTX_MEMORY_COPY)
        note_reads(worker, warp, operation, from, lanes);
    if (memory == PTX_MEMORY_LOAD || memory == PTX_MEMORY_ATOMIC)
        note_reads(worker, warp, operation, address, lanes);
    if (memory == PTX_MEMORY_LOAD || memory == PTX_MEMORY_PREFETCH) {
        operation->masked(operation, registers, predicates, mask);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        before.host[lane] = NULL;
        if ((address[lane] & SIMT_WINDOW_MASK) != SIMT_LOCAL_WINDOW) /* else part of the warp's state */
            before.host[lane] = simt_lane_memory(window, lane, address[lane], span);
        if (before.host[lane] != NULL)
            memcpy(before.bytes[lane], before.host[lane], span);
    }
    operation->masked(operation, registers, predicates, mask);
    note_writes(worker, warp, &before, span, lanes, address);
}

void simt_endless_run(struct worker *worker, struct warp *warp, const struct simt_operation *operation,
                      uint8_t *registers, uint32_t *predicates, uint32_t mask) {
    uint8_t space = operation->instruction->space;
    if (ptx_nature(operation->instruction)->memory != PTX_MEMORY_NONE && space != PTX_PARAM_ENTRY &&
        space != PTX_PARAM_FRAME && space != PTX_CONST) {
        run_memory(worker, warp, operation, registers, predicates, mask);
        return;
    }
    bool polled = worker->polled;
    worker->polled = false;
    operation->masked(operation, registers, predicates, mask);
    if (worker->polled) /* it read a clock, not memory */
        endless_changed(worker);
    worker->polled |= polled;
}
