/*
 * program.h: a checked PTX program, as the parser leaves it and the simulator runs it.
 *
 * The parser (ptx.h) has resolved every name: a register is a slot in the warp's register file, a shared,
 * local or parameter variable is an offset in its space, a label is an instruction index. What could not be
 * resolved, or is not run by this simulator, was refused with a message; nothing here is left to guess.
 *
 * Source: PTX ISA 9.0 (section numbers below are that manual's chapters).
 */
#ifndef PTX_PROGRAM_H
#define PTX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Enums and fields are laid out as tables.
// clang-format off

/* Type suffix of an instruction (.u32, .f64, ...). Table 5.2. */
enum ptx_type {
    PTX_NOTYPE,
    PTX_PRED,
    PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128,
    PTX_U8, PTX_U16, PTX_U32, PTX_U64,
    PTX_S8, PTX_S16, PTX_S32, PTX_S64,
    PTX_U16X2, PTX_S16X2, /* add, min, max: two integers in one register */
    PTX_F16, PTX_F16X2, PTX_BF16, PTX_BF16X2, PTX_F32, PTX_F64
};

/* State spaces, section 5.1. Parameters are two spaces: an entry's are one buffer for the whole launch, a function's
 * (and the .param variables of a call) belong to each thread's frame. */
enum ptx_space {
    PTX_GENERIC, PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM_ENTRY, PTX_PARAM_FRAME
};

/* One opcode per PTX mnemonic; types and modifiers are fields of the instruction. Chapter 9. */
enum ptx_opcode {
    /* integer */
    PTX_ADD, PTX_SUB, PTX_MUL, PTX_MAD, PTX_MUL24, PTX_MAD24, PTX_SAD, PTX_DIV, PTX_REM, PTX_ABS, PTX_NEG,
    PTX_MIN, PTX_MAX, PTX_POPC, PTX_CLZ, PTX_BFIND, PTX_FNS, PTX_BREV, PTX_BFE, PTX_BFI, PTX_SZEXT, PTX_BMSK,
    PTX_DP4A, PTX_DP2A,
    /* extended precision: the carry bit is a hidden predicate of each lane */
    PTX_ADDC, PTX_SUBC, PTX_MADC,
    /* floating point; add sub mul mad div abs neg min max above serve f16, f32 and f64 too */
    PTX_FMA, PTX_TESTP, PTX_COPYSIGN, PTX_RCP, PTX_SQRT, PTX_RSQRT, PTX_SIN, PTX_COS, PTX_LG2, PTX_EX2, PTX_TANH,
    /* comparison and selection */
    PTX_SET, PTX_SETP, PTX_SELP, PTX_SLCT,
    /* logic and shift */
    PTX_AND, PTX_OR, PTX_XOR, PTX_NOT, PTX_CNOT, PTX_LOP3, PTX_SHF, PTX_SHL, PTX_SHR,
    /* data movement and conversion */
    PTX_MOV, PTX_PACK, PTX_UNPACK, /* mov with a vector operand on one side */
    PTX_SHFL, PTX_PRMT, PTX_LD, PTX_LDU, PTX_ST, PTX_PREFETCH, PTX_ISSPACEP, PTX_CVTA, PTX_CVT,
    PTX_CP_ASYNC, PTX_CP_ASYNC_COMMIT, PTX_CP_ASYNC_WAIT, /* wait: immediate N groups; all: -1 */
    /* control flow */
    PTX_BRA, PTX_BRX, PTX_CALL, PTX_RET, PTX_EXIT, PTX_TRAP, PTX_BRKPT, PTX_NANOSLEEP,
    /* synchronisation and communication */
    PTX_BAR, PTX_BARWARP, PTX_MEMBAR, PTX_ATOM, PTX_RED, PTX_VOTE, PTX_MATCH, PTX_ACTIVEMASK, PTX_REDUX,
    PTX_OPCODE_COUNT
};

enum ptx_rounding { /* float: to nearest even, zero, -inf, +inf; RNA: nearest, ties away */
    PTX_ROUND_NONE, PTX_RN, PTX_RZ, PTX_RM, PTX_RP, PTX_RNA, PTX_RNI, PTX_RZI, PTX_RMI, PTX_RPI
};

