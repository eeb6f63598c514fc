// step 7h: fewer instructions: gray in four, Sobel two pixels at a time
//
// Computes  the edges of lab7.h: gray, Gaussian 7x7 and Sobel 3x3 in registers, with nothing in memory between them.
// Shapes    a warp goes down two strips, 128 columns each and 4 a thread, of which 120 are results; blocks of 2 warps.
// Changed   step 7g -> 7h: the kernel was limited by its instructions, so each stage gets fewer. Gray: four
//           instructions a pixel. Sobel: sums in half precision, which unpack, square and pack in half as many.
// Expect    the sectors of 7g, fewer instructions.
// Run       make lab7-steps

#include "lab7.h"

#define STRIP 120 // columns of results of a strip: the first lane's 4 pixels and the last's are halo
#define ROWS 20   // rows of results of a warp
#define HALO 8    // rows of input more than of results: the Gaussian's 3 and Sobel's 1, above and below
#define GROUP 4   // rows on their way at once, and worked on together; ROWS + HALO is a multiple of it
#define WARPS 2   // of a block, one below the other
#define ALL 0xffffffffu
#define LEVELS 0x00ff00ffu

// ---- gray

// A pixel's gray level, in byte 1; byte 2 is 0. In 256ths a weight is 256 * weight / 10^6 = whole + rest / 15625: 76,
// 150, 29 and 7856, 3494, 4275; a half is 128 of them. The rests' sum, divided by 15625 and rounded down, and the
// wholes give the level in byte 1. 2^23 as a float is 0x4b000000, and a whole number below 2^23 added to its bits adds
// that number to it: so the sum is a float already, and (2^23 + 2017) / 15625 is 537. Tried with each of the 2^24
// colours.
static __device__ uint32_t gray_of(uint32_t pixel) {
    uint32_t rest = __dp2a_hi(0x000010b3u, pixel, __dp2a_lo(0x0da61eb0u, pixel, 0x4b000000u + 2017u));
    float whole = __fmaf_rd(__uint_as_float(rest), 1.0f / 15625.0f, 8388608.0f + 128.0f - 537.0f);
    return __dp4a(pixel, 0x001d964cu, __float_as_uint(whole));
}

// ---- what a thread works on: columns x to x + 3 (strip a) and x + 120 to x + 123 (strip b)

// Two pixels of a column in the halves of a word, one of strip a and one of strip b. Sums below 65536 never meet.
struct row {
    uint32_t pair[4];
};

struct pixels {
    uint4 a, b;
};

struct place {
    const uint32_t *src, *a, *b;  // the picture; its columns x and x + 120, for loads of four pixels
    int x, width, height, lowest; // lowest: the last row that is loaded
    // Selectors of bytes, 0 outside the picture: gray is byte 1, the blur is shifted down by 8.
    uint32_t gray[4], blur[4];
};

// wide: the width is a multiple of 4, so that rows start at multiples of 16 bytes, and four columns are all in the
// picture or all outside. Else each column is looked at alone. Everything with `wide` is inlined: it is a constant
// there.
static __device__ __forceinline__ struct place make_place(const uchar4 *src, int x, int width, int height,
                                                          int lowest, const bool wide) {
    struct place p = {(const uint32_t *)src, NULL, NULL, x, width, height, lowest};
    p.a = p.src + min(max(x, 0), width - 4);
    p.b = p.src + min(x + STRIP, width - 4);
    for (int j = 0; j < 4; j++) {
        int a = wide ? x : x + j, b = a + STRIP;
        p.gray[j] = (a >= 0 && a < width ? 0x21u : 0x22u) | (b < width ? 0x6500u : 0x6600u);
        p.blur[j] = (a >= 0 && a < width ? 0x41u : 0x44u) | (b < width ? 0x4300u : 0x4400u);
    }
    return p;
}

static __device__ uint4 load_single(const uint32_t *row, int x, int width) {
    uint32_t at[4];
    for (int j = 0; j < 4; j++)
        at[j] = __ldg(row + min(max(x + j, 0), width - 1));
    return make_uint4(at[0], at[1], at[2], at[3]);
}

