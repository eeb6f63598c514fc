// step 7d: many rows a thread
//
// Computes  the edges of lab7.h, in three kernels.
// Shapes    the Gaussian: a warp goes down a strip of 128 columns, 4 a thread, for 24 rows of results.
// Changed   step 7c -> 7d: a row is loaded and summed once and not seven times. What later rows need of earlier ones
//           stays in registers: 1 2 3 4 3 2 1 is 1 1 1 1 folded with itself, so four additions a row do for the
//           columns. The next row is on its way while one is worked on.
// Expect    30 rows read for 24. Sobel has been the kernel that takes longest since 7c: it makes the same walk next.
// Run       make lab7-steps

#include "lab7.h"

#define BLOCK_WIDTH 8 // of gray and Sobel
#define BLOCK_HEIGHT 8
#define WARPS 4   // of a block
#define STRIP 120 // columns of results of a warp: the first lane's 4 pixels and the last's are halo
#define ALL 0xffffffffu

__global__ void gray_kernel(const uchar4 *src, uint8_t *gray, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    uchar4 pixel = src[y * width + x];
    gray[y * width + x] = (298839 * pixel.x + 586811 * pixel.y + 114350 * pixel.z + 500000) / 1000000;
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

__device__ struct four add(struct four a, struct four b) {
    struct four sum = {a.even + b.even, a.odd + b.odd};
    return sum;
}

// Pixels 0 and 2 in the bytes of one word, 1 and 3 in those of the other, into the four bytes of a word.
__device__ uint32_t pack(struct four f) {
    return f.even | f.odd << 8;
}

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

// The same down the columns. 1 2 3 4 3 2 1 is 1 1 1 1 folded with itself: sums of two rows, of four, of two, of four.
// At most 256 * 255.
struct columns {
    struct four row, two, two_before, box, sum, sum_before; // of the rows before
};

__device__ struct four blur_columns(struct columns *c, struct four row) {
    struct four two = add(row, c->row), box = add(two, c->two_before), sum = add(box, c->box);
    struct four all = add(sum, c->sum_before);
    c->row = row;
    c->two_before = c->two;
    c->two = two;
    c->box = box;
    c->sum_before = c->sum;
    c->sum = sum;
    return all;
}

#define ROWS 24 // results of a strip

__global__ void gaussian_kernel(const uint8_t *__restrict__ gray, uint8_t *__restrict__ blur, int width,
                                int height, bool wide) {
    int lane = threadIdx.x, x = (blockIdx.x * WARPS + threadIdx.y) * STRIP + (lane - 1) * 4;
    int first = blockIdx.y * ROWS, last = min(first + ROWS, height);
    bool stores = lane > 0 && lane < 31 && x < width;
    struct columns columns = {};

    uint32_t next = load_four(gray, x, first - 3, width, height, wide);
#pragma unroll 4
    for (int y = first - 3; y < last + 3; y++) {
        uint32_t word = next;
        next = load_four(gray, x, y + 1, width, height, wide); // on its way while this row is worked on
        struct four sum = blur_columns(&columns, blur_row(word));
        struct four result = {sum.even >> 8 & 0x00ff00ffu, sum.odd >> 8 & 0x00ff00ffu};
        if (stores && y - 3 >= first)
            store_four(blur, pack(result), x, y - 3, width, wide);
    }
}

__global__ void sobel_kernel(const uint8_t *blur, uint8_t *dst, int width, int height) {
    const int weight_x[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    const int weight_y[3][3] = {{1, 2, 1}, {0, 0, 0}, {-1, -2, -1}};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= width || y >= height)
        return;

    int gx = 0, gy = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int u = x + dx;
            int v = y + dy;
            if (u >= 0 && u < width && v >= 0 && v < height) { // outside the picture counts as 0
                gx += weight_x[dy + 1][dx + 1] * blur[v * width + u];
                gy += weight_y[dy + 1][dx + 1] * blur[v * width + u];
            }
        }
    }
    // Exact: the sum of squares is below 2^24, and the root of so small a whole number is nowhere rounded up to a whole one.
    int level = sqrtf(gx * gx + gy * gy);
    dst[y * width + x] = level > 255 ? 255 : level;
}

extern "C" void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                              cudaStream_t stream) {
    dim3 block(BLOCK_WIDTH, BLOCK_HEIGHT);
    dim3 grid((width + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (height + BLOCK_HEIGHT - 1) / BLOCK_HEIGHT);
    dim3 warps(32, WARPS);
    dim3 strips((width + WARPS * STRIP - 1) / (WARPS * STRIP), (height + ROWS - 1) / ROWS);
    uint8_t *gray = (uint8_t *)scratch;
    uint8_t *blur = gray + EDGE_PLANE_BYTES(width, height);

    gray_kernel<<<grid, block, 0, stream>>>(src, gray, width, height);
    gaussian_kernel<<<strips, warps, 0, stream>>>(gray, blur, width, height, width % 4 == 0);
    sobel_kernel<<<grid, block, 0, stream>>>(blur, dst, width, height);
}
