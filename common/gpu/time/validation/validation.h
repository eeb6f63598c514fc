/*
 * validation.h: what every program of the validation set does with its kernels.
 *   program             each case once, after L2 was emptied: what the simulator runs
 *   program profile N   each case N times and no other kernel: for a profiler, which empties the caches itself
 *   program time N      a line of CSV for each case: its name, and its time in microseconds, median, lowest and
 *                       highest of N rounds between events, first with L2 emptied before each, then without
 * A case is one kernel, launched in one shape, and has the kernel's name.
 */
#ifndef TIME_VALIDATION_H
#define TIME_VALIDATION_H

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 1000 };

static void check(cudaError_t error, const char *what) {
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

/* A function of its argument that looks random. */
static inline __host__ __device__ uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static void *allocated(size_t bytes) {
    void *memory;
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    check(cudaMemset(memory, 0, bytes), "cudaMemset");
    return memory;
}

/* Device memory filled with value(i) for every i below count: made on the host, for a kernel that filled it would be
 * measured too. */
template <class T, class F> static T *filled(size_t count, F value) {
    T *host = (T *)malloc(count * sizeof(T)), *device = (T *)allocated(count * sizeof(T));
    if (host == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (size_t i = 0; i < count; i++)
        host[i] = (T)value((uint32_t)i);
    check(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
    free(host);
    return device;
}

/* From 0 to 1; below `below`. */
static inline float *random_floats(size_t count) {
    return filled<float>(count, [](uint32_t i) { return (float)(mixed(i) >> 8) / 16777216.0f; });
}
static inline uint32_t *random_words(size_t count, uint32_t below) {
    return filled<uint32_t>(count, [=](uint32_t i) { return mixed(i + 77) % below; });
}
static inline float *zeros(size_t count) {
    return (float *)allocated(count * sizeof(float));
}

/* Read more than L2 holds. */
__global__ void empty_l2(const uint4 *data, size_t count, uint32_t *sink) {
    uint32_t sum = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        sum += data[i].x ^ data[i].w;
    if (sum == 1)
        *sink = sum;
}

static struct {
    enum { RUN, PROFILE, TIME } mode;
    int rounds;
    uint4 *rubbish;
    size_t rubbish_count;
    cudaEvent_t begin, end;
} validation;

static void validation_begin(int count, char **arguments) {
    int rounds = count == 3 ? atoi(arguments[2]) : 1;
    if ((count != 1 && count != 3) || rounds < 1 || rounds > ROUNDS_MAX ||
        (count == 3 && strcmp(arguments[1], "profile") != 0 && strcmp(arguments[1], "time") != 0)) {
        fprintf(stderr, "usage: %s [profile N | time N]\n", arguments[0]);
        exit(2);
    }
    validation.rounds = rounds;
    if (count == 3)
        validation.mode = arguments[1][0] == 'p' ? validation.PROFILE : validation.TIME;
    int device = 0, bytes = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
    validation.rubbish_count =
        (size_t)bytes / sizeof(uint4) * (validation.mode == validation.TIME ? 8 : 5) / 4;
    if (validation.mode != validation.PROFILE)
        validation.rubbish = (uint4 *)allocated(validation.rubbish_count * sizeof(uint4));
    check(cudaEventCreate(&validation.begin), "cudaEventCreate");
    check(cudaEventCreate(&validation.end), "cudaEventCreate");
}

static void validation_flush(void) {
    empty_l2<<<528, 512>>>(validation.rubbish, validation.rubbish_count, (uint32_t *)validation.rubbish);
}

static int by_time(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return a < b ? -1 : a > b;
}

template <class F> static void print_times(F launch, bool flushed) {
    static float times[ROUNDS_MAX];
    for (int i = -2; i < validation.rounds; i++) { /* two to warm up */
        if (flushed)
            validation_flush();
        check(cudaEventRecord(validation.begin), "cudaEventRecord");
        launch();
        check(cudaEventRecord(validation.end), "cudaEventRecord");
        check(cudaEventSynchronize(validation.end), "cudaEventSynchronize");
        check(cudaEventElapsedTime(&times[i < 0 ? 0 : i], validation.begin, validation.end),
              "cudaEventElapsedTime");
    }
    qsort(times, (size_t)validation.rounds, sizeof times[0], by_time);
    printf(",%.3f,%.3f,%.3f", 1e3 * times[validation.rounds / 2], 1e3 * times[0],
           1e3 * times[validation.rounds - 1]);
}

/* launch: launches the kernel of that name, once. */
template <class F> static void validate(const char *name, F launch) {
    if (validation.mode == validation.TIME) {
        printf("%s", name);
        print_times(launch, true);
        print_times(launch, false);
        printf("\n");
    } else {
        for (int i = 0; i < validation.rounds; i++) {
            if (validation.mode == validation.RUN)
                validation_flush();
            launch();
        }
    }
    check(cudaGetLastError(), name);
    check(cudaDeviceSynchronize(), name);
}

/* VALIDATE(kernel, grid, block, arguments...) */
#define VALIDATE(kernel, grid, block, ...) validate(#kernel, [&] { kernel<<<grid, block>>>(__VA_ARGS__); })

#endif
