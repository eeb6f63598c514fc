// step 7g: one kernel, the picture once in and once out
//
// Computes  the edges of lab7.h: gray, Gaussian 7x7 and Sobel 3x3 in registers, with nothing in memory between them.
// Shapes    a warp goes down a strip of 128 columns, 4 a thread; 120 of them are results. Blocks of 4 warps.
// Changed   step 7f -> 7g: gray is computed here too. A row of src comes in as 16 bytes a thread and leaves as 4 bytes of
//           edges. A strip has a halo of 4 pixels on each side: the Gaussian's 3 and Sobel's 1.
// Expect    what is read is the picture and the halos; what is written is the result alone.
// Run       make lab7-steps

#include "lab7.h"

#define WARPS 4   // of a block
#define STRIP 120 // columns of results of a warp: the first lane's 4 pixels and the last's are halo
#define ALL 0xffffffffu

// A pixel's gray level, in byte 2. By bytes the weights are 298839 = 4, 143, 87; 586811 = 8, 244, 59; 114350 = 1, 190,
// 174. The sum is below 2^28. Times 2^48 / 10^6, rounded up, its upper word has the quotient in the upper half: what the
// rounding adds, less than 2^28, is less than what separates the sum from the next multiple of 10^6, 2^48 / 10^6.
__device__ uint32_t gray_of(uint32_t pixel) {
    uint32_t upper = __dp4a(pixel, 0x00010804u, 0u), middle = __dp4a(pixel, 0x00bef48fu, 0u);
    uint32_t lower = __dp4a(pixel, 0x00ae3b57u, 500000u);
    return __umulhi((upper << 16) + (middle << 8) + lower, 281474977u);
}

__device__ uint32_t four_grays(uint4 pixels) {
    uint32_t left = __byte_perm(gray_of(pixels.x), gray_of(pixels.y), 0x0062);
    uint32_t right = __byte_perm(gray_of(pixels.z), gray_of(pixels.w), 0x0062);
    return __byte_perm(left, right, 0x5410);
}

// Four pixels of row y from column x on, x a multiple of 4; 0, which is gray 0, where there is no picture.
__device__ uint4 load_four(const uchar4 *src, int x, int y, int width, int height, bool wide) {
    uint4 pixels = make_uint4(0, 0, 0, 0);
    if (x < 0 || x >= width || y < 0 || y >= height)
        return pixels;
    const uint32_t *at = (const uint32_t *)src + y * width + x;
    if (wide) // the width is a multiple of 4: so is every row's start
        return *(const uint4 *)at;
    pixels.x = at[0];
    pixels.y = x + 1 < width ? at[1] : 0;
    pixels.z = x + 2 < width ? at[2] : 0;
    pixels.w = x + 3 < width ? at[3] : 0;
    return pixels;
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

// Which of the four columns from x on are in the picture.
__device__ struct four columns_inside(int x, int width) {
    struct four inside = {(x >= 0 && x < width ? 0x00ffu : 0) | (x >= 0 && x + 2 < width ? 0x00ff0000u : 0),
                          (x >= 0 && x + 1 < width ? 0x00ffu : 0) |
                              (x >= 0 && x + 3 < width ? 0x00ff0000u : 0)};
    return inside;
}

#define ROWS 24

__global__ void edge_kernel(const uchar4 *__restrict__ src, uint8_t *__restrict__ dst, int width, int height,
                            bool wide) {
    int lane = threadIdx.x, x = (blockIdx.x * WARPS + threadIdx.y) * STRIP + (lane - 1) * 4;
    int first = blockIdx.y * ROWS, last = min(first + ROWS, height);
    bool stores = lane > 0 && lane < 31 && x < width;
    struct columns columns = {};
    struct gradients gradients = {};
    struct four inside = columns_inside(x, width);

    uint4 next = load_four(src, x, first - 4, width, height, wide);
#pragma unroll 4
    for (int y = first - 4; y < last + 4; y++) {
        uint4 pixels = next;
        next = load_four(src, x, y + 1, width, height, wide); // on its way while this row is worked on
        struct four blur = blur_columns(&columns, blur_row(four_grays(pixels)));
        bool is_row = y - 3 >= 0 && y - 3 < height; // outside the picture the blur is 0, too
        blur.even = is_row ? blur.even >> 8 & inside.even : 0;
        blur.odd = is_row ? blur.odd >> 8 & inside.odd : 0;
        uint32_t edges = sobel_row(&gradients, blur);
        if (stores && y - 4 >= first)
            store_four(dst, edges, x, y - 4, width, wide);
    }
}

extern "C" void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                              cudaStream_t stream) {
    dim3 block(32, WARPS);
    dim3 grid((width + WARPS * STRIP - 1) / (WARPS * STRIP), (height + ROWS - 1) / ROWS);
    (void)scratch;
    edge_kernel<<<grid, block, 0, stream>>>(src, dst, width, height, width % 4 == 0);
}
