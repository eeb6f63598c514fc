/* What the wrong solutions of lab 5 have in common: a plain, right version in parts, of which each replaces
 * one. */
#ifndef CONTRAST_PARTS_H
#define CONTRAST_PARTS_H

#include "lab5.h"

struct image {
    const uint8_t *src;
    uint8_t *dst;
    size_t src_pitch, dst_pitch;
    int width, height;
    int32_t *limits; // least, greatest
};

static __global__ void start_kernel(struct image m) {
    m.limits[0] = 1000;
    m.limits[1] = -1000;
}

static __global__ void right_minmax(struct image m) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= m.width || y >= m.height)
        return;
    atomicMin(&m.limits[0], m.src[y * m.src_pitch + x]);
    atomicMax(&m.limits[1], m.src[y * m.src_pitch + x]);
}

static __global__ void right_scale(struct image m) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= m.width || y >= m.height)
        return;
    int value = m.src[y * m.src_pitch + x], low = m.limits[0], range = m.limits[1] - low;
    m.dst[y * m.dst_pitch + x] = range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
}

static inline void launch(struct image m, void (*minmax)(struct image), void (*scale)(struct image),
                          cudaStream_t stream) {
    // Enough for the gaps too, which some of the wrong ones want.
    dim3 grid((unsigned)((m.width + m.src_pitch + m.dst_pitch) / 32 + 1), (m.height + 7) / 8), block(32, 8);
    start_kernel<<<1, 1, 0, stream>>>(m);
    minmax<<<grid, block, 0, stream>>>(m);
    scale<<<grid, block, 0, stream>>>(m);
}

static inline void right_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                             int height) {
    int low = 255, high = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int value = src[y * src_pitch + x];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    int range = high - low;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int value = src[y * src_pitch + x];
            dst[y * dst_pitch + x] = range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
        }
}

// The two functions of the lab; CPU, MINMAX and SCALE name the parts.
#define CONTRAST_OF(CPU, MINMAX, SCALE)                                                                      \
    extern "C" void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,       \
                                 int width, int height) {                                                    \
        CPU(src, src_pitch, dst, dst_pitch, width, height);                                                  \
    }                                                                                                        \
    extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,           \
                             int width, int height, void *scratch, cudaStream_t stream) {                    \
        struct image m = {src, dst, src_pitch, dst_pitch, width, height, (int32_t *)scratch};                \
        launch(m, MINMAX, SCALE, stream);                                                                    \
    }

#endif
