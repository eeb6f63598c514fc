/* fourth_layers.cu: layers of networks, forward and back: norms, positions, attention, convolutions, tables, a step of learning. */
#include "validation.h"

#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

/* Rows of 2048 halves, whose mean square becomes one: a block a row, eight halves a thread. */
KERNEL rms_norm_halves(const uint4 *x, const uint4 *scale, uint4 *y, float least) {
    __shared__ float sums[8];
    int t = threadIdx.x;
    uint4 v = x[INDEX], w = scale[t];
    __half2 *p = (__half2 *)&v, *q = (__half2 *)&w;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float2 f = __half22float2(p[k]);
        sum += f.x * f.x + f.y * f.y;
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(ALL, sum, step);
    if (t % 32 == 0)
        sums[t / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += sums[k];
    float by = rsqrtf(sum / 2048 + least);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        float2 f = __half22float2(p[k]), g = __half22float2(q[k]);
        p[k] = __floats2half2_rn(f.x * by * g.x, f.y * by * g.y);
    }
    y[INDEX] = v;
}

/* Where a word stands turns its vector's pairs, each by its own angle: 64 numbers a head, 24 heads a word. */
KERNEL rotary_pairs(const float *x, float *y, int first) {
    int pair = INDEX % 32, head = INDEX / 32, at = 64 * head + pair;
    float turn = (first + head / 24) * exp2f(-13.287712f / 32 * pair), s, c;
    sincosf(turn, &s, &c);
    float a = x[at], b = x[at + 32];
    y[at] = a * c - b * s;
    y[at + 32] = b * c + a * s;
}

static __device__ float dot(float4 a, float4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* Attention that looks back only: a thread a query of 32 numbers, 32 keys and values at a time in shared memory. What is
 * summed up shrinks when a larger score comes. Blocks that begin later have more to look at. */
KERNEL attention_online(const float4 *query, const float4 *key, const float4 *value, float4 *y) {
    __shared__ float4 keys[32][8], values[32][8];
    int t = threadIdx.x, own = blockIdx.x * 64 + t, head = blockIdx.y * gridDim.x * 64 * 8;
    float4 q[8], sum[8];
    float most = -1e30f, all = 0;
    for (int j = 0; j < 8; j++) {
        q[j] = query[head + own * 8 + j];
        sum[j] = make_float4(0, 0, 0, 0);
    }
    for (int first = 0; first < (blockIdx.x + 1) * 64; first += 32) {
        __syncthreads();
        for (int k = t; k < 256; k += 64) {
            keys[k / 8][k % 8] = key[head + first * 8 + k];
            values[k / 8][k % 8] = value[head + first * 8 + k];
        }
        __syncthreads();
        for (int k = 0; k < 32 && first + k <= own; k++) {
            float score = 0;
            for (int j = 0; j < 8; j++)
                score += dot(q[j], keys[k][j]);
            float larger = fmaxf(most, score), old = __expf(most - larger), now = __expf(score - larger);
            all = all * old + now;
            most = larger;
            for (int j = 0; j < 8; j++) {
                float4 v = values[k][j];
                sum[j].x = sum[j].x * old + now * v.x, sum[j].y = sum[j].y * old + now * v.y;
                sum[j].z = sum[j].z * old + now * v.z, sum[j].w = sum[j].w * old + now * v.w;
            }
        }
    }
    for (int j = 0; j < 8; j++)
        y[head + own * 8 + j] = make_float4(sum[j].x / all, sum[j].y / all, sum[j].z / all, sum[j].w / all);
}

/* What words learn goes to their rows of a table: a warp a word, 256 floats; some words are frequent. */
KERNEL embedding_scatter(const uint32_t *word, const float *learnt, float *table) {
    int i = INDEX / 32, lane = threadIdx.x % 32;
    float *row = table + 256 * (size_t)word[i];
#pragma unroll
    for (int k = 0; k < 8; k++)
        atomicAdd(&row[32 * k + lane], learnt[256 * (size_t)i + 32 * k + lane]);
}

/* 5 x 5 weights for each channel alone; channels lie together, a thread a channel. It walks along a row, and each number
 * that it meets goes to five sums. */
KERNEL depthwise_rows(const float *x, const float *weight, float *y, int width, int height) {
    int c = threadIdx.x, channels = blockDim.x, row = blockIdx.x;
    size_t image = (size_t)blockIdx.y * width * height * channels + c;
    float w[25], sum[5] = {0, 0, 0, 0, 0};
    for (int k = 0; k < 25; k++)
        w[k] = weight[k * channels + c];
    for (int column = 0; column < width + 2; column++) {
#pragma unroll
        for (int j = 0; j < 5; j++) {
            int from = row + j - 2;
            bool inside = column < width && from >= 0 && from < height;
            float v = inside ? x[image + (from * width + column) * channels] : 0;
#pragma unroll
            for (int k = 0; k < 5; k++)
                sum[k] += w[5 * j + 4 - k] * v;
        }
        if (column >= 2)
            y[image + (row * width + column - 2) * channels] = sum[0];
        for (int k = 0; k < 4; k++)
            sum[k] = sum[k + 1];
        sum[4] = 0;
    }
}

/* A picture of 16 channels made twice as large by 4 x 4 weights, of which each result sees four: which, depends on whether
 * its place is even. The weights lie in shared memory. */
KERNEL transposed_convolution(const float *x, const float4 *weight, float *y, int width, int height) {
    __shared__ float4 w[16 * 16 * 4]; /* from channel, down, across, to channel */
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 1024; k += 256)
        w[k] = weight[k];
    __syncthreads();
    int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
    float4 sum[4];
    for (int m = 0; m < 4; m++)
        sum[m] = make_float4(0, 0, 0, 0);
    for (int channel = 0; channel < 16; channel++) {
        const float *plane = x + (blockIdx.z * 16 + channel) * width * height;
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int down = (j + 1) % 2 + 2 * (k / 2), across = (i + 1) % 2 + 2 * (k % 2);
            int from_j = (j + 1 - down) / 2, from_i = (i + 1 - across) / 2;
            bool inside = from_i >= 0 && from_j >= 0 && from_i < width && from_j < height;
            float v = inside ? plane[from_j * width + from_i] : 0;
#pragma unroll
            for (int m = 0; m < 4; m++) {
                float4 by = w[(channel * 16 + down * 4 + across) * 4 + m];
                sum[m].x += v * by.x, sum[m].y += v * by.y, sum[m].z += v * by.z, sum[m].w += v * by.w;
            }
        }
    }
    int plane = 4 * width * height, at = blockIdx.z * 16 * plane + j * 2 * width + i;
    for (int m = 0; m < 4; m++, at += 4 * plane) {
        y[at] = sum[m].x, y[at + plane] = sum[m].y;
        y[at + 2 * plane] = sum[m].z, y[at + 3 * plane] = sum[m].w;
    }
}

