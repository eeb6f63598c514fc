/* endless.c: finds launches that can never end, by exact comparison of what its warps do. */
#include "simt/endless.h"
#include "simt/access.h"
#include "simt/paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WATCH_LEAST = 1 << 13, /* warp instructions of an SM in a watched round; more in later ones */
    WATCH_EACH_WARP = 128,
    WATCH_MOST = 1 << 20,
    LOADS_KEPT = 2
};

/* ---- the state of a warp, but for its registers and local memory: comparable by memcmp */

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

/* What a loop read from memory, for the message. */
struct load_seen {
    const struct ptx_instruction *instruction;
    uint64_t address;
};

struct warp_watch {
    uint64_t epoch;                     /* of memory, when the snapshot was taken */
    uint32_t visits;                    /* backward branches in this epoch */
    uint32_t power;                     /* of those after which a new snapshot replaces the old one */
    uint32_t since;                     /* the snapshot */
    uint32_t moved;                     /* lanes that ran since the snapshot */
    uint32_t repeats;                   /* lanes that are known to repeat */
    bool meets;                         /* since the snapshot the warp came to a barrier of the block */
    bool repeats_meet;                  /* and so did those that repeat */
    const struct ptx_instruction *back; /* the backward branch of a loop that repeats */
    const struct ptx_instruction *reduction;
    uint32_t reduction_lanes;
    size_t differs; /* where the last comparison failed: looked at first */
    size_t bytes, capacity;
    uint8_t *copy; /* NULL: no snapshot */
    struct load_seen loads[LOADS_KEPT];
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

/* Each window in use once, and local memory. */
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
            return; /* not watched then */
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

/* ---- what happens to a watched warp */

void endless_forget(struct warp *warp) {
    if (warp->watch == NULL)
        return;
    drop_snapshot(warp->watch);
    free(warp->watch);
    warp->watch = NULL;
}

void endless_moves(struct warp *warp, uint32_t mask) {
    if (warp->watch != NULL)
        warp->watch->moved |= mask;
}

void endless_released(struct warp *warp, uint32_t mask) {
    if (warp->watch != NULL) {
        warp->watch->moved |= mask;
        warp->watch->repeats &= ~mask;
    }
}

static uint32_t repeating_lanes(const struct launch *launch, const struct warp *warp) {
    const struct warp_watch *watch = warp->watch;
    return watch != NULL && watch->epoch == epoch_of(launch, warp) ? watch->repeats : 0;
}

/* Every thread of the block repeats. */
static bool whole_block_repeats(const struct launch *launch, const struct block *block) {
    for (uint32_t i = 0; i < block->warp_count; i++) {
        const struct warp *warp = &block->warps[i];
        if (warp->state == WARP_NEW ||
            (warp->state == WARP_RUNNING && warp->live & ~repeating_lanes(launch, warp)))
            return false;
    }
    return true;
}

/* Lanes that need not run: they repeat, and if they come to barriers while they do, nobody waits there for whom the next
 * trip may be another. */
static uint32_t idle_lanes(const struct launch *launch, const struct warp *warp) {
    uint32_t lanes = repeating_lanes(launch, warp);
    return lanes && warp->watch->repeats_meet && !whole_block_repeats(launch, warp->block) ? 0 : lanes;
}

int endless_next_path(const struct worker *worker, const struct warp *warp) {
    uint32_t repeats = idle_lanes(worker->launch, warp);
    int index = (int)warp->path_count - 1;
    while (index >= 0 && (warp->paths[index].state != PATH_READY || !(warp->paths[index].mask & ~repeats)))
        index--;
    return index;
}

bool endless_repeats(struct worker *worker, struct warp *warp, const struct path *path,
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
    watch->moved = path->mask;
    return false;
}

void endless_meets(struct warp *warp) {
    if (warp->watch != NULL)
        warp->watch->meets = true;
}

void endless_reduces(struct warp *warp, const struct ptx_instruction *instruction, uint32_t true_lanes) {
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

/* The operation itself, without its guard. */
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

/* Memory that the host reaches may change at any time. */
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
    uint64_t address[SIMT_LANES];
    struct before before;
    if (memory == PTX_MEMORY_COPY) { /* where to: shared memory */
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++) {
            uint64_t to = 0;
            memcpy(&to,
                   registers + inner->source[0] +
                       (inner->immediate & ACCESS_ADDRESS_32 ? 4 : 8) * (size_t)lane,
                   inner->immediate & ACCESS_ADDRESS_32 ? 4 : 8);
            address[lane] = ((to + (uint64_t)inner->offset) & ~SIMT_WINDOW_MASK) | SIMT_SHARED_WINDOW;
        }
    } else {
        lane_addresses(inner, registers, address);
    }
    if (memory == PTX_MEMORY_LOAD || memory == PTX_MEMORY_ATOMIC)
        note_reads(worker, warp, operation, address, lanes);
    if (memory == PTX_MEMORY_LOAD) {
        operation->masked(operation, registers, predicates, mask);
        return;
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        before.host[lane] = NULL;
        if ((address[lane] & SIMT_WINDOW_MASK) != SIMT_LOCAL_WINDOW) /* a thread's own is part of its state */
            before.host[lane] = lane_memory(window, lane, address[lane], span);
        if (before.host[lane] != NULL)
            memcpy(before.bytes[lane], before.host[lane], span);
    }
    operation->masked(operation, registers, predicates, mask);
    note_writes(worker, warp, &before, span, lanes, address);
}

