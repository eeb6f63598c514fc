/* access.c: the general case of loads and stores, one thread at a time; chooses the handler of a
 * memory instruction. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/check/races.h"
#include "gpu/simt/control/cluster.h"
#include "gpu/simt/control/paths.h"
#include "gpu/simt/observe/observe.h"

#include <string.h>

/* ---- from an address to host memory */

uint8_t *simt_access_memory(const struct window_header *window, enum ptx_space space, uint32_t lane,
                            uint64_t address, uint32_t bytes) {
    switch (space) {
    case PTX_SHARED:
        address &= ~SIMT_WINDOW_MASK;
        const struct block *block = simt_cluster_block(window->warp->block, &address);
        if (block == NULL || address >= window->shared_bytes || bytes > window->shared_bytes - address)
            return NULL;
        return block->shared + address;
    case PTX_LOCAL:
        address &= ~SIMT_WINDOW_MASK;
        if (window->warp->file->local == NULL || address >= window->local_stride ||
            bytes > window->local_stride - address)
            return NULL;
        return window->warp->file->local + lane * window->local_stride + address;
    default: {
        const struct segment *segment = simt_device_segment(window->worker->launch->device, address);
        if (segment == NULL || bytes > segment->bytes - (address - segment->start))
            return NULL;
        simt_segment_touch(segment, &address, 1, bytes);
        return segment->host + (address - segment->start);
    }
    }
}

uint8_t *simt_lane_memory(const struct window_header *window, uint32_t lane, uint64_t address,
                          uint32_t bytes) {
    return simt_access_memory(window, access_space(address), lane, address, bytes);
}

static bool find_segment(const struct window_header *window, struct site *site, const uint64_t *address,
                         uint32_t mask, uint32_t span) {
    const struct segment *segment =
        simt_device_segment(window->worker->launch->device, address[__builtin_ctz(mask)]);
    if (segment == NULL || segment->bytes < span)
        return false;
    uint64_t limit = segment->bytes - span + 1;
    for (uint32_t left = mask; left; left &= left - 1)
        if (address[__builtin_ctz(left)] - segment->start >= limit)
            return false;
    site->start = segment->start;
    site->limit = limit;
    site->host_offset = (uint64_t)(uintptr_t)segment->host - segment->start;
    simt_segment_touch(segment, address, mask, span);
    if (segment->sectors != NULL)
        site->limit = 0; /* no cached limit: the next request must be recorded here too */
    return true;
}

uint32_t simt_access_apart(const uint64_t *address, uint32_t mask) {
    uint32_t found = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t before = mask & ((left & -left) - 1);
        uint64_t at = address[__builtin_ctz(left)];
        while (before && address[__builtin_ctz(before)] != at)
            before &= before - 1;
        found += before == 0;
    }
    return found;
}

bool simt_access_find_segment(struct window_header *window, const struct simt_operation *operation,
                              const uint64_t *address, uint32_t mask, uint32_t span, bool store) {
    struct site *site = &window->sites[operation->site];
    if (!find_segment(window, site, address, mask, span))
        return false;
    if (trace_lanes(window, operation, address, mask, span, store))
        site->limit = 0;
    if (window->observer != NULL && simt_observe_request(window, site, address, mask, span))
        site->limit = 0; /* no cached limit: the next request must be recorded here too */
    return true;
}

/* Hands the lanes of one space to the observer. Once the observer has seen enough of shared memory,
 * the fast path is used again. */
static void look_at(struct window_header *window, struct site *site, const uint64_t *address, uint32_t mask,
                    uint32_t span, bool shared) {
    if (window->observer != NULL && !simt_observe_request(window, site, address, mask, span) && shared)
        window->watched = window->races != NULL;
}

/* ---- one element of one lane */

/* The compiler knows these sizes: single moves instead of calls of memcpy. */
static inline uint64_t read_bytes(const uint8_t *from, uint32_t bytes) {
    uint64_t value = 0;
    switch (bytes) {
    case 1: return *from;
    case 2: memcpy(&value, from, 2); return value;
    case 4: memcpy(&value, from, 4); return value;
    default: memcpy(&value, from, 8); return value;
    }
}

