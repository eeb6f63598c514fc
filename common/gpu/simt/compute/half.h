/* half.h: converts f16 and bf16 bit patterns to double and back. Branch-free, so that loops over
 * lanes become vector code. Any sum or product of two such numbers, computed in double, is exact or
 * rounds the same; half_fma handles a third operand. */
#pragma once

#include "gpu/simt/compute/compute.h"

enum { HALF_NAN = 0x7fff }; /* the NaN of both formats */

static inline double f16_value(uint32_t half) {
    /* Moved to single precision's place, the bits give the value times 2^-112. */
    uint32_t magnitude = (half & 0x7fff) << 13;
    float scaled = f32_of(magnitude) * 0x1p112f;
    uint32_t bits = magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : f32_bits(scaled);
    return (double)f32_of(bits | (half & 0x8000) << 16);
}
static inline double bf16_value(uint32_t half) {
    return (double)f32_of(half << 16);
}

/* Rounds to nearest even at the last bit of a format by adding and subtracting 2^52 units of that
 * bit. (A double near 2^52 units has no smaller bits.) digits: after the leading one. min_exponent:
 * of the smallest normal number, which bounds the unit from below. */
static inline double round_at(double magnitude, int digits, int min_exponent) {
    int64_t exponent = (int64_t)(f64_bits(magnitude) >> 52);
    int64_t least = 1023 + min_exponent;
    int64_t used = exponent > least ? exponent : least;
    double big = f64_of((uint64_t)(used - digits + 52) << 52);
    return (magnitude + big) - big;
}
/* digits, min_exponent and bias are 10, -14, 15 for f16 and 7, -126, 127 for bf16. overflow:
 * infinity. */
static inline uint32_t half_bits(double value, int digits, int min_exponent, int bias, uint32_t infinity) {
    uint64_t bits = f64_bits(value);
    uint32_t sign = (uint32_t)(bits >> 63) << 15;
    double magnitude = f64_of(bits & 0x7fffffffffffffff);
    double limit = f64_of((uint64_t)(1023 + bias + 1) << 52); /* twice the largest power of two */
    double bounded = magnitude < limit ? magnitude : limit;
    double rounded = round_at(bounded, digits, min_exponent);
    uint64_t normal = (f64_bits(rounded) >> (52 - digits)) - ((uint64_t)(1023 - bias) << digits);
    /* Below the smallest normal number: number of units. */
    double units = rounded * f64_of((uint64_t)(1023 - min_exponent + digits) << 52);
    uint64_t denormal = f64_bits(units + 0x1p52) & 0xffff;
    uint32_t result = (uint32_t)(rounded < f64_of((uint64_t)(1023 + min_exponent) << 52) ? denormal : normal);
    result = result < infinity ? result : infinity;
    return value != value ? HALF_NAN : result | sign;
}
static inline uint32_t f16_bits(double value) {
    return half_bits(value, 10, -14, 15, 0x7c00);
}
static inline uint32_t bf16_bits(double value) {
    return half_bits(value, 7, -126, 127, 0x7f80);
}

static inline uint16_t half_add(uint16_t a, uint16_t b) {
    return (uint16_t)f16_bits(f16_value(a) + f16_value(b));
}
static inline uint16_t bfloat_add(uint16_t a, uint16_t b) {
    return (uint16_t)bf16_bits(bf16_value(a) + bf16_value(b));
}
