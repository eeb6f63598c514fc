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

/* Sums in shared memory that are loops of compare and swap: each lane at a word of its own, or all warps
 * at the same 32. */
template <class T> __global__ void shared_sums(uint64_t *result, bool same, int rounds) {
    __shared__ T words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = 0;
    uint32_t own = same ? threadIdx.x % 32 : threadIdx.x;
    uint64_t begin = block_begins();
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        atomicAdd(&words[own], (T)1);
    block_ends(begin, result);
    if (words[threadIdx.x] == (T)12345.5)
        result[1] = 1;
}

/* The same at words that look random, of mask + 1. */
__global__ void shared_sums_random(uint64_t *result, uint32_t mask, int rounds) {
    __shared__ float words[4096];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x)
        words[i] = 0;
    uint64_t begin = block_begins();
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        atomicAdd(&words[mixed(threadIdx.x + k * 7919) & mask], 1.0f);
    block_ends(begin, result);
    if (words[threadIdx.x] == 12345.5f)
        result[1] = 1;
}

enum exchange { SWAP_FINDS, SWAP_MISSES, EXCHANGE, MAXIMUM, SUM_64, FLOAT_SUM, INTEGER_SUM };
static const char *const exchanges[] = {"swap_finds", "swap_misses", "exchange", "maximum", "sum_64"};

/* What leaves the word as it is, or at 0 if it was 0. */
template <enum exchange kind> __device__ uint32_t exchanged(uint32_t *word) {
    switch (kind) {
    case SWAP_FINDS: return atomicCAS(word, 0u, 0u);
    case SWAP_MISSES: return atomicCAS(word, 1u, 2u);
    case EXCHANGE: return atomicExch(word, 0u);
    case MAXIMUM: return atomicMax(word, 0u);
    case SUM_64: return (uint32_t)atomicAdd((unsigned long long *)word, 0ull);
    case FLOAT_SUM: return (uint32_t)atomicAdd((float *)word, 0.0f);
    default: return atomicAdd(word, 0u);
    }
}

template <enum exchange kind>
__global__ void exchange_words(uint32_t *words, uint32_t mask, int rounds, uint32_t *sink) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += exchanged<kind>(&words[2 * (mixed(i + k * 7919) & mask)]);
    if (sum == 12345)
        *sink = 1;
}

/* Sums by compare and swap, as programs write them: who fails tries again. Each thread at the word of its lane, of `mask` + 1. */
__global__ void swap_loops(uint32_t *words, uint32_t mask, int rounds) {
    volatile uint32_t *word = &words[threadIdx.x & mask];
    for (int k = 0; k < rounds; k++) {
        uint32_t old = *word, expected;
        do {
            expected = old;
            old = atomicCAS((uint32_t *)word, expected, expected + 1);
        } while (old != expected);
    }
}

/* Each thread reads a word, then swaps it for the smaller of it and its own value: almost nobody changes it. */
template <bool reads> __global__ void least_by_swap(float *word, int rounds) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    int *bits = (int *)word;
    for (int k = 0; k < rounds; k++) {
        float own = (float)mixed(i + k * 7919);
        int old = reads ? *(volatile int *)bits : 0, expected;
        do {
            expected = old;
            old = atomicCAS(bits, expected, __float_as_int(fminf(own, __int_as_float(expected))));
        } while (old != expected);
    }
}

/* The first block's chain of reads of words[0] while the others are at words[apart]: cycles. */
template <enum exchange kind>
__global__ void read_beside(uint64_t *result, uint32_t *words, uint32_t apart, int rounds) {
    volatile uint32_t *stop = words + 65536;
    if (blockIdx.x > 0) {
        uint32_t sum = 0;
        while (*stop == 0)
            for (int k = 0; k < 8; k++)
                sum += exchanged<kind>(&words[apart]);
        if (sum == 12345)
            words[1024] = 1;
        return;
    }
    if (threadIdx.x > 0)
        return;
    for (uint64_t begin = (uint64_t)clock64(); (uint64_t)clock64() - begin < 20000;)
        continue;
    uint32_t at = 0;
    uint64_t begin = (uint64_t)clock64();
#pragma unroll 1
    for (int k = 0; k < rounds; k++)
        at = *(volatile uint32_t *)&words[at];
    *result = (uint64_t)clock64() - begin + at;
    *stop = 1;
}

/* Every thread stores to one flag, after a random read of mask + 1 words where `gathers`. */
template <bool gathers>
__global__ void flag_stores(const uint32_t *table, uint32_t mask, uint32_t *flag, int rounds) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; k++) {
        uint32_t found = gathers ? table[mixed(i + k * 7919) & mask] : 0;
        if (found == 0)
            *(volatile uint32_t *)flag = 1;
    }
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

template <class T> static void measure_shared_sums(const char *type) {
    const int rounds = 64;
    char title[64];
    for (int warps = 1; warps <= 32; warps *= 2)
        for (int same = 0; same < 2; same++) {
            snprintf(title, sizeof title, "shared_sum_%s_%s_%d_warps", type, same ? "same" : "own", warps);
            figure(title,
                   cycles([=] { shared_sums<T><<<1, warps * 32>>>(results(), same, rounds); }) / rounds,
                   "cycles",
                   same ? "all warps at the same 32 words"
                        : "a round of a block's warps, each lane at a word of its own");
        }
}