static inline void write_bytes(uint8_t *to, const uint8_t *from, uint32_t bytes) {
    switch (bytes) {
    case 1: *to = *from; break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, 8); break;
    }
}

void simt_access_load_element(const struct simt_operation *operation, uint8_t *registers, uint32_t lane,
                              uint32_t e, const uint8_t *from, uint32_t bytes) {
    if (operation->destination[e] == SIMT_NO_OPERAND)
        return;
    uint8_t *to = registers + operation->destination[e];
    uint64_t value = read_bytes(from, bytes);
    unsigned shift = 64 - 8 * bytes;
    uint64_t extended = bytes == 8 ? value : (uint64_t)((int64_t)(value << shift) >> shift);
    uint32_t extend = operation->immediate & ACCESS_EXTEND_MASK;
    switch (extend) {
    case EXTEND_SIGN_TO_16: value = extended & 0xffff; break;
    case EXTEND_SIGN_TO_32:
    case EXTEND_SIGN_TO_64: value = extended; break;
    default: break;
    }
    if (bytes == 8 || extend >= EXTEND_ZERO_TO_64)
        memcpy(to + 8 * lane, &value, 8);
    else
        memcpy(to + 4 * lane, &value, 4);
}

static void store_element(const struct simt_operation *operation, const uint8_t *registers, uint32_t lane,
                          uint32_t e, uint8_t *to, uint32_t bytes) {
    const uint8_t *from = registers + operation->source[1 + e];
    bool wide = bytes == 8 || operation->immediate & ACCESS_VALUE_64;
    write_bytes(to, from + (wide ? 8 : 4) * lane, bytes); /* little-endian: the low bytes come first */
}

static void check_race(struct window_header *window, const struct simt_operation *operation,
                       const uint64_t *address, uint32_t mask, const uint8_t *registers, bool store) {
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint8_t value[SIMT_LANES][RACES_SPAN];
    for (uint32_t left = store ? mask : 0; left; left &= left - 1)
        for (uint32_t e = 0; e < count; e++) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            store_element(operation, registers, lane, e, value[lane] + (size_t)bytes * e, bytes);
        }
    simt_races_access(window, operation, address, mask, bytes * count,
                      store ? (const uint8_t(*)[RACES_SPAN])value : NULL);
}

/* ---- the general case */

void simt_access_slowly(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                        enum ptx_space space, bool store) {
    struct window_header *window = window_header(registers);
    uint32_t bytes = access_bytes(operation), count = access_count(operation), span = bytes * count;
    bool bypass = operation->immediate & ACCESS_BYPASS_L1;
    uint64_t address[SIMT_LANES];
    uint8_t *host[SIMT_LANES];
    uint32_t in_space[3] = {0}, in_cluster = 0; /* in_cluster: shared memory, any block's */
    access_addresses(operation, registers, address);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        enum ptx_space where =
            space == PTX_GENERIC || space == PTX_GLOBAL ? access_space(address[lane]) : space;
        host[lane] = simt_access_memory(window, where, lane, address[lane], span);
        bool aligned = (address[lane] & (span - 1)) == 0; /* span is a power of two */
        if (host[lane] == NULL || !aligned)
            host[lane] = simt_access_stray(window, operation, lane, address[lane], span, store, where);
        address[lane] &= where == PTX_GLOBAL ? UINT64_MAX : ~SIMT_WINDOW_MASK;
        bool remote = where == PTX_SHARED && address[lane] >= window->shared_bytes;
        in_space[where == PTX_SHARED  ? SITE_SHARED
                 : where == PTX_LOCAL ? SITE_LOCAL
                                      : SITE_OWN] |= (uint32_t)!remote << lane;
        in_cluster |= (uint32_t)(where == PTX_SHARED) << lane;
    }
    struct site *site = &window->sites[operation->site];
    bool generic = space == PTX_GENERIC || space == PTX_GLOBAL;
    if (in_space[SITE_OWN]) {
        look_at(window, site, address, in_space[SITE_OWN], span, false);
        count_global_lanes(window, site, address, in_space[SITE_OWN], span, store, bypass);
        if (generic)
            (void)trace_lanes(window, operation, address, in_space[SITE_OWN], span, store);
    }
    if (in_space[SITE_SHARED]) {
        look_at(window, site + (generic ? SITE_SHARED : 0), address, in_space[SITE_SHARED], span, true);
        if (window->races != NULL)
            check_race(window, operation, address, in_space[SITE_SHARED], registers, store);
    }
    if (in_cluster) /* another block's memory has the banks of its own */
        simt_count_shared_lanes(site + (generic ? SITE_SHARED : 0), address, in_cluster, span,
                                store || operation->instruction->flags & PTX_ROWS);
    if (in_space[SITE_LOCAL])
        look_at(window, site + (generic ? SITE_LOCAL : 0), address, in_space[SITE_LOCAL], span, false);
    if (in_space[SITE_LOCAL])
        simt_count_local(window, site + (generic ? SITE_LOCAL : 0), address, in_space[SITE_LOCAL], span,
                         store, bypass);
    for (uint32_t e = 0; e < count; e++)
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            if (store)
                store_element(operation, registers, lane, e, host[lane] + bytes * e, bytes);
            else
                simt_access_load_element(operation, registers, lane, e, host[lane] + bytes * e, bytes);
        }
    if (operation->immediate & ACCESS_POLL)
        window->worker->polled = true;
}