void endless_run(struct worker *worker, struct warp *warp, const struct simt_operation *operation,
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
    if (worker->polled) /* no memory: it read a clock */
        endless_changed(worker);
    worker->polled |= polled;
}

/* ---- what is said */

static const struct block *first_block(const struct launch *launch, uint32_t *where) {
    const struct block *first = NULL;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        for (uint32_t k = 0; k < launch->sms[i].block_count; k++)
            if (first == NULL || launch->sms[i].blocks[k]->index < first->index) {
                first = launch->sms[i].blocks[k];
                *where = i;
            }
    return first;
}

/* The threads of the launch that can never end, and the fault's place. */
struct verdict {
    const struct warp *warp; /* the first that repeats */
    uint32_t sm;
    uint64_t repeat, wait; /* threads */
};

static void look_at_block(const struct launch *launch, uint32_t sm, const struct block *block,
                          struct verdict *verdict) {
    for (uint32_t w = 0; w < block->warp_count; w++) {
        const struct warp *warp = &block->warps[w];
        if (warp->state != WARP_RUNNING)
            continue;
        uint32_t lanes = repeating_lanes(launch, warp) & warp->live;
        verdict->repeat += (uint32_t)__builtin_popcount(lanes);
        verdict->wait += (uint32_t)__builtin_popcount(warp->live & ~lanes);
        if (lanes && (verdict->warp == NULL || block->index < verdict->warp->block->index)) {
            verdict->warp = warp;
            verdict->sm = sm;
        }
    }
}

/* Why it repeats: the only load of the loop, what it finds; or that it has none. */
static void describe_load(const struct launch *launch, const struct warp *warp, char *text, size_t size) {
    const struct load_seen *load = &warp->watch->loads[0];
    const struct ptx_instruction *instruction = load->instruction;
    if (instruction == NULL) {
        snprintf(text, size, "it reads no memory, and its variables are the same after each trip");
        return;
    }
    uint32_t bytes = ptx_type_bytes(instruction->type);
    uint64_t window = load->address & SIMT_WINDOW_MASK, value = 0;
    bool shared = window == SIMT_SHARED_WINDOW;
    const uint8_t *host = NULL;
    if (shared)
        host = warp->block->shared + (load->address & ~SIMT_WINDOW_MASK);
    else if (!window)
        host = simt_host_pointer(launch->device, load->address, bytes);
    if (warp->watch->loads[1].instruction != NULL || host == NULL || !bytes || bytes > 8) {
        snprintf(text, size, "nothing that it reads changes, and no thread is left that could change it");
        return;
    }
    memcpy(&value, host, bytes);
    snprintf(text, size,
             "the %u byte%s of %s memory that line %u reads stay 0x%" PRIx64 ", and no thread is left that "
             "could change %s%s",
             bytes, bytes == 1 ? "" : "s", shared ? "shared" : "global", instruction_line(instruction), value,
             bytes == 1 ? "it" : "them",
             !shared && instruction->flags & PTX_VOLATILE
                 ? " (what the host or another stream would write meanwhile is not simulated)"
                 : "");
}

