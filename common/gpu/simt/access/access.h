/* access.h: loads and stores of a warp. Private to simt/.
 *   access_hot.c       the handlers, compiled for three vector widths like compute/
 *   access.c           the general case: several allocations or spaces, local memory, faults
 *   access_count.c     requests, sectors, wavefronts (global memory: count_global_lanes, below)
 *   access_constant.c  constant memory
 *   access_async.c     copies between global and shared memory
 *   mbarrier.c         barrier objects in shared memory */
#ifndef SIMT_ACCESS_H
#define SIMT_ACCESS_H

#include "base/footprint.h"
#include "gpu/simt/control/launch.h"

#include <stdint.h>
#include <string.h>

/* Bits of simt_operation.immediate in memory operations. */
enum {
    ACCESS_EXTEND_MASK = 7,     /* enum access_extend */
    ACCESS_ADDRESS_32 = 1 << 3, /* the address register is 32 bits wide */
    ACCESS_BYPASS_L1 = 1 << 4,
    ACCESS_POLL = 1 << 5,       /* volatile: other threads may change it */
    ACCESS_FIXED = 1 << 6,      /* the address is known at load time */
    ACCESS_VALUE_64 = 1 << 7,   /* stored values are in 64-bit lanes */
    ACCESS_BYTES_SHIFT = 8,     /* bytes of an element, 5 bits */
    ACCESS_COUNT_SHIFT = 13,    /* elements, 3 bits */
    ACCESS_SOURCE_32 = 1 << 16, /* copies: so is that of the source, of the mbarrier */
    ACCESS_BARRIER_32 = 1 << 17
};

/* How a loaded element fills its lane. */
enum access_extend {
    EXTEND_ZERO,
    EXTEND_SIGN_TO_16,
    EXTEND_SIGN_TO_32,
    EXTEND_ZERO_TO_64,
    EXTEND_SIGN_TO_64
};

static inline uint32_t access_bytes(const struct simt_operation *operation) {
    return operation->immediate >> ACCESS_BYTES_SHIFT & 31;
}
static inline uint32_t access_count(const struct simt_operation *operation) {
    return operation->immediate >> ACCESS_COUNT_SHIFT & 7;
}

/* Finds the handler of one copy. bytes is 1, 2, 4, 8; count is 1, 2, 4; space is global (or
 * generic) or shared. */
typedef simt_handler simt_access_table(enum ptx_space space, bool store, uint32_t bytes, uint32_t count);
simt_access_table simt_access_baseline, simt_access_v3, simt_access_v4;

/* The addresses of all lanes; those of lanes outside the mask are undefined. */
static inline void access_addresses(const struct simt_operation *operation, const uint8_t *registers,
                                    uint64_t address[SIMT_LANES]) {
    const uint8_t *source = registers + operation->source[0];
    if (operation->immediate & ACCESS_ADDRESS_32) {
        const uint32_t *base = (const uint32_t *)(const void *)source;
        for (int i = 0; i < SIMT_LANES; i++)
            address[i] = (uint32_t)(base[i] + (uint32_t)operation->offset);
    } else {
        const uint64_t *base = (const uint64_t *)(const void *)source;
        for (int i = 0; i < SIMT_LANES; i++)
            address[i] = base[i] + (uint64_t)operation->offset;
    }
}

/* The general case, for any space and lanes: checks every lane (a fault does not return), counts,
 * moves the data. */
void simt_access_slowly(const struct simt_operation *operation, uint8_t *registers, uint32_t mask,
                        enum ptx_space space, bool store);
/* Caches the segment in the operation's site if it holds all lanes. False: the general case must
 * run. */
bool simt_access_find_segment(struct window_header *window, const struct simt_operation *operation,
                              const uint64_t *address, uint32_t mask, uint32_t span, bool store);

/* Adds what the lanes in mask touch of device memory to the launch's footprint, or to the early one.
 * False: none is wanted. */
static inline bool trace_lanes(const struct window_header *window, const struct simt_operation *operation,
                               const uint64_t *address, uint32_t mask, uint32_t span, bool store) {
    const struct simt_device *device = window->worker->launch->device;
    bool early = device->early != NULL && !window->warp->block->waited;
    struct footprint *trace = early ? device->early : device->trace;
    const struct ptx_instruction *instruction = operation->instruction;
    bool atomic = ptx_nature(instruction)->memory == PTX_MEMORY_ATOMIC || instruction->flags & PTX_VOLATILE;
    for (uint32_t left = trace != NULL ? mask : 0; left; left &= left - 1)
        footprint_add(trace,
                      atomic  ? FOOTPRINT_ATOMIC
                      : store ? FOOTPRINT_WRITTEN
                              : FOOTPRINT_READ,
                      address[__builtin_ctz(left)], span);
    return trace != NULL;
}

