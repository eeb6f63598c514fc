/*
 * code.h: functions as they run: decoded operations, constants, loops, the sites where accesses are counted; modules and
 * kernels. Private to simt/.
 */
#ifndef SIMT_CODE_H
#define SIMT_CODE_H

#include "gpu/simt/memory/device.h"
#include "gpu/simt/operation.h"

/* A lane vector or predicate mask that is filled before the program runs and never written by it. */
enum constant_kind {
    CONSTANT_VALUE,        /* the same in every launch */
    CONSTANT_SPECIAL,      /* a special register: per launch, block or warp */
    CONSTANT_LOCAL_ADDRESS /* value + the frame's base in local memory */
};

struct constant {
    uint8_t kind, width;
    uint32_t slot;
    int64_t value; /* or enum ptx_special */
};

/* A loop: what branches back to its head are around. trips.c counts how often warps go round it. */
struct code_loop {
    uint32_t head, last;
    uint32_t outer; /* the smallest that holds it, TRIPS_NO_LOOP: none */
};
#define TRIPS_NO_LOOP UINT32_MAX

/* What a branch does to loops. All zeros, but for `inner`: nothing. */
enum { TRIPS_TAKEN = 1, TRIPS_FALL = 2, TRIPS_ANY = TRIPS_TAKEN | TRIPS_FALL };
struct trip_mark {
    uint32_t back;  /* 1 + the loop to whose head it goes, 0: it goes forward */
    uint32_t inner; /* the smallest loop that holds it, TRIPS_NO_LOOP: none */
    uint8_t leaves; /* that loop: where it is taken, where it is not */
};

/* A function ready to run. operations[i] is instruction i. */
struct code {
    const struct ptx_function *function;
    struct simt_module *module;
    uint32_t index;
    uint32_t count;
    struct simt_operation *operations;
    struct simt_operation *inner; /* what guarded operations run under their predicate */
    uint32_t inner_count;
    uint8_t *control;     /* enum ptx_control, count + 1 entries: the function's end returns */
    uint8_t *member_mask; /* 1 + source index of the member mask: lanes named there must run it as one */
    uint32_t *run_end;    /* first instruction at or after i that is control */
    uint32_t *leader_end; /* first after i that is a leader (or at i: control) */
    uint32_t slots, predicates; /* with the constants */
    struct constant *constants;
    uint32_t constant_count;
    uint32_t *warp_constants; /* of these, those that differ from warp to warp: filled at each start */
    uint32_t warp_constant_count;
    uint32_t *constant_predicates;                          /* masks from function->predicates on */
    uint32_t predicates_offset, frame_offset, window_bytes; /* bytes from the window's registers */
    uint32_t first_count, first_site, first_loop; /* where its counts start in the module's flat arrays */
    struct code_loop *loops;
    uint32_t loop_count;
    struct trip_mark *trip_marks;  /* of each instruction */
    bool uses_grid, uses_reserved; /* reads where the grid meets; where reserved shared memory lies */
};

/* One memory instruction, per host thread: the allocation it touched last, and its counts. Two cache lines. An
 * instruction has one for what it does to global (or its own) space; generic ones use a second for shared, a third
 * for local memory. */
struct site {
    _Alignas(64) uint64_t start; /* of the segment; what every access needs lies in one cache line */
    uint64_t limit;              /* an access may start at start + [0, limit); 0: none yet */
    uint64_t host_offset;        /* host pointer = address + host_offset */
    uint64_t requests, transactions, ideal, threads, lines;
    uint64_t missed;         /* sectors of loads that L1 does not have */
    uint64_t waited;         /* of those it has: on their way */
    uint64_t late;           /* requests with any such sector */
    uint64_t passes, looked; /* of L1's data banks, where requests to global memory were looked at */
    uint32_t owner;          /* of what L1 asks L2 for: 1 + its number; 0: nobody's, there are too many */
};

enum { SITE_OWN, SITE_SHARED, SITE_LOCAL, SITES_PER_INSTRUCTION };

struct site_info {
    const struct code *code;
    uint32_t instruction;
};

struct simt_kernel {
    struct simt_module *module;
    struct code *code;
    struct simt_resources resources;
};

/* What cooperative groups of several warps keep in shared memory lies behind the program's own. */
enum { SIMT_RESERVED_SHARED = 1024 };

/*
 * A module's constant variables: a space of their own, whose addresses are those in device memory less `base`. Nothing is
 * at 0. The bytes that a load may reach: with strict checks one variable at a time.
 */
struct constant_bank {
    uint64_t base, start, end; /* of device memory; start == end: there are none */
};

struct simt_module {
    struct simt_device *device;
    const struct ptx_module *program;
    struct code *codes;
    struct simt_kernel *kernels; /* one for each function; only entries are handed out */
    uint64_t *symbol_addresses;  /* in device memory */
    struct constant_bank bank;
    uint32_t count_total, site_total, loop_total;
    struct site_info *sites;
};

/* A variable's address in its own space: constant ones have other addresses there than in device memory. */
static inline uint64_t module_symbol(const struct simt_module *module, int32_t symbol) {
    uint64_t address = module->symbol_addresses[symbol];
    return module->program->symbols[symbol].space == PTX_CONST ? address - module->bank.base : address;
}
/* The bytes around an address of device memory that are the module's constants; false: it is none. */
bool simt_module_constants(const struct simt_module *module, uint64_t address, uint64_t *start,
                           uint64_t *end);

/* Decode function `index` of the module into code. False and a message when an instruction is not run. */
bool simt_code_decode(struct simt_module *module, uint32_t index, char *error, size_t size);
void simt_code_free(struct code *code);

/* Where an instruction stands for the kernel's author: the line of the kernel itself when it is in a function of
 * another file, such as atomicAdd's header. */
static inline uint16_t instruction_file(const struct ptx_instruction *instruction) {
    return instruction->outer_line ? instruction->outer_file
                                   : instruction->file; /* the same unless inlined */
}
static inline uint32_t instruction_line(const struct ptx_instruction *instruction) {
    return instruction->outer_line && instruction->outer_file != instruction->file ? instruction->outer_line
                                                                                   : instruction->line;
}

/* Handlers of what touches memory, and of address conversions, fences and the like. False when not one of those, or
 * not run. */
bool simt_memory_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                        uint32_t parameter_bytes, struct simt_operation *operation);
bool simt_atomic_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                        struct simt_operation *operation);
bool simt_instruction_has_site(const struct ptx_instruction *instruction);

/* enum line_kind of a site; whether it is an atomic's on shared memory. */
int simt_count_site_kind(const struct simt_module *module, uint32_t site);
bool simt_count_site_is_shared(const struct simt_module *module, uint32_t site);
/* Whether its address is known at load time. */
bool simt_count_site_is_fixed(const struct simt_module *module, uint32_t site);

#endif
