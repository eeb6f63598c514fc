// step c4: 16 pixels a load
//
// Computes  The contrast stretch of lab5.h.
// Shapes    block 256, 16 pixels per thread, in both kernels.
// Changed   step c3 -> c4: a thread reads and writes a word of 16 bytes. Words need addresses at
//           multiples of 16: where pointer or pitch is none, and at the end of a row, it takes single
//           bytes.
// Expect    16 times fewer loads, stores, threads and shuffles.
// Run       make lab5-steps

#include "lab5.h"

#define BLOCK_THREADS 256

// The kernels see rows of words, 16 pixels each; the last word of a row may be shorter. Rows that lie without
// gaps are one long row.
struct shape {
    int width, height, words; // pixels of a row, rows, words of a row
    bool wide;                // words start at multiples of 16 bytes, in source and destination
};

static struct shape make_shape(const uint8_t *src, size_t src_pitch, const uint8_t *dst, size_t dst_pitch,
                               int width, int height) {
    struct shape s = {width, height, 0, false};
    if (src_pitch == (size_t)width && dst_pitch == (size_t)width) {
        s.width *= height;
        s.height = 1;
    }
    s.words = (s.width + 15) / 16;
    s.wide =
        (((uintptr_t)src | (uintptr_t)dst) % 16) == 0 && (s.height == 1 || (src_pitch | dst_pitch) % 16 == 0);
    return s;
}

// limits[0] is the least pixel, limits[1] the greatest.
__global__ void start_kernel(uint32_t *limits) {
    limits[0] = 255;
    limits[1] = 0;
}

// Word number i of an image: its first pixel, and how many it has.
__device__ size_t locate(struct shape s, size_t pitch, int i, int *count) {
    int row = s.height == 1 ? 0 : i / s.words, column = (i - row * s.words) * 16;
    *count = min(16, s.width - column);
    return row * pitch + column;
}

// Missing pixels repeat the first one, so they change neither minimum nor maximum.
__device__ uint4 load(const uint8_t *src, int count, bool wide) {
    if (wide && count == 16)
        return *(const uint4 *)src;
    uint32_t part[4] = {0, 0, 0, 0};
#pragma unroll
    for (int k = 0; k < 16; k++)
        part[k / 4] |= (uint32_t)src[k < count ? k : 0] << k % 4 * 8;
    return make_uint4(part[0], part[1], part[2], part[3]);
}

__device__ void store(uint8_t *dst, uint4 word, int count, bool wide) {
    if (wide && count == 16) {
        *(uint4 *)dst = word;
        return;
    }
    uint32_t part[4] = {word.x, word.y, word.z, word.w};
#pragma unroll
    for (int k = 0; k < 16; k++)
        if (k < count)
            dst[k] = part[k / 4] >> k % 4 * 8;
}

// Of the block's threads, the first comes out with the least low and the greatest high.
__device__ void reduce_block(uint32_t *low, uint32_t *high) {
    __shared__ uint32_t warp_low[BLOCK_THREADS / 32], warp_high[BLOCK_THREADS / 32];
    int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;

    for (int distance = 16; distance > 0; distance /= 2) {
        *low = min(*low, __shfl_xor_sync(0xffffffff, *low, distance));
        *high = max(*high, __shfl_xor_sync(0xffffffff, *high, distance));
    }
    if (lane == 0) {
        warp_low[warp] = *low;
        warp_high[warp] = *high;
    }
    __syncthreads();
    if (warp > 0)
        return;
    *low = lane < BLOCK_THREADS / 32 ? warp_low[lane] : 255;
    *high = lane < BLOCK_THREADS / 32 ? warp_high[lane] : 0;
    for (int distance = BLOCK_THREADS / 64; distance > 0; distance /= 2) {
        *low = min(*low, __shfl_xor_sync(0xffffffff, *low, distance));
        *high = max(*high, __shfl_xor_sync(0xffffffff, *high, distance));
    }
}

__device__ void include(uint32_t four, uint32_t *low, uint32_t *high) {
    for (int k = 0; k < 32; k += 8) {
        *low = min(*low, four >> k & 255);
        *high = max(*high, four >> k & 255);
    }
}

__global__ void minmax_kernel(const uint8_t *src, size_t pitch, struct shape s, uint32_t *limits) {
    int i = blockIdx.x * BLOCK_THREADS + threadIdx.x, count;
    uint32_t low = 255, high = 0;
    if (i < s.words * s.height) {
        uint4 word = load(src + locate(s, pitch, i, &count), count, s.wide);
        include(word.x, &low, &high);
        include(word.y, &low, &high);
        include(word.z, &low, &high);
        include(word.w, &low, &high);
    }
    reduce_block(&low, &high);
    if (threadIdx.x == 0) {
        atomicMin(&limits[0], low);
        atomicMax(&limits[1], high);
    }
}

__device__ uint8_t scale(uint32_t value, uint32_t low, uint32_t high) {
    uint32_t range = high - low;
    return range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
}

__device__ uint32_t scale_four(uint32_t four, uint32_t low, uint32_t high) {
    return scale(four & 255, low, high) | scale(four >> 8 & 255, low, high) << 8 |
           scale(four >> 16 & 255, low, high) << 16 | (uint32_t)scale(four >> 24, low, high) << 24;
}

__global__ void scale_kernel(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,
                             struct shape s, uint32_t low, uint32_t high) {
    int i = blockIdx.x * BLOCK_THREADS + threadIdx.x, count;
    if (i >= s.words * s.height)
        return;
    uint4 word = load(src + locate(s, src_pitch, i, &count), count, s.wide);
    word.x = scale_four(word.x, low, high);
    word.y = scale_four(word.y, low, high);
    word.z = scale_four(word.z, low, high);
    word.w = scale_four(word.w, low, high);
    store(dst + locate(s, dst_pitch, i, &count), word, count, s.wide);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    struct shape s = make_shape(src, src_pitch, dst, dst_pitch, width, height);
    int grid = (s.words * s.height + BLOCK_THREADS - 1) / BLOCK_THREADS;
    uint32_t *limits = (uint32_t *)scratch, found[2];

    start_kernel<<<1, 1, 0, stream>>>(limits);
    minmax_kernel<<<grid, BLOCK_THREADS, 0, stream>>>(src, src_pitch, s, limits);
    cudaMemcpyAsync(found, limits, sizeof found, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    scale_kernel<<<grid, BLOCK_THREADS, 0, stream>>>(src, src_pitch, dst, dst_pitch, s, found[0], found[1]);
}
