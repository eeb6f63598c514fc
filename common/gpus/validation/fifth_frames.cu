/* fifth_frames.cu: what cameras, players and those who look for things in pictures do with frames. */
#include "validation.h"
#include <math.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* Where each 16 x 16 pixels of a frame were in the frame before: all 17 x 17 places around are looked at, four pixels at a time.
 * The frame before has 8 pixels more at each side. */
KERNEL motion_search(const uint32_t *frame, const uint32_t *before, uint32_t *best, int words) {
    __shared__ uint32_t own[16][4], window[32][9], of_warp[4];
    int t = threadIdx.x, top = blockIdx.y * 16, left = blockIdx.x * 4;
    if (t < 64)
        own[t / 4][t % 4] = frame[(top + t / 4) * words + left + t % 4];
    for (int k = t; k < 32 * 8; k += blockDim.x)
        window[k / 8][k % 8] = before[(top + k / 8) * (words + 4) + left + k % 8];
    if (t < 32)
        window[t][8] = 0;
    __syncthreads();
    uint32_t least = ~0u;
    for (int k = t; k < 289; k += blockDim.x) {
        int dx = k % 17, dy = k / 17;
        uint32_t sum = 0;
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 4; j++) {
                const uint32_t *from = &window[dy + i][dx / 4 + j];
                sum += __vsadu4(own[i][j], __funnelshift_r(from[0], from[1], 8 * (dx % 4)));
            }
        least = min(least, sum << 9 | k);
    }
    least = __reduce_min_sync(ALL, least);
    if (t % 32 == 0)
        of_warp[t / 32] = least;
    __syncthreads();
    if (t == 0)
        best[blockIdx.y * gridDim.x + blockIdx.x] =
            min(min(of_warp[0], of_warp[1]), min(of_warp[2], of_warp[3]));
}

static __device__ uint32_t rgba_of(int y, int u, int v) {
    int light = 298 * (y - 16) + 128;
    int r = min(max((light + 409 * v) >> 8, 0), 255), g = min(max((light - 100 * u - 208 * v) >> 8, 0), 255);
    int b = min(max((light + 516 * u) >> 8, 0), 255);
    return r | g << 8 | b << 16 | 255u << 24;
}

/* Frames of a decoder to ones of a screen: light of every pixel, colour of every four. A thread four pixels, a layer a frame. */
KERNEL nv12_to_rgba(const uint8_t *frames, uint2 *rgba, int width, int height) {
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x), y = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= width || y >= height)
        return;
    const uint8_t *frame = frames + (size_t)blockIdx.z * width * height * 3 / 2;
    uchar2 above = *(const uchar2 *)(frame + y * width + x),
           below = *(const uchar2 *)(frame + (y + 1) * width + x);
    uchar2 colour = *(const uchar2 *)(frame + width * height + y / 2 * width + x);
    int u = colour.x - 128, v = colour.y - 128;
    uint2 *to = rgba + ((size_t)blockIdx.z * height + y) * (width / 2) + x / 2;
    to[0] = make_uint2(rgba_of(above.x, u, v), rgba_of(above.y, u, v));
    to[width / 2] = make_uint2(rgba_of(below.x, u, v), rgba_of(below.y, u, v));
}

/* Rows made shorter by Lanczos: a result is 15 pixels by weights that depend on its column. */
KERNEL lanczos_shrink(const uchar4 *x, uchar4 *y, const float *weight, const int *first, int width,
                      int to_width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= to_width)
        return;
    const uchar4 *row = x + j * width;
    float r = 0.5f, g = 0.5f, b = 0.5f;
    int from = first[i];
    for (int k = 0; k < 15; k++) {
        uchar4 p = row[min(max(from + k, 0), width - 1)];
        float w = weight[k * to_width + i];
        r += w * p.x;
        g += w * p.y;
        b += w * p.z;
    }
    r = fminf(fmaxf(r, 0.0f), 255.0f), g = fminf(fmaxf(g, 0.0f), 255.0f), b = fminf(fmaxf(b, 0.0f), 255.0f);
    y[j * to_width + i] = make_uchar4((uint8_t)r, (uint8_t)g, (uint8_t)b, 255);
}

__constant__ uint8_t threshold[64];

/* Grey to black and white, by a pattern of 8 x 8 thresholds; 32 pixels become a word. */
KERNEL dither_ordered(const uint8_t *grey, uint32_t *bits, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    bool white = x < width && y < height && grey[y * width + x] > threshold[y % 8 * 8 + x % 8];
    uint32_t word = __ballot_sync(ALL, white);
    if (x % 32 == 0 && x < width && y < height)
        bits[(y * width + x) / 32] = word;
}