static void say_endless(struct launch *launch) {
    struct verdict verdict = {0};
    for (uint32_t i = 0; i < launch->sm_count; i++)
        for (uint32_t k = 0; k < launch->sms[i].block_count; k++)
            look_at_block(launch, i, launch->sms[i].blocks[k], &verdict);
    const struct warp *warp = verdict.warp;
    struct sm *sm = &launch->sms[verdict.sm];
    struct simt_fault *fault = &sm->fault;
    char why[320];
    fault_place(fault, launch, warp, warp->watch->back,
                (uint32_t)__builtin_ctz(warp->watch->repeats & warp->live));
    fault->status = SIMT_TIMEOUT;
    describe_load(launch, warp, why, sizeof why);
    size_t length = (size_t)fault_describe_place(fault, fault->message, sizeof fault->message);
    char waiting[64] = "";
    if (verdict.wait)
        snprintf(waiting, sizeof waiting, ", %" PRIu64 " wait%s for others", verdict.wait,
                 verdict.wait == 1 ? "s" : "");
    snprintf(fault->message + length, sizeof fault->message - length,
             "this loop never ends, it repeats exactly: %s. %" PRIu64 " thread%s%s", why, verdict.repeat,
             verdict.repeat == 1 ? " repeats" : "s repeat", waiting);
    sm->faulted = true;
    sm->fault_block = launch->stop_block = warp->block->index;
}

/* The branch back of the smallest loop around an instruction, NULL: there is none. */
static const struct ptx_instruction *innermost_loop(const struct code *code, uint32_t at) {
    const struct ptx_instruction *instructions = code->function->instructions, *best = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = at; i < code->count; i++) {
        uint32_t target = instructions[i].opcode == PTX_BRA ? (uint32_t)instructions[i].target : UINT32_MAX;
        if (target <= at && i - target < least) {
            least = i - target;
            best = &instructions[i];
        }
    }
    return best;
}

void endless_stop(struct launch *launch, uint64_t instructions, uint64_t budget) {
    uint32_t where = 0;
    const struct block *block = first_block(launch, &where);
    if (block == NULL)
        return;
    struct sm *sm = &launch->sms[where];
    struct simt_fault *fault = &sm->fault;
    const struct warp *warp = &block->warps[0];
    const struct ptx_instruction *instruction = NULL, *loop = NULL;
    uint32_t lane = 0;
    for (uint32_t w = block->warp_count; w-- > 0;)
        if (block->warps[w].state == WARP_RUNNING && block->warps[w].path_count) {
            warp = &block->warps[w];
            const struct path *path = &warp->paths[warp->path_count - 1];
            uint32_t at = path->pc < path->code->count ? path->pc : path->code->count - 1;
            loop = innermost_loop(path->code, at);
            instruction = loop != NULL ? loop : &path->code->function->instructions[at];
            lane = (uint32_t)__builtin_ctz(path->mask);
        }
    fault_place(fault, launch, warp, instruction, lane);
    fault->status = SIMT_TIMEOUT;
    size_t length = (size_t)fault_describe_place(fault, fault->message, sizeof fault->message);
    snprintf(
        fault->message + length, sizeof fault->message - length,
        "the kernel did not end within %llu warp instructions (it ran %llu), and this thread is still %s",
        (unsigned long long)budget, (unsigned long long)instructions,
        loop != NULL ? "in this loop: does its condition ever become false?" : "here");
    sm->faulted = true;
    sm->fault_block = launch->stop_block = block->index;
}

