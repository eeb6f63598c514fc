/* memory.cu: latency and throughput of shared memory, constants, L1, L2 and DRAM. */
#include "calibration.h"

#include <string.h>

enum { STEPS = 256 };

/* Loads that the compiler neither joins, moves nor leaves out; where: an address in shared memory. */
static __device__ __forceinline__ uint32_t shared_load(uint32_t where, uint32_t *) {
    uint32_t x;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(where));
    return x;
}
static __device__ __forceinline__ uint32_t shared_load(uint32_t where, uint2 *) {
    uint32_t x, y;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "r"(where));
    return x + y;
}
static __device__ __forceinline__ uint32_t shared_load(uint32_t where, uint4 *) {
    uint32_t x, y, z, w;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "r"(where));
    return x + y + z + w;
}
static __device__ __forceinline__ uint32_t near_load(const uint32_t *where) {
    uint32_t x;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(x) : "l"(where));
    return x;
}
static __device__ __forceinline__ uint32_t near_load(const uint2 *where) {
    uint32_t x, y;
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(x), "=r"(y) : "l"(where));
    return x + y;
}
static __device__ __forceinline__ uint32_t near_load(const uint4 *where) {
    uint32_t x, y, z, w;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(where));
    return x + y + z + w;
}

/* Lane l reads word l * step, then the one 32 words on. */
template <class T> __global__ void shared_reads(uint64_t *result, int step, int rounds) {
    __shared__ T line[1280];
    for (uint32_t i = threadIdx.x; i < 1280; i += blockDim.x)
        line[i] = T();
    uint32_t first = (uint32_t)__cvta_generic_to_shared(line), sum = 0;
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++) {
        uint32_t at = first + ((threadIdx.x % 32 * step + k) & 1023) * sizeof(T);
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum += shared_load(at + j * 32 * (uint32_t)sizeof(T), (T *)NULL);
    }
    if (sum == 12345)
        result[1] = sum;
    block_ends(begin, result);
}

__global__ void shared_writes(uint64_t *result, int step, int rounds) {
    __shared__ uint32_t line[1536];
    volatile uint32_t *at = line + (threadIdx.x % 32 * step & 1023);
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            at[j * 32] = k;
    block_ends(begin, result);
}

/* Every word holds its own address. */
__global__ void shared_chain(uint64_t *result, int rounds) {
    __shared__ uint32_t line[32];
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&line[threadIdx.x]);
    line[threadIdx.x] = at;
    uint64_t begin = block_begins();
#pragma unroll 16
    for (int k = 0; k < rounds; k++)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    if (at == 12345)
        result[1] = at;
    block_ends(begin, result);
}

__constant__ uint32_t table[16384 - 64];

/* Lanes ask for `words` different words, the next round for the next; within `mask`. */
__global__ void constants(uint64_t *result, int words, int mask, int rounds) {
    uint32_t own = threadIdx.x % words * 16, sum = 0;
    for (int i = threadIdx.x; i <= mask; i += 16)
        sum += table[i];
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++) {
        uint32_t at = (own + k) & mask;
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum += table[at + j * 4];
    }
    if (sum == 12345)
        result[1] = sum;
    block_ends(begin, result);
}

__global__ void constant_chain(uint64_t *result, int mask, int rounds) {
    uint32_t at = threadIdx.x / 32;
    for (int i = 0; i <= mask; i += 16)
        at += table[i];
    uint64_t begin = block_begins();
#pragma unroll 8
    for (int k = 0; k < rounds; k++)
        at = table[(at + k * 16) & mask];
    if (at == 12345)
        result[1] = at;
    block_ends(begin, result);
}

/* A list of addresses, each of the next line; all are met, in an order that looks random: an odd addend and a multiplier
 * of 4n + 1 go through all of a power of two. */
