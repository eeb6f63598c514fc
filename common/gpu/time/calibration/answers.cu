/* answers.cu: when DRAM answers what has not been asked for before, by share; how many requests of a sector L2 takes. */
#include "calibration.h"

#include <algorithm>
#include <vector>

enum { WARPS = 4, STEPS = 16, ROUNDS = 8 }; /* of an SM; loads of each; launches */

__global__ void read_all(uint32_t *result, const uint4 *data, size_t count) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        sum += data[i].x;
    if (sum == 12345)
        *result = sum;
}

/* A line after the other, each 37 lines and more from all others; what each took. The data are 0. */
__global__ void first_touch(uint32_t *taken, const uint32_t *data) {
    uint32_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, warps = gridDim.x * blockDim.x / 32,
             sum = 0;
    for (uint32_t k = 0; k < STEPS; k++) {
        uint32_t begin = clock();
        sum +=
            __ldcg(&data[((size_t)warp * 37 + (size_t)k * (warps * 37 + 13)) * 32 + threadIdx.x % 32 + sum]);
        if (sum != 0) /* what is read has to be there before the time is */
            return;
        uint32_t end = clock();
        if (threadIdx.x % 32 == 0)
            taken[(size_t)k * warps + warp] = end - begin;
    }
}

/* Every lane another line, at random, again and again. */
__global__ void gather(uint64_t *result, const uint32_t *data, uint32_t lines, int rounds) {
    uint32_t key = (blockIdx.x * blockDim.x + threadIdx.x) * 977, sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += __ldcg(&data[(size_t)__umulhi(mixed(key + k * 0x837d93 + sum), lines) * 32]);
    if (sum == 12345)
        result[1] = sum;
}

static void measure_first_touch(const uint32_t *data, size_t bytes) {
    static const struct {
        const char *name;
        double part;
    } parts[] = {{"dram_latency_1", 0.01},  {"dram_latency_10", 0.1},   {"dram_latency_25", 0.25},
                 {"dram_latency_36", 0.36}, {"dram_latency_44", 0.44},  {"dram_latency_50", 0.5},
                 {"dram_latency_75", 0.75}, {"dram_latency_90", 0.9},   {"dram_latency_95", 0.95},
                 {"dram_latency_99", 0.99}, {"dram_latency_999", 0.999}};
    size_t warps = (size_t)multiprocessors() * WARPS, each = warps * STEPS, half = bytes / 2 / 16;
    uint32_t *taken = (uint32_t *)allocated(each * sizeof *taken);
    std::vector<uint32_t> all(each * ROUNDS);
    for (int i = -1; i < ROUNDS; i++) { /* the first brings the code */
        read_all<<<multiprocessors() * 8, 256>>>((uint32_t *)results(), (const uint4 *)data + half, half);
        first_touch<<<multiprocessors(), WARPS * 32>>>(taken, data + (size_t)(i + 1) * (each * 37 + 64) * 32 %
                                                                         (bytes / 8));
        check(cudaMemcpy(&all[each * (i < 0 ? 0 : i)], taken, each * sizeof *taken, cudaMemcpyDeviceToHost),
              "latencies");
    }
    std::sort(all.begin(), all.end());
    double sum = 0;
    for (uint32_t one : all)
        sum += one;
    figure("dram_latency_mean", sum / all.size(), "cycles",
           "a warp's load of a line that nobody asked for before; 4 warps of every SM; L2 emptied");
    for (const auto &part : parts)
        figure(part.name, all[(size_t)(part.part * all.size())], "cycles",
               "so many percent of them are there by then");
}

int main(void) {
    size_t bytes = (size_t)2 << 30;
    uint32_t *data = (uint32_t *)allocated(bytes);
    measure_first_touch(data, bytes);
    for (uint32_t megabytes = 2; megabytes <= 56; megabytes += megabytes < 8 ? megabytes : 8) {
        char title[64];
        int blocks = multiprocessors() * 2;
        uint32_t lines = megabytes << 13;
        double time = microseconds([=] { gather<<<blocks, 512>>>(results(), data, lines, 96); }) -
                      microseconds([=] { gather<<<blocks, 512>>>(results(), data, lines, 32); });
        snprintf(title, sizeof title, "gather_%um", megabytes);
        figure(title, blocks * 512 * 64.0 / time / 1e3, "requests a ns",
               "every lane another line of so much memory; L1 passed by");
    }
    return 0;
}