static void measure_random_sums(void) {
    char title[96];
    for (uint32_t words = 32; words <= 4096; words *= 2)
        for (int warps = 1; warps <= 32; warps *= warps == 1 ? 8 : 4) {
            snprintf(title, sizeof title, "shared_sum_float_random_%u_%d_warps", words, warps);
            figure(title,
                   cycles([=] { shared_sums_random<<<1, warps * 32>>>(results(), words - 1, 64); }) / 64,
                   "cycles", "lanes at random words of so many");
        }
}

template <enum exchange kind> static void measure_exchange(uint32_t *words) {
    static const uint32_t counts[] = {1, 4, 32, 1024, 1 << 20};
    char title[64];
    int blocks = multiprocessors();
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint32_t mask = counts[i] - 1;
        int rounds = counts[i] < 1024 ? 4 : 32;
        snprintf(title, sizeof title, "%s_words_%u", exchanges[kind], counts[i]);
        figure(title, 1e3 * microseconds([=] {
                          exchange_words<kind><<<blocks, 256>>>(words, mask, rounds, words + 8);
                      }) / ((double)blocks * 256 * rounds),
               "ns a lane", "the same on integers, result used; words 8 bytes apart");
    }
}

static void measure_swap_loops(uint32_t *words) {
    static const int sms[] = {1, 2, 8, 32, 132};
    char title[64];
    for (int i = 0; i < 5; i++)
        for (int threads = 1; threads <= 128; threads *= threads == 1 ? 32 : 4)
            for (uint32_t mask = 0; mask <= 1023; mask = mask * 32 + 31) {
                int blocks = sms[i], rounds = blocks * threads > 2000 ? 1 : 8;
                if ((threads > 32) != (mask > 31))
                    continue;
                snprintf(title, sizeof title, "swap_loop_words_%u_%d_sms_%d_threads", mask + 1, blocks,
                         threads);
                figure(title, 1e3 * microseconds([=] {
                                  swap_loops<<<blocks, threads>>>(words, mask, rounds);
                              }) / ((double)blocks * threads * rounds),
                       "ns a sum", "sums by compare and swap, retried, a block an SM");
            }
    for (int i = 0; i < 5; i++) {
        int blocks = sms[i];
        snprintf(title, sizeof title, "least_by_swap_%d_sms", blocks);
        figure(title, 1e3 * microseconds([=] {
                          least_by_swap<false><<<blocks, 256>>>((float *)words, 8);
                      }) / (blocks * 256.0 * 8),
               "ns a lane", "compare and swap at one word that hardly changes");
        snprintf(title, sizeof title, "least_by_swap_%d_sms_reading", blocks);
        figure(title, 1e3 * microseconds([=] {
                          least_by_swap<true><<<blocks, 256>>>((float *)words, 8);
                      }) / (blocks * 256.0 * 8),
               "ns a lane", "each thread reads the word first");
    }
}

template <enum exchange kind> static void measure_reads_beside(uint32_t *words, const char *name) {
    static const int sms[] = {0, 1, 8, 32, 131};
    static const uint32_t places[] = {0, 16, 1 << 14};
    char title[64];
    for (int i = 0; i < 5; i++)
        for (int at = 0; at < 3; at++) {
            uint32_t apart = places[at];
            int blocks = sms[i] + 1;
            double least = cycles([=] {
                check(cudaMemset(words, 0, 65537 * sizeof *words), "cudaMemset");
                read_beside<kind><<<blocks, 256>>>(results(), words, apart, 32);
            });
            snprintf(title, sizeof title, "read_beside_%s_%u_%d_sms", name, 4 * apart, sms[i]);
            figure(title, least / 32, "cycles",
                   "a read in L2 while so many SMs do atomics so many bytes away");
        }
}

static void measure_flags(uint32_t *words) {
    int blocks = multiprocessors();
    double warps = blocks * 8.0 * 32;
    figure("flag_stores",
           1e3 * microseconds([=] { flag_stores<false><<<blocks, 256>>>(words, 0, words + 64, 32); }) / warps,
           "ns a warp", "every warp stores to one word");
    for (uint32_t count = 1 << 15; count <= 1 << 25; count *= 32) {
        char title[64];
        snprintf(title, sizeof title, "flag_stores_gathers_%uk", count / 256);
        figure(title, 1e3 * microseconds([=] {
                          flag_stores<true><<<blocks, 256>>>(words + 1024, count - 1, words + 64, 32);
                      }) / warps,
               "ns a warp", "the same after a gather from so many KB");
    }
}

int main(void) {
    uint32_t *words = (uint32_t *)allocated((size_t)1 << 28);
    measure_blocks();
    measure_shared_atomics();
    measure_shared_sums<float>("float");
    measure_shared_sums<double>("double");
    measure_random_sums();
    measure_exchange<SWAP_FINDS>(words);
    measure_exchange<SWAP_MISSES>(words);
    measure_exchange<EXCHANGE>(words);
    measure_exchange<MAXIMUM>(words);
    measure_exchange<SUM_64>(words);
    measure_swap_loops(words);
    measure_reads_beside<SWAP_FINDS>(words, "swap");
    measure_reads_beside<INTEGER_SUM>(words, "sum");
    measure_reads_beside<FLOAT_SUM>(words, "float");
    measure_flags(words);
    measure_global_atomics(words);
    return 0;
}
