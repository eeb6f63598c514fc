/* seventh_operators.cu: operators of networks: gates, larger pictures, heads, losses, graphs, regions, states, convolutions, pages. */
#include "validation.h"

#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define ALL 0xffffffffu

/* The gate of a language model's layer: x times its sigmoid times the other half of the row, two halves at once. */
KERNEL swiglu_halves(const __half2 *__restrict__ x, __half2 *__restrict__ y, int pairs) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs)
        return;
    const __half2 *row = x + (size_t)blockIdx.y * 2 * pairs;
    float2 gate = __half22float2(row[i]), up = __half22float2(row[pairs + i]);
    float first = gate.x / (1.0f + __expf(-gate.x)) * up.x;
    float second = gate.y / (1.0f + __expf(-gate.y)) * up.y;
    y[(size_t)blockIdx.y * pairs + i] = __floats2half2_rn(first, second);
}

/* Planes twice as wide and high, by the four neighbours of each place: a thread a result. */
KERNEL upsample_bilinear(const float *__restrict__ x, float *__restrict__ y, int planes, int height,
                         int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, wide = 2 * width, high = 2 * height;
    if (i >= planes * wide * high)
        return;
    int column = i % wide, row = i / wide % high, plane = i / (wide * high);
    float down = fmaxf((row + 0.5f) * 0.5f - 0.5f, 0.0f), right = fmaxf((column + 0.5f) * 0.5f - 0.5f, 0.0f);
    int top = (int)down, left = (int)right;
    int below = top < height - 1 ? width : 0, beside = left < width - 1;
    float v = down - top, u = right - left;
    const float *at = x + ((size_t)plane * height + top) * width + left;
    y[i] = (1 - v) * ((1 - u) * at[0] + u * at[beside]) + v * ((1 - u) * at[below] + u * at[below + beside]);
}

/* From words with their queries, keys and values to three arrays of heads with their words: a thread four numbers. */
KERNEL heads_permuted(const float4 *x, const float4 *bias, float4 *y, int words, int heads, int fours,
                      int total) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        int k = i % fours, rest = i / fours;
        int head = rest % heads;
        rest /= heads;
        int which = rest % 3;
        rest /= 3;
        int word = rest % words, batch = rest / words;
        float4 v = x[i], b = bias[(which * heads + head) * fours + k];
        size_t to = (((size_t)which * (total / (3 * words * heads * fours)) + batch) * heads + head) * words;
        y[(to + word) * fours + k] = make_float4(v.x + b.x, v.y + b.y, v.z + b.z, v.w + b.w);
    }
}

/* The largest and the sum of the powers beside it, of two parts of a row. */
static __device__ float2 joined(float2 a, float2 b) {
    float most = fmaxf(a.x, b.x);
    return make_float2(most, a.y * __expf(a.x - most) + b.y * __expf(b.x - most));
}

/* What a row of scores loses by its true word: a block a row, read once, largest and sum side by side. */
KERNEL cross_entropy(const float *__restrict__ scores, const uint32_t *truth, float *loss, float *total,
                     int words) {
    __shared__ float2 parts[16];
    const float *row = scores + (size_t)blockIdx.x * words;
    float2 mine = make_float2(-1e30f, 0);
    for (int k = threadIdx.x; k < words; k += blockDim.x) {
        float v = row[k];
        if (v > mine.x) {
            mine.y *= __expf(mine.x - v);
            mine.x = v;
        }
        mine.y += __expf(v - mine.x);
    }
    for (int step = 16; step > 0; step /= 2)
        mine =
            joined(mine, make_float2(__shfl_xor_sync(ALL, mine.x, step), __shfl_xor_sync(ALL, mine.y, step)));
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < (int)blockDim.x / 32; k++)
            mine = joined(mine, parts[k]);
        float its = mine.x + logf(mine.y) - row[truth[blockIdx.x] % words];
        loss[blockIdx.x] = its;
        atomicAdd(total, its / gridDim.x);
    }
}

/* The mean of what a node's neighbours have, 64 numbers each: a warp a node, two numbers a lane. */
KERNEL graph_means(const int *begin, const uint32_t *__restrict__ neighbour, const float2 *__restrict__ x,
                   float2 *y, int nodes) {
    int node = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (node >= nodes)
        return;
    int first = begin[node], last = begin[node + 1];
    float2 sum = make_float2(0, 0);
    for (int k = first; k < last; k++) {
        float2 v = x[(size_t)neighbour[k] * 32 + lane];
        sum.x += v.x;
        sum.y += v.y;
    }
    float by = 1.0f / max(last - first, 1);
    y[(size_t)node * 32 + lane] = make_float2(sum.x * by, sum.y * by);
}

