// The lecture's experiment: increment an array, and see how many bytes a second that moves, for words of 4, 8
// and 16 bytes, 1, 2 or 4 independent loads a thread, and different numbers of threads a multiprocessor.
//
//     make lab4-sweep
//
// Blocks of 256 threads; each asks for so much shared memory that only the wished number of them fits.
// Prints one line a point: bytes of a word, loads a thread, threads of an SM, occupancy, 10^9 bytes a second.

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 256
#define MOST_ROUNDS 32

#define CHECK(call) check(call, #call, __LINE__)

static void check(cudaError_t error, const char *call, int line) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "sweep.cu:%d: %s: %s\n", line, call, cudaGetErrorString(error));
    exit(1);
}

__device__ static float plus_one_4(float v) {
    return v + 1;
}

__device__ static float2 plus_one_8(float2 v) {
    return make_float2(v.x + 1, v.y + 1);
}

__device__ static float4 plus_one_16(float4 v) {
    return make_float4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
}

// All loads of a thread come before its first store. The array is a multiple of what the grid takes.
#define KERNEL(bytes, word, loads)                                                                           \
    __global__ void increment_##bytes##_##loads(void *array) {                                               \
        word *x = (word *)array + (int64_t)blockIdx.x * BLOCK * (loads) + threadIdx.x, value[loads];         \
        _Pragma("unroll") for (int k = 0; k < (loads); k++) value[k] = x[k * BLOCK];                         \
        _Pragma("unroll") for (int k = 0; k < (loads); k++) x[k * BLOCK] = plus_one_##bytes(value[k]);       \
    }

KERNEL(4, float, 1)
KERNEL(4, float, 2)
KERNEL(4, float, 4)
KERNEL(8, float2, 1)
KERNEL(8, float2, 2)
KERNEL(8, float2, 4)
KERNEL(16, float4, 1)
KERNEL(16, float4, 2)
KERNEL(16, float4, 4)

struct variant {
    void (*kernel)(void *array);
    int bytes, loads;
};

static const struct variant variants[] = {
    {increment_4_1, 4, 1},   {increment_4_2, 4, 2},   {increment_4_4, 4, 4},
    {increment_8_1, 8, 1},   {increment_8_2, 8, 2},   {increment_8_4, 8, 4},
    {increment_16_1, 16, 1}, {increment_16_2, 16, 2}, {increment_16_4, 16, 4},
};

static const int blocks_per_sm[] = {1, 2, 3, 4, 5, 6, 7, 8};

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Shared memory of a block so that `blocks` fit an SM and no more; -1: a block cannot ask for so much.
static int shared_for(const struct cudaDeviceProp *gpu, const struct variant *v, int blocks) {
    int most = (int)gpu->sharedMemPerMultiprocessor / blocks - (int)gpu->reservedSharedMemPerBlock;
    int bytes = most / 256 * 256, fit = 0;
    if (bytes > (int)gpu->sharedMemPerBlockOptin)
        bytes = (int)gpu->sharedMemPerBlockOptin;
    CHECK(cudaFuncSetAttribute((const void *)v->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, (const void *)v->kernel, BLOCK, (size_t)bytes));
    return fit == blocks ? bytes : -1;
}

// Median time of `rounds` launches, in milliseconds.
static float measure(const struct variant *v, void *array, size_t bytes, int shared, int rounds) {
    float times[MOST_ROUNDS];
    unsigned blocks = (unsigned)(bytes / ((size_t)v->bytes * v->loads * BLOCK));
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int round = 0; round < rounds; round++) {
        CHECK(cudaEventRecord(start, 0));
        v->kernel<<<blocks, BLOCK, (size_t)shared>>>(array);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop, 0));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&times[round], start, stop));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    return times[rounds / 2];
}

int main(int count, char **arguments) {
    int megabytes = count > 1 ? atoi(arguments[1]) : 1024, rounds = count > 2 ? atoi(arguments[2]) : 7;
    if (megabytes < 1 || megabytes > 65536 || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: sweep [MEGABYTES, 1 to 65536 [ROUNDS, 1 to %d]]\n", MOST_ROUNDS);
        return 2;
    }
    size_t bytes = (size_t)megabytes << 20;
    struct cudaDeviceProp gpu;
    void *array;
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    CHECK(cudaMalloc(&array, bytes));
    CHECK(cudaMemset(array, 0, bytes));
    setvbuf(stdout, NULL, _IOLBF, 0);
    int points = (int)(sizeof variants / sizeof *variants * (sizeof blocks_per_sm / sizeof *blocks_per_sm));
    printf("# %d points on %s\n", points, gpu.name);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (size_t b = 0; b < sizeof blocks_per_sm / sizeof *blocks_per_sm; b++) {
            int threads = BLOCK * blocks_per_sm[b];
            int shared = threads <= gpu.maxThreadsPerMultiProcessor
                             ? shared_for(&gpu, &variants[v], blocks_per_sm[b])
                             : -1;
            if (shared < 0) {
                printf("# cannot have %d threads\n", threads);
                continue;
            }
            float time = measure(&variants[v], array, bytes, shared, rounds);
            printf("%d %d %d %.4f %.1f\n", variants[v].bytes, variants[v].loads, threads,
                   (double)threads / gpu.maxThreadsPerMultiProcessor,
                   2.0 * (double)bytes / ((double)time * 1e6));
        }
    CHECK(cudaFree(array));
    return 0;
}
