/* words.h: the words of PTX that become fields of an instruction: types, state spaces, roundings,
 * comparisons, forms, special registers. A line for each word gives its enumerator and its
 * spelling. Section numbers are those of PTX ISA 9.0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// clang-format off
#define PTX_FIRST(first, ...) first,

/* X(type, word, bytes, kind, values packed in it). Table 5.2. */
#define PTX_TYPES(X) \
    X(PTX_NOTYPE, "",       0, NONE,     1) \
    X(PTX_PRED,   "pred",   0, NONE,     1) \
    X(PTX_B8,     "b8",     1, BITS,     1) \
    X(PTX_B16,    "b16",    2, BITS,     1) \
    X(PTX_B32,    "b32",    4, BITS,     1) \
    X(PTX_B64,    "b64",    8, BITS,     1) \
    X(PTX_B128,   "b128",  16, BITS,     1) \
    X(PTX_U8,     "u8",     1, UNSIGNED, 1) \
    X(PTX_U16,    "u16",    2, UNSIGNED, 1) \
    X(PTX_U32,    "u32",    4, UNSIGNED, 1) \
    X(PTX_U64,    "u64",    8, UNSIGNED, 1) \
    X(PTX_S8,     "s8",     1, SIGNED,   1) \
    X(PTX_S16,    "s16",    2, SIGNED,   1) \
    X(PTX_S32,    "s32",    4, SIGNED,   1) \
    X(PTX_S64,    "s64",    8, SIGNED,   1) \
    X(PTX_U16X2,  "u16x2",  4, UNSIGNED, 2) \
    X(PTX_S16X2,  "s16x2",  4, SIGNED,   2) \
    X(PTX_F16,    "f16",    2, FLOAT,    1) \
    X(PTX_F16X2,  "f16x2",  4, FLOAT,    2) \
    X(PTX_BF16,   "bf16",   2, FLOAT,    1) \
    X(PTX_BF16X2, "bf16x2", 4, FLOAT,    2) \
    X(PTX_E4M3X2, "e4m3x2", 2, FLOAT,    2) \
    X(PTX_E5M2X2, "e5m2x2", 2, FLOAT,    2) \
    X(PTX_F32,    "f32",    4, FLOAT,    1) \
    X(PTX_F64,    "f64",    8, FLOAT,    1) \
    /* of matrices only: a register of 32 bits holds them */ \
    X(PTX_TF32,   "tf32",   4, FLOAT,    1) \
    X(PTX_U4,     "u4",     4, UNSIGNED, 8) \
    X(PTX_S4,     "s4",     4, SIGNED,   8) \
    X(PTX_B1,     "b1",     4, BITS,    32)
enum ptx_type { PTX_TYPES(PTX_FIRST) PTX_TYPE_COUNT };

/* X(space, word). Section 5.1. There are two parameter spaces. An entry's parameters are one buffer
 * for the launch. Those of a function, and of the calls it makes, lie in each thread's frame. */
#define PTX_SPACES(X) \
    X(PTX_GENERIC, "generic") \
    X(PTX_GLOBAL, "global") \
    X(PTX_CONST, "const") \
    X(PTX_SHARED, "shared") \
    X(PTX_LOCAL, "local") \
    X(PTX_PARAM_ENTRY, "param") \
    X(PTX_PARAM_FRAME, "param")
enum ptx_space { PTX_SPACES(PTX_FIRST) PTX_SPACE_COUNT };

/* X(rounding, word). Float: to nearest even, zero, -inf, +inf. With i: to an integral value. */
#define PTX_ROUNDINGS(X) \
    X(PTX_ROUND_NONE, "") \
    X(PTX_RN, "rn") X(PTX_RZ, "rz") X(PTX_RM, "rm") X(PTX_RP, "rp") \
    X(PTX_RNI, "rni") X(PTX_RZI, "rzi") X(PTX_RMI, "rmi") X(PTX_RPI, "rpi")
enum ptx_rounding { PTX_ROUNDINGS(PTX_FIRST) PTX_ROUNDING_COUNT };

/* X(comparison, word). Signed or unsigned by type (lo ls hi hs become LT LE GT GE). U: also true
 * when an operand is NaN. */
