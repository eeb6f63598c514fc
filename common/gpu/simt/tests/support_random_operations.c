/* support_random_operations.c: the result of each operation of random kernels, from the PTX manual,
 * one value at a time. */
#include "support_random.h"

#include <math.h>
#include <string.h>

// clang-format off
const struct random_operation random_operations[] = {
    {"add.s32", "w:wW", ADD, S32}, {"sub.s32", "w:wW", SUB, S32}, {"mul.lo.s32", "w:wW", MUL, S32},
    {"mul.hi.u32", "w:wW", MUL_HI, U32}, {"mul.hi.s32", "w:wW", MUL_HI, S32}, {"mad.lo.s32", "w:wWw", MAD, S32},
    {"min.u32", "w:wW", MIN, U32}, {"max.u32", "w:wW", MAX, U32}, {"min.s32", "w:wW", MIN, S32},
    {"max.s32", "w:wW", MAX, S32}, {"and.b32", "w:wW", AND, U32}, {"or.b32", "w:wW", OR, U32},
    {"xor.b32", "w:wW", XOR, U32}, {"not.b32", "w:w", NOT, U32}, {"neg.s32", "w:w", NEG, S32},
    {"abs.s32", "w:w", ABS, S32}, {"shl.b32", "w:wW", SHL, U32}, {"shr.u32", "w:wW", SHR, U32},
    {"shr.s32", "w:wW", SHR, S32}, {"popc.b32", "w:w", POPC, U32}, {"popc.b64", "w:x", POPC, U64},
    {"clz.b32", "w:w", CLZ, U32}, {"clz.b64", "w:x", CLZ, U64}, {"brev.b32", "w:w", BREV, U32},
    {"bfe.u32", "w:wWW", BFE, U32}, {"bfi.b32", "w:wwWW", BFI, U32}, {"sad.u32", "w:wWw", SAD, U32},
    {"div.u32", "w:ww", DIV, U32}, {"rem.u32", "w:ww", REM, U32}, {"div.s32", "w:ww", DIV, S32},
    {"rem.s32", "w:ww", REM, S32}, {"selp.b32", "w:wWp", SELP, U32}, {"mov.u32", "w:W", MOVE, U32},
    {"lop3.b32", "w:wwwi", LOP3, U32}, {"prmt.b32", "w:wwW", PRMT, U32},
    {"shf.l.wrap.b32", "w:wwW", SHF_LEFT, U32}, {"shf.r.clamp.b32", "w:wwW", SHF_RIGHT, U32},
    {"set.lt.u32.s32", "w:wW", SET, S32}, {"mul.wide.u16", "w:hH", WIDE, U16}, {"mul.wide.s16", "w:hH", WIDE, S16},

    {"add.s64", "x:xX", ADD, S64}, {"sub.s64", "x:xX", SUB, S64}, {"mul.lo.s64", "x:xX", MUL, S64},
    {"mul.hi.u64", "x:xX", MUL_HI, U64}, {"mul.hi.s64", "x:xX", MUL_HI, S64}, {"mad.lo.s64", "x:xXx", MAD, S64},
    {"min.u64", "x:xX", MIN, U64}, {"max.s64", "x:xX", MAX, S64}, {"and.b64", "x:xX", AND, U64},
    {"or.b64", "x:xX", OR, U64}, {"xor.b64", "x:xX", XOR, U64}, {"not.b64", "x:x", NOT, U64},
    {"neg.s64", "x:x", NEG, S64}, {"shl.b64", "x:xW", SHL, U64}, {"shr.u64", "x:xW", SHR, U64},
    {"shr.s64", "x:xW", SHR, S64}, {"brev.b64", "x:x", BREV, U64}, {"bfe.u64", "x:xWW", BFE, U64},
    {"div.u64", "x:xx", DIV, U64}, {"rem.s64", "x:xx", REM, S64}, {"selp.b64", "x:xXp", SELP, U64},
    {"mov.u64", "x:X", MOVE, U64}, {"mul.wide.u32", "x:wW", WIDE, U32}, {"mul.wide.s32", "x:wW", WIDE, S32},
    {"mad.wide.u32", "x:wWx", MAD_WIDE, U32}, {"mad.wide.s32", "x:wWx", MAD_WIDE, S32},

    {"add.s16", "h:hH", ADD, S16}, {"sub.s16", "h:hH", SUB, S16}, {"mul.lo.s16", "h:hH", MUL, S16},
    {"mul.hi.u16", "h:hH", MUL_HI, U16}, {"mad.lo.s16", "h:hHh", MAD, S16}, {"min.u16", "h:hH", MIN, U16},
    {"max.s16", "h:hH", MAX, S16}, {"and.b16", "h:hH", AND, U16}, {"or.b16", "h:hH", OR, U16},
    {"xor.b16", "h:hH", XOR, U16}, {"not.b16", "h:h", NOT, U16}, {"neg.s16", "h:h", NEG, S16},
    {"shl.b16", "h:hW", SHL, U16}, {"shr.u16", "h:hW", SHR, U16}, {"shr.s16", "h:hW", SHR, S16},
    {"selp.b16", "h:hHp", SELP, U16}, {"mov.u16", "h:H", MOVE, U16},

    {"add.rn.f32", "f:fF", ADD, F32}, {"sub.rn.f32", "f:fF", SUB, F32}, {"mul.rn.f32", "f:fF", MUL, F32},
    {"fma.rn.f32", "f:fff", FMA, F32}, {"min.f32", "f:fF", MIN, F32}, {"max.f32", "f:fF", MAX, F32},
    {"div.rn.f32", "f:ff", DIV, F32}, {"sqrt.rn.f32", "f:f", SQRT, F32}, {"selp.f32", "f:fFp", SELP, U32},
    {"mov.f32", "f:F", MOVE, U32}, {"mov.b32", "f:w", MOVE, U32}, {"mov.b32", "w:f", MOVE, U32},

    {"cvt.u32.u64", "w:x", EXTEND, U32}, {"cvt.u64.u32", "x:w", EXTEND, U32}, {"cvt.s64.s32", "x:w", EXTEND, S32},
    {"cvt.u32.u16", "w:h", EXTEND, U16}, {"cvt.s32.s16", "w:h", EXTEND, S16}, {"cvt.s64.s16", "x:h", EXTEND, S16},
    {"cvt.u16.u32", "h:w", EXTEND, U16}, {"cvt.u16.u64", "h:x", EXTEND, U16}, {"cvt.rn.f32.s32", "f:w", TO_FLOAT, S32},
    {"cvt.rn.f32.u64", "f:x", TO_FLOAT, U64}, {"cvt.rn.f32.u16", "f:h", TO_FLOAT, U16},
    {"cvt.rzi.s32.f32", "w:f", FROM_FLOAT, S32},

    {"mov.b64", "x:ww", PACK, U32}, {"mov.b64", "ww:x", UNPACK, U32}, {"mov.b32", "w:hh", PACK, U16},
    {"mov.b32", "hh:w", UNPACK, U16}, {"add.cc.u32", "ww:wwww", CARRY, U32},

    {"setp.eq.s32", "p:wW", EQ, S32}, {"setp.ne.s32", "p:wW", NE, S32}, {"setp.lt.s32", "p:wW", LT, S32},
    {"setp.le.u32", "p:wW", LE, U32}, {"setp.gt.u32", "p:wW", GT, U32}, {"setp.ge.s32", "p:wW", GE, S32},
    {"setp.eq.s64", "p:xX", EQ, S64}, {"setp.lt.u64", "p:xX", LT, U64}, {"setp.gt.s64", "p:xX", GT, S64},
    {"setp.lt.s16", "p:hH", LT, S16}, {"setp.ge.u16", "p:hH", GE, U16}, {"setp.lt.f32", "p:fF", LT, F32},
    {"setp.ge.f32", "p:fF", GE, F32}, {"setp.ne.f32", "p:fF", NE, F32}, {"setp.lt.and.s32", "p:wWp", LT_AND, S32},
    {"setp.gt.or.u64", "p:xXp", GT_OR, U64}, {"and.pred", "p:pp", AND, U16}, {"or.pred", "p:pp", OR, U16},
    {"xor.pred", "p:pp", XOR, U16}, {"setp.lt.s32", "pp:wW", LT, S32}, {"setp.gt.u64", "pp:xX", GT, U64},
};
const int random_operation_count = sizeof random_operations / sizeof *random_operations;

