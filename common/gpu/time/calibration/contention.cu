/* contention.cu: what queues: atomics at words, barriers, launches, blocks. */
#include "calibration.h"

/* Every lane at one of mask + 1 words that lie `apart` words from each other. */
template <class T, bool returns>
__global__ void global_atomics(T *words, uint32_t mask, uint32_t apart, int rounds, uint32_t *sink) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < rounds; k++) {
        T *at = &words[(size_t)(mixed(i + k * 7919) & mask) * apart];
        if (returns)
            sum += atomicAdd(at, (T)(k + 1));
        else
            atomicAdd(at, (T)(k + 1));
    }
    if (returns && sum == (T)12345)
        *sink = 1;
}

/* Every warp's lanes at one line of its own. */
__global__ void own_lines(uint32_t *words, uint32_t lines, int rounds) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++)
        atomicAdd(&words[(size_t)(mixed(i / 32 + k * 7919) & (lines - 1)) * 32 + i % 32], 1u);
}

__global__ void atomic_chain(uint64_t *result, uint32_t *words, int rounds) {
    uint32_t at = 0;
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++)
        at = atomicAdd(&words[at], 0u);
    if (at == 12345)
        result[1] = at;
    block_ends(begin, result);
}

template <class T, bool returns> __global__ void shared_atomics(uint64_t *result, uint32_t mask, int rounds) {
    __shared__ T words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = 0;
    T sum = 0;
    uint32_t own = threadIdx.x & mask;
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++)
        if (returns)
            sum += atomicAdd(&words[own], (T)(k + 1));
        else
            atomicAdd(&words[own], (T)(k + 1));
    block_ends(begin, result);
    if (sum + words[threadIdx.x] == (T)12345)
        result[1] = 1;
}

__global__ void shared_atomic_chain(uint64_t *result, int rounds) {
    __shared__ uint32_t words[32];
    words[threadIdx.x] = threadIdx.x;
    uint32_t at = threadIdx.x;
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++)
        at = atomicAdd(&words[at], 0u);
    if (at == 12345)
        result[1] = at;
    block_ends(begin, result);
}

__global__ void barriers(uint64_t *result, int rounds) {
    uint64_t begin = block_begins();
#pragma unroll 16
    for (int k = 0; k < rounds; k++)
        __syncthreads();
    block_ends(begin, result);
}

template <int ways> __global__ void divergence(uint64_t *result, int rounds) {
    float x = threadIdx.x;
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++)
        switch ((threadIdx.x + k) % ways) {
        case 0: asm volatile("add.rn.f32 %0, %0, 0f3F800000;" : "+f"(x)); break;
        case 1: asm volatile("mul.rn.f32 %0, %0, 0f3F800001;" : "+f"(x)); break;
        case 2: asm volatile("min.f32 %0, %0, 0f4F800000;" : "+f"(x)); break;
        default: asm volatile("max.f32 %0, %0, 0f3F000000;" : "+f"(x)); break;
        }
    if (x == 12345)
        result[1] = 1;
    block_ends(begin, result);
}

template <int ways> static void measure_divergence(void) {
    char title[64];
    snprintf(title, sizeof title, "divergence_%d_ways", ways);
    figure(title, cycles([] { divergence<ways><<<1, 32>>>(results(), 256); }) / 256, "cycles",
           "a round of a loop with a switch; one warp");
}

__global__ void nothing(void) {}