static __device__ float between(const float *plane, float y, float x, int height, int width) {
    if (y < -1 || y > height || x < -1 || x > width)
        return 0;
    y = fmaxf(y, 0);
    x = fmaxf(x, 0);
    int top = min((int)y, height - 1), left = min((int)x, width - 1);
    int low = min(top + 1, height - 1), right = min(left + 1, width - 1);
    float v = fminf(y - top, 1.0f), u = fminf(x - left, 1.0f);
    return (1 - v) * ((1 - u) * plane[top * width + left] + u * plane[top * width + right]) +
           v * ((1 - u) * plane[low * width + left] + u * plane[low * width + right]);
}

/* Regions of a picture, seven by seven places each in every channel, four samples a place. */
KERNEL roi_align(const float *__restrict__ x, const float4 *regions, float *y, int channels, int height,
                 int width, int total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= total)
        return;
    int column = i % 7, row = i / 7 % 7, channel = i / 49 % channels;
    float4 region = regions[i / 49 / channels];
    const float *plane = x + (size_t)channel * height * width;
    float wide = fmaxf(region.z - region.x, 1.0f) / 7, high = fmaxf(region.w - region.y, 1.0f) / 7, sum = 0;
    for (int m = 0; m < 2; m++)
        for (int n = 0; n < 2; n++)
            sum += between(plane, region.y + (row + 0.25f + 0.5f * m) * high,
                           region.x + (column + 0.25f + 0.5f * n) * wide, height, width);
    y[i] = 0.25f * sum;
}

/* A selective scan: a channel's sixteen states, word after word; a thread a channel, few of them. */
KERNEL state_space_scan(const float *__restrict__ x, const float *__restrict__ delta,
                        const float *__restrict__ in, const float *__restrict__ out, const float *decay,
                        float *y, int words, int channels) {
    int channel = blockIdx.x * blockDim.x + threadIdx.x;
    float state[16] = {}, rate[16];
    for (int k = 0; k < 16; k++)
        rate[k] = -1.0f - 4 * decay[channel * 16 + k];
    for (int t = 0; t < words; t++) {
        size_t word = (size_t)blockIdx.y * words + t, at = word * channels + channel;
        float step = __logf(1 + __expf(delta[at])), value = x[at], sum = 0;
#pragma unroll
        for (int k = 0; k < 16; k++) {
            state[k] = __expf(step * rate[k]) * state[k] + step * in[word * 16 + k] * value;
            sum += state[k] * out[word * 16 + k];
        }
        y[at] = sum + 0.5f * value;
    }
}

/* Winograd's convolution of 3 x 3: what a piece of 4 x 4 becomes before the products, a thread a piece. */
KERNEL winograd_tiles(const float *__restrict__ x, float *__restrict__ y, int size, int total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, across = size / 2;
    if (i >= total)
        return;
    int left = i % across * 2 - 1, top = i / across % across * 2 - 1;
    const float *plane = x + (size_t)(i / (across * across)) * size * size;
    float d[4][4], b[4][4];
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int c = 0; c < 4; c++) {
            bool inside = top + r >= 0 && top + r < size && left + c >= 0 && left + c < size;
            d[r][c] = inside ? plane[(top + r) * size + left + c] : 0.0f;
        }
#pragma unroll
    for (int c = 0; c < 4; c++) {
        b[0][c] = d[0][c] - d[2][c];
        b[1][c] = d[1][c] + d[2][c];
        b[2][c] = d[2][c] - d[1][c];
        b[3][c] = d[1][c] - d[3][c];
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        float *to = y + (size_t)4 * r * total + i;
        to[0] = b[r][0] - b[r][2];
        to[total] = b[r][1] + b[r][2];
        to[2 * (size_t)total] = b[r][2] - b[r][1];
        to[3 * (size_t)total] = b[r][1] - b[r][3];
    }
}

/* A convolution of 3 x 3 as it is written first: a thread a result, all channels in a loop, no shared memory. */
KERNEL plain_convolution(const float *__restrict__ x, const float *__restrict__ weight, float *y, int inputs,
                         int outputs, int size) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    int output = blockIdx.z % outputs, picture = blockIdx.z / outputs;
    if (row >= size || column >= size)
        return;
    float sum = 0;
    for (int c = 0; c < inputs; c++) {
        const float *plane = x + (size_t)(picture * inputs + c) * size * size;
        const float *w = weight + (output * inputs + c) * 9;
        for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
                int at = row + r - 1, beside = column + s - 1;
                if (at >= 0 && at < size && beside >= 0 && beside < size)
                    sum += plane[at * size + beside] * w[r * 3 + s];
            }
    }
    y[((size_t)blockIdx.z * size + row) * size + column] = fmaxf(sum, 0.0f);
}

