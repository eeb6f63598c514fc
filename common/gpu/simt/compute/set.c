/* set.c: set for every type, and comparisons of half-precision numbers. Both are rare: the
 * condition is looked up at run time. Other setp: compare.c. PTX ISA 9.7.6, 9.7.7. */
#include "gpu/simt/compute/half.h"

/* Numbers of any type are compared as signed, unsigned or double. */
enum kind { SIGNED, UNSIGNED, FLOAT };
struct value {
    enum kind kind;
    int64_t s;
    uint64_t u;
    double f;
};
#define SIGNED_VALUE(x) ((struct value){.kind = SIGNED, .s = (x)})
#define UNSIGNED_VALUE(x) ((struct value){.kind = UNSIGNED, .u = (x)})
#define FLOAT_VALUE(x) ((struct value){.kind = FLOAT, .f = (x)})

static struct value load(const struct simt_operation *operation, uint8_t *registers, int source, int lane,
                         int half) {
    bool ftz = operation->instruction->flags & PTX_FTZ;
    uint32_t word = 0, part = 0;
    uint64_t wide = 0;
    if (ptx_type_bytes(operation->instruction->source_type) == 8) {
        wide = SOURCE(u64, source)[lane];
    } else {
        word = SOURCE(u32, source)[lane];
        part = word >> 16 * half & 0xffff;
    }
    switch (operation->instruction->source_type) {
    case PTX_S16: return SIGNED_VALUE((int16_t)word);
    case PTX_S32: return SIGNED_VALUE((int32_t)word);
    case PTX_S64: return SIGNED_VALUE((int64_t)wide);
    case PTX_B16:
    case PTX_U16: return UNSIGNED_VALUE((uint16_t)word);
    case PTX_B64:
    case PTX_U64: return UNSIGNED_VALUE(wide);
    case PTX_F16:
    case PTX_F16X2: return FLOAT_VALUE(f16_value(ftz && !(part & 0x7c00) ? part & 0x8000 : part));
    case PTX_BF16:
    case PTX_BF16X2: return FLOAT_VALUE(bf16_value(part));
    case PTX_F32: return FLOAT_VALUE((double)(ftz ? f32_flush(f32_of(word)) : f32_of(word)));
    case PTX_F64: return FLOAT_VALUE(f64_of(wide));
    default: return UNSIGNED_VALUE(word);
    }
}

static bool holds(uint8_t compare, struct value x, struct value y) {
    bool less = x.kind == SIGNED ? x.s < y.s : x.kind == UNSIGNED ? x.u < y.u : x.f < y.f;
    bool equal = x.kind == SIGNED ? x.s == y.s : x.kind == UNSIGNED ? x.u == y.u : x.f == y.f;
    bool nan = x.kind == FLOAT && (x.f != x.f || y.f != y.f);
    bool greater = !less && !equal && !nan;
    switch (compare) {
    case PTX_EQ: return equal;
    case PTX_NE: return less || greater;
    case PTX_LT: return less;
    case PTX_LE: return less || equal;
    case PTX_GT: return greater;
    case PTX_GE: return greater || equal;
    case PTX_EQU: return equal || nan;
    case PTX_NEU: return !equal;
    case PTX_LTU: return less || nan;
    case PTX_LEU: return !greater;
    case PTX_GTU: return greater || nan;
    case PTX_GEU: return !less;
    case PTX_NUM: return !nan;
    default: return nan; /* PTX_NAN */
    }
}

/* Compares one half of each lane (0 unless a pair), and combines it with a third source. */
static uint32_t compare_lanes(const struct simt_operation *operation, uint8_t *registers,
                              const uint32_t *predicates, int half, uint32_t inverted) {
    const struct ptx_instruction *instruction = operation->instruction;
    uint32_t bits = 0;
    FOR_LANES bits |= (uint32_t)holds(instruction->compare, load(operation, registers, 0, lane, half),
                                      load(operation, registers, 1, lane, half))
                      << lane;
    bits ^= inverted;
    if (instruction->sources > 2) {
        uint32_t c = predicate_source(operation, predicates, 2);
        bits = instruction->form == PTX_BOOL_AND  ? bits & c
               : instruction->form == PTX_BOOL_OR ? bits | c
                                                  : bits ^ c;
    }
    return bits;
}