/* How many numbers, their mean, and the sum of squares of what they differ from it. */
static __device__ float3 joined(float3 a, float3 b) {
    float count = a.x + b.x, differ = b.y - a.y, share = count > 0 ? b.x / count : 0;
    return make_float3(count, a.y + differ * share, a.z + b.z + differ * differ * a.x * share);
}

/* Mean and variance of each channel of many pictures, by Welford: fewer blocks than the chip has room for. */
KERNEL batch_statistics(const float *x, float2 *statistics, int images, int plane) {
    __shared__ float3 of_warp[16];
    int t = threadIdx.x;
    float3 mine = make_float3(0, 0, 0);
    for (int image = 0; image < images; image++)
        for (int k = t; k < plane; k += 512) {
            float v = x[(size_t)(image * gridDim.x + blockIdx.x) * plane + k], differ = v - mine.y;
            mine.x += 1;
            mine.y += differ / mine.x;
            mine.z += differ * (v - mine.y);
        }
    for (int step = 16; step > 0; step /= 2)
        mine =
            joined(mine, make_float3(__shfl_xor_sync(ALL, mine.x, step), __shfl_xor_sync(ALL, mine.y, step),
                                     __shfl_xor_sync(ALL, mine.z, step)));
    if (t % 32 == 0)
        of_warp[t / 32] = mine;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 16; k++)
            mine = joined(mine, of_warp[k]);
        statistics[blockIdx.x] = make_float2(mine.y, mine.z / mine.x);
    }
}

static __device__ void learnt(float *weight, float *mean, float *square, float slope, float rate) {
    *mean = 0.9f * *mean + 0.1f * slope;
    *square = 0.999f * *square + 0.001f * slope * slope;
    *weight -= rate * (*mean * 1.5f / (sqrtf(*square * 3.0f) + 1e-8f) + 0.01f * *weight);
}

/* A step of AdamW: three vectors change by a fourth, which is of halves. */
KERNEL adamw_step(float2 *weight, float2 *mean, float2 *square, const __half2 *slope, float rate) {
    float2 w = weight[INDEX], m = mean[INDEX], v = square[INDEX], s = __half22float2(slope[INDEX]);
    learnt(&w.x, &m.x, &v.x, s.x, rate);
    learnt(&w.y, &m.y, &v.y, s.y, rate);
    weight[INDEX] = w;
    mean[INDEX] = m;
    square[INDEX] = v;
}

