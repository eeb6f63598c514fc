/* double.c: double precision, rounding to nearest even; abs, neg, min, max. PTX ISA 9.7.3. */
#include "gpu/simt/compute/compute.h"

/* The last operand that is a NaN wins (compute.h), in the orders recorded on an H200. */
#define KEEP_1(a, value) f64_keep_nan(a, f64_canonical(value))
#define KEEP_2(a, b, value) f64_keep_nan(b, KEEP_1(a, value))
#define KEEP_3(a, b, c, value) f64_keep_nan(c, KEEP_2(a, b, value))
BINARY(add_f64, f64, f64, f64, KEEP_2(x, y, x + y))
BINARY(sub_f64, f64, f64, f64, KEEP_2(x, y, x - y))
BINARY(mul_f64, f64, f64, f64, KEEP_2(x, y, (x * y)))
BINARY(div_f64, f64, f64, f64, KEEP_2(y, x, x / y))
TERNARY(fma_f64, f64, f64, f64, f64, KEEP_3(x, z, y, __builtin_fma(x, y, z)))
/* Contracted operations (gpu/ptx/contract.c), as in float.c. */
TERNARY(product_less_f64, f64, f64, f64, f64, KEEP_3(x, z, y, __builtin_fma(x, y, -z)))
TERNARY(less_product_f64, f64, f64, f64, f64, KEEP_3(x, z, y, __builtin_fma(-x, y, z)))
TERNARY(negated_f64, f64, f64, f64, f64, KEEP_3(x, z, y, __builtin_fma(-x, y, -z)))
UNARY(rcp_f64, f64, f64, KEEP_1(x, 1.0 / x))
UNARY(sqrt_f64, f64, f64, KEEP_1(x, __builtin_sqrt(x)))
UNARY(abs_f64, f64, f64, KEEP_1(x, f64_of(f64_bits(x) & ~((uint64_t)1 << 63))))
UNARY(neg_f64, f64, f64, KEEP_1(x, f64_of(f64_bits(x) ^ (uint64_t)1 << 63)))

/* As in float.c: a NaN loses against a number, -0 < +0. */
static inline double minimum(double x, double y) {
    double smaller = x == y ? f64_of(f64_bits(x) | f64_bits(y)) : x < y ? x : y;
    return x != x && y != y ? f64_keep_nan(y, y) : y != y ? x : smaller;
}
static inline double maximum(double x, double y) {
    double larger = x == y ? f64_of(f64_bits(x) & f64_bits(y)) : x > y ? x : y;
    return x != x && y != y ? f64_keep_nan(y, y) : y != y ? x : larger;
}
BINARY(min_f64, f64, f64, f64, minimum(x, y))
BINARY(max_f64, f64, f64, f64, maximum(x, y))

#define ROW_SIGNED(opcode, rounding, flags, handler)                                                         \
    { opcode, PTX_F64, 0, 0, 0, rounding, WRITES_64, flags, FORMS(handler) }
#define ROW(opcode, rounding, handler) ROW_SIGNED(opcode, rounding, 0, handler)
static const struct compute_row rows[] = {
    ROW(PTX_ADD, PTX_RN, add_f64),
    ROW(PTX_SUB, PTX_RN, sub_f64),
    ROW(PTX_MUL, PTX_RN, mul_f64),
    ROW(PTX_DIV, PTX_RN, div_f64),
    ROW(PTX_FMA, PTX_RN, fma_f64),
    ROW(PTX_MAD, PTX_RN, fma_f64),
    ROW(PTX_RCP, PTX_RN, rcp_f64),
    ROW(PTX_SQRT, PTX_RN, sqrt_f64),
    ROW(PTX_ABS, 0, abs_f64),
    ROW(PTX_NEG, 0, neg_f64),
    ROW(PTX_MIN, 0, min_f64),
    ROW(PTX_MAX, 0, max_f64),
    ROW_SIGNED(PTX_FMA, PTX_RN, PTX_NEGATED_ADDEND, product_less_f64),
    ROW_SIGNED(PTX_FMA, PTX_RN, PTX_NEGATED_PRODUCT, less_product_f64),
    ROW_SIGNED(PTX_FMA, PTX_RN, PTX_NEGATED_PRODUCT | PTX_NEGATED_ADDEND, negated_f64),
};
COMPUTE_TABLE(double, rows);
