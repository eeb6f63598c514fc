/* opcodes.h: every opcode of a checked program with its nature, a line each. Code that needs the
 * kind of an instruction asks this table; there is no other list of opcodes. */
#pragma once

#include <stdint.h>

// clang-format off

/* X(opcode, mnemonic, forms, class, memory, lanes, control, members, predicate): one opcode for
 * each mnemonic; types and modifiers are fields of the instruction. PTX ISA 9.0, chapter 9.
 *   forms      the family of forms (words.h) that its modifiers select from
 *   class      what an execution counts as
 *   memory     what it does to memory
 *   lanes      what a lane's result depends on. Unless this is the lane's own sources alone, and
 *              memory is not touched, a result never takes the slot of a source
 *   control    how it ends a run of straight-line instructions
 *   members    the source that is the member mask
 *   predicate  the source that is a predicate. LAST: the last one, if there is a result. NONE:
 *   every
 *              source of an instruction of type .pred, no source of another */
#define PTX_OPCODES(X) \
    /* integer */ \
    X(PTX_ADD,             "add",           NONE,    SUM,        NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SUB,             "sub",           NONE,    SUM,        NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_MUL,             "mul",           PART,    PRODUCT,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_MAD,             "mad",           PART,    FUSED,      NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_MUL24,           "mul24",         PART,    PRODUCT,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_MAD24,           "mad24",         PART,    PRODUCT,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SAD,             "sad",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_DIV,             "div",           NONE,    QUOTIENT,   NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_REM,             "rem",           NONE,    QUOTIENT,   NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_ABS,             "abs",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_NEG,             "neg",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_MIN,             "min",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_MAX,             "max",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_POPC,            "popc",          NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_CLZ,             "clz",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_BFIND,           "bfind",         NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_FNS,             "fns",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_BREV,            "brev",          NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_BFE,             "bfe",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_BFI,             "bfi",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SZEXT,           "szext",         LIMIT,   ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_BMSK,            "bmsk",          LIMIT,   ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_DP4A,            "dp4a",          NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_DP2A,            "dp2a",          PART,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    /* Extended precision; the carry is a hidden predicate of each lane. */ \
    X(PTX_ADDC,            "addc",          NONE,    ARITHMETIC, NONE,   CARRY, NONE,         NONE, NONE) \
    X(PTX_SUBC,            "subc",          NONE,    ARITHMETIC, NONE,   CARRY, NONE,         NONE, NONE) \
    X(PTX_MADC,            "madc",          PART,    PRODUCT,    NONE,   CARRY, NONE,         NONE, NONE) \
    /* Floating point; add sub mul div abs neg min max: above. mad is fma. */ \
    X(PTX_FMA,             "fma",           NONE,    FUSED,      NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_TESTP,           "testp",         TEST,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_COPYSIGN,        "copysign",      NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_RCP,             "rcp",           NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SQRT,            "sqrt",          NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_RSQRT,           "rsqrt",         NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SIN,             "sin",           NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_COS,             "cos",           NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_LG2,             "lg2",           NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_EX2,             "ex2",           NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_TANH,            "tanh",          NONE,    SPECIAL,    NONE,   OWN,   NONE,         NONE, NONE) \
    /* comparison and selection */ \
    X(PTX_SET,             "set",           COMBINE, ARITHMETIC, NONE,   OWN,   NONE,         NONE, 2) \
    X(PTX_SETP,            "setp",          COMBINE, ARITHMETIC, NONE,   OWN,   NONE,         NONE, 2) \
    X(PTX_SELP,            "selp",          NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, 2) \
    X(PTX_SLCT,            "slct",          NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    /* logic and shift */ \
    X(PTX_AND,             "and",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_OR,              "or",            NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_XOR,             "xor",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_NOT,             "not",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_CNOT,            "cnot",          NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_LOP3,            "lop3",          NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SHF,             "shf",           FUNNEL,  ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SHL,             "shl",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SHR,             "shr",           NONE,    ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    /* Data movement and conversion; pack, unpack: mov with a vector operand on one side. */ \
    X(PTX_MOV,             "mov",           NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_PACK,            "mov",           NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_UNPACK,          "mov",           NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_SHFL,            "shfl",          SHUFFLE, SHUFFLE,    NONE,   WARP,  NONE,         3,    NONE) \
    X(PTX_PRMT,            "prmt",          PERMUTE, ARITHMETIC, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_LD,              "ld",            NONE,    MEMORY,     LOAD,   OWN,   NONE,         NONE, NONE) \
    X(PTX_LDU,             "ldu",           NONE,    MEMORY,     LOAD,   OWN,   NONE,         NONE, NONE) \
    X(PTX_ST,              "st",            NONE,    MEMORY,     STORE,  OWN,   NONE,         NONE, NONE) \
    X(PTX_PREFETCH,        "prefetch",      NONE,    MEMORY,     PREFETCH, OWN,   NONE,         NONE, NONE) \
    X(PTX_ISSPACEP,        "isspacep",      NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_CVTA,            "cvta",          ADDRESS, MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_CVT,             "cvt",           NONE,    CONVERSION, NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_CP_ASYNC,        "cp.async",      NONE,    MEMORY,     COPY,   OWN,   NONE,         NONE, NONE) \
    X(PTX_CP_ASYNC_COMMIT, "cp.async.commit_group", NONE, SYNCHRONISATION, NONE, OWN, NONE,   NONE, NONE) \
    X(PTX_CP_ASYNC_WAIT,   "cp.async.wait_group",   WAIT, SYNCHRONISATION, NONE, OWN, NONE,   NONE, NONE) \
    X(PTX_BULK_COMMIT,     "cp.async.bulk.commit_group", NONE, SYNCHRONISATION, NONE, OWN, NONE, NONE, NONE) \
    X(PTX_BULK_WAIT,       "cp.async.bulk.wait_group", NONE, SYNCHRONISATION, NONE, OWN, NONE, NONE, NONE) \
    X(PTX_BULK,            "cp.async.bulk", BULK,    MEMORY,     COPY,   OWN,   NONE,         NONE, NONE) \
    X(PTX_MAPA,            "mapa",          NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    X(PTX_GETCTARANK,      "getctarank",    NONE,    MOVE,       NONE,   OWN,   NONE,         NONE, NONE) \
    /* control flow */ \
    X(PTX_BRA,             "bra",           NONE,    CONTROL,    NONE,   OWN,   BRANCH,       NONE, NONE) \
    X(PTX_BRX,             "brx.idx",       NONE,    CONTROL,    NONE,   OWN,   BRANCH_TABLE, NONE, NONE) \
    X(PTX_CALL,            "call",          NONE,    CONTROL,    NONE,   OWN,   CALL,         NONE, NONE) \
    X(PTX_RET,             "ret",           NONE,    CONTROL,    NONE,   OWN,   RETURN,       NONE, NONE) \
    X(PTX_EXIT,            "exit",          NONE,    CONTROL,    NONE,   OWN,   EXIT,         NONE, NONE) \
    X(PTX_TRAP,            "trap",          NONE,    CONTROL,    NONE,   OWN,   TRAP,         NONE, NONE) \
    X(PTX_BRKPT,           "brkpt",         NONE,    CONTROL,    NONE,   OWN,   TRAP,         NONE, NONE) \
    X(PTX_NANOSLEEP,       "nanosleep",     NONE,    CONTROL,    NONE,   OWN,   SLEEP,        NONE, NONE) \
    /* synchronisation and communication */ \
    X(PTX_BAR,             "bar",           BARRIER, SYNCHRONISATION, NONE, WARP, BARRIER,    NONE, LAST) \
    X(PTX_BARCLUSTER,      "barrier.cluster", BARRIER, SYNCHRONISATION, NONE, WARP, BARRIER,  NONE, NONE) \
    X(PTX_MBARRIER,        "mbarrier",      MBARRIER, SYNCHRONISATION, ATOMIC, OWN, NONE,     NONE, NONE) \
    X(PTX_MBARRIER_COUNT,  "mbarrier.pending_count", NONE, MOVE, NONE,  OWN,    NONE,         NONE, NONE) \
    X(PTX_BARWARP,         "bar.warp.sync", NONE,    SYNCHRONISATION, NONE, WARP, WARP_BARRIER, 0,  NONE) \
    X(PTX_MEMBAR,          "membar",        NONE,    SYNCHRONISATION, NONE, OWN,  NONE,       NONE, NONE) \
    X(PTX_GRID_WAIT,       "griddepcontrol", NONE,   SYNCHRONISATION, NONE, OWN,  NONE,       NONE, NONE) \
    X(PTX_ATOM,            "atom",          ATOMIC,  MEMORY,     ATOMIC, OWN,   NONE,         NONE, NONE) \
    X(PTX_RED,             "red",           ATOMIC,  MEMORY,     ATOMIC, OWN,   NONE,         NONE, NONE) \
    X(PTX_VOTE,            "vote",          VOTE,    SHUFFLE,    NONE,   WARP,  NONE,         1,    0) \
    X(PTX_MATCH,           "match",         MATCH,   SHUFFLE,    NONE,   WARP,  NONE,         1,    NONE) \
    X(PTX_ELECT,           "elect",         NONE,    SHUFFLE,    NONE,   WARP,  NONE,         0,    NONE) \
    X(PTX_ACTIVEMASK,      "activemask",    NONE,    SHUFFLE,    NONE,   WARP,  NONE,         NONE, NONE) \
    X(PTX_REDUX,           "redux",         ATOMIC,  SHUFFLE,    NONE,   WARP,  NONE,         1,    NONE) \
    /* tensor cores; what wmma, ldmatrix and stmatrix become: matrix.c */ \
    X(PTX_MMA,             "mma",           ATOMIC,  MATRIX,     NONE,   WARP,  NONE,         NONE, NONE) \
    X(PTX_MOVMATRIX,       "movmatrix",     MATRIX,  SHUFFLE,    NONE,   WARP,  NONE,         NONE, NONE)

enum ptx_opcode {
#define PTX_OPCODE(opcode, mnemonic, forms, class, memory, lanes, control, members, predicate) opcode,
    PTX_OPCODES(PTX_OPCODE)
#undef PTX_OPCODE
    PTX_OPCODE_COUNT
};

/* What an execution counts as. Arithmetic counts by type: integer, half, single, double. */
enum ptx_class {
    PTX_CLASS_ARITHMETIC,
    PTX_CLASS_SUM,        /* arithmetic; single precision: one operation of a thread */
    PTX_CLASS_PRODUCT,    /* as SUM; integers: a multiply */
    PTX_CLASS_FUSED,      /* a product and a sum in one; integers: a multiply */
    PTX_CLASS_QUOTIENT,   /* arithmetic; single precision: SPECIAL */
    PTX_CLASS_SPECIAL,    /* special function unit; double precision: arithmetic */
    PTX_CLASS_CONVERSION, /* a move between integers */
    PTX_CLASS_MOVE,
    PTX_CLASS_MEMORY,     /* parameters: a move */
    PTX_CLASS_MATRIX,     /* a product of small matrices */
    PTX_CLASS_SHUFFLE, PTX_CLASS_CONTROL, PTX_CLASS_SYNCHRONISATION
};

enum ptx_memory {
    PTX_MEMORY_NONE, PTX_MEMORY_LOAD, PTX_MEMORY_STORE, PTX_MEMORY_ATOMIC,
    PTX_MEMORY_COPY,    /* between global and shared, asynchronous */
    PTX_MEMORY_PREFETCH /* into L2 */
};

enum ptx_lanes {
    PTX_LANES_OWN,
    PTX_LANES_CARRY, /* and on the lane's carry */
    PTX_LANES_WARP   /* and on other lanes */
};

enum ptx_control {
    PTX_CONTROL_NONE, PTX_CONTROL_BRANCH, PTX_CONTROL_BRANCH_TABLE, PTX_CONTROL_CALL, PTX_CONTROL_RETURN,
    PTX_CONTROL_EXIT, PTX_CONTROL_TRAP, PTX_CONTROL_SLEEP, PTX_CONTROL_BARRIER, PTX_CONTROL_WARP_BARRIER
};

enum { PTX_SOURCE_NONE = -1, PTX_SOURCE_0, PTX_SOURCE_1, PTX_SOURCE_2, PTX_SOURCE_3, PTX_SOURCE_LAST };

struct ptx_nature {
    const char *mnemonic;
    uint8_t forms;              /* enum ptx_form_family */
    uint8_t class;              /* enum ptx_class */
    uint8_t memory;             /* enum ptx_memory */
    uint8_t lanes;              /* enum ptx_lanes */
    uint8_t control;            /* enum ptx_control */
    int8_t members, predicate;  /* a source, from 0; PTX_SOURCE_NONE, PTX_SOURCE_LAST */
};
// clang-format on

extern const struct ptx_nature ptx_natures[PTX_OPCODE_COUNT];
