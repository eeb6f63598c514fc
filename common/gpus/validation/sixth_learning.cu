/* sixth_learning.cu: operators of neural networks: pooling, products, dropout, softmax backwards, gates, bytes for floats. */
#include "validation.h"

#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* The largest of 3 x 3 numbers, every other place, and which of them it was: what the way back needs. A thread a result. */
KERNEL max_pooling(const float *x, float *y, uint8_t *which, int height, int width, int total) {
    int i = INDEX, out_width = width / 2, out_height = height / 2;
    if (i >= total)
        return;
    int column = i % out_width, row = i / out_width % out_height;
    const float *plane = x + (size_t)(i / out_width / out_height) * height * width;
    int top = max(2 * row - 1, 0), bottom = min(2 * row + 2, height);
    int left = max(2 * column - 1, 0), right = min(2 * column + 2, width);
    float best = -3.4e38f;
    int from = 0;
    for (int r = top; r < bottom; r++)
        for (int c = left; c < right; c++) {
            float v = plane[r * width + c];
            if (v > best) {
                best = v;
                from = (r - 2 * row + 1) * 3 + c - 2 * column + 1;
            }
        }
    y[i] = best;
    which[i] = (uint8_t)from;
}

/* Products of many pairs of matrices of 64 x 64: a block a pair, 16 x 16 threads, 4 x 4 results each. */
KERNEL batched_gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
    __shared__ float left[16][65], right[16][64];
    int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    size_t matrix = (size_t)blockIdx.x * 4096;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < 64; k0 += 16) {
        for (int k = t; k < 1024; k += 256) {
            left[k % 16][k / 16] = a[matrix + k / 16 * 64 + k0 + k % 16];
            right[k / 64][k % 64] = b[matrix + (k0 + k / 64) * 64 + k % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float u[4], v[4];
            for (int m = 0; m < 4; m++) {
                u[m] = left[k][ty + 16 * m];
                v[m] = right[k][tx + 16 * m];
            }
            for (int m = 0; m < 4; m++)
                for (int n = 0; n < 4; n++)
                    sum[m][n] += u[m] * v[n];
        }
        __syncthreads();
    }
    for (int m = 0; m < 4; m++)
        for (int n = 0; n < 4; n++)
            c[matrix + (ty + 16 * m) * 64 + tx + 16 * n] = sum[m][n];
}

/* Four random words from a counter and a key: Philox with seven rounds. */
static __device__ uint4 philox7(uint4 counter, uint2 key) {
#pragma unroll
    for (int round = 0; round < 7; round++) {
        uint32_t high0 = __umulhi(0xd2511f53u, counter.x), low0 = 0xd2511f53u * counter.x;
        uint32_t high1 = __umulhi(0xcd9e8d57u, counter.z), low1 = 0xcd9e8d57u * counter.z;
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

/* Some of what a layer makes is dropped by chance, the rest grows instead, and what went in is added. */
KERNEL dropout_residual(const float4 *x, const float4 *residual, float4 *y, uchar4 *mask, float keep,
                        uint32_t seed, int n) {
    uint32_t limit = (uint32_t)(keep * 4294967040.0f);
    float scale = 1 / keep;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint4 r = philox7(make_uint4(i, 0, 0, 0), make_uint2(seed, 42));
        float4 v = x[i], w = residual[i];
        uchar4 m = make_uchar4(r.x < limit, r.y < limit, r.z < limit, r.w < limit);
        y[i] = make_float4(w.x + m.x * scale * v.x, w.y + m.y * scale * v.y, w.z + m.z * scale * v.z,
                           w.w + m.w * scale * v.w);
        mask[i] = m;
    }
}

template <class T> static __device__ T warp_sum(T value) {
    for (int step = 16; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL, value, step);
    return value;
}

/* How a softmax's input should change: a warp a row of 1000, which is read twice. */
KERNEL softmax_backward(const float *__restrict__ y, const float *__restrict__ slope, float *dx, int rows,
                        int columns) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows)
        return;
    const float *its = y + (size_t)row * columns, *above = slope + (size_t)row * columns;
    float sum = 0;
    for (int k = threadIdx.x; k < columns; k += 32)
        sum += its[k] * above[k];
    sum = warp_sum(sum);
    for (int k = threadIdx.x; k < columns; k += 32)
        dx[(size_t)row * columns + k] = its[k] * (above[k] - sum);
}

