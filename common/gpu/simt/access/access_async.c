/* access_async.c: asynchronous copies between global and shared memory are done when issued. Groups,
 * mbarriers and waits matter only to the search for races. A bulk copy is one request of its warp,
 * of the sectors that it touches. It goes past L1, whose counters do not have it. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/check/races.h"
#include "gpu/simt/observe/observe.h"

#include <string.h>

HANDLER(copy_commit) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    window->warp->groups[window->warp->committed++ % GROUPS] = window->warp->storing;
    if (window->races != NULL)
        simt_races_commit(window, mask, operation->instruction->opcode == PTX_BULK_COMMIT);
}

HANDLER(copy_wait) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    struct warp *warp = window->warp;
    uint32_t left = operation->immediate == RACES_WAIT_ALL ? 0 : operation->immediate;
    if (left < GROUPS && warp->committed > left)
        simt_chain_wait(warp, within_run(window, operation),
                        &warp->groups[(warp->committed - 1 - left) % GROUPS]);
    if (window->races != NULL)
        simt_races_wait(window, mask, operation->instruction->opcode == PTX_BULK_WAIT, operation->immediate);
}

static uint64_t lane_address(const uint8_t *registers, uint32_t source, bool narrow, uint32_t lane,
                             int64_t offset) {
    uint64_t address = 0;
    memcpy(&address, registers + source + (narrow ? 4 : 8) * (size_t)lane, narrow ? 4 : 8);
    return address + (uint64_t)offset;
}

static uint64_t in_shared(uint64_t address) {
    return (address & ~SIMT_WINDOW_MASK) | SIMT_SHARED_WINDOW;
}

struct access_copy simt_access_copy_of(const struct simt_operation *operation, const uint8_t *registers,
                                       uint32_t lane) {
    const struct ptx_instruction *in = operation->instruction;
    const uint32_t *source = operation->source, bits = operation->immediate;
    struct access_copy copy = {
        .to = lane_address(registers, source[0], bits & ACCESS_ADDRESS_32, lane, operation->offset),
        .from = lane_address(registers, source[1], bits & ACCESS_SOURCE_32, lane, operation->global_offset),
        .bytes = access_bytes(operation)};
    uint32_t size = copy.bytes;
    if (in->form != PTX_BULK_TO_GLOBAL)
        copy.to = in_shared(copy.to);
    if (in->opcode == PTX_BULK) {
        memcpy(&copy.bytes, registers + source[2] + 4 * (size_t)lane, 4);
        size = copy.bytes;
        if (in->form == PTX_BULK_TO_GLOBAL || in->space == PTX_SHARED)
            copy.from = in_shared(copy.from);
        if (in->form == PTX_BULK_TO_SHARED)
            copy.barrier = in_shared(lane_address(registers, source[3], bits & ACCESS_BARRIER_32, lane,
                                                  (int32_t)operation->negated));
    } else if (source[3] != SIMT_NO_OPERAND) {
        memcpy(&size, registers + source[3] + 4 * (size_t)lane, 4);
    }
    copy.brought = size < copy.bytes ? size : copy.bytes;
    return copy;
}

/* A bulk copy is not aligned, or not whole in memory that the program has. */
static _Noreturn void refuse_bulk(struct window_header *window, const struct simt_operation *operation,
                                  uint32_t lane, uint64_t address, uint32_t bytes, bool store) {
    bool odd = (address | bytes) % BULK_UNIT != 0;
    simt_fault_other(
        window->worker, window->warp, operation->instruction, lane,
        odd ? SIMT_MISALIGNED_ADDRESS : SIMT_ILLEGAL_ADDRESS,
        "a bulk copy of %u bytes %s %s memory at 0x%llx: %s", bytes, store ? "to" : "from",
        ptx_space_words[access_space(address)], (unsigned long long)(address & ~SIMT_WINDOW_MASK),
        odd ? "addresses and size must be multiples of 16" : "some of these bytes are not the program's");
}

/* Adds one lane's bytes to the launch's footprint. */
static void trace(const struct window_header *window, const struct simt_operation *operation, uint32_t lane,
                  uint64_t address, uint32_t bytes, bool store) {
    uint64_t lanes[SIMT_LANES];
    lanes[lane] = address;
    if (bytes > 0 && access_space(address) == PTX_GLOBAL)
        (void)trace_lanes(window, operation, lanes, 1u << lane, bytes, store);
}

