// step 7e: Sobel next
//
// Computes  the edges of lab7.h, in three kernels.
// Shapes    the Gaussian and Sobel: strips of 128 columns, 4 a thread, 24 rows of results.
// Changed   step 7d -> 7e: Sobel was the kernel that took longest. It gets the same treatment: words of four pixels,
//           halves of 16 bits, neighbours by shuffles, sums of rows kept. The root is one instruction and made exact.
// Expect    gray takes longest now.
// Run       make lab7-steps

#include "lab7.h"

#define BLOCK_WIDTH 8 // of gray
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

// The square root of a whole number below 2^22, rounded down, at most 255, as the lowest byte. The fast root is off by
// less than 2^-20 of it; a half is added first, so that of a square it is above the root by 1 / 1024 or more, and of one
// less below it.
__device__ uint32_t root(int square) {
    float half_more = __int_as_float(0x4b000000 | square) - 8388607.5f, root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(half_more));
    return __float_as_uint(__fadd_rz(fminf(root, 255.0f), 8388608.0f));
}

// gx and gy of two pixels, as differences of halves; the lower one may have borrowed from the upper.
__device__ void root_pair(uint32_t gx, uint32_t gy, uint32_t *low, uint32_t *high) {
    int x = (int16_t)gx, y = (int16_t)gy;
    *low = root(x * x + y * y);
    x = (int)(gx - x) >> 16;
    y = (int)(gy - y) >> 16;
    *high = root(x * x + y * y);
}

// What Sobel keeps of the rows before: a row's 1 2 1 along it, of the last two; sums of two rows, for 1 2 1 down them.
// `ends` are the pixels to the left and right of the four, as halves.
struct gradients {
    struct four smooth, smooth_before, row, two;
    uint32_t ends, ends_two;
};

// The next row of blurred pixels; out come the edges of the row before it.
__device__ uint32_t sobel_row(struct gradients *g, struct four row) {
    uint32_t left = __shfl_up_sync(ALL, row.odd, 1), right = __shfl_down_sync(ALL, row.even, 1);
    uint32_t ends = __byte_perm(left, right, 0x5432);
    struct four smooth = {__byte_perm(ends, row.odd, 0x5410) + 2 * row.even + row.odd,
                          row.even + 2 * row.odd + __byte_perm(row.even, ends, 0x7632)};
    struct four two = add(row, g->row), down = add(two, g->two);
    uint32_t ends_two = ends + g->ends, ends_down = ends_two + g->ends_two;
    uint32_t p0, p1, p2, p3;
    root_pair(down.odd - __byte_perm(ends_down, down.odd, 0x5410), g->smooth_before.even - smooth.even, &p0,
              &p2);
    root_pair(__byte_perm(down.even, ends_down, 0x7632) - down.even, g->smooth_before.odd - smooth.odd, &p1,
              &p3);
    g->smooth_before = g->smooth;
    g->smooth = smooth;
    g->row = row;
    g->two = two;
    g->ends = ends;
    g->ends_two = ends_two;
    return __byte_perm(__byte_perm(p0, p1, 0x0040), __byte_perm(p2, p3, 0x0040), 0x5410);
}

__global__ void sobel_kernel(const uint8_t *__restrict__ blur, uint8_t *__restrict__ dst, int width,
                             int height, bool wide) {
    int lane = threadIdx.x, x = (blockIdx.x * WARPS + threadIdx.y) * STRIP + (lane - 1) * 4;
    int first = blockIdx.y * ROWS, last = min(first + ROWS, height);
    bool stores = lane > 0 && lane < 31 && x < width;
    struct gradients gradients = {};

    uint32_t next = load_four(blur, x, first - 1, width, height, wide);
#pragma unroll 4
    for (int y = first - 1; y < last + 1; y++) {
        struct four row = {next & 0x00ff00ffu, next >> 8 & 0x00ff00ffu};
        next = load_four(blur, x, y + 1, width, height, wide);
        uint32_t edges = sobel_row(&gradients, row);
        if (stores && y - 1 >= first)
            store_four(dst, edges, x, y - 1, width, wide);
    }
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
    sobel_kernel<<<strips, warps, 0, stream>>>(blur, dst, width, height, width % 4 == 0);
}