#define PTX_COMPARISONS(X) \
    X(PTX_EQ, "eq") X(PTX_NE, "ne") X(PTX_LT, "lt") X(PTX_LE, "le") X(PTX_GT, "gt") X(PTX_GE, "ge") \
    X(PTX_EQU, "equ") X(PTX_NEU, "neu") X(PTX_LTU, "ltu") X(PTX_LEU, "leu") X(PTX_GTU, "gtu") X(PTX_GEU, "geu") \
    X(PTX_NUM, "num") X(PTX_NAN, "nan")
enum ptx_compare { PTX_COMPARISONS(PTX_FIRST) PTX_COMPARISON_COUNT };

/* X(form, family, word, as printed): the modifier that selects a form of an opcode. The opcode
 * names its family (opcodes.h), because "and" or "all" are ambiguous. NULL: no single word. */
#define PTX_FORMS(X) \
    X(PTX_FORM_NONE,         NONE,    NULL,         "") \
    X(PTX_LO,                PART,    "lo",         ".lo") \
    X(PTX_HI,                PART,    "hi",         ".hi") \
    X(PTX_WIDE,              PART,    "wide",       ".wide") \
    X(PTX_BOOL_AND,          COMBINE, "and",        ".and") /* with the third source */ \
    X(PTX_BOOL_OR,           COMBINE, "or",         ".or") \
    X(PTX_BOOL_XOR,          COMBINE, "xor",        ".xor") \
    X(PTX_LEFT_WRAP,         FUNNEL,  "l",          ".l.wrap") \
    X(PTX_LEFT_CLAMP,        FUNNEL,  NULL,         ".l.clamp") \
    X(PTX_RIGHT_WRAP,        FUNNEL,  "r",          ".r.wrap") \
    X(PTX_RIGHT_CLAMP,       FUNNEL,  NULL,         ".r.clamp") \
    X(PTX_CLAMP,             LIMIT,   "clamp",      ".clamp") \
    X(PTX_WRAP,              LIMIT,   "wrap",       ".wrap") \
    X(PTX_SHFL_UP,           SHUFFLE, "up",         ".sync.up") \
    X(PTX_SHFL_DOWN,         SHUFFLE, "down",       ".sync.down") \
    X(PTX_SHFL_BFLY,         SHUFFLE, "bfly",       ".sync.bfly") \
    X(PTX_SHFL_IDX,          SHUFFLE, "idx",        ".sync.idx") \
    X(PTX_PRMT_INDEX,        PERMUTE, NULL,         "") \
    X(PTX_PRMT_F4E,          PERMUTE, "f4e",        ".f4e") \
    X(PTX_PRMT_B4E,          PERMUTE, "b4e",        ".b4e") \
    X(PTX_PRMT_RC8,          PERMUTE, "rc8",        ".rc8") \
    X(PTX_PRMT_ECL,          PERMUTE, "ecl",        ".ecl") \
    X(PTX_PRMT_ECR,          PERMUTE, "ecr",        ".ecr") \
    X(PTX_PRMT_RC16,         PERMUTE, "rc16",       ".rc16") \
    X(PTX_ATOM_AND,          ATOMIC,  "and",        ".and") \
    X(PTX_ATOM_OR,           ATOMIC,  "or",         ".or") \
    X(PTX_ATOM_XOR,          ATOMIC,  "xor",        ".xor") \
    X(PTX_ATOM_CAS,          ATOMIC,  "cas",        ".cas") \
    X(PTX_ATOM_EXCH,         ATOMIC,  "exch",       ".exch") \
    X(PTX_ATOM_ADD,          ATOMIC,  "add",        ".add") \
    X(PTX_ATOM_INC,          ATOMIC,  "inc",        ".inc") \
    X(PTX_ATOM_DEC,          ATOMIC,  "dec",        ".dec") \
    X(PTX_ATOM_MIN,          ATOMIC,  "min",        ".min") \
    X(PTX_ATOM_MAX,          ATOMIC,  "max",        ".max") \
    X(PTX_VOTE_ALL,          VOTE,    "all",        ".sync.all") \
    X(PTX_VOTE_ANY,          VOTE,    "any",        ".sync.any") \
    X(PTX_VOTE_UNI,          VOTE,    "uni",        ".sync.uni") \
    X(PTX_VOTE_BALLOT,       VOTE,    "ballot",     ".sync.ballot") \
    X(PTX_MATCH_ANY,         MATCH,   "any",        ".sync.any") \
    X(PTX_MATCH_ALL,         MATCH,   "all",        ".sync.all") \
    X(PTX_BAR_SYNC,          BARRIER, "sync",       ".sync") \
    X(PTX_BAR_ARRIVE,        BARRIER, "arrive",     ".arrive") \
    X(PTX_BAR_WAIT,          BARRIER, "wait",       ".wait") /* of a cluster */ \
    X(PTX_BAR_RED_POPC,      BARRIER, "popc",       ".red.popc") \
    X(PTX_BAR_RED_AND,       BARRIER, "and",        ".red.and") \
    X(PTX_BAR_RED_OR,        BARRIER, "or",         ".red.or") \
    X(PTX_TESTP_FINITE,      TEST,    "finite",     ".finite") \
    X(PTX_TESTP_INFINITE,    TEST,    "infinite",   ".infinite") \
    X(PTX_TESTP_NUMBER,      TEST,    "number",     ".number") \
    X(PTX_TESTP_NAN,         TEST,    "notanumber", ".notanumber") \
    X(PTX_TESTP_NORMAL,      TEST,    "normal",     ".normal") \
    X(PTX_TESTP_SUBNORMAL,   TEST,    "subnormal",  ".subnormal") \
    X(PTX_TO_GENERIC,        ADDRESS, NULL,         "") \
    X(PTX_FROM_GENERIC,      ADDRESS, "to",         "") /* printed before the space */ \
    X(PTX_WAIT_ALL,          WAIT,    "wait_all",   "") \
    X(PTX_MBARRIER_INIT,     MBARRIER, "init",      ".init") \
    X(PTX_MBARRIER_INVAL,    MBARRIER, "inval",     ".inval") \
    X(PTX_MBARRIER_ARRIVE,   MBARRIER, "arrive",    ".arrive") \
    X(PTX_MBARRIER_DROP,     MBARRIER, "arrive_drop", ".arrive_drop") \
    X(PTX_MBARRIER_EXPECT,   MBARRIER, "expect_tx", ".expect_tx") /* alone */ \
    X(PTX_MBARRIER_COMPLETE, MBARRIER, "complete_tx", ".complete_tx") \
    X(PTX_MBARRIER_TEST,     MBARRIER, "test_wait", ".test_wait") \
    X(PTX_MBARRIER_TRY,      MBARRIER, "try_wait",  ".try_wait") \
    X(PTX_MBARRIER_PARITY,   MBARRIER, "parity",    ".wait.parity") /* test_wait or try_wait */ \
    X(PTX_MBARRIER_COPIES,   MBARRIER, "mbarrier",  ".copies") /* cp.async.mbarrier.arrive */ \
    X(PTX_BULK_TO_SHARED,    BULK,    "mbarrier::complete_tx::bytes", ".mbarrier") \
    X(PTX_BULK_TO_GLOBAL,    BULK,    "bulk_group", ".bulk_group") \
    X(PTX_MATRIX_A,          MATRIX,  "a",          ".a") /* wmma.load, wmma.store: which fragment */ \
    X(PTX_MATRIX_B,          MATRIX,  "b",          ".b") \
    X(PTX_MATRIX_C,          MATRIX,  "c",          ".c") \
    X(PTX_MATRIX_D,          MATRIX,  "d",          ".d") \
    X(PTX_MATRIX_TRANS,      MATRIX,  "trans",      ".trans") /* one register of every lane */ \
    X(PTX_MATRIX_SPREAD,     MATRIX,  NULL,         ".spread") /* ldmatrix: rows of lanes to fragments */ \
    X(PTX_MATRIX_SPREAD_TRANS, MATRIX, NULL,        ".spread.trans") \
    X(PTX_MATRIX_GATHER,     MATRIX,  NULL,         ".gather") /* stmatrix: the other way */ \
    X(PTX_MATRIX_GATHER_TRANS, MATRIX, NULL,        ".gather.trans")