__global__ void make_list(uint64_t *list, uint32_t lines, uint32_t words_a_line) {
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines; i += gridDim.x * blockDim.x)
        list[(size_t)i * words_a_line] =
            (uint64_t)&list[(size_t)((i * 1664525u + 1013904223u) & (lines - 1)) * words_a_line];
}
/* Goes on where the last walk ended; result: cycles, the place. */
template <bool near> __global__ void walk(uint64_t *result, int warm, int rounds) {
    uint64_t at = result[1], begin = 0;
    for (int k = -warm; k < rounds; k++) {
        if (k == 0)
            begin = (uint64_t)clock64();
        if (near)
            asm volatile("ld.global.u64 %0, [%0];" : "+l"(at));
        else
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
    }
    result[1] = at; /* the clock is read when it is known */
    __threadfence();
    result[0] = (uint64_t)clock64() - begin;
}
__global__ void walk_from(uint64_t *result, uint64_t place) {
    result[1] = place;
}

/* Each line of L2 by itself, a word that holds its own address: which half of L2 the line is in shows in its latency. */
__global__ void each_line(uint64_t *result, uint64_t *words, int lines) {
    for (int line = 0; line < lines; line++) {
        uint64_t at = (uint64_t)(words + line * 512), begin = 0;
        words[line * 512] = at;
        __threadfence();
        for (int k = -4; k < 512; k++) {
            if (k == 0)
                begin = (uint64_t)clock64();
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
        }
        result[1] = at;
        __threadfence();
        result[2 + line] = (uint64_t)clock64() - begin;
    }
}

/* Reads that L1 holds, 24 KB at most; a lane's words lie `step` words of T apart. */
template <class T> __global__ void near_reads(uint64_t *result, const T *data, int step, int rounds) {
    uint32_t sum = 0;
    for (uint32_t i = threadIdx.x; i < 1536; i += blockDim.x)
        sum += near_load(&data[i]);
    uint64_t begin = block_begins();
    for (int k = 0; k < rounds; k++) {
        const T *at = &data[(threadIdx.x % 32 * step + k * 32) & 1023];
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum += near_load(at + j * 32);
    }
    if (sum == 12345)
        result[1] = sum;
    block_ends(begin, result);
}

/* Chip-wide: `count` pieces of 16 bytes, each `step` pieces from the next, read, written or copied `rounds` times. */
__global__ void far_reads(uint32_t *result, const uint4 *data, size_t count, size_t step, int rounds) {
    uint32_t sum = 0;
    for (int k = 0; k < rounds; k++)
#pragma unroll 4
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
             i += (size_t)gridDim.x * blockDim.x) {
            uint4 value = __ldcg(&data[i * step]);
            sum += value.x ^ value.y ^ value.z ^ value.w;
        }
    if (sum == 12345)
        *result = sum;
}
__global__ void far_writes(uint4 *data, size_t count, size_t step, int rounds) {
    for (int k = 0; k < rounds; k++)
        for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
             i += (size_t)gridDim.x * blockDim.x)
            data[i * step] = make_uint4(k, 0, 0, 0);
}
__global__ void far_copies(const uint4 *from, uint4 *to, size_t count) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}
/* Sectors here and there. */
__global__ void far_random(uint32_t *result, const uint32_t *data, uint32_t sectors, int rounds) {
    uint32_t sum = 0, i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 8
    for (int k = 0; k < rounds; k++)
        sum += __ldcg(&data[(size_t)(mixed(i * 64 + k) & (sectors - 1)) * 8]);
    if (sum == 12345)
        *result = sum;
}