/* The space of a generic address. */
static inline enum ptx_space access_space(uint64_t address) {
    switch (address & SIMT_WINDOW_MASK) {
    case SIMT_SHARED_WINDOW: return PTX_SHARED;
    case SIMT_LOCAL_WINDOW: return PTX_LOCAL;
    default: return PTX_GLOBAL;
    }
}
/* Extends one element of one lane, at `from` in host memory, into its register. */
void simt_access_load_element(const struct simt_operation *operation, uint8_t *registers, uint32_t lane,
                              uint32_t e, const uint8_t *from, uint32_t bytes);
/* ld.const; cvta of constant addresses; isspacep. */
void simt_access_load_constant(const struct simt_operation *operation, uint8_t *registers,
                               uint32_t *predicates, uint32_t mask);
void simt_access_constant_to_generic(const struct simt_operation *operation, uint8_t *registers,
                                     uint32_t *predicates, uint32_t mask);
void simt_access_generic_to_constant(const struct simt_operation *operation, uint8_t *registers,
                                     uint32_t *predicates, uint32_t mask);
void simt_access_is_space(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                          uint32_t mask);

/* Number of different addresses among the lanes of mask. */
uint32_t simt_access_apart(const uint64_t *address, uint32_t mask);

/* Host memory behind `bytes` bytes at a lane's address of one space; NULL: nothing is there. */
uint8_t *simt_access_memory(const struct window_header *window, enum ptx_space space, uint32_t lane,
                            uint64_t address, uint32_t bytes);

/* One lane's asynchronous copy, by generic addresses. Zeros follow the bytes that are brought. */
struct access_copy {
    uint64_t to, from, barrier; /* barrier: the mbarrier that counts its bytes; 0: none */
    uint32_t bytes, brought;
};
struct access_copy simt_access_copy_of(const struct simt_operation *operation, const uint8_t *registers,
                                       uint32_t lane);

/* Handlers of mbarriers. A copy's bytes have come: a fault does not return. */
bool simt_mbarrier_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                          struct simt_operation *operation);
void simt_mbarrier_pending(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                           uint32_t mask);
/* Says what an mbarrier that the line waits for has not got. */
void simt_mbarrier_describe(uint64_t object, uint32_t line, char *text, size_t size);
static inline uint64_t within_run(const struct window_header *window,
                                  const struct simt_operation *operation) {
    return (uint64_t)(operation - window->warp->run_first);
}
void simt_mbarrier_complete(struct window_header *window, const struct simt_operation *operation,
                            uint32_t lane, uint64_t address, uint32_t bytes);

/* Handlers of cp.async, of its commit and of its waits; of prefetches. False: not run. */
bool simt_access_select_copy(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                             struct simt_operation *operation);
void simt_access_select_prefetch(const struct ptx_operand *operands, struct simt_operation *operation);
void simt_access_select_wait(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                             struct simt_operation *operation);

/* Lines and sectors of a request in order of first touch. */
struct sector_list {
    uint32_t lines, sectors;
    uint64_t line[SIMT_LANES * 4];
    uint8_t bits[SIMT_LANES * 4];
};
static inline void sector_list_add(struct sector_list *list, uint64_t line, uint32_t bits,
                                   uint64_t *highest) {
    if (list->lines && list->line[list->lines - 1] == line) {
        list->bits[list->lines - 1] |= (uint8_t)bits;
        return;
    }
    if (!list->lines || line > *highest) {
        *highest = line;
    } else {
        for (uint32_t i = 0; i < list->lines; i++)
            if (list->line[i] == line) {
                list->bits[i] |= (uint8_t)bits;
                return;
            }
    }
    list->line[list->lines] = line;
    list->bits[list->lines++] = (uint8_t)bits;
}

