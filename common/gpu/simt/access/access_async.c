/* access_async.c: asynchronous copies from global to shared memory are done when issued. Groups and
 * waits matter only to the search for races. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/check/races.h"
#include "gpu/simt/observe/observe.h"

#include <string.h>

HANDLER(copy_commit) {
    (void)operation, (void)predicates;
    struct window_header *window = window_header(registers);
    if (window->races != NULL)
        simt_races_commit(window, mask);
}

HANDLER(copy_wait) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    if (window->races != NULL)
        simt_races_wait(window, mask, operation->immediate);
}

HANDLER(copy_async) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    struct site *site = &window->sites[operation->site];
    uint32_t bytes = access_bytes(operation);
    const uint8_t *shared_lanes = registers + operation->source[0];
    const uint64_t *global_lanes = (const uint64_t *)(const void *)(registers + operation->source[1]);
    bool narrow = operation->immediate & ACCESS_ADDRESS_32;
    uint64_t to[SIMT_LANES] = {0}, from[SIMT_LANES] = {0};
    uint32_t reading = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), source_bytes = bytes;
        memcpy(&to[lane], shared_lanes + (narrow ? 4 : 8) * lane, narrow ? 4 : 8);
        to[lane] = (to[lane] + (uint64_t)operation->offset) & ~SIMT_WINDOW_MASK;
        from[lane] = global_lanes[lane] + (uint64_t)operation->global_offset;
        if (operation->source[3] != SIMT_NO_OPERAND) {
            memcpy(&source_bytes, registers + operation->source[3] + 4 * lane, 4);
            source_bytes = source_bytes < bytes ? source_bytes : bytes;
        }
        uint8_t *there = simt_access_memory(window, PTX_SHARED, lane, to[lane], bytes);
        const uint8_t *here =
            source_bytes ? simt_access_memory(window, PTX_GLOBAL, lane, from[lane], source_bytes) : NULL;
        bool bad_store = there == NULL || to[lane] & (bytes - 1),
             bad_load = source_bytes && (here == NULL || from[lane] & (bytes - 1));
        if (bad_store)
            there = simt_access_stray(window, operation, lane, to[lane], bytes, true, PTX_SHARED);
        if (bad_load)
            here = simt_access_stray(window, operation, lane, from[lane], bytes, false, PTX_GLOBAL);
        memset(there, 0, bytes);
        if (source_bytes) {
            memcpy(there, here, source_bytes);
            reading |= 1u << lane;
            (void)trace_lanes(window, operation, from, 1u << lane, source_bytes, false);
        }
    }
    if (reading && window->observer != NULL)
        simt_observe_request(window, site, from, reading, bytes);
    if (window->observer != NULL)
        simt_observe_request(window, site + SITE_SHARED, to, mask, bytes);
    if (reading)
        count_global_lanes(window, site, from, reading, bytes, false,
                           operation->immediate & ACCESS_BYPASS_L1);
    simt_count_shared_lanes(site + SITE_SHARED, to, mask, bytes, true);
    if (window->races != NULL && !simt_races_copy(window, operation, to, mask, bytes))
        simt_fault_other(window->worker, window->warp, operation->instruction, (uint32_t)__builtin_ctz(mask),
                         SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
}

bool simt_access_select_copy(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                             struct simt_operation *operation) {
    const struct ptx_operand *shared = &operands[0], *global = &operands[1], *bytes = &operands[2];
    if (bytes->kind != PTX_OPERAND_IMMEDIATE || bytes->value < 4 || bytes->value > 16)
        return false;
    operation->offset = shared->slot >= 0 ? shared->value : 0;
    operation->global_offset = global->slot >= 0 || global->symbol >= 0 ? global->value : 0;
    operation->immediate = (uint32_t)bytes->value << ACCESS_BYTES_SHIFT | 1u << ACCESS_COUNT_SHIFT;
    if (shared->slot >= 0 && shared->width != 8)
        operation->immediate |= ACCESS_ADDRESS_32;
    if (instruction->flags & PTX_CACHE_L2_ONLY)
        operation->immediate |= ACCESS_BYPASS_L1;
    operation->full = operation->masked = copy_async;
    return true;
}

void simt_access_select_wait(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                             struct simt_operation *operation) {
    bool wait = instruction->opcode == PTX_CP_ASYNC_WAIT;
    if (wait)
        operation->immediate =
            instruction->form == PTX_WAIT_ALL ? RACES_WAIT_ALL : (uint32_t)operands[0].value;
    operation->full = operation->masked = wait ? copy_wait : copy_commit;
}