/* Areas of one colour within tiles of 32 x 16 pixels: every pixel takes the least label around until nothing changes. */
KERNEL labels_in_tiles(const uint8_t *picture, uint32_t *labels, int width) {
    __shared__ uint32_t label[18][34];
    __shared__ uint8_t colour[18][34];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, t = threadIdx.y * 32 + threadIdx.x;
    int at = (blockIdx.y * 16 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
    for (int k = t; k < 18 * 34; k += 512)
        colour[k / 34][k % 34] = 255; /* no pixel has it */
    __syncthreads();
    colour[ty][tx] = picture[at];
    label[ty][tx] = at;
    __syncthreads();
    uint32_t mine = at, old;
    uint8_t c = colour[ty][tx];
    do {
        old = mine;
        if (colour[ty - 1][tx] == c)
            mine = min(mine, label[ty - 1][tx]);
        if (colour[ty + 1][tx] == c)
            mine = min(mine, label[ty + 1][tx]);
        if (colour[ty][tx - 1] == c)
            mine = min(mine, label[ty][tx - 1]);
        if (colour[ty][tx + 1] == c)
            mine = min(mine, label[ty][tx + 1]);
        __syncthreads();
        label[ty][tx] = mine;
    } while (__syncthreads_or(mine != old));
    labels[at] = mine;
}

/* The darkest of 15 pixels above each other, by van Herk: minima of the end of one stretch and the beginning of the next. Four
 * columns a thread. */
KERNEL erode_columns(const uint32_t *x, uint32_t *y, int words, int rows) {
    int column = INDEX, first = blockIdx.y * 15;
    uint32_t tail[15], least = ~0u;
#pragma unroll
    for (int k = 0; k < 15; k++)
        tail[k] = first + k < rows ? x[(first + k) * words + column] : ~0u;
#pragma unroll
    for (int k = 13; k >= 0; k--)
        tail[k] = __vminu4(tail[k], tail[k + 1]);
#pragma unroll
    for (int k = 0; k < 15; k++) {
        if (first + k < rows)
            y[(first + k) * words + column] = __vminu4(tail[k], least);
        if (first + 15 + k < rows)
            least = __vminu4(least, x[(first + 15 + k) * words + column]);
    }
}

template <int N> static __device__ void ends_outside(int *v) {
#pragma unroll
    for (int k = 1; k < N; k++) {
        int low = min(v[0], v[k]);
        v[k] = max(v[0], v[k]);
        v[0] = low;
    }
#pragma unroll
    for (int k = 1; k < N - 1; k++) {
        int high = max(v[N - 1], v[k]);
        v[k] = min(v[N - 1], v[k]);
        v[N - 1] = high;
    }
}

/* Drops the least and the greatest of N, takes one more in, until one is left. */
template <int N> struct forgetting {
    static __device__ int median(int *v, const int *more) {
        ends_outside<N>(v);
        v[0] = *more;
        return forgetting<N - 1>::median(v, more + 1);
    }
};
template <> struct forgetting<3> {
    static __device__ int median(int *v, const int *) {
        return max(min(v[0], v[1]), min(max(v[0], v[1]), v[2]));
    }
};

/* The median of 5 x 5 pixels, of a tile in shared memory. */
KERNEL median_of_25(const uint8_t *x, uint8_t *y, int width, int height) {
    __shared__ uint8_t tile[12][36];
    int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * 32 + tx, j = blockIdx.y * 8 + ty;
    for (int k = ty * 32 + tx; k < 12 * 36; k += 256) {
        int column = min(max((int)blockIdx.x * 32 + k % 36 - 2, 0), width - 1);
        int row = min(max((int)blockIdx.y * 8 + k / 36 - 2, 0), height - 1);
        tile[k / 36][k % 36] = x[row * width + column];
    }
    __syncthreads();
    int v[25];
#pragma unroll
    for (int k = 0; k < 25; k++)
        v[k] = tile[ty + k / 5][tx + k % 5];
    if (i < width && j < height)
        y[j * width + i] = (uint8_t)forgetting<14>::median(v, v + 14);
}

/* Edges made thin: a pixel stays where the slope is steeper than at both neighbours along it. 2: surely, 1: perhaps. */
KERNEL canny_thin(const short2 *slope, uint8_t *edge, int width, int height, float low, float high) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    uint8_t is = 0;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        short2 g = slope[at];
        float size = sqrtf((float)(g.x * g.x + g.y * g.y));
        if (size > low) {
            int ax = abs(g.x), ay = abs(g.y), step;
            if (5 * ay < 2 * ax)
                step = 1;
            else if (5 * ax < 2 * ay)
                step = width;
            else
                step = (g.x > 0) == (g.y > 0) ? width + 1 : width - 1;
            short2 a = slope[at - step], b = slope[at + step];
            float of_a = sqrtf((float)(a.x * a.x + a.y * a.y)), of_b = sqrtf((float)(b.x * b.x + b.y * b.y));
            if (size >= of_a && size > of_b)
                is = size > high ? 2 : 1;
        }
    }
    edge[at] = is;
}

