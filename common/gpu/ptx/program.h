/* program.h: a checked PTX program, which the parser makes and the simulator runs.
 *
 * The parser (ptx.h) has resolved every name. A register is a slot in the warp's register file; a
 * shared, local or parameter variable is an offset in its space; a label is an instruction index.
 * The parser has refused, with a message, unresolved names and what the simulator does not execute.
 *
 * opcodes.h describes the instructions, words.h the words of PTX. Sections are of PTX ISA 9.0. */
#pragma once

#include "gpu/ptx/opcodes.h"
#include "gpu/ptx/words.h"

// clang-format off

/* Registers. A warp's register file is an array of slots. A slot has a 32-bit word for each of the
 * 32 lanes: 128 bytes. A 64-bit register is one array of 32 64-bit lanes over two adjacent slots.
 * 8- and 16-bit values are zero-extended in a 32-bit lane. Predicates have a file of their own: one
 * 32-bit mask each, bit i for lane i. Virtual registers that are never live together share slots,
 * so that a kernel's file fits a CPU's L1 cache. 64-bit and 32-bit registers share no slot
 * (allocate.c). 64-bit registers come first, each at an even slot.
 *
 * A destination is apart from all sources of its instruction, or exactly the slot of a source of
 * the same width. So a handler may read lane i, write lane i, and go on. Instructions that look
 * across lanes, touch memory, have several destinations or use the carry have destinations apart
 * from their sources. The exception is a text that names one register on both sides
 * (shfl.sync.down.b32 r, r, ...). Their handlers must read all lanes before they write. */
enum ptx_operand_kind {
    PTX_OPERAND_NONE,      /* the sink "_" as destination */
    PTX_OPERAND_REGISTER,  /* slot */
    PTX_OPERAND_PREDICATE, /* slot in the predicate file; negated: "!p" */
    PTX_OPERAND_IMMEDIATE, /* value: integer sign-extended to 64 bits; bits of a float of the
                              operand's width; a predicate constant is 0 or 1 */
    PTX_OPERAND_SPECIAL,   /* value: enum ptx_special */
    PTX_OPERAND_SYMBOL,    /* address of module variable `symbol` plus value (global, const: known when loaded) */
    PTX_OPERAND_FUNCTION,  /* address of function `symbol` */
    PTX_OPERAND_ADDRESS,   /* memory operand: register `slot` (or none: -1) plus `symbol` (or none: -1) plus value */
    PTX_OPERAND_FRAME      /* source of mov only: PTX_LOCAL address of a local variable of this function: the start of the
                              running call's local frame plus value */
};

struct ptx_operand {
    uint8_t kind;    /* enum ptx_operand_kind */
    uint8_t width;   /* bytes of the register, immediate or address base: 1, 2, 4, 8 */
    bool negated;    /* predicates only */
    int32_t slot;    /* register or predicate slot, -1 none */
    int32_t symbol;  /* index into module->symbols or ->functions, -1 none */
    int64_t value;   /* immediate, special register, or offset */
};

/* One instruction. Its operands, destinations first, are
 * program->operands[operand .. operand + destinations + sources).
 *   ld            destinations 1, 2, 4 (vector); source: address
 *   st            sources: address, then 1, 2 or 4 values
 *   atom          destination (or NONE); sources: address, b [, c]      red: no destination
 *   setp          destinations p [, q]; sources a, b [, predicate c]
 *   shfl          destination d [, predicate p]; sources a, lane, clamp, member mask
 *   vote, match   destination d [, predicate p]; sources predicate or value, member mask
 *   bar           sources: barrier [, thread count] [, predicate]; bar.red has a destination
 *   PACK/UNPACK   mov.b64 {lo, hi} etc.: the vector side has 2 or 4 operands, least significant
 *   first
 *   cp.async      sources: shared address, global address, bytes immediate [, source bytes]
 *   mma           destinations d; sources the registers of a, b and c, 1 to 8 of each
 *   movmatrix     a register; spread: from 4, gather: to 4 destinations
 *   brx           source: index register; targets in `table` */
struct ptx_instruction {
    uint16_t opcode;       /* enum ptx_opcode */
    uint8_t type;          /* enum ptx_type: result type (cvt: destination type) */
    uint8_t source_type;   /* cvt, set, slct, dp4a/dp2a's b; else equal to type */
    uint8_t rounding;      /* enum ptx_rounding */
    uint8_t compare;       /* enum ptx_compare */
    uint8_t form;          /* enum ptx_form */
    uint8_t space;         /* enum ptx_space */
    uint8_t destinations, sources;
    uint8_t lut;           /* lop3: its table; not an operand */
    uint8_t shape;         /* mma: enum ptx_shape */
    uint8_t second_type;   /* mma: of b's elements; a's are source_type */
    bool guard_negated;
    int32_t guard;         /* predicate slot, -1 unconditional */
    uint32_t flags;        /* PTX_FLAGS */
    uint32_t operand;      /* first operand */
    int32_t target;        /* bra: instruction index; call: index into calls; brx: index into tables */
    int32_t reconverge;    /* bra, brx: index where diverged threads reconverge (immediate post-dominator);
                              instruction_count: only at the function's end */
    uint32_t ptx_line;     /* line in the PTX text */
    uint32_t ptx_end;      /* line of its semicolon */
    uint16_t file;         /* index into module->files, 0 unknown */
    uint32_t line;         /* source line from .loc (the innermost inlined position), 0 unknown */
    uint16_t outer_file;   /* outermost inlined call, a line of the kernel even if `file` is a header; */
    uint32_t outer_line;   /*   file and line if nothing is inlined */
};

