/* atomic.c: atomics and reductions on global and shared memory. The lanes of a warp take turns in
 * ascending order.
 *
 * With several host threads, global operations are the host's own atomics. A kernel whose result
 * could depend on the order of its blocks (function->uses_ordered_atomics) runs on one thread.
 * Order across warps is relaxed, as on hardware. */
#include "gpu/simt/access/access.h"
#include "gpu/simt/check/races.h"
#include "gpu/simt/compute/half.h"
#include "gpu/simt/observe/observe.h"

#include <stdlib.h>
#include <string.h>

struct atomic_operation {
    uint32_t form, type, bytes;
};

static uint64_t sign_extend(uint64_t value, uint32_t bytes) {
    unsigned shift = 64 - 8 * bytes;
    return (uint64_t)((int64_t)(value << shift) >> shift);
}

static uint32_t add_float(uint32_t a, uint32_t b) {
    float x, y;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    x += y;
    memcpy(&a, &x, 4);
    return x != x ? 0x7fffffff : a; /* the GPU's NaN */
}

static uint64_t add_double(uint64_t a, uint64_t b) {
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x += y;
    memcpy(&a, &x, 8);
    return a;
}

static uint64_t add(uint32_t type, uint64_t old, uint64_t b) {
    switch (type) {
    case PTX_F32: return add_float((uint32_t)old, (uint32_t)b);
    case PTX_F64: return add_double(old, b);
    case PTX_F16: return half_add((uint16_t)old, (uint16_t)b);
    case PTX_BF16: return bfloat_add((uint16_t)old, (uint16_t)b);
    case PTX_F16X2:
        return half_add((uint16_t)old, (uint16_t)b) |
               (uint32_t)half_add((uint16_t)(old >> 16), (uint16_t)(b >> 16)) << 16;
    case PTX_BF16X2:
        return bfloat_add((uint16_t)old, (uint16_t)b) |
               (uint32_t)bfloat_add((uint16_t)(old >> 16), (uint16_t)(b >> 16)) << 16;
    default: return old + b;
    }
}

/* The value in memory after the operation. Values are zero-extended to 64 bits. */
static uint64_t combine(const struct atomic_operation *atomic, uint64_t old, uint64_t b, uint64_t c) {
    bool less;
    switch (atomic->form) {
    case PTX_ATOM_AND: return old & b;
    case PTX_ATOM_OR: return old | b;
    case PTX_ATOM_XOR: return old ^ b;
    case PTX_ATOM_EXCH: return b;
    case PTX_ATOM_CAS: return old == b ? c : old;
    case PTX_ATOM_ADD: return add(atomic->type, old, b);
    case PTX_ATOM_INC: return old >= b ? 0 : old + 1;
    case PTX_ATOM_DEC: return old == 0 || old > b ? b : old - 1;
    default:
        less = ptx_type_is_signed(atomic->type)
                   ? (int64_t)sign_extend(old, atomic->bytes) < (int64_t)sign_extend(b, atomic->bytes)
                   : old < b;
        return less == (atomic->form == PTX_ATOM_MIN) ? old : b;
    }
}

#define UPDATE(type)                                                                                         \
    {                                                                                                        \
        type *word = (type *)(void *)at, expected, wanted;                                                   \
        expected = __atomic_load_n(word, __ATOMIC_RELAXED);                                                  \
        do                                                                                                   \
            wanted = (type)combine(atomic, expected, b, c);                                                  \
        while (!__atomic_compare_exchange_n(word, &expected, wanted, false, __ATOMIC_SEQ_CST,                \
                                            __ATOMIC_RELAXED));                                              \
        return expected;                                                                                     \
    }

/* Returns the value before the operation. */
static uint64_t update(const struct atomic_operation *atomic, uint8_t *at, uint64_t b, uint64_t c,
                       bool host_atomic) {
    if (!host_atomic) {
        uint64_t old = 0, wanted;
        memcpy(&old, at, atomic->bytes);
        wanted = combine(atomic, old, b, c);
        memcpy(at, &wanted, atomic->bytes);
        return old;
    }
    switch (atomic->bytes) {
    case 2: UPDATE(uint16_t)
    case 4: UPDATE(uint32_t)
    default: UPDATE(uint64_t)
    }
}