enum ptx_compare { /* signed or unsigned by type; U: also true when an operand is NaN. LO LS HI HS become LT LE GT GE */
    PTX_EQ, PTX_NE, PTX_LT, PTX_LE, PTX_GT, PTX_GE,
    PTX_EQU, PTX_NEU, PTX_LTU, PTX_LEU, PTX_GTU, PTX_GEU, PTX_NUM, PTX_NAN
};

/* The modifier that picks among the forms of one opcode; which enum applies is said by the opcode. */
enum ptx_form {
    PTX_FORM_NONE,
    /* mul, mad, madc, mul24, mad24, dp2a */
    PTX_LO, PTX_HI, PTX_WIDE,
    /* setp, set: how the comparison is combined with the third source */
    PTX_BOOL_AND, PTX_BOOL_OR, PTX_BOOL_XOR,
    /* shf */
    PTX_LEFT_WRAP, PTX_LEFT_CLAMP, PTX_RIGHT_WRAP, PTX_RIGHT_CLAMP,
    /* bmsk, szext */
    PTX_CLAMP, PTX_WRAP,
    /* shfl.sync */
    PTX_SHFL_UP, PTX_SHFL_DOWN, PTX_SHFL_BFLY, PTX_SHFL_IDX,
    /* prmt */
    PTX_PRMT_INDEX, PTX_PRMT_F4E, PTX_PRMT_B4E, PTX_PRMT_RC8, PTX_PRMT_ECL, PTX_PRMT_ECR, PTX_PRMT_RC16,
    /* atom, red, redux */
    PTX_ATOM_AND, PTX_ATOM_OR, PTX_ATOM_XOR, PTX_ATOM_CAS, PTX_ATOM_EXCH, PTX_ATOM_ADD, PTX_ATOM_INC, PTX_ATOM_DEC,
    PTX_ATOM_MIN, PTX_ATOM_MAX,
    /* vote.sync, match.sync */
    PTX_VOTE_ALL, PTX_VOTE_ANY, PTX_VOTE_UNI, PTX_VOTE_BALLOT, PTX_MATCH_ANY, PTX_MATCH_ALL,
    /* bar */
    PTX_BAR_SYNC, PTX_BAR_ARRIVE, PTX_BAR_RED_POPC, PTX_BAR_RED_AND, PTX_BAR_RED_OR,
    /* testp */
    PTX_TESTP_FINITE, PTX_TESTP_INFINITE, PTX_TESTP_NUMBER, PTX_TESTP_NAN, PTX_TESTP_NORMAL, PTX_TESTP_SUBNORMAL,
    /* cvta: from a space to generic, or from generic to it; cp.async.wait_all */
    PTX_TO_GENERIC, PTX_FROM_GENERIC, PTX_WAIT_ALL
};

/* Bits of ptx_instruction.flags. */
enum {
    PTX_FTZ = 1 << 0,        /* .ftz: float denormals in and out are zero */
    PTX_SAT = 1 << 1,        /* .sat: clamp (integer range, or [0,1] for float) */
    PTX_APPROX = 1 << 2,     /* .approx */
    PTX_FULL = 1 << 3,       /* .full (div.full) */
    PTX_UNIFORM = 1 << 4,    /* .uni: all threads of the warp agree */
    PTX_CARRY_OUT = 1 << 5,  /* .cc */
    PTX_VOLATILE = 1 << 6,   /* ld/st .volatile, .relaxed, .acquire, .release, .mmio: never from a stale cache */
    PTX_READ_ONLY = 1 << 7,  /* ld.global.nc: through the read-only path */
    PTX_ALIGNED = 1 << 8,    /* bar.sync: all threads of the warp execute it (barrier.sync without .aligned: unset) */
    PTX_NAN_PROPAGATE = 1 << 9, /* min/max .NaN */
    PTX_XORSIGN = 1 << 10,   /* min/max .xorsign.abs */
    PTX_ABS_RESULT = 1 << 11,
    PTX_RELU = 1 << 12,
    PTX_SHIFT_AMOUNT = 1 << 13, /* bfind.shiftamt */
    PTX_CACHE_STREAM = 1 << 14, /* .cs, .lu, evict_first hints */
    PTX_CACHE_L2_ONLY = 1 << 15, /* ld.cg, cp.async.cg: do not allocate in L1 */
    PTX_SATFINITE = 1 << 16
};

