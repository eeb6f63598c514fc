/* special.c: the approximate functions (.approx, .full). PTX bounds their error and fixes their
 * special values. Here they are computed in double precision (or by an IEEE operation) and rounded
 * once, which is within every bound. PTX ISA 9.7.3. */
#define COMPUTE_WITHOUT_MASKED
#include "gpu/simt/compute/compute.h"

#include <math.h>

/* Each function plain and with .ftz, which flushes denormal operands and results. */
#define APPROXIMATE(name, expression)                                                                        \
    UNARY(name##_f32, f32, f32, f32_canonical((float)(expression)))                                          \
    UNARY(name##_ftz_f32, f32, f32, (x = f32_flush(x), f32_canonical(f32_flush((float)(expression)))))
APPROXIMATE(rcp, 1.0f / x)
APPROXIMATE(sqrt, __builtin_sqrtf(x))
APPROXIMATE(rsqrt, 1.0 / __builtin_sqrt((double)x))
APPROXIMATE(sin, sin((double)x))
APPROXIMATE(cos, cos((double)x))
APPROXIMATE(lg2, log2((double)x))
APPROXIMATE(ex2, exp2((double)x))
APPROXIMATE(tanh, tanh((double)x))

/* div.approx is a * (1/b), with a reciprocal that is 0 for |b| above 2^126. The result is then a
 * zero with the quotient's sign, or NaN if a is infinite. div.full scales its operands first and
 * has no such case. */
static inline float divide_approximately(float x, float y) {
    float magnitude = f32_of(f32_bits(y) & 0x7fffffff);
    bool huge = magnitude > 0x1p126f && magnitude <= 0x1.fffffep127f;
    return f32_canonical(huge ? x * f32_of(f32_bits(y) & 0x80000000) : x / y);
}
#define FLUSH2 x = f32_flush(x), y = f32_flush(y)
BINARY(div_approx_f32, f32, f32, f32, divide_approximately(x, y))
BINARY(div_approx_ftz_f32, f32, f32, f32, (FLUSH2, f32_flush(divide_approximately(x, y))))
BINARY(div_full_f32, f32, f32, f32, f32_canonical(x / y))
BINARY(div_full_ftz_f32, f32, f32, f32, (FLUSH2, f32_canonical(f32_flush(x / y))))

/* .approx.ftz.f64 of rcp and rsqrt uses only the operand's upper word (1.11.20 bits); the result's
 * lower word is zero. Denormals are flushed. */
static inline double upper_word(double value) {
    return f64_of(f64_bits(value) & 0xffffffff00000000);
}
static inline double flush_f64(double value) {
    uint64_t bits = f64_bits(value);
    return f64_of((bits & 0x7ff0000000000000) ? bits : bits & 0x8000000000000000);
}
static inline double round_to_upper_word(double value) {
    uint64_t bits = f64_bits(value);
    if (value != value)
        return f64_of((uint64_t)0x7fffffff << 32);
    if ((bits & 0x7ff0000000000000) == 0x7ff0000000000000) /* infinity */
        return value;
    return flush_f64(upper_word(f64_of(bits + 0x7fffffff + (bits >> 32 & 1))));
}
UNARY(rcp_approx_f64, f64, f64, round_to_upper_word(1.0 / flush_f64(upper_word(x))))
UNARY(rsqrt_approx_ftz_f64, f64, f64, round_to_upper_word(1.0 / __builtin_sqrt(flush_f64(upper_word(x)))))
UNARY(rsqrt_approx_f64, f64, f64, f64_keep_nan(x, f64_canonical(1.0 / __builtin_sqrt(x))))

#define ROW(opcode, T, writes, flags, handler)                                                               \
    { opcode, T, 0, 0, 0, 0, writes, flags, FORMS(handler) }
#define ROWS(opcode, name)                                                                                   \
    ROW(opcode, PTX_F32, WRITES_32, PTX_APPROX, name##_f32),                                                 \
        ROW(opcode, PTX_F32, WRITES_32, PTX_APPROX | PTX_FTZ, name##_ftz_f32)
static const struct compute_row rows[] = {
    ROWS(PTX_RCP, rcp),
    ROWS(PTX_SQRT, sqrt),
    ROWS(PTX_RSQRT, rsqrt),
    ROWS(PTX_SIN, sin),
    ROWS(PTX_COS, cos),
    ROWS(PTX_LG2, lg2),
    ROWS(PTX_EX2, ex2),
    ROWS(PTX_TANH, tanh),
    ROW(PTX_DIV, PTX_F32, WRITES_32, PTX_APPROX, div_approx_f32),
    ROW(PTX_DIV, PTX_F32, WRITES_32, PTX_APPROX | PTX_FTZ, div_approx_ftz_f32),
    ROW(PTX_DIV, PTX_F32, WRITES_32, PTX_FULL, div_full_f32),
    ROW(PTX_DIV, PTX_F32, WRITES_32, PTX_FULL | PTX_FTZ, div_full_ftz_f32),
    ROW(PTX_RCP, PTX_F64, WRITES_64, PTX_APPROX | PTX_FTZ, rcp_approx_f64),
    ROW(PTX_RSQRT, PTX_F64, WRITES_64, PTX_APPROX | PTX_FTZ, rsqrt_approx_ftz_f64),
    ROW(PTX_RSQRT, PTX_F64, WRITES_64, PTX_APPROX, rsqrt_approx_f64),
};
COMPUTE_TABLE(special, rows);