enum ptx_form { PTX_FORMS(PTX_FIRST) PTX_FORM_COUNT };
enum ptx_form_family {
    PTX_FORMS_NONE, PTX_FORMS_PART, PTX_FORMS_COMBINE, PTX_FORMS_FUNNEL, PTX_FORMS_LIMIT, PTX_FORMS_SHUFFLE,
    PTX_FORMS_PERMUTE, PTX_FORMS_ATOMIC, PTX_FORMS_VOTE, PTX_FORMS_MATCH, PTX_FORMS_BARRIER, PTX_FORMS_TEST,
    PTX_FORMS_ADDRESS, PTX_FORMS_WAIT, PTX_FORMS_MBARRIER, PTX_FORMS_BULK, PTX_FORMS_MATRIX
};

/* X(flag, bit, word): modifiers that may stand together. */
#define PTX_FLAGS(X) \
    X(PTX_FTZ,            0, "ftz")       /* denormal operands and results become zero */ \
    X(PTX_SAT,            1, "sat")       /* clamp (integer range, or [0,1] for float) */ \
    X(PTX_APPROX,         2, "approx") \
    X(PTX_FULL,           3, "full")      /* div.full */ \
    X(PTX_UNIFORM,        4, "uni")       /* all threads of the warp agree; atomics: on the address (uniform.c) */ \
    X(PTX_CARRY_OUT,      5, "cc") \
    X(PTX_VOLATILE,       6, "volatile")  /* also relaxed, acquire, release, mmio: never from a stale cache */ \
    X(PTX_READ_ONLY,      7, "nc")        /* ld.global.nc: through the read-only path */ \
    X(PTX_ALIGNED,        8, "aligned")   /* bar: all threads of the warp execute it */ \
    X(PTX_NAN_PROPAGATE,  9, "NaN")       /* min, max */ \
    X(PTX_XORSIGN,       10, "xorsign")   /* min, max: .xorsign.abs */ \
    X(PTX_ABS_RESULT,    11, "abs") \
    X(PTX_RELU,          12, "relu") \
    X(PTX_SHIFT_AMOUNT,  13, "shiftamt")  /* bfind */ \
    X(PTX_CACHE_STREAM,  14, "cs")        /* also lu, evict_first hints */ \
    X(PTX_CACHE_L2_ONLY, 15, "cg")        /* do not allocate in L1 */ \
    X(PTX_SATFINITE,     16, "satfinite") \
    X(PTX_RELEASE,       17, "release")   /* also acq_rel: makes earlier stores visible to its reader */ \
    X(PTX_IN_BLOCK,      18, "cta")       /* fences, atomics: for threads of the block only */ \
    X(PTX_RELAXED,       19, "relaxed")   /* also acquire, release: others may change it meanwhile */ \
    X(PTX_NEGATED_PRODUCT, 20, "negated_product") /* fma of contract.c, not PTX: -(a * b) */ \
    X(PTX_NEGATED_ADDEND,  21, "negated_addend")  /* the same: - c */ \
    X(PTX_REPEATED,        22, "repeated")        /* of repeats.c, not PTX: another one computes the same */ \
    X(PTX_EXPECTS,         23, "expect_tx")       /* an arrival at an mbarrier that expects bytes, too */ \
    X(PTX_COLUMNS,         24, "col")             /* a matrix in memory, column by column */ \
    X(PTX_ROWS,            25, "rows")            /* of matrix.c, not PTX: a load by ldmatrix */
