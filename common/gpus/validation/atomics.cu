/* atomics.cu: threads that meet at words of global and of shared memory. */
#include "validation.h"

#define KERNEL extern "C" __global__ void
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

/* Of mask + 1 words; the compiler does not know how many they are. */
static __device__ void count_global(uint32_t *counters, uint32_t mask) {
    uint32_t i = INDEX;
    for (int k = 0; k < 8; k++)
        atomicAdd(&counters[mixed(i + k * 7919) & mask], k + 1);
}

KERNEL atomic_global_1(uint32_t *counters, uint32_t mask) {
    count_global(counters, mask);
}
KERNEL atomic_global_32(uint32_t *counters, uint32_t mask) {
    count_global(counters, mask);
}
KERNEL atomic_global_1024(uint32_t *counters, uint32_t mask) {
    count_global(counters, mask);
}
KERNEL atomic_global_1m(uint32_t *counters, uint32_t mask) {
    count_global(counters, mask);
}

/* One word, and the compiler sees it: it adds the lanes up before. */
KERNEL atomic_uniform(uint32_t *sum, int rounds) {
    for (int k = 0; k < rounds; k++)
        atomicAdd(sum, threadIdx.x + k);
}

/* All lanes at one word, which is float: lanes cannot be added up before. */
KERNEL atomic_float_1(float *sum) {
    for (int k = 0; k < 4; k++)
        atomicAdd(sum, 1.0f);
}

/* Tickets: a lane of each warp takes one and needs it. */
KERNEL atomic_tickets(uint32_t *next, uint32_t *taken) {
    uint32_t sum = 0;
    if (threadIdx.x % 32 == 0)
        for (int k = 0; k < 8; k++)
            sum += atomicAdd(next, 1u);
    taken[INDEX] = sum;
}

/* A sum by compare and swap, which begins anew when another thread was faster. */
KERNEL atomic_compare_swap(const float *x, uint32_t *sums, int words) {
    uint32_t *word = &sums[INDEX % words], seen = *word, old;
    float mine = x[INDEX];
    while ((old = atomicCAS(word, seen, __float_as_uint(__uint_as_float(seen) + mine))) != seen)
        seen = old;
}

static __device__ void count_shared(uint32_t *result, uint32_t mask) {
    __shared__ uint32_t counters[1024];
    for (uint32_t k = threadIdx.x; k < 1024; k += blockDim.x)
        counters[k] = 0;
    __syncthreads();
    for (int k = 0; k < 32; k++)
        atomicAdd(&counters[mixed(INDEX + k * 7919) & mask], k + 1);
    __syncthreads();
    result[INDEX] = counters[threadIdx.x];
}

KERNEL atomic_shared_1(uint32_t *result, uint32_t mask) {
    count_shared(result, mask);
}
KERNEL atomic_shared_32(uint32_t *result, uint32_t mask) {
    count_shared(result, mask);
}
KERNEL atomic_shared_1024(uint32_t *result, uint32_t mask) {
    count_shared(result, mask);
}

/* 256 counters a block, then added to those of all. */
KERNEL histogram_bytes(const uint32_t *x, uint32_t *counts, int n) {
    __shared__ uint32_t own[256];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = INDEX; i < n; i += gridDim.x * blockDim.x) {
        uint32_t word = x[i];
        for (int k = 0; k < 32; k += 8)
            atomicAdd(&own[word >> k & 255], 1u);
    }
    __syncthreads();
    atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

/* Words that pass are put one behind the other: one atomic a warp. */
KERNEL compacted(const uint32_t *x, uint32_t *kept, uint32_t *count, int n) {
    int i = INDEX, lane = threadIdx.x % 32;
    uint32_t word = i < n ? x[i] : 0, base = 0;
    bool keep = word % 3 == 1;
    uint32_t votes = __ballot_sync(0xffffffff, keep);
    if (lane == 0)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep)
        kept[(base + __popc(votes & ((1u << lane) - 1))) % n] = word;
}

int main(int count, char **arguments) {
    validation_begin(count, arguments);
    const int n = 1 << 22;
    uint32_t *x = random_words(2 * n, 0xffffffff), *y = (uint32_t *)zeros(n);
    VALIDATE(atomic_global_1, 128, 256, y, 0);
    VALIDATE(atomic_global_32, 512, 256, y, 31);
    VALIDATE(atomic_global_1024, 2048, 256, y, 1023);
    VALIDATE(atomic_global_1m, 4096, 256, y, 1048575);
    VALIDATE(atomic_uniform, 512, 256, y, 8);
    VALIDATE(atomic_float_1, 64, 256, (float *)y);
    VALIDATE(atomic_tickets, 1024, 256, y, y + 1024);
    VALIDATE(atomic_compare_swap, 512, 256, (float *)x, y, 4096);
    VALIDATE(atomic_shared_1, 512, 256, y, 0);
    VALIDATE(atomic_shared_32, 4096, 256, y, 31);
    VALIDATE(atomic_shared_1024, 4096, 256, y, 1023);
    VALIDATE(histogram_bytes, 528, 256, x, y, 2 * n);
    VALIDATE(compacted, n / 256, 256, x, y + 1024, y, n - 1024);
    return 0;
}