/* Fills the list where each lane has a line of its own, in ascending order. False: it is not so. */
static inline bool sector_list_ascends(struct sector_list *list, const uint64_t *address) {
    uint32_t descents = 0;
    for (int i = 0; i < SIMT_LANES; i++)
        list->line[i] = address[i] >> 7;
    for (int i = 1; i < SIMT_LANES; i++)
        descents += list->line[i] <= list->line[i - 1];
    for (int i = 0; i < SIMT_LANES && descents == 0; i++)
        list->bits[i] = (uint8_t)(1u << (address[i] >> 5 & 3));
    list->lines = list->sectors = SIMT_LANES;
    return descents == 0;
}

/* Up to 32 different keys by their hash: 1 + the index of a key; 0: none. */
struct key_places {
    uint8_t at[256];
};
/* The key's place, or that for it: then 0 is there. */
static inline uint8_t *key_place(struct key_places *places, const uint64_t *keys, uint64_t key) {
    uint32_t place = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 56);
    while (places->at[place] && keys[places->at[place] - 1] != key)
        place = (place + 1) % sizeof places->at;
    return &places->at[place];
}

/* Fills the list with the 32-byte sectors of one warp's access. A lane's bytes are aligned to their
 * number, so they lie in one sector. */
static inline void sector_list_fill(struct sector_list *list, const uint64_t *address, uint32_t mask) {
    struct key_places places;
    if (mask == UINT32_MAX && sector_list_ascends(list, address))
        return;
    memset(&places, 0, sizeof places);
    list->lines = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t lane = address[__builtin_ctz(left)], line = lane >> 7;
        uint32_t i = list->lines - 1;
        if (i == UINT32_MAX || list->line[i] != line) {
            uint8_t *place = key_place(&places, list->line, line);
            if (!*place) {
                list->line[list->lines] = line;
                list->bits[list->lines++] = 0;
                *place = (uint8_t)list->lines;
            }
            i = *place - 1u;
        }
        list->bits[i] |= (uint8_t)(1u << (lane >> 5 & 3));
    }
    list->sectors = 0;
    for (uint32_t i = 0; i < list->lines; i++)
        list->sectors += cache_sectors(list->bits[i]);
}

static inline void cache_access(struct l1_cache *l1, uint64_t line, uint32_t sectors,
                                enum cache_request request, bool bypass) {
    if (request != CACHE_READ) {
        if (!bypass)
            l1_keep(l1, line, request == CACHE_WRITE ? sectors : 0);
        l1_write(l1, line, sectors, request);
    } else if (bypass) {
        l1->read_sectors += cache_sectors(sectors);
        l1_log(l1, line, CACHE_READ, sectors);
    } else {
        l1_read(l1, line, sectors);
    }
}

/* L1's counts before a request. */
struct l1_before {
    uint64_t read, waiting;
    size_t logged;
};
static inline struct l1_before l1_now(const struct l1_cache *l1) {
    return (struct l1_before){l1->read_sectors, l1->waiting_sectors, l1->log_count};
}

/* Adds to the site the request's sectors that L1 did not hold, or was still fetching. The site is
 * the owner of what L1 asks L2 for. */
static inline void count_late(struct site *site, struct l1_cache *l1, const struct l1_before *before) {
    uint64_t missed = l1->read_sectors - before->read, waiting = l1->waiting_sectors - before->waiting;
    site->missed += missed;
    site->waited += waiting;
    site->late += missed + waiting > 0;
    for (size_t i = before->logged; i < l1->log_count; i++)
        if (cache_is_counted(l1->log[i]))
            l1->log[i] |= (uint64_t)site->owner << CACHE_OWNER_SHIFT;
}

static inline void count_request(struct site *site, uint32_t threads, uint32_t transactions, uint32_t lines,
                                 uint32_t least) {
    site->requests++;
    site->threads += threads;
    site->transactions += transactions;
    site->lines += lines;
    site->ideal += least < transactions ? least : transactions;
}

/* Wavefronts of a shared access of `span` bytes (1 to 16) a lane: 32 banks of 4 bytes. README.md
 * has the measured rules. ideal: wavefronts without conflicts. */
struct wavefronts {
    uint32_t count, ideal;
};
struct wavefronts simt_shared_wavefronts(const uint32_t *address, uint32_t mask, uint32_t span, bool store);

/* Counts passes of L1's data, which lie in banks as shared memory does. Samples one request of
 * eight, chosen by its offset in its page, so the sample does not depend on host threads or the
 * buffer's address. */
void simt_count_bank_passes(struct site *site, const uint64_t *address, uint32_t mask, uint32_t span,
                            bool store);