const struct random_access random_accesses[] = {
    {"b32", 'w', 4, false, true}, {"b64", 'x', 8, false, true}, {"b16", 'h', 2, false, true}, {"f32", 'f', 4, false, true},
    {"u8", 'w', 1, false, true}, {"u16", 'w', 2, false, true}, {"s8", 'w', 1, true, false}, {"s16", 'w', 2, true, false},
    {"u32", 'x', 4, false, true}, {"s32", 'x', 4, true, false}, {"b32", 'w', 4, false, true}, {"b64", 'x', 8, false, true},
};
const int random_access_count = sizeof random_accesses / sizeof *random_accesses;
// clang-format on

enum random_class random_class_of(char kind) {
    switch (kind | 32) {
    case 'x': return CLASS_X;
    case 'f': return CLASS_F;
    case 'h': return CLASS_H;
    case 'p': return CLASS_P;
    default: return CLASS_W;
    }
}

static float as_float(uint64_t bits) {
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, 4);
    return value;
}

/* Arithmetic has one NaN only. */
static uint64_t from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return isnan(value) ? 0x7fffffff : bits;
}

static uint64_t operate_float(const struct random_operation *operation, const uint64_t *source) {
    float a = as_float(source[0]), b = as_float(source[1]);
    switch (operation->code) {
    case ADD: return from_float(a + b);
    case SUB: return from_float(a - b);
    case MUL: return from_float(a * b);
    case DIV: return from_float(a / b);
    case FMA: return from_float(fmaf(a, b, as_float(source[2])));
    case SQRT: return from_float(sqrtf(a));
    case MIN:
        return isnan(a)                          ? from_float(b)
               : isnan(b)                        ? source[0]
               : a < b || (a == b && signbit(a)) ? source[0]
                                                 : source[1];
    case MAX:
        return isnan(a)                           ? from_float(b)
               : isnan(b)                         ? source[0]
               : a > b || (a == b && !signbit(a)) ? source[0]
                                                  : source[1];
    case LT: return a < b;
    case GE: return a >= b;
    default: return !isnan(a) && !isnan(b) && a != b;
    }
}