static void measure_shared(void) {
    char title[64];
    figure("shared_load_latency", cycles([] { shared_chain<<<1, 32>>>(results(), STEPS); }) / STEPS, "cycles",
           "a chain in one warp");
    for (int step = 0; step <= 32; step = step == 0 ? 1 : 2 * step) {
        snprintf(title, sizeof title, "shared_load_step_%d", step);
        figure(title,
               cycles([=] { shared_reads<uint32_t><<<1, 1024>>>(results(), step, 64); }) / (64.0 * 8 * 32),
               "cycles", "a warp's load of 4 bytes each; lanes that many words apart; 32 warps of an SM");
        snprintf(title, sizeof title, "shared_store_step_%d", step);
        figure(title, cycles([=] { shared_writes<<<1, 1024>>>(results(), step, 64); }) / (64.0 * 8 * 32),
               "cycles", "a warp's store of 4 bytes each; lanes that many words apart; 32 warps of an SM");
    }
    figure("shared_load_8_bytes",
           cycles([] { shared_reads<uint2><<<1, 1024>>>(results(), 1, 64); }) / (64.0 * 8 * 32), "cycles",
           "neighbours");
    figure("shared_load_16_bytes",
           cycles([] { shared_reads<uint4><<<1, 1024>>>(results(), 1, 64); }) / (64.0 * 8 * 32), "cycles",
           "neighbours");
}

static void measure_constants(void) {
    char title[64];
    for (int words = 1; words <= 32; words *= 2) {
        snprintf(title, sizeof title, "constant_words_%d", words);
        figure(title, cycles([=] { constants<<<1, 1024>>>(results(), words, 511, 64); }) / (64.0 * 8 * 32),
               "cycles",
               "a warp's load with an index; so many different words in it; within 2 KB; 32 warps of an SM");
    }
    for (int bytes = 1024; bytes <= 65536; bytes *= 2) {
        snprintf(title, sizeof title, "constant_latency_%dk", bytes / 1024);
        figure(title,
               cycles([=] { constant_chain<<<1, 32>>>(results(), bytes / 4 - 1, STEPS * 4); }) / (STEPS * 4),
               "cycles", "a chain in one warp through a table of that size, one word of 64 bytes");
    }
}

static void measure_latencies(uint64_t *data) {
    char title[64];
    for (uint32_t kilobytes = 16; kilobytes <= 1 << 20; kilobytes *= 2) {
        uint32_t lines = kilobytes * 8, warm = lines < 1 << 19 ? lines : 0;
        make_list<<<256, 256>>>(data, lines, 16);
        walk_from<<<1, 1>>>(results(), (uint64_t)data);
        double far = cycles([=] { walk<false><<<1, 1>>>(results(), warm, 8192); });
        snprintf(title, sizeof title, "load_latency_%uk", kilobytes);
        figure(title, far / 8192, "cycles",
               "a chain through lines of 128 bytes in so much memory; L1 passed by");
        if (kilobytes <= 512) {
            double near = cycles([=] { walk<true><<<1, 1>>>(results(), warm, 8192); });
            snprintf(title, sizeof title, "load_latency_%uk_l1", kilobytes);
            figure(title, near / 8192, "cycles", "the same through L1");
        }
    }
    each_line<<<1, 1>>>(results(), data, 256);
    uint64_t latency[256];
    for (int i = 0; i < 256; i++) {
        latency[i] = result(2 + i);
        for (int k = i; k > 0 && latency[k] < latency[k - 1]; k--) {
            uint64_t other = latency[k];
            latency[k] = latency[k - 1], latency[k - 1] = other;
        }
    }
    figure("l2_latency_least", (double)latency[0] / 512, "cycles", "of 256 lines 4 KB apart; from one SM");
    figure("l2_latency_quarter", (double)latency[64] / 512, "cycles",
           "a quarter of them is faster: the near half of L2");
    figure("l2_latency_middle", (double)latency[128] / 512, "cycles", "half of them is faster");
    figure("l2_latency_three_quarters", (double)latency[192] / 512, "cycles",
           "a quarter of them is slower: the far half");
    figure("l2_latency_most", (double)latency[255] / 512, "cycles", "of 256 lines");
}

