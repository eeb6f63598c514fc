/* integer.c: integer arithmetic whose result is as wide as its operands. PTX ISA 9.7.1. */
#include "gpu/simt/compute/compute.h"

static inline int32_t clamp_s32(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

/* ---- add, sub, mul.lo, mad.lo: alike for signed and unsigned; unsigned may wrap. */
BINARY(add_16, u16, u16, u16, x + y)
BINARY(add_32, u32, u32, u32, x + y)
BINARY(add_64, u64, u64, u64, x + y)
BINARY(add_sat_s32, s32, s32, s32, clamp_s32((int64_t)x + y))
BINARY(sub_16, u16, u16, u16, x - y)
BINARY(sub_32, u32, u32, u32, x - y)
BINARY(sub_64, u64, u64, u64, x - y)
BINARY(sub_sat_s32, s32, s32, s32, clamp_s32((int64_t)x - y))
BINARY(mul_lo_16, u16, u16, u16, ((uint32_t)x * y))
BINARY(mul_lo_32, u32, u32, u32, (x * y))
BINARY(mul_lo_64, u64, u64, u64, (x * y))
TERNARY(mad_lo_16, u16, u16, u16, u16, z + (uint32_t)x * y)
TERNARY(mad_lo_32, u32, u32, u32, u32, z + x * y)
TERNARY(mad_lo_64, u64, u64, u64, u64, z + x * y)

/* ---- the upper half of the product */
BINARY(mul_hi_u16, u16, u16, u16, ((uint32_t)x * y) >> 16)
BINARY(mul_hi_s16, s16, s16, s16, (x * y) >> 16)
BINARY(mul_hi_u32, u32, u32, u32, ((uint64_t)x * y) >> 32)
BINARY(mul_hi_s32, s32, s32, s32, ((int64_t)x * y) >> 32)
BINARY(mul_hi_u64, u64, u64, u64, ((unsigned __int128)x * y) >> 64)
BINARY(mul_hi_s64, s64, s64, s64, ((__int128)x * y) >> 64)
TERNARY(mad_hi_u16, u16, u16, u16, u16, (((uint32_t)x * y) >> 16) + z)
TERNARY(mad_hi_s16, s16, s16, s16, s16, ((x * y) >> 16) + z)
TERNARY(mad_hi_u32, u32, u32, u32, u32, (uint32_t)(((uint64_t)x * y) >> 32) + z)
TERNARY(mad_hi_s32, s32, s32, s32, u32, (uint32_t)(((int64_t)x * y) >> 32) + z)
TERNARY(mad_hi_sat_s32, s32, s32, s32, s32, clamp_s32((((int64_t)x * y) >> 32) + z))
TERNARY(mad_hi_u64, u64, u64, u64, u64, (uint64_t)(((unsigned __int128)x * y) >> 64) + z)
TERNARY(mad_hi_s64, s64, s64, s64, u64, (uint64_t)(((__int128)x * y) >> 64) + z)

/* ---- products of the low 24 bits: lo is bits 31..0 of the 48-bit product, hi bits 47..16 */
static inline int64_t low24(int32_t value) {
    return ((value & 0xffffff) ^ 0x800000) - 0x800000;
}
#define PRODUCT24_U ((uint64_t)(x & 0xffffff) * (y & 0xffffff))
#define PRODUCT24_S (low24(x) * low24(y))
BINARY(mul24_lo_u32, u32, u32, u32, PRODUCT24_U)
BINARY(mul24_lo_s32, s32, s32, s32, PRODUCT24_S)
BINARY(mul24_hi_u32, u32, u32, u32, PRODUCT24_U >> 16)
BINARY(mul24_hi_s32, s32, s32, s32, PRODUCT24_S >> 16)
TERNARY(mad24_lo_u32, u32, u32, u32, u32, (uint32_t)PRODUCT24_U + z)
TERNARY(mad24_lo_s32, s32, s32, s32, u32, (uint32_t)PRODUCT24_S + z)
TERNARY(mad24_hi_u32, u32, u32, u32, u32, (uint32_t)(PRODUCT24_U >> 16) + z)
TERNARY(mad24_hi_s32, s32, s32, s32, u32, (uint32_t)(PRODUCT24_S >> 16) + z)
TERNARY(mad24_hi_sat_s32, s32, s32, s32, s32, clamp_s32((PRODUCT24_S >> 16) + z))

/* ---- sum of absolute differences */
#define DISTANCE(U) ((U)(x < y ? (U)y - (U)x : (U)x - (U)y))
TERNARY(sad_u16, u16, u16, u16, u16, DISTANCE(uint16_t) + z)
TERNARY(sad_s16, s16, s16, s16, s16, DISTANCE(uint16_t) + z)
TERNARY(sad_u32, u32, u32, u32, u32, DISTANCE(uint32_t) + z)
TERNARY(sad_s32, s32, s32, s32, u32, DISTANCE(uint32_t) + z)
TERNARY(sad_u64, u64, u64, u64, u64, DISTANCE(uint64_t) + z)
TERNARY(sad_s64, s64, s64, s64, u64, DISTANCE(uint64_t) + z)

/* ---- division. PTX leaves x / 0 open. The code that ptxas writes for sm_90 gives all ones for a
 * zero divisor, as quotient and as remainder, at every width. It divides magnitudes: the most
 * negative number divided by -1 is itself, remainder 0. */
#define QUOTIENT_U (y == 0 ? ~(0 * y) : x / (y + (y == 0)))
#define REMAINDER_U (y == 0 ? ~(0 * y) : x % (y + (y == 0)))
#define QUOTIENT_S(U) (y == 0 ? (U) ~(U)0 : y == -1 ? (U)(0 - (U)x) : (U)(x / y))
#define REMAINDER_S(U) (y == 0 ? (U) ~(U)0 : y == -1 ? (U)0 : (U)(x % y))
BINARY(div_u16, u16, u16, u16, QUOTIENT_U)
BINARY(div_u32, u32, u32, u32, QUOTIENT_U)
BINARY(div_u64, u64, u64, u64, QUOTIENT_U)
BINARY(div_s16, s16, s16, s16, QUOTIENT_S(uint16_t))
BINARY(div_s32, s32, s32, s32, QUOTIENT_S(uint32_t))
BINARY(div_s64, s64, s64, s64, QUOTIENT_S(uint64_t))
BINARY(rem_u16, u16, u16, u16, REMAINDER_U)
BINARY(rem_u32, u32, u32, u32, REMAINDER_U)
BINARY(rem_u64, u64, u64, u64, REMAINDER_U)
BINARY(rem_s16, s16, s16, s16, REMAINDER_S(uint16_t))
BINARY(rem_s32, s32, s32, s32, REMAINDER_S(uint32_t))
BINARY(rem_s64, s64, s64, s64, REMAINDER_S(uint64_t))

/* ---- abs, neg, min, max; the most negative number is its own abs and neg */
UNARY(abs_s16, s16, s16, x < 0 ? -x : x)
UNARY(abs_s32, s32, s32, x < 0 ? 0u - (uint32_t)x : (uint32_t)x)
UNARY(abs_s64, s64, s64, x < 0 ? 0u - (uint64_t)x : (uint64_t)x)
UNARY(neg_16, u16, u16, -x)
UNARY(neg_32, u32, u32, 0u - x)
UNARY(neg_64, u64, u64, 0u - x)
#define MINIMUM (x < y ? x : y)
#define MAXIMUM (x > y ? x : y)
BINARY(min_u16, u16, u16, u16, MINIMUM)
BINARY(min_s16, s16, s16, s16, MINIMUM)
BINARY(min_u32, u32, u32, u32, MINIMUM)
BINARY(min_s32, s32, s32, s32, MINIMUM)
BINARY(min_u64, u64, u64, u64, MINIMUM)
BINARY(min_s64, s64, s64, s64, MINIMUM)
BINARY(max_u16, u16, u16, u16, MAXIMUM)
BINARY(max_s16, s16, s16, s16, MAXIMUM)
BINARY(max_u32, u32, u32, u32, MAXIMUM)
BINARY(max_s32, s32, s32, s32, MAXIMUM)
BINARY(max_u64, u64, u64, u64, MAXIMUM)
BINARY(max_s64, s64, s64, s64, MAXIMUM)
BINARY(min_relu_s32, s32, s32, s32, MINIMUM < 0 ? 0 : MINIMUM)
BINARY(max_relu_s32, s32, s32, s32, MAXIMUM < 0 ? 0 : MAXIMUM)

/* ---- two 16-bit integers in one register */
static inline uint32_t halves(uint32_t low, uint32_t high) {
    return (low & 0xffff) | high << 16;
}
static inline uint32_t least_u16(uint16_t x, uint16_t y) {
    return MINIMUM;
}
static inline uint32_t greatest_u16(uint16_t x, uint16_t y) {
    return MAXIMUM;
}
static inline int32_t least_s16(int16_t x, int16_t y) {
    return MINIMUM;
}
static inline int32_t greatest_s16(int16_t x, int16_t y) {
    return MAXIMUM;
}
static inline uint32_t not_negative(int32_t value) {
    return value < 0 ? 0 : (uint32_t)value;
}
#define HALVES(f, g)                                                                                         \
    halves((uint32_t)g(f((uint16_t)x, (uint16_t)y)), (uint32_t)g(f((uint16_t)(x >> 16), (uint16_t)(y >> 16))))
#define HALVES_S(f, g)                                                                                       \
    halves((uint32_t)g(f((int16_t)x, (int16_t)y)), (uint32_t)g(f((int16_t)(x >> 16), (int16_t)(y >> 16))))
BINARY(add_16x2, u32, u32, u32, halves(x + y, (x >> 16) + (y >> 16)))
BINARY(min_u16x2, u32, u32, u32, HALVES(least_u16, ))
BINARY(max_u16x2, u32, u32, u32, HALVES(greatest_u16, ))
BINARY(min_s16x2, u32, u32, u32, HALVES_S(least_s16, ))
BINARY(max_s16x2, u32, u32, u32, HALVES_S(greatest_s16, ))
BINARY(min_relu_s16x2, u32, u32, u32, HALVES_S(least_s16, not_negative))
BINARY(max_relu_s16x2, u32, u32, u32, HALVES_S(greatest_s16, not_negative))

#define ROW(opcode, T, form, flags, writes, handler)                                                         \
    { opcode, T, 0, form, 0, 0, writes, flags, FORMS(handler) }
/* One row for each width; N: signed and unsigned do not differ. */
#define ROWS_SAME(opcode, form, stem)                                                                        \
    ROW(opcode, PTX_U16, form, 0, WRITES_32, stem##_16),                                                     \
        ROW(opcode, PTX_S16, form, 0, WRITES_32, stem##_16),                                                 \
        ROW(opcode, PTX_U32, form, 0, WRITES_32, stem##_32),                                                 \
        ROW(opcode, PTX_S32, form, 0, WRITES_32, stem##_32),                                                 \
        ROW(opcode, PTX_U64, form, 0, WRITES_64, stem##_64),                                                 \
        ROW(opcode, PTX_S64, form, 0, WRITES_64, stem##_64)
#define ROWS_EACH(opcode, form, stem)                                                                        \
    ROW(opcode, PTX_U16, form, 0, WRITES_32, stem##_u16),                                                    \
        ROW(opcode, PTX_S16, form, 0, WRITES_32, stem##_s16),                                                \
        ROW(opcode, PTX_U32, form, 0, WRITES_32, stem##_u32),                                                \
        ROW(opcode, PTX_S32, form, 0, WRITES_32, stem##_s32),                                                \
        ROW(opcode, PTX_U64, form, 0, WRITES_64, stem##_u64),                                                \
        ROW(opcode, PTX_S64, form, 0, WRITES_64, stem##_s64)

static const struct compute_row rows[] = {
    ROWS_SAME(PTX_ADD, 0, add),
    ROWS_SAME(PTX_SUB, 0, sub),
    ROWS_SAME(PTX_MUL, PTX_LO, mul_lo),
    ROWS_SAME(PTX_MAD, PTX_LO, mad_lo),
    ROWS_EACH(PTX_MUL, PTX_HI, mul_hi),
    ROWS_EACH(PTX_MAD, PTX_HI, mad_hi),
    ROWS_EACH(PTX_SAD, 0, sad),
    ROWS_EACH(PTX_DIV, 0, div),
    ROWS_EACH(PTX_REM, 0, rem),
    ROWS_EACH(PTX_MIN, 0, min),
    ROWS_EACH(PTX_MAX, 0, max),
    ROW(PTX_ADD, PTX_S32, 0, PTX_SAT, WRITES_32, add_sat_s32),
    ROW(PTX_SUB, PTX_S32, 0, PTX_SAT, WRITES_32, sub_sat_s32),
    ROW(PTX_MAD, PTX_S32, PTX_HI, PTX_SAT, WRITES_32, mad_hi_sat_s32),
    ROW(PTX_MUL24, PTX_U32, PTX_LO, 0, WRITES_32, mul24_lo_u32),
    ROW(PTX_MUL24, PTX_S32, PTX_LO, 0, WRITES_32, mul24_lo_s32),
    ROW(PTX_MUL24, PTX_U32, PTX_HI, 0, WRITES_32, mul24_hi_u32),
    ROW(PTX_MUL24, PTX_S32, PTX_HI, 0, WRITES_32, mul24_hi_s32),
    ROW(PTX_MAD24, PTX_U32, PTX_LO, 0, WRITES_32, mad24_lo_u32),
    ROW(PTX_MAD24, PTX_S32, PTX_LO, 0, WRITES_32, mad24_lo_s32),
    ROW(PTX_MAD24, PTX_U32, PTX_HI, 0, WRITES_32, mad24_hi_u32),
    ROW(PTX_MAD24, PTX_S32, PTX_HI, 0, WRITES_32, mad24_hi_s32),
    ROW(PTX_MAD24, PTX_S32, PTX_HI, PTX_SAT, WRITES_32, mad24_hi_sat_s32),
    ROW(PTX_ABS, PTX_S16, 0, 0, WRITES_32, abs_s16),
    ROW(PTX_ABS, PTX_S32, 0, 0, WRITES_32, abs_s32),
    ROW(PTX_ABS, PTX_S64, 0, 0, WRITES_64, abs_s64),
    ROWS_SAME(PTX_NEG, 0, neg),
    ROW(PTX_ADD, PTX_U16X2, 0, 0, WRITES_32, add_16x2),
    ROW(PTX_ADD, PTX_S16X2, 0, 0, WRITES_32, add_16x2),
    ROW(PTX_MIN, PTX_U16X2, 0, 0, WRITES_32, min_u16x2),
    ROW(PTX_MAX, PTX_U16X2, 0, 0, WRITES_32, max_u16x2),
    ROW(PTX_MIN, PTX_S16X2, 0, 0, WRITES_32, min_s16x2),
    ROW(PTX_MAX, PTX_S16X2, 0, 0, WRITES_32, max_s16x2),
    ROW(PTX_MIN, PTX_S16X2, 0, PTX_RELU, WRITES_32, min_relu_s16x2),
    ROW(PTX_MAX, PTX_S16X2, 0, PTX_RELU, WRITES_32, max_relu_s16x2),
    ROW(PTX_MIN, PTX_S32, 0, PTX_RELU, WRITES_32, min_relu_s32),
    ROW(PTX_MAX, PTX_S32, 0, PTX_RELU, WRITES_32, max_relu_s32),
};
COMPUTE_TABLE(integer, rows);
