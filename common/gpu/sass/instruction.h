/*
 * instruction.h: one machine instruction of an NVIDIA GPU, decoded from its 16 bytes: class, pipe, registers, predicates,
 * memory, flow, and the compiler's scheduling fields. Compute capability 7.0 to 12.x. NVIDIA does not publish the
 * encoding; README.md says how this decoding is checked against nvdisasm.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SASS_INSTRUCTION_BYTES = 16 };

enum sass_class {
    SASS_UNKNOWN, /* an opcode that the table does not have */
    SASS_FLOAT,
    SASS_HALF,
    SASS_DOUBLE,
    SASS_INTEGER,    /* arithmetic, logic and shifts */
    SASS_SPECIAL,    /* MUFU: reciprocal, square root, sine, ... */
    SASS_CONVERSION, /* between types */
    SASS_MOVE,       /* register to register, constants and special registers included */
    SASS_PREDICATE,  /* comparisons, and logic on predicates */
    SASS_WARP,       /* between the lanes of a warp: shuffle, vote, match, reduce */
    SASS_TENSOR,
    SASS_TEXTURE,
    SASS_SURFACE,
    SASS_LOAD,     /* from any space but constant memory */
    SASS_CONSTANT, /* loads from constant memory */
    SASS_STORE,
    SASS_ATOMIC,  /* with a result or without */
    SASS_COPY,    /* asynchronous, between global and shared memory */
    SASS_CACHE,   /* control of a cache, fences */
    SASS_BARRIER, /* of a block, a cluster, a memory barrier object; waits for scoreboards */
    SASS_CONTROL, /* what may change the next instruction, and what keeps diverged threads together */
    SASS_SYSTEM,  /* the rest: NOP, sleeping, ... */
    SASS_CLASSES
};

/* The pipes of an SM, by the names of Nsight Compute's metrics. */
enum sass_pipe {
    SASS_PIPE_NONE,  /* no pipe: NOP */
    SASS_PIPE_FMA,   /* either half of FMA */
    SASS_PIPE_HEAVY, /* the half of FMA that multiplies integers too */
    SASS_PIPE_ALU,
    SASS_PIPE_FP16,
    SASS_PIPE_FP64,
    SASS_PIPE_XU, /* special functions, conversions */
    SASS_PIPE_LSU,
    SASS_PIPE_UNIFORM,
    SASS_PIPE_ADU, /* constants by address, barriers, indirect branches */
    SASS_PIPE_CBU, /* branches */
    SASS_PIPE_TENSOR,
    SASS_PIPE_TEX,
    SASS_PIPE_TMA,
    SASS_PIPES
};

enum sass_space {
    SASS_SPACE_NONE,
    SASS_GENERIC,
    SASS_GLOBAL,
    SASS_SHARED, /* of the block or of its cluster */
    SASS_LOCAL,
    SASS_SPACES
};

enum sass_flow {
    SASS_NEXT, /* the next instruction follows */
    SASS_BRANCH,
    SASS_INDIRECT, /* a branch to an address in a register or in constant memory */
    SASS_CALL,     /* to `target`, if has_target; else to an address in a register */
    SASS_RETURN,
    SASS_EXIT,
    SASS_TRAP, /* ends the kernel */
    SASS_FLOWS
};

/* Registers [first, first + count). R255 and UR63, which read 0 and take nothing, are left out. */
struct sass_registers {
    uint8_t first, count;
};

enum { SASS_MAX_READS = 5, SASS_ALWAYS = 7 /* the predicate PT */, SASS_NO_BARRIER = 7 };

/* The compiler's scheduling fields of an instruction. */
struct sass_schedule {
    uint8_t stall;         /* cycles until the warp's next instruction may issue, 0 to 15 */
    bool yield;            /* the scheduler prefers another warp next */
    uint8_t write_barrier; /* scoreboard 0 to 5 that is released with the results, or SASS_NO_BARRIER */
    uint8_t
        read_barrier;  /* scoreboard that is released when the sources have been read, or SASS_NO_BARRIER */
    uint8_t wait_mask; /* bit i: it waits until scoreboard i is released */
    uint8_t reuse;     /* bit i: source i is kept for the next instruction */
};

enum { SASS_ANY_GROUPS = 255 };

struct sass_instruction {
    uint32_t address;     /* bytes from the start of its function's code */
    uint16_t opcode;      /* bits 0 to 11 */
    const char *mnemonic; /* without modifiers: "FFMA"; "?" when unknown */
    enum sass_class class;
    enum sass_pipe pipe;

    uint8_t guard; /* predicate, negated or not, of the threads that execute it */
    bool guard_negated;
    bool guard_uniform; /* the guard is a uniform predicate */

    struct sass_registers write, second_write;  /* textures write two groups */
    struct sass_registers read[SASS_MAX_READS]; /* read_count of them, in the order of the encoding */
    struct sass_registers uniform_write;
    struct sass_registers uniform_read[SASS_MAX_READS];
    uint8_t read_count, uniform_read_count;
    /* Bit i: predicate i. The guard counts as read; PT does not. */
    uint8_t predicates_written, predicates_read, uniform_predicates_written, uniform_predicates_read;

    bool has_immediate;
    uint64_t
        immediate; /* as encoded: a float's bits, of a double the upper half; all 64 bits of a 64-bit move */
    bool has_constant;
    uint8_t constant_bank;   /* 0: parameters and launch; 3: the module's own */
    int32_t constant_offset; /* bytes; a register may add to it */

    enum sass_space space;
    uint8_t memory_bytes;  /* bytes that each thread reads or writes; 0: none, or not by threads */
    int32_t memory_offset; /* bytes, added to the address in registers */
    bool bypasses_l1;      /* of an asynchronous copy: .BYPASS */
    uint8_t scope;         /* MEMBAR: of its block 0, of the GPU 2, of the system 3 */
    uint8_t groups; /* DEPBAR.LE: groups of asynchronous copies that may be pending; else SASS_ANY_GROUPS */

    enum sass_flow flow;
    bool conditional; /* a guard or predicate decides, so the next instruction may follow too */
    bool has_target;
    uint32_t target; /* address within the same function, unless a relocation says otherwise */

    struct sass_schedule schedule;
};

/* Whether the instructions of an architecture (90 for sm_90) are known. */
bool sass_knows(uint32_t architecture);

/* Decodes the 16 bytes at `address`, a multiple of 16. False: the opcode is unknown; `out` then has the class
 * SASS_UNKNOWN, the guard and the schedule alone. Any bytes are safe. `architecture` must be known. */
bool sass_decode(uint32_t architecture, const uint8_t bytes[SASS_INSTRUCTION_BYTES], uint32_t address,
                 struct sass_instruction *out);
