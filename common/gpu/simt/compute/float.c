/* float.c: single precision, rounding to nearest even: what kernels use most. PTX ISA 9.7.3. */
#include "gpu/simt/compute/compute.h"

/* Each operation has four forms: plain, .ftz, .sat, .ftz.sat. With .ftz, denormal operands and
 * results become zeros of the same sign. A NaN result is 0x7fffffff, or +0 with .sat. */
#define FLUSH(value) f32_flush(value)
#define FORMS2(name, expression)                                                                             \
    BINARY(name##_f32, f32, f32, f32, f32_canonical(expression))                                             \
    BINARY(name##_sat_f32, f32, f32, f32, f32_saturate(expression))                                          \
    BINARY(name##_ftz_f32, f32, f32, f32, (x = FLUSH(x), y = FLUSH(y), f32_canonical(FLUSH(expression))))    \
    BINARY(name##_ftz_sat_f32, f32, f32, f32, (x = FLUSH(x), y = FLUSH(y), f32_saturate(FLUSH(expression))))
FORMS2(add, x + y)
FORMS2(sub, x - y)
FORMS2(mul, x *y)
BINARY(div_f32, f32, f32, f32, f32_canonical(x / y))
BINARY(div_ftz_f32, f32, f32, f32, (x = FLUSH(x), y = FLUSH(y), f32_canonical(FLUSH(x / y))))

#define FLUSH3 x = FLUSH(x), y = FLUSH(y), z = FLUSH(z)
#define FMA_FORMS(name, fma)                                                                                 \
    TERNARY(name##_f32, f32, f32, f32, f32, f32_canonical(fma))                                              \
    TERNARY(name##_sat_f32, f32, f32, f32, f32, f32_saturate(fma))                                           \
    TERNARY(name##_ftz_f32, f32, f32, f32, f32, (FLUSH3, f32_canonical(FLUSH(fma))))                         \
    TERNARY(name##_ftz_sat_f32, f32, f32, f32, f32, (FLUSH3, f32_saturate(FLUSH(fma))))
FMA_FORMS(fma, __builtin_fmaf(x, y, z))
/* Contracted operations (gpu/ptx/contract.c): a product less an addend, an addend less a product,
 * and both negated. */
FMA_FORMS(product_less, __builtin_fmaf(x, y, -z))
FMA_FORMS(less_product, __builtin_fmaf(-x, y, z))
FMA_FORMS(negated, __builtin_fmaf(-x, y, -z))

UNARY(rcp_f32, f32, f32, f32_canonical(1.0f / x))
UNARY(rcp_ftz_f32, f32, f32, f32_canonical(FLUSH(1.0f / FLUSH(x))))
UNARY(sqrt_f32, f32, f32, f32_canonical(__builtin_sqrtf(x)))
UNARY(sqrt_ftz_f32, f32, f32, f32_canonical(__builtin_sqrtf(FLUSH(x))))

/* ---- sign operations. A NaN becomes the canonical one, but copysign works on bits. */
UNARY(abs_f32, f32, f32, f32_canonical(f32_of(f32_bits(x) & 0x7fffffff)))
UNARY(neg_f32, f32, f32, f32_canonical(f32_of(f32_bits(x) ^ 0x80000000)))
UNARY(abs_ftz_f32, f32, f32, f32_canonical(f32_of(f32_bits(FLUSH(x)) & 0x7fffffff)))
UNARY(neg_ftz_f32, f32, f32, f32_canonical(f32_of(f32_bits(FLUSH(x)) ^ 0x80000000)))
/* copysign d, a, b: the sign of a on the magnitude of b. */
BINARY(copysign_f32, u32, u32, u32, (x & 0x80000000) | (y & 0x7fffffff))
BINARY(copysign_f64, u64, u64, u64, (x & (uint64_t)1 << 63) | (y & ~((uint64_t)1 << 63)))

/* ---- min and max: a NaN loses against a number (with .NaN it wins), and -0 < +0. Equal operands
 * have equal bits, except the two zeros: OR of the bits gives the smaller zero, AND the larger. */
static inline float minimum(float x, float y) {
    float smaller = x == y ? f32_of(f32_bits(x) | f32_bits(y)) : x < y ? x : y;
    return f32_canonical(y != y ? x : smaller);
}
static inline float maximum(float x, float y) {
    float larger = x == y ? f32_of(f32_bits(x) & f32_bits(y)) : x > y ? x : y;
    return f32_canonical(y != y ? x : larger);
}
static inline float or_nan(float x, float y, float result) {
    return x != x || y != y ? f32_of(0x7fffffff) : result;
}
/* .xorsign.abs: compares magnitudes; the result has the product's sign. */
static inline float xor_sign(float x, float y, float result) {
    return result != result
               ? result
               : f32_of((f32_bits(result) & 0x7fffffff) | ((f32_bits(x) ^ f32_bits(y)) & 0x80000000));
}
#define MAGNITUDE(value) f32_of(f32_bits(value) & 0x7fffffff)
#define MIN_MAX(name, function)                                                                              \
    BINARY(name##_f32, f32, f32, f32, function(x, y))                                                        \
    BINARY(name##_nan_f32, f32, f32, f32, or_nan(x, y, function(x, y)))                                      \
    BINARY(name##_xorsign_f32, f32, f32, f32, xor_sign(x, y, function(MAGNITUDE(x), MAGNITUDE(y))))          \
    BINARY(name##_nan_xorsign_f32, f32, f32, f32,                                                            \
           xor_sign(x, y, or_nan(x, y, function(MAGNITUDE(x), MAGNITUDE(y)))))                               \
    BINARY(name##_ftz_f32, f32, f32, f32, (x = FLUSH(x), y = FLUSH(y), function(x, y)))                      \
    BINARY(name##_ftz_nan_f32, f32, f32, f32, (x = FLUSH(x), y = FLUSH(y), or_nan(x, y, function(x, y))))    \
    BINARY(name##_ftz_xorsign_f32, f32, f32, f32,                                                            \
           (x = FLUSH(x), y = FLUSH(y), xor_sign(x, y, function(MAGNITUDE(x), MAGNITUDE(y)))))               \
    BINARY(name##_ftz_nan_xorsign_f32, f32, f32, f32,                                                        \
           (x = FLUSH(x), y = FLUSH(y), xor_sign(x, y, or_nan(x, y, function(MAGNITUDE(x), MAGNITUDE(y))))))
MIN_MAX(min, minimum)
MIN_MAX(max, maximum)

/* ---- testp: which kind of number; zero counts as normal (recorded). magnitude: bits without the
 * sign; one: the smallest normal number's bits. */
#define TESTP(T, infinity, normal)                                                                           \
    HANDLER(testp_##T) {                                                                                     \
        (void)mask;                                                                                          \
        const slot_##T *a = SOURCE(T, 0);                                                                    \
        uint32_t bits = 0;                                                                                   \
        FOR_LANES {                                                                                          \
            lane_##T magnitude = a[lane] << 1 >> 1;                                                          \
            bool is = false;                                                                                 \
            switch (operation->instruction->form) {                                                          \
            case PTX_TESTP_FINITE: is = magnitude < (infinity); break;                                       \
            case PTX_TESTP_INFINITE: is = magnitude == (infinity); break;                                    \
            case PTX_TESTP_NUMBER: is = magnitude <= (infinity); break;                                      \
            case PTX_TESTP_NAN: is = magnitude > (infinity); break;                                          \
            case PTX_TESTP_NORMAL:                                                                           \
                is = (magnitude >= (normal) || !magnitude) && magnitude < (infinity);                        \
                break;                                                                                       \
            case PTX_TESTP_SUBNORMAL: is = magnitude != 0 && magnitude < (normal); break;                    \
            }                                                                                                \
            bits |= (uint32_t)is << lane;                                                                    \
        }                                                                                                    \
        predicates[operation->destination[0]] = bits;                                                        \
    }
TESTP(u32, 0x7f800000u, 0x00800000u)
TESTP(u64, (uint64_t)0x7ff << 52, (uint64_t)1 << 52)

#define ROW(opcode, rounding, flags, handler)                                                                \
    { opcode, PTX_F32, 0, 0, 0, rounding, WRITES_32, flags, FORMS(handler) }
#define ROWS_SIGNED(opcode, name, flags)                                                                     \
    ROW(opcode, PTX_RN, flags, name##_f32), ROW(opcode, PTX_RN, PTX_FTZ | (flags), name##_ftz_f32),          \
        ROW(opcode, PTX_RN, PTX_SAT | (flags), name##_sat_f32),                                              \
        ROW(opcode, PTX_RN, PTX_FTZ | PTX_SAT | (flags), name##_ftz_sat_f32)
#define ROWS_FORMS(opcode, name) ROWS_SIGNED(opcode, name, 0)
#define ROWS_MIN_MAX(opcode, name)                                                                           \
    ROW(opcode, 0, 0, name##_f32), ROW(opcode, 0, PTX_NAN_PROPAGATE, name##_nan_f32),                        \
        ROW(opcode, 0, PTX_XORSIGN, name##_xorsign_f32),                                                     \
        ROW(opcode, 0, PTX_NAN_PROPAGATE | PTX_XORSIGN, name##_nan_xorsign_f32),                             \
        ROW(opcode, 0, PTX_FTZ, name##_ftz_f32),                                                             \
        ROW(opcode, 0, PTX_FTZ | PTX_NAN_PROPAGATE, name##_ftz_nan_f32),                                     \
        ROW(opcode, 0, PTX_FTZ | PTX_XORSIGN, name##_ftz_xorsign_f32),                                       \
        ROW(opcode, 0, PTX_FTZ | PTX_NAN_PROPAGATE | PTX_XORSIGN, name##_ftz_nan_xorsign_f32)

static const struct compute_row rows[] = {
    ROWS_FORMS(PTX_ADD, add),
    ROWS_FORMS(PTX_SUB, sub),
    ROWS_FORMS(PTX_MUL, mul),
    ROWS_FORMS(PTX_FMA, fma),
    ROWS_SIGNED(PTX_FMA, product_less, PTX_NEGATED_ADDEND),
    ROWS_SIGNED(PTX_FMA, less_product, PTX_NEGATED_PRODUCT),
    ROWS_SIGNED(PTX_FMA, negated, PTX_NEGATED_PRODUCT | PTX_NEGATED_ADDEND),
    ROWS_FORMS(PTX_MAD, fma), /* mad.f32 is fma.f32 on every GPU since sm_20 */
    ROWS_MIN_MAX(PTX_MIN, min),
    ROWS_MIN_MAX(PTX_MAX, max),
    ROW(PTX_DIV, PTX_RN, 0, div_f32),
    ROW(PTX_DIV, PTX_RN, PTX_FTZ, div_ftz_f32),
    ROW(PTX_RCP, PTX_RN, 0, rcp_f32),
    ROW(PTX_RCP, PTX_RN, PTX_FTZ, rcp_ftz_f32),
    ROW(PTX_SQRT, PTX_RN, 0, sqrt_f32),
    ROW(PTX_SQRT, PTX_RN, PTX_FTZ, sqrt_ftz_f32),
    ROW(PTX_ABS, 0, 0, abs_f32),
    ROW(PTX_ABS, 0, PTX_FTZ, abs_ftz_f32),
    ROW(PTX_NEG, 0, 0, neg_f32),
    ROW(PTX_NEG, 0, PTX_FTZ, neg_ftz_f32),
    ROW(PTX_COPYSIGN, 0, 0, copysign_f32),
    {PTX_COPYSIGN, PTX_F64, 0, 0, 0, 0, WRITES_64, 0, FORMS(copysign_f64)},
    {PTX_TESTP, PTX_F32, 0, COMPUTE_ANY, 0, 0, WRITES_PREDICATES, 0, testp_u32, NULL},
    {PTX_TESTP, PTX_F64, 0, COMPUTE_ANY, 0, 0, WRITES_PREDICATES, 0, testp_u64, NULL},
};
COMPUTE_TABLE(float, rows);