/* Which way a picture's slopes go: nine directions for each 8 x 8 pixels, each slope given to the two that are nearest. A block
 * four such cells. */
KERNEL hog_cells(const uint8_t *x, float *cells, int width, int height) {
    __shared__ float of_cell[4][9];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    if (t < 36)
        of_cell[t / 9][t % 9] = 0;
    __syncthreads();
    int i = blockIdx.x * 16 + tx, j = blockIdx.y * 16 + ty;
    float dx = (float)x[j * width + min(i + 1, width - 1)] - (float)x[j * width + max(i - 1, 0)];
    float dy = (float)x[min(j + 1, height - 1) * width + i] - (float)x[max(j - 1, 0) * width + i];
    float size = sqrtf(dx * dx + dy * dy), angle = atan2f(dy, dx) * (9 / 3.14159265f);
    if (angle < 0)
        angle += 9;
    int low = (int)angle % 9, high = low == 8 ? 0 : low + 1, cell = ty / 8 * 2 + tx / 8;
    float share = angle - floorf(angle);
    atomicAdd(&of_cell[cell][low], size * (1 - share));
    atomicAdd(&of_cell[cell][high], size * share);
    __syncthreads();
    if (t < 36) {
        int row = blockIdx.y * 2 + t / 18, column = blockIdx.x * 2 + t / 9 % 2;
        cells[(row * (width / 8) + column) * 9 + t % 9] = of_cell[t / 9][t % 9];
    }
}

/* How far pixels of the left picture have moved in the right one: 64 ways, by the bits in which what is around them differs, of
 * three rows together. */
KERNEL census_disparity(const uint64_t *left, const uint64_t *right, uint8_t *moved, int width) {
    __shared__ uint64_t other[3][191];
    int t = threadIdx.x, x = blockIdx.x * 128 + t, y = blockIdx.y + 1;
    for (int k = t; k < 191; k += 128)
        for (int row = 0; row < 3; row++)
            other[row][k] =
                right[(y + row - 1) * width + min(max((int)blockIdx.x * 128 + k - 63, 0), width - 1)];
    __syncthreads();
    if (x >= width)
        return;
    uint64_t above = left[(y - 1) * width + x], here = left[y * width + x], below = left[(y + 1) * width + x];
    int least = 1000, best = 0;
    for (int d = 0; d < 64; d++) {
        int k = t + 63 - d;
        int bits =
            __popcll(above ^ other[0][k]) + __popcll(here ^ other[1][k]) + __popcll(below ^ other[2][k]);
        if (bits < least)
            least = bits, best = d;
    }
    moved[y * width + x] = (uint8_t)best;
}

/* A frame in which things move: large shapes and some noise. */
static uint32_t pixel_of(int x, int y) {
    return 60 + (x / 24 * 37 + y / 16 * 91) % 120 + mixed(y * 8192 + x) % 12;
}

static uint32_t pattern_at(uint32_t i) {
    uint32_t x = i % 8, y = i / 8, value = 0;
    for (uint32_t bit = 0; bit < 3; bit++)
        value = value << 2 | ((x ^ y) >> bit & 1) << 1 | (y >> bit & 1);
    return 4 * value + 2;
}