static __device__ float4 four_halves(const __half *from) {
    uint2 bits = *(const uint2 *)from;
    float2 low = __half22float2(*(__half2 *)&bits.x), high = __half22float2(*(__half2 *)&bits.y);
    return make_float4(low.x, low.y, high.x, high.y);
}

/* Attention of one new word: keys and values lie in pages of 16 words; a block a head, each warp every fourth word. */
KERNEL paged_decode(const __half *query, const __half *__restrict__ keys, const __half *__restrict__ values,
                    const int *pages, float4 *y, int heads, int words) {
    __shared__ float4 sums[4][32];
    __shared__ float2 parts[4];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, head = blockIdx.x, batch = blockIdx.y;
    float4 q = four_halves(query + (batch * heads + head) * 128 + 4 * lane), sum = make_float4(0, 0, 0, 0);
    float most = -1e30f, weights = 0;
    for (int t = warp; t < words; t += 4) {
        int page = pages[batch * (words / 16) + t / 16];
        size_t at = (((size_t)page * heads + head) * 16 + t % 16) * 128 + 4 * lane;
        float4 k = four_halves(keys + at), v = four_halves(values + at);
        float score = q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w;
        for (int step = 16; step > 0; step /= 2)
            score += __shfl_xor_sync(ALL, score, step);
        score *= 0.08838835f;
        float now = fmaxf(most, score), old = __expf(most - now), share = __expf(score - now);
        sum = make_float4(sum.x * old + share * v.x, sum.y * old + share * v.y, sum.z * old + share * v.z,
                          sum.w * old + share * v.w);
        weights = weights * old + share;
        most = now;
    }
    sums[warp][lane] = sum;
    parts[warp] = make_float2(most, weights);
    __syncthreads();
    if (warp != 0)
        return;
    float2 all = joined(joined(parts[0], parts[1]), joined(parts[2], parts[3]));
    float4 result = make_float4(0, 0, 0, 0);
    for (int k = 0; k < 4; k++) {
        float by = __expf(parts[k].x - all.x) / all.y;
        float4 v = sums[k][lane];
        result.x += by * v.x, result.y += by * v.y, result.z += by * v.z, result.w += by * v.w;
    }
    y[(batch * heads + head) * 32 + lane] = result;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 25, nodes = 100000, regions = 200, planes = 4096, heads = 16, words = 1024;
    float *x = random_floats(n), *y = zeros((size_t)planes * 784 * 16);
    __half *halves = filled<__half>(
        (size_t)2 * n, [](uint32_t i) { return __float2half((mixed(i) >> 12) / 524288.0f - 1.0f); });
    int edges = 0;
    int *begin = filled<int>(nodes + 1, [&](uint32_t i) {
        int first = edges;
        edges += 4 + mixed(i) % 17;
        return first;
    });
    uint32_t *neighbour = random_words((size_t)edges, nodes);
    float4 *region = filled<float4>(regions, [](uint32_t i) {
        float left = mixed(i) % 110, top = mixed(i + 1000) % 70;
        return make_float4(left, top, left + 8 + mixed(i + 2000) % 50, top + 6 + mixed(i + 3000) % 40);
    });
    /* Pages lie anywhere: an odd factor is a permutation of 1024. */
    int *pages = filled<int>(16 * words / 16, [](uint32_t i) { return i * 421 % 1024; });
    VALIDATE(swiglu_halves, dim3(11, 4096), 256, (__half2 *)halves, (__half2 *)y, 2752);
    VALIDATE(upsample_bilinear, 768 * 128 * 128 / 512, 512, x, y, 768, 64, 64);
    VALIDATE(heads_permuted, 2112, 256, (float4 *)x, (float4 *)x, (float4 *)y, 1024, 16, 16,
             8 * 1024 * 3 * 16 * 16);
    VALIDATE(cross_entropy, 1024, 512, x, neighbour, y, y + 4096, 32000);
    VALIDATE(graph_means, (nodes + 7) / 8, 256, begin, neighbour, (float2 *)x, (float2 *)y, nodes);
    VALIDATE(roi_align, (regions * 256 * 49 + 127) / 128, 128, x, region, y, 256, 100, 152,
             regions * 256 * 49);
    VALIDATE(state_space_scan, dim3(16, 4), 128, x, x + n / 2, x + n / 4, x + n / 3, x, y, 256, 2048);
    VALIDATE(winograd_tiles, planes * 784 / 256, 256, x, y, 56, planes * 784);
    VALIDATE(plain_convolution, dim3(4, 4, 4 * 32), dim3(16, 16), x, x + n / 2, y, 32, 32, 56);
    VALIDATE(paged_decode, dim3(heads, 16), 128, halves, halves, halves + n, pages, (float4 *)y, heads,
             words);
    return 0;
}