static uint64_t mask_of(int bits) {
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t extend(uint64_t value, int bits, bool is_signed) {
    value &= mask_of(bits);
    return is_signed && value >> (bits - 1) & 1 ? value | ~mask_of(bits) : value;
}

static uint64_t reversed(uint64_t value, int bits) {
    uint64_t result = 0;
    for (int i = 0; i < bits; i++)
        result |= (value >> i & 1) << (bits - 1 - i);
    return result;
}

static uint64_t permuted(uint64_t low, uint64_t high, uint64_t selector) {
    uint64_t bytes = low | high << 32, result = 0;
    for (int i = 0; i < 4; i++) {
        uint64_t pick = selector >> 4 * i & 15, byte = bytes >> 8 * (pick & 7) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

static uint64_t shifted(const uint64_t *source, int bits, bool left, bool is_signed) {
    uint64_t amount = source[1] & UINT32_MAX, value = extend(source[0], bits, is_signed);
    if (left)
        return amount >= (uint64_t)bits ? 0 : value << amount;
    if (is_signed)
        return (uint64_t)((int64_t)value >> (amount > 63 ? 63 : amount));
    return amount >= (uint64_t)bits ? 0 : value >> amount;
}

static uint64_t field(const uint64_t *source, int bits) {
    uint64_t in = bits == 64 ? UINT32_MAX : 255, start = source[1] & in, length = source[2] & in;
    if (start >= (uint64_t)bits || !length)
        return 0;
    return source[0] >> start & mask_of(length > 63 ? 64 : (int)length);
}

static uint64_t inserted(const uint64_t *source) {
    uint64_t start = source[2] & 255, length = source[3] & 255;
    if (start > 31)
        return source[1];
    uint64_t mask = mask_of(length > 63 ? 64 : (int)length) << start;
    return (source[1] & ~mask) | (source[0] << start & mask);
}

static uint64_t truth_table(const uint64_t *source) {
    uint64_t result = 0;
    for (int bit = 0; bit < 32; bit++) {
        unsigned row =
            (unsigned)((source[0] >> bit & 1) << 2 | (source[1] >> bit & 1) << 1 | (source[2] >> bit & 1));
        result |= (source[3] >> row & 1) << bit;
    }
    return result;
}

static uint64_t high_product(uint64_t a, uint64_t b, int bits, bool is_signed) {
    __int128 product = is_signed ? (__int128)(int64_t)a * (int64_t)b : (__int128)((unsigned __int128)a * b);
    return (uint64_t)(product >> bits);
}

/* The printer makes divisors odd, and signed ones positive. */
static uint64_t quotient(uint64_t a, uint64_t b, int bits, bool is_signed, bool remainder) {
    b |= 1;
    if (is_signed) {
        int64_t divisor = (int64_t)(b & mask_of(bits - 1));
        return (uint64_t)(remainder ? (int64_t)a % divisor : (int64_t)a / divisor);
    }
    return remainder ? a % b : a / b;
}

static uint64_t to_integer(float value) {
    return isnan(value)        ? 0
           : value >= 0x1p31f  ? INT32_MAX
           : value <= -0x1p31f ? (uint32_t)INT32_MIN
                               : (uint32_t)(int32_t)value;
}

static uint64_t operate_integer(const struct random_operation *operation, const uint64_t *source,
                                uint64_t *second) {
    int bits = operation->type <= S16 ? 16 : operation->type <= S32 ? 32 : 64;
    bool is_signed = operation->type & 1;
    uint64_t a = extend(source[0], bits, is_signed), b = extend(source[1], bits, is_signed), c = source[2];
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    switch (operation->code) {
    case ADD: return a + b;
    case SUB: return a - b;
    case MUL: return a * b;
    case MUL_HI: return high_product(a, b, bits, is_signed);
    case WIDE: return a * b;
    case MAD:
    case MAD_WIDE: return a * b + c;
    case MIN: return less ? a : b;
    case MAX: return less ? b : a;
    case AND: return a & b;
    case OR: return a | b;
    case XOR: return a ^ b;
    case NOT: return ~a;
    case NEG: return -a;
    case ABS: return (int64_t)a < 0 ? -a : a;
    case SHL: return shifted(source, bits, true, false);
    case SHR: return shifted(source, bits, false, is_signed);
    case POPC: return (uint64_t)__builtin_popcountll(a);
    case CLZ: return a ? (uint64_t)(__builtin_clzll(a) - (64 - bits)) : (uint64_t)bits;
    case BREV: return reversed(a, bits);
    case BFE: return field(source, bits);
    case BFI: return inserted(source);
    case SAD: return c + (less ? b - a : a - b);
    case DIV: return quotient(a, b, bits, is_signed, false);
    case REM: return quotient(a, b, bits, is_signed, true);
    case SELP: return c ? source[0] : source[1];
    case EQ: return a == b;
    case NE: return a != b;
    case LT: return *second = !less, less;
    case LE: return less || a == b;
    case GT: return *second = less || a == b, !less && a != b;
    case GE: return !less;
    case LT_AND: return less && c;
    case GT_OR: return (!less && a != b) || c;
    case SET: return less ? UINT64_MAX : 0;
    case EXTEND: return a;
    case TO_FLOAT: return from_float(is_signed ? (float)(int64_t)a : (float)a);
    case FROM_FLOAT: return to_integer(as_float(source[0]));
    case PACK: return source[0] | source[1] << bits;
    case UNPACK: return *second = source[0] >> bits, source[0];
    case LOP3: return truth_table(source);
    case PRMT: return permuted(source[0], source[1], c);
    case SHF_LEFT: return (source[1] << 32 | source[0]) << (c & 31) >> 32;
    case SHF_RIGHT:
        return (c & UINT32_MAX) >= 32 ? source[1] : (source[1] << 32 | source[0]) >> (c & UINT32_MAX);
    case CARRY: return *second = source[2] + source[3] + ((a + b) >> 32), a + b;
    default: return source[0];
    }
}

void random_operate(const struct random_operation *operation, const uint64_t *source, uint64_t *result) {
    static const int bits[RANDOM_CLASSES] = {32, 64, 32, 16, 1};
    uint64_t second = 0;
    result[0] = operation->type == F32 ? operate_float(operation, source)
                                       : operate_integer(operation, source, &second);
    result[0] &= mask_of(bits[random_class_of(operation->shape[0])]);
    if (operation->shape[1] != ':')
        result[1] = second & mask_of(bits[random_class_of(operation->shape[1])]);
}
