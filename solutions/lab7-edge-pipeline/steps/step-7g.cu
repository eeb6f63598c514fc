// step 7g: one kernel, the picture once in and once out
//
// Computes  the edges of lab7.h: gray, Gaussian 7x7 and Sobel 3x3 in registers, with nothing in memory between them.
// Shapes    a warp goes down two strips, 128 columns each and 4 a thread, of which 120 are results; blocks of 2 warps.
// Changed   step 7f -> 7g: gray and blurred pixels go on in registers. A strip has a halo of 4 pixels on each side: the
//           Gaussian's 3 and Sobel's 1. A word holds a pixel of each of the two strips: so neighbours in a row are
//           neighbouring words, and no bytes are moved about. Outside the picture the blur is set to 0, where the
//           window alone would give something else.
// Expect    what is read is the picture and the halos; what is written is the result alone. The halo is computed twice.
// Run       make lab7-steps

#include "lab7.h"

#define STRIP 120 // columns of results of a strip: the first lane's 4 pixels and the last's are halo
#define ROWS 20   // rows of results of a warp
#define HALO 8    // rows of input more than of results: the Gaussian's 3 and Sobel's 1, above and below
#define GROUP 4   // rows on their way at once, and worked on together; ROWS + HALO is a multiple of it
#define WARPS 2   // of a block, one below the other
#define ALL 0xffffffffu

// ---- gray

// A pixel's gray level, in byte 2; byte 3 is 0. By bytes the weights are 298839 = 4, 143, 87; 586811 = 8, 244, 59;
// 114350 = 1, 190, 174. The sum is below 2^28. Times 2^48 / 10^6, rounded up, its upper word has the quotient in the
// upper half: what the rounding adds, less than 2^28, is less than what separates the sum from the next multiple of
// 10^6, 2^48 / 10^6.
static __device__ uint32_t gray_of(uint32_t pixel) {
    uint32_t upper = __dp4a(pixel, 0x00010804u, 0u), middle = __dp4a(pixel, 0x00bef48fu, 0u);
    uint32_t lower = __dp4a(pixel, 0x00ae3b57u, 500000u);
    return __umulhi((upper << 16) + (middle << 8) + lower, 281474977u);
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
    // Selectors of bytes, 0 outside the picture: gray is byte 2, the blur is shifted down by 8.
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
        p.gray[j] = (a >= 0 && a < width ? 0x32u : 0x33u) | (b < width ? 0x7600u : 0x7700u);
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
        gray.pair[j] = __byte_perm(gray_of(a[j]), gray_of(b[j]), inside ? p->gray[j] : 0x7733u);
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

// ---- Sobel. Differences in the halves of a word: the lower one may borrow from the upper, and as a whole number the
// word is still high * 65536 + low. So such words are added, subtracted and doubled like single numbers, and taken
// apart at the end.

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
        uint32_t across = right - left;
        uint32_t smooth = left + 2 * blur.pair[j] + right;
        gx->pair[j] = g->twice.pair[j] + across;
        gy->pair[j] = g->smooth[odd].pair[j] - smooth;
        g->twice.pair[j] = 2 * across + g->across.pair[j];
        g->across.pair[j] = across;
        g->smooth[odd].pair[j] = smooth;
    }
}

// The square root of a whole number below 2^22, rounded down, at most 255, as the lowest byte. The fast root is off by
// less than 2^-20 of it; a half is added first, so that of a square it is above the root by 1 / 1024 or more, and of
// one less below it.
static __device__ uint32_t root(int square) {
    float half_more = __int_as_float(0x4b000000 | square) - 8388607.5f, root;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(half_more));
    return __float_as_uint(__fadd_rz(fminf(root, 255.0f), 8388608.0f));
}

// gx and gy of a pixel of strip a and one of strip b.
static __device__ void root_pair(uint32_t gx, uint32_t gy, uint32_t *a, uint32_t *b) {
    int x = (int16_t)gx, y = (int16_t)gy;
    *a = root(x * x + y * y);
    x = (int)(gx - x) >> 16;
    y = (int)(gy - y) >> 16;
    *b = root(x * x + y * y);
}

static __device__ uint32_t pack(const uint32_t level[4]) {
    return __byte_perm(__byte_perm(level[0], level[1], 0x0040), __byte_perm(level[2], level[3], 0x0040),
                       0x5410);
}

static __device__ __forceinline__ void roots(const struct row *gx, const struct row *gy, uint32_t *a,
                                             uint32_t *b) {
    uint32_t level_a[4], level_b[4];
    for (int j = 0; j < 4; j++)
        root_pair(gx->pair[j], gy->pair[j], &level_a[j], &level_b[j]);
    *a = pack(level_a);
    *b = pack(level_b);
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