/* ---- handlers too rare to be worth three copies */

/* Moves a word of each lane to or from memory, where lanes lie `stride` bytes apart. Inline, so
 * that `bytes` and `store` are constants. */
static inline __attribute__((always_inline)) void move_each(uint8_t *lanes, uint8_t *memory, uint64_t stride,
                                                            uint32_t mask, uint32_t bytes, bool store) {
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++, lanes += bytes, memory += stride)
        if (mask == UINT32_MAX || mask >> lane & 1)
            memcpy(store ? memory : lanes, store ? lanes : memory, bytes);
}

/* bytes: 4 or 8. */
static void move_words(uint8_t *lanes, uint8_t *memory, uint64_t stride, uint32_t mask, uint32_t bytes,
                       bool store) {
    if (bytes == 4 && store)
        move_each(lanes, memory, stride, mask, 4, true);
    else if (bytes == 4)
        move_each(lanes, memory, stride, mask, 4, false);
    else if (store)
        move_each(lanes, memory, stride, mask, 8, true);
    else
        move_each(lanes, memory, stride, mask, 8, false);
}

/* Whole words at one place of every thread's local memory, as most spills and arrays are: false when not. */
static bool local_words(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                        bool store) {
    struct window_header *window = window_header(registers);
    uint32_t bytes = access_bytes(operation), count = access_count(operation), span = bytes * count;
    uint64_t address[SIMT_LANES], stride = window->local_stride;
    uint8_t *local = window->warp->file->local;
    if (mask == 0 || bytes < 4 || local == NULL || window->observer != NULL ||
        (operation->immediate & ACCESS_EXTEND_MASK) != EXTEND_ZERO || operation->immediate & ACCESS_VALUE_64)
        return false;
    access_addresses(operation, registers, address);
    uint64_t at = address[__builtin_ctz(mask)] & ~SIMT_WINDOW_MASK;
    if (at & (span - 1) || at >= stride || span > stride - at || !is_one_place(address, mask))
        return false;
    simt_count_local(window, &window->sites[operation->site], address, mask, span, store,
                     operation->immediate & ACCESS_BYPASS_L1);
    for (uint32_t e = 0; e < count; e++) {
        uint32_t lanes = store ? operation->source[1 + e] : operation->destination[e];
        if (lanes != SIMT_NO_OPERAND)
            move_words(registers + lanes, local + at + bytes * e, stride, mask, bytes, store);
    }
    if (operation->immediate & ACCESS_POLL)
        window->worker->polled = true;
    return true;
}

HANDLER(load_local) {
    (void)predicates;
    if (!local_words(operation, registers, mask, false))
        simt_access_slowly(operation, registers, mask, PTX_LOCAL, false);
}

HANDLER(store_local) {
    (void)predicates;
    if (!local_words(operation, registers, mask, true))
        simt_access_slowly(operation, registers, mask, PTX_LOCAL, true);
}