/* setp of halves: q is the inverse. Of pairs: p compares lower halves, q upper ones. */
static void setp(const struct simt_operation *operation, uint8_t *registers, uint32_t *predicates,
                 bool pair) {
    uint32_t p = compare_lanes(operation, registers, predicates, 0, 0);
    uint32_t q = compare_lanes(operation, registers, predicates, pair ? 1 : 0, pair ? 0 : UINT32_MAX);
    if (operation->destination[0] != SIMT_NO_OPERAND)
        predicates[operation->destination[0]] = p;
    if (operation->instruction->destinations > 1 && operation->destination[1] != SIMT_NO_OPERAND)
        predicates[operation->destination[1]] = q;
}
HANDLER(setp_half) {
    (void)mask;
    setp(operation, registers, predicates, false);
}
HANDLER(setp_pair) {
    (void)mask;
    setp(operation, registers, predicates, true);
}

/* set: the result of a true comparison. */
static uint32_t true_value(uint8_t type) {
    switch (type) {
    case PTX_F32: return 0x3f800000;
    case PTX_F16: return 0x3c00;
    case PTX_F16X2: return 0x3c003c00;
    case PTX_BF16: return 0x3f80;
    case PTX_BF16X2: return 0x3f803f80;
    case PTX_U16:
    case PTX_S16: return 0xffff;
    default: return UINT32_MAX;
    }
}
HANDLER(set) {
    (void)mask;
    uint8_t source = operation->instruction->source_type;
    bool pair = source == PTX_F16X2 || source == PTX_BF16X2;
    uint32_t low = compare_lanes(operation, registers, predicates, 0, 0);
    uint32_t high = pair ? compare_lanes(operation, registers, predicates, 1, 0) : low;
    uint32_t whole = true_value(operation->instruction->type);
    slot_u32 *d = DESTINATION(u32);
    FOR_LANES d[lane] =
        ((low >> lane & 1) ? whole & 0xffff : 0) | ((high >> lane & 1) ? whole & 0xffff0000 : 0);
}

#define ROW_SETP(T, flags, handler)                                                                          \
    { PTX_SETP, T, 0, COMPUTE_ANY, COMPUTE_ANY, 0, WRITES_PREDICATES, flags, handler, NULL }
#define ROW_SET(T, flags)                                                                                    \
    { PTX_SET, T, COMPUTE_ANY, COMPUTE_ANY, COMPUTE_ANY, 0, WRITES_32, flags, set, NULL }
static const struct compute_row rows[] = {
    ROW_SETP(PTX_F16, 0, setp_half),
    ROW_SETP(PTX_F16, PTX_FTZ, setp_half),
    ROW_SETP(PTX_BF16, 0, setp_half),
    ROW_SETP(PTX_F16X2, 0, setp_pair),
    ROW_SETP(PTX_F16X2, PTX_FTZ, setp_pair),
    ROW_SETP(PTX_BF16X2, 0, setp_pair),
    ROW_SET(PTX_U32, 0),
    ROW_SET(PTX_U32, PTX_FTZ),
    ROW_SET(PTX_S32, 0),
    ROW_SET(PTX_S32, PTX_FTZ),
    ROW_SET(PTX_F32, 0),
    ROW_SET(PTX_F32, PTX_FTZ),
    ROW_SET(PTX_U16, 0),
    ROW_SET(PTX_U16, PTX_FTZ),
    ROW_SET(PTX_S16, 0),
    ROW_SET(PTX_S16, PTX_FTZ),
    ROW_SET(PTX_F16, 0),
    ROW_SET(PTX_F16, PTX_FTZ),
    ROW_SET(PTX_BF16, 0),
    ROW_SET(PTX_F16X2, 0),
    ROW_SET(PTX_F16X2, PTX_FTZ),
    ROW_SET(PTX_BF16X2, 0),
};
COMPUTE_TABLE(set, rows);