/* What a convolution of 3 x 3 sees of each place, as a column of a matrix: a thread a place and channel, nine stores. */
KERNEL im2col(const float *x, float *columns, int channels, int height, int width) {
    int n = channels * height * width;
    for (int i = INDEX; i < n; i += blockDim.x * gridDim.x) {
        int column = i % width, row = i / width % height, channel = i / (width * height);
        float *to = columns + (size_t)channel * 9 * height * width + row * width + column;
        for (int r = row - 1; r <= row + 1; r++)
            for (int c = column - 1; c <= column + 1; c++) {
                bool inside = r >= 0 && c >= 0 && r < height && c < width;
                *to = inside ? x[(channel * height + r) * width + c] : 0.0f;
                to += height * width;
            }
    }
}

/* A convolution of 3 x 3 whose channels see only the four of their own group: a tile of a group's planes in shared memory,
 * a thread makes four channels of a place. */
KERNEL grouped_convolution(const float *__restrict__ x, const float *__restrict__ weight, float *y,
                           int size) {
    __shared__ float tile[4][10][34], w[144];
    int t = threadIdx.y * 32 + threadIdx.x, group = blockIdx.z;
    int left = blockIdx.x * 32 - 1, top = blockIdx.y * 8 - 1;
    const float *planes = x + (size_t)group * 4 * size * size;
    for (int k = t; k < 144; k += 256)
        w[k] = weight[group % 32 * 144 + k];
    for (int k = t; k < 4 * 340; k += 256) {
        int c = k / 340, row = k % 340 / 34 + top, column = k % 34 + left;
        bool inside = row >= 0 && column >= 0 && row < size && column < size;
        tile[c][k % 340 / 34][k % 34] = inside ? planes[(c * size + row) * size + column] : 0;
    }
    __syncthreads();
    float sum[4] = {};
    for (int c = 0; c < 4; c++)
#pragma unroll
        for (int k = 0; k < 9; k++) {
            float v = tile[c][threadIdx.y + k / 3][threadIdx.x + k % 3];
            for (int m = 0; m < 4; m++)
                sum[m] += v * w[(m * 4 + c) * 9 + k];
        }
    int row = top + 1 + threadIdx.y, column = left + 1 + threadIdx.x;
    if (row < size && column < size)
        for (int m = 0; m < 4; m++)
            y[((size_t)(group * 4 + m) * size + row) * size + column] = fmaxf(sum[m], 0);
}

/* The likeliest of 50257 words: a block of 1024 a row of halves, pairs from shared memory at last. */
KERNEL argmax_tokens(const __half *scores, int *token, int words) {
    __shared__ float best_of[32];
    __shared__ int place_of[32];
    const __half *row = scores + (size_t)blockIdx.x * words;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, place = 0;
    float best = -1e30f;
    for (int k = threadIdx.x; k < words; k += blockDim.x) {
        float v = __half2float(row[k]);
        if (v > best)
            best = v, place = k;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int step = 16; step > 0; step /= 2) {
            float other = __shfl_down_sync(ALL, best, step);
            int its = __shfl_down_sync(ALL, place, step);
            if (other > best || (other == best && its < place))
                best = other, place = its;
        }
        if (pass == 1)
            break;
        if (lane == 0)
            best_of[warp] = best, place_of[warp] = place;
        __syncthreads();
        if (warp != 0)
            return;
        best = best_of[lane], place = place_of[lane];
    }
    if (threadIdx.x == 0)
        token[blockIdx.x] = place;
}

/* Rows become bytes with a scale each, by their largest: the row is read twice, 192 threads. */
KERNEL quantise_rows(const float4 *x, char4 *y, float *scales, int fours) {
    __shared__ float largest[6];
    const float4 *row = x + (size_t)blockIdx.x * fours;
    float most = 1e-8f;
    for (int k = threadIdx.x; k < fours; k += blockDim.x) {
        float4 v = row[k];
        most = fmaxf(most, fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fmaxf(fabsf(v.z), fabsf(v.w))));
    }
    for (int step = 16; step > 0; step /= 2)
        most = fmaxf(most, __shfl_xor_sync(ALL, most, step));
    if (threadIdx.x % 32 == 0)
        largest[threadIdx.x / 32] = most;
    __syncthreads();
    for (int k = 0; k < 6; k++)
        most = fmaxf(most, largest[k]);
    float by = 127.0f / most;
    for (int k = threadIdx.x; k < fours; k += blockDim.x) {
        float4 v = row[k];
        y[(size_t)blockIdx.x * fours + k] =
            make_char4((signed char)__float2int_rn(v.x * by), (signed char)__float2int_rn(v.y * by),
                       (signed char)__float2int_rn(v.z * by), (signed char)__float2int_rn(v.w * by));
    }
    if (threadIdx.x == 0)
        scales[blockIdx.x] = most / 127.0f;
}