// Outside the picture its border is read, and left out afterwards: no load waits for a comparison.
static __device__ __forceinline__ struct pixels load_row(const struct place *p, int y, const bool wide) {
    int64_t row = (int64_t)min(max(y, 0), p->lowest) * (p->width * 4); // in bytes
    struct pixels pixels;
    if (wide) {
        pixels.a = __ldg((const uint4 *)((const char *)p->a + row));
        pixels.b = __ldg((const uint4 *)((const char *)p->b + row));
    } else {
        const uint32_t *start = (const uint32_t *)((const char *)p->src + row);
        pixels.a = load_single(start, p->x, p->width);
        pixels.b = load_single(start, p->x + STRIP, p->width);
    }
    return pixels;
}

static __device__ __forceinline__ struct row gray_row(const struct place *p, const struct pixels *in, int y) {
    uint32_t a[4] = {in->a.x, in->a.y, in->a.z, in->a.w}, b[4] = {in->b.x, in->b.y, in->b.z, in->b.w};
    bool inside = (uint32_t)y < (uint32_t)p->height;
    struct row gray;
    for (int j = 0; j < 4; j++)
        gray.pair[j] = __byte_perm(gray_of(a[j]), gray_of(b[j]), inside ? p->gray[j] : 0x6622u);
    return gray;
}

static __device__ __forceinline__ void store_four(uint8_t *dst, uint32_t word, int x, int width,
                                                  const bool wide) {
    if (wide)
        *(uint32_t *)dst = word;
    else
        for (int k = 0; k < 4; k++)
            if (x + k < width)
                dst[k] = word >> 8 * k;
}

// ---- the Gaussian: first down the columns, then along the row

// 1 2 3 4 3 2 1 is 1 1 1 1 folded with itself: sums of four rows, "boxes", and of four boxes; at most 256 * 255. Of two
// rows one after the other a sum is made once: of an odd row and the even one before it. An odd row's box is this sum
// and the one before, an even row's is the sum before and a row on each side.
struct columns {
    struct row even, odd, odd_before, two;
    struct row even_box, odd_box, odd_box_before, two_box;
};

static __device__ __forceinline__ struct row blur_columns(struct columns *c, struct row gray, bool odd) {
    struct row sum;
    for (int j = 0; j < 4; j++) {
        uint32_t own = gray.pair[j];
        if (odd) {
            uint32_t box = c->two.pair[j] + c->even.pair[j] + own;
            c->two.pair[j] = c->even.pair[j] + own;
            c->odd_before.pair[j] = own;
            sum.pair[j] = c->two_box.pair[j] + c->even_box.pair[j] + box;
            c->two_box.pair[j] = c->even_box.pair[j] + box;
            c->odd_box_before.pair[j] = box;
        } else {
            uint32_t box = c->odd.pair[j] + c->two.pair[j] + own;
            sum.pair[j] = c->odd_box.pair[j] + c->two_box.pair[j] + box;
            c->even.pair[j] = own;
            c->even_box.pair[j] = box;
            c->odd.pair[j] = c->odd_before.pair[j];
            c->odd_box.pair[j] = c->odd_box_before.pair[j];
        }
    }
    return sum;
}

// The same along the row, as the columns lie: boxes l3 to l1 begin 3 to 1 columns further left than box 0, r1 to r3
// further right; each is the one beside it, a column more and one less. The neighbours' columns come from the
// neighbouring lanes.
static __device__ __forceinline__ struct row blur_along(struct row v) {
    uint32_t left1 = __shfl_up_sync(ALL, v.pair[3], 1), left2 = __shfl_up_sync(ALL, v.pair[2], 1);
    uint32_t left3 = __shfl_up_sync(ALL, v.pair[1], 1), right1 = __shfl_down_sync(ALL, v.pair[0], 1);
    uint32_t right2 = __shfl_down_sync(ALL, v.pair[1], 1), right3 = __shfl_down_sync(ALL, v.pair[2], 1);
    uint32_t box = v.pair[0] + v.pair[1] + v.pair[2] + v.pair[3];
    uint32_t l1 = box - v.pair[3] + left1, l2 = l1 - v.pair[2] + left2, l3 = l2 - v.pair[1] + left3;
    uint32_t r1 = box - v.pair[0] + right1, r2 = r1 - v.pair[1] + right2, r3 = r2 - v.pair[2] + right3;
    struct row sums;
    sums.pair[0] = l3 + l2 + l1 + box;
    sums.pair[1] = sums.pair[0] - l3 + r1;
    sums.pair[2] = sums.pair[1] - l2 + r2;
    sums.pair[3] = sums.pair[2] - l1 + r3;
    return sums;
}