/* Special registers, chapter 10. */
enum ptx_special {
    PTX_TID_X, PTX_TID_Y, PTX_TID_Z, PTX_NTID_X, PTX_NTID_Y, PTX_NTID_Z,
    PTX_CTAID_X, PTX_CTAID_Y, PTX_CTAID_Z, PTX_NCTAID_X, PTX_NCTAID_Y, PTX_NCTAID_Z,
    PTX_LANEID, PTX_WARPID, PTX_NWARPID, PTX_SMID, PTX_NSMID, PTX_GRIDID,
    PTX_LANEMASK_EQ, PTX_LANEMASK_LE, PTX_LANEMASK_LT, PTX_LANEMASK_GE, PTX_LANEMASK_GT,
    PTX_CLOCK, PTX_CLOCK_HI, PTX_CLOCK64, PTX_GLOBALTIMER, PTX_GLOBALTIMER_LO, PTX_GLOBALTIMER_HI,
    PTX_DYNAMIC_SMEM_SIZE, PTX_TOTAL_SMEM_SIZE
};

/*
 * Registers. A warp's register file is an array of slots; a slot holds one 32-bit word for each of the 32 lanes
 * (128 bytes). A 64-bit register takes two consecutive slots, seen as one array of 32 64-bit lanes. 8- and 16-bit
 * values sit zero-extended in a 32-bit lane. Predicates live in a file of their own: one 32-bit mask each, bit i for lane i.
 * Virtual registers that are never live together share slots, so a kernel's file stays small enough for a CPU's L1 cache.
 * No slot holds both: lane i of a 64-bit register lies where other lanes of a 32-bit one lie, so a thread's 64-bit value would
 * overwrite what a diverged neighbour still needs. 64-bit registers come first, each at an even slot.
 * Within one instruction a destination never overlaps a source in part; it may be
 * exactly a source's slot, of the same width, so a handler may read lane i, write lane i, and go on. Instructions that look
 * across lanes, touch memory, have several destinations or use the carry get destinations apart from their sources, unless
 * the text itself names one register on both sides (shfl.sync.down.b32 r, r, ...): those must read all before they write.
 */
enum ptx_operand_kind {
    PTX_OPERAND_NONE,      /* the sink "_" as destination */
    PTX_OPERAND_REGISTER,  /* slot */
    PTX_OPERAND_PREDICATE, /* slot in the predicate file; negated: "!p" */
    PTX_OPERAND_IMMEDIATE, /* value: integer sign-extended to 64 bits, or the bit pattern of a float of the operand's width;
                              a predicate constant is 0 or 1 */
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

/*
 * One instruction. Operands are program->operands[operand .. operand + destinations + sources): destinations first.
 *
 *   ld            destinations 1, 2, 4 (vector); source: address
 *   st            sources: address, then 1, 2 or 4 values
 *   atom          destination (or NONE); sources: address, b [, c]      red: no destination
 *   setp          destinations p [, q]; sources a, b [, predicate c]
 *   shfl          destination d [, predicate p]; sources a, lane, clamp, member mask
 *   vote, match   destination d [, predicate p]; sources predicate or value, member mask
 *   bar           sources: barrier [, thread count] [, predicate]; bar.red has a destination
 *   PACK/UNPACK   mov.b64 {lo, hi} etc.: the vector side has 2 or 4 operands, least significant first
 *   cp.async      sources: shared address, global address, bytes immediate [, source bytes]
 *   brx           source: index register; targets in `table`
 */
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
    bool guard_negated;
    int32_t guard;         /* predicate slot, -1 unconditional */
    uint32_t flags;
    uint32_t operand;      /* first operand */
    int32_t target;        /* bra: instruction index; call: index into calls; brx: index into tables */
    int32_t reconverge;    /* bra, brx: index where diverged threads meet again (immediate post-dominator),
                              instruction_count if only at the function's end */
    uint32_t ptx_line;     /* line in the PTX text */
    uint16_t file;         /* index into module->files, 0 unknown */
    uint32_t line;         /* source line from .loc (the innermost inlined position), 0 unknown */
    uint16_t outer_file;   /* where the outermost inlined call stands: the line of the kernel itself, when file and line are */
    uint32_t outer_line;   /*   in a header's function such as atomicAdd; equal to file and line when nothing is inlined */
};