/* Copies one lane's bytes; a fault does not return. */
static void move(struct window_header *window, const struct simt_operation *operation, uint32_t lane,
                 const struct access_copy *copy) {
    enum ptx_space into = access_space(copy->to), out_of = access_space(copy->from);
    bool bulk = operation->instruction->opcode == PTX_BULK;
    uint32_t unit = bulk ? BULK_UNIT : copy->bytes;
    uint8_t *there = simt_access_memory(window, into, lane, copy->to, copy->bytes);
    const uint8_t *here =
        copy->brought ? simt_access_memory(window, out_of, lane, copy->from, copy->brought) : NULL;
    bool bad_store = there == NULL || copy->to % unit || copy->bytes % unit;
    bool bad_load = copy->brought && (here == NULL || copy->from % unit);
    if (bulk && (bad_store || bad_load))
        refuse_bulk(window, operation, lane, bad_store ? copy->to : copy->from, copy->bytes, bad_store);
    if (bad_store)
        there = simt_access_stray(window, operation, lane, copy->to, copy->bytes, true, into);
    if (bad_load)
        here = simt_access_stray(window, operation, lane, copy->from, copy->bytes, false, out_of);
    memset(there, 0, copy->bytes);
    if (copy->brought)
        memmove(there, here, copy->brought);
    trace(window, operation, lane, copy->from, copy->brought, false);
    trace(window, operation, lane, copy->to, copy->bytes, true);
}

static _Noreturn void out_of_memory(struct window_header *window, const struct simt_operation *operation,
                                    uint32_t mask) {
    simt_fault_other(window->worker, window->warp, operation->instruction, (uint32_t)__builtin_ctz(mask),
                     SIMT_OUT_OF_MEMORY, "the simulator ran out of memory");
}

HANDLER(copy_async) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    struct site *site = &window->sites[operation->site];
    uint32_t bytes = access_bytes(operation);
    uint64_t to[SIMT_LANES] = {0}, from[SIMT_LANES] = {0};
    uint32_t reading = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct access_copy copy = simt_access_copy_of(operation, registers, lane);
        move(window, operation, lane, &copy);
        to[lane] = copy.to & ~SIMT_WINDOW_MASK;
        from[lane] = copy.from;
        reading |= (uint32_t)(copy.brought > 0) << lane;
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
        out_of_memory(window, operation, mask);
}

/* Counts the global side of a bulk copy, a warp's worth of units at a time, as one request. */
static void count_bulk(struct window_header *window, struct site *site, uint64_t address, uint32_t bytes,
                       bool store) {
    uint64_t requests = site->requests + 1, late = site->late, before = window->sm->l1.read_sectors;
    for (uint32_t done = 0; done < bytes;) {
        uint64_t lanes[SIMT_LANES];
        uint32_t mask = 0;
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++, done += BULK_UNIT) {
            lanes[lane] = address + done;
            mask |= (uint32_t)(done < bytes) << lane;
        }
        if (window->observer != NULL)
            simt_observe_request(window, site, lanes, mask, BULK_UNIT);
        count_global_lanes(window, site, lanes, mask, BULK_UNIT, store, true);
    }
    window->sm->l1.bulk_sectors += window->sm->l1.read_sectors - before;
    site->requests = requests;
    site->late = site->late > late ? late + 1 : late;
}

/* ---- prefetches: requests that go past L1, as bulk copies do. Nobody waits for their data, and a
 * load that comes soon after waits for DRAM as if it had asked first. A prefetch that names no bytes
 * brings its line of 128 bytes: measured on an H200. */
enum { WHOLE_LINE = 128 };

static void prefetch_lanes(struct window_header *window, struct site *site, const uint64_t *address,
                           uint32_t mask, uint32_t span) {
    struct l1_cache *l1 = &window->sm->l1;
    struct l1_before before = l1_now(l1);
    struct sector_list list;
    if (window->sm->results_alone)
        return;
    sector_list_fill(&list, address, mask);
    for (uint32_t i = 0; span == WHOLE_LINE && i < list.lines; i++)
        list.bits[i] = 15;
    list.sectors = span == WHOLE_LINE ? 4 * list.lines : list.sectors;
    uint32_t threads = (uint32_t)__builtin_popcount(mask);
    count_request(site, threads, list.sectors, list.lines, (threads * span + 31) / 32);
    for (uint32_t i = 0; l1->sets != NULL && i < list.lines; i++) {
        l1->read_sectors += cache_sectors(list.bits[i]);
        l1->bulk_sectors += cache_sectors(list.bits[i]);
        l1_log(l1, list.line[i], CACHE_PREFETCH, list.bits[i]);
    }
    count_late(site, l1, &before);
}

/* A bulk prefetch is one request; it goes as far as its memory does. */
static void prefetch_range(struct window_header *window, struct site *site, uint64_t address,
                           uint64_t bytes) {
    const struct segment *segment = simt_device_segment(window->worker->launch->device, address);
    uint64_t room = segment != NULL ? segment->bytes - (address - segment->start) : 0;
    uint64_t requests = site->requests + 1, late = site->late, end = bytes < room ? bytes : room;
    for (uint64_t done = 0; done < end;) {
        uint64_t lanes[SIMT_LANES];
        uint32_t mask = 0;
        for (uint32_t lane = 0; lane < SIMT_LANES; lane++, done += BULK_UNIT) {
            lanes[lane] = address + done;
            mask |= (uint32_t)(done < end) << lane;
        }
        prefetch_lanes(window, site, lanes, mask, BULK_UNIT);
    }
    site->requests = requests;
    site->late = site->late > late ? late + 1 : late;
}