/* Bytes times bytes, four at once: the second matrix lies transposed, tiles of 32 x 32 words, two results a thread. */
KERNEL dp4a_gemm(const int *a, const int *b, const float *scale, float *c, int n, int words) {
    __shared__ int left[32][33], right[32][33];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32, low = 0,
        high = 0;
    for (int k0 = 0; k0 < words; k0 += 32) {
        left[ty][tx] = a[(row + ty) * words + k0 + tx];
        left[ty + 16][tx] = a[(row + ty + 16) * words + k0 + tx];
        right[ty][tx] = b[(column + ty) * words + k0 + tx];
        right[ty + 16][tx] = b[(column + ty + 16) * words + k0 + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k++) {
            low = __dp4a(left[ty][k], right[tx][k], low);
            high = __dp4a(left[ty + 16][k], right[tx][k], high);
        }
        __syncthreads();
    }
    float by = scale[column + tx];
    c[(row + ty) * n + column + tx] = low * by;
    c[(row + ty + 16) * n + column + tx] = high * by;
}

static __device__ float sigmoid(float x) {
    return 1.0f / (1.0f + __expf(-x));
}

/* One step of a long short-term memory, after the products: four gates a cell. */
KERNEL lstm_cell(const float *gates, const float *bias, float *cell, float *hidden, int units) {
    int unit = blockIdx.x * blockDim.x + threadIdx.x;
    const float *row = gates + (size_t)blockIdx.y * 4 * units;
    float in = sigmoid(row[unit] + bias[unit]);
    float forget = sigmoid(row[units + unit] + bias[units + unit]);
    float change = tanhf(row[2 * units + unit] + bias[2 * units + unit]);
    float out = sigmoid(row[3 * units + unit] + bias[3 * units + unit]);
    size_t at = (size_t)blockIdx.y * units + unit;
    float state = forget * cell[at] + in * change;
    cell[at] = state;
    hidden[at] = out * tanhf(state);
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 24, words = 50257, tokens = 500, planes = 1024, pooled = planes * 56 * 56;
    float *x = random_floats(n), *other = random_floats(n / 4), *y = zeros(2 * n);
    uint8_t *bytes = (uint8_t *)allocated(n);
    __half *scores = filled<__half>((size_t)words * tokens,
                                    [](uint32_t i) { return __float2half((mixed(i) >> 12) / 1048576.0f); });
    int *packed = filled<int>(1 << 19, mixed);
    VALIDATE(max_pooling, (pooled + 255) / 256, 256, x, y, bytes, 112, 112, pooled);
    VALIDATE(batched_gemm, 1000, dim3(16, 16), x, x + n / 2, y);
    VALIDATE(dropout_residual, 1056, 256, (float4 *)x, (float4 *)y + n / 4, (float4 *)y, (uchar4 *)bytes,
             0.9f, 1234, n / 4);
    VALIDATE(softmax_backward, 2500, dim3(32, 4), x, x + n / 3, y, 10000, 1000);
    VALIDATE(im2col, 792, 512, x, y, 512, 56, 56);
    VALIDATE(grouped_convolution, dim3(2, 7, 256), dim3(32, 8), x, other, y, 56);
    VALIDATE(argmax_tokens, tokens, 1024, scores, (int *)y, words);
    VALIDATE(quantise_rows, 5000, 192, (float4 *)x, (char4 *)bytes, y, 768);
    VALIDATE(dp4a_gemm, dim3(24, 32), dim3(32, 16), packed, packed + (1 << 18), other, y, 768, 256);
    VALIDATE(lstm_cell, dim3(8, 4000), 128, x, other, y, y + n, 1024);
    return 0;
}
