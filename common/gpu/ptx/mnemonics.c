/* mnemonics.c: the table of what is run: every mnemonic with the modifiers, types and operands that
 * it accepts. Anything else is refused by name. PTX ISA 9.0, chapter 9.
 *
 * A row's modifiers are groups separated by blanks. A group is words separated by '|', one of which
 * must appear, unless the group ends in '?'. A prefix says what the word sets:
 *     T=  the type  S=  the source type  B=  the second source type  M=  the shape  C=  the comparison  F=  the form  none: see set_word
 * Each word of an instruction, in order, belongs to the first free group that has it.
 *
 * A row's operands: destinations, '=', sources. A letter each:
 *     t  type                              s  source type
 *     n  as t, but a register may be wider m  as s, likewise
 *     w  twice as wide as type             i  32-bit integer
 *     b  32 bits                           B  64 bits
 *     p  predicate                         q  second destination "|p", may be missing
 *     a  address                           v  type, or a vector of it
 *     I  integer constant                  C  address of a variable or a register (mov, cvta)
 *     ?  the operand before it may be missing
 * A signature that starts with '!' names a form that instruction.c reads by itself. */
#include "gpu/ptx/internal.h"
#include <stdio.h>
#include <string.h>

struct row {
    const char *mnemonic;
    uint16_t opcode;
    const char *modifiers, *operands;
};

// clang-format off
#define INTEGER   "u16|u32|u64|s16|s32|s64"
#define CARRY     "u32|s32|u64|s64"
#define BITS      "b16|b32|b64"
#define SCALAR    BITS "|" INTEGER "|f32|f64"
#define MEMORY    "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"
#define HALF      "f16|f16x2"
#define BRAIN     "bf16|bf16x2"
#define ROUND     "rn|rz|rm|rp"
#define COMPARE_I "C=eq|ne|lt|le|gt|ge|lo|ls|hi|hs"
#define COMPARE_F "C=eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"
#define BOOL      "F=and|or|xor"
#define SCOPE     "cta|cluster|gpu|sys?"
#define SPACE     "global|shared|shared::cta|shared::cluster|local|const|param|param::entry|param::func?"
#define ATOM_SPACE "global|shared|shared::cta|shared::cluster?"
#define SHARED    "shared|shared::cta|shared::cluster?"
#define MMA       "sync aligned "
#define WMMA      "mma sync aligned row|col row|col "
#define LARGE     "m16n16k16|m8n32k16|m32n8k16"
#define L2_SIZE   "L2::64B|L2::128B|L2::256B?"
#define L1_EVICT  "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate?"
#define L2_EVICT  "L2::evict_normal|L2::evict_first|L2::evict_last?"

