/* waiting.cu: warps that wait for others: one thread that works beside a barrier, reductions of fewer and fewer warps,
 * the last block that sums up what the others left. */
#include "calibration.h"

/* One thread adds up `count` values, while the block waits for it: cycles of all. */
template <class T> __global__ void serial_shared(uint64_t *result, T *out, int count) {
    __shared__ T values[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        values[i] = (T)i;
    T sum = 0;
    uint64_t begin = block_begins();
    if (threadIdx.x == 0)
#pragma unroll 1
        for (int k = 0; k < count; k++)
            sum += values[k];
    block_ends(begin, result);
    if (threadIdx.x == 0)
        *out = sum;
}

/* The same with every partial sum stored, which the next trip may read. */
template <class T> __global__ void serial_shared_running(uint64_t *result, T *out, int count) {
    __shared__ T values[2048], sums[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        values[i] = sums[i] = (T)i;
    uint64_t begin = block_begins();
    if (threadIdx.x == 0)
#pragma unroll 1
        for (int k = 1; k < count; k++)
            sums[k] = values[k] + ((volatile T *)sums)[k - 1];
    block_ends(begin, result);
    if (threadIdx.x == 0)
        *out = sums[count - 1];
}

template <class T> __global__ void serial_global(uint64_t *result, T *out, const T *values, int count) {
    T sum = 0;
    uint64_t begin = block_begins();
    if (threadIdx.x == 0)
#pragma unroll 1
        for (int k = 0; k < count; k++)
            sum += values[k];
    block_ends(begin, result);
    if (threadIdx.x == 0)
        *out = sum;
}

/* Loads of several trips at a time. */
template <class T>
__global__ void serial_global_unrolled(uint64_t *result, T *out, const T *values, int count) {
    T sum = 0;
    uint64_t begin = block_begins();
    if (threadIdx.x == 0)
#pragma unroll 4
        for (int k = 0; k < count; k++)
            sum += values[k];
    block_ends(begin, result);
    if (threadIdx.x == 0)
        *out = sum;
}

/* A store in every trip, behind which no load may be moved. */
template <class T> __global__ void serial_global_running(uint64_t *result, T *sums, T *values, int count) {
    uint64_t begin = block_begins();
    if (threadIdx.x == 0) {
        sums[0] = values[0];
        for (int k = 1; k < count; k++)
            sums[k] = values[k] + sums[k - 1];
    }
    block_ends(begin, result);
}

/* A sum of `count` words of shared memory, a barrier a step, half as many words in each: `rounds` of them. */
__global__ void tree_loops(uint64_t *result, float *out, int count, int rounds) {
    __shared__ float words[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x)
        words[i] = 1;
    uint64_t begin = block_begins();
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        for (int stride = count / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int i = threadIdx.x; i < stride; i += blockDim.x)
                words[i] += words[stride + i];
        }
    block_ends(begin, result);
    if (threadIdx.x == 0)
        *out = words[0];
}

/* The same where a thread adds once a step or not at all. */
__global__ void tree_branches(uint64_t *result, float *out, int rounds) {
    __shared__ float words[2048];
    words[threadIdx.x] = words[threadIdx.x + blockDim.x] = 1;
    uint64_t begin = block_begins();
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            if (threadIdx.x < stride)
                words[threadIdx.x] += words[stride + threadIdx.x];
        }
    block_ends(begin, result);
    if (threadIdx.x == 0)
        *out = words[0];
}

/* Every block leaves a row; the last one to come adds up the rows: cycles of that. */
template <bool vectors>
__global__ void last_block(uint64_t *result, float *rows, uint32_t *arrived, float *out, int width) {
    __shared__ bool last;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        rows[blockIdx.x * width + i] = (float)i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    uint64_t begin = (uint64_t)clock64();
    if (vectors)
        for (int i = threadIdx.x * 4; i < width; i += blockDim.x * 4) {
            float4 sum = {0, 0, 0, 0};
            for (int b = 0; b < gridDim.x; b++) {
                float4 row = *(float4 *)&rows[b * width + i];
                sum.x += row.x, sum.y += row.y, sum.z += row.z, sum.w += row.w;
            }
            *(float4 *)&out[i] = sum;
        }
    else
        for (int i = threadIdx.x; i < width; i += blockDim.x) {
            float sum = 0;
            for (int b = 0; b < gridDim.x; b++)
                sum += rows[b * width + i];
            out[i] = sum;
        }
    __syncthreads();
    if (threadIdx.x == 0)
        result[0] = (uint64_t)clock64() - begin;
}

