// step c7: no division
//
// Computes  The contrast stretch of lab5.h.
// Shapes    first pass: two blocks of 512 for each multiprocessor; second: block 256, 16 pixels per thread.
// Changed   step c6 -> c7: division by the range becomes one multiply-add per pixel,
//           whose upper byte is the result; three byte permutations put four of them
//           together.
// Expect    A fraction of the instructions of the second pass.
// Run       make lab5-steps

#include "lab5.h"

#define MINMAX_THREADS 512
#define SCALE_THREADS 256
#define UNROLL 4 // words that a thread of the first pass has on their way

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

// The least and the greatest of what a thread has seen, as 16-bit halves whose upper byte counts. A word
// holds four pixels, two of them in upper bytes already; moved by 8 bits, the other two are. What stands in
// the lower bytes never decides between different pixels.
struct extremes {
    uint32_t low, high;
};

__device__ void include(uint32_t four, struct extremes *e) {
    e->low = __vminu2(e->low, __vminu2(four, four << 8 | 0xff));
    e->high = __vmaxu2(e->high, __vmaxu2(four, four << 8));
}

__device__ void include(uint4 word, struct extremes *e) {
    include(word.x, e);
    include(word.y, e);
    include(word.z, e);
    include(word.w, e);
}

// One word for both: 255 - min in the upper half, max in the lower. The greater of two such words, half by
// half, has the lesser minimum and the greater maximum.
__device__ uint32_t fold(struct extremes e) {
    uint32_t low = min(e.low >> 24, e.low >> 8 & 255), high = max(e.high >> 24, e.high >> 8 & 255);
    return (255 - low) << 16 | high;
}

// Of the block's threads, the first comes out with the greatest halves.
__device__ uint32_t reduce_block(uint32_t limits) {
    __shared__ uint32_t of_warp[MINMAX_THREADS / 32];
    for (int distance = 16; distance > 0; distance /= 2)
        limits = __vmaxu2(limits, __shfl_xor_sync(0xffffffff, limits, distance));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = limits;
    __syncthreads();
    if (threadIdx.x >= 32)
        return limits;
    limits = threadIdx.x < MINMAX_THREADS / 32 ? of_warp[threadIdx.x] : 0;
    for (int distance = MINMAX_THREADS / 64; distance > 0; distance /= 2)
        limits = __vmaxu2(limits, __shfl_xor_sync(0xffffffff, limits, distance));
    return limits;
}

__global__ void minmax_kernel(const uint8_t *src, size_t pitch, struct shape s, uint32_t *limits) {
    int stride = gridDim.x * MINMAX_THREADS, total = s.words * s.height, count[UNROLL];
    int i = blockIdx.x * MINMAX_THREADS + threadIdx.x;
    struct extremes e = {0xffffffff, 0};
    uint4 word[UNROLL];
    for (; i < total - (UNROLL - 1) * stride; i += UNROLL * stride) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            word[k] = load(src + locate(s, pitch, i + k * stride, &count[k]), count[k], s.wide);
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            include(word[k], &e);
    }
    for (; i < total; i += stride)
        include(load(src + locate(s, pitch, i, &count[0]), count[0], s.wide), &e);
    uint32_t found = reduce_block(fold(e));
    if (threadIdx.x == 0) {
        atomicMin(&limits[0], 255 - (found >> 16));
        atomicMax(&limits[1], found & 0xffff);
    }
}

// (value - low) * 255 / range to the nearest as multiplication, addition and shift: with f = 255 * 2^24 /
// range, rounded up, the result is byte 3 of value * f + (2^23 - low * f). f is too large by less than 1, so
// the product by less than 255, far less than what separates any result from the next whole number, 2^24 /
// 510. experiments/enumerate.cu tries all of them.
struct __align__(8) factors { // one load, one store
    uint32_t factor, offset;
};

__host__ __device__ static struct factors make_factors(uint32_t low, uint32_t high) {
    uint32_t range = high - low, factor = range == 0 ? 1u << 24 : ((255u << 24) + range - 1) / range;
    struct factors f = {factor, (1u << 23) - (range == 0 ? 0 : low * factor)};
    return f;
}

__device__ uint32_t scale_four(uint32_t four, struct factors f) {
    uint32_t a = (four & 255) * f.factor + f.offset, b = (four >> 8 & 255) * f.factor + f.offset;
    uint32_t c = (four >> 16 & 255) * f.factor + f.offset, d = (four >> 24) * f.factor + f.offset;
    return __byte_perm(__byte_perm(a, b, 0x0073), __byte_perm(c, d, 0x0073), 0x5410);
}

__device__ uint4 scale_word(uint4 word, struct factors f) {
    return make_uint4(scale_four(word.x, f), scale_four(word.y, f), scale_four(word.z, f),
                      scale_four(word.w, f));
}

__global__ void scale_kernel(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,
                             struct shape s, struct factors f) {
    int i = blockIdx.x * SCALE_THREADS + threadIdx.x, count;
    if (i >= s.words * s.height)
        return;
    uint4 word = load(src + locate(s, src_pitch, i, &count), count, s.wide);
    store(dst + locate(s, dst_pitch, i, &count), scale_word(word, f), count, s.wide);
}

// Two blocks for each multiprocessor, or as many as there is work for.
static int resident_blocks(int words) {
    int device = 0, processors = 1, needed = (words + MINMAX_THREADS - 1) / MINMAX_THREADS;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    return needed < 2 * processors ? needed : 2 * processors;
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    struct shape s = make_shape(src, src_pitch, dst, dst_pitch, width, height);
    int words = s.words * s.height;
    uint32_t *limits = (uint32_t *)scratch, found[2];

    start_kernel<<<1, 1, 0, stream>>>(limits);
    minmax_kernel<<<resident_blocks(words), MINMAX_THREADS, 0, stream>>>(src, src_pitch, s, limits);
    cudaMemcpyAsync(found, limits, sizeof found, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    scale_kernel<<<(words + SCALE_THREADS - 1) / SCALE_THREADS, SCALE_THREADS, 0, stream>>>(
        src, src_pitch, dst, dst_pitch, s, make_factors(found[0], found[1]));
}
