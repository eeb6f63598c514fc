/* recorded_results.h: operands and hashes, for these programs and for test_recorded_results.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint64_t recorded_random(uint64_t *state) { /* splitmix64 */
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* Half of them edge cases: small numbers, all ones, the largest and smallest of 32 and 64 bits and
 * their neighbours. */
static inline void recorded_operands(uint64_t *operands, size_t count) {
    static const uint64_t edges[] = {0, 1, 2, 3, 5, 0x7fffffff, 0x80000000, 0xffffffff};
    uint64_t state = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t random = recorded_random(&state), low = edges[random >> 8 & 7],
                 high = edges[random >> 16 & 7];
        operands[i] = random & 1 ? high << 32 | low : recorded_random(&state);
    }
}

static inline uint64_t recorded_hash(const uint64_t *words, size_t count) { /* FNV-1a, a word at a time */
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x100000001b3;
    return hash;
}

enum { RECORDED_LANES = 32, RECORDED_GROUPINGS = 256 };

/* Grouping g: lane i belongs to group (bits of `random`): 1 to 8 groups, any lanes. */
static inline void recorded_groups(uint32_t *masks, uint32_t *values) {
    uint64_t state = 2;
    for (int g = 0; g < RECORDED_GROUPINGS; g++) {
        uint32_t group[RECORDED_LANES], count = 1u << (g & 3);
        for (int lane = 0; lane < RECORDED_LANES; lane++) {
            group[lane] = (uint32_t)recorded_random(&state) & (count - 1);
            values[g * RECORDED_LANES + lane] =
                (uint32_t)recorded_random(&state) & ((g & 4) ? 3 : 0xffffffff);
        }
        for (int lane = 0; lane < RECORDED_LANES; lane++) {
            uint32_t mask = 0;
            for (int other = 0; other < RECORDED_LANES; other++)
                mask |= (uint32_t)(group[other] == group[lane]) << other;
            masks[g * RECORDED_LANES + lane] = mask;
        }
        if (g & 8) /* groups in which all agree */
            for (int lane = 0; lane < RECORDED_LANES; lane++)
                values[g * RECORDED_LANES + lane] = group[lane] & 1;
    }
}

#define RECORDED_CHECK(call)                                                                                 \
    do {                                                                                                     \
        cudaError_t recorded_error = (call);                                                                 \
        if (recorded_error != cudaSuccess) {                                                                 \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(recorded_error));                          \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