/* Three lobes of sinc, at 2.4 times the width; not yet of a sum of one. */
static double lanczos(double x) {
    x = x / 2.4 * 3.14159265358979;
    return fabs(x) < 1e-6 ? 1 : fabs(x) < 9.42477796 ? 3 * sin(x) * sin(x / 3) / (x * x) : 0;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int width = 1280, height = 720, wide = 3840, high = 2160, shrunk = 1600, frames = 4, page = 8192;
    const int side = 1024, across = 1242, down = 375;
    uint8_t *frame = filled<uint8_t>(width * height, [](uint32_t i) { return pixel_of(i % 1280, i / 1280); });
    uint8_t *before = filled<uint8_t>((width + 16) * (height + 16), [](uint32_t i) {
        int x = (int)(i % 1296) - 8, y = (int)(i / 1296) - 8;
        return pixel_of(x + 3, y - 2) + mixed(i) % 3;
    });
    size_t pixels = (size_t)wide * high, many = (size_t)page * page;
    uint8_t *nv12 = filled<uint8_t>(frames * pixels * 3 / 2, [](uint32_t i) { return 16 + mixed(i) % 220; });
    uint32_t *picture = filled<uint32_t>(pixels, mixed);
    float *weight = filled<float>(15 * shrunk, [=](uint32_t i) {
        double at = (i % shrunk + 0.5) * 2.4 - 0.5, first = floor(at) - 7, sum = 0;
        for (int k = 0; k < 15; k++)
            sum += lanczos(first + k - at);
        return lanczos(first + i / shrunk - at) / sum;
    });
    int *first = filled<int>(shrunk, [](uint32_t i) { return (int)floor((i + 0.5) * 2.4 - 0.5) - 7; });
    uint8_t pattern[64];
    for (uint32_t i = 0; i < 64; i++)
        pattern[i] = (uint8_t)pattern_at(i);
    check(cudaMemcpyToSymbol(threshold, pattern, sizeof pattern), "cudaMemcpyToSymbol");
    uint8_t *grey = filled<uint8_t>(many, [](uint32_t i) { return (mixed(i) >> 8) % 64 + i % 8192 / 43; });
    uint8_t *shapes = filled<uint8_t>(side * side, [](uint32_t i) {
        int x = i % 1024 % 40 - 20, y = i / 1024 % 36 - 18;
        return (x * x + y * y < 200) ^ (mixed(i) % 10 == 0);
    });
    short2 *slope = filled<short2>(pixels, [](uint32_t i) {
        int x = i % 3840, y = i / 3840, a = (x / 7 + y / 5) % 16 - 8, b = (x / 5 - y / 9 + 9000) % 16 - 8;
        return make_short2((short)(a * 12 + (int)(mixed(i) % 20)),
                           (short)(b * 12 + (int)(mixed(i + 1) % 20)));
    });
    /* the right picture is the left one, moved by up to 60, and some bits differ */
    uint64_t *left =
        filled<uint64_t>(across * down, [](uint32_t i) { return (uint64_t)mixed(i) << 32 | mixed(i + 3); });
    uint64_t *right = filled<uint64_t>(across * down, [](uint32_t i) {
        uint32_t from = i + i / 1242 / 25 * 4;
        return ((uint64_t)mixed(from) << 32 | mixed(from + 3)) ^ 1ull << mixed(i) % 64 ^
               1ull << mixed(i + 9) % 64;
    });
    uint32_t *y = (uint32_t *)allocated(4 * frames * pixels);
    VALIDATE(motion_search, dim3(width / 16, height / 16), 128, (uint32_t *)frame, (uint32_t *)before, y,
             width / 4);
    VALIDATE(nv12_to_rgba, dim3(60, 135, frames), dim3(32, 8), nv12, (uint2 *)y, wide, high);
    VALIDATE(lanczos_shrink, dim3(shrunk / 64, high / 4), dim3(64, 4), (uchar4 *)picture, (uchar4 *)y, weight,
             first, wide, shrunk);
    VALIDATE(dither_ordered, dim3(page / 64, page / 4 / 8), dim3(64, 8), grey, y, page, page / 4);
    VALIDATE(labels_in_tiles, dim3(side / 32, side / 16), dim3(32, 16), shapes, y, side);
    VALIDATE(erode_columns, dim3(page / 4 / 128, (page + 14) / 15), 128, (uint32_t *)grey, y, page / 4, page);
    VALIDATE(median_of_25, dim3(60, 135), dim3(32, 8), grey, (uint8_t *)y, 1920, 1080);
    VALIDATE(canny_thin, dim3(wide / 32, high / 6), dim3(32, 6), slope, (uint8_t *)y, wide, high, 60.0f,
             110.0f);
    VALIDATE(hog_cells, dim3(128, 96), dim3(16, 16), grey, (float *)y, 2048, 1536);
    VALIDATE(census_disparity, dim3((across + 127) / 128, down - 2), 128, left, right, (uint8_t *)y, across);
    return 0;
}