HANDLER(prefetch) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    struct site *site = &window->sites[operation->site];
    const struct simt_device *device = window->worker->launch->device;
    bool range = operation->source[1] != SIMT_NO_OPERAND;
    uint64_t address[SIMT_LANES];
    uint32_t there = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), bytes = 0;
        address[lane] = lane_address(registers, operation->source[0],
                                     operation->immediate & ACCESS_ADDRESS_32, lane, operation->offset);
        bool global = access_space(address[lane]) == PTX_GLOBAL;
        if (range)
            memcpy(&bytes, registers + operation->source[1] + 4 * (size_t)lane, 4);
        if (range && global)
            prefetch_range(window, site, address[lane], bytes);
        else
            there |= (uint32_t)(global && simt_device_segment(device, address[lane]) != NULL) << lane;
    }
    if (there)
        prefetch_lanes(window, site, address, there, WHOLE_LINE);
}

void simt_access_select_prefetch(const struct ptx_operand *operands, struct simt_operation *operation) {
    operation->offset = operands[0].slot < 0 && operands[0].symbol < 0 ? 0 : operands[0].value;
    operation->immediate = operands[0].slot >= 0 && operands[0].width != 8 ? ACCESS_ADDRESS_32 : 0;
    operation->full = operation->masked = prefetch;
}

HANDLER(copy_bulk) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    struct site *site = &window->sites[operation->site];
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        struct access_copy copy = simt_access_copy_of(operation, registers, lane);
        bool store = access_space(copy.to) == PTX_GLOBAL;
        uint64_t address[SIMT_LANES] = {0};
        if (!copy.bytes)
            continue;
        move(window, operation, lane, &copy);
        if (store || access_space(copy.from) == PTX_GLOBAL)
            count_bulk(window, site, store ? copy.to : copy.from, copy.bytes, store);
        if (window->races != NULL && access_space(copy.from) == PTX_SHARED) {
            address[lane] = copy.from & ~SIMT_WINDOW_MASK;
            simt_races_access(window, operation, address, 1u << lane, copy.bytes, NULL);
            if (store && !simt_races_read_on(window, operation, address[lane], lane, copy.bytes))
                out_of_memory(window, operation, mask);
        }
        if (store) { /* of the mbarriers none counts it */
            window->warp->storing = simt_chain_of(window->warp, within_run(window, operation));
            window->warp->storing.copies++;
            continue;
        }
        address[lane] = copy.to & ~SIMT_WINDOW_MASK;
        if (window->races != NULL && address[lane] < window->shared_bytes &&
            !simt_races_copy(window, operation, address, 1u << lane, copy.bytes))
            out_of_memory(window, operation, mask);
        simt_mbarrier_complete(window, operation, lane, copy.barrier, copy.bytes);
    }
}

bool simt_access_select_copy(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                             struct simt_operation *operation) {
    static const uint32_t narrow[] = {ACCESS_ADDRESS_32, ACCESS_SOURCE_32, 0, ACCESS_BARRIER_32};
    bool bulk = instruction->opcode == PTX_BULK;
    uint32_t bytes = bulk ? BULK_UNIT : (uint32_t)operands[2].value;
    if (!bulk && (operands[2].kind != PTX_OPERAND_IMMEDIATE || bytes < 4 || bytes > 16))
        return false;
    int64_t offset[4] = {0};
    operation->immediate = bytes << ACCESS_BYTES_SHIFT | 1u << ACCESS_COUNT_SHIFT;
    for (uint32_t i = 0; i < instruction->sources && i < 4; i++) {
        if (operands[i].kind != PTX_OPERAND_ADDRESS)
            continue;
        bool constant = operands[i].slot < 0 && operands[i].symbol < 0;
        offset[i] = constant ? 0 : operands[i].value; /* a constant's slot has all of it */
        if (operands[i].slot >= 0 && operands[i].width != 8)
            operation->immediate |= narrow[i];
    }
    operation->offset = offset[0];
    operation->global_offset = offset[1];
    operation->negated = (uint32_t)offset[3];
    if (instruction->flags & PTX_CACHE_L2_ONLY)
        operation->immediate |= ACCESS_BYPASS_L1;
    operation->full = operation->masked = bulk ? copy_bulk : copy_async;
    return true;
}

void simt_access_select_wait(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                             struct simt_operation *operation) {
    bool wait = instruction->opcode == PTX_CP_ASYNC_WAIT || instruction->opcode == PTX_BULK_WAIT;
    if (wait)
        operation->immediate =
            instruction->form == PTX_WAIT_ALL ? RACES_WAIT_ALL : (uint32_t)operands[0].value;
    operation->full = operation->masked = wait ? copy_wait : copy_commit;
}
