/* mbarrier.c: barrier objects in shared memory, which count arrivals of threads and bytes of
 * asynchronous copies. PTX ISA 9.0, 9.7.13.15. A phase is over when neither arrivals nor bytes are
 * missing. The object's layout is this file's own: PTX leaves it open. Lanes take turns in ascending
 * order. A wait in vain ends its path's turn at the next backward branch: on hardware the thread is
 * suspended. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/check/races.h"
#include "gpu/simt/control/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = (1 << 20) - 1 }; /* arrivals of a phase, and bytes that it may miss */

/* From bit 0: 20 bits expected, 20 pending, 21 bytes, 1 phase, 2 that are 1 in every object: neither
 * zeros nor ones make one. */
struct mbarrier {
    uint32_t expected, pending; /* arrivals of each phase; those missing of this one */
    int32_t bytes;              /* expected and not yet copied; below 0: copied before they were expected */
    uint32_t phase;             /* its parity */
};
enum { PENDING_AT = 20, BYTES_AT = 40, PHASE_AT = 61, MARK_AT = 62, MARK = 1, ABOVE_BYTES = 64 - PHASE_AT };

static struct mbarrier unpack(uint64_t object) {
    return (struct mbarrier){.expected = object & MOST,
                             .pending = object >> PENDING_AT & MOST,
                             .bytes = (int32_t)((int64_t)(object << ABOVE_BYTES) >> (ABOVE_BYTES + BYTES_AT)),
                             .phase = object >> PHASE_AT & 1};
}

static uint64_t pack(const struct mbarrier *barrier) {
    uint64_t bytes = (uint64_t)(uint32_t)barrier->bytes & (2 * (uint64_t)MOST + 1);
    return barrier->expected | (uint64_t)barrier->pending << PENDING_AT | bytes << BYTES_AT |
           (uint64_t)barrier->phase << PHASE_AT | (uint64_t)MARK << MARK_AT;
}

/* Changes the barrier. NULL, or what is wrong. */
static const char *apply(struct mbarrier *barrier, enum ptx_form form, bool expects, uint32_t count) {
    int64_t bytes = barrier->bytes;
    uint32_t arrivals = expects ? 1 : count;
    if (form == PTX_MBARRIER_EXPECT || expects)
        bytes += count;
    if (form == PTX_MBARRIER_COMPLETE)
        bytes -= count;
    if (bytes > MOST || bytes < -MOST)
        return "an mbarrier counts at most 1048575 bytes in a phase";
    barrier->bytes = (int32_t)bytes;
    if (form == PTX_MBARRIER_ARRIVE || form == PTX_MBARRIER_DROP) {
        if (arrivals < 1 || arrivals > barrier->pending)
            return "more threads arrive at this mbarrier in one phase than its initialisation said";
        barrier->pending -= arrivals;
        barrier->expected -= form == PTX_MBARRIER_DROP ? arrivals : 0;
    }
    if (!barrier->pending && !barrier->bytes) {
        barrier->phase ^= 1;
        barrier->pending = barrier->expected;
    }
    return NULL;
}

/* The chain of the mbarrier at an address; NULL: it was not initialised by a thread of its block. */
static struct chain_phase *phase_of(struct window_header *window, uint64_t address) {
    uint64_t offset = address & ~SIMT_WINDOW_MASK;
    struct block *block = simt_cluster_block(window->warp->block, &offset);
    return block != NULL && block->phases != NULL ? &block->phases[offset / sizeof(uint64_t)] : NULL;
}

static void begin_chain(struct window_header *window, uint64_t address) {
    struct block *block = window->warp->block;
    if (block->phases == NULL)
        block->phases = calloc(window->shared_bytes / sizeof(uint64_t) + 1, sizeof *block->phases);
    if (block->phases == NULL)
        simt_fault_other(window->worker, window->warp, NULL, 0, SIMT_OUT_OF_MEMORY,
                         "the simulator ran out of memory");
    struct chain_phase *phase = phase_of(window, address);
    if (phase != NULL)
        *phase = (struct chain_phase){0};
}