template <class T> static void measure_serial(T *values, const char *type) {
    const int count = 2048;
    char title[96];
    T *sums = values + 65536;
    for (int threads = 32; threads <= 1024; threads *= threads == 32 ? 8 : 4) {
        snprintf(title, sizeof title, "serial_%s_shared_%d_threads", type, threads);
        figure(title, cycles([=] { serial_shared<T><<<1, threads>>>(results(), sums, count); }) / count,
               "cycles", "a trip of one thread that adds up words of shared memory; the block waits");
        snprintf(title, sizeof title, "serial_%s_shared_running_%d_threads", type, threads);
        figure(title,
               cycles([=] { serial_shared_running<T><<<1, threads>>>(results(), sums, count); }) / count,
               "cycles", "it stores every sum, and reads it again");
        snprintf(title, sizeof title, "serial_%s_global_%d_threads", type, threads);
        figure(title,
               cycles([=] { serial_global<T><<<1, threads>>>(results(), sums, values, count); }) / count,
               "cycles", "global words that L2 holds");
        snprintf(title, sizeof title, "serial_%s_global_unrolled_%d_threads", type, threads);
        figure(title, cycles([=] {
                          serial_global_unrolled<T><<<1, threads>>>(results(), sums, values, count);
                      }) / count,
               "cycles", "the same, four at a time");
        snprintf(title, sizeof title, "serial_%s_global_running_%d_threads", type, threads);
        figure(title, cycles([=] {
                          serial_global_running<T><<<1, threads>>>(results(), sums, values, count);
                      }) / count,
               "cycles", "the same with every sum stored");
    }
}

static void measure_trees(float *out) {
    const int rounds = 16;
    char title[96];
    for (int threads = 32; threads <= 1024; threads *= 2)
        for (int blocks = 1; blocks <= 2 * multiprocessors(); blocks *= 2 * multiprocessors()) {
            snprintf(title, sizeof title, "tree_branches_%d_threads%s", threads, blocks > 1 ? "_all" : "");
            figure(title,
                   cycles([=] { tree_branches<<<blocks, threads>>>(results(), out, rounds); }) / rounds,
                   "cycles", "a sum of a block's words: a step halves them; all: two blocks an SM");
            for (int count = threads; count <= 2048; count *= 2048 / threads) {
                snprintf(title, sizeof title, "tree_loops_%d_words_%d_threads%s", count, threads,
                         blocks > 1 ? "_all" : "");
                figure(title, cycles([=] {
                                  tree_loops<<<blocks, threads>>>(results(), out, count, rounds);
                              }) / rounds,
                       "cycles", "the same with a loop in each step");
            }
        }
}

static void measure_last_blocks(float *memory) {
    static const int grids[] = {132, 528, 2112};
    static const int widths[] = {256, 2048};
    char title[96];
    for (int g = 0; g < 3; g++)
        for (int w = 0; w < 2; w++)
            for (int threads = 64; threads <= 1024; threads *= 4) {
                int blocks = grids[g], width = widths[w];
                float *rows = memory + 8192;
                uint32_t *arrived = (uint32_t *)memory;
                snprintf(title, sizeof title, "last_block_%d_rows_%d_words_%d_threads", blocks, width,
                         threads);
                figure(title, cycles([=] {
                                  last_block<false>
                                      <<<blocks, threads>>>(results(), rows, arrived, memory + 4096, width);
                              }) / blocks,
                       "cycles", "a row that the last block adds");
                snprintf(title, sizeof title, "last_block_%d_rows_%d_words_%d_threads_by_4", blocks, width,
                         threads);
                figure(title, cycles([=] {
                                  last_block<true>
                                      <<<blocks, threads>>>(results(), rows, arrived, memory + 4096, width);
                              }) / blocks,
                       "cycles", "four words at a time");
            }
}

int main(void) {
    float *memory = (float *)allocated((size_t)64 << 20);
    measure_serial<float>(memory, "float");
    measure_serial<double>((double *)memory, "double");
    measure_trees(memory);
    measure_last_blocks(memory);
    return 0;
}