static const struct row rows[] = {
    /* integer and float arithmetic */
    {"add", PTX_ADD, "T=" INTEGER, "t=tt"},
    {"add", PTX_ADD, "sat T=s32", "t=tt"},
    {"add", PTX_ADD, "cc T=" CARRY, "t=tt"},
    {"add", PTX_ADD, ROUND "? ftz? sat? T=f32", "t=tt"},
    {"add", PTX_ADD, ROUND "? T=f64", "t=tt"},
    {"add", PTX_ADD, "rn? ftz? sat? T=" HALF, "t=tt"},
    {"add", PTX_ADD, "rn? T=" BRAIN, "t=tt"},
    {"add", PTX_ADD, "T=u16x2|s16x2", "t=tt"},
    {"addc", PTX_ADDC, "cc? T=" CARRY, "t=tt"},
    {"sub", PTX_SUB, "T=" INTEGER, "t=tt"},
    {"sub", PTX_SUB, "sat T=s32", "t=tt"},
    {"sub", PTX_SUB, "cc T=" CARRY, "t=tt"},
    {"sub", PTX_SUB, ROUND "? ftz? sat? T=f32", "t=tt"},
    {"sub", PTX_SUB, ROUND "? T=f64", "t=tt"},
    {"sub", PTX_SUB, "rn? ftz? sat? T=" HALF, "t=tt"},
    {"sub", PTX_SUB, "rn? T=" BRAIN, "t=tt"},
    {"subc", PTX_SUBC, "cc? T=" CARRY, "t=tt"},
    {"mul", PTX_MUL, "F=lo|hi T=" INTEGER, "t=tt"},
    {"mul", PTX_MUL, "F=wide T=u16|s16|u32|s32", "w=tt"},
    {"mul", PTX_MUL, ROUND "? ftz? sat? T=f32", "t=tt"},
    {"mul", PTX_MUL, ROUND "? T=f64", "t=tt"},
    {"mul", PTX_MUL, "rn? ftz? sat? T=" HALF, "t=tt"},
    {"mul", PTX_MUL, "rn? T=" BRAIN, "t=tt"},
    {"mad", PTX_MAD, "F=lo|hi T=" INTEGER, "t=ttt"},
    {"mad", PTX_MAD, "F=wide T=u16|s16|u32|s32", "w=ttw"},
    {"mad", PTX_MAD, "F=hi sat T=s32", "t=ttt"},
    {"mad", PTX_MAD, "F=lo|hi cc T=" CARRY, "t=ttt"},
    {"mad", PTX_FMA, ROUND " ftz? sat? T=f32", "t=ttt"}, /* fma since sm_20 */
    {"mad", PTX_FMA, ROUND " T=f64", "t=ttt"},
    {"madc", PTX_MADC, "F=lo|hi cc? T=" CARRY, "t=ttt"},
    {"mul24", PTX_MUL24, "F=lo|hi T=u32|s32", "t=tt"},
    {"mad24", PTX_MAD24, "F=lo|hi T=u32|s32", "t=ttt"},
    {"mad24", PTX_MAD24, "F=hi sat T=s32", "t=ttt"},
    {"sad", PTX_SAD, "T=" INTEGER, "t=ttt"},
    {"div", PTX_DIV, "T=" INTEGER, "t=tt"},
    {"div", PTX_DIV, "approx|full|" ROUND " ftz? T=f32", "t=tt"},
    {"div", PTX_DIV, ROUND " T=f64", "t=tt"},
    {"rem", PTX_REM, "T=" INTEGER, "t=tt"},
    {"abs", PTX_ABS, "T=s16|s32|s64", "t=t"},
    {"abs", PTX_ABS, "ftz? T=f32|" HALF, "t=t"},
    {"abs", PTX_ABS, "T=f64|" BRAIN, "t=t"},
    {"neg", PTX_NEG, "T=s16|s32|s64", "t=t"},
    {"neg", PTX_NEG, "ftz? T=f32|" HALF, "t=t"},
    {"neg", PTX_NEG, "T=f64|" BRAIN, "t=t"},
    {"min", PTX_MIN, "T=" INTEGER, "t=tt"},
    {"min", PTX_MIN, "relu T=s32", "t=tt"},
    {"min", PTX_MIN, "ftz? NaN? xorsign? abs? T=f32|" HALF, "t=tt"},
    {"min", PTX_MIN, "NaN? xorsign? abs? T=" BRAIN, "t=tt"},
    {"min", PTX_MIN, "T=f64", "t=tt"},
    {"min", PTX_MIN, "T=u16x2", "t=tt"},
    {"min", PTX_MIN, "relu? T=s16x2", "t=tt"},
    {"max", PTX_MAX, "T=" INTEGER, "t=tt"},
    {"max", PTX_MAX, "relu T=s32", "t=tt"},
    {"max", PTX_MAX, "ftz? NaN? xorsign? abs? T=f32|" HALF, "t=tt"},
    {"max", PTX_MAX, "NaN? xorsign? abs? T=" BRAIN, "t=tt"},
    {"max", PTX_MAX, "T=f64", "t=tt"},
    {"max", PTX_MAX, "T=u16x2", "t=tt"},
    {"max", PTX_MAX, "relu? T=s16x2", "t=tt"},
    {"popc", PTX_POPC, "T=b32|b64", "i=t"},
    {"clz", PTX_CLZ, "T=b32|b64", "i=t"},
    {"bfind", PTX_BFIND, "shiftamt? T=u32|s32|u64|s64", "i=t"},
    {"fns", PTX_FNS, "T=b32", "t=tii"},
    {"brev", PTX_BREV, "T=b32|b64", "t=t"},
    {"bfe", PTX_BFE, "T=u32|s32|u64|s64", "t=tii"},
    {"bfi", PTX_BFI, "T=b32|b64", "t=ttii"},
    {"szext", PTX_SZEXT, "F=clamp|wrap T=u32|s32", "t=ti"},
    {"bmsk", PTX_BMSK, "F=clamp|wrap T=b32", "t=ii"},
    {"dp4a", PTX_DP4A, "T=u32|s32 S=u32|s32", "t=tst"},
    {"dp2a", PTX_DP2A, "F=lo|hi T=u32|s32 S=u32|s32", "t=tst"},
    {"vabsdiff2", PTX_SAD, "u32 u32 u32", "!distance2 i=iii"},
    {"vabsdiff2", PTX_SAD, "u32 u32 u32 add", "!distance2+ i=iii"},
    {"vabsdiff4", PTX_SAD, "u32 u32 u32", "!distance4 i=iii"},
    {"vabsdiff4", PTX_SAD, "u32 u32 u32 add", "!distance4+ i=iii"},
    {"fma", PTX_FMA, ROUND " ftz? sat? T=f32", "t=ttt"},
    {"fma", PTX_FMA, ROUND " T=f64", "t=ttt"},
    {"fma", PTX_FMA, "rn ftz? sat? relu? T=" HALF, "t=ttt"},
    {"fma", PTX_FMA, "rn relu? T=" BRAIN, "t=ttt"},
    {"testp", PTX_TESTP, "F=finite|infinite|number|notanumber|normal|subnormal T=f32|f64", "p=t"},
    {"copysign", PTX_COPYSIGN, "T=f32|f64", "t=tt"},
    {"rcp", PTX_RCP, "approx|" ROUND " ftz? T=f32", "t=t"},
    {"rcp", PTX_RCP, ROUND " T=f64", "t=t"},
    {"rcp", PTX_RCP, "approx ftz T=f64", "t=t"},
    {"sqrt", PTX_SQRT, "approx|" ROUND " ftz? T=f32", "t=t"},
    {"sqrt", PTX_SQRT, ROUND " T=f64", "t=t"},
    {"rsqrt", PTX_RSQRT, "approx ftz? T=f32|f64", "t=t"},
    {"sin", PTX_SIN, "approx ftz? T=f32", "t=t"},
    {"cos", PTX_COS, "approx ftz? T=f32", "t=t"},
    {"lg2", PTX_LG2, "approx ftz? T=f32", "t=t"},
    {"ex2", PTX_EX2, "approx ftz? T=f32", "t=t"},
    {"ex2", PTX_EX2, "approx T=" HALF, "t=t"},
    {"ex2", PTX_EX2, "approx ftz T=" BRAIN, "t=t"},
    {"tanh", PTX_TANH, "approx T=f32|" HALF "|" BRAIN, "t=t"},

    /* comparison and selection */
    {"set", PTX_SET, COMPARE_I " T=u32|s32|f32 S=" BITS "|" INTEGER, "t=ss"},
    {"set", PTX_SET, COMPARE_F " ftz? T=u32|s32|f32 S=f32|f64", "t=ss"},
    {"set", PTX_SET, COMPARE_F " ftz? T=u16|s16|u32|s32|f16|bf16|f16x2|bf16x2 S=" HALF "|" BRAIN, "t=ss"},
    {"set", PTX_SET, COMPARE_I " " BOOL " T=u32|s32|f32 S=" BITS "|" INTEGER, "t=ssp"},
    {"set", PTX_SET, COMPARE_F " " BOOL " ftz? T=u32|s32|f32 S=f32|f64", "t=ssp"},
    {"set", PTX_SET, COMPARE_F " " BOOL " ftz? T=u16|s16|u32|s32|f16|bf16|f16x2|bf16x2 S=" HALF "|" BRAIN, "t=ssp"},
    {"setp", PTX_SETP, COMPARE_I " T=" BITS "|" INTEGER, "pq=tt"},
    {"setp", PTX_SETP, COMPARE_F " ftz? T=f32|f64|" HALF "|" BRAIN, "pq=tt"},
    {"setp", PTX_SETP, COMPARE_I " " BOOL " T=" BITS "|" INTEGER, "pq=ttp"},
    {"setp", PTX_SETP, COMPARE_F " " BOOL " ftz? T=f32|f64|" HALF "|" BRAIN, "pq=ttp"},
    {"selp", PTX_SELP, "T=" SCALAR, "t=ttp"},
    {"slct", PTX_SLCT, "ftz? T=" SCALAR " S=s32|f32", "t=tts"},

    /* logic and shift */
    {"and", PTX_AND, "T=" BITS, "t=tt"}, {"and", PTX_AND, "T=pred", "p=pp"},
    {"or", PTX_OR, "T=" BITS, "t=tt"},   {"or", PTX_OR, "T=pred", "p=pp"},
    {"xor", PTX_XOR, "T=" BITS, "t=tt"}, {"xor", PTX_XOR, "T=pred", "p=pp"},
    {"not", PTX_NOT, "T=" BITS, "t=t"},  {"not", PTX_NOT, "T=pred", "p=p"},
    {"cnot", PTX_CNOT, "T=" BITS, "t=t"},
    {"lop3", PTX_LOP3, "T=b32", "t=tttI"},
    {"shf", PTX_SHF, "F=l|r F=clamp|wrap T=b32", "t=tti"},
    {"shl", PTX_SHL, "T=" BITS, "t=ti"},
    {"shr", PTX_SHR, "T=" BITS "|" INTEGER, "t=ti"},

    /* data movement and conversion */
    {"mov", PTX_MOV, "T=" SCALAR "|f16|f16x2|bf16|bf16x2", "!mov"},
    {"mov", PTX_MOV, "T=pred", "p=p"},
    {"shfl", PTX_SHFL, "sync F=up|down|bfly|idx T=b32", "tq=tiii"},
    {"shfl", PTX_SHFL, "F=up|down|bfly|idx T=b32", "!active tq=tii"},
    {"prmt", PTX_PRMT, "T=b32 F=f4e|b4e|rc8|ecl|ecr|rc16?", "t=tti"},
    {"ld", PTX_LD, "weak|volatile|relaxed|acquire|mmio? " SCOPE " " SPACE " ca|cg|cs|lu|cv? nc? " L1_EVICT " " L2_EVICT " " L2_SIZE
                   " v2|v4? T=" MEMORY, "v=a"},
    {"ldu", PTX_LDU, "global? v2|v4? T=" MEMORY, "v=a"},
    {"st", PTX_ST, "weak|volatile|relaxed|release|mmio? " SCOPE " " SPACE " wb|cg|cs|wt? " L1_EVICT " " L2_EVICT
                   " v2|v4? T=" MEMORY, "=av"},
    {"prefetch", PTX_PREFETCH, "global|local? L1|L2|L2::evict_last|L2::evict_normal", "=a"},
    {"prefetchu", PTX_PREFETCH, "L1", "=a"},
    {"isspacep", PTX_ISSPACEP, "global|shared|shared::cta|shared::cluster|local|const|param|param::entry", "p=B"},
    {"cvta", PTX_CVTA, "F=to? global|shared|shared::cta|shared::cluster|local|const|param|param::entry T=u64", "t=C"},
    {"cvt", PTX_CVT, "rn|rz|rm|rp|rni|rzi|rmi|rpi? relu? ftz? sat? T=u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64 "
                     "S=u8|u16|u32|u64|s8|s16|s32|s64|f16|bf16|f32|f64", "n=m"},
    {"cvt", PTX_CVT, "rn|rz relu? satfinite? T=" "f16x2|bf16x2 S=f32", "t=ss"},
    {"cvt", PTX_CVT, "rn satfinite relu? T=e4m3x2|e5m2x2 S=f32", "t=ss"},
    {"cvt", PTX_CVT, "rn satfinite relu? T=e4m3x2|e5m2x2 S=f16x2", "t=s"},
    {"cvt", PTX_CVT, "rn relu? T=f16x2 S=e4m3x2|e5m2x2", "t=s"},
    {"cp", PTX_CP_ASYNC, "async ca|cg shared|shared::cta global " L2_SIZE, "!copy =aaIi?"},
    {"cp", PTX_CP_ASYNC_COMMIT, "async commit_group", "="},
    {"cp", PTX_CP_ASYNC_WAIT, "async wait_group", "=I"},
    {"cp", PTX_CP_ASYNC_WAIT, "async F=wait_all", "!waitall ="},
    {"cp", PTX_MBARRIER, "async F=mbarrier arrive " SHARED " T=b64", "=a"},
    {"cp", PTX_MBARRIER, "async mbarrier F=arrive noinc " SHARED " T=b64", "=a"},
    {"cp", PTX_BULK, "async bulk shared::cluster|shared::cta global|shared::cta F=mbarrier::complete_tx::bytes", "=aaia"},
    {"cp", PTX_BULK, "async bulk shared::cluster|shared::cta global F=mbarrier::complete_tx::bytes L2::cache_hint", "=aaiaB"},
    {"cp", PTX_BULK, "async bulk global shared::cta F=bulk_group", "=aai"},
    {"cp", PTX_BULK, "async bulk global shared::cta F=bulk_group L2::cache_hint", "=aaiB"},
    {"cp", PTX_PREFETCH, "async bulk prefetch L2 global", "=ai"},
    {"cp", PTX_BULK_COMMIT, "async bulk commit_group", "="},
    {"cp", PTX_BULK_WAIT, "async bulk wait_group read?", "=I"},
    {"mapa", PTX_MAPA, "shared::cluster? T=u32|u64", "t=Ci"},
    {"getctarank", PTX_GETCTARANK, "shared::cluster? T=u32|u64", "i=C"},

    /* control flow */
    {"bra", PTX_BRA, "uni?", "!branch"},
    {"brx", PTX_BRX, "idx uni?", "!table"},
    {"call", PTX_CALL, "uni?", "!call"},
    {"ret", PTX_RET, "uni?", "="},
    {"exit", PTX_EXIT, "", "="},
    {"trap", PTX_TRAP, "", "="},
    {"brkpt", PTX_BRKPT, "", "="},
    {"nanosleep", PTX_NANOSLEEP, "T=u32", "=i"},

    /* synchronisation and communication */
    {"bar", PTX_BARWARP, "warp sync", "=i"},
    {"bar", PTX_BAR, "cta? F=sync", "!aligned =ii?"},
    {"bar", PTX_BAR, "cta? F=arrive", "!aligned =ii"},
    {"bar", PTX_BAR, "cta? red F=popc T=u32", "!aligned i=ii?p"},
    {"bar", PTX_BAR, "cta? red F=and|or T=pred", "!aligned p=ii?p"},
    {"barrier", PTX_BAR, "cta? F=sync aligned?", "=ii?"},
    {"barrier", PTX_BAR, "cta? F=arrive aligned?", "=ii"},
    {"barrier", PTX_BAR, "cta? red F=popc aligned? T=u32", "i=ii?p"},
    {"barrier", PTX_BAR, "cta? red F=and|or aligned? T=pred", "p=ii?p"},
    {"barrier", PTX_BARCLUSTER, "cluster F=arrive release|relaxed? aligned?", "="},
    {"barrier", PTX_BARCLUSTER, "cluster F=wait acquire? aligned?", "="},
    {"mbarrier", PTX_MBARRIER, "F=init " SHARED " T=b64", "=ai"},
    {"mbarrier", PTX_MBARRIER, "F=inval " SHARED " T=b64", "=a"},
    {"mbarrier", PTX_MBARRIER, "F=expect_tx|complete_tx relaxed? " SCOPE " " SHARED " T=b64", "=ai"},
    {"mbarrier", PTX_MBARRIER, "F=arrive|arrive_drop noComplete? release|relaxed? " SCOPE " " SHARED " T=b64", "t=ai?"},
    {"mbarrier", PTX_MBARRIER, "F=arrive|arrive_drop expect_tx release|relaxed? " SCOPE " " SHARED " T=b64", "t=ai"},
    {"mbarrier", PTX_MBARRIER, "F=test_wait|try_wait acquire|relaxed? " SCOPE " " SHARED " T=b64", "p=ati?"},
    {"mbarrier", PTX_MBARRIER, "test_wait|try_wait F=parity acquire|relaxed? " SCOPE " " SHARED " T=b64", "p=aii?"},
    {"mbarrier", PTX_MBARRIER_COUNT, "pending_count T=b64", "i=t"},
    {"membar", PTX_MEMBAR, "gl|cta|sys", "="},
    /* Kernels run one after the other, so a wait for the kernel before is over. */
    {"griddepcontrol", PTX_GRID_WAIT, "wait", "="},
    {"griddepcontrol", PTX_MEMBAR, "launch_dependents", "="},
    {"fence", PTX_MEMBAR, "sc|acq_rel|acquire|release? cta|cluster|gpu|sys", "="},
    /* Memory is one here, and in order: the fences of the asynchronous proxy are fences. */
    {"fence", PTX_MEMBAR, "proxy async|alias global|shared::cta|shared::cluster?", "="},
    {"fence", PTX_MEMBAR, "proxy? async::generic? acquire|release sync_restrict::shared::cta|sync_restrict::shared::cluster cluster", "="},
    {"fence", PTX_MEMBAR, "mbarrier_init release cluster", "="},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel|volatile? " SCOPE " " ATOM_SPACE " F=and|or|xor T=b32|b64", "t=at"},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel|volatile? " SCOPE " " ATOM_SPACE " F=exch T=b32|b64", "t=at"},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel|volatile? " SCOPE " " ATOM_SPACE " F=cas T=b16|b32|b64", "t=att"},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel|volatile? " SCOPE " " ATOM_SPACE " F=add T=u32|s32|u64|s64|f32|f64", "t=at"},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel|volatile? " SCOPE " " ATOM_SPACE " F=add noftz T=" HALF "|" BRAIN, "t=at"},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel|volatile? " SCOPE " " ATOM_SPACE " F=inc|dec T=u32", "t=at"},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel|volatile? " SCOPE " " ATOM_SPACE " F=min|max T=u32|s32|u64|s64", "t=at"},
    {"atom", PTX_ATOM, "relaxed|acquire|release|acq_rel? " SCOPE " global? F=add v2|v4 T=f32", "!elements v=av"},
    {"red", PTX_RED, "relaxed|release? " SCOPE " global? F=add v2|v4 T=f32", "!elements =av"},
    {"red", PTX_RED, "relaxed|release|volatile? " SCOPE " " ATOM_SPACE " F=and|or|xor T=b32|b64", "=at"},
    {"red", PTX_RED, "relaxed|release|volatile? " SCOPE " " ATOM_SPACE " F=add T=u32|s32|u64|s64|f32|f64", "=at"},
    {"red", PTX_RED, "relaxed|release|volatile? " SCOPE " " ATOM_SPACE " F=add noftz T=" HALF "|" BRAIN, "=at"},
    {"red", PTX_RED, "relaxed|release|volatile? " SCOPE " " ATOM_SPACE " F=inc|dec T=u32", "=at"},
    {"red", PTX_RED, "relaxed|release|volatile? " SCOPE " " ATOM_SPACE " F=min|max T=u32|s32|u64|s64", "=at"},
    {"vote", PTX_VOTE, "sync F=all|any|uni T=pred", "p=pi"},
    {"vote", PTX_VOTE, "sync F=ballot T=b32", "t=pi"},
    {"vote", PTX_VOTE, "F=all|any|uni T=pred", "!active p=p"},
    {"vote", PTX_VOTE, "F=ballot T=b32", "!active t=p"},
    {"match", PTX_MATCH, "F=any sync T=b32|b64", "b=ti"},
    {"match", PTX_MATCH, "F=all sync T=b32|b64", "bq=ti"},
    {"elect", PTX_ELECT, "sync", "iq=i"},
    {"activemask", PTX_ACTIVEMASK, "T=b32", "t="},
    {"redux", PTX_REDUX, "sync F=add|min|max T=u32|s32", "t=ti"},
    {"redux", PTX_REDUX, "sync F=and|or|xor T=b32", "t=ti"},

    /* tensor cores */
    {"mma", PTX_MMA, MMA "M=m16n8k8|m16n8k16 row col T=f16 S=f16 B=f16 f16", "!matrix product"},
    {"mma", PTX_MMA, MMA "M=m16n8k8|m16n8k16 row col T=f32 S=f16 B=f16 f32", "!matrix product"},
    {"mma", PTX_MMA, MMA "M=m16n8k8|m16n8k16 row col T=f32 S=bf16 B=bf16 f32", "!matrix product"},
    {"mma", PTX_MMA, MMA "M=m16n8k4|m16n8k8 row col T=f32 S=tf32 B=tf32 f32", "!matrix product"},
    {"mma", PTX_MMA, MMA "M=m8n8k4|m16n8k4|m16n8k8|m16n8k16 row col rn? T=f64 S=f64 B=f64 f64", "!matrix product"},
    {"mma", PTX_MMA, MMA "M=m8n8k16|m16n8k16|m16n8k32 row col satfinite? T=s32 S=u8|s8 B=u8|s8 s32", "!matrix product"},
    {"mma", PTX_MMA, MMA "M=m8n8k32|m16n8k32|m16n8k64 row col satfinite? T=s32 S=u4|s4 B=u4|s4 s32", "!matrix product"},
    {"mma", PTX_MMA, MMA "M=m8n8k128|m16n8k128|m16n8k256 row col T=s32 S=b1 B=b1 s32 F=and|xor popc", "!matrix product"},
    {"wmma", PTX_MMA, WMMA "M=" LARGE " T=f16 f16", "!matrix wmma"},
    {"wmma", PTX_MMA, WMMA "M=" LARGE " T=f32 f32", "!matrix wmma"},
    {"wmma", PTX_MMA, WMMA "M=" LARGE " T=f32 S=bf16 B=bf16 f32", "!matrix wmma"},
    {"wmma", PTX_MMA, WMMA "M=m16n16k8 T=f32 S=tf32 B=tf32 f32", "!matrix wmma"},
    {"wmma", PTX_MMA, WMMA "M=m8n8k4 rn? T=f64 S=f64 B=f64 f64", "!matrix wmma"},
    {"wmma", PTX_MMA, WMMA "M=" LARGE " T=s32 S=u8 B=u8 s32 satfinite?", "!matrix wmma"},
    {"wmma", PTX_MMA, WMMA "M=" LARGE " T=s32 S=s8 B=s8 s32 satfinite?", "!matrix wmma"},
    {"wmma", PTX_MOVMATRIX, "load F=a|b sync aligned row|col M=" LARGE " " ATOM_SPACE " T=f16|bf16|u8|s8", "!matrix load"},
    {"wmma", PTX_MOVMATRIX, "load F=c sync aligned row|col M=" LARGE " " ATOM_SPACE " T=f16|f32|s32", "!matrix load"},
    {"wmma", PTX_MOVMATRIX, "load F=a|b sync aligned row|col M=m16n16k8 " ATOM_SPACE " T=tf32", "!matrix load"},
    {"wmma", PTX_MOVMATRIX, "load F=c sync aligned row|col M=m16n16k8 " ATOM_SPACE " T=f32", "!matrix load"},
    {"wmma", PTX_MOVMATRIX, "load F=a|b|c sync aligned row|col M=m8n8k4 " ATOM_SPACE " T=f64", "!matrix load"},
    {"wmma", PTX_MOVMATRIX, "store F=d sync aligned row|col M=" LARGE " " ATOM_SPACE " T=f16|f32|s32", "!matrix store"},
    {"wmma", PTX_MOVMATRIX, "store F=d sync aligned row|col M=m16n16k8 " ATOM_SPACE " T=f32", "!matrix store"},
    {"wmma", PTX_MOVMATRIX, "store F=d sync aligned row|col M=m8n8k4 " ATOM_SPACE " T=f64", "!matrix store"},
    {"ldmatrix", PTX_MOVMATRIX, "sync aligned m8n8 x1|x2|x4 F=trans? " SHARED " T=b16", "!matrix rows"},
    {"stmatrix", PTX_MOVMATRIX, "sync aligned m8n8 x1|x2|x4 F=trans? " SHARED " T=b16", "!matrix store rows"},
    {"movmatrix", PTX_MOVMATRIX, "sync aligned m8n8 F=trans T=b16", "b=b"},
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* Spellings of a flag, a space or a vector that the tables do not have. */
enum field { FLAG, STATE_SPACE, VECTOR };
static const struct word { const char *text; uint8_t field; uint32_t value; } synonyms[] = {
    {"relaxed", FLAG, PTX_VOLATILE | PTX_RELAXED}, {"acquire", FLAG, PTX_VOLATILE | PTX_RELAXED},
    {"release", FLAG, PTX_VOLATILE | PTX_RELAXED}, {"acq_rel", FLAG, PTX_VOLATILE | PTX_RELAXED | PTX_RELEASE}, {"mmio", FLAG, PTX_VOLATILE}, {"cv", FLAG, PTX_VOLATILE}, {"wt", FLAG, PTX_VOLATILE},
    {"lu", FLAG, PTX_CACHE_STREAM}, {"L1::evict_first", FLAG, PTX_CACHE_STREAM},
    {"L1::no_allocate", FLAG, PTX_CACHE_L2_ONLY},
    {"shared::cta", STATE_SPACE, PTX_SHARED}, {"shared::cluster", STATE_SPACE, PTX_SHARED},
    {"param::entry", STATE_SPACE, PTX_PARAM_ENTRY}, {"param::func", STATE_SPACE, PTX_PARAM_FRAME},
    {"v2", VECTOR, 2}, {"v4", VECTOR, 4}, {"x2", VECTOR, 2}, {"x4", VECTOR, 4},
};
// clang-format on