/* ---- between rounds */

static bool pending(const struct launch *launch, const struct sm *sm) {
    return sm->next_block < launch->block_total && sm->next_block < launch->stop_block;
}

/* Blocks that their own SM has no room for, because all that are there wait, start on SMs that have: the first first. */
static bool deal_waiting_blocks(struct launch *launch) {
    bool any = false;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        struct sm *free_sm = &launch->sms[i], *from = NULL;
        if (free_sm->block_count >= launch->resident || pending(launch, free_sm))
            continue;
        for (uint32_t k = 0; k < launch->sm_count; k++)
            if (pending(launch, &launch->sms[k]) &&
                (from == NULL || launch->sms[k].next_block < from->next_block))
                from = &launch->sms[k];
        if (from == NULL)
            return any;
        free_sm->given = from->next_block;
        free_sm->is_given = true;
        free_sm->finished = false;
        from->next_block += launch->sm_count;
        any = true;
    }
    return any;
}

static void stop_watching(struct launch *launch) {
    launch->watch = WATCH_NONE;
    for (uint32_t i = 0; i < launch->sm_count; i++)
        for (uint32_t k = 0; k < launch->sms[i].block_count; k++)
            for (uint32_t w = 0; w < launch->sms[i].blocks[k]->warp_count; w++)
                endless_forget(&launch->sms[i].blocks[k]->warps[w]);
}

static void start_watching(struct launch *launch) {
    uint32_t where = 0;
    const struct block *block = first_block(launch, &where);
    if (block == NULL)
        return;
    uint64_t warps = (uint64_t)launch->sms[where].block_count * block->warp_count;
    uint64_t wanted = WATCH_EACH_WARP * warps > WATCH_LEAST ? WATCH_EACH_WARP * warps : WATCH_LEAST;
    wanted *= launch->quiet;
    launch->watch = WATCH_ONE;
    launch->watched_sm = where;
    launch->watch_instructions = wanted < WATCH_MOST ? wanted : WATCH_MOST;
    launch->watch_rounds = 0;
}

/* Whether every SM that has something to do is stuck, with memory as it is now; and whether each is stuck at least. */
static bool all_stuck(const struct launch *launch, bool *at_least_stuck) {
    bool all = true;
    *at_least_stuck = true;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        const struct sm *sm = &launch->sms[i];
        if (sm->finished)
            continue;
        *at_least_stuck &= sm->stuck;
        all &= sm->stuck && sm->stuck_changes == launch->changes;
    }
    return all;
}

bool endless_end_round(struct launch *launch) {
    enum { TRIES = 16 };
    bool ended = false, nearly = false;
    for (uint32_t i = 0; i < launch->sm_count; i++) {
        ended |= launch->sms[i].ended;
        launch->sms[i].ended = false;
    }
    switch (launch->watch) {
    case WATCH_NONE:
        launch->changes++; /* nobody looked */
        launch->quiet = ended ? 0 : launch->quiet + 1;
        if (launch->quiet && !(launch->quiet & (launch->quiet - 1)))
            start_watching(launch);
        return false;
    case WATCH_ONE:
        if (launch->sms[launch->watched_sm].stuck)
            launch->watch = WATCH_ALL;
        else
            stop_watching(launch);
        return false;
    case WATCH_ALL: break;
    }
    if (!all_stuck(launch, &nearly)) {
        if (!nearly || ++launch->watch_rounds == TRIES)
            stop_watching(launch);
        return false;
    }
    if (deal_waiting_blocks(launch)) {
        launch->quiet = 0;
        stop_watching(launch);
        return false;
    }
    say_endless(launch);
    return true;
}
