/* half.c: f16, bf16 and their packed pairs. PTX ISA 9.7.4, 9.7.7. */
#include "gpu/simt/compute/half.h"

#include <math.h>

/* x * y + z with a single rounding. The product is exact in a double. An inexact sum's last bit is
 * made odd on the side of the error ("round to odd"), so that the next rounding sees a
 * remainder. */
static inline double half_fma(double x, double y, double z) {
    double product = x * y, sum = product + z;
    double part = sum - product, error = (product - (sum - part)) + (z - part);
    uint64_t bits = f64_bits(sum);
    bool inexact = error < 0 || error > 0; /* not for infinities, whose error is NaN */
    uint64_t towards = (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    return f64_of(inexact && !(bits & 1) ? bits + towards : bits);
}

static inline double relu(double value) {
    return value != value || value > 0 ? value : 0.0;
}

/* Orders bit patterns as signed numbers: -0 < +0, and a NaN loses against a number. */
static inline int32_t order(uint32_t half) {
    return (half & 0x8000) ? -1 - (int32_t)(half & 0x7fff) : (int32_t)(half & 0x7fff);
}
static inline uint32_t half_min(uint32_t x, uint32_t y, uint32_t infinity, bool largest, bool nan_wins) {
    bool x_nan = (x & 0x7fff) > infinity, y_nan = (y & 0x7fff) > infinity;
    uint32_t better = (order(x) < order(y)) != largest ? x : y;
    uint32_t one = x_nan ? y : y_nan ? x : better;
    return (nan_wins ? x_nan || y_nan : x_nan && y_nan) ? HALF_NAN : one;
}
static inline uint32_t xor_sign(uint32_t x, uint32_t y, uint32_t result) {
    return result == HALF_NAN ? result : (result & 0x7fff) | ((x ^ y) & 0x8000);
}
static inline uint32_t flush_half(uint32_t half, uint32_t exponent) {
    return (half & exponent) ? half : half & 0x8000;
}

/* A register of pairs is 64 halves in a row. One loop computes them all, from an expression of a,
 * b, c (16-bit patterns). The scalar handler runs the same loop and keeps the lower halves. */
enum { HALVES = 2 * SIMT_LANES };
typedef uint16_t half __attribute__((may_alias));
#define HALF_SOURCE(index) ((const half *)SOURCE(u32, index))
#define FOR_HALVES _Pragma("GCC unroll 1") for (int i = 0; i < HALVES; i++)
#define HALF_HANDLERS(name, ...)                                                                             \
    HANDLER(name) {                                                                                          \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        slot_u32 *d = DESTINATION(u32), result[SIMT_LANES];                                                  \
        halves_##name(__VA_ARGS__, (half *)result);                                                          \
        FOR_LANES d[lane] = result[lane] & 0xffff;                                                           \
    }                                                                                                        \
    HANDLER(name##x2) {                                                                                      \
        UNUSED_HANDLER_ARGUMENTS;                                                                            \
        slot_u32 *d = DESTINATION(u32), result[SIMT_LANES];                                                  \
        halves_##name(__VA_ARGS__, (half *)result);                                                          \
        FOR_LANES d[lane] = result[lane];                                                                    \
    }
#define HALF_UNARY(name, expression)                                                                         \
    static __attribute__((noinline)) void halves_##name(const half *x, half *restrict result) {              \
        FOR_HALVES {                                                                                         \
            uint32_t a = x[i];                                                                               \
            result[i] = (half)(expression);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    HALF_HANDLERS(name, HALF_SOURCE(0))
#define HALF_BINARY(name, expression)                                                                        \
    static                                                                                                   \
        __attribute__((noinline)) void halves_##name(const half *x, const half *y, half *restrict result) {  \
        FOR_HALVES {                                                                                         \
            uint32_t a = x[i], b = y[i];                                                                     \
            result[i] = (half)(expression);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    HALF_HANDLERS(name, HALF_SOURCE(0), HALF_SOURCE(1))
#define HALF_TERNARY(name, expression)                                                                       \
    static __attribute__((noinline)) void halves_##name(const half *x, const half *y, const half *z,         \
                                                        half *restrict result) {                             \
        FOR_HALVES {                                                                                         \
            uint32_t a = x[i], b = y[i], c = z[i];                                                           \
            result[i] = (half)(expression);                                                                  \
        }                                                                                                    \
    }                                                                                                        \
    HALF_HANDLERS(name, HALF_SOURCE(0), HALF_SOURCE(1), HALF_SOURCE(2))

/* ---- add, sub, mul, fma */
#define F16(pattern) f16_value(pattern)
#define F16Z(pattern) f16_value(flush_half(pattern, 0x7c00))
#define FLUSHED(result) flush_half(result, 0x7c00)
#define BF16(pattern) bf16_value(pattern)
#define HALF_ARITHMETIC(name, operator)                                                                      \
    HALF_BINARY(name##_f16, f16_bits(F16(a) operator F16(b)))                                                \
    HALF_BINARY(name##_sat_f16, f16_bits(f64_saturate(F16(a) operator F16(b))))                              \
    HALF_BINARY(name##_ftz_f16, FLUSHED(f16_bits(F16Z(a) operator F16Z(b))))                                 \
    HALF_BINARY(name##_ftz_sat_f16, FLUSHED(f16_bits(f64_saturate(F16Z(a) operator F16Z(b)))))               \
    HALF_BINARY(name##_bf16, bf16_bits(BF16(a) operator BF16(b)))
HALF_ARITHMETIC(add, +)
HALF_ARITHMETIC(sub, -)
HALF_ARITHMETIC(mul, *)
/* product and addend give the signs; gpu/ptx/contract.c makes the negated forms (float.c). */
#define HALF_FMA(name, product, addend)                                                                      \
    HALF_TERNARY(name##_f16, f16_bits(half_fma(product F16(a), F16(b), addend F16(c))))                      \
    HALF_TERNARY(name##_sat_f16, f16_bits(f64_saturate(half_fma(product F16(a), F16(b), addend F16(c)))))    \
    HALF_TERNARY(name##_ftz_f16, FLUSHED(f16_bits(half_fma(product F16Z(a), F16Z(b), addend F16Z(c)))))      \
    HALF_TERNARY(name##_ftz_sat_f16,                                                                         \
                 FLUSHED(f16_bits(f64_saturate(half_fma(product F16Z(a), F16Z(b), addend F16Z(c))))))        \
    HALF_TERNARY(name##_bf16, bf16_bits(half_fma(product BF16(a), BF16(b), addend BF16(c))))
HALF_FMA(fma, +, +)
HALF_FMA(product_less, +, -)
HALF_FMA(less_product, -, +)
HALF_FMA(negated, -, -)
HALF_TERNARY(fma_relu_f16, f16_bits(relu(half_fma(F16(a), F16(b), F16(c)))))
HALF_TERNARY(fma_ftz_relu_f16, FLUSHED(f16_bits(relu(half_fma(F16Z(a), F16Z(b), F16Z(c))))))
HALF_TERNARY(fma_relu_bf16, bf16_bits(relu(half_fma(BF16(a), BF16(b), BF16(c)))))

/* ---- sign, min, max */
#define OR_NAN(a, infinity, result) (((a)&0x7fff) > (infinity) ? HALF_NAN : (result))
HALF_UNARY(neg_f16, OR_NAN(a, 0x7c00, a ^ 0x8000))
HALF_UNARY(abs_f16, OR_NAN(a, 0x7c00, a & 0x7fff))
HALF_UNARY(neg_ftz_f16, OR_NAN(a, 0x7c00, FLUSHED(a) ^ 0x8000))
HALF_UNARY(abs_ftz_f16, OR_NAN(a, 0x7c00, FLUSHED(a) & 0x7fff))
HALF_UNARY(neg_bf16, OR_NAN(a, 0x7f80, a ^ 0x8000))
HALF_UNARY(abs_bf16, OR_NAN(a, 0x7f80, a & 0x7fff))
#define HALF_MIN_MAX(name, T, infinity, largest, load)                                                       \
    HALF_BINARY(name##_##T, half_min(load(a), load(b), infinity, largest, false))                            \
    HALF_BINARY(name##_nan_##T, half_min(load(a), load(b), infinity, largest, true))                         \
    HALF_BINARY(name##_xorsign_##T,                                                                          \
                xor_sign(a, b, half_min(load(a) & 0x7fff, load(b) & 0x7fff, infinity, largest, false)))      \
    HALF_BINARY(name##_nan_xorsign_##T,                                                                      \
                xor_sign(a, b, half_min(load(a) & 0x7fff, load(b) & 0x7fff, infinity, largest, true)))
#define AS_IS(value) (value)
HALF_MIN_MAX(min, f16, 0x7c00, false, AS_IS)
HALF_MIN_MAX(max, f16, 0x7c00, true, AS_IS)
HALF_MIN_MAX(min, ftz_f16, 0x7c00, false, FLUSHED)
HALF_MIN_MAX(max, ftz_f16, 0x7c00, true, FLUSHED)
HALF_MIN_MAX(min, bf16, 0x7f80, false, AS_IS)
HALF_MIN_MAX(max, bf16, 0x7f80, true, AS_IS)

/* ---- functions */
HALF_UNARY(ex2_f16, f16_bits(exp2(F16(a))))
HALF_UNARY(ex2_ftz_f16, FLUSHED(f16_bits(exp2(F16Z(a)))))
HALF_UNARY(ex2_bf16, flush_half(bf16_bits(exp2(BF16(flush_half(a, 0x7f80)))), 0x7f80)) /* always .ftz */
HALF_UNARY(tanh_f16, f16_bits(tanh(F16(a))))
HALF_UNARY(tanh_bf16, bf16_bits(tanh(BF16(a))))

#define ROW(opcode, T, rounding, flags, handler)                                                             \
    { opcode, T, 0, 0, 0, rounding, WRITES_32, flags, handler, NULL }
#define ROWS_F16(opcode, rounding, flags, handler)                                                           \
    ROW(opcode, PTX_F16, rounding, flags, handler), ROW(opcode, PTX_F16X2, rounding, flags, handler##x2)
#define ROWS_BF16(opcode, rounding, flags, handler)                                                          \
    ROW(opcode, PTX_BF16, rounding, flags, handler), ROW(opcode, PTX_BF16X2, rounding, flags, handler##x2)
#define ROWS_SIGNED(opcode, name, flags)                                                                     \
    ROWS_F16(opcode, PTX_RN, flags, name##_f16),                                                             \
        ROWS_F16(opcode, PTX_RN, PTX_SAT | (flags), name##_sat_f16),                                         \
        ROWS_F16(opcode, PTX_RN, PTX_FTZ | (flags), name##_ftz_f16),                                         \
        ROWS_F16(opcode, PTX_RN, PTX_FTZ | PTX_SAT | (flags), name##_ftz_sat_f16),                           \
        ROWS_BF16(opcode, PTX_RN, flags, name##_bf16)
#define ROWS_ARITHMETIC(opcode, name) ROWS_SIGNED(opcode, name, 0)
#define ROWS_MIN_MAX(rows, opcode, flags, name, T)                                                           \
    rows(opcode, 0, (flags), name##_##T), rows(opcode, 0, (flags) | PTX_NAN_PROPAGATE, name##_nan_##T),      \
        rows(opcode, 0, (flags) | PTX_XORSIGN, name##_xorsign_##T),                                          \
        rows(opcode, 0, (flags) | PTX_NAN_PROPAGATE | PTX_XORSIGN, name##_nan_xorsign_##T)
static const struct compute_row rows[] = {
    ROWS_ARITHMETIC(PTX_ADD, add),
    ROWS_ARITHMETIC(PTX_SUB, sub),
    ROWS_ARITHMETIC(PTX_MUL, mul),
    ROWS_ARITHMETIC(PTX_FMA, fma),
    ROWS_SIGNED(PTX_FMA, product_less, PTX_NEGATED_ADDEND),
    ROWS_SIGNED(PTX_FMA, less_product, PTX_NEGATED_PRODUCT),
    ROWS_SIGNED(PTX_FMA, negated, PTX_NEGATED_PRODUCT | PTX_NEGATED_ADDEND),
    ROWS_F16(PTX_FMA, PTX_RN, PTX_RELU, fma_relu_f16),
    ROWS_F16(PTX_FMA, PTX_RN, PTX_FTZ | PTX_RELU, fma_ftz_relu_f16),
    ROWS_BF16(PTX_FMA, PTX_RN, PTX_RELU, fma_relu_bf16),
    ROWS_F16(PTX_NEG, 0, 0, neg_f16),
    ROWS_F16(PTX_NEG, 0, PTX_FTZ, neg_ftz_f16),
    ROWS_BF16(PTX_NEG, 0, 0, neg_bf16),
    ROWS_F16(PTX_ABS, 0, 0, abs_f16),
    ROWS_F16(PTX_ABS, 0, PTX_FTZ, abs_ftz_f16),
    ROWS_BF16(PTX_ABS, 0, 0, abs_bf16),
    ROWS_MIN_MAX(ROWS_F16, PTX_MIN, 0, min, f16),
    ROWS_MIN_MAX(ROWS_F16, PTX_MAX, 0, max, f16),
    ROWS_MIN_MAX(ROWS_F16, PTX_MIN, PTX_FTZ, min, ftz_f16),
    ROWS_MIN_MAX(ROWS_F16, PTX_MAX, PTX_FTZ, max, ftz_f16),
    ROWS_MIN_MAX(ROWS_BF16, PTX_MIN, 0, min, bf16),
    ROWS_MIN_MAX(ROWS_BF16, PTX_MAX, 0, max, bf16),
    ROWS_F16(PTX_EX2, 0, PTX_APPROX, ex2_f16),
    ROWS_F16(PTX_EX2, 0, PTX_APPROX | PTX_FTZ, ex2_ftz_f16),
    ROWS_BF16(PTX_EX2, 0, PTX_APPROX | PTX_FTZ, ex2_bf16),
    ROWS_F16(PTX_TANH, 0, PTX_APPROX, tanh_f16),
    ROWS_BF16(PTX_TANH, 0, PTX_APPROX, tanh_bf16),
};
COMPUTE_TABLE(half, rows);