struct ptx_match_entry {
    struct ptx_match_entry *next;
    const char *text;
    size_t length;
    struct ptx_match match;
};

static bool same(const char *word, const char *text, size_t length) {
    return strncmp(word, text, length) == 0 && word[length] == '\0';
}

/* Whether a group ("a|b|c", up to `end`) has this word. */
static bool group_knows(const char *group, const char *end, const char *text, size_t length) {
    while (group < end) {
        const char *stop = memchr(group, '|', (size_t)(end - group));
        if (stop == NULL)
            stop = end;
        if ((size_t)(stop - group) == length && memcmp(group, text, length) == 0)
            return true;
        group = stop + 1;
    }
    return false;
}

/* Index of a word in a table, from `first` on; -1: not found. */
static int find_word(const char *const *table, int first, int count, const char *text, size_t length) {
    for (int i = first; i < count; i++)
        if (same(table[i], text, length))
            return i;
    return -1;
}

static bool set_type(uint8_t *type, const char *text, size_t length) {
    *type = (uint8_t)ptx_type_of_word(text, length);
    return *type != PTX_NOTYPE;
}

/* Sets a form of the opcode's family. A funnel shift has two words: l or r; wrap or clamp. */
static bool set_form(struct ptx_match *match, const char *text, size_t length) {
    uint8_t family = ptx_natures[match->opcode].forms;
    if (family == PTX_FORMS_FUNNEL && same("clamp", text, length)) {
        match->form = match->form == PTX_LEFT_WRAP ? PTX_LEFT_CLAMP : PTX_RIGHT_CLAMP;
        return true;
    }
    if (family == PTX_FORMS_FUNNEL && same("wrap", text, length))
        return true;
    for (unsigned form = 0; form < PTX_FORM_COUNT; form++)
        if (ptx_forms[form].family == family && ptx_forms[form].word != NULL &&
            same(ptx_forms[form].word, text, length)) {
            match->form = (uint8_t)form;
            return true;
        }
    return false;
}