static void measure_global_atomics(uint32_t *words) {
    static const uint32_t counts[] = {1, 4, 32, 256, 1024, 16384, 1 << 20, 1 << 24};
    char title[64];
    int blocks = multiprocessors();
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint32_t mask = counts[i] - 1;
        int rounds = counts[i] < 1024 ? 4 : 32;
        double lanes = (double)blocks * 256 * rounds;
        snprintf(title, sizeof title, "atomic_words_%u", counts[i]);
        figure(title, 1e3 * microseconds([=] {
                          global_atomics<uint32_t, false><<<blocks, 256>>>(words, mask, 1, rounds, words);
                      }) / lanes,
               "ns a lane", "integer sums, no result; lanes at so many words, one beside the other");
        snprintf(title, sizeof title, "atomic_words_%u_returning", counts[i]);
        figure(title, 1e3 * microseconds([=] {
                          global_atomics<uint32_t, true><<<blocks, 256>>>(words, mask, 1, rounds, words);
                      }) / lanes,
               "ns a lane", "with the old value");
        snprintf(title, sizeof title, "atomic_words_%u_float", counts[i]);
        figure(title,
               1e3 * microseconds([=] {
                   global_atomics<float, false><<<blocks, 256>>>((float *)words, mask, 1, rounds, words);
               }) / lanes,
               "ns a lane", "float sums, no result");
        if (counts[i] <= 1 << 20) {
            snprintf(title, sizeof title, "atomic_words_%u_apart", counts[i]);
            figure(title,
                   1e3 * microseconds([=] {
                       global_atomics<uint32_t, false><<<blocks, 256>>>(words, mask, 32, rounds, words);
                   }) / lanes,
                   "ns a lane", "integer sums at words that lie 128 bytes apart");
        }
    }
    for (uint32_t lines = 1; lines <= 1 << 18; lines *= 8) {
        snprintf(title, sizeof title, "atomic_lines_%u", lines);
        figure(title, 1e3 * microseconds([=] {
                          own_lines<<<blocks, 256>>>(words, lines, 32);
                      }) / (blocks * 8.0 * 32),
               "ns a warp", "a warp's lanes at the 32 words of one of so many lines");
    }
    figure("atomic_latency", cycles([=] { atomic_chain<<<1, 1>>>(results(), words + (1 << 24), 256); }) / 256,
           "cycles", "a chain of atomics in L2, one lane");
}

static void measure_shared_atomics(void) {
    char title[64];
    for (uint32_t words = 1; words <= 1024; words *= words < 32 ? 2 : 32) {
        uint32_t mask = words - 1;
        snprintf(title, sizeof title, "shared_atomic_words_%u", words);
        figure(title, cycles([=] {
                          shared_atomics<uint32_t, false><<<1, 1024>>>(results(), mask, 64);
                      }) / (64.0 * 32),
               "cycles", "a warp's integer sums, no result; lanes at so many words; 32 warps of an SM");
        snprintf(title, sizeof title, "shared_atomic_words_%u_returning", words);
        figure(title, cycles([=] {
                          shared_atomics<uint32_t, true><<<1, 1024>>>(results(), mask, 64);
                      }) / (64.0 * 32),
               "cycles", "with the old value");
        snprintf(title, sizeof title, "shared_atomic_words_%u_float", words);
        figure(title,
               cycles([=] { shared_atomics<float, false><<<1, 1024>>>(results(), mask, 64); }) / (64.0 * 32),
               "cycles", "a warp's float sums: compare and swap");
        snprintf(title, sizeof title, "shared_atomic_words_%u_one_warp", words);
        figure(title, cycles([=] { shared_atomics<uint32_t, false><<<1, 32>>>(results(), mask, 64); }) / 64,
               "cycles", "one warp alone");
    }
    figure("shared_atomic_latency", cycles([] { shared_atomic_chain<<<1, 32>>>(results(), 256); }) / 256,
           "cycles", "a chain in one warp");
}

static void measure_blocks(void) {
    char title[64];
    for (int warps = 1; warps <= 32; warps *= 2) {
        snprintf(title, sizeof title, "barrier_%d_warps", warps);
        figure(title, cycles([=] { barriers<<<1, warps * 32>>>(results(), 256); }) / 256, "cycles",
               "a barrier after another, one block of an SM");
    }
    measure_divergence<1>();
    measure_divergence<2>();
    measure_divergence<4>();
    double one = microseconds([] { nothing<<<1, 32>>>(); });
    figure("launch_alone", one, "us", "an empty kernel between two events");
    double many = microseconds([] {
        for (int i = 0; i < 1000; i++)
            nothing<<<1, 32>>>();
    });
    figure("launch_in_a_row", many / 1000, "us", "of a thousand empty kernels one after the other");
    for (int threads = 32; threads <= 1024; threads *= 2) {
        double few = microseconds([=] { nothing<<<multiprocessors() * 64, threads>>>(); });
        double most = microseconds([=] { nothing<<<multiprocessors() * 1088, threads>>>(); });
        snprintf(title, sizeof title, "block_%d_threads", threads);
        figure(title, 1e3 * (most - few) / 1024, "ns",
               "an SM's time for an empty block of that size when many come");
    }
}

int main(void) {
    uint32_t *words = (uint32_t *)allocated((size_t)1 << 28);
    measure_blocks();
    measure_shared_atomics();
    measure_global_atomics(words);
    return 0;
}