static inline const struct ptx_nature *ptx_nature(const struct ptx_instruction *instruction) {
    return &ptx_natures[instruction->opcode];
}
static inline bool ptx_is_branch(const struct ptx_instruction *instruction) {
    uint8_t control = ptx_nature(instruction)->control;
    return control == PTX_CONTROL_BRANCH || control == PTX_CONTROL_BRANCH_TABLE;
}
/* Whether threads whose guard is true end here. */
static inline bool ptx_ends_thread(const struct ptx_instruction *instruction) {
    uint8_t control = ptx_nature(instruction)->control;
    return control == PTX_CONTROL_RETURN || control == PTX_CONTROL_EXIT || control == PTX_CONTROL_TRAP;
}

/* An argument or result of a call: bytes copied between the parameter frames of both. */
struct ptx_copy { uint32_t caller_offset, callee_offset, size; };

struct ptx_call {
    int32_t function;      /* index into module->functions; -1: indirect, address in operand 0 */
    uint32_t argument_count, result_count;
    struct ptx_copy *arguments, *results; /* indirect calls: callee_offset as the prototype lays its parameters out,
                                             by the same rule as a function's own (results first, then arguments) */
};

/* A register that may be read before it is written. width: 4 or 8 bytes; 0: a predicate. */
struct ptx_unset { int32_t slot; uint8_t width; };

struct ptx_table { uint32_t count; int32_t *targets; }; /* brx.idx */

struct ptx_parameter { uint32_t offset, size, alignment; };

/* Why a function is refused: it uses what the simulated GPU has not. */
struct ptx_refusal {
    const char *feature;   /* "tensor cores" */
    bool several;          /* the feature is a plural: "which are not simulated" */
    const char *word;      /* the mnemonic, register, directive or function that shows it */
    const char *advice;    /* what to do instead, or NULL */
    uint16_t file;         /* index into module->files, 0 unknown */
    uint32_t line, ptx_line;
};

enum ptx_builtin { PTX_NOT_BUILTIN, PTX_VPRINTF, PTX_ASSERTFAIL, PTX_MALLOC, PTX_FREE };

struct ptx_function {
    char *name;
    bool entry;
    bool defined;               /* it has a body; else builtin, refused, or refused when called */
    const struct ptx_refusal *refusal; /* why it or a callee is refused; NULL: it runs */
    uint8_t builtin;            /* enum ptx_builtin */
    uint32_t parameter_count;   /* entry: its parameters; function: results first, then arguments */
    uint32_t result_count;
    struct ptx_parameter *parameters; /* entry: offsets in the launch buffer; function: in its parameter frame */
    uint32_t parameter_bytes;   /* entry: launch buffer */
    uint32_t frame_bytes;       /* a thread's PTX_PARAM_FRAME space: formals and .param locals */
    uint32_t local_bytes;       /* a thread's PTX_LOCAL frame (the local depot) */
    uint32_t local_alignment;
    uint32_t shared_bytes;      /* entry: static shared memory with module-wide variables; the dynamic part
                                   follows at the next multiple of dynamic_alignment */
    uint32_t dynamic_alignment;
    uint32_t slots;             /* register file, in 32-bit slots */
    uint32_t predicates;        /* predicate file, in masks */
    uint32_t unset_count;
    struct ptx_unset *unset;
    uint32_t live_words;        /* most 32-bit words of a thread's own values (not the warp's) that are live at
                                   the start of a block: no order of instructions needs fewer registers */
    uint32_t live_words_called; /* entry: the largest live_words of it and its callees */
    uint32_t max_threads[3];    /* .maxntid, 0 unknown */
    uint32_t required_threads[3]; /* .reqntid, 0 none */
    uint32_t cluster[3];        /* .reqnctapercluster, 0 none */
    uint32_t min_blocks;        /* .minnctapersm, 0 none */
    bool uses_barrier, uses_shared, uses_calls, uses_recursion, uses_local;
    bool uses_dynamic_shared;
    bool uses_ordered_atomics;  /* result of a global or generic atomic is used, or floats added: order matters */
    uint32_t instruction_count, operand_count, call_count, table_count;
    struct ptx_instruction *instructions;
    struct ptx_operand *operands;
    struct ptx_call *calls;
    struct ptx_table *tables;
};

/* An address in the initial value of a variable. */
struct ptx_relocation {
    uint64_t offset;            /* where in `initial` */
    int32_t symbol, function;   /* whose address: one of them is -1 */
    int64_t addend;
    uint8_t width;              /* bytes written: 8, or 1 for a byte of the address */
    uint8_t shift;              /* right shift of the address in bits: 8 for mask(0xFF00)(name) */
    bool generic;
};

/* A variable of module scope in global or constant memory. */
struct ptx_symbol {
    char *name;
    uint8_t space;              /* PTX_GLOBAL or PTX_CONST */
    bool external;              /* declared .extern, defined in no text */
    bool managed;               /* .attribute(.managed) */
    uint32_t alignment;
    uint64_t size;
    uint8_t *initial;           /* size bytes, or NULL for zeros */
    uint32_t relocation_count;
    struct ptx_relocation *relocations; /* addresses of other symbols inside `initial` */
};

/* Where a variable lies in a block's shared memory, for messages. */
struct ptx_shared_array {
    const char *name;           /* mangled */
    int32_t function;           /* the entry with this layout; -1: any */
    uint32_t offset, size;      /* size 0: the dynamic part, which starts behind the static one */
};

struct ptx_module {
    uint32_t version_major, version_minor; /* .version */
    uint32_t target;                       /* .target sm_NN: NN */
    uint32_t file_count, function_count, symbol_count;
    char **files;                          /* files[0] is "" */
    struct ptx_function *functions;
    struct ptx_symbol *symbols;
    uint32_t shared_array_count;
    struct ptx_shared_array *shared_arrays;
};