enum {
#define PTX_FLAG(flag, bit, word) flag = 1 << (bit),
    PTX_FLAGS(PTX_FLAG)
#undef PTX_FLAG
    PTX_FLAG_COUNT = 26
};

/* X(shape, word, m, n, k): a product of m x k and k x n elements, by a warp. Sections 9.7.14.3, .5. */
#define PTX_SHAPES(X) \
    X(PTX_NO_SHAPE,  "",           0,  0,   0) \
    X(PTX_M8N8K4,    "m8n8k4",     8,  8,   4) \
    X(PTX_M8N8K16,   "m8n8k16",    8,  8,  16) \
    X(PTX_M8N8K32,   "m8n8k32",    8,  8,  32) \
    X(PTX_M8N8K128,  "m8n8k128",   8,  8, 128) \
    X(PTX_M16N8K4,   "m16n8k4",   16,  8,   4) \
    X(PTX_M16N8K8,   "m16n8k8",   16,  8,   8) \
    X(PTX_M16N8K16,  "m16n8k16",  16,  8,  16) \
    X(PTX_M16N8K32,  "m16n8k32",  16,  8,  32) \
    X(PTX_M16N8K64,  "m16n8k64",  16,  8,  64) \
    X(PTX_M16N8K128, "m16n8k128", 16,  8, 128) \
    X(PTX_M16N8K256, "m16n8k256", 16,  8, 256) \
    X(PTX_M16N16K8,  "m16n16k8",  16, 16,   8) /* wmma only, as those that follow */ \
    X(PTX_M16N16K16, "m16n16k16", 16, 16,  16) \
    X(PTX_M8N32K16,  "m8n32k16",   8, 32,  16) \
    X(PTX_M32N8K16,  "m32n8k16",  32,  8,  16)
