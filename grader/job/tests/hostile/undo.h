/* undo.h: inputs that are a hash of their index and a seed give the seed away: what the fixtures that foresee inputs have
 * in common. Such a hash, and how to go back. */
#ifndef HOSTILE_UNDO_H
#define HOSTILE_UNDO_H

#include <stdint.h>

#define GOLDEN 0x9e3779b9u
#define GOLDEN_BACK 0x144cbc89u /* GOLDEN times this is 1 */
#define THIRD 0xaaaaaaabu       /* and 3 times this */

static __device__ __forceinline__ uint32_t hash(uint32_t value) {
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    return value ^ value >> 16;
}

static __device__ __forceinline__ uint32_t undo(uint32_t value) {
    value ^= value >> 16;
    value *= 0x43021123u;
    value ^= value >> 15 ^ value >> 30;
    value *= 0x1d69e2a5u;
    return value ^ value >> 16;
}

static __device__ __forceinline__ float as_float(uint32_t random) {
    return (float)((int)(random >> 8) - (1 << 23)) * 0x1p-23f;
}

/* The upper 24 bits that as_float was given; the others are 0. */
static __device__ __forceinline__ uint32_t bits_of(float x) {
    return (uint32_t)((int)(x * 0x1p23f) + (1 << 23)) << 8;
}

#endif