static uint64_t lane_source(const uint8_t *registers, uint32_t source, uint32_t lane, uint32_t bytes) {
    uint64_t value = 0;
    if (source == SIMT_NO_OPERAND)
        return 0;
    if (bytes == 8)
        memcpy(&value, registers + source + 8 * lane, 8);
    else
        memcpy(&value, registers + source + 4 * lane, bytes);
    return value;
}

/* The lanes that access memory. ptxas lets lanes with provably one address combine (REDUX), and one
 * lane go. This holds for 32-bit integers, and for 64-bit ones where all add the same constant. */
static uint32_t lanes_that_go(const struct window_header *window, const struct simt_operation *operation,
                              const uint64_t *address, uint32_t mask) {
    const struct ptx_instruction *instruction = operation->instruction;
    const struct ptx_operand *value =
        &window->code->function->operands[instruction->operand + instruction->destinations + 1];
    bool integer = !ptx_type_is_float(instruction->type) && instruction->form != PTX_ATOM_CAS &&
                   instruction->form != PTX_ATOM_EXCH;
    bool sums_up = ptx_type_bytes(instruction->type) == 4 ||
                   (instruction->form == PTX_ATOM_ADD && value->kind == PTX_OPERAND_IMMEDIATE);
    bool agree =
        integer && sums_up && instruction->flags & PTX_UNIFORM && simt_access_apart(address, mask) == 1;
    return agree ? mask & -mask : mask;
}

/* For each sector of the list, the number of lanes at its most wanted word. passes[i]: the sum over
 * line i; returns the sum over all lines. */
static uint32_t count_passes(const struct sector_list *list, const uint64_t *address, uint32_t mask,
                             uint32_t passes[SIMT_LANES]) {
    uint8_t most[SIMT_LANES][4] = {{0}}, lanes[SIMT_LANES] = {0};
    struct key_places lines = {{0}}, words = {{0}};
    uint64_t word[SIMT_LANES];
    uint32_t sum = 0, count = 0;
    for (uint32_t i = 0; i < list->lines; i++)
        *key_place(&lines, list->line, list->line[i]) = (uint8_t)(i + 1);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t at = address[__builtin_ctz(left)];
        uint8_t *place = key_place(&words, word, at);
        if (!*place) {
            word[count++] = at;
            *place = (uint8_t)count;
        }
        uint8_t *sector = &most[*key_place(&lines, list->line, at >> 7) - 1][at >> 5 & 3];
        lanes[*place - 1]++;
        *sector = lanes[*place - 1] > *sector ? lanes[*place - 1] : *sector;
    }
    for (uint32_t i = 0; i < list->lines; i++) {
        passes[i] = (uint32_t)most[i][0] + most[i][1] + most[i][2] + most[i][3];
        sum += passes[i];
    }
    return sum;
}

/* Which 4 bytes of a line the first of these lanes has there, from 1 on; 0: none has any. */
static uint32_t first_word(const uint64_t *address, uint32_t lanes, uint64_t line) {
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint64_t at = address[__builtin_ctz(left)];
        if (at >> 7 == line)
            return (uint32_t)(at >> 2 & 31) + 1;
    }
    return 0;
}

/* swapped: the lanes whose compare and swap changed their word. */
static void count_global_atomic(struct window_header *window, const struct simt_operation *operation,
                                struct site *site, const uint64_t *address, uint32_t mask, uint32_t swapped) {
    struct sector_list list;
    uint32_t passes[SIMT_LANES];
    sector_list_fill(&list, address, mask);
    uint32_t sum = count_passes(&list, address, lanes_that_go(window, operation, address, mask), passes);
    count_request(site, (uint32_t)__builtin_popcount(mask), list.sectors, sum, list.sectors);
    bool is_float = ptx_type_is_float(operation->instruction->type);
    for (uint32_t i = 0; window->sm->l1.sets != NULL && i < list.lines; i++)
        l1_log_atomic(&window->sm->l1, list.line[i], is_float ? CACHE_FLOAT_ATOMIC : CACHE_ATOMIC,
                      list.bits[i], passes[i], first_word(address, swapped, list.line[i]));
}

