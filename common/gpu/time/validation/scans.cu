/* scans.cu: prefix sums, reductions, sorting: threads of a block or a warp that work on one thing. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* Prefix sum of a block, doubling the distance. */
KERNEL scan_block(const float *x, float *y) {
    __shared__ float sums[2][512];
    int t = threadIdx.x, from = 0;
    sums[0][t] = x[INDEX];
    __syncthreads();
    for (int step = 1; step < 512; step *= 2) {
        sums[1 - from][t] = sums[from][t] + (t >= step ? sums[from][t - step] : 0);
        from = 1 - from;
        __syncthreads();
    }
    y[INDEX] = sums[from][t];
}

/* Up and down a tree in shared memory, with the bank conflicts that this brings. */
KERNEL scan_tree(const float *x, float *y) {
    __shared__ float tree[1024];
    int t = threadIdx.x, step;
    tree[2 * t] = x[blockIdx.x * 1024 + 2 * t];
    tree[2 * t + 1] = x[blockIdx.x * 1024 + 2 * t + 1];
    for (step = 1; step < 1024; step *= 2) {
        __syncthreads();
        int at = (2 * t + 2) * step - 1;
        if (at < 1024)
            tree[at] += tree[at - step];
    }
    for (step = 256; step > 0; step /= 2) {
        __syncthreads();
        int at = (2 * t + 3) * step - 1;
        if (at < 1024)
            tree[at] += tree[at - step];
    }
    __syncthreads();
    y[blockIdx.x * 1024 + t] = tree[t];
    y[blockIdx.x * 1024 + 512 + t] = tree[512 + t];
}

KERNEL scan_warp(const uint32_t *x, uint32_t *y) {
    uint32_t value = x[INDEX];
    for (int step = 1; step < 32; step *= 2) {
        uint32_t other = __shfl_up_sync(0xffffffff, value, step);
        if (threadIdx.x % 32 >= step)
            value += other;
    }
    y[INDEX] = value;
}

/* Every second thread, then every fourth, ...: conflicts and idle lanes. */
KERNEL reduce_conflicts(const float *x, float *y) {
    __shared__ float sums[512];
    int t = threadIdx.x;
    sums[t] = x[INDEX];
    for (int step = 1; step < 512; step *= 2) {
        __syncthreads();
        int at = 2 * step * t;
        if (at < 512)
            sums[at] += sums[at + step];
    }
    if (t == 0)
        y[blockIdx.x] = sums[0];
}

KERNEL reduce_warps(const float *x, float *y, int n) {
    float sum = 0;
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&y[blockIdx.x % 32], sum);
}

KERNEL bitonic_sort(const uint32_t *x, uint32_t *y) {
    __shared__ uint32_t keys[1024];
    uint32_t t = threadIdx.x;
    keys[t] = x[INDEX];
    for (uint32_t size = 2; size <= 1024; size *= 2)
        for (uint32_t step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            uint32_t other = t ^ step, mine = keys[t], theirs = keys[other];
            if (other > t && (mine > theirs) == ((t & size) == 0)) {
                keys[t] = theirs;
                keys[other] = mine;
            }
        }
    __syncthreads();
    y[INDEX] = keys[t];
}

/* Sorted within a warp, by exchanges alone. */
KERNEL sort_warp(const uint32_t *x, uint32_t *y) {
    uint32_t lane = threadIdx.x % 32, key = x[INDEX];
    for (uint32_t size = 2; size <= 32; size *= 2)
        for (uint32_t step = size / 2; step > 0; step /= 2) {
            uint32_t other = __shfl_xor_sync(0xffffffff, key, step);
            bool low = ((lane & step) == 0) == ((lane & size) == 0);
            key = low ? min(key, other) : max(key, other);
        }
    y[INDEX] = key;
}

/* How many of a block's keys have each value of four bits: counters of each thread, then their sum. */
KERNEL radix_counts(const uint32_t *x, uint32_t *counts, int shift, int each) {
    __shared__ uint16_t own[16][256];
    int t = threadIdx.x;
    for (int d = 0; d < 16; d++)
        own[d][t] = 0;
    for (int k = 0; k < each; k++)
        own[x[(blockIdx.x * each + k) * 256 + t] >> shift & 15][t]++;
    __syncthreads();
    uint32_t sum = 0;
    for (int k = 0; k < 16; k++)
        sum += own[t / 16][t % 16 * 16 + k];
    for (int step = 8; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step, 16);
    if (t % 16 == 0)
        counts[blockIdx.x * 16 + t / 16] = sum;
}

/* Where each of two sorted lists' elements goes: a search in the other. */
KERNEL merge_places(const uint32_t *a, const uint32_t *b, uint32_t *merged, int n) {
    int i = INDEX, low = 0, high = 1024;
    const uint32_t *other = b + i / 1024 * 1024;
    uint32_t key = a[i];
    while (low < high) {
        int middle = (low + high) >> 1;
        if (other[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    merged[i / 1024 * 2048 + i % 1024 + low] = key;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    float *x = random_floats(n), *y = zeros(2 * n);
    uint32_t *words = random_words(n, 0xffffffff), *to = (uint32_t *)y;
    uint32_t *a = filled<uint32_t>(n, [](uint32_t i) { return i * 2 + 1; });
    uint32_t *b = filled<uint32_t>(n, [](uint32_t i) { return i * 2 + i % 2; });
    VALIDATE(scan_block, 4096, 512, x, y);
    VALIDATE(scan_tree, 2048, 512, x, y);
    VALIDATE(scan_warp, n / 256, 256, words, to);
    VALIDATE(reduce_conflicts, 8192, 512, x, y);
    VALIDATE(reduce_warps, 528, 512, x, y, n);
    VALIDATE(bitonic_sort, 512, 1024, words, to);
    VALIDATE(sort_warp, n / 256, 256, words, to);
    VALIDATE(radix_counts, 1024, 256, words, to, 8, 16);
    VALIDATE(merge_places, n / 2 / 256, 256, a, b, to, n / 2);
    return 0;
}
