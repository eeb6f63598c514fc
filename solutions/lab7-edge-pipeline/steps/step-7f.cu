// step 7f: Sobel: the same strips
//
// Computes  the edges of lab7.h, in three kernels.
// Shapes    the Gaussian and Sobel: a warp has a strip of 256 columns, 8 a thread, of which 240 are results, and 6 rows
//           of results of the Gaussian, 8 of Sobel.
// Changed   step 7e -> 7f: Sobel takes the Gaussian's walk: two pixels a word, neighbours by shuffles, a warp's rows
//           loaded before the first is used. The root is one instruction and made exact.
// Expect    none of the three is far above what it must move; what is left are the planes between them.
// Run       make lab7-steps

#include "lab7.h"

#define GRAY_THREADS 256
#define WARPS 4     // of a block, one below the other
#define STRIP 240   // columns of results of a warp: the first lane's 8 pixels and the last's are halo
#define BLUR_ROWS 6 // rows of results of a warp
#define SOBEL_ROWS 8
#define ALL 0xffffffffu

// A pixel as it lies in memory: red is the lowest byte.
__device__ uint32_t gray_of(uint32_t pixel) {
    return (298839 * (pixel & 255) + 586811 * (pixel >> 8 & 255) + 114350 * (pixel >> 16 & 255) + 500000) /
           1000000;
}

// Four pixels a thread; the picture is one long row.
__global__ void gray_kernel(const uint32_t *src, uint8_t *gray, int pixels) {
    int at = (blockIdx.x * GRAY_THREADS + threadIdx.x) * 4;
    if (at + 4 <= pixels) {
        uint4 four = *(const uint4 *)(src + at);
        *(uint32_t *)(gray + at) =
            gray_of(four.x) | gray_of(four.y) << 8 | gray_of(four.z) << 16 | gray_of(four.w) << 24;
    } else {
        for (; at < pixels; at++)
            gray[at] = gray_of(src[at]);
    }
}

// ---- strips: a warp has 256 columns, 8 a thread, and goes down; 240 are results
//
// wide: the width is a multiple of 8, so that rows start at multiples of 8 bytes, and eight columns are all in the
// picture or all outside. Else each byte is looked at alone. Everything with `wide` is inlined: it is a constant there.

// Up to four bytes, as many as there are columns left.
__device__ uint32_t load_bytes(const uint8_t *at, int left) {
    uint32_t word = 0;
    for (int k = 0; k < 4; k++)
        if (k < left)
            word |= (uint32_t)at[k] << 8 * k;
    return word;
}

__device__ void store_bytes(uint8_t *at, uint32_t word, int left) {
    for (int k = 0; k < 4; k++)
        if (k < left)
            at[k] = word >> 8 * k;
}

// Eight bytes of row y from column x on, x a multiple of 8; 0 where there is no picture.
__device__ __forceinline__ uint2 load_eight(const uint8_t *src, int x, int y, int width, int height,
                                            const bool wide) {
    const uint8_t *at = src + y * width + x;
    if (x < 0 || x >= width || y < 0 || y >= height)
        return make_uint2(0, 0);
    if (wide)
        return __ldg((const uint2 *)at);
    return make_uint2(load_bytes(at, width - x), load_bytes(at + 4, width - x - 4));
}

__device__ __forceinline__ void store_eight(uint8_t *dst, uint2 bytes, int x, int y, int width,
                                            const bool wide) {
    uint8_t *at = dst + y * width + x;
    if (wide) {
        *(uint2 *)at = bytes;
        return;
    }
    store_bytes(at, bytes.x, width - x);
    store_bytes(at + 4, bytes.y, width - x - 4);
}

// Eight pixels as 16-bit halves of four words: pixels 0 and 2, 1 and 3, 4 and 6, 5 and 7. Sums below 65536 never meet.
struct eight {
    uint32_t pair[4];
};

__device__ struct eight unpack(uint2 bytes) {
    struct eight e = {bytes.x & 0x00ff00ffu, bytes.x >> 8 & 0x00ff00ffu, bytes.y & 0x00ff00ffu,
                      bytes.y >> 8 & 0x00ff00ffu};
    return e;
}