/* An entry's parameters lie in one buffer for the whole launch. */
HANDLER(load_entry_parameter) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    const struct launch *launch = window->worker->launch;
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint64_t address[SIMT_LANES];
    access_addresses(operation, registers, address);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (address[lane] > launch->code->function->parameter_bytes ||
            bytes * count > launch->code->function->parameter_bytes - address[lane])
            (void)simt_access_stray(window, operation, lane, address[lane], bytes * count, false,
                                    PTX_PARAM_ENTRY);
        for (uint32_t e = 0; e < count; e++)
            simt_access_load_element(operation, registers, lane, e,
                                     launch->parameters + address[lane] + bytes * e, bytes);
    }
}

/* Moves whole aligned words at one place of every lane's frame, as nearly all parameters are.
 * False: they are not. */
static bool frame_words(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                        bool store) {
    const struct window_header *window = window_header(registers);
    uint32_t bytes = access_bytes(operation), stride = window->frame_stride;
    uint64_t address[SIMT_LANES];
    if (mask != UINT32_MAX || !(operation->immediate & ACCESS_FIXED) || access_count(operation) != 1 ||
        bytes < 4 || (operation->immediate & ACCESS_EXTEND_MASK) != EXTEND_ZERO ||
        operation->immediate & ACCESS_VALUE_64 || (!store && operation->destination[0] == SIMT_NO_OPERAND))
        return false;
    access_addresses(operation, registers, address);
    if (address[0] > stride || bytes > stride - address[0])
        return false;
    uint8_t *frame = window->frame + address[0];
    uint8_t *lanes = registers + (store ? operation->source[1] : operation->destination[0]);
    for (uint32_t lane = 0; lane < SIMT_LANES; lane++, frame += stride, lanes += bytes) {
        if (bytes == 4)
            memcpy(store ? frame : lanes, store ? lanes : frame, 4);
        else
            memcpy(store ? frame : lanes, store ? lanes : frame, 8);
    }
    return true;
}

/* Parameters of a function and of the calls it makes lie in each thread's frame. */
static void frame_access(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                         bool store) {
    if (frame_words(operation, registers, mask, store))
        return;
    struct window_header *window = window_header(registers);
    uint32_t bytes = access_bytes(operation), count = access_count(operation);
    uint64_t address[SIMT_LANES];
    access_addresses(operation, registers, address);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (address[lane] > window->frame_stride || bytes * count > window->frame_stride - address[lane])
            (void)simt_access_stray(window, operation, lane, address[lane], bytes * count, store,
                                    PTX_PARAM_FRAME);
        uint8_t *at = window->frame + (size_t)lane * window->frame_stride + address[lane];
        for (uint32_t e = 0; e < count; e++) {
            if (store)
                store_element(operation, registers, lane, e, at + bytes * e, bytes);
            else
                simt_access_load_element(operation, registers, lane, e, at + bytes * e, bytes);
        }
    }
}

HANDLER(load_frame) {
    (void)predicates;
    frame_access(operation, registers, mask, false);
}

HANDLER(store_frame) {
    (void)predicates;
    frame_access(operation, registers, mask, true);
}

/* ---- address conversion */

static void convert_address(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                            uint64_t clear, uint64_t set) {
    uint8_t *to = registers + operation->destination[0];
    const uint8_t *from = registers + operation->source[0];
    bool wide = operation->instruction->type != PTX_U32;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t value = 0;
        memcpy(&value, from + (wide ? 8 : 4) * lane, wide ? 8 : 4);
        value = (value & ~clear) | set;
        memcpy(to + (wide ? 8 : 4) * lane, &value, wide ? 8 : 4);
    }
}

/* The plain loops run for all lanes and become vector code; masked forms spare other lanes. */
#define ADDRESS_HANDLERS(name, clear, set)                                                                   \
    HANDLER(name) {                                                                                          \
        (void)predicates;                                                                                    \
        convert_address(operation, registers, mask, clear, set);                                             \
    }                                                                                                        \
    HANDLER(name##_full) {                                                                                   \
        (void)predicates;                                                                                    \
        if (operation->instruction->type == PTX_U32) {                                                       \
            convert_address(operation, registers, mask, clear, set);                                         \
            return;                                                                                          \
        }                                                                                                    \
        uint64_t *to = (uint64_t *)(void *)(registers + operation->destination[0]);                          \
        const uint64_t *from = (const uint64_t *)(const void *)(registers + operation->source[0]);           \
        uint64_t value[SIMT_LANES];                                                                          \
        for (int i = 0; i < SIMT_LANES; i++)                                                                 \
            value[i] = (from[i] & ~(uint64_t)(clear)) | (set);                                               \
        memcpy(to, value, sizeof value);                                                                     \
    }