static inline bool passes_are_counted(uint64_t address) {
    return (address >> 2 & ((1 << 19) - 1)) * UINT64_C(0x9E3779B97F4A7C15) >> 61 == 0;
}

static inline bool is_one_place(const uint64_t *address, uint32_t mask) {
    uint64_t first = address[__builtin_ctz(mask)], other = 0;
    uint32_t left = mask;
    if (mask == UINT32_MAX) { /* without a branch for each lane */
        for (int i = 0; i < SIMT_LANES; i++)
            other |= address[i] ^ first;
        return other == 0;
    }
    while (left && address[__builtin_ctz(left)] == first)
        left &= left - 1;
    return left == 0;
}

/* Whether a store of parts of sectors goes to the same lines as the warp's store before. */
static inline bool store_joins(struct l1_cache *l1, const struct sector_list *list) {
    bool same = list->lines == l1->part_lines;
    l1->part_lines = list->lines <= L1_JOINED ? list->lines : 0;
    for (uint32_t i = 0; i < l1->part_lines; i++) {
        same &= l1->part_line[i] == list->line[i];
        l1->part_line[i] = list->line[i];
    }
    return same && list->lines <= L1_JOINED;
}

/* Counts a request of the lanes in mask, `span` bytes each, at the site: its sectors and lines, and
 * which of them L1 holds. */
static inline void count_global_lanes(struct window_header *window, struct site *site,
                                      const uint64_t *address, uint32_t mask, uint32_t span, bool store,
                                      bool bypass) {
    struct sector_list list;
    if (window->sm->results_alone)
        return;
    sector_list_fill(&list, address, mask);
    uint32_t threads = (uint32_t)__builtin_popcount(mask);
    count_request(site, threads, list.sectors, list.lines, (threads * span + 31) / 32);
    if (mask && passes_are_counted(address[__builtin_ctz(mask)]))
        simt_count_bank_passes(site, address, mask, span, store);
    struct l1_before before = l1_now(&window->sm->l1);
    bool whole = threads * span >= 32 * list.sectors && !(list.sectors == 1 && is_one_place(address, mask));
    enum cache_request request = !store ? CACHE_READ : whole ? CACHE_WRITE : CACHE_WRITE_PART;
    if (window->sm->l1.sets != NULL && request == CACHE_READ && !bypass)
        simt_l1_read_lines(&window->sm->l1, list.line, list.bits, list.lines);
    else
        for (uint32_t i = 0; window->sm->l1.sets != NULL && i < list.lines; i++)
            cache_access(&window->sm->l1, list.line[i], list.bits[i], request, bypass);
    if (request == CACHE_WRITE_PART)
        site->joined += store_joins(&window->sm->l1, &list);
    count_late(site, &window->sm->l1, &before);
}
void simt_count_local(struct window_header *window, struct site *site, const uint64_t *address, uint32_t mask,
                      uint32_t span, bool store, bool bypass);
void simt_count_shared_lanes(struct site *site, const uint64_t *address, uint32_t mask, uint32_t span,
                             bool store);

/* ---- queue.c: atomics queue at their words in L2. A pass serves one word of each place of a
 * sector; lanes that want the same word take a pass each. Passes are counted by 128-byte line and
 * by slice of L2, which makes one pass at a time. Some ten thousand passes are under way together;
 * they end when their busiest slice is done. */
struct queue;

/* Makes a queue for `slices` slices; free() it. NULL: out of memory. */
struct queue *simt_queue_create(uint32_t slices);
/* Adds an atomic request from an L1's log (memory/cache.h). */
void simt_queue_add(struct queue *queue, uint64_t logged);
/* Adds a store from an L1's log. */
void simt_queue_add_store(struct queue *queue, uint64_t logged);
/* Called after each round in which all SMs have sent their requests. */
void simt_queue_turn(struct queue *queue);
/* Passes at the busiest line; for floats, if larger, 2.5 for each pass at the busiest word. */
uint64_t simt_queue_longest(const struct queue *queue);
/* Compare-and-swaps that changed the word that has most of them. */
uint64_t simt_queue_longest_of_swaps(const struct queue *queue);
/* Stores at the line with most stores. */
uint64_t simt_queue_longest_of_stores(const struct queue *queue);
/* Passes of the busiest slice, added up over the windows. */
uint64_t simt_queue_busiest_slices(const struct queue *queue);

#endif
