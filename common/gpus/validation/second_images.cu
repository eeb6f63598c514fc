/* second_images.cu: filters, colours and counts of pictures. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__constant__ float weights[25];

/* 5 x 5 weights from constant memory, pixels from a tile with its border; 32 x 16 threads. */
KERNEL convolution_5x5(const float *x, float *y, int width, int height) {
    __shared__ float tile[20][36];
    int left = blockIdx.x * 32 - 2, top = blockIdx.y * 16 - 2;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 20 * 36; k += 512) {
        int row = min(max(top + k / 36, 0), height - 1), column = min(max(left + k % 36, 0), width - 1);
        tile[k / 36][k % 36] = x[row * width + column];
    }
    __syncthreads();
    int i = left + 2 + threadIdx.x, j = top + 2 + threadIdx.y;
    if (i >= width || j >= height)
        return;
    float sum = 0;
    for (int dj = 0; dj < 5; dj++)
        for (int di = 0; di < 5; di++)
            sum += weights[dj * 5 + di] * tile[threadIdx.y + dj][threadIdx.x + di];
    y[j * width + i] = sum;
}

/* Neighbours count by how near and by how alike they are. */
KERNEL bilateral(const float *x, float *y, int width, int height, float near, float alike) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 2 || j < 2 || i >= width - 2 || j >= height - 2)
        return;
    float here = x[j * width + i], sum = 0, all = 0;
    for (int dj = -2; dj <= 2; dj++)
        for (int di = -2; di <= 2; di++) {
            float there = x[(j + dj) * width + i + di], differs = there - here;
            float weight = __expf(-near * (di * di + dj * dj) - alike * differs * differs);
            sum += weight * there;
            all += weight;
        }
    y[j * width + i] = sum / all;
}

/* The middle of 5 x 5 bytes, found bit by bit: how many are smaller? */
KERNEL median_by_bits(const uint8_t *x, uint8_t *y, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int v[25], middle = 0;
    if (i < 2 || j < 2 || i >= width - 2 || j >= height - 2)
        return;
#pragma unroll
    for (int k = 0; k < 25; k++)
        v[k] = x[(j + k / 5 - 2) * width + i + k % 5 - 2];
    for (int bit = 128; bit > 0; bit >>= 1) {
        int smaller = 0;
#pragma unroll
        for (int k = 0; k < 25; k++)
            smaller += v[k] < middle + bit;
        if (smaller <= 12)
            middle += bit;
    }
    y[j * width + i] = (uint8_t)middle;
}

/* Three bytes a pixel in, three floats out. */
KERNEL rgb_to_hsv(const uint8_t *rgb, float *hsv, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    float r = rgb[3 * i] / 255.0f, g = rgb[3 * i + 1] / 255.0f, b = rgb[3 * i + 2] / 255.0f;
    float most = fmaxf(r, fmaxf(g, b)), chroma = most - fminf(r, fminf(g, b)), hue = 0;
    if (chroma > 0) {
        if (most == r)
            hue = (g - b) / chroma + (g < b ? 6 : 0);
        else if (most == g)
            hue = (b - r) / chroma + 2;
        else
            hue = (r - g) / chroma + 4;
    }
    hsv[3 * i] = 60 * hue;
    hsv[3 * i + 1] = most > 0 ? chroma / most : 0;
    hsv[3 * i + 2] = most;
}

static __device__ uint32_t looked_up(const uint8_t *table, uint32_t pixel) {
    return table[pixel & 255] | table[pixel >> 8 & 255] << 8 | table[pixel >> 16 & 255] << 16 |
           (uint32_t)table[pixel >> 24] << 24;
}

/* Each byte by a table of 256 bytes in shared memory, 16 of them a thread. */
KERNEL gamma_table(const uint4 *x, uint4 *y, float gamma, int n) {
    __shared__ uint8_t table[256];
    table[threadIdx.x] = (uint8_t)(255 * __powf(threadIdx.x / 255.0f, gamma) + 0.5f);
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = x[i];
        y[i] = make_uint4(looked_up(table, v.x), looked_up(table, v.y), looked_up(table, v.z),
                          looked_up(table, v.w));
    }
}

/* One picture over another, by the transparency of its pixels. */
KERNEL alpha_blend(const uchar4 *over, const uchar4 *under, uchar4 *y, int n) {
    int i = INDEX;
    if (i >= n)
        return;
    uchar4 a = over[i], b = under[i];
    int alpha = a.w, rest = 255 - alpha;
    y[i] = make_uchar4((a.x * alpha + b.x * rest + 127) / 255, (a.y * alpha + b.y * rest + 127) / 255,
                       (a.z * alpha + b.z * rest + 127) / 255, (uint8_t)(alpha + (b.w * rest + 127) / 255));
}

static __device__ void cubic(float t, float w[4]) {
    w[0] = t * (-0.5f + t * (1 - 0.5f * t));
    w[1] = 1 + t * t * (-2.5f + 1.5f * t);
    w[2] = t * (0.5f + t * (2 - 1.5f * t));
    w[3] = t * t * (-0.5f + 0.5f * t);
}