static void measure_l1(const uint32_t *data) {
    char title[64];
    for (int step = 0; step <= 32; step = step == 0 ? 1 : 2 * step) {
        snprintf(title, sizeof title, "l1_load_step_%d", step);
        figure(title, cycles([=] {
                          near_reads<uint32_t><<<1, 1024>>>(results(), data, step, 64);
                      }) / (64.0 * 8 * 32),
               "cycles",
               "a warp's load of 4 bytes each that L1 holds; lanes that many words apart; 32 warps of an SM");
    }
    figure("l1_load_8_bytes", cycles([=] {
                                  near_reads<uint2><<<1, 1024>>>(results(), (const uint2 *)data, 1, 64);
                              }) / (64.0 * 8 * 32),
           "cycles", "neighbours");
    figure("l1_load_16_bytes", cycles([=] {
                                   near_reads<uint4><<<1, 1024>>>(results(), (const uint4 *)data, 1, 64);
                               }) / (64.0 * 8 * 32),
           "cycles", "neighbours");
}

static void measure_bandwidth(uint4 *data, size_t bytes) {
    char title[64];
    int blocks = multiprocessors() * 4;
    for (size_t size = (size_t)4 << 20; size <= bytes / 2; size *= 2) {
        size_t count = size / 16;
        int rounds = size < (size_t)64 << 20 ? 16 : 4;
        /* two lengths, so that the launch does not count */
        double read =
            microseconds(
                [=] { far_reads<<<blocks, 512>>>((uint32_t *)results(), data, count, 1, 3 * rounds); }) -
            microseconds([=] { far_reads<<<blocks, 512>>>((uint32_t *)results(), data, count, 1, rounds); });
        snprintf(title, sizeof title, "read_%zum", size >> 20);
        figure(title, 2.0 * rounds * size / read / 1e3, "GB/s",
               "every SM reads so much memory again and again; L1 passed by");
        double write = microseconds([=] { far_writes<<<blocks, 512>>>(data, count, 1, 3 * rounds); }) -
                       microseconds([=] { far_writes<<<blocks, 512>>>(data, count, 1, rounds); });
        snprintf(title, sizeof title, "write_%zum", size >> 20);
        figure(title, 2.0 * rounds * size / write / 1e3, "GB/s",
               "every SM writes so much memory again and again");
    }
    size_t half = bytes / 2 / 16;
    figure("copy", 2.0 * half * 16 / microseconds([=] {
                       far_copies<<<blocks * 4, 512>>>(data, data + half, half);
                   }) / 1e3,
           "GB/s", "512 MB to another place, read and written");
    for (size_t step = 2; step <= 16; step *= 2) {
        size_t count = bytes / 16 / step;
        snprintf(title, sizeof title, "read_16_of_%zu", 16 * step);
        figure(title, count * 32.0 / microseconds([=] {
                          far_reads<<<blocks, 512>>>((uint32_t *)results(), data, count, step, 1);
                      }) / 1e3,
               "GB/s", "16 bytes of so many from 1 GB; counted as sectors of 32");
        snprintf(title, sizeof title, "write_16_of_%zu", 16 * step);
        figure(title,
               count * 32.0 / microseconds([=] { far_writes<<<blocks, 512>>>(data, count, step, 1); }) / 1e3,
               "GB/s", "16 bytes of so many into 1 GB; counted as sectors of 32");
    }
    for (uint32_t sectors = 1 << 17; sectors <= bytes / 32; sectors *= 16) {
        snprintf(title, sizeof title, "random_sectors_%zum", (size_t)sectors * 32 >> 20);
        figure(title, (double)blocks * 512 * 32 / microseconds([=] {
                          far_random<<<blocks, 512>>>((uint32_t *)results(), (uint32_t *)data, sectors, 32);
                      }) / 1e3,
               "sectors a ns", "every lane another sector of so much memory");
    }
}

int main(void) {
    size_t bytes = (size_t)1 << 30;
    uint32_t *data = (uint32_t *)allocated(bytes + 4096);
    measure_shared();
    measure_constants();
    measure_latencies((uint64_t *)data);
    measure_l1(data);
    measure_bandwidth((uint4 *)data, bytes);
    return 0;
}