static bool set_shape(struct ptx_match *match, const char *text, size_t length) {
    while (match->shape < PTX_SHAPE_COUNT && !same(ptx_shapes[match->shape].word, text, length))
        match->shape++;
    return match->shape < PTX_SHAPE_COUNT;
}

static bool set_compare(struct ptx_match *match, const char *text, size_t length) {
    static const char *const unsigned_words[] = {"lo", "ls", "hi", "hs"};
    int word = find_word(ptx_compare_words, 0, PTX_COMPARISON_COUNT, text, length);
    if (word < 0) {
        word = find_word(unsigned_words, 0, 4, text, length);
        word = word < 0 ? word : PTX_LT + word;
    }
    match->compare = (uint8_t)word;
    return word >= 0;
}

/* Sets a rounding, flag, space or vector. Other words are not needed here. */
static void set_word(struct ptx_match *match, const char *text, size_t length) {
    int rounding = find_word(ptx_rounding_words, PTX_RN, PTX_ROUNDING_COUNT, text, length);
    int flag = find_word(ptx_flag_words, 0, PTX_FLAG_COUNT, text, length);
    int space = find_word(ptx_space_words, PTX_GLOBAL, PTX_SPACE_COUNT, text, length);
    if (rounding >= 0)
        match->rounding = (uint8_t)rounding;
    if (flag >= 0)
        match->flags |= 1u << flag;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        if (!same(synonyms[i].text, text, length))
            continue;
        switch ((enum field)synonyms[i].field) {
        case FLAG: match->flags |= synonyms[i].value; break;
        case VECTOR: match->vector = (uint8_t)synonyms[i].value; break;
        case STATE_SPACE: space = (int)synonyms[i].value; break;
        }
    }
    if (space >= 0) { /* for a parameter space the entry's: instruction.c distinguishes them */
        match->space = (uint8_t)space;
        match->has_space = true;
    }
}