/* A picture made larger: 4 x 4 neighbours of where a pixel comes from. */
KERNEL bicubic(const float *x, float *y, int from_width, int from_height, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height)
        return;
    float u = (i + 0.5f) * from_width / width - 0.5f, v = (j + 0.5f) * from_height / height - 0.5f;
    float across[4], down[4], sum = 0;
    int left = (int)floorf(u), top = (int)floorf(v);
    cubic(u - left, across);
    cubic(v - top, down);
#pragma unroll
    for (int dj = 0; dj < 4; dj++) {
        const float *row = x + min(max(top + dj - 1, 0), from_height - 1) * from_width;
        float line = 0;
#pragma unroll
        for (int di = 0; di < 4; di++)
            line += across[di] * row[min(max(left + di - 1, 0), from_width - 1)];
        sum += down[dj] * line;
    }
    y[j * width + i] = sum;
}

/* How often each byte occurs: counters of each warp in shared memory, added up at the end. */
KERNEL histogram_of_warps(const uint4 *x, uint32_t *counts, int n) {
    __shared__ uint32_t own[8][256];
    uint32_t *mine = own[threadIdx.x / 32], sum = 0;
    for (int k = 0; k < 8; k++)
        own[k][threadIdx.x] = 0;
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint4 v = x[i];
        uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 16; k++)
            atomicAdd(&mine[words[k / 4] >> 8 * (k % 4) & 255], 1u);
    }
    __syncthreads();
    for (int k = 0; k < 8; k++)
        sum += own[k][threadIdx.x];
    atomicAdd(&counts[threadIdx.x], sum);
}

/* The game of life, a bit a cell, 32 cells a thread: neighbours are counted by adders of single bits. */
KERNEL life_of_bits(const uint32_t *old, uint32_t *next, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    uint32_t ones = 0, twos = 0, fours = 0, self = 0;
#pragma unroll
    for (int dj = -1; dj <= 1; dj++) {
        const uint32_t *row = old + (j + dj + height) % height * width;
        uint32_t here = row[i], left = row[i > 0 ? i - 1 : width - 1], right = row[i < width - 1 ? i + 1 : 0];
        uint32_t cells[3] = {__funnelshift_l(left, here, 1), __funnelshift_r(here, right, 1),
                             dj == 0 ? 0 : here};
        if (dj == 0)
            self = here;
#pragma unroll
        for (int k = 0; k < 3; k++) {
            uint32_t carry = ones & cells[k];
            ones ^= cells[k];
            fours |= twos & carry;
            twos ^= carry;
        }
    }
    next[j * width + i] = twos & ~fours & (ones | self);
}

/* Every point of an edge votes for the lines that it may lie on, one an angle. */
KERNEL hough_votes(const short2 *point, uint32_t *votes, int angles, int distances) {
    short2 at = point[INDEX];
    for (int k = 0; k < angles; k++) {
        float c, s;
        __sincosf(3.14159265f * k / angles, &s, &c);
        int distance = (int)(at.x * c + at.y * s) + distances / 2;
        if (distance >= 0 && distance < distances)
            atomicAdd(&votes[k * distances + distance], 1u);
    }
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int width = 1920, height = 1080, pixels = width * height;
    float *x = random_floats(pixels), *y = zeros(3 * pixels), host[25];
    /* bytes of which 64 in a row are nearly the same, as in a picture */
    uint8_t *bytes = filled<uint8_t>(
        16 << 20, [](uint32_t i) { return mixed(i / 64) % 200 + mixed(i + 5) % 8 * (mixed(i) % 6); });
    short2 *points = (short2 *)filled<uint32_t>(
        1 << 15, [=](uint32_t i) { return mixed(i) % width | mixed(i + 9) % height << 16; });
    for (int k = 0; k < 25; k++)
        host[k] = 1.0f / (20 + k);
    check(cudaMemcpyToSymbol(weights, host, sizeof host), "cudaMemcpyToSymbol");
    uint4 *to = (uint4 *)y;
    VALIDATE(convolution_5x5, dim3(60, 68), dim3(32, 16), x, y, width, height);
    VALIDATE(bilateral, dim3(60, 34), dim3(16, 16), x, y, 960, 540, 0.1f, 8.0f);
    VALIDATE(median_by_bits, dim3(30, 68), dim3(32, 8), bytes, (uint8_t *)y, 960, 540);
    VALIDATE(rgb_to_hsv, pixels / 192, 192, bytes, y, pixels);
    VALIDATE(gamma_table, 660, 256, (uint4 *)bytes, to, 0.4545f, 1 << 20);
    VALIDATE(alpha_blend, pixels / 128, 128, (uchar4 *)bytes, (uchar4 *)bytes + pixels, (uchar4 *)y, pixels);
    VALIDATE(bicubic, dim3(80, 45), dim3(16, 16), x, y, 800, 600, 1280, 720);
    VALIDATE(histogram_of_warps, 264, 256, (uint4 *)bytes, (uint32_t *)y, 1 << 20);
    VALIDATE(life_of_bits, dim3(8, 1500), dim3(64, 4), (uint32_t *)bytes, (uint32_t *)y, 512, 6000);
    VALIDATE(hough_votes, 256, 128, points, (uint32_t *)y, 90, 4096);
    return 0;
}