bool simt_atomic_loops(const struct ptx_instruction *instruction) {
    bool swaps = instruction->form == PTX_ATOM_CAS || instruction->form == PTX_ATOM_EXCH;
    return !swaps && (ptx_type_is_float(instruction->type) || ptx_type_bytes(instruction->type) != 4);
}

/* Counts where lanes sum by a loop: warps of the block that sum at one word make each other try again. */
static void count_sums(const struct window_header *window, const uint64_t *address, uint32_t mask) {
    struct block *block = window->warp->block;
    if (block->sums == NULL)
        block->sums = calloc(window->shared_bytes / 4 + 1, sizeof *block->sums);
    if (block->sums == NULL)
        simt_fault_other(window->worker, window->warp, NULL, 0, SIMT_OUT_OF_MEMORY,
                         "the simulator ran out of memory");
    for (uint32_t left = mask; left; left &= left - 1)
        if (address[__builtin_ctz(left)] < window->shared_bytes)
            block->sums[address[__builtin_ctz(left)] / 4]++;
}

/* Whether the machine code counts the lanes at each word and adds their number (ATOMS.POPC.INC): they go
 * together. */
static bool counts_lanes(const struct window_header *window, const struct simt_operation *operation) {
    const struct ptx_instruction *in = operation->instruction;
    const struct ptx_operand *value = &window->code->function->operands[in->operand + in->destinations + 1];
    bool one = in->form == PTX_ATOM_ADD   ? value->value == 1
               : in->form == PTX_ATOM_INC ? (uint32_t)value->value == UINT32_MAX
                                          : false;
    return one && value->kind == PTX_OPERAND_IMMEDIATE && !ptx_type_is_float(in->type) &&
           ptx_type_bytes(in->type) == 4 && operation->destination[0] == SIMT_NO_OPERAND;
}

/* Lanes at the most wanted word. */
static uint32_t lanes_at_a_word(const uint64_t *address, uint32_t mask) {
    uint32_t most = 0;
    for (uint32_t left = mask, same; left; left &= ~same) {
        same = 0;
        for (uint32_t i = 0; i < SIMT_LANES; i++)
            same |= (uint32_t)(address[i] == address[__builtin_ctz(left)]) << i;
        same &= left;
        most = (uint32_t)__builtin_popcount(same) > most ? (uint32_t)__builtin_popcount(same) : most;
    }
    return most;
}

/* Lanes that access one bank queue there, at one word or at several. Of 8 bytes half a warp comes at a
 * time, but those at one word queue all the same. */
static void count_shared_atomic(const struct window_header *window, const struct simt_operation *operation,
                                struct site *site, const uint64_t *address, uint32_t mask) {
    enum { BANKS = 32, HALF = 16 };
    bool loops = simt_atomic_loops(operation->instruction), wide = access_bytes(operation) == 8;
    uint32_t going = lanes_that_go(window, operation, address, mask);
    uint32_t in_bank[BANKS] = {0}, most = wide ? lanes_at_a_word(address, going) : 0;
    bool together = counts_lanes(window, operation);
    if (together) {
        uint32_t narrow[SIMT_LANES];
        for (uint32_t i = 0; i < SIMT_LANES; i++)
            narrow[i] = (uint32_t)address[i];
        most = simt_shared_wavefronts(narrow, going, 4, false).count;
    }
    for (uint32_t left = together ? 0 : going; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), bank = (uint32_t)(address[lane] >> 2) % BANKS;
        if (wide)
            bank = bank / 2 + lane / HALF * HALF;
        in_bank[bank]++;
        most = in_bank[bank] > most ? in_bank[bank] : most;
    }
    if (loops)
        count_sums(window, address, mask);
    count_request(site, (uint32_t)__builtin_popcount(mask), 1, (loops ? SIMT_LOOP_PASSES : 1) * most, 1);
}