/* The warp arrives, or its copy does. ends: with it the phase is over. */
static void join_chain(struct window_header *window, const struct simt_operation *operation, uint64_t address,
                       bool copies, bool ends) {
    struct chain_phase *phase = phase_of(window, address);
    struct chain here = simt_chain_of(window->warp, within_run(window, operation));
    if (phase == NULL)
        return;
    here.copies += copies;
    simt_chain_join(&phase->pending, &here);
    if (ends)
        *phase = (struct chain_phase){.over = phase->pending};
}

/* The object's bytes in the lane's shared memory; a fault does not return. */
static uint8_t *find(struct window_header *window, const struct simt_operation *operation, uint32_t lane,
                     uint64_t address) {
    uint8_t *host = access_space(address) == PTX_SHARED
                        ? simt_access_memory(window, PTX_SHARED, lane, address, sizeof(uint64_t))
                        : NULL;
    if (host == NULL || address % sizeof(uint64_t) != 0)
        host = simt_access_stray(window, operation, lane, address, sizeof(uint64_t), true,
                                 access_space(address));
    return host;
}

static _Noreturn void refuse(struct window_header *window, const struct simt_operation *operation,
                             uint32_t lane, const char *why) {
    simt_fault_other(window->worker, window->warp, operation->instruction, lane, SIMT_ILLEGAL_INSTRUCTION,
                     "%s", why);
}

/* Reads the object. It has to be initialised. */
static uint64_t object_at(struct window_header *window, const struct simt_operation *operation, uint32_t lane,
                          const uint8_t *host) {
    uint64_t object;
    memcpy(&object, host, sizeof object);
    if (object >> MARK_AT != MARK)
        refuse(window, operation, lane,
               "no mbarrier is at this address: its initialisation (init, mbarrier.init) comes first, and a "
               "__syncthreads() between");
    return object;
}

void simt_mbarrier_complete(struct window_header *window, const struct simt_operation *operation,
                            uint32_t lane, uint64_t address, uint32_t bytes) {
    uint8_t *host = find(window, operation, lane, address);
    struct mbarrier barrier = unpack(object_at(window, operation, lane, host));
    if (window->races != NULL)
        simt_races_track(window, 1u << lane, address & ~SIMT_WINDOW_MASK, barrier.phase);
    uint32_t phase = barrier.phase;
    const char *wrong = apply(&barrier, PTX_MBARRIER_COMPLETE, false, bytes);
    if (wrong != NULL)
        refuse(window, operation, lane, wrong);
    uint64_t object = pack(&barrier);
    join_chain(window, operation, address, true, barrier.phase != phase);
    memcpy(host, &object, sizeof object);
}

/* One lane's operation on the object at `host`. Returns the object as it was. */
static uint64_t update(struct window_header *window, const struct simt_operation *operation, uint32_t lane,
                       uint8_t *host, uint32_t count) {
    const struct ptx_instruction *in = operation->instruction;
    uint64_t before = 0, after = 0;
    if (in->form == PTX_MBARRIER_INIT) {
        struct mbarrier barrier = {.expected = count, .pending = count};
        if (count < 1 || count > MOST)
            refuse(window, operation, lane, "an mbarrier counts 1 to 1048575 arrivals");
        after = pack(&barrier);
    } else {
        before = object_at(window, operation, lane, host);
        struct mbarrier barrier = unpack(before);
        const char *wrong = apply(&barrier, (enum ptx_form)in->form, in->flags & PTX_EXPECTS, count);
        if (wrong != NULL)
            refuse(window, operation, lane, wrong);
        after = in->form == PTX_MBARRIER_INVAL ? 0 : pack(&barrier);
    }
    memcpy(host, &after, sizeof after);
    return before;
}

static uint64_t lane_address(const struct simt_operation *operation, const uint8_t *registers,
                             uint32_t lane) {
    uint64_t address[SIMT_LANES];
    access_addresses(operation, registers, address);
    return operation->instruction->space == PTX_SHARED
               ? (address[lane] & ~SIMT_WINDOW_MASK) | SIMT_SHARED_WINDOW
               : address[lane];
}

static void look_for_races(struct window_header *window, const struct simt_operation *operation,
                           uint32_t lane, uint64_t address) {
    uint64_t lanes[SIMT_LANES] = {0};
    lanes[lane] = address & ~SIMT_WINDOW_MASK;
    if (lanes[lane] < window->shared_bytes) /* else of another block of the cluster */
        simt_races_atomic(window, operation, lanes, 1u << lane, sizeof(uint64_t));
}