/* An argument or result of a call: bytes copied between the caller's and the callee's parameter frames. */
struct ptx_copy { uint32_t caller_offset, callee_offset, size; };

struct ptx_call {
    int32_t function;      /* index into module->functions; -1: indirect, address in operand 0 */
    uint32_t argument_count, result_count;
    struct ptx_copy *arguments, *results; /* indirect calls: callee_offset as the prototype lays its parameters out,
                                             by the same rule as a function's own (results first, then arguments) */
};

struct ptx_table { uint32_t count; int32_t *targets; }; /* brx.idx */

struct ptx_parameter { uint32_t offset, size, alignment; };

enum ptx_builtin { PTX_NOT_BUILTIN, PTX_VPRINTF, PTX_ASSERTFAIL, PTX_MALLOC, PTX_FREE };

struct ptx_function {
    char *name;
    bool entry;
    bool defined;               /* a body is present; otherwise builtin, or refused when called */
    uint8_t builtin;            /* enum ptx_builtin */
    uint32_t parameter_count;   /* entry: its parameters; function: results first, then arguments */
    uint32_t result_count;
    struct ptx_parameter *parameters; /* entry: offsets in the launch buffer; function: in its parameter frame */
    uint32_t parameter_bytes;   /* entry: launch buffer */
    uint32_t frame_bytes;       /* PTX_PARAM_FRAME space of one thread in this function, formals and .param locals */
    uint32_t local_bytes;       /* PTX_LOCAL frame of one thread in this function (the local depot) */
    uint32_t local_alignment;
    uint32_t shared_bytes;      /* entry: static shared memory, module-wide variables included; the dynamic part starts
                                   at shared_bytes rounded up to dynamic_alignment */
    uint32_t dynamic_alignment;
    uint32_t slots;             /* register file, in 32-bit slots */
    uint32_t predicates;        /* predicate file, in masks */
    uint32_t max_threads[3];    /* .maxntid, 0 unknown */
    uint32_t required_threads[3]; /* .reqntid, 0 none */
    uint32_t min_blocks;        /* .minnctapersm, 0 none */
    bool uses_barrier, uses_shared, uses_calls, uses_recursion, uses_local;
    bool uses_dynamic_shared;
    bool uses_ordered_atomics;  /* a global or generic atomic whose result is used, or a float add: order can show */
    uint32_t instruction_count, operand_count, call_count, table_count;
    struct ptx_instruction *instructions;
    struct ptx_operand *operands;
    struct ptx_call *calls;
    struct ptx_table *tables;
};

/* A module-scope variable in global or constant memory. (Shared and local variables are offsets already.) */
struct ptx_relocation {
    uint64_t offset;            /* where in `initial` */
    int32_t symbol, function;   /* whose address: one of them, the other -1 */
    int64_t addend;
    uint8_t width;              /* bytes written: 8, or 1 for a byte of the address */
    uint8_t shift;              /* the address is shifted right by so many bits first: mask(0xFF00)(name) is 8 */
    bool generic;
};

struct ptx_symbol {
    char *name;
    uint8_t space;              /* PTX_GLOBAL or PTX_CONST */
    bool external;              /* declared .extern and not defined here */
    bool managed;               /* .attribute(.managed) */
    uint32_t alignment;
    uint64_t size;
    uint8_t *initial;           /* size bytes, or NULL for zeros */
    uint32_t relocation_count;
    struct ptx_relocation *relocations; /* addresses of other symbols inside `initial` */
};

struct ptx_module {
    uint32_t version_major, version_minor; /* .version */
    uint32_t target;                       /* .target sm_NN: NN */
    uint32_t file_count, function_count, symbol_count;
    char **files;                          /* files[0] is "" */
    struct ptx_function *functions;
    struct ptx_symbol *symbols;
};

#endif
