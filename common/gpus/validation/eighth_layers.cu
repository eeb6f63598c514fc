/* eighth_layers.cu: layers and losses: norms of groups, paths of letters, words drawn, bags, pairs, memories, trees. */
#include "validation.h"
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

static __device__ float block_sum(float x, float *shared) {
    for (int k = 16; k > 0; k /= 2)
        x += __shfl_xor_sync(ALL, x, k);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        shared[threadIdx.x / 32] = x;
    __syncthreads();
    x = 0;
    for (unsigned k = 0; k < blockDim.x / 32; k++)
        x += shared[k];
    return x;
}

/* Groups of eight channels of a picture get mean 0 and spread 1, then a scale and a shift a channel; halves, two at once. */
KERNEL group_norm(const __half2 *x, const float *scale, const float *shift, __half2 *y, int area,
                  int groups) {
    __shared__ float warps[8];
    int count = area * 4, first = blockIdx.x % groups * 8; /* pairs in a group; its first channel */
    const __half2 *from = x + (size_t)blockIdx.x * count;
    __half2 *to = y + (size_t)blockIdx.x * count;
    float sum = 0, squares = 0;
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        float2 v = __half22float2(from[k]);
        sum += v.x + v.y;
        squares += v.x * v.x + v.y * v.y;
    }
    float mean = block_sum(sum, warps) / (2 * count);
    float by = rsqrtf(block_sum(squares, warps) / (2 * count) - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        int channel = first + 2 * k / area;
        float2 v = __half22float2(from[k]);
        float a = by * scale[channel], b = shift[channel] - mean * a;
        to[k] = __floats2half2_rn(a * v.x + b, a * v.y + b);
    }
}

static __device__ float log_sum(float a, float b, float c) {
    float most = fmaxf(a, fmaxf(b, c));
    return most < -1e29f ? -1e30f : most + __logf(__expf(a - most) + __expf(b - most) + __expf(c - most));
}

/* How likely a text is, heard letter by letter, with gaps anywhere: a block a text, a thread a letter or gap, all steps. */
KERNEL heard_texts(const float *odds, const int *text, float *loss, int steps, int letters, int length) {
    __shared__ float alpha[2][162];
    int t = threadIdx.x, states = 2 * length + 1;
    int letter = t % 2 && t < states ? text[blockIdx.x * length + t / 2] : 0;
    bool skips = t % 2 && t > 2 && t < states && letter != text[blockIdx.x * length + t / 2 - 1];
    const float *its = odds + (size_t)blockIdx.x * steps * letters;
    if (t < 2)
        alpha[0][t] = alpha[1][t] = -1e30f;
    alpha[0][t + 2] = t < 2 ? its[letter] : -1e30f;
    __syncthreads();
    for (int s = 1; s < steps; s++) {
        const float *old = alpha[s & 1 ^ 1];
        float way = log_sum(old[t + 2], old[t + 1], skips ? old[t] : -1e30f);
        alpha[s & 1][t + 2] = t < states ? way + its[(size_t)s * letters + letter] : -1e30f;
        __syncthreads();
    }
    const float *last = alpha[steps & 1 ^ 1];
    if (t == 0)
        loss[blockIdx.x] = -log_sum(last[states + 1], last[states], -1e30f);
}

/* From what odds on the likeliest words have a share of 0.9 together: by halves, 16 times over the row; a block a row. */
KERNEL nucleus_found(const float *scores, float *limit, float *share, int words) {
    __shared__ float warps[16];
    const float *row = scores + (size_t)blockIdx.x * words;
    float total = 0, low = 0, high = 2981.0f, kept = 0; /* scores below 8 */
    for (int k = threadIdx.x; k < words; k += blockDim.x)
        total += __expf(row[k]);
    total = block_sum(total, warps);
    for (int round = 0; round < 16; round++) {
        float middle = 0.5f * (low + high), sum = 0;
        for (int k = threadIdx.x; k < words; k += blockDim.x) {
            float e = __expf(row[k]);
            sum += e >= middle ? e : 0;
        }
        sum = block_sum(sum, warps);
        if (sum >= 0.9f * total)
            low = middle, kept = sum;
        else
            high = middle;
    }
    if (threadIdx.x == 0) {
        limit[blockIdx.x] = low;
        share[blockIdx.x] = kept / total;
    }
}

/* Sums of rows of a large table of halves, bags of some 20 rows: a warp a bag, four numbers a lane. */
KERNEL bags_summed(const uint2 *table, const int *row, const int *begin, float4 *sum, int bags) {
    int i = INDEX / 32, lane = threadIdx.x % 32;
    if (i >= bags)
        return;
    float4 s = make_float4(0, 0, 0, 0);
    int end = begin[i + 1];
    for (int k = begin[i]; k < end; k++) {
        uint2 v = table[(size_t)row[k] * 32 + lane];
        float2 a = __half22float2(*(const __half2 *)&v.x), b = __half22float2(*(const __half2 *)&v.y);
        s.x += a.x, s.y += a.y, s.z += b.x, s.w += b.y;
    }
    sum[(size_t)i * 32 + lane] = s;
}

