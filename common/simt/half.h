/* half.h: half-precision and bfloat16 additions, rounded to nearest even, for atomics. Private to simt/. */
#ifndef SIMT_HALF_H
#define SIMT_HALF_H

#include <stdint.h>
#include <string.h>

static inline float half_to_float(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff,
             bits;
    if (exponent == 31)
        bits = sign | 0x7f800000 | fraction << 13;
    else if (exponent)
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    else {
        float value = (float)fraction * 0x1p-24f; /* exact: subnormal or zero */
        memcpy(&bits, &value, 4);
        bits |= sign;
    }
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline uint16_t half_from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return 0x7fff;           /* the GPU's NaN */
    if (magnitude >= 0x477ff000) /* rounds past the largest half */
        return (uint16_t)(sign | 0x7c00);
    if (magnitude < 0x38800000) { /* subnormal: let float's own rounding cut at 2^-24 */
        float scaled;
        memcpy(&scaled, &magnitude, 4);
        scaled += 0.5f; /* unit in the last place of [0.5, 1) is 2^-24 */
        memcpy(&magnitude, &scaled, 4);
        return (uint16_t)(sign | (magnitude - 0x3f000000));
    }
    uint32_t rounded = magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1);
    return (uint16_t)(sign | rounded >> 13);
}

/* A sum of two halves is exact in float or rounds alike: 24 bits are more than 2 * 11 + 1. */
static inline uint16_t half_add(uint16_t a, uint16_t b) {
    return half_from_float(half_to_float(a) + half_to_float(b));
}

/* The sum is rounded to float towards odd first: then rounding to bfloat16 cannot round a second time. */
static inline uint16_t bfloat_add(uint16_t a, uint16_t b) {
    uint32_t x = (uint32_t)a << 16, y = (uint32_t)b << 16, bits;
    float first, second;
    memcpy(&first, &x, 4);
    memcpy(&second, &y, 4);
    double sum = (double)first + (double)second;
    float rounded = (float)sum;
    if (rounded != rounded)
        return 0x7fff; /* the GPU's NaN */
    memcpy(&bits, &rounded, 4);
    double rest = sum - (double)rounded;
    if ((bits & 0x7fffffff) != 0x7f800000 && rest != 0 && !(bits & 1))
        bits += (rest > 0) == (rounded > 0) ? 1 : UINT32_MAX;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