// 1 2 3 4 3 2 1 along the row. It is 1 1 1 1 folded with itself: sums of four neighbours, "boxes", and of four boxes. A
// box is the one beside it, a pixel more and one less. x3: the halves are pixels 3 and 5, and so on; l: further left.
__device__ struct eight blur_along(struct eight v) {
    uint32_t left_even = __shfl_up_sync(ALL, v.pair[2], 1), l3 = __shfl_up_sync(ALL, v.pair[3], 1);
    uint32_t x8 = __shfl_down_sync(ALL, v.pair[0], 1), right_odd = __shfl_down_sync(ALL, v.pair[1], 1);
    uint32_t l2 = __byte_perm(left_even, v.pair[0], 0x5432), l1 = __byte_perm(l3, v.pair[1], 0x5432);
    uint32_t x0 = v.pair[0], x1 = v.pair[1], x4 = v.pair[2], x5 = v.pair[3];
    uint32_t x2 = __byte_perm(x0, x4, 0x5432), x3 = __byte_perm(x1, x5, 0x5432);
    uint32_t x6 = __byte_perm(x4, x8, 0x5432), x7 = __byte_perm(x5, right_odd, 0x5432);
    uint32_t box = x0 + x1 + x2 + x3;
    uint32_t box_l1 = box - x3 + l1, box_l2 = box_l1 - x2 + l2, box_l3 = box_l2 - x1 + l3;
    uint32_t box1 = box - x0 + x4, box2 = box1 - x1 + x5, box3 = box2 - x2 + x6, box4 = box3 - x3 + x7;
    uint32_t box5 = box4 - x4 + x8;
    struct eight sums;
    sums.pair[0] = box_l3 + box_l2 + box_l1 + box;
    sums.pair[1] = sums.pair[0] - box_l3 + box1;
    sums.pair[2] = box1 + box2 + box3 + box4;
    sums.pair[3] = sums.pair[2] - box1 + box5;
    return sums;
}

// All rows of a warp are on their way before the first is used. Down the columns the same boxes of four, first; at most
// 256 * 255.
__device__ __forceinline__ void blur_strip(const uint8_t *gray, uint8_t *blur, int width, int height,
                                           const bool wide) {
    int lane = threadIdx.x, x = blockIdx.x * STRIP + (lane - 1) * 8;
    int first = (blockIdx.y * WARPS + threadIdx.y) * BLUR_ROWS;
    bool stores = lane > 0 && lane < 31 && x < width;
    uint2 raw[BLUR_ROWS + 6];
    struct eight row[BLUR_ROWS + 10] = {}, box[BLUR_ROWS + 10] = {}, sum = {}; // four rows of nothing first

    if (first >= height)
        return;
#pragma unroll
    for (int r = 0; r < BLUR_ROWS + 6; r++)
        raw[r] = load_eight(gray, x, first - 3 + r, width, height, wide);
#pragma unroll
    for (int r = 0; r < BLUR_ROWS + 6; r++) {
        row[r + 4] = unpack(raw[r]);
        for (int j = 0; j < 4; j++) {
            box[r + 4].pair[j] = box[r + 3].pair[j] + row[r + 4].pair[j] - row[r].pair[j];
            sum.pair[j] += box[r + 4].pair[j] - box[r].pair[j];
        }
        if (r < 6)
            continue;
        struct eight all = blur_along(sum); // of each half the byte above the point is taken
        uint2 bytes = make_uint2(__byte_perm(all.pair[0], all.pair[1], 0x7351),
                                 __byte_perm(all.pair[2], all.pair[3], 0x7351));
        if (stores && first + r - 6 < height)
            store_eight(blur, bytes, x, first + r - 6, width, wide);
    }
}

__global__ void __launch_bounds__(32 * WARPS)
    gaussian_kernel(const uint8_t *__restrict__ gray, uint8_t *__restrict__ blur, int width, int height) {
    blur_strip(gray, blur, width, height, true);
}

__global__ void __launch_bounds__(32 * WARPS)
    gaussian_kernel_any_width(const uint8_t *__restrict__ gray, uint8_t *__restrict__ blur, int width,
                              int height) {
    blur_strip(gray, blur, width, height, false);
}

// The square root of a whole number below 2^22, rounded down, at most 255, as the lowest byte. The fast root is off by
// less than 2^-20 of it; a half is added first, so that of a square it is above the root by 1 / 1024 or more, and of
// one less below it.
__device__ uint32_t root(int square) {
    float half_more = __int_as_float(0x4b000000 | square) - 8388607.5f, root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(half_more));
    return __float_as_uint(__fadd_rz(fminf(root, 255.0f), 8388608.0f));
}

// gx and gy of two pixels, as differences of halves; the lower one may have borrowed from the upper. Taken as a whole
// number such a word is still high * 65536 + low, so words are added, subtracted and doubled before they are taken
// apart here.
__device__ void root_pair(uint32_t gx, uint32_t gy, uint32_t *low, uint32_t *high) {
    int x = (int16_t)gx, y = (int16_t)gy;
    *low = root(x * x + y * y);
    x = (int)(gx - x) >> 16;
    y = (int)(gy - y) >> 16;
    *high = root(x * x + y * y);
}