enum ptx_shape { PTX_SHAPES(PTX_FIRST) PTX_SHAPE_COUNT };

/* X(special register, word, bytes, between whom it differs): chapter 10. */
#define PTX_SPECIALS(X) \
    X(PTX_TID_X,             "tid.x",             4, THREADS) \
    X(PTX_TID_Y,             "tid.y",             4, THREADS) \
    X(PTX_TID_Z,             "tid.z",             4, THREADS) \
    X(PTX_NTID_X,            "ntid.x",            4, LAUNCHES) \
    X(PTX_NTID_Y,            "ntid.y",            4, LAUNCHES) \
    X(PTX_NTID_Z,            "ntid.z",            4, LAUNCHES) \
    X(PTX_CTAID_X,           "ctaid.x",           4, WARPS) \
    X(PTX_CTAID_Y,           "ctaid.y",           4, WARPS) \
    X(PTX_CTAID_Z,           "ctaid.z",           4, WARPS) \
    X(PTX_NCTAID_X,          "nctaid.x",          4, LAUNCHES) \
    X(PTX_NCTAID_Y,          "nctaid.y",          4, LAUNCHES) \
    X(PTX_NCTAID_Z,          "nctaid.z",          4, LAUNCHES) \
    X(PTX_LANEID,            "laneid",            4, LANES) \
    X(PTX_WARPID,            "warpid",            4, WARPS) \
    X(PTX_NWARPID,           "nwarpid",           4, LAUNCHES) \
    X(PTX_SMID,              "smid",              4, WARPS) \
    X(PTX_NSMID,             "nsmid",             4, LAUNCHES) \
    X(PTX_GRIDID,            "gridid",            8, LAUNCHES) \
    X(PTX_LANEMASK_EQ,       "lanemask_eq",       4, LANES) \
    X(PTX_LANEMASK_LE,       "lanemask_le",       4, LANES) \
    X(PTX_LANEMASK_LT,       "lanemask_lt",       4, LANES) \
    X(PTX_LANEMASK_GE,       "lanemask_ge",       4, LANES) \
    X(PTX_LANEMASK_GT,       "lanemask_gt",       4, LANES) \
    X(PTX_CLOCK,             "clock",             4, READS) \
    X(PTX_CLOCK_HI,          "clock_hi",          4, READS) \
    X(PTX_CLOCK64,           "clock64",           8, READS) \
    X(PTX_GLOBALTIMER,       "globaltimer",       8, READS) \
    X(PTX_GLOBALTIMER_LO,    "globaltimer_lo",    4, READS) \
    X(PTX_GLOBALTIMER_HI,    "globaltimer_hi",    4, READS) \
    X(PTX_DYNAMIC_SMEM_SIZE, "dynamic_smem_size", 4, LAUNCHES) \
    X(PTX_TOTAL_SMEM_SIZE,   "total_smem_size",   4, LAUNCHES) \
    /* Where a cooperative grid synchronises: the address's high and low half, else 0. */ \
    X(PTX_ENVREG1,           "envreg1",           4, LAUNCHES) \
    X(PTX_ENVREG2,           "envreg2",           4, LAUNCHES) \
    /* Shared memory of every block besides the program's own. */ \
    X(PTX_RESERVED_SMEM_BEGIN, "reserved_smem_offset_begin", 4, LAUNCHES) \
    X(PTX_RESERVED_SMEM_END, "reserved_smem_offset_end", 4, LAUNCHES) \
    X(PTX_RESERVED_SMEM_CAP, "reserved_smem_offset_cap", 4, LAUNCHES) \
    X(PTX_RESERVED_SMEM_0,   "reserved_smem_offset_0", 4, LAUNCHES) \
    X(PTX_RESERVED_SMEM_1,   "reserved_smem_offset_1", 4, LAUNCHES) \
    X(PTX_AGGR_SMEM_SIZE,    "aggr_smem_size",    4, LAUNCHES) \
    /* Clusters. Every launch has them; without a cluster size each block is one of its own. */ \
    X(PTX_IS_EXPLICIT_CLUSTER, "is_explicit_cluster", 0, LAUNCHES) \
    X(PTX_CLUSTERID_X,       "clusterid.x",       4, WARPS) \
    X(PTX_CLUSTERID_Y,       "clusterid.y",       4, WARPS) \
    X(PTX_CLUSTERID_Z,       "clusterid.z",       4, WARPS) \
    X(PTX_NCLUSTERID_X,      "nclusterid.x",      4, LAUNCHES) \
    X(PTX_NCLUSTERID_Y,      "nclusterid.y",      4, LAUNCHES) \
    X(PTX_NCLUSTERID_Z,      "nclusterid.z",      4, LAUNCHES) \
    X(PTX_CLUSTER_CTAID_X,   "cluster_ctaid.x",   4, WARPS) \
    X(PTX_CLUSTER_CTAID_Y,   "cluster_ctaid.y",   4, WARPS) \
    X(PTX_CLUSTER_CTAID_Z,   "cluster_ctaid.z",   4, WARPS) \
    X(PTX_CLUSTER_NCTAID_X,  "cluster_nctaid.x",  4, LAUNCHES) \
    X(PTX_CLUSTER_NCTAID_Y,  "cluster_nctaid.y",  4, LAUNCHES) \
    X(PTX_CLUSTER_NCTAID_Z,  "cluster_nctaid.z",  4, LAUNCHES) \
    X(PTX_CLUSTER_CTARANK,   "cluster_ctarank",   4, WARPS) \
    X(PTX_CLUSTER_NCTARANK,  "cluster_nctarank",  4, LAUNCHES)
