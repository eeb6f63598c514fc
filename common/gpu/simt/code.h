/* code.h: decoded functions (operations, constants, loops, sites that count accesses), modules and
 * kernels. Private to simt/. */
#pragma once

#include "gpu/simt/memory/device.h"
#include "gpu/simt/operation.h"

/* A lane vector or predicate mask that is filled before the program runs and stays. */
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

/* In place of a predicate's mask: %is_explicit_cluster, the only special register that is one. */
enum { CODE_EXPLICIT_CLUSTER = 1 };

/* A loop: instructions from its head to the last branch back to it (count/trips.c). */
struct code_loop {
    uint32_t head, last;
    uint32_t outer; /* the smallest enclosing loop; TRIPS_NO_LOOP: none */
};
#define TRIPS_NO_LOOP UINT32_MAX

/* A branch's effect on loops. All zeros except `inner`: none. */
enum { TRIPS_TAKEN = 1, TRIPS_FALL = 2, TRIPS_ANY = TRIPS_TAKEN | TRIPS_FALL };
struct trip_mark {
    uint32_t back;  /* 1 + the loop to whose head the branch goes; 0: a forward branch */
    uint32_t inner; /* the smallest loop that holds the branch; TRIPS_NO_LOOP: none */
    uint8_t leaves; /* TRIPS_TAKEN, TRIPS_FALL: edges of the branch that leave that loop */
};

/* A function ready to run. operations[i] is instruction i. */
struct code {
    const struct ptx_function *function;
    struct simt_module *module;
    uint32_t index;
    uint32_t count;
    struct simt_operation *operations;
    struct simt_operation *inner; /* the operations that guarded operations run under their predicate */
    uint32_t inner_count;
    uint8_t *control;     /* enum ptx_control; count + 1 entries, the function's end is a return */
    uint8_t *member_mask; /* 1 + source index of the member mask, whose lanes must run it together; 0: none */
    uint32_t *run_end;    /* first instruction at or after i that is control */
    uint32_t *leader_end; /* first leader after i (at i itself if i is control) */
    uint32_t slots, predicates; /* constants included */
    struct constant *constants;
    uint32_t constant_count;
    uint32_t *warp_constants; /* constants that differ from warp to warp: filled at each start */
    uint32_t warp_constant_count;
    uint32_t *constant_predicates;                          /* masks from function->predicates on */
    uint32_t predicates_offset, frame_offset, window_bytes; /* bytes from the window's registers */
    uint32_t first_count, first_site, first_loop; /* first of its counts in the module's flat arrays */
    struct code_loop *loops;
    uint32_t loop_count;
    struct trip_mark *trip_marks;  /* one for each instruction */
    uint64_t looked;               /* warp instructions in which races were looked for unasked */
    bool uses_grid, uses_reserved; /* reads %envreg1 or 2; reads the address of reserved memory */
};

/* Counts of one memory instruction by one host thread, and the allocation that it touched last: two
 * cache lines. An instruction has one site for global memory or its own space. A generic
 * instruction has a second site for shared and a third for local memory. */
struct site {
    _Alignas(64) uint64_t start; /* of the segment; every access needs this cache line alone */
    uint64_t limit;              /* an access may start at start + [0, limit); 0: none yet */
    uint64_t host_offset;        /* host pointer = address + host_offset */
    uint64_t requests, transactions, ideal, threads, lines;
    uint64_t missed;         /* sectors of loads that L1 does not hold */
    uint64_t waited;         /* sectors of loads that L1 has requested already */
    uint64_t late;           /* requests with a sector that was missed or waited for */
    uint64_t joined;         /* stores to the lines of the warp's store before */
    uint64_t passes, looked; /* passes of L1's data banks, in so many sampled global requests */
    uint32_t owner;          /* 1 + its number as owner of what L1 asks L2 for; 0: none, there are too many */
};

/* Bytes that a bulk copy's addresses and size are multiples of; its accesses count as such pieces. */
enum { BULK_UNIT = 16 };

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

/* Bytes behind the program's shared memory that cooperative groups of several warps use. */
enum { SIMT_RESERVED_SHARED = 1024 };

/* A module's constant variables: a space of their own, whose addresses are those in device memory
 * less `base`. Address 0 holds nothing. */
struct constant_bank {
    uint64_t base, start, end; /* in device memory; start == end: there are none */
};

struct simt_module {
    struct simt_device *device;
    const struct ptx_module *program;
    struct code *codes;
    struct simt_kernel *kernels; /* one for each function; callers get entries only */
    uint64_t *symbol_addresses;  /* in device memory */
    struct constant_bank bank;
    uint32_t count_total, site_total, loop_total;
    struct site_info *sites;
};

/* A variable's address in its own space. In device memory constant ones have another. */
static inline uint64_t module_symbol(const struct simt_module *module, int32_t symbol) {
    uint64_t address = module->symbol_addresses[symbol];
    return module->program->symbols[symbol].space == PTX_CONST ? address - module->bank.base : address;
}
/* The range of the variable that holds an address of device memory. False: no constant is there. */
bool simt_module_constants(const struct simt_module *module, uint64_t address, uint64_t *start,
                           uint64_t *end);

/* Decodes function `index` of the module. False and a message: an instruction is not run. */
bool simt_code_decode(struct simt_module *module, uint32_t index, char *error, size_t size);
void simt_code_free(struct code *code);

/* The source line that a message names. For an instruction from another file, such as atomicAdd's
 * header, it is the kernel's own line that calls it. */
static inline uint16_t instruction_file(const struct ptx_instruction *instruction) {
    return instruction->outer_line ? instruction->outer_file : instruction->file;
}
static inline uint32_t instruction_line(const struct ptx_instruction *instruction) {
    return instruction->outer_line && instruction->outer_file != instruction->file ? instruction->outer_line
                                                                                   : instruction->line;
}

/* Chooses the handlers of memory operations, address conversions, fences and the like. False:
 * another instruction, or not run. */
bool simt_memory_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                        uint32_t parameter_bytes, struct simt_operation *operation);
bool simt_atomic_select(const struct ptx_instruction *instruction, const struct ptx_operand *operands,
                        struct simt_operation *operation);
bool simt_instruction_has_site(const struct ptx_instruction *instruction);

/* enum line_kind of a site. */
int simt_count_site_kind(const struct simt_module *module, uint32_t site);
bool simt_count_site_is_shared(const struct simt_module *module, uint32_t site);
/* Whether a site's address is known at load time. */
bool simt_count_site_is_fixed(const struct simt_module *module, uint32_t site);
