// step 7d: the Gaussian: packed bytes and dot products
//
// Computes  the edges of lab7.h, in three kernels.
// Shapes    the Gaussian: a warp has 128 pixels of a row, 4 a thread, of which the inner 120 are results.
// Changed   step 7c -> 7d: four bytes are one word. Along a row __dp4a adds four products at once; the words of the
//           neighbours come from the neighbouring lanes, so no shared memory. Down the column two sums of 16 bits are
//           added in one instruction: 256 * 255 fits.
// Expect    a quarter of the loads and stores of the Gaussian; 10 dot products for 4 pixels of a row. It is still the
//           first.
// Run       make lab7-steps

#include "lab7.h"

#define GRAY_THREADS 256
#define SOBEL_WIDTH 32
#define SOBEL_HEIGHT 8
#define WARPS 4   // of a block of the Gaussian
#define STRIP 120 // columns of results of a warp: the first lane's 4 pixels and the last's are halo
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

// Four bytes of row y from column x on, x a multiple of 4; 0 where there is no picture.
__device__ uint32_t load_four(const uint8_t *src, int x, int y, int width, int height, bool wide) {
    if (x < 0 || x >= width || y < 0 || y >= height)
        return 0;
    const uint8_t *at = src + y * width + x;
    if (wide) // the width is a multiple of 4: so is every row's start
        return *(const uint32_t *)at;
    uint32_t word = at[0];
    for (int k = 1; k < 4; k++)
        if (x + k < width)
            word |= (uint32_t)at[k] << 8 * k;
    return word;
}

__device__ void store_four(uint8_t *dst, uint32_t word, int x, int y, int width, bool wide) {
    uint8_t *at = dst + y * width + x;
    if (wide) {
        *(uint32_t *)at = word;
        return;
    }
    for (int k = 0; k < 4; k++)
        if (x + k < width)
            at[k] = word >> 8 * k;
}

// A thread's four pixels as 16-bit halves of two words: pixels 0 and 2, 1 and 3. Sums below 65536 never meet.
struct four {
    uint32_t even, odd;
};

// 1 2 3 4 3 2 1 along a row: dot products of the words to the left, here and to the right with the weights as they lie.
// At most 16 * 255.
__device__ struct four blur_row(uint32_t own) {
    uint32_t left = __shfl_up_sync(ALL, own, 1), right = __shfl_down_sync(ALL, own, 1);
    uint32_t p0 = __dp4a(left, 0x03020100u, __dp4a(own, 0x01020304u, 0u));
    uint32_t p1 = __dp4a(left, 0x02010000u, __dp4a(own, 0x02030403u, __dp4a(right, 0x00000001u, 0u)));
    uint32_t p2 = __dp4a(left, 0x01000000u, __dp4a(own, 0x03040302u, __dp4a(right, 0x00000102u, 0u)));
    uint32_t p3 = __dp4a(own, 0x04030201u, __dp4a(right, 0x00010203u, 0u));
    struct four sums = {__byte_perm(p0, p2, 0x5410), __byte_perm(p1, p3, 0x5410)};
    return sums;
}

__global__ void gaussian_kernel(const uint8_t *gray, uint8_t *blur, int width, int height, bool wide) {
    int lane = threadIdx.x, x = (blockIdx.x * STRIP / 4 + lane - 1) * 4, y = blockIdx.y * WARPS + threadIdx.y;
    struct four sum = {0, 0};
    for (int dy = -3; dy <= 3; dy++) { // at most 256 * 255 in a half: no carry
        struct four row = blur_row(load_four(gray, x, y + dy, width, height, wide));
        sum.even += (4 - abs(dy)) * row.even;
        sum.odd += (4 - abs(dy)) * row.odd;
    }
    // The bytes above the point, pixels 0 and 2 from one word, 1 and 3 from the other.
    if (lane > 0 && lane < 31 && x < width && y < height)
        store_four(blur, __byte_perm(sum.even, sum.odd, 0x7351), x, y, width, wide);
}

// Columns x - 1 to x + 4 of row y; 0 outside the picture.
__device__ void load_six(const uint8_t *blur, int x, int y, int width, int height, bool wide, int level[6]) {
    uint32_t own = load_four(blur, x, y, width, height, wide);
    bool inside = y >= 0 && y < height;
    level[0] = inside && x > 0 ? blur[y * width + x - 1] : 0;
    for (int k = 0; k < 4; k++)
        level[k + 1] = own >> 8 * k & 255;
    level[5] = inside && x + 4 < width ? blur[y * width + x + 4] : 0;
}

// Four pixels a thread.
__global__ void sobel_kernel(const uint8_t *blur, uint8_t *dst, int width, int height, bool wide) {
    int x = (blockIdx.x * SOBEL_WIDTH + threadIdx.x) * 4, y = blockIdx.y * SOBEL_HEIGHT + threadIdx.y;
    int above[6], own[6], below[6];
    uint32_t edges = 0;

    if (x >= width || y >= height)
        return;
    load_six(blur, x, y - 1, width, height, wide, above);
    load_six(blur, x, y, width, height, wide, own);
    load_six(blur, x, y + 1, width, height, wide, below);
    for (int k = 0; k < 4; k++) {
        int gx = above[k + 2] - above[k] + 2 * (own[k + 2] - own[k]) + below[k + 2] - below[k];
        int gy = above[k] + 2 * above[k + 1] + above[k + 2] - below[k] - 2 * below[k + 1] - below[k + 2];
        // Exact: the sum of squares is below 2^24, and the root of so small a whole number is nowhere rounded up to a
        // whole one.
        int level = sqrtf(gx * gx + gy * gy);
        edges |= (uint32_t)(level > 255 ? 255 : level) << 8 * k;
    }
    store_four(dst, edges, x, y, width, wide);
}

extern "C" void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                              cudaStream_t stream) {
    int pixels = width * height, words = (pixels + 3) / 4;
    uint8_t *gray = (uint8_t *)scratch;
    uint8_t *blur = gray + EDGE_PLANE_BYTES(width, height);
    dim3 warps(32, WARPS);
    dim3 strips((width + STRIP - 1) / STRIP, (height + WARPS - 1) / WARPS);
    dim3 block(SOBEL_WIDTH, SOBEL_HEIGHT);
    dim3 blocks((width + 4 * SOBEL_WIDTH - 1) / (4 * SOBEL_WIDTH),
                (height + SOBEL_HEIGHT - 1) / SOBEL_HEIGHT);

    gray_kernel<<<(words + GRAY_THREADS - 1) / GRAY_THREADS, GRAY_THREADS, 0, stream>>>((const uint32_t *)src,
                                                                                        gray, pixels);
    gaussian_kernel<<<strips, warps, 0, stream>>>(gray, blur, width, height, width % 4 == 0);
    sobel_kernel<<<blocks, block, 0, stream>>>(blur, dst, width, height, width % 4 == 0);
}