/* Products of each two of 27 features of 64 numbers, as recommenders do: a block a sample, features in shared memory. */
KERNEL features_crossed(const float *features, float *products) {
    __shared__ float its[27][65];
    for (int k = threadIdx.x; k < 27 * 64; k += blockDim.x)
        its[k / 64][k % 64] = features[(size_t)blockIdx.x * 27 * 64 + k];
    __syncthreads();
    for (int k = threadIdx.x; k < 351; k += blockDim.x) {
        int row = (int)((1 + sqrtf(1 + 8.0f * k)) / 2);
        while (row * (row - 1) / 2 > k)
            row--;
        while (row * (row + 1) / 2 <= k)
            row++;
        int column = k - row * (row - 1) / 2;
        float sum = 0;
#pragma unroll 16
        for (int m = 0; m < 64; m++)
            sum += its[row][m] * its[column][m];
        products[(size_t)blockIdx.x * 351 + k] = sum;
    }
}

/* Attention without a softmax, word by word: a head's memory of 64 x 64 fades and learns; a thread holds a column of it. */
extern "C" __global__ void __launch_bounds__(64)
    linear_memory(const float *query, const float *key, const float *value, float *out, int words,
                  float fade) {
    __shared__ float q[2][64], k[2][64];
    float memory[64];
    int t = threadIdx.x;
    size_t at = (size_t)blockIdx.x * words * 64 + t;
#pragma unroll
    for (int m = 0; m < 64; m++)
        memory[m] = 0;
    for (int w = 0; w < words; w++, at += 64) {
        q[w & 1][t] = query[at];
        k[w & 1][t] = key[at];
        float v = value[at], sum = 0;
        __syncthreads();
#pragma unroll
        for (int m = 0; m < 64; m++) {
            memory[m] = fade * memory[m] + k[w & 1][m] * v;
            sum += q[w & 1][m] * memory[m];
        }
        out[at] = sum;
    }
}