static void run_atomic(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                       uint32_t mask) {
    (void)predicates;
    struct window_header *window = window_header(registers);
    uint32_t bytes = access_bytes(operation), space = operation->instruction->space;
    struct atomic_operation atomic = {operation->instruction->form, operation->instruction->type, bytes};
    bool host_atomic = window->worker->launch->shared_memory_atomics;
    uint64_t address[SIMT_LANES], result[SIMT_LANES];
    uint8_t *host[SIMT_LANES];
    uint32_t in_shared = 0, in_global = 0, in_cluster = 0; /* in_cluster: shared memory, any block's */
    access_addresses(operation, registers, address);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        bool shared = space == PTX_SHARED || (address[lane] & SIMT_WINDOW_MASK) == SIMT_SHARED_WINDOW;
        uint64_t reached = space == PTX_SHARED ? address[lane] | SIMT_SHARED_WINDOW : address[lane];
        host[lane] = simt_lane_memory(window, lane, reached, bytes);
        if (host[lane] == NULL || address[lane] % bytes)
            host[lane] = simt_access_stray(window, operation, lane, address[lane], bytes, true,
                                           shared ? PTX_SHARED : PTX_GLOBAL);
        if (shared) {
            address[lane] &= ~SIMT_WINDOW_MASK;
            in_cluster |= 1u << lane;
            in_shared |= (uint32_t)(address[lane] < window->shared_bytes) << lane;
        } else {
            in_global |= 1u << lane;
        }
    }
    struct site *sites = &window->sites[operation->site];
    if (in_cluster && !window->sm->results_alone)
        count_shared_atomic(window, operation, sites + (space == PTX_SHARED ? 0 : SITE_SHARED), address,
                            in_cluster);
    (void)trace_lanes(window, operation, address, in_global, bytes, true);
    if (in_global && window->observer != NULL)
        simt_observe_request(window, sites, address, in_global, bytes);
    if (in_shared && window->observer != NULL)
        simt_observe_request(window, sites + (space == PTX_SHARED ? 0 : SITE_SHARED), address, in_shared,
                             bytes);
    if (in_shared && window->races != NULL)
        simt_races_atomic(window, operation, address, in_shared, bytes);
    uint32_t swapped = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t b = lane_source(registers, operation->source[1], lane, bytes);
        uint64_t c = lane_source(registers, operation->source[2], lane, bytes);
        result[lane] = update(&atomic, host[lane], b, c, host_atomic && (in_global >> lane & 1));
        swapped |= (uint32_t)(atomic.form == PTX_ATOM_CAS && result[lane] == b && b != c) << lane;
    }
    if (in_global && !window->sm->results_alone)
        count_global_atomic(window, operation, sites, address, in_global, swapped & in_global);
    if (operation->destination[0] != SIMT_NO_OPERAND) {
        uint8_t *to = registers + operation->destination[0];
        for (uint32_t left = mask; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left), narrow = (uint32_t)result[lane];
            if (bytes == 8)
                memcpy(to + 8 * lane, &result[lane], 8);
            else
                memcpy(to + 4 * lane, &narrow, 4);
        }
    }
    window->worker->polled = true;
}

bool simt_atomic_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                        struct simt_operation *operation) {
    uint32_t bytes = ptx_type_bytes(instruction->type);
    if (bytes < 2 || bytes > 8)
        return false;
    if (instruction->space != PTX_GENERIC && instruction->space != PTX_GLOBAL &&
        instruction->space != PTX_SHARED)
        return false;
    if (ptx_forms[instruction->form].family != PTX_FORMS_ATOMIC || instruction->destinations > 1)
        return false;
    if (ptx_type_is_float(instruction->type) && instruction->form != PTX_ATOM_ADD &&
        instruction->form != PTX_ATOM_EXCH)
        return false;
    const struct ptx_operand *address = &operands[instruction->destinations];
    operation->immediate = bytes << ACCESS_BYTES_SHIFT | 1u << ACCESS_COUNT_SHIFT;
    if (address->slot >= 0 && address->width != 8)
        operation->immediate |= ACCESS_ADDRESS_32;
    operation->full = operation->masked = run_atomic;
    return true;
}