/* Which two of 64 experts a word goes to, and by what shares: a warp a word, two experts a lane; how many come to each. */
KERNEL experts_top_two(const float *score, uint32_t *chosen, float2 *share, uint32_t *counts, int words) {
    __shared__ uint32_t own[64];
    int lane = threadIdx.x % 32;
    for (int k = threadIdx.x; k < 64; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    for (int word = INDEX / 32; word < words; word += gridDim.x * blockDim.x / 32) {
        float a = score[64 * word + lane], b = score[64 * word + 32 + lane], best[2];
        int who[2];
#pragma unroll
        for (int round = 0; round < 2; round++) {
            best[round] = fmaxf(a, b);
            who[round] = a >= b ? lane : lane + 32;
            for (int step = 16; step > 0; step /= 2) {
                float its = __shfl_xor_sync(ALL, best[round], step);
                int other = __shfl_xor_sync(ALL, who[round], step);
                if (its > best[round] || (its == best[round] && other < who[round]))
                    best[round] = its, who[round] = other;
            }
            a = who[round] == lane ? -1e30f : a;
            b = who[round] == lane + 32 ? -1e30f : b;
        }
        if (lane == 0) {
            float second = __expf(best[1] - best[0]);
            chosen[word] = who[0] | who[1] << 16;
            share[word] = make_float2(1 / (1 + second), second / (1 + second));
        }
        if (lane < 2)
            atomicAdd(&own[lane == 0 ? who[0] : who[1]], 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 64; k += blockDim.x)
        atomicAdd(&counts[k], own[k]);
}

/* A matrix of four bits a number times a vector of halves, a warp a row; 32 numbers have a scale. In a word, numbers k and
 * k + 4 are multiplied at once: the vector's pairs lie so. */
KERNEL nibble_matvec(const uint4 *matrix, const __half *scale, const uint4 *x, float *y) {
    __shared__ uint4 all[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x)
        all[k] = x[k];
    __syncthreads();
    int row = INDEX / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int group = lane; group < 256; group += 32) {
        uint4 four = matrix[row * 256 + group];
        uint32_t words[4] = {four.x, four.y, four.z, four.w}, offset = 0x64086408;
        __half2 part = __float2half2_rn(0);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            uint4 v = all[group * 4 + k];
            __half2 *p = (__half2 *)&v;
#pragma unroll
            for (int m = 0; m < 4; m++) {
                uint32_t bits = (words[k] >> 4 * m & 0x000f000f) | 0x64006400; /* 1024 + number */
                part = __hfma2(__hsub2(*(__half2 *)&bits, *(__half2 *)&offset), p[m], part);
            }
        }
        sum += __half2float(scale[row * 256 + group]) * (__low2float(part) + __high2float(part));
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(ALL, sum, step);
    if (lane == 0)
        y[row] = sum;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 24, words = 1 << 16, images = 160, rows = 24576;
    float *x = random_floats(n), *y = zeros(n), *to = zeros(n);
    __half *halves =
        filled<__half>(2 * n, [](uint32_t i) { return __float2half((mixed(i) >> 16) / 65536.0f - 0.5f); });
    uint32_t *word = filled<uint32_t>(
        words, [](uint32_t i) { return mixed(i) % 64 == 0 ? mixed(i + 1) % 16 : mixed(i + 2) % 20000; });
    float2 *moments = (float2 *)zeros(n);
    uint4 *nibbles = (uint4 *)filled<uint32_t>(rows * 1024, mixed);
    VALIDATE(rms_norm_halves, n / 1024, 256, (uint4 *)halves, (uint4 *)halves + 1000, (uint4 *)y, 1e-5f);
    VALIDATE(rotary_pairs, 65536, 96, x, y, 1000);
    VALIDATE(attention_online, dim3(16, 16), 64, (float4 *)x, (float4 *)x + n / 16, (float4 *)x + n / 8,
             (float4 *)y);
    VALIDATE(embedding_scatter, words / 4, 128, word, x, to);
    VALIDATE(depthwise_rows, dim3(56, 32), 128, x, x + n / 2, y, 56, 56);
    VALIDATE(transposed_convolution, dim3(4, 16, 20), dim3(32, 8), x, (float4 *)x + n / 8, y, 64, 64);
    VALIDATE(batch_statistics, 96, 512, x, (float2 *)y, images, 784);
    VALIDATE(experts_top_two, 1056, 128, x, (uint32_t *)y, (float2 *)y + n / 4, (uint32_t *)to, 3 * words);
    VALIDATE(nibble_matvec, rows / 6, 192, nibbles, halves, (uint4 *)halves + 5000, y);
    VALIDATE(adamw_step, 15360, 192, (float2 *)x, moments, moments + n / 4, (__half2 *)halves, 0.001f);
    return 0;
}