/* False: the row's prefix does not fit its opcode. */
static bool apply(struct ptx_match *match, char prefix, const char *text, size_t length) {
    switch (prefix) {
    case 'T': return set_type(&match->type, text, length);
    case 'S': return set_type(&match->source_type, text, length);
    case 'B': return set_type(&match->second_type, text, length);
    case 'M': return set_shape(match, text, length);
    case 'C': return set_compare(match, text, length);
    case 'F': return set_form(match, text, length);
    default: set_word(match, text, length); return true;
    }
}

/* Matches the words against one row; *accepted gets a bit for each word that a group took. */
static bool match_row(const struct row *row, const struct ptx_token *parts, uint32_t count,
                      struct ptx_match *match, uint64_t *accepted) {
    uint32_t used = 0;
    bool all = true;
    *match =
        (struct ptx_match){.opcode = (enum ptx_opcode)row->opcode, .operands = row->operands, .vector = 1};
    for (uint32_t i = 1; i < count; i++) {
        const char *text = parts[i].text + 1;
        size_t length = parts[i].length - 1;
        bool taken = false;
        uint32_t number = 0;
        for (const char *group = row->modifiers; *group && !taken; number++) {
            const char *end = group + strcspn(group, " ");
            const char *start = group[1] == '=' ? group + 2 : group;
            const char *last = end[-1] == '?' ? end - 1 : end;
            if (!(used >> number & 1) && group_knows(start, last, text, length)) {
                used |= 1u << number;
                taken = apply(match, group[1] == '=' ? *group : 0, text, length);
                break;
            }
            group = *end ? end + 1 : end;
        }
        if (taken)
            *accepted |= (uint64_t)1 << i;
        else
            all = false;
    }
    uint32_t number = 0;
    for (const char *group = row->modifiers; *group; number++) {
        const char *end = group + strcspn(group, " ");
        if (end[-1] != '?' && !(used >> number & 1))
            all = false;
        group = *end ? end + 1 : end;
    }
    if (!match->source_type)
        match->source_type = match->type;
    return all;
}