// ---- Sobel, in half precision: a whole number n below 2048 is, as the bits of a half, n * 2^-24. So levels in the
// halves of a word need no conversion, and sums and differences up to 1020 are exact.

static __device__ uint32_t half_add(uint32_t a, uint32_t b) {
    uint32_t sum;
    asm("add.f16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

static __device__ uint32_t half_subtract(uint32_t a, uint32_t b) {
    uint32_t difference;
    asm("sub.f16x2 %0, %1, %2;" : "=r"(difference) : "r"(a), "r"(b));
    return difference;
}

// 2 a + b
static __device__ uint32_t half_twice(uint32_t a, uint32_t b) {
    uint32_t sum;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(0x40004000u), "r"(b));
    return sum;
}

// What is kept of the rows before: differences of the columns right and left, `across`, and its sum with twice the one
// before; 1 2 1 along the last two rows, `smooth`.
struct gradients {
    struct row across, twice, smooth[2];
};

// The next row of blurred pixels; gx and gy are those of the row before it.
static __device__ __forceinline__ void sobel_row(struct gradients *g, struct row blur, bool odd,
                                                 struct row *gx, struct row *gy) {
    uint32_t first = __shfl_up_sync(ALL, blur.pair[3], 1), last = __shfl_down_sync(ALL, blur.pair[0], 1);
    for (int j = 0; j < 4; j++) {
        uint32_t left = j == 0 ? first : blur.pair[j - 1], right = j == 3 ? last : blur.pair[j + 1];
        uint32_t across = half_subtract(right, left);
        uint32_t smooth = half_add(half_twice(blur.pair[j], left), right);
        gx->pair[j] = half_add(g->twice.pair[j], across);
        gy->pair[j] = half_subtract(g->smooth[odd].pair[j], smooth);
        g->twice.pair[j] = half_twice(across, g->across.pair[j]);
        g->across.pair[j] = across;
        g->smooth[odd].pair[j] = smooth;
    }
}

// The root of gx * gx + gy * gy, all in units of 2^-24. The fast root is off by less than 2^-20 of it; a half is added
// first, so that of a square it is above the root by 1 / 1024 or more, and of one less below it.
static __device__ float root(float gx, float gy) {
    float half_more = fmaf(gy, gy, fmaf(gx, gx, 0.5f / 16777216.0f / 16777216.0f)), root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(half_more));
    return root;
}

static __device__ void unpack(uint32_t pair, float *a, float *b) {
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}"
        : "=f"(*a), "=f"(*b)
        : "r"(pair));
}