__device__ uint32_t pack(const uint32_t level[4]) {
    return __byte_perm(__byte_perm(level[0], level[1], 0x0040), __byte_perm(level[2], level[3], 0x0040),
                       0x5410);
}

// Along a row: the columns right and left, their difference; and 1 2 1.
__device__ void sobel_along(struct eight v, struct eight *across, struct eight *smooth) {
    uint32_t l1 = __shfl_up_sync(ALL, v.pair[3], 1), x8 = __shfl_down_sync(ALL, v.pair[0], 1);
    uint32_t x2 = __byte_perm(v.pair[0], v.pair[2], 0x5432), x3 = __byte_perm(v.pair[1], v.pair[3], 0x5432);
    uint32_t left[4] = {__byte_perm(l1, v.pair[1], 0x5432), v.pair[0], x3, v.pair[2]};
    uint32_t right[4] = {v.pair[1], x2, v.pair[3], __byte_perm(v.pair[2], x8, 0x5432)};
    for (int j = 0; j < 4; j++) {
        across->pair[j] = right[j] - left[j];
        smooth->pair[j] = left[j] + 2 * v.pair[j] + right[j];
    }
}

__device__ __forceinline__ void sobel_strip(const uint8_t *blur, uint8_t *dst, int width, int height,
                                            const bool wide) {
    int lane = threadIdx.x, x = blockIdx.x * STRIP + (lane - 1) * 8;
    int first = (blockIdx.y * WARPS + threadIdx.y) * SOBEL_ROWS;
    bool stores = lane > 0 && lane < 31 && x < width;
    uint2 raw[SOBEL_ROWS + 2];
    struct eight across[SOBEL_ROWS + 2], smooth[SOBEL_ROWS + 2];

    if (first >= height)
        return;
#pragma unroll
    for (int r = 0; r < SOBEL_ROWS + 2; r++)
        raw[r] = load_eight(blur, x, first - 1 + r, width, height, wide);
#pragma unroll
    for (int r = 0; r < SOBEL_ROWS + 2; r++) {
        uint32_t level[2][4]; // of pixels 0 to 3 and 4 to 7
        sobel_along(unpack(raw[r]), &across[r], &smooth[r]);
        if (r < 2)
            continue;
        for (int j = 0; j < 4; j++)
            root_pair(across[r - 2].pair[j] + 2 * across[r - 1].pair[j] + across[r].pair[j],
                      smooth[r - 2].pair[j] - smooth[r].pair[j], &level[j / 2][j % 2],
                      &level[j / 2][j % 2 + 2]);
        if (stores && first + r - 2 < height)
            store_eight(dst, make_uint2(pack(level[0]), pack(level[1])), x, first + r - 2, width, wide);
    }
}

__global__ void __launch_bounds__(32 * WARPS)
    sobel_kernel(const uint8_t *__restrict__ blur, uint8_t *__restrict__ dst, int width, int height) {
    sobel_strip(blur, dst, width, height, true);
}

__global__ void __launch_bounds__(32 * WARPS)
    sobel_kernel_any_width(const uint8_t *__restrict__ blur, uint8_t *__restrict__ dst, int width,
                           int height) {
    sobel_strip(blur, dst, width, height, false);
}

extern "C" void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                              cudaStream_t stream) {
    int pixels = width * height, words = (pixels + 3) / 4;
    uint8_t *gray = (uint8_t *)scratch;
    uint8_t *blur = gray + EDGE_PLANE_BYTES(width, height);
    dim3 warps(32, WARPS);
    dim3 strips((width + STRIP - 1) / STRIP, (height + WARPS * BLUR_ROWS - 1) / (WARPS * BLUR_ROWS));
    dim3 sobel_strips(strips.x, (height + WARPS * SOBEL_ROWS - 1) / (WARPS * SOBEL_ROWS));

    gray_kernel<<<(words + GRAY_THREADS - 1) / GRAY_THREADS, GRAY_THREADS, 0, stream>>>((const uint32_t *)src,
                                                                                        gray, pixels);
    if (width % 8 == 0) {
        gaussian_kernel<<<strips, warps, 0, stream>>>(gray, blur, width, height);
        sobel_kernel<<<sobel_strips, warps, 0, stream>>>(blur, dst, width, height);
    } else {
        gaussian_kernel_any_width<<<strips, warps, 0, stream>>>(gray, blur, width, height);
        sobel_kernel_any_width<<<sobel_strips, warps, 0, stream>>>(blur, dst, width, height);
    }
}