/* Lengths of many vectors of all sizes by one launch: a block a piece of at most 8192 numbers; pieces' list tells whose. */
KERNEL vectors_lengths(const float4 *data, const int4 *piece, double *squares) {
    __shared__ float warps[8];
    int4 its = piece[blockIdx.x]; /* vector, first four, fours */
    float sum = 0;
    for (int k = threadIdx.x; k < its.z; k += blockDim.x) {
        float4 v = data[its.y + k];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = block_sum(sum, warps);
    if (threadIdx.x == 0)
        atomicAdd(&squares[its.x], (double)sum);
}

/* What a hundred trees of six levels say of a row of 32 bytes: a thread a row, its bytes in shared memory; a node has a
 * feature and a limit. */
KERNEL forest_scored(const uint4 *rows, const uchar2 *__restrict__ node, const float *__restrict__ leaf,
                     float *score, int n, int trees) {
    __shared__ uint8_t feature[128][36];
    int i = INDEX;
    if (i >= n)
        return;
    uint4 low = rows[2 * i], high = rows[2 * i + 1];
    uint32_t *own = (uint32_t *)feature[threadIdx.x];
    own[0] = low.x, own[1] = low.y, own[2] = low.z, own[3] = low.w;
    own[4] = high.x, own[5] = high.y, own[6] = high.z, own[7] = high.w;
    float sum = 0;
    for (int tree = 0; tree < trees; tree++) {
        int at = 1;
        for (int level = 0; level < 6; level++) {
            uchar2 it = node[tree * 64 + at];
            at = 2 * at + (feature[threadIdx.x][it.x] > it.y);
        }
        sum += leaf[tree * 64 + at - 64];
    }
    score[i] = 1 / (1 + __expf(-sum));
}

/* Where a tree may split: slopes and curves of rows summed by feature and bin, eight features at a time in shared memory. */
KERNEL splits_summed(const uint2 *bins, const float2 *slope, float2 *sums, int rows) {
    __shared__ float2 its[8][64];
    for (int k = threadIdx.x; k < 512; k += blockDim.x)
        its[k / 64][k % 64] = make_float2(0, 0);
    __syncthreads();
    for (int i = INDEX; i < rows; i += gridDim.x * blockDim.x) {
        uint2 b = bins[(size_t)blockIdx.y * rows + i];
        float2 s = slope[i];
#pragma unroll
        for (int k = 0; k < 8; k++) {
            int bin = (k < 4 ? b.x : b.y) >> k % 4 * 8 & 63;
            atomicAdd(&its[k][bin].x, s.x);
            atomicAdd(&its[k][bin].y, s.y);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 512; k += blockDim.x) {
        atomicAdd(&sums[blockIdx.y * 512 + k].x, its[k / 64][k % 64].x);
        atomicAdd(&sums[blockIdx.y * 512 + k].y, its[k / 64][k % 64].y);
    }
}

/* A matrix of which two of each four weights are left, times a vector of halves in shared memory: a warp a row; weights
 * in fours, their places in bits. */
KERNEL pruned_product(const uint2 *weight, const uint8_t *place, const __half *x, float *y, int rows,
                      int columns) {
    __shared__ __half vector[4096];
    for (int k = threadIdx.x; k < columns / 8; k += blockDim.x)
        ((uint4 *)vector)[k] = ((const uint4 *)x)[k];
    __syncthreads();
    int row = INDEX / 32, lane = threadIdx.x % 32, pieces = columns / 8;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = lane; k < pieces; k += 32) {
        uint2 w = weight[(size_t)row * pieces + k];
        int at = place[(size_t)row * pieces + k];
        float2 a = __half22float2(*(const __half2 *)&w.x), b = __half22float2(*(const __half2 *)&w.y);
        sum +=
            a.x * __half2float(vector[8 * k + (at & 3)]) + a.y * __half2float(vector[8 * k + (at >> 2 & 3)]);
        sum += b.x * __half2float(vector[8 * k + 4 + (at >> 4 & 3)]) +
               b.y * __half2float(vector[8 * k + 4 + (at >> 6)]);
    }
    for (int k = 16; k > 0; k /= 2)
        sum += __shfl_down_sync(ALL, sum, k);
    if (lane == 0)
        y[row] = sum;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 24, texts = 160, steps = 250, rows = 96, words = 32000, bags = 30000, samples = 4000;
    const int heads = 264, spoken = 160, pieces = 1500, people = 130000, trees = 100, matrix = 8192;
    float *x = random_floats(n), *y = zeros(n);
    __half *halves = filled<__half>(
        (size_t)n * 2, [](uint32_t i) { return __float2half((float)(mixed(i) % 1024) / 512 - 1); });
    float *odds =
        filled<float>(texts * steps * 32, [](uint32_t i) { return -(mixed(i) % 1000 * 0.005f) - 1; });
    int *text = filled<int>(texts * 70, [](uint32_t i) { return 1 + mixed(i) % 31; });
    float *scores = filled<float>(rows * words, [](uint32_t i) {
        float a = mixed(i) / 4294967296.0f, b = mixed(i + 400000000) / 4294967296.0f;
        return 7.9f * a * a * b;
    });
    int *row =
        filled<int>(bags * 20, [](uint32_t i) { return mixed(i) % 250000 * (mixed(i + 1) % 16) / 16; });
    int *begin =
        filled<int>(bags + 1, [](uint32_t i) { return i * 20 - (i > 0 && i < bags ? mixed(i) % 20 : 0); });
    int4 *piece = filled<int4>(
        pieces, [](uint32_t i) { return make_int4(i / 3, i * 2048, i % 3 < 2 ? 2048 : mixed(i) % 2048, 0); });
    double *squares = (double *)allocated(pieces / 3 * sizeof(double));
    uint32_t *bytes = filled<uint32_t>(2000000, [](uint32_t i) { return mixed(i + 3); });
    uchar2 *node = filled<uchar2>(
        trees * 64, [](uint32_t i) { return make_uchar2(mixed(i) % 32, 64 + mixed(i + 8000) % 128); });
    float *leaf = filled<float>(trees * 64, [](uint32_t i) { return mixed(i) % 100 * 0.002f - 0.1f; });
    float2 *sums = (float2 *)allocated(4 * 512 * sizeof(float2));
    uint8_t *place = filled<uint8_t>((size_t)matrix * 512, [](uint32_t i) {
        const uint8_t two[6] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
        return two[mixed(i) % 6] | two[mixed(i + 77) % 6] << 4;
    });
    VALIDATE(group_norm, 32 * 64, 256, (__half2 *)halves, x, x + 512, (__half2 *)y, 28 * 28, 32);
    VALIDATE(heard_texts, texts, 160, odds, text, y, steps, 32, 70);
    VALIDATE(nucleus_found, rows, 512, scores, y, y + rows, words);
    VALIDATE(bags_summed, bags / 8, 256, (uint2 *)halves, row, begin, (float4 *)y, bags);
    VALIDATE(features_crossed, samples, 128, x, y);
    VALIDATE(linear_memory, heads, 64, x, x + 3000000, x + 6000000, y, spoken, 0.97f);
    VALIDATE(vectors_lengths, pieces, 256, (float4 *)x, piece, squares);
    VALIDATE(forest_scored, (people + 127) / 128, 128, (uint4 *)bytes, node, leaf, y, people, trees);
    VALIDATE(splits_summed, dim3(66, 4), 256, (uint2 *)bytes, (float2 *)x, sums, 250000);
    VALIDATE(pruned_product, matrix / 8, 256, (uint2 *)halves, place, halves + 1000, y, matrix, 4096);
    return 0;
}