/* Refuses a mnemonic by its feature, or by the part of it that no row has. */
__attribute__((noreturn)) static void refuse(struct ptx_parser *parser, const struct ptx_token *parts,
                                             uint32_t count, bool known, uint64_t accepted) {
    const char *text = parts[0].text;
    size_t head = parts[0].length;
    size_t length = (size_t)(parts[count - 1].text + parts[count - 1].length - text);
    const struct ptx_feature *feature = ptx_feature_of_mnemonic(text, head, length);
    char name[200];
    uint32_t part = 1;
    while (part < count && (accepted >> part & 1))
        part++;
    if (feature == NULL && known && part < count)
        feature = ptx_feature_of_word(parts[part].text + 1, parts[part].length - 1);
    if (feature != NULL)
        ptx_refuse(parser, feature, text, length);
    if (!known)
        snprintf(name, sizeof name, "the instruction '%.*s'", PTX_TOKEN_ARGUMENTS(&parts[0]));
    else if (part < count)
        snprintf(name, sizeof name, "'%.*s' with '%.*s'", PTX_TOKEN_ARGUMENTS(&parts[part]),
                 PTX_TOKEN_ARGUMENTS(&parts[0]));
    else
        snprintf(name, sizeof name, "this combination of modifiers and type of '%.*s'",
                 PTX_TOKEN_ARGUMENTS(&parts[0]));
    struct ptx_feature unknown = {.name = ptx_keep_text(parser, name, strlen(name))};
    ptx_refuse(parser, &unknown, text, length);
}

void ptx_match_mnemonic(struct ptx_parser *parser, const struct ptx_token *parts, uint32_t count,
                        struct ptx_match *match) {
    const char *text = parts[0].text;
    size_t length = (size_t)(parts[count - 1].text + parts[count - 1].length - text);
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    struct ptx_match_entry **bucket = &parser->matches[(hash ^ hash >> 8 ^ hash >> 16) & 255];
    for (struct ptx_match_entry *entry = *bucket; entry != NULL; entry = entry->next) {
        if (entry->length == length && memcmp(entry->text, text, length) == 0) {
            *match = entry->match;
            return;
        }
    }
    bool known = false;
    uint64_t accepted = 0;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!same(rows[i].mnemonic, parts[0].text, parts[0].length))
            continue;
        known = true;
        if (!match_row(&rows[i], parts, count, match, &accepted))
            continue;
        struct ptx_match_entry *entry = ptx_scratch(parser, sizeof *entry);
        *entry = (struct ptx_match_entry){*bucket, text, length, *match};
        *bucket = entry;
        return;
    }
    refuse(parser, parts, count, known, accepted);
}