ADDRESS_HANDLERS(address_same, 0, 0)
ADDRESS_HANDLERS(address_to_shared_window, SIMT_WINDOW_MASK, SIMT_SHARED_WINDOW)
ADDRESS_HANDLERS(address_to_local_window, SIMT_WINDOW_MASK, SIMT_LOCAL_WINDOW)
ADDRESS_HANDLERS(address_from_window, SIMT_WINDOW_MASK, 0)

/* mapa: the same place in another block of the cluster. getctarank: whose place it is. */
HANDLER(map_or_rank) {
    (void)predicates;
    const struct block *block = window_header(registers)->warp->block;
    bool map = operation->instruction->opcode == PTX_MAPA;
    uint32_t bytes = ptx_type_bytes(operation->instruction->type), into = map ? bytes : 4;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t address = 0;
        memcpy(&address, registers + operation->source[0] + (size_t)bytes * lane, bytes);
        address =
            map ? simt_cluster_address(block, address, lane_value(registers, operation->source[1], lane))
                : simt_cluster_rank_of(block, address);
        memcpy(registers + operation->destination[0] + (size_t)into * lane, &address, into);
    }
}

/* Memory is in order here; only the search for races needs fences. */
HANDLER(fence) {
    (void)operation, (void)predicates;
    struct window_header *window = window_header(registers);
    if (window->races != NULL)
        simt_races_fence(window->races, window->warp, mask);
}

/* griddepcontrol.wait: what any thread of the block does from here on comes after the kernel before,
 * for the block may have met since (a barrier, an mbarrier). */
HANDLER(wait_for_grid) {
    (void)operation, (void)predicates;
    if (mask != 0)
        window_header(registers)->warp->block->waited = true;
}

/* ---- choice of handlers */

static simt_access_table *access_table(void) {
    static simt_access_table *const copies[] = {
        [SIMT_BASELINE] = simt_access_baseline,
#ifdef __x86_64__
        [SIMT_V3] = simt_access_v3,
        [SIMT_V4] = simt_access_v4,
#endif
    };
    return copies[simt_host_variant()];
}

static uint32_t extension(enum ptx_type type, uint32_t register_width) {
    bool is_signed = ptx_type_is_signed(type);
    if (register_width == 8 && ptx_type_bytes(type) < 8)
        return is_signed ? EXTEND_SIGN_TO_64 : EXTEND_ZERO_TO_64;
    if (!is_signed || ptx_type_bytes(type) >= 4)
        return EXTEND_ZERO;
    return register_width <= 2 ? EXTEND_SIGN_TO_16 : EXTEND_SIGN_TO_32;
}

