// step c9: the second kernel starts early
//
// Computes  The contrast stretch of lab5.h.
// Shapes    first pass: two blocks of 512 for each multiprocessor; second: block 256, 32 pixels per thread.
// Changed   step c8 -> c9: the second kernel need not wait until the first has ended (programmatic
//           dependent launch, from compute capability 9.0 on). Its blocks move in as soon as there is
//           room, fetch their pixels, and wait only then, before they look at what the first kernel has
//           found.
// Expect    The start of a kernel and the first loads, hidden behind the end of the other: some 1.5 us.
// Run       make lab5-steps
//
// At the end of the file, beside it: the version for the CPU.

#include "lab5.h"

#define MINMAX_THREADS 512
#define SCALE_THREADS 256
#define WORDS 2  // words of a thread of the second pass
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

// In the first kernel: the next one may be started now. In the next: wait until the first has ended and what
// it wrote is there. Nothing on chips that start one kernel after the other anyhow.
__device__ void allow_successor(void) {
#if __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ void await_predecessor(void) {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

__global__ void minmax_kernel(const uint8_t *src, size_t pitch, struct shape s, uint32_t *limits) {
    int stride = gridDim.x * MINMAX_THREADS, total = s.words * s.height, count[UNROLL];
    int i = blockIdx.x * MINMAX_THREADS + threadIdx.x;
    struct extremes e = {0xffffffff, 0};
    allow_successor();
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
    if (threadIdx.x == 0)
        limits[blockIdx.x] = found;
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

// What all blocks of the first pass found, to every thread of a warp.
__device__ uint32_t gather(const uint32_t *limits, int blocks) {
    uint32_t found = 0;
    for (int b = threadIdx.x % 32; b < blocks; b += 32)
        found = __vmaxu2(found, limits[b]);
    for (int distance = 16; distance > 0; distance /= 2)
        found = __vmaxu2(found, __shfl_xor_sync(0xffffffff, found, distance));
    return found;
}

// From the end of the image to its start: what the first pass read last is still in L2.
__global__ void scale_kernel(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,
                             struct shape s, const uint32_t *limits, int blocks) {
    __shared__ struct factors shared;
    int first = (gridDim.x - 1 - blockIdx.x) * SCALE_THREADS * WORDS + threadIdx.x,
        total = s.words * s.height;
    int count[WORDS];
    uint4 word[WORDS];
#pragma unroll
    for (int k = 0; k < WORDS; k++) // on their way while the limits are gathered
        if (first + k * SCALE_THREADS < total)
            word[k] =
                load(src + locate(s, src_pitch, first + k * SCALE_THREADS, &count[k]), count[k], s.wide);
    await_predecessor();
    if (threadIdx.x < 32) {
        uint32_t found = gather(limits, blocks);
        if (threadIdx.x == 0)
            shared = make_factors(255 - (found >> 16), found & 0xffff);
    }
    __syncthreads();
    struct factors f = shared;
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        if (first + k * SCALE_THREADS < total) {
            size_t at = locate(s, dst_pitch, first + k * SCALE_THREADS, &count[k]);
            store(dst + at, scale_word(word[k], f), count[k], s.wide);
        }
}

// Two blocks for each multiprocessor, or as many as there is work for.
static int resident_blocks(int words) {
    int device = 0, processors = 1, needed = (words + MINMAX_THREADS - 1) / MINMAX_THREADS;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    return needed < 2 * processors ? needed : 2 * processors;
}

// Start the second kernel before the first has ended, where the chip can.
static void launch_scale(int grid, const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch,
                         struct shape s, const uint32_t *limits, int blocks, cudaStream_t stream) {
    int device = 0, major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);

    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(grid);
    config.blockDim = dim3(SCALE_THREADS);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = major >= 9 ? 1 : 0;
    void *arguments[] = {&src, &src_pitch, &dst, &dst_pitch, &s, &limits, &blocks};
    cudaLaunchKernelExC(&config, (const void *)scale_kernel, arguments);
}

extern "C" void contrast(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                         int height, void *scratch, cudaStream_t stream) {
    struct shape s = make_shape(src, src_pitch, dst, dst_pitch, width, height);
    int words = s.words * s.height, tile = SCALE_THREADS * WORDS, blocks = resident_blocks(words);
    uint32_t *limits = (uint32_t *)scratch; // one for each block of the first pass

    minmax_kernel<<<blocks, MINMAX_THREADS, 0, stream>>>(src, src_pitch, s, limits);
    launch_scale((words + tile - 1) / tile, src, src_pitch, dst, dst_pitch, s, limits, blocks, stream);
}

// Two passes; a table of 256 results instead of a division for each pixel.
extern "C" void contrast_cpu(const uint8_t *src, size_t src_pitch, uint8_t *dst, size_t dst_pitch, int width,
                             int height) {
    uint8_t low = 255, high = 0, level[256];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t value = src[y * src_pitch + x];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    int range = high - low;
    for (int value = low; value <= high; value++)
        level[value] = range == 0 ? value : (2 * 255 * (value - low) + range) / (2 * range);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[y * dst_pitch + x] = level[src[y * src_pitch + x]];
}