// Two roots, rounded down and at most 255, in bytes 0 and 2.
static __device__ uint32_t levels_of(float low, float high) {
#if __CUDA_ARCH__ >= 800
    uint32_t halves, levels;
    asm("cvt.rz.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(high), "f"(low));
    asm("min.f16x2 %0, %1, %2;" : "=r"(levels) : "r"(halves), "r"(LEVELS));
    return levels;
#else // no such instructions
    return (uint32_t)fminf(low * 16777216.0f, 255.0f) | (uint32_t)fminf(high * 16777216.0f, 255.0f) << 16;
#endif
}

static __device__ __forceinline__ void roots(const struct row *gx, const struct row *gy, uint32_t *a,
                                             uint32_t *b) {
    float root_a[4], root_b[4];
    for (int j = 0; j < 4; j++) {
        float xa, xb, ya, yb;
        unpack(gx->pair[j], &xa, &xb);
        unpack(gy->pair[j], &ya, &yb);
        root_a[j] = root(xa, ya);
        root_b[j] = root(xb, yb);
    }
    *a = __byte_perm(levels_of(root_a[0], root_a[1]), levels_of(root_a[2], root_a[3]), 0x6420);
    *b = __byte_perm(levels_of(root_b[0], root_b[1]), levels_of(root_b[2], root_b[3]), 0x6420);
}

// ---- all of it

// Of the first group of rows nothing is complete but the sums of columns, and with the second the first blurred rows
// are. The number of groups is known beforehand: so the compiler sees that all lanes of a warp go on together, as
// shuffles want it.
static __device__ __forceinline__ void find_edges(const uchar4 *__restrict__ src, uint8_t *__restrict__ dst,
                                                  int width, int height, const bool wide) {
    int lane = threadIdx.x, x = blockIdx.x * 2 * STRIP + (lane - 1) * 4;
    int first = (blockIdx.y * WARPS + threadIdx.y) * ROWS, last = min(first + ROWS, height);
    if (first >= height)
        return;
    bool results = lane > 0 && lane < 31;
    int last_a = results && x < width ? last : 0, last_b = results && x + STRIP < width ? last : 0;
    struct place place = make_place(src, x, width, height, min(last + HALO / 2, height) - 1, wide);
    struct columns columns = {};
    struct gradients gradients = {};
    uint8_t *to = dst + first * width + x;
    struct pixels next[GROUP];
    for (int k = 0; k < GROUP; k++)
        next[k] = load_row(&place, first - HALO / 2 + k, wide);

#pragma unroll 1
    for (int group = 0; group < (ROWS + HALO) / GROUP; group++) {
        int y = first - HALO / 2 + group * GROUP;
        struct row sums[GROUP], gx[GROUP], gy[GROUP];
        for (int k = 0; k < GROUP; k++) {
            struct row gray = gray_row(&place, &next[k], y + k);
            next[k] = load_row(&place, y + k + GROUP, wide); // on its way while this group is worked on
            sums[k] = blur_columns(&columns, gray, k % 2 == 1);
        }
        if (group < HALO / GROUP - 1)
            continue;
        for (int k = 0; k < GROUP; k++) {
            struct row blur = blur_along(sums[k]);
            bool inside = (uint32_t)(y + k - 3) < (uint32_t)height; // outside the picture the blur is 0, too
            for (int j = 0; j < 4; j++)
                blur.pair[j] = __byte_perm(blur.pair[j], 0, inside ? place.blur[j] : 0x4444u);
            sobel_row(&gradients, blur, k % 2 == 1, &gx[k], &gy[k]);
        }
        if (group < HALO / GROUP)
            continue;
        for (int k = 0; k < GROUP; k++) {
            int row = y + k - HALO / 2;
            uint32_t a, b;
            roots(&gx[k], &gy[k], &a, &b);
            if (row < last_a)
                store_four(to, a, x, width, wide);
            if (row < last_b)
                store_four(to + STRIP, b, x + STRIP, width, wide);
            to += width;
        }
    }
}

__global__ void __launch_bounds__(32 * WARPS, 6)
    edge_kernel(const uchar4 *__restrict__ src, uint8_t *__restrict__ dst, int width, int height) {
    find_edges(src, dst, width, height, true);
}

__global__ void __launch_bounds__(32 * WARPS)
    edge_kernel_any_width(const uchar4 *__restrict__ src, uint8_t *__restrict__ dst, int width, int height) {
    find_edges(src, dst, width, height, false);
}

extern "C" void edge_pipeline(const uchar4 *src, uint8_t *dst, int width, int height, void *scratch,
                              cudaStream_t stream) {
    dim3 block(32, WARPS);
    dim3 grid((width + 2 * STRIP - 1) / (2 * STRIP), (height + WARPS * ROWS - 1) / (WARPS * ROWS));
    (void)scratch;
    if (width % 4 == 0)
        edge_kernel<<<grid, block, 0, stream>>>(src, dst, width, height);
    else
        edge_kernel_any_width<<<grid, block, 0, stream>>>(src, dst, width, height);
}