HANDLER(change) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    const struct ptx_instruction *in = operation->instruction;
    bool copies = in->form == PTX_MBARRIER_COPIES ||
                  (in->form == PTX_MBARRIER_ARRIVE && in->destinations == 0); /* cp.async.mbarrier.arrive */
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), count = 1;
        uint64_t address = lane_address(operation, registers, lane);
        uint8_t *host = find(window, operation, lane, address);
        if (operation->source[1] != SIMT_NO_OPERAND)
            memcpy(&count, registers + operation->source[1] + 4 * (size_t)lane, 4);
        if (window->races != NULL)
            look_for_races(window, operation, lane, address);
        if (copies && window->races != NULL)
            simt_races_track(window, 1u << lane, address & ~SIMT_WINDOW_MASK,
                             unpack(object_at(window, operation, lane, host)).phase);
        uint64_t before = update(window, operation, lane, host, count), after;
        memcpy(&after, host, sizeof after);
        if (in->form == PTX_MBARRIER_INIT)
            begin_chain(window, address);
        else
            join_chain(window, operation, address, copies, unpack(before).phase != unpack(after).phase);
        if (in->destinations && operation->destination[0] != SIMT_NO_OPERAND)
            memcpy(registers + operation->destination[0] + 8 * (size_t)lane, &before, 8);
    }
}

/* test_wait and try_wait: whether the phase of a state, or of a parity, is over. */
HANDLER(wait) {
    struct window_header *window = window_header(registers);
    uint32_t over = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), phase = 0;
        uint64_t address = lane_address(operation, registers, lane), state = 0;
        const uint8_t *host = find(window, operation, lane, address);
        if (operation->instruction->form == PTX_MBARRIER_PARITY) {
            memcpy(&phase, registers + operation->source[1] + 4 * (size_t)lane, 4);
        } else {
            memcpy(&state, registers + operation->source[1] + 8 * (size_t)lane, 8);
            phase = unpack(state).phase;
        }
        uint32_t now = unpack(object_at(window, operation, lane, host)).phase;
        over |= (uint32_t)((phase & 1) != now) << lane;
        const struct chain_phase *chain = phase_of(window, address);
        if (over >> lane & 1 && chain != NULL)
            simt_chain_wait(window->warp, within_run(window, operation), &chain->over);
        if (window->races != NULL)
            look_for_races(window, operation, lane, address);
        if (window->races != NULL && over >> lane & 1)
            simt_races_phase_over(window, address & ~SIMT_WINDOW_MASK, now);
    }
    if (operation->destination[0] != SIMT_NO_OPERAND) {
        uint32_t *to = &predicates[operation->destination[0]];
        *to = (*to & ~mask) | over;
    }
    if (over != mask) {
        window->worker->polled = true;
        window->worker->polling_turn = 1;
    }
}

bool simt_mbarrier_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                          struct simt_operation *operation) {
    const struct ptx_operand *address = &operands[instruction->destinations];
    bool waits = instruction->form == PTX_MBARRIER_TEST || instruction->form == PTX_MBARRIER_TRY ||
                 instruction->form == PTX_MBARRIER_PARITY;
    operation->immediate = 8u << ACCESS_BYTES_SHIFT | 1u << ACCESS_COUNT_SHIFT;
    if (address->slot >= 0 && address->width != 8)
        operation->immediate |= ACCESS_ADDRESS_32;
    operation->full = operation->masked = waits ? wait : change;
    return true;
}

/* mbarrier.pending_count: the arrivals that a state had still to come. */
void simt_mbarrier_pending(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                           uint32_t mask) {
    (void)predicates;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t state;
        memcpy(&state, registers + operation->source[0] + 8 * (size_t)lane, 8);
        uint32_t pending = unpack(state).pending;
        memcpy(registers + operation->destination[0] + 4 * (size_t)lane, &pending, 4);
    }
}

void simt_mbarrier_describe(uint64_t object, uint32_t line, char *text, size_t size) {
    struct mbarrier barrier = unpack(object);
    snprintf(text, size,
             "the mbarrier for which line %u waits misses %u arrival%s and %d bytes of copies in this phase, "
             "and no thread is left that could change it",
             line, barrier.pending, barrier.pending == 1 ? "" : "s", (int)barrier.bytes);
}