static bool select_access(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                          uint32_t parameter_bytes, struct simt_operation *operation) {
    bool store = ptx_nature(instruction)->memory == PTX_MEMORY_STORE;
    uint32_t count = store ? instruction->sources - 1u : instruction->destinations;
    uint32_t bytes = ptx_type_bytes(instruction->type);
    const struct ptx_operand *address = &operands[instruction->destinations];
    const struct ptx_operand *value = store ? &operands[1] : &operands[0];
    if (!bytes || bytes > 8 || count > 4 || bytes * count > 16 || count == 3 || !count)
        return false;
    operation->immediate = bytes << ACCESS_BYTES_SHIFT | count << ACCESS_COUNT_SHIFT;
    uint32_t register_width = 4;
    for (uint32_t i = 0; i < count; i++)
        if (value[i].kind != PTX_OPERAND_NONE)
            register_width = value[i].width;
    if (store && register_width == 8 && bytes < 8)
        operation->immediate |= ACCESS_VALUE_64;
    if (!store)
        operation->immediate |= extension(instruction->type, register_width);
    if (address->slot >= 0 && address->width != 8)
        operation->immediate |= ACCESS_ADDRESS_32;
    if (address->slot < 0)
        operation->immediate |= ACCESS_FIXED;
    if (instruction->flags & PTX_VOLATILE)
        operation->immediate |= ACCESS_POLL | ACCESS_BYPASS_L1;
    if (instruction->flags & PTX_CACHE_L2_ONLY)
        operation->immediate |= ACCESS_BYPASS_L1;
    switch (instruction->space) {
    case PTX_GENERIC:
    case PTX_GLOBAL: operation->full = access_table()(PTX_GLOBAL, store, bytes, count); break;
    case PTX_SHARED: operation->full = access_table()(PTX_SHARED, store, bytes, count); break;
    case PTX_LOCAL: operation->full = store ? store_local : load_local; break;
    case PTX_CONST: operation->full = store ? NULL : simt_access_load_constant; break;
    case PTX_PARAM_ENTRY:
        operation->full = store ? NULL : load_entry_parameter;
        if (!store && address->slot < 0 && address->value >= 0 &&
            (uint64_t)address->value + bytes * count <= parameter_bytes) {
            operation->full = access_table()(PTX_PARAM_ENTRY, false, bytes, count);
            operation->offset = address->value;
        }
        break;
    case PTX_PARAM_FRAME: operation->full = store ? store_frame : load_frame; break;
    default: operation->full = NULL; break;
    }
    operation->masked = operation->full;
    return operation->full != NULL;
}

static bool select_conversion(const struct ptx_instruction *instruction, struct simt_operation *operation) {
    bool to_generic = instruction->form == PTX_TO_GENERIC;
    switch (instruction->space) {
    case PTX_SHARED:
        operation->full = to_generic ? address_to_shared_window_full : address_from_window_full;
        operation->masked = to_generic ? address_to_shared_window : address_from_window;
        return true;
    case PTX_LOCAL:
        operation->full = to_generic ? address_to_local_window_full : address_from_window_full;
        operation->masked = to_generic ? address_to_local_window : address_from_window;
        return true;
    case PTX_GLOBAL:
        operation->full = address_same_full;
        operation->masked = address_same;
        return true;
    case PTX_CONST:
        operation->full = operation->masked =
            to_generic ? simt_access_constant_to_generic : simt_access_generic_to_constant;
        return true;
    default: return false;
    }
}

bool simt_memory_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                        uint32_t parameter_bytes, struct simt_operation *operation) {
    switch ((enum ptx_memory)ptx_nature(instruction)->memory) {
    case PTX_MEMORY_LOAD:
    case PTX_MEMORY_STORE: return select_access(instruction, operands, parameter_bytes, operation);
    case PTX_MEMORY_ATOMIC:
        return instruction->opcode == PTX_MBARRIER ? simt_mbarrier_select(instruction, operands, operation)
                                                   : simt_atomic_select(instruction, operands, operation);
    case PTX_MEMORY_COPY: return simt_access_select_copy(instruction, operands, operation);
    case PTX_MEMORY_PREFETCH: simt_access_select_prefetch(operands, operation); return true;
    case PTX_MEMORY_NONE: break;
    }
    switch (instruction->opcode) {
    case PTX_CVTA: return select_conversion(instruction, operation);
    case PTX_ISSPACEP: operation->full = operation->masked = simt_access_is_space; return true;
    case PTX_MBARRIER_COUNT: operation->full = operation->masked = simt_mbarrier_pending; return true;
    case PTX_MAPA:
    case PTX_GETCTARANK: operation->full = operation->masked = map_or_rank; return true;
    case PTX_MEMBAR: operation->full = operation->masked = fence; return true;
    case PTX_GRID_WAIT: operation->full = operation->masked = wait_for_grid; return true;
    case PTX_CP_ASYNC_COMMIT:
    case PTX_CP_ASYNC_WAIT:
    case PTX_BULK_COMMIT:
    case PTX_BULK_WAIT: simt_access_select_wait(instruction, operands, operation); return true;
    default: return false;
    }
}

bool simt_instruction_has_site(const struct ptx_instruction *instruction) {
    return ptx_nature(instruction)->memory != PTX_MEMORY_NONE && instruction->space != PTX_PARAM_ENTRY &&
           instruction->space != PTX_PARAM_FRAME;
}