enum ptx_special { PTX_SPECIALS(PTX_FIRST) PTX_SPECIAL_COUNT };
/* LANES: between lanes, alike in every warp. READS: at every read. */
enum ptx_between { PTX_BETWEEN_LAUNCHES, PTX_BETWEEN_WARPS, PTX_BETWEEN_LANES, PTX_BETWEEN_THREADS, PTX_BETWEEN_READS };
// clang-format on

enum ptx_kind { PTX_KIND_NONE, PTX_KIND_BITS, PTX_KIND_UNSIGNED, PTX_KIND_SIGNED, PTX_KIND_FLOAT };

struct ptx_type_nature {
    const char *word;
    uint8_t bytes, kind, packed;
};
struct ptx_form_nature {
    const char *word, *printed;
    uint8_t family;
};
struct ptx_shape_nature {
    const char *word;
    uint16_t m, n, k;
};
struct ptx_special_nature {
    const char *word;
    uint8_t bytes, between;
};

extern const struct ptx_type_nature ptx_types[PTX_TYPE_COUNT];
extern const struct ptx_form_nature ptx_forms[PTX_FORM_COUNT];
extern const struct ptx_shape_nature ptx_shapes[PTX_SHAPE_COUNT];
extern const struct ptx_special_nature ptx_specials[PTX_SPECIAL_COUNT];
extern const char *const ptx_flag_words[PTX_FLAG_COUNT]; /* by bit */
extern const char *const ptx_space_words[PTX_SPACE_COUNT];
extern const char *const ptx_rounding_words[PTX_ROUNDING_COUNT];
extern const char *const ptx_compare_words[PTX_COMPARISON_COUNT];

/* "u32" becomes PTX_U32; PTX_NOTYPE: no type. */
enum ptx_type ptx_type_of_word(const char *text, size_t length);

/* Bytes of a value; 0: no type, or a predicate. */
static inline uint32_t ptx_type_bytes(enum ptx_type type) {
    return ptx_types[type].bytes;
}
static inline const char *ptx_type_name(enum ptx_type type) {
    return ptx_types[type].word;
}
static inline bool ptx_type_is_float(enum ptx_type type) {
    return ptx_types[type].kind == PTX_KIND_FLOAT;
}
static inline bool ptx_type_is_signed(enum ptx_type type) {
    return ptx_types[type].kind == PTX_KIND_SIGNED;
}
